"""Probabilities of grades and of comparisons: consistent with the scores, and calibrated."""

import numpy as np
import pytest
from made_problems import noisy
from scipy.special import expit
from sklearn.base import clone
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold

from rankmargin import (
    SVOR,
    ComparisonSVM,
    CumulativeLink,
    FixedMarginSVM,
    KernelPRank,
    PRank,
    RankBoundarySVM,
    RankSearchCV,
    RankThreshold,
    SumOfMarginsSVM,
    SwappedPairsSVM,
    ThresholdedRanker,
    stack_pairs,
)
from rankmargin.estimators.probabilities import PENALTY, cross_fitted, fit_link, link_probabilities
from rankmargin.kernels import Kernel

pytestmark = pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
NAMES = ["low", "middle", "high"]
NAME_OF = np.array([sorted(NAMES).index(name) for name in NAMES])  # the column of each
ORDINAL = [
    SVOR(probability=True),
    SVOR(kernel="linear", probability=True),
    FixedMarginSVM(probability=True),
    SumOfMarginsSVM(probability=True),
    RankBoundarySVM(probability=True),
    PRank(epochs=5, random_state=0, probability=True),
    KernelPRank(epochs=2, random_state=0, probability=True),
    ThresholdedRanker(Ridge(), probability=True),
]


def made(n, seed):
    """Three grades by a proportional odds model, and their true probabilities."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    edges = np.array([-1.0, 1.5])
    truth = link_probabilities(2.0 * X[:, 0] - X[:, 1], 1.0, edges)
    y = (rng.random(n)[:, None] > np.cumsum(truth, axis=1)[:, :-1]).sum(axis=1)
    return X, y, truth


@pytest.mark.parametrize("estimator", ORDINAL, ids=lambda e: f"{type(e).__name__}-{getattr(e, 'kernel', '')}")
def test_probabilities_agree_with_the_scores(estimator):
    X, y, _ = made(200, 0)
    fitted = estimator.set_params(categories=NAMES).fit(X, np.array(NAMES)[y])
    new, labels, truth = made(500, 1)
    found, scores = fitted.predict_proba(new), fitted.score_samples(new)
    assert fitted.grades_.tolist() == NAMES and fitted.classes_.tolist() == sorted(NAMES)
    assert log_loss(np.array(NAMES)[labels], found) == pytest.approx(-np.log(found[range(500), NAME_OF[labels]]).mean())
    found = found[:, NAME_OF]
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    assert np.all(found >= 0)
    expected = found @ [0, 1, 2]
    order = np.argsort(scores)
    assert np.all(np.diff(expected[order]) >= -1e-12)
    assert np.all(np.diff(np.cumsum(found, axis=1)[order, :2], axis=0) <= 1e-12)
    base = log_loss(labels, np.tile(np.bincount(y, minlength=3) / len(y), (500, 1)))
    best = log_loss(labels, truth)
    limit = 0.9 if isinstance(estimator, PRank | KernelPRank) else 0.6
    assert log_loss(labels, found) < best + limit * (base - best)


def test_scores_are_of_rows_not_seen():
    """A model learns noise by heart: scores of its own rows would predict everything, scores of unseen rows nothing."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((80, 20)), rng.integers(0, 3, 80)
    by_heart = SVOR(C=100.0, gamma=0.05, probability=True).fit(X, y)
    assert np.mean(by_heart.predict(X) == y) == 1.0
    found = by_heart.predict_proba(rng.standard_normal((200, 20)))
    np.testing.assert_allclose(found.mean(axis=0), np.bincount(y) / 80, atol=0.1)
    assert found.max() < 0.75
    scores = cross_fitted(SVOR(kernel="linear"), X, y, {}, "score_samples")
    part = np.empty(80, dtype=int)
    part[np.argsort(y, kind="stable")] = np.arange(80) % 5
    own = SVOR(kernel="linear").fit(X[part != 2], y[part != 2])
    np.testing.assert_allclose(scores[part == 2], own.score_samples(X[part == 2]))


