"""Maps of the unit square: nested samples, the truth of equation 2.29, and shares that add up."""

import numpy as np
import pytest
import shipped

from rankbench.papers.herbrich.rank_maps import middles, rank_map_agreement, rank_maps, true_ranks

SQUARE = {"herbrich_utility": (shipped.made("herbrich_utility"), None)}


@pytest.fixture(scope="module")
def maps():
    return rank_maps(SQUARE, {}, sizes=[5, 25], cells=12)


def test_the_truth_is_the_utility_between_the_thresholds():
    X = np.array([[0.5, 0.9], [0.1, 0.9], [0.9, 0.9], [0.4, 0.7], [0.7, 0.7]])  # utilities 0, -1.6, 1.6, -0.2, 0.4
    np.testing.assert_array_equal(true_ranks(X), [3, 1, 5, 2, 4])
    np.testing.assert_array_equal(middles(2), [[0.25, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.75]])


def test_samples_are_nested_and_hold_every_rank(maps):
    small, large = (maps.query("method == 'training' and size == @size") for size in (5, 25))
    np.testing.assert_array_equal(large.iloc[:5, 2:], small.iloc[:, 2:])
    assert sorted(small["rank"]) == [1, 2, 3, 4, 5]
    counts = maps.groupby(["size", "method"]).size().unstack()
    assert (counts.drop(columns="training") == 144).all(axis=None) and counts["training"].tolist() == [5, 25]


def test_agreement_counts_the_square_in_halves():
    frame = rank_map_agreement(SQUARE, {}, sizes=[5, 25], cells=12, samples=3)
    assert len(frame) == 2 * 4 * 3
    halves = (frame["right_near"] + frame["right_far"]) / 2
    assert np.abs(halves - frame["right"]).max() < 0.02  # 144 parts; ties of the distance at the median
    at_25 = frame[frame["size"] == 25].groupby("method")["right"].mean()
    assert at_25["ordinal"] > at_25["multiclass"] > 0.3
