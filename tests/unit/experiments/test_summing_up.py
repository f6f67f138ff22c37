"""The summary that ends a run."""

from shutil import copytree

import pytest
from checkout import ROOT

from rankbench.datasets.own import load_datasets
from rankbench.datasets.sheet import load_sheet
from rankbench.datasets.table import save_absence
from rankbench.experiments import protocol
from rankbench.experiments.collect import Run, collect_records
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.protocol import load_asked
from rankbench.experiments.stamps import Plan
from rankbench.records.files import note_of, write_note
from rankbench.records.frames import write_frame
from rankbench.records.record import Record, values_of
from rankbench.report import summary


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the configuration, without results."""
    copytree(ROOT / "config", tmp_path / "config")
    return tmp_path


def summarise(names, checkout):
    return summary.summarise(*load_asked(names, checkout), checkout)


def mark(checkout, dataset, reason):
    """Write that a data set has no table."""
    file = checkout / f"resources/tables/{dataset}.npz"
    file.parent.mkdir(parents=True, exist_ok=True)
    save_absence(file, reason)


def settle(checkout, name, change):
    """Write results of an experiment in which ``change(run) -> fields of its record`` (None: no record)."""
    experiment = Experiment.of(protocol.read_yaml(protocol.files_of(checkout)[name]), name=name)
    digests, runs, plan = experiment.digests, {}, Plan({name: experiment}, load_datasets(checkout), checkout)
    for path in experiment.result_files:
        (checkout / path).parent.mkdir(parents=True, exist_ok=True)
        (checkout / path).touch()
    for at, (run, note) in enumerate(zip(experiment.runs, map(note_of, experiment.run_files), strict=True)):
        if (fields := change(run)) is not None:
            record = Record(*run, 40, 40, 10, source_digest=digests[run[3]], job_seconds=1.5 + at, **fields)
            (checkout / note).parent.mkdir(parents=True, exist_ok=True)
            write_note(checkout / note, [], **plan.runs(*run[:4])._asdict(), record=values_of(record))
            runs[run] = Run(record, {}, {"commit": "", "machine": "", "versions": {}})
    frame = collect_records(runs, experiment)
    write_frame(checkout / "results" / name / "records.parquet", frame)


def failing(*seeds):
    """Return what lets a method fail on one data set with these seeds."""
    bad = {"status": "failed", "reason": "ValueError: no"}
    return lambda run: bad if run[1:4:2] == ("friedman1", "svor5") and run[4] in seeds else {}


DONE, FAILED = "Everything that could run has run", "failed    friedman1, svor5: {} failed; seed 0: ValueError: no"
NO_SPLIT = {"status": "missing", "reason": "no split of seed 1: why"}
ENDS = {  # what ran of which experiment -> the fields of each record, whether all is whole, and what is said
    "smoke, whole": (lambda run: {}, True, ["18 of 18 ok", "results/smoke/tables/table1.html", f"{DONE}."]),
    "smoke, two failed": (failing(0, 1), True, ["16 of 18 ok", f"{DONE}; 2 runs failed: s", FAILED.format("2 runs")]),
    "smoke, one failed": (failing(0), True, ["17 of 18 ok", f"{DONE}; 1 run failed: see", FAILED.format("1 run")]),
    "smoke, no split": (
        lambda run: NO_SPLIT if run[4] == 1 else {},
        False,
        ["missing   not done: 9 runs; the first of them: no split of seed 1: why", "Something is missing: see"],
    ),
    "diez_table1, data that never came": (
        lambda run: None if run[1] == "servo" else {},
        True,
        [
            *("660 of 720 ok", "no data   60 runs without servo", "60 runs have no data", "servo/servo.data"),
            *("RANKBENCH_MIRROR", "https://archive.ics.uci.edu"),
        ],
    ),
}


@pytest.mark.parametrize("end", ENDS)
def test_the_end_of_a_run_is_told_with_its_reasons(checkout, capsys, end):
    (change, whole, said), name = ENDS[end], end.partition(",")[0]
    settle(checkout, name, change)
    if "never came" in end:
        mark(checkout, "servo", "not fetched: servo: no source gave the registered data")
    assert summarise([name], checkout) == whole
    text = capsys.readouterr().out
    assert [one for one in said if one not in text] == [] and ("missing   " in text) != whole


def test_data_that_nothing_proved_are_named(checkout, capsys):
    rows = load_sheet(checkout / "config/datasets.tsv")
    without = [name for name, row in rows.items() if row.file and not row.table_sha256 and "unknown" in row.sha256]
    assert without == [f"chess_{year}" for year in range(1999, 2007)]
    for name in ("chess_2003", "chess_2006", "chess_2010"):
        note = checkout / f"resources/raw/{name}/source.json"
        note.parent.mkdir(parents=True)
        write_note(note, [], task={}, places=["here"])
    summarise(["svmcompare_fig6_years", "smoke"], checkout)
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.startswith("Used unchecked")]
    assert "chess_2003" in line and "chess_2006" in line
    assert "chess_2010" not in line  # the digest of its values is registered


def test_data_sets_of_a_part_are_named_if_they_are_absent(checkout, capsys):
    assert summary.tell_absent(["servo", "abalone"], load_datasets(checkout), checkout)
    assert not capsys.readouterr().out
    mark(checkout, "servo", "not fetched: servo: no source gave the registered data")
    assert summary.tell_absent(["servo", "abalone"], load_datasets(checkout), checkout)
    said = capsys.readouterr().out
    assert said.startswith("no data   servo: not fetched: servo: no source") and "abalone" not in said
    assert "servo/servo.data" in said.split("could not be fetched")[1]
    mark(checkout, "servo", "refused by its reader: 3 rows")
    assert not summary.tell_absent(["servo"], load_datasets(checkout), checkout)
    assert "could not be fetched" not in capsys.readouterr().out


@pytest.mark.parametrize(("status", "whole"), [("failed", False), ("missing", True), ("ok", True)])
def test_a_study_that_failed_breaks_the_result_and_one_without_data_does_not(checkout, capsys, status, whole):
    settle(checkout, "diez_theory", lambda run: {})
    yaml = protocol.read_yaml(checkout / "config/experiments/diez/diez_theory.yaml")
    (checkout / "results/diez_theory/records.parquet").unlink()  # there are no runs
    for study in yaml["studies"]:
        note = checkout / f"results/diez_theory/statistics/{study}.json"
        asked = Plan(*load_asked(["diez_theory"], checkout)).study("diez_theory", study)
        write_note(note, [note.with_suffix(".csv")], **asked._asdict(), status=status, reason="ValueError: no")
    assert summarise(["diez_theory"], checkout) == whole
    text = capsys.readouterr().out
    assert ("missing   study oracle_growth: ValueError: no" in text) != whole


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[1]", b'{"status": "ok", "digest": "0"}'])
def test_a_damaged_note_of_a_study_or_of_a_download_is_named(checkout, capsys, content):
    settle(checkout, "diez_theory", lambda run: {})
    (checkout / "results/diez_theory/records.parquet").unlink()
    note = checkout / "results/diez_theory/statistics/oracle_growth.json"
    note.write_bytes(content)
    source = checkout / "resources/raw/chess_2003/source.json"
    source.parent.mkdir(parents=True)
    source.write_bytes(content)
    assert not summarise(["diez_theory", "svmcompare_fig6_years"], checkout)
    text = capsys.readouterr().out
    for file in (note, source):
        assert f"refused   {file.relative_to(checkout)}: damaged (" in text
    assert "`rankbench tidy diez_theory svmcompare_fig6_years` removes it" in text
