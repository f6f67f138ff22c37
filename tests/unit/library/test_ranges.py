"""Compiled code does not check its indices, so every public function that reaches it checks its ranges before."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rankmargin.estimators import pair_sampling as sampling
from rankmargin.estimators.pair_sampling import SAMPLERS, close_pair, minimum_spanning_tree, p_close_pair, sample_mst
from rankmargin.oracles.swapped_pairs import count_swapped, violations

X, Y = np.random.default_rng(0).standard_normal((60, 3)), np.arange(60.0)
MESSAGES = [  # oracles
    (lambda one=one, s=s: one(Y, s), "s must have one score for each of 60 rows, got shape")
    for one in (violations, count_swapped)
    for s in (Y[:3], Y[:, None])
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
    (lambda: minimum_spanning_tree(1e308 * np.eye(5), SQUARE), "Z must have finite squared distances"),
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
    with pytest.raises(ValueError, match=r"Z must have finite squared distances, got values up to .*: scale Z"):
        sampler(1e200 * points, 5, order, kernel, np.random.default_rng(0))
    pairs = sampler(1e40 * points, 5, order, kernel, np.random.default_rng(0))
    assert pairs.shape == (5, 2) and np.all((pairs >= 0) & (pairs < len(points))) and np.all(pairs[:, 0] != pairs[:, 1])
