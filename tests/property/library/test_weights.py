"""A row with the weight 2 has the same effect as two equal rows, with every method."""

import importlib
import inspect

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.preprocessing import StandardScaler

import rankmargin
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
    RankPathCV,
    RankSVR,
    RankThreshold,
    SumOfMarginsSVM,
    SwappedPairsSVM,
    ThresholdedRanker,
)
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
    RankPathCV(SwappedPairsSVM(tol=1e-9), [0.1, 1.0]),
]
ELSEWHERE = {"PRank", "KernelPRank", "PairTransformer"}  # tests of their own, below


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
@pytest.mark.parametrize("estimator", EXACT, ids=lambda e: f"{type(e).__name__}-{getattr(e, 'kernel', '')}")
def test_an_estimator_with_weights_is_that_of_repeated_rows(estimator):
    """This includes what depends on the rows besides the loss: ``C_scale``, ``gamma="scale"``, cut points, folds.
    Weight 0 means that the row is left out."""
    X, y, weight = pairs(1) if isinstance(estimator, ComparisonSVM | RankThreshold) else rows(1)
    weight[[2, 7, 11]] = 0
    again = np.repeat(np.arange(24), weight)
    weighted, repeated = clone(estimator), clone(estimator)
    if isinstance(estimator, RankPathCV):
        even = np.arange(24) % 2 == 0
        weighted.set_params(cv=[(np.flatnonzero(even), np.flatnonzero(~even))])
        repeated.set_params(cv=[(np.flatnonzero(even[again]), np.flatnonzero(~even[again]))])
    weighted.fit(X, y, sample_weight=weight)
    repeated.fit(X[again], y[again])
    told, expected = (
        getattr(one, "score_samples", one.predict)(X) if not hasattr(one, "rank") else one.rank(X[:, :3])
        for one in (weighted, repeated)
    )
    np.testing.assert_allclose(told - told[0], expected - expected[0], atol=3e-4)
    if hasattr(weighted, "objective_"):
        assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-7)
    if hasattr(weighted, "thresholds_"):
        np.testing.assert_allclose(weighted.thresholds_, repeated.thresholds_, atol=3e-4)
    if isinstance(estimator, RankPathCV):
        np.testing.assert_allclose(weighted.scores_, repeated.scores_)
    other = np.roll(y, 5)  # targets that a good fit does not meet
    found = weighted.score(X, other, sample_weight=weight)
    assert found == pytest.approx(weighted.score(X[again], other[again]), abs=1e-12)
    assert found != pytest.approx(weighted.score(X, other))


def test_no_estimator_is_forgotten():
    exported = {name for name in rankmargin.__all__ if inspect.isclass(getattr(rankmargin, name))}
    estimators = {name for name in exported if issubclass(getattr(rankmargin, name), BaseEstimator)}
    assert {type(one).__name__ for one in EXACT} | ELSEWHERE == estimators


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


@pytest.mark.parametrize("learner", [PRank(), KernelPRank(gamma=0.3)])
def test_a_weighted_example_comes_several_times_in_a_row(learner):
    X, y, weight = rows(0)
    again = np.repeat(np.arange(24), weight)
    first = learner.partial_fit(X[again], y[again], classes=[0, 1, 2]).score_samples(X)
    del learner.model_
    second = learner.partial_fit(X, y, classes=[0, 1, 2], sample_weight=weight).score_samples(X)
    np.testing.assert_allclose(second, first, atol=1e-12)


def test_every_estimator_takes_weights():
    """In ``fit``, and in ``score``, by name or through a meta-estimator."""
    for name in rankmargin.__all__:
        thing = getattr(rankmargin, name)
        if inspect.isclass(thing) and issubclass(thing, BaseEstimator):
            assert "sample_weight" in inspect.signature(thing.fit).parameters, name
            if hasattr(thing, "score"):
                taken = inspect.signature(thing.score).parameters
                assert "sample_weight" in taken or "score_params" in taken, name


def test_items_of_a_weighted_pair_both_weigh():
    items, _, weight = pairs(0)
    weighted = PairTransformer(StandardScaler()).fit(items, sample_weight=weight).transform(items)
    repeated = PairTransformer(StandardScaler()).fit(np.repeat(items, weight, axis=0)).transform(items)
    np.testing.assert_allclose(weighted, repeated)


def test_class_weights_by_name_with_probabilities():
    """The link is that of a fit whose rows weigh as much as their grades."""
    X, y, _ = rows(0)
    names = np.array(["bad", "fair", "good"])
    given = {"kernel": "linear", "tol": 1e-8, "probability": True}
    named = SVOR(categories=names.tolist(), class_weight={"good": 3.0}, **given).fit(X, names[y])
    numbers = SVOR(class_weight={2: 3.0}, **given).fit(X, y)
    np.testing.assert_array_equal(named.predict_proba(X), numbers.predict_proba(X))
    assert np.any(named.predict_proba(X) != SVOR(**given).fit(X, y).predict_proba(X))
