"""Records of all jobs as frames."""

import numpy as np
import pytest

from rankbench.experiments import plan
from rankbench.experiments.collect import collect_records, collect_scores, read_records, read_runs
from rankbench.experiments.files import write_arrays
from rankbench.experiments.record import Record, to_line

DIGESTS = {"good": "01", "bad": "02"}


def made(small):
    fields = {"params": {"C": 1}, "metrics": {"swapped_pairs": 0.25}}
    return [
        Record(*run, n_train=12, n_test=8, n_attributes=2, source_digest=DIGESTS[run[3]], **fields)
        for run in plan.runs("small", small)
    ]


def test_there_is_a_row_for_every_run_asked_for(small):
    records = made(small)
    frame = collect_records(records[::-1][1:], "small", small, DIGESTS)
    assert list(zip(frame["dataset"], frame["method"], frame["seed"])) == [
        (r.dataset, r.method, r.seed) for r in records
    ]
    assert frame["status"].tolist() == ["ok"] * 11 + ["missing"]
    assert frame["reason"].iloc[-1] == "its job left no record"
    assert frame["swapped_pairs"].notna().tolist() == [True] * 11 + [False]
    assert frame.loc[0, "params"] == '{"C": 1}'


def test_a_record_of_older_sources_is_as_good_as_none(small):
    frame = collect_records(made(small), "small", small, {**DIGESTS, "bad": "03"})
    missing = frame["status"] == "missing"
    assert (missing == (frame["method"] == "bad")).all()
    assert set(frame.loc[missing, "reason"]) == {"its record was made by other sources than the present"}


def test_no_record_at_all_is_a_frame_too(small):
    frame = collect_records([], "small", small, DIGESTS)
    assert set(frame["status"]) == {"missing"} and len(frame) == 12


def test_two_records_of_one_run_are_refused(small):
    with pytest.raises(ValueError, match="two records of the run"):
        collect_records(made(small) + made(small)[:1], "small", small, DIGESTS)


def test_a_broken_record_is_named(tmp_path, small):
    (tmp_path / "a.json").write_text(to_line(made(small)[0]) + "\n")
    (tmp_path / "b.json").write_text("{half\n")
    with pytest.raises(ValueError, match=r"b.json: .* line 1"):
        read_records([tmp_path / "a.json", tmp_path / "b.json"])


def test_scores_keep_their_identity(tmp_path, small):
    failed, ok, *_ = made(small)
    failed.status = "failed"
    kept = {name: np.arange(2.0) + at for at, name in enumerate(("test", "y", "scores"))}
    frame = collect_scores([failed, ok], [{}, kept], "small")
    assert frame.values.tolist() == [
        ["small", "one", "default", "good", 1, 0, 1, 2],
        ["small", "one", "default", "good", 1, 1, 2, 3],
    ]
    assert collect_scores([], [], "small").empty


def test_metrics_are_computed_from_what_the_runs_kept(tmp_path, small):
    first, second, third, *_ = made(small)
    y, scores, groups = np.array([1.0, 2.0, 3.0]), np.array([3.0, 1.0, 2.0]), np.array([0.0, 1.0, 1.0])
    kept = [{"y": y, "scores": scores, "labels": y + 1}, {"y": y, "scores": scores, "groups": groups}, {}]
    third.status = "timeout"
    paths = [(tmp_path / f"{number}.json", tmp_path / f"{number}.npz") for number in range(3)]
    for record, arrays, (one, other) in zip((first, second, third), kept, paths, strict=True):
        one.write_text(to_line(record))
        write_arrays(other, **arrays)
    records, _ = read_runs(*zip(*paths, strict=True), ["swapped_pairs", "zero_one"])
    assert records[0].status == "ok", records[0].reason
    assert records[0].metrics == {"swapped_pairs": pytest.approx(2 / 3), "zero_one": 1.0}
    assert (records[1].status, records[1].reason) == ("failed", "KeyError: 'labels'")
    assert records[2].status == "timeout"
    records, _ = read_runs(*zip(*paths, strict=True), ["swapped_pairs"])
    assert records[1].metrics == {"swapped_pairs": 0.0}, "inside groups"
