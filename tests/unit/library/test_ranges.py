"""Compiled code does not check its indices, so every public function that reaches it checks its ranges before."""

import numpy as np
import pytest

from rankmargin import sampling
from rankmargin.cut_points import best_cut_points
from rankmargin.oracles.swapped_pairs import count_swapped, violations

S, RANK = np.arange(6.0), np.array([0, 0, 1, 1, 2, 2])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rank": [0, 0, 1, 1, 2, 10**9]}, "rank must hold integers from 0 to 2, got 1000000000"),
        ({"rank": [0, 0, 1, 1, 2, -1]}, "rank must hold integers from 0 to 2, got -1"),
        ({"rank": [0, 0, 1, 1, 2, 1.5]}, "rank must hold integers from 0 to 2, got 1.5"),
        ({"rank": [0, 0, 1, 1, 2, np.nan]}, "rank must hold integers from 0 to 2, got nan"),
        ({"rank": RANK[:4]}, r"s and rank must be of the same length > 0, got shapes \(6,\) and \(4,\)"),
        ({"s": [], "rank": []}, "same length > 0"),
        ({"s": np.where(S == 2, np.nan, S)}, "s must be numbers, got nan"),
        ({"n_ranks": 2}, "rank must hold integers from 0 to 1, got 2"),
        ({"n_ranks": 0}, "n_ranks must be an integer >= 1, got 0"),
        ({"n_ranks": 3.0}, "n_ranks must be an integer >= 1, got 3.0"),
        ({"sample_weight": np.ones(5)}, r"sample_weight must hold a finite number >= 0 for each row, got shape \(5,\)"),
        ({"sample_weight": -np.ones(6)}, "sample_weight must hold a finite number >= 0 for each row"),
    ],
)
def test_cut_points_check_their_ranks(given, message):
    with pytest.raises(ValueError, match=message):
        best_cut_points(**({"s": S, "rank": RANK, "n_ranks": 3} | given))


KERNELS = [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 1.0}, {"kernel": "poly", "gamma": 1.0, "degree": 3}]


@pytest.mark.parametrize("name", ["close_pair", "sample_mst"])
@pytest.mark.parametrize("d", [1, 2, 40])
@pytest.mark.parametrize("kernel", KERNELS)
def test_samplers_refuse_points_whose_distances_overflow(name, d, kernel):
    """With infinite distances no point is the nearest one; up to there the sampler answers."""
    points = np.random.default_rng(0).standard_normal((4000 if d == 1 else 60, d))
    order = np.arange(float(len(points)))
    sampler = sampling.SAMPLERS[name]
    with pytest.raises(ValueError, match=r"Z must have finite squared distances, got values up to .*: scale Z"):
        sampler(1e200 * points, 5, order, kernel, np.random.default_rng(0))
    pairs = sampler(1e40 * points, 5, order, kernel, np.random.default_rng(0))
    assert pairs.shape == (5, 2) and np.all((pairs >= 0) & (pairs < len(points))) and np.all(pairs[:, 0] != pairs[:, 1])


def test_samplers_refuse_a_kernel_matrix_whose_distances_overflow():
    with pytest.raises(ValueError, match="Z must have finite squared distances"):
        sampling.minimum_spanning_tree(1e308 * np.eye(5), {"kernel": "precomputed"})


@pytest.mark.parametrize("count", [violations, count_swapped])
def test_oracles_check_lengths(count):
    y, s = np.arange(5.0), np.arange(5.0)
    for wrong in (s[:3], np.arange(8.0), s[:, None]):
        with pytest.raises(ValueError, match="s must have one score for each of 5 rows, got shape"):
            count(y, wrong)
    for wrong in (np.zeros(3, int), np.zeros(9, int)):
        with pytest.raises(ValueError, match="groups must have one entry for each of 5 rows, got shape"):
            count(y, s, groups=wrong)
    for wrong in (y[:0], y[:, None]):
        with pytest.raises(ValueError, match="y must be an array of one dimension with at least one row"):
            count(wrong, s)
