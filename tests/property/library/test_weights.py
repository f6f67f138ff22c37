"""A row with the weight 2 has the same effect as two equal rows, with every method."""

import importlib

import numpy as np
import pytest
from searches import every_fit
from sklearn.preprocessing import StandardScaler

from rankmargin import (
    SVOR,
    ComparisonSVM,
    CumulativeLink,
    FixedMarginSVM,
    KernelPRank,
    PairTransformer,
    PairwiseRankSVM,
    PRank,
    RankBoundarySVM,
    RankSVR,
    RankThreshold,
    SumOfMarginsSVM,
    SwappedPairsSVM,
    ThresholdedRanker,
)

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


EXACT = [
    SwappedPairsSVM(tol=1e-9),
    SwappedPairsSVM(kernel="linear", tol=1e-9),
    PairwiseRankSVM(n_partners="all", tol=1e-9),
    RankBoundarySVM(tol=1e-9),
    SVOR(tol=1e-9),
    SVOR(kernel="linear", constraints="explicit", tol=1e-9, class_weight="balanced"),
    FixedMarginSVM(tol=1e-9),
    SumOfMarginsSVM(tol=1e-9),
    CumulativeLink(),
    RankSVR(tol=1e-9),
    RankSVR(kernel="linear", tol=1e-9),
    ComparisonSVM(tol=1e-9),
    RankThreshold(tol=1e-9, random_state=0),
    RankThreshold(equality="oppose", tol=1e-9, random_state=0),
    ThresholdedRanker(SwappedPairsSVM(tol=1e-9)),
    every_fit(SwappedPairsSVM(tol=1e-9), [0.1, 1.0]),
]


def test_weights_of_orderings_in_ranksvr():
    X, y, _ = rows(0)
    given = np.array([[0, 1], [5, 2], [9, 4]])
    weighted = fitted("ranksvr", X, y, pairs=given, pair_weight=[2, 1, 3], C_rank=0.5)
    repeated = fitted("ranksvr", X, y, pairs=np.repeat(given, [2, 1, 3], axis=0), C_rank=0.5)
    assert weighted.solution.objective == pytest.approx(repeated.solution.objective, rel=1e-8)
    plain = fitted("ranksvr", X, y, pairs=given, C_rank=0.5)
    assert weighted.solution.objective > plain.solution.objective * 1.001


@pytest.mark.parametrize("learner", [PRank(epochs=3, random_state=0), KernelPRank(gamma=0.3, epochs=3, random_state=0)])
@pytest.mark.parametrize("seed", range(3))
def test_online_learners_see_an_example_as_often_as_it_weighs(learner, seed):
    X, y, weight = rows(seed)
    weight[3] = 0
    again = np.repeat(np.arange(24), weight)
    repeated = learner.fit(X[again], y[again]).score_samples(X)
    np.testing.assert_allclose(learner.fit(X, y, sample_weight=weight).score_samples(X), repeated, atol=1e-12)
    assert np.any(learner.fit(X, y).score_samples(X) != repeated)
    with pytest.raises(ValueError, match=r"sample_weight must be a whole number, how often .* shown, got 0\.5"):
        learner.fit(X, y, sample_weight=np.full(24, 0.5))


def test_items_of_a_weighted_pair_both_weigh():
    items, _, weight = pairs(0)
    weighted = PairTransformer(StandardScaler()).fit(items, sample_weight=weight).transform(items)
    repeated = PairTransformer(StandardScaler()).fit(np.repeat(items, weight, axis=0)).transform(items)
    np.testing.assert_allclose(weighted, repeated)
