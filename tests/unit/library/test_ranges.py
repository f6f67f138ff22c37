"""Compiled code does not check its indices, so every public function that reaches it checks its ranges before."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rankmargin.cut_points import best_cut_points
from rankmargin.estimators import pair_sampling as sampling
from rankmargin.estimators.pair_sampling import SAMPLERS, close_pair, minimum_spanning_tree, p_close_pair, sample_mst
from rankmargin.oracles.swapped_pairs import count_swapped, violations

X, Y = np.random.default_rng(0).standard_normal((60, 3)), np.arange(60.0)
MESSAGES = [  # oracles
    *(
        (lambda one=one, given=given: one(*given), message)
        for one in (violations, count_swapped)
        for given, message in (
            *(((Y, s), "s must have one score for each of 60 rows, got shape") for s in (Y[:3], Y[:, None])),
            *(((Y, Y, 0.5, g), "groups must have one entry for each of 60 rows") for g in (Y[:3], np.zeros(99, int))),
            *(((y, Y), "y must be an array of one dimension with at least one row") for y in (Y[:0], Y[:, None])),
        )
        if one is violations or len(given) == 2
    ),
    *(
        (lambda g=g: count_swapped(Y, Y, groups=g), "groups must have one entry for each")
        for g in (Y[:3], np.zeros(99))
    ),
]
CUTS = {"s": np.arange(6.0), "rank": np.repeat([0, 1, 2], 2), "n_ranks": 3}
MESSAGES += [  # cut points
    (lambda given=given: best_cut_points(**(CUTS | given)), message)
    for given, message in (
        ({"rank": [0, 0, 1, 1, 2, 10**9]}, "rank must hold integers from 0 to 2, got 1000000000"),
        ({"rank": [0, 0, 1, 1, 2, -1]}, "rank must hold integers from 0 to 2, got -1"),
        ({"rank": [0, 0, 1, 1, 2, 1.5]}, "rank must hold integers from 0 to 2, got 1.5"),
        ({"rank": [0, 0, 1, 1, 2, np.nan]}, "rank must hold integers from 0 to 2, got nan"),
        ({"rank": [0, 0, 1, 1]}, r"s and rank must be of the same length > 0, got shapes \(6,\) and \(4,\)"),
        ({"s": [], "rank": []}, "same length > 0"),
        ({"s": [0, 1, np.nan, 3, 4, 5]}, "s must be numbers, got nan"),
        ({"n_ranks": 2}, "rank must hold integers from 0 to 1, got 2"),
        ({"n_ranks": 0}, "n_ranks must be an integer >= 1, got 0"),
        ({"n_ranks": 3.0}, "n_ranks must be an integer >= 1, got 3.0"),
        ({"sample_weight": np.ones(5)}, r"sample_weight must hold .* number >= 0 for each row, got shape \(5,\)"),
        ({"sample_weight": -np.ones(6)}, "sample_weight must hold a finite number >= 0 for each row"),
    )
]
RBF, SQUARE = {"kernel": "rbf", "gamma": 0.3}, {"kernel": "precomputed"}
MESSAGES += [  # samplers of pairs
    *(
        (lambda one=one, given=given: one(*given, 0), message)
        for one in SAMPLERS.values()
        for given, message in (
            ((X, 0, Y, RBF), "n_pairs must be an integer >= 1, got 0"),
            ((X, 2.5, Y, RBF), "n_pairs must be an integer >= 1, got 2.5"),
            ((X, 3, 0 * Y, RBF), "n_pairs must be at most 0, the number of .*, got 3"),
            ((X, 3, np.nan * Y, RBF), "n_pairs must be at most 0, the number of .*, got 3"),
            ((X, 5000, Y, RBF), "n_pairs must be at most (1770|59), the number of .*, got 5000"),
            ((X, 3, Y[1:], RBF), r"order must hold one number per row of Z, shape \(60,\), got shape \(59,\)"),
            ((csr_matrix(X), 3, Y, RBF), "Z must be a dense array of numbers of two dimensions, got csr_matrix"),
            ((Y, 3, Y, RBF), r"Z must be a dense array of numbers of two dimensions, got ndarray of shape \(60,\)"),
            ((X, 3, Y, RBF | {"gamma": -1}), "gamma must be > 0, got -1"),
            ((X, 3, Y, {"kernel": "sigmoid"}), "kernel must be a callable or one of"),
            ((X, 3, Y, {"kernel": "laplacian"}), "kernel must be one of linear, rbf, poly, precomputed for samplers"),
            ((X, 3, Y, SQUARE), "Z must be a square matrix"),
        )
    ),
    *(
        (lambda one=one: one(np.where(X > 0, np.inf, X), 3, Y, RBF, 0), "Z must hold finite numbers")
        for one in (close_pair, p_close_pair, sample_mst)
    ),
    (lambda: sample_mst(X, 60, Y, RBF, 0), "at most 59, the number of edges of the tree, got 60"),
    (
        lambda: sample_mst(X, 59, np.where(Y < 9, np.nan, Y), RBF, 0),
        r"at most \d+, the number of edges of the tree of known, different",
    ),
    (lambda: p_close_pair(X, 3, Y, RBF, 0, p=0), "p and q must lie between 0 and 1, got p=0 and q=0.95"),
    (lambda: minimum_spanning_tree(1e308 * np.eye(5), SQUARE), "Z must hold finite numbers below"),
]


@pytest.mark.parametrize(("call", "message"), MESSAGES, ids=[message[:40] for _, message in MESSAGES])
def test_what_is_out_of_range_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


KERNELS = [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 1.0}, {"kernel": "poly", "gamma": 1.0, "degree": 3}]


@pytest.mark.parametrize("name", ["close_pair", "sample_mst"])
@pytest.mark.parametrize(("d", "kernel"), [*zip((1, 2, 40), KERNELS), (40, KERNELS[0])])
def test_samplers_refuse_points_whose_distances_overflow(name, d, kernel):
    """With infinite distances no point is the nearest one; up to there the sampler answers."""
    points = np.random.default_rng(0).standard_normal((4000 if d == 1 else 60, d))
    order = np.arange(float(len(points)))
    sampler = sampling.SAMPLERS[name]
    with pytest.raises(ValueError, match=r"Z must hold finite numbers below .*: scale Z"):
        sampler(1e200 * points, 5, order, kernel, np.random.default_rng(0))
    pairs = sampler(1e40 * points, 5, order, kernel, np.random.default_rng(0))
    assert pairs.shape == (5, 2) and np.all((pairs >= 0) & (pairs < len(points))) and np.all(pairs[:, 0] != pairs[:, 1])
