"""A path over C is the fits one by one; its cross-validation is a grid search that keeps groups whole."""

import warnings

import matplotlib
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold

from rankmargin import SVOR, PairwiseRankSVM, RankPathCV, RankSVR, SumOfMarginsSVM, SwappedPairsSVM, rank_path
from rankmargin.estimators.path import folds_of
from rankmargin.inspection import LearningCurveDisplay
from rankmargin.metrics import get_scorer

matplotlib.use("Agg")
from matplotlib import pyplot

CS = [0.01, 0.3, 10.0]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    return X, (2 * (X[:, 0] + 0.5 * rng.standard_normal(60))).round(), np.repeat(np.arange(12), 5)


@pytest.mark.parametrize(
    "estimator",
    [
        SwappedPairsSVM(tol=1e-8),
        SwappedPairsSVM(kernel="linear", tol=1e-8),
        PairwiseRankSVM(random_state=0, tol=1e-8),
        SVOR(tol=1e-8, probability=True),
    ],
)
@pytest.mark.parametrize("Cs", [CS, CS[::-1]])
def test_a_path_is_the_fits_one_by_one(estimator, Cs, data):
    X, y, groups = data
    weight = np.arange(60) % 3
    given = {"sample_weight": weight} if isinstance(estimator, SVOR) else {"sample_weight": weight, "groups": groups}
    for C, one in zip(Cs, rank_path(estimator, X, y, Cs, **given), strict=True):
        alone = type(estimator)(**{**estimator.get_params(), "C": C}).fit(X, y, **given)
        assert one.get_params() == alone.get_params()
        assert one.objective_ == pytest.approx(alone.objective_, rel=1e-7)
        np.testing.assert_allclose(one.score_samples(X), alone.score_samples(X), atol=2e-3)
        assert sorted(vars(one)) == sorted(vars(alone))


def test_the_best_C_is_that_of_a_grid_search(data):
    X, y, _ = data
    search = GridSearchCV(SwappedPairsSVM(tol=1e-6), {"C": CS}, cv=KFold(4), scoring=get_scorer("concordance"))
    ours = RankPathCV(SwappedPairsSVM(tol=1e-6), CS, cv=KFold(4)).fit(X, y)
    search.fit(X, y)
    np.testing.assert_allclose(ours.scores_.mean(axis=1), search.cv_results_["mean_test_score"], atol=1e-3)
    assert search.best_params_["C"] == ours.C_
    np.testing.assert_allclose(ours.predict(X), search.predict(X), atol=1e-3)
    assert ours.score(X, y) == pytest.approx(search.best_estimator_.score(X, y))
    K = X @ X.T
    linear = RankPathCV(SwappedPairsSVM(kernel="linear", tol=1e-6), CS, cv=4).fit(X, y)
    given = RankPathCV(SwappedPairsSVM(kernel="precomputed", tol=1e-6), CS, cv=4).fit(K, y)
    np.testing.assert_allclose(linear.scores_, given.scores_, atol=2e-3)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("Cs", [(1.0, 10.0), (10.0, 1.0)])
def test_the_smallest_of_equal_C_is_chosen_although_their_means_are_rounded(Cs, sign, data):
    """The folds judge both values of C by the same three scores in another order, so that the means are equal."""
    X, y, _ = data
    scores = {1.0: [0.1, 0.2, 0.3], 10.0: [0.3, 0.2, 0.1]}
    assert np.mean(scores[1.0]) != np.mean(scores[10.0])
    left = {C: iter(values) for C, values in scores.items()}

    def scoring(fitted, X, y):
        return sign * next(left[fitted.C])

    search = RankPathCV(SwappedPairsSVM(kernel="linear"), Cs, cv=3, scoring=scoring).fit(X, y)
    assert search.C_ == 1.0 and search.best_score_ == pytest.approx(sign * 0.2)


def test_folds_keep_groups_whole_and_those_without_a_pair_are_left_out(data):
    X, _, groups = data
    y = X[:, 0] + 20.0 * groups
    found = RankPathCV(SwappedPairsSVM(kernel="linear"), CS).fit(X, y, groups=groups)
    expected = []
    for train, test in GroupKFold(5).split(X, y, groups):
        alone = SwappedPairsSVM(kernel="linear", C=found.C_).fit(X[train], y[train], groups=groups[train])
        expected.append(alone.score(X[test], y[test], groups=groups[test]))
    np.testing.assert_allclose(found.scores_[CS.index(found.C_)], expected, atol=0.02)
    flat = np.where(groups < 3, 7.0, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = RankPathCV(SwappedPairsSVM(kernel="linear"), CS, cv=GroupKFold(12)).fit(X, flat, groups=groups)
    assert np.isnan(found.scores_).all(axis=0).sum() == 3
    assert found.best_score_ > 0.9


@pytest.mark.parametrize("cv", [None, 3, np.int64(4)])
@pytest.mark.parametrize("shape", [np.repeat, lambda of, n: np.tile(of, n)])
def test_a_number_of_folds_keeps_groups_whole(cv, shape, data):
    X, y, _ = data
    groups = shape(np.array(list("qwertyuiopas")), 5)
    n_folds = 5 if cv is None else int(cv)
    for estimator in (SwappedPairsSVM(), SVOR()):
        folds = list(folds_of(estimator, cv, np.sign(y), groups).split(X, np.sign(y), groups))
        assert len(folds) == n_folds
        for train, test in folds:
            assert not set(groups[train]) & set(groups[test])
    given = {"groups": groups, "scoring": get_scorer("concordance", undefined=0.5)}
    whole = RankPathCV(SwappedPairsSVM(kernel="linear"), CS, GroupKFold(n_folds)).fit(X, y, groups=groups)
    found = RankPathCV(SwappedPairsSVM(kernel="linear"), CS, cv).fit(X, y, groups=groups)
    np.testing.assert_array_equal(found.scores_, whole.scores_)
    shown = [
        LearningCurveDisplay.from_estimator(SwappedPairsSVM(kernel="linear"), X, y, cv=of, **given).test_scores
        for of in (cv, GroupKFold(n_folds))
    ]
    np.testing.assert_array_equal(*shown)
    pyplot.close("all")


def test_grades_and_bad_input(data):
    X, y, _ = data
    ordinal = RankPathCV(SVOR(probability=True), CS, cv=3, scoring=get_scorer("quadratic_kappa")).fit(X, np.sign(y))
    assert ordinal.predict_proba(X).shape == (60, 3)
    assert ordinal.classes_.tolist() == [-1, 0, 1]
    assert not hasattr(RankPathCV(SwappedPairsSVM()), "predict_proba")
    for estimator in (SumOfMarginsSVM(), KFold(2)):
        with pytest.raises(ValueError, match="estimator must"):
            rank_path(estimator, X, y)
    with pytest.raises(ValueError, match="Cs must be numbers > 0, got"):
        rank_path(SVOR(), X, y, [1.0, -1.0])
    with pytest.raises(ValueError, match="estimator must be one of this package with a path over C, got RankSVR"):
        rank_path(RankSVR(), X, y)
