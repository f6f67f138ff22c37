"""A weight of 2 is a row given twice, whatever the method."""

import importlib

import numpy as np
import pytest

from rankmargin.certificates import judge

RANKS = ["swapped_pairs", "pairwise", "svor", "fixed_margin", "rank_boundaries", "sum_of_margins"]
OPTIONS = {"pairwise": {"n_partners": "all"}, "sum_of_margins": {}, "rank_threshold": {"equality": "oppose"}}
KERNELS = [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 0.4}]
C = {"sum_of_margins": None}  # its default: the range depends on the weights


def rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((24, 3))
    y = np.digitize(X[:, 0] + 0.3 * rng.standard_normal(24), [-0.5, 0.5])
    return X, y, rng.integers(1, 4, 24)


def pairs(seed):
    X, _, weight = rows(seed)
    pairs = np.hstack([X, np.roll(X, -1, axis=0)])
    return pairs, np.arange(24) % 3 - 1, weight


def fitted(name, X, y, **options):
    method = importlib.import_module(f"rankmargin.methods.{name}")
    options = {**OPTIONS.get(name, {}), **options}
    return method.fit_path(X, y, [C.get(name, 0.3)], tol=1e-9, **options)[0]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*RANKS, "compare", "rank_threshold", "ranksvr"])
def test_a_weight_of_2_is_a_row_given_twice(name, seed, kernel):
    X, y, weight = pairs(seed) if name in ("compare", "rank_threshold") else rows(seed)
    weighted = fitted(name, X, y, sample_weight=weight, **kernel)
    repeated = fitted(name, np.repeat(X, weight, axis=0), np.repeat(y, weight), **kernel)
    plain = fitted(name, X, y, **kernel)
    assert weighted.solution.objective == pytest.approx(repeated.solution.objective, rel=1e-8)
    assert weighted.solution.objective != pytest.approx(plain.solution.objective, rel=1e-3)
    np.testing.assert_allclose(weighted.scores(X), repeated.scores(X), rtol=1e-4, atol=2e-4)
    assert judge(weighted).gap <= 1.1e-9
    if name in ("svor", "fixed_margin", "sum_of_margins"):
        np.testing.assert_allclose(weighted.boundaries, repeated.boundaries, atol=2e-4)
    if name == "rank_threshold":
        assert weighted.threshold == pytest.approx(repeated.threshold, abs=2e-4)


def test_weights_of_orderings_in_ranksvr():
    X, y, _ = rows(0)
    given = np.array([[0, 1], [5, 2], [9, 4]])
    weighted = fitted("ranksvr", X, y, pairs=given, pair_weight=[2, 1, 3], C_rank=0.5)
    repeated = fitted("ranksvr", X, y, pairs=np.repeat(given, [2, 1, 3], axis=0), C_rank=0.5)
    assert weighted.solution.objective == pytest.approx(repeated.solution.objective, rel=1e-8)
    plain = fitted("ranksvr", X, y, pairs=given, C_rank=0.5)
    assert weighted.solution.objective > plain.solution.objective * 1.001
