"""RankSearchCV, RankAverage and ThresholdedRanker crossed with what is inside them and with arguments of ``fit``."""

import time
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor, VotingRegressor
from sklearn.feature_selection import RFE
from sklearn.linear_model import LassoCV, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, LeaveOneGroupOut, LeaveOneOut, RepeatedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rankmargin import (
    SVOR,
    ComparisonSVM,
    ItemKFold,
    RankAverage,
    RankSearchCV,
    RankSVR,
    RankThreshold,
    SwappedPairsSVM,
    ThresholdedRanker,
)
from rankmargin.estimators.fit_arguments import takes
from rankmargin.estimators.ordinal_base import OrdinalPredictions
from rankmargin.inspection import LearningCurveDisplay, summary
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.search.inputs import _correlations

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3))
Y = X[:, 0] + X[:, 1] ** 2 + 0.1 * RNG.standard_normal(60)
GROUPS, GRADES = np.arange(60) % 6, np.digitize(Y, [-0.5, 0.5, 1.5])


def means(search):
    return search.cv_results_["mean_test_score"]


def pairs_of_items(seed=0):
    """Return a frame of pairs whose columns alternate between the items, labels, and the names of both items."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((60, 4)) * [100.0, 1.0, 100.0, 1.0] + [1500.0, 0.0, 1500.0, 0.0]
    frame = pd.DataFrame(values, columns=["elo_a", "x_a", "elo_b", "x_b"])
    return frame, np.where(frame["x_a"] > frame["x_b"], 1, -1), np.arange(60).reshape(30, 2) % 5


def test_values_of_gamma_for_pairs_do_not_depend_on_the_order_of_the_columns():
    frame, labels, _ = pairs_of_items()
    told = {"Cs": [1.0], "cv": 2, "scale": False}
    found = [
        RankSearchCV(RankThreshold(items=items), **told).fit(table, labels).cv_results_["param_gamma"].tolist()
        for items, table in (
            (None, frame),
            (None, frame[["elo_a", "elo_b", "x_a", "x_b"]]),
            (([0, 2], [1, 3]), frame[["elo_a", "elo_b", "x_a", "x_b"]].to_numpy()),
        )
    ]
    assert found[0] == found[1] == found[2] and found[0][1] < 1e-3


def test_the_names_of_scaled_columns_are_different():
    frame = pd.DataFrame(X, columns=["a", "a_quantile", "b"])
    search = RankSearchCV(SwappedPairsSVM(kernel="linear"), Cs=[1.0], param_grid=None, cv=2).fit(frame, Y)
    names = search.best_estimator_[:-1].get_feature_names_out().tolist()
    assert names == ["a", "a_quantile", "b", "a_quantile_", "a_quantile_quantile_", "b_quantile_"]
    assert len(summary(search).coefficients) == 6


def test_folds_without_training_rows_are_left_out():
    frame, labels, items = pairs_of_items()
    frame, labels, ranker = frame[:30], labels[:30], RankThreshold(kernel="linear")
    useful = [*ItemKFold(2, random_state=1).split(frame, groups=items)]
    folds = [*useful, (np.arange(30), np.arange(0))]
    shown, expected = (LearningCurveDisplay.from_estimator(ranker, frame, labels, cv=one) for one in (folds, useful))
    np.testing.assert_array_equal(shown.test_scores, expected.test_scores)
    nothing = [(np.arange(0), np.arange(30))]
    for fit in (
        RankSearchCV(ranker, Cs=[1.0], cv=nothing).fit,
        partial(LearningCurveDisplay.from_estimator, ranker, cv=nothing),
    ):
        with pytest.raises(NoPairError, match="cv and groups must leave rows in the training and in the test part"):
            fit(frame, labels)
    RankSearchCV(ranker, Cs=[1.0], cv=[*nothing, *useful]).fit(frame, labels)


def test_estimators_in_the_grid_are_neither_shared_nor_changed():
    inside, last = SwappedPairsSVM(), SwappedPairsSVM(tol=1e-5)
    pipeline, gammas = make_pipeline(StandardScaler(), SwappedPairsSVM()), [0.001, 0.3, 100.0]
    grid = {"swappedpairssvm": [inside], "swappedpairssvm__gamma": gammas}
    told = {"Cs": [1.0, 10.0], "fast": False}
    plain = RankSearchCV(pipeline, param_grid={"swappedpairssvm__gamma": gammas}, **told).fit(X, Y)
    np.testing.assert_array_equal(means(RankSearchCV(pipeline, param_grid=grid, **told).fit(X, Y)), means(plain))
    assert inside.get_params() == SwappedPairsSVM().get_params()
    search = RankSearchCV(pipeline, Cs=[1.0], param_grid={"swappedpairssvm": [last]}).fit(X, Y)
    assert search.best_estimator_[-1].tol == 1e-5 and search.best_estimator_[-1].gap_ <= 1e-5


def test_a_pipeline_in_a_pipeline_has_the_gammas_of_its_rows():
    units = X * [1000.0, 1.0, 0.001]
    flat = make_pipeline(StandardScaler(), SwappedPairsSVM())
    one, two = (RankSearchCV(made, Cs=[1.0]).fit(units, Y) for made in (flat, make_pipeline(flat)))
    np.testing.assert_array_equal(means(one), means(two))


def test_labels_of_a_fold_mean_what_they_mean_in_all_rows():
    """In the training rows of one fold there is no 0.5, and 0 and 1 alone can mean two things."""
    pairs = RNG.standard_normal((80, 6))
    wins = np.where(pairs[:, 0] > pairs[:, 3], 1.0, 0.0)
    wins[:3] = 0.5
    groups = np.r_[np.zeros(16), np.repeat([1, 2, 3, 4], 16)]
    search = RankSearchCV(RankThreshold(), Cs=[1.0]).fit(pairs, wins, groups=groups)
    assert search.best_estimator_[-1].labels_.tolist() == [0.0, 0.5, 1.0]


def test_pairs_as_a_block_are_those_side_by_side():
    pairs = RNG.standard_normal((80, 2, 3))
    labels = np.sign(np.round(pairs[:, 0, 0] - pairs[:, 1, 0])).astype(int)
    side = pairs.reshape(80, 6)
    for scale in (True, False):
        search = RankSearchCV(ComparisonSVM(), Cs=[1.0], scale=scale).fit(pairs, labels)
        other = RankSearchCV(ComparisonSVM(), Cs=[1.0], scale=scale).fit(side, labels)
        assert search.n_features_in_ == 6 and search.best_params_ == other.best_params_
        np.testing.assert_array_equal(search.predict(pairs), other.predict(pairs))
        np.testing.assert_array_equal(search.predict(side), other.predict(side))


def test_the_columns_of_items_may_be_anywhere():
    side = RNG.standard_normal((80, 4))
    labels = np.sign(np.round(side[:, 0] - side[:, 2])).astype(int)
    mixed, names = side[:, [0, 2, 1, 3]], ["a_home", "a_away", "b_home", "b_away"]
    frame = pd.DataFrame(mixed, columns=names)
    plain = RankSearchCV(ComparisonSVM(), Cs=[1.0]).fit(side, labels)
    for items, rows in ((([0, 2], [1, 3]), mixed), (("_home", "_away"), frame), ((names[::2], names[1::2]), frame)):
        for scale in (True, False):
            search = RankSearchCV(ComparisonSVM(items=items), Cs=[1.0], scale=scale).fit(rows, labels)
            if scale:
                np.testing.assert_allclose(search.score_samples(rows), plain.score_samples(side))


def test_the_order_of_the_values_of_C_does_not_matter():
    rows = np.arange(50.0).reshape(-1, 1)
    Cs = [0.1, 1.0, 10.0, 100.0, 1000.0]
    for order in (Cs, Cs[::-1], [10.0, 1000.0, 0.1, 100.0, 1.0]):
        assert RankSearchCV(Cs=order).fit(rows, rows[:, 0]).best_params_["C"] == 0.1


@pytest.mark.filterwarnings("ignore::rankmargin.solvers.solution.ConvergenceWarning")
def test_no_fold_is_scaled_after_the_time_is_over(monkeypatch):
    made = []

    def slow(*given, **named):
        made.append(time.sleep(0.4))
        return original(*given, **named)

    from rankmargin.search import search as module

    original = module.fold_of
    monkeypatch.setattr(module, "fold_of", slow)
    search = RankSearchCV(max_seconds=2.5, param_grid=None, fast=False, cv=GroupKFold(6)).fit(X, Y, groups=GROUPS)
    assert 2 <= len(made) <= 5 and search.n_splits_ == 6


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_squared_error"])
def test_a_test_part_that_weighs_nothing_is_left_out(scoring):
    weight = np.where(GROUPS < 1, 0.0, 1.0)
    search = RankSearchCV(RankSVR(), scoring=scoring, cv=LeaveOneGroupOut(), Cs=[1.0], param_grid=None)
    search.fit(X, Y, groups=GROUPS, sample_weight=weight)
    assert np.isnan(search.cv_results_["split0_test_score"]).all() and np.isfinite(search.best_score_)


def test_a_scorer_without_weights_scores_rows_that_weigh_nothing():
    weight, cv = np.where(np.arange(60) < 12, 0.0, 1.0), [(np.arange(12, 60), np.arange(12))]
    told = {"Cs": [1.0], "cv": cv, "param_grid": None}
    own = RankSearchCV(scoring=lambda one, rows, y: one.score(rows, y), **told).fit(X, Y, sample_weight=weight)
    assert np.isfinite(own.best_score_)
    with pytest.raises(NoPairError, match="sample_weight is 0 for all rows of a test part"):
        RankSearchCV(RankSVR(), scoring="r2", **told).fit(X, Y, sample_weight=weight)


def test_probabilities_that_no_scorer_reads_are_not_fitted(monkeypatch):
    fitted, original = [], OrdinalPredictions._fit_link
    monkeypatch.setattr(OrdinalPredictions, "_fit_link", lambda *given: fitted.append(1) or original(*given))
    told = {"Cs": [1.0], "param_grid": None, "scoring": "accuracy"}
    search = RankSearchCV(SVOR(probability=True), **told).fit(X, GRADES)
    assert len(fitted) == 1 and search.predict_proba(X).shape == (60, 4)


def test_rows_of_orderings_may_be_lists_or_sparse():
    plain = RankSearchCV(RankSVR(), Cs=[1.0], param_grid=None).fit(X, Y, Z=X[:9], pairs=[[0, 1], [2, 5]])
    for rows in (X[:9].tolist(), sparse.csr_array(X[:9])):
        other = RankSearchCV(RankSVR(), Cs=[1.0], param_grid=None).fit(X, Y, Z=rows, pairs=[[0, 1], [2, 5]])
        np.testing.assert_array_equal(other.predict(X), plain.predict(X))


def test_frames_of_missing_integers_and_columns_that_overflow_say_what_to_do():
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(a=pd.array([1, None, 3] * 20, dtype="Int64"))
    assert RankSearchCV(Cs=[1.0]).fit(frame, Y).score(frame, Y) > 0.8
    with pytest.raises(ValueError, match="squares overflow: scale X"), np.errstate(over="ignore", invalid="ignore"):
        RankSearchCV(Cs=[1.0]).fit(X * [1.0, 1e200, 1.0], Y)
    measured = X.copy()  # in the largest group alone, which one fold lacks
    groups, measured[20:, 2] = np.r_[np.zeros(20), np.repeat(range(1, 5), 10)], np.nan
    assert RankSearchCV(Cs=[1.0]).fit(measured, Y, groups=groups).score(measured, Y, groups=groups) > 0.8
    with config_context(transform_output="pandas"):
        RankSearchCV(Cs=[1.0]).fit(sparse.csr_array(X), Y)


def test_a_kernel_of_values_above_0_gets_no_scaled_columns():
    assert np.isfinite(RankSearchCV(SwappedPairsSVM(kernel="chi2"), Cs=[1.0]).fit(np.abs(X), Y).best_score_)


def test_names_of_several_types_are_grades_of_a_search():
    names = np.array(["low", 2, 3.5], dtype=object)
    search = RankSearchCV(SVOR(categories=list(names)), Cs=[1.0], param_grid=None)
    search.fit(X, names[np.minimum(GRADES, 2)])
    assert list(search.grades_) == ["low", 2, 3.5]


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (RankSearchCV(param_grid=[]), "param_grid must hold at least one setting"),
        (RankSearchCV(Cs=[1.0], scoring=lambda *_: float("nan")), "scoring must give a finite score on some test fold"),
        (RankSearchCV(Cs=[1.0], scoring=lambda *_: {"a": 1}), "scoring must return a number, got {'a': 1}"),
        (RankSearchCV(Cs=[1.0], scoring=lambda *_: np.ones(2)), "scoring must return a number, got array"),
        (RankSearchCV(Cs=[1.0], scoring=lambda *_: 1 + 2j), "scoring must return a number, got"),
        (RankSearchCV(Cs=[1.0], cv=[([0, 1, 2], [999])]), "cv must give numbers of rows, or masks, of"),
        (RankSearchCV(Cs=[1.0], cv=[([0.0, 1.0, 2.0], [3])]), "cv must give numbers of rows, or masks, of"),
        (
            RankSearchCV(SwappedPairsSVM(max_seconds=1000.0), cv=LeaveOneOut(), Cs=[1.0], scoring="kendall"),
            "no test fold has a comparable pair",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_search_without_a_score_says_why(search, message):
    with pytest.raises(ValueError, match=message):
        search.fit(X, Y)


class TakesNothing(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


class TakesAnything(Ridge):
    def fit(self, X, y, **more):
        return super().fit(X, y)


def test_groups_reach_a_pipeline_inside_thresholds():
    inside = make_pipeline(StandardScaler(), SwappedPairsSVM(kernel="linear"))
    average = RankAverage([("t", ThresholdedRanker(inside))]).fit(X, GRADES, groups=GROUPS)
    alone = ThresholdedRanker(inside).fit(X, GRADES, groups=GROUPS)
    np.testing.assert_array_equal(average.estimators_[0].score_samples(X), alone.score_samples(X))


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
    for inside, name, of in ((SwappedPairsSVM(kernel="linear"), "groups", GROUPS), (Ridge(), "sample_weight", weight)):
        for outside in (RankAverage([("one", around(inside))]), ThresholdedRanker(around(inside))):
            with pytest.raises(ValueError, match=rf"(?s){name} must reach .*: set_config\(enable_metadata"):
                outside.fit(X, GRADES, **{name: of})
        with config_context(enable_metadata_routing=True):
            asking = around(clone(inside).set_fit_request(**{name: True}).set_score_request(**{name: True}))
            average = RankAverage([("one", asking)]).fit(X, Y, **{name: of})
            alone = clone(asking).fit(X, Y, **{name: of}).predict(X)
        np.testing.assert_allclose(average.estimators_[0].predict(X), alone, atol=1e-6)
        assert name == "groups" or np.abs(alone - clone(asking).fit(X, Y).predict(X)).max() > 1e-3


def test_what_is_inside_decides_what_a_fit_takes():
    assert takes(Ridge(), "sample_weight") and not takes(Ridge(), "groups")
    assert not takes(GridSearchCV(Ridge(), {}), "groups") and not takes(TransformedTargetRegressor(), "groups")
    assert takes(make_pipeline(StandardScaler(), ThresholdedRanker(SwappedPairsSVM())), "groups")
    assert not takes(ThresholdedRanker(Ridge()), "groups")
    assert takes(TakesAnything(), "groups") and not takes(LassoCV(), "groups")
    assert not takes(TakesAnything(), "sample_weight") and not takes(TakesNothing(), "sample_weight")
    with config_context(enable_metadata_routing=True):
        assert not takes(GridSearchCV(Ridge(), {}), "sample_weight")


@pytest.mark.parametrize(
    "member",
    [ThresholdedRanker(Ridge()), TransformedTargetRegressor(Ridge()), BaggingRegressor(Ridge(), random_state=0)],
    ids=["thresholds", "target", "bagging"],
)
def test_members_that_take_no_groups_get_none(member):
    RankAverage([("a", member), ("s", SwappedPairsSVM())]).fit(X, GRADES, groups=GROUPS)


def test_an_unfitted_regressor_may_not_have_predict_yet():
    average = RankAverage([("stack", StackingRegressor([("r", Ridge())])), ("r", Ridge())]).fit(X, Y)
    assert np.isfinite(average.predict(X)).all()


@pytest.mark.parametrize(
    "told", [{"weights": "Equal"}, {"weights": [1, 2, 3]}, {"weights": [0, 0]}, {"weights": "cv", "cv": 1}]
)
def test_weights_and_folds_are_checked_before_any_fit(told):
    fitted = []

    class Noted(Ridge):
        def fit(self, *given, **more):
            fitted.append(1)
            return super().fit(*given, **more)

    with pytest.raises(ValueError, match=r"weights must be|cv must be"):
        RankAverage([("a", Noted()), ("b", Noted())], **told).fit(X, Y)
    assert not fitted


def test_repeated_folds_all_count_and_empty_test_parts_none():
    members = [("a", SwappedPairsSVM(kernel="linear")), ("r", Ridge()), ("n", TakesNothing())]
    folds = list(RepeatedKFold(n_splits=4, n_repeats=3, random_state=0).split(X))
    found = [RankAverage(members, weights="cv", cv=one).fit(X, Y).weights_ for one in (folds, folds[::-1])]
    np.testing.assert_array_equal(*found)
    last = RankAverage(members, weights="cv", cv=folds[8:]).fit(X, Y).weights_
    assert not np.array_equal(found[0], last)
    empty = [*folds[:4], (np.arange(60), np.arange(0))]
    np.testing.assert_array_equal(
        RankAverage(members, weights="cv", cv=empty).fit(X, Y).weights_,
        RankAverage(members, weights="cv", cv=folds[:4]).fit(X, Y).weights_,
    )
    texts = [(tuple(range(30)), tuple(range(30, 60)))]
    RankAverage(members, weights="cv", cv=texts).fit(X, Y)
    RankSearchCV(Cs=[1.0], cv=texts).fit(X, Y)
    with pytest.raises(NoPairError):
        RankAverage(members, weights="cv", cv=[(np.arange(60), np.arange(0))]).fit(X, Y)


@pytest.mark.parametrize("weight", [None, RNG.random(60) * (RNG.random(60) > 0.3)], ids=["alike", "weighted"])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["one", "groups"])
def test_correlations_of_listed_pairs_are_those_of_the_metric(groups, weight, monkeypatch):
    columns, y = [*X.T, np.round(X[:, 0]), np.where(X[:, 1] > 1, np.nan, X[:, 1])], np.round(Y, 1)
    listed = _correlations(y, columns, groups, weight)
    monkeypatch.setattr("rankmargin.search.inputs.LISTED", 0)
    np.testing.assert_allclose(listed, _correlations(y, columns, groups, weight), atol=1e-14)
    assert listed[-1] == 0.0 and abs(listed[0]) > 0.1
    assert _correlations(np.ones(60), columns, groups, weight) == [0.0] * 5
