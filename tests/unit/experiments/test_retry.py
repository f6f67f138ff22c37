"""Runs that ended without a result are tried again where that is asked for, and no others."""

import fcntl
from pathlib import Path
from shutil import copytree

import pytest

from rankbench.command.doors import try_again
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.files import read_note, write_note
from rankbench.experiments.protocol import read_yaml
from rankbench.retry import retry

ROOT = Path(__file__).parents[3]
STATUSES = ("ok", "timeout", "memory", "failed", "missing")
pytestmark = pytest.mark.fault("runs that failed, tried again by one command")


@pytest.fixture
def checkout(tmp_path):
    """A checkout whose runs of `smoke` end in every way, and a study that failed."""
    copytree(ROOT / "config", tmp_path / "config")
    yaml, study = tmp_path / "config/experiments/smoke.yaml", "two_rank_equalities"
    yaml.write_text(f"{yaml.read_text()}\nstudies:\n  {study}: {{size: 60, samples: 5}}\n")
    experiment = Experiment.of(read_yaml(yaml), name="smoke")
    for number, (name, *cell, seed) in enumerate(experiment.runs):
        folder = tmp_path.joinpath("results", name, "jobs", *cell)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{seed}.npz").touch()
        write_note(folder / f"{seed}.json", [folder / f"{seed}.npz"], task={}, record={"status": STATUSES[number % 5]})
    frame = tmp_path / f"results/smoke/statistics/{study}.csv"
    frame.parent.mkdir()
    frame.touch()
    write_note(frame.with_suffix(".json"), [frame], task={}, status="failed")
    return tmp_path


def left(checkout):
    """Return the statuses of the existing records whose scores exist too."""
    files = list(checkout.glob("results/smoke/jobs/*/*/*/*.json"))
    assert {file.with_suffix(".npz") for file in files} == {*checkout.glob("results/smoke/jobs/*/*/*/*.npz")}
    return sorted(read_note(file)["record"]["status"] for file in files)


@pytest.mark.parametrize(
    ("asked", "gone"),
    [
        (["timeout"], {"timeout"}),
        (["memory", "failed"], {"memory", "failed"}),
        (["all"], {"timeout", "memory", "failed"}),
    ],
)
def test_what_is_asked_for_is_removed_and_nothing_else(checkout, asked, gone):
    before, collected = left(checkout), checkout / "results/smoke/records.parquet"
    collected.touch()
    counts = retry(asked, ["smoke"], checkout)
    assert left(checkout) == [status for status in before if status not in gone]
    studies = int("failed" in gone)
    assert counts == {status: before.count(status) + studies * (status == "failed") for status in gone}
    assert len(list(checkout.glob("results/smoke/st*/*"))) == 2 * (1 - studies)
    assert not collected.exists(), "or Snakemake would have nothing to do"
    collected.touch()
    assert set(retry(asked, ["smoke"], checkout).values()) == {0} and collected.exists()


def test_what_cannot_be_read_stays_for_the_run_that_heals_it(checkout):
    first = sorted(checkout.glob("results/smoke/jobs/*/*/*/*.json"))[0]
    first.write_bytes(b"\xff")
    retry(["all"], ["smoke"], checkout)
    assert first.exists()


def test_wrong_words_and_a_run_that_is_going_on_are_refused(checkout):
    for statuses, accepted in ((["slow"], "got slow"), ([], "got none"), (["ok", "failed"], "got ok")):
        with pytest.raises(ValueError, match=f"retry must be some of timeout, memory, failed, or all, {accepted}"):
            retry(statuses, ["smoke"], checkout)
    with pytest.raises(ValueError, match="unknown name 'smok'"):
        retry(["all"], ["smok"], checkout)
    (checkout / ".snakemake").mkdir(exist_ok=True)
    with open(checkout / ".snakemake/run.lock", "a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(ValueError, match="another run is going on"):
            retry(["all"], ["smoke"], checkout)
    assert "failed" in left(checkout)


def test_the_command_prints_how_many_are_tried_again(checkout, monkeypatch, capsys):
    monkeypatch.chdir(checkout)
    try_again("timeout,memory", ["smoke"])
    assert capsys.readouterr().out.splitlines()[0] == "4 runs with status timeout will be tried again"