@pytest.mark.parametrize(
    "estimator",
    [
        SVOR(C=10_000.0, gamma=0.005, probability=True),
        ThresholdedRanker(SVOR(C=10_000.0, gamma=0.005), probability=True),
    ],
    ids=["own", "around"],
)
def test_fits_that_count_from_different_zeros(estimator):
    """With a large C and a small gamma, the scores and thresholds of the parts lie far from each other."""
    X, u = noisy(500, 3, 0.4, lambda X: X[:, 0] - 0.7 * X[:, 1] + 0.5 * X[:, 2] ** 2, seed=7)
    y = np.digitize(u, [-0.5, 0.5, 1.5])
    own = X[:200]
    found = estimator.fit(own, y[:200]).predict_proba(X[200:])
    assert np.mean(found.argmax(axis=1) == y[200:]) > estimator.score(X[200:], y[200:]) - 0.05
    assert log_loss(y[200:], found) < 0.8
    weight = np.arange(200) % 3 + 0.0
    again = np.repeat(np.arange(200), weight.astype(int))
    weighted = clone(estimator).fit(own, y[:200], sample_weight=weight).predict_proba(X[200:])
    repeated = clone(estimator).fit(own[again], y[:200][again]).predict_proba(X[200:])
    assert np.abs(weighted - repeated).max() < 0.1


@pytest.mark.parametrize("estimator", [SVOR(kernel="linear", C=1e3), ThresholdedRanker(DummyRegressor())], ids=str)
def test_a_constant_function_has_the_probabilities_of_the_shares(estimator):
    """The mean of equal scores rounds; a link that is fitted on the rest had slopes of 1e27 and any probabilities."""
    y = np.repeat([1, 2, 3], [25, 20, 15])
    for seed in range(10):
        weight = np.random.default_rng(seed).random(60)
        fitted = clone(estimator).set_params(probability=True).fit(np.full((60, 2), 0.3), y, sample_weight=weight)
        shares = np.bincount(y, weight)[1:] / weight.sum()
        np.testing.assert_allclose(fitted.predict_proba([[0.3, 0.3]])[0], shares, rtol=1e-9)


def test_each_fit_for_probabilities_has_the_groups_and_weights_of_its_rows():
    seen = []

    class Seen(Ridge):
        def fit(self, X, y, groups=None, sample_weight=None):
            seen.append((X[:, 0], groups, sample_weight))
            return super().fit(X, y, sample_weight)

    X, y, _ = made(60, 4)
    groups, weight = np.round(X[:, 0], 1), 1.0 + np.abs(X[:, 0])
    ThresholdedRanker(Seen(), probability=True).fit(X, y, sample_weight=weight, groups=groups)
    assert len(seen) == 6
    for first, of_groups, of_weight in seen:
        np.testing.assert_array_equal(of_groups, np.round(first, 1))
        np.testing.assert_array_equal(of_weight, 1.0 + np.abs(first))


def test_a_link_with_weights_and_one_that_says_nothing():
    X, y, _ = made(60, 4)
    slope, edges = fit_link(X[:, 0], y)
    unit = X[:, 0].std()
    likely = CumulativeLink(penalty=PENALTY).fit(X[:, :1] / unit, y)
    np.testing.assert_allclose(np.append(slope, edges), np.append(likely.coef_ / unit, likely.theta_), rtol=1e-4)
    weight = np.arange(60) % 3 + 0.0
    twice = fit_link(X[:, 0], y, weight)
    again = np.repeat(np.arange(60), weight.astype(int))
    np.testing.assert_allclose(np.append(*twice), np.append(*fit_link(X[again, 0], y[again])), rtol=1e-6)
    slope, edges = fit_link(-np.sort(y) + 0.0, np.sort(y))
    assert slope == 0.0
    np.testing.assert_allclose(expit(edges), np.cumsum(np.bincount(y) / 60)[:-1])


def test_few_distinct_rows_are_dealt_out_one_by_one():
    """Rows of three kinds: a part of one kind would leave models that never saw it."""
    kinds, y = np.repeat(np.eye(3), 20, axis=0), np.tile([0, 1], 30)
    y[:20], y[40:] = 0, 1
    found = SVOR(kernel="linear", probability=True).fit(kinds, y).predict_proba(np.eye(3))
    assert found[0, 0] > 0.8 and found[2, 0] < 0.2


@pytest.mark.parametrize("estimator", [ComparisonSVM(), RankThreshold(random_state=0)])
def test_win_tie_loss(estimator):
    rng = np.random.default_rng(0)
    first, second = rng.standard_normal((2, 300, 2))
    truth = link_probabilities(2 * (first - second)[:, 0], 1.0, np.array([-0.8, 0.8]))
    y = (rng.random(300)[:, None] > np.cumsum(truth, axis=1)[:, :-1]).sum(axis=1) - 1
    fitted = estimator.set_params(kernel="linear", C=10.0, probability=True).fit(stack_pairs(first, second), y)
    found = fitted.predict_proba(stack_pairs(first, second))
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_allclose(fitted.predict_proba(stack_pairs(second, first)), found[:, ::-1], atol=1e-12)
    np.testing.assert_allclose(found, truth, atol=0.2)
    assert fitted.tie_ > 0
    np.testing.assert_array_equal(
        np.argsort(found @ [-1, 0, 1]), np.argsort(fitted.score_samples(stack_pairs(first, second)))
    )
    if isinstance(estimator, RankThreshold):
        decided = y != 0
        two = estimator.fit(stack_pairs(first, second)[decided], y[decided])
        assert np.all(two.predict_proba(stack_pairs(first, second))[:, 1] < 1e-12)


