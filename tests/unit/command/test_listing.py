"""What ``rankbench list`` counts and what it expects the rest to cost."""

from pathlib import Path
from shutil import copytree

import pytest

from rankbench.command.doors import run
from rankbench.experiments.protocol import load_asked

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the configuration of this project, in which the first two runs of each cell of a data set exist."""
    copytree(ROOT / "config", tmp_path / "config")
    (smoke,) = load_asked(["smoke"], tmp_path)[0].values()
    for method in smoke.methods:
        cell = tmp_path / f"results/smoke/jobs/friedman1/default/{method}"
        cell.mkdir(parents=True)
        for seed in range(2):
            (cell / f"{seed}.json").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_all_experiments_are_listed_and_those_not_in_the_list_are_marked(folder, capsys):
    assert run(["list"]) == 0
    lines = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert lines["smoke"][:5] == ["smoke", "*", "6", "of", "18"] and lines["diez_table1"][1:4] == ["0", "of", "720"]
    assert {file.stem for file in (ROOT / "config/experiments").rglob("*.yaml")} <= {*lines}


def test_named_experiments_say_what_is_missing(folder, capsys):
    assert run(["list", "smoke"]) == 1
    assert "runs      0 of 18 ok" in capsys.readouterr().out
    assert run(["list", "smok"]) == 1 and "did you mean 'smoke'?" in capsys.readouterr().err
