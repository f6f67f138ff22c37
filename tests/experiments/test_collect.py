"""Records of all jobs as frames."""

import numpy as np
import pytest

from rankbench.experiments.collect import collect_records, collect_scores, read_runs
from rankbench.experiments.files import Damaged, set_aside, write_arrays, write_text
from rankbench.experiments.record import Record, to_line

DIGESTS = {"good": "01", "bad": "02"}


def made(small):
    fields = {"params": {"C": 1}, "metrics": {"swapped_pairs": 0.25}}
    return [
        Record(*run, n_train=12, n_test=8, n_attributes=2, source_digest=DIGESTS[run[3]], **fields)
        for run in small.runs
    ]


def test_there_is_a_row_for_every_run_asked_for(small):
    records = made(small)
    frame = collect_records(records[::-1][1:], small, DIGESTS)
    assert list(zip(frame["dataset"], frame["method"], frame["seed"])) == [
        (r.dataset, r.method, r.seed) for r in records
    ]
    assert frame["status"].tolist() == ["ok"] * 11 + ["missing"]
    assert frame["reason"].iloc[-1] == "its job left no record"
    assert frame["swapped_pairs"].notna().tolist() == [True] * 11 + [False]
    assert frame.loc[0, "params"] == '{"C": 1}'


def test_a_record_of_older_sources_is_as_good_as_none(small):
    frame = collect_records(made(small), small, {**DIGESTS, "bad": "03"})
    missing = frame["status"] == "missing"
    assert (missing == (frame["method"] == "bad")).all()
    assert set(frame.loc[missing, "reason"]) == {"its record was made by other sources than the present"}


def test_no_record_at_all_is_a_frame_too(small):
    frame = collect_records([], small, DIGESTS)
    assert set(frame["status"]) == {"missing"} and len(frame) == 12


def test_two_records_of_one_run_are_refused(small):
    with pytest.raises(ValueError, match="two records of the run"):
        collect_records(made(small) + made(small)[:1], small, DIGESTS)


def left_by(folder, name, record, **arrays):
    """Write what a run leaves; return both paths."""
    write_text(folder / f"{name}.json", to_line(record) + "\n")
    write_arrays(folder / f"{name}.npz", **arrays)
    return folder / f"{name}.json", folder / f"{name}.npz"


@pytest.fixture
def good(tmp_path, small):
    """Return the files of a run that is ok: one of three pairs is swapped."""
    record = made(small)[0]
    return left_by(tmp_path, "good", record, test=np.arange(3), y=np.arange(3.0), scores=np.array([0.0, 2.0, 1.0]))


@pytest.mark.fault("files of a run: damaged where they lie")
@pytest.mark.parametrize("file", [0, 1])
@pytest.mark.parametrize("damage", ["empty", "cut", "cut by its last byte", "no text", "noise", "zeros"])
def test_a_damaged_file_is_named_and_set_aside_with_its_partner(good, tmp_path, file, damage):
    content = good[file].read_bytes()
    half = len(content) // 2
    ways = {"empty": b"", "cut": content[:half], "cut by its last byte": content.rstrip()[:-1]}
    ways |= {"no text": b"\xff\xfe" * 30, "noise": content[:half] + b"?" * 9 + content[half + 9 :], "zeros": bytes(99)}
    good[file].write_bytes(ways[damage])
    with pytest.raises(Damaged, match=rf"{good[file].name}: damaged \(.*\); the same command makes it"):
        read_runs([good[0]], [good[1]], ["swapped_pairs"])
    assert set_aside([tmp_path]) == [str(path) for path in (good[file:])]
    assert not good[file].exists() and good[file].with_name(good[file].name + ".damaged").exists()
    assert set_aside([tmp_path]) == []


@pytest.mark.fault("files of a run: a flipped bit")
def test_no_flipped_bit_is_read_as_another_value(good, record_property):
    """The flipped bit is found, or it changes nothing that is read."""
    expected, rng, tried = read_runs([good[0]], [good[1]], ["swapped_pairs"]), np.random.default_rng(0), 0
    for path in good:
        content = path.read_bytes()
        for bit in rng.choice(8 * len(content), 150, replace=False):
            flipped = bytearray(content)
            flipped[bit // 8] ^= 1 << (bit % 8)
            path.write_bytes(flipped)
            tried += 1
            try:
                ((record,), (arrays,)) = read_runs([good[0]], [good[1]], ["swapped_pairs"])
            except Damaged:
                pass
            else:
                assert to_line(record) == to_line(expected[0][0])
                assert {name: a.tolist() for name, a in arrays.items()} == {
                    name: a.tolist() for name, a in expected[1][0].items()
                }
        path.write_bytes(content)
    record_property("tried", tried)
    record_property("survived", tried)


def test_every_damaged_file_is_named_at_once(good, tmp_path, small):
    other = left_by(tmp_path, "other", made(small)[1])
    for path in (good[0], other[0]):
        path.write_text("{half\n")
    with pytest.raises(Damaged) as error:
        read_runs([good[0], other[0]], [good[1], other[1]], [])
    assert [line.split(":")[0] for line in str(error.value).splitlines()] == [str(good[0]), str(other[0])]


def test_scores_keep_their_identity(small):
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
