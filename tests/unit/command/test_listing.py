"""What ``rankbench list`` counts and what it expects the rest to cost."""

import sys
from pathlib import Path
from shutil import copytree

import pytest

from rankbench.command import listing
from rankbench.command.doors import run
from rankbench.experiments.protocol import load_asked
from rankbench.timing.expected import Expected
from rankbench.timing.keep import write_kept

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


def test_costs_are_those_of_the_runs_that_are_not_there(folder):
    """By hand: 3 data sets, 3 methods, 2 seeds; a run takes 2 s, one of svor5 on friedman1 takes 7 s."""
    write_kept(
        {("run_job", "smoke", "svor5", "friedman1", "default"): 7.0, ("run_job", "smoke", "x", "", ""): -3.0},
        folder / "seconds.csv.gz",
    )
    experiments, _ = load_asked(["smoke"], folder)
    expected = Expected(experiments, [], folder / "seconds.csv.gz")
    n_runs, n_studies, total, left = listing._costs(experiments["smoke"], expected, folder)
    assert (n_runs, n_studies) == (6, 0)
    # svor5: 6 runs of 7 s, as the kind nearest to its other sets is the method; the rest: the mean of 7 and -3.
    assert total == 6 * 7 + 12 * 2 and left == 4 * 7 + 8 * 2


def test_all_experiments_are_listed_and_those_not_in_the_list_are_marked(folder, capsys):
    assert run(["list"]) == 0
    lines = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert lines["smoke"][:5] == ["smoke", "*", "6", "of", "18"] and lines["diez_table1"][1:4] == ["0", "of", "720"]
    assert {file.stem for file in (ROOT / "config/experiments").rglob("*.yaml")} <= {*lines}


def test_methods_say_how_many_experiments_use_them_and_what_is_not_installed(folder, capsys, monkeypatch):
    monkeypatch.setattr(listing, "find_spec", lambda package: None if package == "lightgbm" else package)
    assert run(["list", "methods"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    (theirs,) = [row for row in rows if row[:1] == ["rankbench.baselines.lightgbm.LightGBM"]]
    assert theirs[-1] == "lightgbm" and int(theirs[1]) >= 3
    assert [row[-1] for row in rows if row[:1] == ["SVOR"]] == ["s"]


def test_data_sets_say_whether_their_table_is_there(folder, capsys):
    assert run(["list", "datasets"]) == 0
    (servo,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("servo ")]
    assert servo.split()[1:3] == ["Servo", "167"] and servo.endswith("not fetched yet")


def test_named_experiments_say_what_is_missing(folder, capsys):
    assert run(["list", "smoke"]) == 1
    assert "runs      0 of 18 ok" in capsys.readouterr().out
    assert run(["list", "smok"]) == 1 and "did you mean 'smoke'?" in capsys.readouterr().err


@pytest.mark.parametrize(("terminal", "longest"), [(True, 40), (False, 90)])
def test_lines_are_cut_on_a_terminal_only(terminal, longest, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    listing._show([("a" * 90,)], ["title"], "l")
    assert max(map(len, capsys.readouterr().out.splitlines())) == longest
