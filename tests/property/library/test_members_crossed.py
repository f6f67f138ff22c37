"""Where averages of ranks and thresholds meet other options: repeated rows, groups, routing and extreme scales."""

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline

from rankmargin import (
    SVOR,
    CumulativeLink,
    KernelPRank,
    PRank,
    RankAverage,
    RankBoundarySVM,
    RankSearchCV,
    SwappedPairsSVM,
    ThresholdedRanker,
)
from rankmargin.estimators.fit_arguments import takes
from rankmargin.search.rank_average import _reference

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3))
Y = X[:, 0] + 0.3 * RNG.standard_normal(60)
GRADES, GROUPS, WEIGHT = np.digitize(Y, [-0.5, 0.5]), np.repeat(np.arange(12), 5), RNG.uniform(0.0, 2.0, 60)
BOTH = [("a", SwappedPairsSVM()), ("r", Ridge())]


@pytest.mark.parametrize("seed", range(5))
def test_equal_rows_have_one_rank_although_their_predictions_differ_by_rounding(seed):
    rng = np.random.default_rng(seed)
    distinct, place = rng.standard_normal((3, 19)), rng.integers(0, 3, 41)
    average = RankAverage([("r", Ridge())]).fit(distinct[place], place + 0.5 * rng.standard_normal(41))
    ranks = average.predict(distinct[place])
    below = [np.mean(ranks < rank) + 0.5 * np.mean(ranks == rank) for rank in np.unique(ranks)]
    assert len(below) == 3
    np.testing.assert_allclose(np.unique(ranks), below, atol=1e-9)
    np.testing.assert_allclose(average.predict(distinct)[place], ranks, atol=1e-9)


@pytest.mark.parametrize(
    "member", [SVOR(), CumulativeLink(), PRank(random_state=0), KernelPRank(random_state=0), RankBoundarySVM()]
)
def test_members_of_grades_get_no_groups(member):
    average = RankAverage([("grades", member), ("pairs", SwappedPairsSVM())]).fit(X, GRADES, groups=GROUPS)
    alone = [member.fit(X, GRADES), SwappedPairsSVM().fit(X, GRADES, groups=GROUPS)]
    for inside, one in zip(average.estimators_, alone):
        np.testing.assert_array_equal(inside.score_samples(X), one.score_samples(X))


