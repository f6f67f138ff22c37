"""The benchmark scripts run on tiny sizes, so that a renamed function is found here and not when numbers are wanted."""

import importlib
import sys
from contextlib import nullcontext
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
from checkout import CACHE, ROOT

FOLDER = ROOT / "benchmarks"
SCRIPTS = sorted(file.stem for file in FOLDER.glob("*.py"))
TINY = {
    "comparison_costs": lambda script: script.main(sizes=(40,), kinds=("pairs",)),
    "hold_outs": lambda script: (
        script.simulate(20, 20, 3, "ridge", "five neighbours", ratios=(2,), tables=3, independent=100),
        script.several(3, tables=3),
    ),
    "ratings": lambda script: script.main(["--games", "3000", "--players", "20", "--many", "200"]),
    "ordinal": lambda script: script.compare_sum_of_margins(60),
    "ranksvr": lambda script: script.main(),
    "linear": lambda script: script.main(["--tiny"]),
    "search": lambda script: script.main([40]),
    "scale": lambda script: script.main(["--tiny"]),
    "many_rows": lambda script: script.main(["bounds", "--tiny"]),
    "paths": lambda script: script.main(40),
    "kernels": lambda script: script.main(["--rows", "40", "--costs", "1", "--here"]),
    "start": lambda script: script.main(rows=40, repeats=1, kernels=["linear"]),
    "memory": lambda script: script.main(["--rows", "3000", "--only", "SVOR, 5 levels"]),
}
if find_spec("skl2onnx"):
    TINY["onnx_files"] = lambda script: script.main(["--rows", "60", "--only", "SwappedPairsSVM", "SVOR"])
if find_spec("sksurv"):
    TINY["survival"] = lambda script: script.main(["--sets", "veterans", "--holdouts", "2"])
SETTINGS = {
    "scale": {"REPEATS": 1},
    "ranksvr": {"N": 30, "RUNS": 1, "SIZES": (10, 20, 40)},
    "start": {"tempfile": SimpleNamespace(TemporaryDirectory=lambda: nullcontext(CACHE))},  # compiles nothing
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_runs_on_tiny_sizes(name, monkeypatch, capsys):
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr(sys, "argv", [name])
    script = importlib.import_module(name)
    for setting, value in SETTINGS.get(name, {}).items():
        assert hasattr(script, setting)
        monkeypatch.setattr(script, setting, value)
    if name in TINY:
        TINY[name](script)
        assert capsys.readouterr().out.strip()
