"""The comparison of two runs ignores times and memory, and nothing else."""

import numpy as np
import pandas as pd
import pytest

from rankbench.records.diff import compare, differences, host_columns
from rankbench.records.frames import write_frame


@pytest.fixture
def frame():
    """Three records."""
    return pd.DataFrame(
        {
            "method": ["a", "b", "b"],
            "seed": [0, 0, 1],
            "status": ["ok", "ok", "failed"],
            "swapped_pairs": [0.1, 0.25, np.nan],
            "fit_seconds": [1.0, 2.0, 3.0],
            "peak_megabytes": [100.0, 120.0, 90.0],
        }
    )


def test_times_and_memory_do_not_count(frame):
    other = frame.assign(fit_seconds=9.0, peak_megabytes=1.0)
    assert host_columns(frame.columns) == ["fit_seconds", "peak_megabytes"]
    assert differences(frame, other) == []


@pytest.mark.parametrize(
    ("column", "row", "value", "told"),
    [
        ("status", 2, "timeout", "status: 1 of 3 rows; row 2: 'failed' against 'timeout'"),
        ("seed", 0, 7, "seed: 1 of 3 rows; row 0: 0 against 7"),
        ("swapped_pairs", 2, 0.5, "swapped_pairs: 1 of 3 rows; row 2: nan against 0.5"),
        (
            "swapped_pairs",
            1,
            np.nextafter(0.25, 1),
            "swapped_pairs: 1 of 3 rows; row 1: 0.25 against 0.25000000",
        ),
    ],
)
def test_everything_else_does(frame, column, row, value, told):
    other = frame.copy()
    other.loc[row, column] = value
    (line,) = differences(frame, other)
    assert told in line.replace("np.float64(", "").replace("np.int64(", "").replace(")", "")


def test_numbers_may_be_held_to_a_difference(frame):
    other = frame.assign(swapped_pairs=frame["swapped_pairs"] * (1 + 1e-13))
    assert len(differences(frame, other)) == 1 and differences(frame, other, 1e-12) == []
    assert len(differences(frame, frame.assign(swapped_pairs=np.nan), 1e-12)) == 1


def test_zeros_of_either_sign_differ_by_nothing(frame):
    zeros, negative = (frame.assign(swapped_pairs=np.full(3, zero)) for zero in (0.0, -0.0))
    assert differences(zeros, negative, 1e-12) == [] and len(differences(zeros, negative)) == 1


def write(frame, folder):
    folder.mkdir(parents=True)
    for file in ("records.parquet", "test_scores.parquet"):
        write_frame(folder / file, frame)


def test_an_experiment_that_one_side_lacks_is_a_difference(frame, tmp_path, capsys):
    for folder in ("one/smoke", "other/smoke", "other/late"):
        write(frame, tmp_path / folder)
    assert compare(tmp_path / "one/smoke", tmp_path / "other/smoke")
    assert not compare(tmp_path / "one", tmp_path / "other")
    assert not compare(tmp_path / "other", tmp_path / "one")
    told = capsys.readouterr().out
    assert told.count("equal bit by bit") == 6
    for file in ("records", "test_scores"):
        assert told.count(f"late/{file}.parquet: only in {tmp_path / 'other'}\n") == 2
    (tmp_path / "other/smoke/test_scores.parquet").unlink()
    assert not compare(tmp_path / "one/smoke", tmp_path / "other/smoke")
