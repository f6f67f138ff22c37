"""What ``rankbench list`` counts."""

from shutil import copytree

import pytest
from checkout import ROOT

from rankbench.command.doors import run
from rankbench.experiments.protocol import load_asked
from rankbench.records.files import write_note


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
    """Of 18 runs six are there, and a study of one experiment."""
    (theory,) = load_asked(["diez_theory"])[0].values()
    note = folder / f"results/diez_theory/statistics/{next(iter(theory.studies))}.json"
    note.parent.mkdir(parents=True)
    note.touch()
    assert run(["list"]) == 0
    lines = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert lines["smoke"][:5] == ["smoke", "*", "6", "of", "18"] and lines["diez_table1"][1:4] == ["0", "of", "720"]
    assert lines["diez_theory"][1:4] == ["1", "of", str(len(theory.studies))]
    assert {file.stem for file in (ROOT / "config/experiments").rglob("*.yaml")} <= {*lines}


def test_named_experiments_say_what_is_missing(folder, capsys):
    assert run(["list", "smoke"]) == 1
    assert "runs      0 of 18 ok" in capsys.readouterr().out
    assert run(["list", "smok"]) == 1 and "did you mean 'smoke'?" in capsys.readouterr().err


def test_a_file_says_what_made_it(folder, capsys):
    file = folder / "results/smoke/summary.csv"
    file.write_text("a")
    write_note(file.with_suffix(".json"), [file], task={}, read={"results/smoke/part": "ab" * 32})
    assert run(["why", "results/smoke/summary.csv"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[:2] == ["results/smoke/summary.csv:", "  read:"] and "    results/smoke/part: abababab" in said[2]
    assert any(line.startswith("    commit: ") for line in said) and any("numpy: " in line for line in said)
    assert (
        run(["why", "results/other.csv"]) == 1
        and "No such file or directory: 'results/other.json'" in capsys.readouterr().err
    )
