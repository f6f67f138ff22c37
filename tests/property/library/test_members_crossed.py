"""RankAverage and ThresholdedRanker crossed with what is inside: repeated rows, groups, routing, extreme scales."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor, VotingRegressor
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_selection import RFE
from sklearn.linear_model import LassoCV, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, RepeatedKFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

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
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.search.rank_average import _reference

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3))
Y = X[:, 0] + 0.3 * RNG.standard_normal(60)
GRADES, GROUPS, WEIGHT = np.digitize(Y, [-0.5, 0.5]), np.repeat(np.arange(12), 5), RNG.uniform(0.0, 2.0, 60)
SVM = SwappedPairsSVM(kernel="linear")
BOTH = [("a", SwappedPairsSVM()), ("r", Ridge())]


class TakesNothing(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


class TakesAnything(Ridge):
    def fit(self, X, y, **more):
        return super().fit(X, y)


class HandsOn(SwappedPairsSVM):
    """A user's class, whose ``fit`` hands on what it gets."""

    def fit(self, X, y, **given):
        return super().fit(X, y, **given)


class Noted(Ridge):
    """Takes lists that are not about rows, and notes what it gets."""

    def fit(self, X, y, sample_weight=None, cat_features=None, eval_set=()):
        self.given_ = cat_features, [len(rows) for rows, _ in eval_set]
        return super().fit(X, y, sample_weight)


class Endless(Ridge):
    """Predicts inf for some rows."""

    def predict(self, X):
        return np.where(X[:, 0] > 1.0, np.inf, X[:, 0])


# Ranks


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


def test_scores_that_differ_by_rounding_are_one_and_others_are_not():
    values, ranks = _reference(np.array([1.0, 1.0 + 2e-16, 2.0, -3e-16, 3e-16]), np.ones(5))
    np.testing.assert_allclose(values, [0.0, 1.0, 2.0], atol=1e-15)
    np.testing.assert_allclose(ranks, [0.2, 0.6, 0.9])


def test_a_row_far_away_leaves_the_others_their_ranks():
    rows = np.append(np.arange(50.0), 1e15)[:, None]
    average = RankAverage([("r", Ridge())]).fit(rows, rows[:, 0])
    assert len(np.unique(average.predict(rows))) == 51 and average.score(rows, rows[:, 0]) == 1.0


def test_repeated_folds_all_count():
    members = [("a", SVM), ("r", Ridge()), ("n", TakesNothing())]
    folds = list(RepeatedKFold(n_splits=4, n_repeats=3, random_state=0).split(X))
    cases = folds, folds[::-1], folds[8:], [tuple(map(tuple, fold)) for fold in folds]
    first, turned, last, tuples = (RankAverage(members, weights="cv", cv=cv).fit(X, Y).weights_ for cv in cases)
    np.testing.assert_array_equal(first, turned)
    np.testing.assert_array_equal(first, tuples)
    assert not np.array_equal(first, last)


