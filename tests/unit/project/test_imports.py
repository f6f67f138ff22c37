"""Packages import each other in one direction only; a job imports little; scripts stay short."""

import ast
import subprocess
import sys

import pytest
from checkout import ROOT

EXECUTOR = "snakemake_executor_plugin_warm"  # for any workflow
LOGGER = "snakemake_logger_plugin_rankbench"
FRAMES_ONLY = ("statistics", "printed", "tables", "figures", "claims")
LAYERS = {  # no module imports from a later one; rooms of papers are loaded by their names
    "rankmargin": (
        *("problem", "oracles", "certificates", "comparisons", "solvers"),
        *("metrics", "estimators", "search", "inspection", "export"),
    ),
    "rankbench": (
        *("records", "room", "registry", "configuration", "datasets", "baselines", "experiments"),
        *("statistics", "figures", "tables", "claims", "compare", "report", "papers", "command"),
    ),
}
SCIPY = ("scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats")  # numba imports bare scipy
HEAVY = ("pandas", "sklearn", "matplotlib", "snakemake", "pydantic", *SCIPY)


def modules(folder):
    return [".".join(file.relative_to(ROOT / folder).with_suffix("").parts) for file in (ROOT / folder).rglob("*.py")]


def imported(module):
    """Return the absolute names that a module's source imports, at any level of indentation."""
    home = ROOT / ("src" if module.startswith("rankmargin") else "benchmark/src")
    file = (home / module.replace(".", "/")).with_suffix(".py")
    package = module.split(".")[:-1]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, node.module or ""]).strip(".")
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("module", [*modules("src"), *modules("benchmark/src")])
def test_imports_point_one_way(module):
    names = list(imported(module))
    if module.startswith(EXECUTOR):
        assert not [name for name in names if name.startswith(("rankmargin", "rankbench"))]
        return
    assert module.startswith(LOGGER) or not [name for name in names if name.startswith("snakemake")]
    if module.startswith("rankmargin"):
        assert not [name for name in names if name.startswith("rankbench")]
    if {part.split("_")[0] for part in module.split(".")[1:4]} & {*FRAMES_ONLY}:  # of the core, or of a room
        assert not [n for n in names if n.startswith(("rankmargin.", "rankbench.experiments", "rankbench.datasets"))]
    package, top = module.split(".")[:2]
    if top in (layers := LAYERS.get(package, ())):
        folders = {name.split(".")[1] for name in names if name.startswith(f"{package}.")}
        assert folders & {*layers} <= {*layers[: layers.index(top) + 1]}


def test_the_library_takes_no_private_name_of_scikit_learn():
    """Any release may change those."""
    taken = {
        (node.module, name.name)
        for file in (ROOT / "src/rankmargin").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sklearn"
        for name in node.names
    }
    assert len(taken) > 40 and not [found for found in taken if "._" in f"{found[0]}.{found[1]}"]


def test_both_packages_have_few_modules_at_their_top():
    folder = ROOT / "benchmark/src/rankbench"
    parts = {file.stem for file in folder.iterdir() if file.suffix == ".py" or (file / "__init__.py").exists()}
    layers = LAYERS["rankbench"]
    assert {name for name in parts if not name.startswith("__")} == {*layers} and len(layers) <= 16
    folders = (ROOT / "src/rankmargin").glob("*/__init__.py")
    assert {file.parent.name for file in folders} == {*LAYERS["rankmargin"]}


LEAN = {  # what is imported -> what it may not bring with it
    "server": {"snakemake", "numpy"},  # of the executor, which starts it as a file
    "rankbench.datasets.sheet": {"pandas", "sklearn", "numpy"},
    "rankbench.datasets.table": {"pandas", "sklearn", "scipy", "yaml"},
    "rankbench.experiments.job": {*HEAVY},  # without a method, which brings scikit-learn with it
    "rankmargin.inspection": {"pydantic", "snakemake", "matplotlib"},
}
PROGRAM = f"""
import importlib, os, sys
sys.path.append({str(ROOT / "benchmark/src" / EXECUTOR)!r})
for module, heavy in {LEAN}.items():
    if not os.fork():
        importlib.import_module(module)
        print(module, *sorted(heavy & sys.modules.keys()), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.mark.slow
def test_what_every_job_reads_imports_nothing_heavy():
    said = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert said.split() == [*LEAN], said
