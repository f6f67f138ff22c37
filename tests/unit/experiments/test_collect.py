"""Records of all jobs as frames."""

from pathlib import Path

import numpy as np
import pytest

from rankbench.experiments.collect import Run, collect_records, collect_scores, read_run, read_runs
from rankbench.records.files import Damaged, note_of, stamp, write_arrays, write_note
from rankbench.records.record import Record, values_of

MADE_BY = {"commit": "abc1234", "machine": "a large one", "versions": {"numpy": "2.0"}}


def records_of(experiment):
    fields = {"params": {"C": 1}, "metrics": {"swapped_pairs": 0.25}}
    return {run: Record(*run, n_train=12, n_test=8, n_attributes=2, **fields) for run in experiment.runs}


def test_there_is_a_row_for_every_run_asked_for(small):
    runs = {identity: Run(record, {}, MADE_BY) for identity, record in records_of(small).items()}
    *_, before, last = small.runs
    del runs[before], runs[last]
    frame = collect_records(dict(reversed(runs.items())), small)
    assert list(zip(frame["experiment"], *(frame[key] for key in ("dataset", "condition", "method", "seed")))) == [
        *small.runs
    ]
    assert frame["status"].tolist() == ["ok"] * 10 + ["missing"] * 2
    assert frame["reason"].tolist()[-2:] == ["the job left no record"] * 2
    assert frame["swapped_pairs"].notna().tolist() == [True] * 10 + [False] * 2
    assert frame.loc[0, ["params", "commit", "machine", "versions"]].tolist() == [
        *('{"C": 1}', "abc1234", "a large one", '{"numpy": "2.0"}')
    ]
    assert frame["commit"].tolist()[-2:] == ["", ""] and (frame["n_train"] == 12).all()


def left_by(path, record, **arrays):
    """Write what a run leaves; return both paths."""
    write_arrays(path, **arrays)
    write_note(note_of(path), [path], task={}, record=values_of(record))
    return note_of(path), path


def test_scores_keep_their_identity(small):
    records = records_of(small)
    first, second = list(small.runs)[:2]
    records[first].status = "failed"
    arrays = {name: np.arange(2.0) + at for at, name in enumerate(("test", "y", "scores"))}
    runs = {first: Run(records[first], {}, MADE_BY), second: Run(records[second], arrays, MADE_BY)}
    frame = collect_scores(runs, "small")
    assert frame.values.tolist() == [
        ["small", "one", "default", "good", 1, 0, 1, 2],
        ["small", "one", "default", "good", 1, 1, 2, 3],
    ]
    assert collect_scores({}, "small").empty


def test_metrics_are_computed_from_what_the_runs_kept(tmp_path, small):
    first, second, third, *_ = records_of(small).values()
    y, scores, groups = np.array([1.0, 2.0, 3.0]), np.array([3.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0])
    arrays = [{"y": y, "scores": scores, "labels": y + 1}, {"y": y, "scores": scores, "groups": groups}, {}]
    third.status = "timeout"
    paths = [tmp_path / f"{number}.npz" for number in range(3)]
    for path, record, kept in zip(paths, (first, second, third), arrays, strict=True):
        left_by(path, record, **kept)
    records = [read_run(path, ["swapped_pairs", "zero_one"]).record for path in paths]
    assert records[0].status == "ok", records[0].reason
    assert records[0].metrics == {"swapped_pairs": pytest.approx(2 / 3), "zero_one": 1.0}
    assert (records[1].status, records[1].reason) == ("failed", "metric zero_one: KeyError: 'labels'")
    assert records[1].metrics == {}
    assert records[2].status == "timeout"
    again = read_run(paths[1], ["swapped_pairs"]).record
    assert again.metrics == {"swapped_pairs": 0.0}, "inside groups"


def test_runs_that_are_not_what_is_asked_for_are_refused(tmp_path, small, monkeypatch):
    """Read from a checkout: runs of another task, and a damaged one; no frame is made of the others."""
    monkeypatch.chdir(tmp_path)
    runs = list(zip(small.runs, small.run_files, strict=True))
    stamps = {"/".join(cell): stamp({"cell": cell}, {}) for cell in small.cells}
    for identity, file in runs:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        record = values_of(Record(*identity, n_train=12, n_test=8, n_attributes=2, limits=small.limits))
        left = {name: np.arange(3.0) for name in ("scores", "y", "test")}
        write_arrays(file, **left)
        write_note(note_of(file), [file], task={"cell": identity[1:4]}, record=record)
    assert [run.record.seed for run in read_runs(small, stamps).values()] == [seed for *_, seed in small.runs]
    Path(runs[0][1]).write_bytes(b"PK")
    with pytest.raises(Damaged, match=f"{runs[0][1]}: damaged .*; `rankbench tidy small` removes it"):
        read_runs(small, stamps)
    with pytest.raises(Damaged, match="made for a different task"):
        read_runs(small, {**stamps, "one/default/good": "01"})