def of_noise(n, seed):
    rng = np.random.default_rng(seed)
    first, second = rng.standard_normal((2, n, 3))
    return first, second, rng.integers(-1, 2, n)


@pytest.mark.parametrize("estimator", [ComparisonSVM(C=10.0, tol=1e-7), RankThreshold(random_state=0, tol=1e-7)])
@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_comparisons_in_both_orders_are_comparisons_that_weigh_twice(estimator, kernel):
    """The parts keep both orders together: otherwise a model has seen the answer, and is sure of noise."""
    first, second, y = of_noise(100, 3)
    turned, mixed = np.arange(100) % 2 == 0, np.random.default_rng(1).permutation(200)
    once = stack_pairs(np.where(turned[:, None], second, first), np.where(turned[:, None], first, second))
    both = np.vstack([once, np.roll(once, 3, axis=1)])[mixed]
    labels = np.where(turned, -y, y)
    asked = once
    if kernel == "precomputed":
        similar = Kernel("rbf", 0.3)
        asked, once, both = (similar.pair_gram(a, b) for a, b in [(once, both), (once, once), (both, both)])
    given = {"kernel": kernel, "probability": True} | ({"gamma": 0.3} if kernel == "rbf" else {})
    weighted = clone(estimator).set_params(**given).fit(once, labels, sample_weight=np.full(100, 2.0))
    repeated = clone(estimator).set_params(**given).fit(both, np.append(labels, -labels)[mixed])
    sure = repeated.predict_proba(asked).max(axis=1)
    assert sure.mean() < 0.45
    assert repeated.tie_ == pytest.approx(weighted.tie_, abs=0.2)


@pytest.mark.parametrize("C", [0.01, 100.0])
def test_rare_ties_leave_probabilities_that_are_better_than_the_shares(C):
    """The best separator calls every pair different then: its differences are as small as the solver leaves them."""
    rng = np.random.default_rng(0)
    first, second = rng.standard_normal((2, 300, 2))
    lead = (first - second) @ [2.0, -1.0] + rng.logistic(size=300)
    X, y = stack_pairs(first, second), np.sign(lead) * (abs(lead) > 0.3)
    train, test = slice(150), slice(150, 300)
    model = ComparisonSVM(C=C, kernel="linear", probability=True, random_state=0).fit(X[train], y[train])
    assert not model.model_.scaled and 0 < np.mean(y[train] == 0) < 0.15
    shares = np.tile(np.bincount(y[train].astype(int) + 1) / 150, (150, 1))
    losses = [log_loss(y[test], said, labels=[-1, 0, 1]) for said in (model.predict_proba(X[test]), shares)]
    assert losses[0] < losses[1] - 0.2


def of_judges(n_judges, n_each, seed=0):
    """Comparisons of judges who agree in a part of what they like."""
    rng = np.random.default_rng(seed)
    judge = rng.permutation(np.repeat(np.arange(n_judges), n_each))
    taste = np.array([1.0, 0.0, 0.0]) + 1.5 * rng.standard_normal((n_judges, 3))
    first, second = rng.standard_normal((2, n_judges * n_each, 3))
    lead = ((first - second) * taste[judge]).sum(axis=1)
    return stack_pairs(first, second), np.sign(lead) * (abs(lead) > 0.3), judge


