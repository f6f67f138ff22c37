"""What is there counts only if its note says that it is what is asked for today."""

import json
from dataclasses import replace

import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.experiments.files import write_note, write_text
from rankbench.experiments.misfits import Made, digest_of_runs, misfit, other_limits, runs_of
from rankbench.experiments.tasks import _studies

NOTE, FILE = "results/one/statistics/summary.json", "results/one/statistics/summary.csv"
TASK = {"experiment": {"name": "one", "grid": (1, 0.5)}, "source": "01"}
READ = {"results/one/records.parquet": "02"}


@pytest.fixture
def made(tmp_path):
    """What a job was asked for, and has made in a checkout."""
    (tmp_path / FILE).parent.mkdir(parents=True)
    write_text(tmp_path / FILE, "a,b\n")
    write_note(tmp_path / NOTE, [tmp_path / FILE], task=TASK, read=READ)
    return Made(NOTE, TASK, tuple(READ))


def test_what_is_asked_for_fits_and_is_known_then(made, tmp_path):
    known = dict(READ)
    assert misfit(made, known, tmp_path) == ""
    assert {*known} == {*READ, FILE, NOTE} and len(known[FILE]) == len(known[NOTE]) == 64


def test_what_is_not_there_is_left_to_snakemake(made, tmp_path):
    (tmp_path / NOTE).unlink()
    known = {}
    assert misfit(made, known, tmp_path) == "" and not known


@pytest.mark.parametrize(
    ("change", "known", "why"),
    [
        ({"task": {**TASK, "source": "09"}}, READ, "made for a different task: source"),
        ({"task": {**TASK, "more": 1}}, READ, "made for a different task: more"),
        ({"task": {"source": "01"}}, READ, "made for a different task: experiment"),
        ({"read": ()}, READ, "made from different files: results/one/records.parquet"),
        ({"read": (*READ, "x")}, READ, "made from different files: x"),
        ({}, {"results/one/records.parquet": "03"}, "made from a different version of results/one/records.parquet"),
        ({"fault": lambda note: "too old" if note["files"] else ""}, READ, "too old"),
        ({"read": None}, READ, ""),
        ({}, {}, ""),  # what was read is made again, and with it this
    ],
)
def test_it_does_not_fit_another_task_or_other_files(made, tmp_path, change, known, why):
    known = dict(known)
    assert misfit(replace(made, **change), known, tmp_path) == why
    assert (FILE in known) == (why == "")


def test_a_file_that_was_edited_or_is_gone_does_not_fit(made, tmp_path):
    content = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content + b"1")
    assert misfit(made, {}, tmp_path).startswith(f"{FILE}: damaged (changed since it was written)")
    (tmp_path / FILE).unlink()
    assert misfit(made, {}, tmp_path).startswith(f"{FILE}: damaged (No such file or directory)")


RUN = {"status": "ok", "limits": {"seconds": 5, "megabytes": 500}}


@pytest.mark.parametrize(
    ("status", "seconds", "megabytes", "why"),
    [
        ("timeout", 9, 500, "stopped by a limit that is longer now: seconds"),
        ("memory", 5, 900, "stopped by a limit that is longer now: megabytes"),
        ("timeout", 5, 500, ""),
        ("timeout", 4, 500, ""),
        ("memory", 5, 400, ""),
        ("ok", 9, 900, ""),
        ("failed", 9, 500, ""),
        ("ok", 4, 500, "made under longer limits than the current ones: seconds"),
        ("failed", 4, 400, "made under longer limits than the current ones: megabytes, seconds"),
    ],
)
def test_another_limit_counts_where_it_could_change_the_end_of_a_run(status, seconds, megabytes, why):
    assert other_limits({**RUN, "status": status}, {"seconds": seconds, "megabytes": megabytes}) == why
    assert other_limits({"status": "missing", "limits": {}}, {"seconds": seconds, "megabytes": megabytes}) == ""


def test_each_run_has_its_note_its_task_and_its_files(small):
    runs = {one.note: one for one in runs_of(small)}
    assert [*runs] == small.run_files("json")
    one = runs["results/small/jobs/two/default/bad/1.json"]
    assert one.task == small.task("two", "default", "bad").settings
    assert one.read == ("resources/tables/two.npz", "resources/splits/small/two/default/1.npz")


KEYS = {  # what is changed in the yaml -> the part of the task of a run that tells
    ("methods", "good", "grid", "C"): ([1, 3], "grid"),
    ("methods", "good", "params"): ({"tol": 0.1}, "params"),
    ("methods", "good", "uses"): ("SVOR", "uses"),
    ("preprocess", "scaling"): ("none", "preprocess"),
    ("tuning", "folds"): (4, "split"),
    ("tuning", "metric"): ("absolute_error", "metric"),
    ("datasets", "one", "n_train"): (11, "split"),
}


@pytest.mark.parametrize("keys", KEYS)
def test_every_part_of_the_protocol_of_a_run_is_in_its_task(yaml, keys):
    before = json.loads(json.dumps(Experiment.of(yaml).task("one", "default", "good").settings))
    value, part = KEYS[keys]
    entry = yaml
    for key in keys[:-1]:
        entry = entry[key]
    entry[keys[-1]] = value
    after = json.loads(json.dumps(Experiment.of(yaml).task("one", "default", "good").settings))
    assert part in {key for key in after if after[key] != before[key]}


def test_the_runs_together_have_a_digest_of_those_that_count(small):
    notes = {note: f"{at:02}" for at, note in enumerate(small.run_files("json"))}
    (folder,) = whole = digest_of_runs(small, notes)
    assert folder == "results/small/jobs" and digest_of_runs(small, {**notes, "results/other.json": "99"}) == whole
    first = next(iter(notes))
    for other in ({**notes, first: "07"}, {note: digest for note, digest in notes.items() if note != first}):
        assert digest_of_runs(small, other) != whole


@pytest.mark.parametrize(
    ("status", "retry", "again"),
    [
        ("timeout", ["timeout"], True),
        ("failed", ["timeout", "memory"], False),
        ("failed", ["all"], True),
        ("memory", ["all"], True),
        ("ok", ["all"], False),
        ("missing", ["all"], False),
        ("timeout", [], False),
    ],
)
def test_what_ended_so_is_made_again_on_request(small, status, retry, again):
    why = f"tried again: {status} before" * again
    run = next(runs_of(small, retry))
    assert run.fault({"record": {"status": status, "limits": dict(small.limits)}}) == why
    (study,) = _studies(replace(small, studies={"slack_bound": {"trials": 1}}), retry)
    assert study.fault({"status": status}) == why
