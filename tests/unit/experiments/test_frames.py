"""Frames on the disk come back as they were, or are known to be damaged."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.files import write_note
from rankbench.experiments.frames import read_frame, read_statistic, write_frame, write_statistic

FRAME = pd.DataFrame(
    {
        "dataset": pd.Categorical(["a", "b", "a"] * 20),
        "seed": range(60),
        "reason": ["", "nö", "x"] * 20,
        "swapped_pairs": np.random.default_rng(0).random(60),
        "gap": [np.nan, 0.0, -0.0] * 20,
    }
)


@pytest.mark.parametrize("frame", [FRAME, FRAME[["seed", "gap"]][:0], FRAME[["seed"]]])
def test_a_frame_comes_back_with_what_made_it(tmp_path, frame):
    write_frame(tmp_path / "f.parquet", frame, protocol={"seeds": 2, "C": [0.1]}, commit="abc-dirty")
    back, made = read_frame(tmp_path / "f.parquet")
    pd.testing.assert_frame_equal(back, frame)
    assert made == {"protocol": {"seeds": 2, "C": [0.1]}, "commit": "abc-dirty"}
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "f.parquet"), frame)


def with_note(path):
    write_note(path.with_suffix(".json"), [path], task={})


def test_a_statistic_comes_back_also_without_its_note(tmp_path):
    path = tmp_path / "summary.csv"
    write_statistic(path, FRAME[["seed", "reason"]])
    expected = pd.read_csv(path)
    pd.testing.assert_frame_equal(read_statistic(path), expected)
    with_note(path)
    pd.testing.assert_frame_equal(read_statistic(path), expected)