def test_scores_that_differ_by_rounding_are_one_and_others_are_not():
    values, ranks = _reference(np.array([1.0, 1.0 + 2e-16, 2.0, -3e-16, 3e-16]), np.ones(5))
    np.testing.assert_allclose(values, [0.0, 1.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(ranks, [0.2, 0.6, 0.9])


def test_a_row_far_away_leaves_the_others_their_ranks():
    rows = np.append(np.arange(50.0), 1e15)[:, None]
    average = RankAverage([("r", Ridge())]).fit(rows, rows[:, 0])
    assert len(np.unique(average.predict(rows))) == 51 and average.score(rows, rows[:, 0]) == 1.0


class Endless(Ridge):
    """Predicts inf for some rows."""

    def predict(self, X):
        return np.where(X[:, 0] > 1.0, np.inf, X[:, 0])


def test_a_member_without_finite_scores_is_named():
    with pytest.raises(ValueError, match=r"estimators must give finite scores, got inf of Endless\(\)"):
        RankAverage([("e", Endless())]).fit(X, Y)


class HandsOn(SwappedPairsSVM):
    """A user's class, whose ``fit`` hands on what it gets."""

    def fit(self, X, y, **given):
        return super().fit(X, y, **given)


def test_a_class_derived_from_a_ranker_gets_groups():
    y = Y + 5.0 * GROUPS
    of_both = [RankAverage([("m", one)]).fit(X, y, groups=GROUPS).predict(X) for one in (HandsOn(), SwappedPairsSVM())]
    np.testing.assert_array_equal(*of_both)


@pytest.mark.parametrize("ranker", [KNeighborsRegressor(), Ridge(), SwappedPairsSVM()])
def test_thresholds_need_no_request_for_what_is_not_given(ranker):
    plain = ThresholdedRanker(ranker).fit(X, GRADES)
    with config_context(enable_metadata_routing=True):
        if "sample_weight" in inspect.signature(ranker.fit).parameters:
            ranker = clone(ranker).set_fit_request(sample_weight=False)
        routed = ThresholdedRanker(ranker).set_fit_request(sample_weight=False).fit(X, GRADES)
    np.testing.assert_array_equal(routed.score_samples(X), plain.score_samples(X))


def test_what_a_ranker_requests_decides_what_its_thresholds_take():
    for request, taken in ((True, True), (None, True), (False, False)):
        with config_context(enable_metadata_routing=True):
            thresholds = ThresholdedRanker(SwappedPairsSVM().set_fit_request(groups=request))
            assert takes(thresholds, "groups") == taken
    with config_context(enable_metadata_routing=True):
        assert takes(GridSearchCV(Ridge(), {}, cv=GroupKFold(2)), "groups")
        average = RankAverage([("t", thresholds)]).fit(X, GRADES, groups=GROUPS)  # the last one requests none
        np.testing.assert_array_equal(
            average.estimators_[0].score_samples(X), SwappedPairsSVM().fit(X, GRADES).score_samples(X)
        )


@pytest.mark.parametrize("wrap", [lambda ranker: ranker, make_pipeline], ids=["alone", "pipeline"])
def test_thresholds_hand_on_what_their_ranker_requests(wrap):
    def ordered(ranker, **given):
        fitted = ThresholdedRanker(wrap(ranker)).set_fit_request(sample_weight=True).fit(X, GRADES, **given)
        return fitted.score_samples(X)

    with config_context(enable_metadata_routing=True):
        deaf, named = SwappedPairsSVM().set_fit_request(sample_weight=False), SwappedPairsSVM()
        named = named.set_fit_request(sample_weight="importance", groups="query")
        plain = SwappedPairsSVM().fit(X, GRADES).score_samples(X)
        told = SwappedPairsSVM().fit(X, GRADES, groups=GROUPS, sample_weight=WEIGHT).score_samples(X)
        np.testing.assert_array_equal(ordered(deaf, sample_weight=WEIGHT), plain)
        np.testing.assert_array_equal(ordered(named, query=GROUPS, importance=WEIGHT), told)
        with pytest.raises(UnsetMetadataPassedError, match="groups"):
            ordered(SwappedPairsSVM(), groups=GROUPS)


@pytest.mark.parametrize("weights", ["equal", [1, 0], [1e308, 1e308]], ids=["equal", "one", "huge"])
def test_normal_scores_are_finite_everywhere(weights):
    weight = np.ones(60)
    weight[[np.argmax(Y), np.argmax(X[:, 0])]] = 1e-20
    average = RankAverage(BOTH, weights=weights, average="normal").fit(X, Y, sample_weight=weight)
    scores = average.predict(np.vstack([X, 1e18 * X, -1e18 * X]))
    assert np.isfinite(scores).all() and np.ptp(scores) > 1.0
    assert average.weights_.sum() == 1.0


def test_columns_of_a_sparse_frame_in_another_order_are_refused():
    frame = pd.DataFrame(X, columns=list("abc")).astype(pd.SparseDtype(float, 0.0))
    search = RankSearchCV(Cs=[1.0], param_grid=None).fit(frame, Y)
    for fitted in (search, search.best_estimator_):
        with pytest.raises(ValueError, match="feature names should match"):
            fitted.predict(frame[["c", "b", "a"]])


def test_a_fold_whose_rows_weigh_nothing_is_left_out_for_members_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    rows, weight = np.arange(60), np.where(np.arange(60) < 20, 0.0, 1.0)
    folds = [(rows[:20], rows[20:]), (rows[20::2], rows[21::2]), (rows[21::2], rows[20::2])]
    members = [("ridge", Ridge()), ("line", LinearRegression())]
    fits = [
        RankAverage(members, weights="cv", cv=cv).fit(X, X[:, 0], sample_weight=weight) for cv in (folds, folds[1:])
    ]
    np.testing.assert_array_equal(fits[0].weights_, fits[1].weights_)


def test_a_list_that_is_not_about_rows_is_handed_on_as_it_is():
    class Named(LinearRegression):
        def fit(self, X, y, sample_weight=None, cat_features=None):
            assert cat_features == [0, 1]
            return super().fit(X, y, sample_weight)

    X = np.random.default_rng(0).standard_normal((60, 3))
    grades = np.digitize(X[:, 0], [-0.5, 0.5])
    model = ThresholdedRanker(Named(), probability=True).fit(X, grades, cat_features=[0, 1])
    plain = ThresholdedRanker(LinearRegression(), probability=True).fit(X, grades)
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


class StopsEarly(Ridge):
    def fit(self, X, y, eval_set=()):
        self.judged_by = [len(rows) for rows, _ in eval_set]
        return super().fit(X, y)


def test_tables_for_early_stopping_reach_a_ranker_with_probabilities():
    """It ended in numpy's "inhomogeneous shape"."""
    X = np.random.default_rng(0).standard_normal((60, 3))
    grades = np.digitize(X[:, 0], [-0.5, 0.5])
    model = ThresholdedRanker(StopsEarly(), probability=True).fit(X, grades, eval_set=[(X[:20], grades[:20])])
    assert model.ranker_.judged_by == [20] and model.predict_proba(X).shape == (60, 3)