def test_an_average_says_that_no_held_out_pair_can_be_ordered():
    """And what to do: weights cannot be compared on such rows."""
    y, early = np.r_[np.zeros(10), np.arange(50.0)], np.arange(60) >= 10
    average = RankAverage(BOTH, weights="cv", cv=[(np.arange(10, 60), np.arange(10))])
    for given in ({}, {"groups": np.arange(60) // 2}, {"event": early}, {"sample_weight": early * 1.0}):
        targets = Y if "sample_weight" in given else y
        members = [("a", SVM), ("b", SwappedPairsSVM())] if "event" in given else BOTH
        with pytest.raises(NoPairError, match=r'weights="cv" needs .* change cv, or use weights="equal" \(.+\)$'):
            clone(average).set_params(estimators=members).fit(X, targets, **given)


@pytest.mark.parametrize(
    "told", [{"weights": "Equal"}, {"weights": [1, 2, 3]}, {"weights": [0, 0]}, {"weights": "cv", "cv": 1}]
)
def test_weights_and_folds_are_checked_before_any_fit(told, monkeypatch):
    monkeypatch.setattr(Noted, "fit", lambda *given, **more: pytest.fail("a fit began"))
    with pytest.raises(ValueError, match=r"weights must be|cv must be"):
        RankAverage([("a", Noted()), ("b", Noted())], **told).fit(X, Y)


def test_a_member_without_finite_scores_is_named():
    with pytest.raises(ValueError, match=r"estimators must give finite scores, got inf of Endless\(\)"):
        RankAverage([("e", Endless())]).fit(X, Y)


def test_an_unfitted_regressor_may_not_have_predict_yet():
    average = RankAverage([("stack", StackingRegressor([("r", Ridge())])), ("r", Ridge())]).fit(X, Y)
    assert np.isfinite(average.predict(X)).all()


def test_columns_of_a_sparse_frame_in_another_order_are_refused():
    frame = pd.DataFrame(X, columns=list("abc")).astype(pd.SparseDtype(float, 0.0))
    search = RankSearchCV(Cs=[1.0], param_grid=None).fit(frame, Y)
    for fitted in (search, search.best_estimator_):
        with pytest.raises(ValueError, match="feature names should match"):
            fitted.predict(frame[["c", "b", "a"]])


# What those inside get


def test_what_is_inside_decides_what_a_fit_takes():
    thresholds = ThresholdedRanker(SwappedPairsSVM())
    for estimator, name, taken in (
        (Ridge(), "sample_weight", True),
        (Ridge(), "groups", False),
        (GridSearchCV(Ridge(), {}), "groups", False),
        (TransformedTargetRegressor(), "groups", False),
        (make_pipeline(StandardScaler(), thresholds), "groups", True),
        (ThresholdedRanker(Ridge()), "groups", False),
        (TakesAnything(), "groups", True),
        (LassoCV(), "groups", False),
        (TakesAnything(), "sample_weight", False),
        (TakesNothing(), "sample_weight", False),
    ):
        assert takes(estimator, name) == taken, (estimator, name)
    with config_context(enable_metadata_routing=True):
        assert not takes(GridSearchCV(Ridge(), {}), "sample_weight")
        assert takes(GridSearchCV(Ridge(), {}, cv=GroupKFold(2)), "groups")
        for request, taken in ((True, True), (None, True), (False, False)):
            asking = ThresholdedRanker(SwappedPairsSVM().set_fit_request(groups=request))
            assert takes(asking, "groups") == taken
        average = RankAverage([("t", asking)]).fit(X, GRADES, groups=GROUPS)  # the last one requests none
    alone = SwappedPairsSVM().fit(X, GRADES)
    np.testing.assert_array_equal(average.estimators_[0].score_samples(X), alone.score_samples(X))


@pytest.mark.parametrize(
    ("member", "takes_groups"),
    [
        (SVOR(), False),
        (CumulativeLink(), False),
        (PRank(random_state=0), False),
        (KernelPRank(random_state=0), False),
        (RankBoundarySVM(), False),
        (ThresholdedRanker(Ridge()), False),
        (TransformedTargetRegressor(Ridge()), False),
        (BaggingRegressor(Ridge(), random_state=0), False),
        (HandsOn(), True),
        (ThresholdedRanker(make_pipeline(StandardScaler(), SVM)), True),
    ],
    ids=lambda of: type(of).__name__,
)
def test_members_get_groups_if_they_take_them(member, takes_groups):
    average = RankAverage([("one", member), ("pairs", SVM)]).fit(X, GRADES, groups=GROUPS)
    alone = [clone(member).fit(X, GRADES, **{"groups": GROUPS} if takes_groups else {})]
    for inside, one in zip(average.estimators_, [*alone, clone(SVM).fit(X, GRADES, groups=GROUPS)]):
        way = "score_samples" if hasattr(one, "score_samples") else "predict"
        np.testing.assert_array_equal(getattr(inside, way)(X), getattr(one, way)(X))


@pytest.mark.parametrize("ranker", [KNeighborsRegressor(), Ridge(), SwappedPairsSVM()])
def test_thresholds_need_no_request_for_what_is_not_given(ranker):
    plain = ThresholdedRanker(ranker).fit(X, GRADES)
    with config_context(enable_metadata_routing=True):
        ranker = clone(ranker).set_fit_request(sample_weight=False) if takes(ranker, "sample_weight") else ranker
        routed = ThresholdedRanker(ranker).set_fit_request(sample_weight=False).fit(X, GRADES)
    np.testing.assert_array_equal(routed.score_samples(X), plain.score_samples(X))


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


ROUTED = [
    lambda inside: GridSearchCV(inside, {}),
    lambda inside: GridSearchCV(make_pipeline(inside), {}),
    TransformedTargetRegressor,
    lambda inside: VotingRegressor([("a", inside), ("b", inside)]),
    lambda inside: StackingRegressor([("a", inside)], final_estimator=inside),
    RFE,
]


@pytest.mark.parametrize("around", ROUTED)
def test_what_estimators_inside_those_of_scikit_learn_get_is_routed(around):
    """Without routing it is refused with the line to write; a fit across groups was one without a word."""
    weight = np.where(np.arange(60) < 30, 1.0, 1000.0)
    for inside, name, of in ((SVM, "groups", GROUPS), (Ridge(), "sample_weight", weight)):
        for outside in (RankAverage([("one", around(inside))]), ThresholdedRanker(around(inside))):
            with pytest.raises(ValueError, match=rf"(?s){name} must reach .*: set_config\(enable_metadata"):
                outside.fit(X, GRADES, **{name: of})
        with config_context(enable_metadata_routing=True):
            asking = around(clone(inside).set_fit_request(**{name: True}).set_score_request(**{name: True}))
            average = RankAverage([("one", asking)]).fit(X, Y, **{name: of})
            alone = clone(asking).fit(X, Y, **{name: of}).predict(X)
        np.testing.assert_allclose(average.estimators_[0].predict(X), alone, atol=1e-6)
        assert name == "groups" or np.abs(alone - clone(asking).fit(X, Y).predict(X)).max() > 1e-3


def test_lists_that_are_not_about_rows_are_handed_on_as_they_are():
    """Tables for early stopping ended in numpy's "inhomogeneous shape"."""
    given = {"cat_features": [0, 1], "eval_set": [(X[:20], GRADES[:20])]}
    model = ThresholdedRanker(Noted(), probability=True).fit(X, GRADES, **given)
    plain = ThresholdedRanker(Ridge(), probability=True).fit(X, GRADES)
    assert model.ranker_.given_ == ([0, 1], [20])
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))