@pytest.mark.parametrize("estimator", [ComparisonSVM(kernel="linear"), RankThreshold(kernel="linear", random_state=0)])
def test_probabilities_of_judges_are_for_others(estimator):
    X, y, judge = of_judges(5, 40)
    names = np.array(list("dbeca"))[judge]
    model = clone(estimator).set_params(probability=True, tol=1e-8).fit(X, y, groups=names)
    alone = clone(estimator).set_params(tol=1e-8).fit(X, y)
    differences = np.empty(len(y))
    for held in range(5):
        out = judge == held
        part = clone(estimator).set_params(tol=1e-8).fit(X[~out], y[~out])
        size = np.sqrt(np.mean(part.score_samples(X[~out]) ** 2))
        differences[out] = part.score_samples(X[out]) / size
    slope, edges = fit_link(np.concatenate([differences, -differences]), np.concatenate([y, -y]))
    assert model.slope_ == pytest.approx(slope / np.sqrt(np.mean(alone.score_samples(X) ** 2)), rel=1e-4)
    assert model.tie_ == pytest.approx((edges[-1] - edges[0]) / 2, rel=1e-4)
    np.testing.assert_allclose(model.score_samples(X), alone.score_samples(X))
    mixed = clone(model).fit(X, y)
    assert model.slope_ < 0.8 * mixed.slope_, "who was heard before is predicted with more certainty"
    one = clone(model).fit(X, y, groups=np.zeros(len(y)))
    assert (one.slope_, one.tie_) == (mixed.slope_, mixed.tie_), "one group cannot be left out"
    twice = np.tile(np.arange(len(y)), 2)
    heard = (judge[twice] == 0).astype(float)
    few = [clone(model).fit(X[twice], y[twice], heard, groups=of) for of in (judge[twice], None)]
    assert few[0].slope_ == few[1].slope_, "judges who weigh nothing are no groups"


def test_a_search_hands_judges_to_the_folds_and_to_the_probabilities():
    X, y, judge = of_judges(6, 25, seed=1)
    own, options = ComparisonSVM(kernel="linear", probability=True), {"scale": False, "Cs": (0.1, 1.0)}
    search = RankSearchCV(own, cv=3, **options).fit(X, y, groups=judge)
    best = clone(own).set_params(**search.best_params_).fit(X, y, groups=judge)
    assert search.best_estimator_.slope_ == pytest.approx(best.slope_, rel=1e-3)
    blind = RankSearchCV(own, cv=GroupKFold(3).split(X, y, judge), **options).fit(X, y)
    assert blind.best_params_ == search.best_params_ and blind.best_score_ == pytest.approx(search.best_score_)
    assert blind.best_estimator_.slope_ != pytest.approx(search.best_estimator_.slope_, rel=1e-2)


@pytest.mark.parametrize("prediction", ["thresholds", "most_probable"])
@pytest.mark.parametrize("ranker", [Ridge(), SwappedPairsSVM(kernel="linear")])
@pytest.mark.parametrize("values", [[0, 100, 200], [0.0, 0.01, 0.02], [0, 1, 10]])
def test_probabilities_of_a_ranker_are_in_the_unit_of_its_scores(values, ranker, prediction):
    """Scores of a regression have the unit of y, so the fits for the link must see the same y."""
    X, u = noisy(200, 2, 0.5)
    rank = np.digitize(u, [-0.7, 0.7])
    of_values = clone(ThresholdedRanker(ranker, probability=True, prediction=prediction)).fit(X, np.take(values, rank))
    named = ThresholdedRanker(
        ranker, probability=True, prediction=prediction, categories=["no", *"abcdefgh", "so", "yes"]
    )
    places = np.take([0, 1, 10] if values[2] == 10 else [0, 9, 10], rank)
    of_names = clone(named).fit(X, np.take(named.categories, places))
    for fitted in (of_values, of_names):
        of_grade = fitted.predict_proba(X)[np.arange(200), np.searchsorted(fitted.classes_, fitted.grades_[rank])]
        assert -np.log(of_grade).mean() < 0.62 and np.mean(fitted.predict(X) == fitted.grades_[rank]) > 0.7
    if values != [0, 1, 10]:  # then the steps between grades are equal, as those of ranks
        plain = clone(of_values).fit(X, rank)
        np.testing.assert_allclose(of_values.predict_proba(X), plain.predict_proba(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("estimator", ORDINAL[:5])
@pytest.mark.parametrize("without", [0, 1])
def test_a_grade_that_weighs_nothing_has_no_probability(estimator, without):
    X, u = noisy(120, 2, 0.5)
    y = np.digitize(u, [-0.7, 0.7])
    kept, weight = y != without, np.where(y == without, 0.0, 1.0)
    estimator = clone(estimator).set_params(categories=None)
    expected = clone(estimator).fit(X[kept], y[kept]).predict_proba(X)
    by_class = (
        clone(estimator).set_params(class_weight={grade: float(grade != without) for grade in range(3)}).fit(X, y)
    )
    for found in (by_class, clone(estimator).fit(X, y, sample_weight=weight)):
        np.testing.assert_array_equal(found.classes_, [grade for grade in range(3) if grade != without])
        np.testing.assert_allclose(found.predict_proba(X), expected, atol=1e-9)
