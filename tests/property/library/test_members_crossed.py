"""RankAverage and ThresholdedRanker crossed with what is inside and around them: rows, groups, routing, scorers."""

import numpy as np
import pandas as pd
import pytest
from made_problems import noisy
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import BaggingRegressor, StackingRegressor, VotingRegressor
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_selection import RFE
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    RepeatedKFold,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rankmargin import (
    SVOR,
    CumulativeLink,
    KernelPRank,
    PRank,
    RankAverage,
    RankBoundarySVM,
    SwappedPairsSVM,
    ThresholdedRanker,
)
from rankmargin.metrics import get_scorer, kendall_tau, mean_absolute_error, quadratic_kappa, swapped_pairs
from rankmargin.problem.rows.pairs import NoPairError

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
        with pytest.raises(NoPairError, match=r"cv must leave|comparable|distinct|got zeros only"):
            clone(average).set_params(estimators=members).fit(X, targets, **given)


@pytest.mark.parametrize(
    "told", [{"weights": "Equal"}, {"weights": [1, 2, 3]}, {"weights": [0, 0]}, {"weights": "cv", "cv": 1}]
)
def test_weights_and_folds_are_checked_before_any_fit(told, monkeypatch):
    monkeypatch.setattr(Noted, "fit", lambda *given, **more: pytest.fail("a fit began"))
    with pytest.raises(ValueError, match=r"weights must be|n_splits"):
        RankAverage([("a", Noted()), ("b", Noted())], **told).fit(X, Y)


def test_a_member_without_finite_scores_is_named():
    with pytest.raises(ValueError, match=r"estimators must give finite scores, got inf of Endless\(\)"):
        RankAverage([("e", Endless())]).fit(X, Y)


def test_an_unfitted_regressor_may_not_have_predict_yet():
    average = RankAverage([("stack", StackingRegressor([("r", Ridge())])), ("r", Ridge())]).fit(X, Y)
    assert np.isfinite(average.predict(X)).all()


# What those inside get


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


def test_thresholds_take_the_table_that_their_ranker_takes():
    frame = pd.DataFrame(X, columns=list("abc")).assign(colour=np.where(X[:, 1] > 0, "red", "blue"))
    columns = ColumnTransformer([("n", StandardScaler(), list("abc")), ("c", OneHotEncoder(), ["colour"])])
    grader = ThresholdedRanker(make_pipeline(columns, Ridge()), probability=True).fit(frame, GRADES)
    assert grader.score(frame, GRADES) > 0.5 and grader.feature_names_in_.tolist() == [*"abc", "colour"]
    np.testing.assert_allclose(grader.predict_proba(frame).sum(axis=1), 1.0)


# Model selection of scikit-learn


NAMES = ["bad", "fair", "good", "excellent"]


@pytest.fixture
def routing():
    with config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def graded():
    X, u = noisy(120, 3, 0.4, seed=1)
    return X, np.array(NAMES)[np.digitize(u, [-0.8, 0.0, 0.8])]


def ranker():
    return SwappedPairsSVM(kernel="linear").set_fit_request(groups=True).set_score_request(groups=True)


@pytest.mark.usefixtures("routing")
def test_a_fold_without_a_pair_does_not_decide_a_search():
    """The candidates differ in one column. With nan all would be equal, and the first would be chosen."""
    rng = np.random.default_rng(0)
    X, groups = rng.standard_normal((48, 2)), np.repeat(np.arange(6), 8)
    y = np.where(groups == 5, 3.0, X[:, 0] + 10.0 * groups)
    scoring = get_scorer("concordance", undefined=0.5)
    model = make_pipeline(ColumnTransformer([]), ranker())
    grid = {"columntransformer__transformers": [[("one", "passthrough", [column])] for column in (1, 0)]}
    search = GridSearchCV(model, grid, cv=GroupKFold(6), scoring=scoring).fit(X, y, groups=groups)
    assert search.best_params_["columntransformer__transformers"][0][2] == [0]
    assert np.sum(np.isclose([search.cv_results_[f"split{k}_test_score"][1] for k in range(6)], 0.5)) == 1
    assert search.best_score_ == pytest.approx((5.0 + 0.5) / 6)


@pytest.mark.parametrize("order", [["bad", "fair", "good", "excellent"], ["excellent", "good", "fair", "bad"]], ids=str)
def test_scorers_of_classifiers_that_know_no_order(order, graded):
    """The order is that of the categorical, also if the classifier returns names, and sorted ones are in another."""
    X, names = graded
    place = np.array([order.index(name) for name in names])
    grades = pd.Series(pd.Categorical(names, order, ordered=True))
    model = DecisionTreeClassifier(max_depth=3, random_state=0)
    named, plain = make_pipeline(clone(model)).fit(X, grades), clone(model).fit(X, place)
    by_places = np.array([order.index(name) for name in named.predict(X)])
    for name, metric in (
        ("concordance", lambda y, s: 1.0 - swapped_pairs(y, s)),
        ("kendall", kendall_tau),
        ("neg_mean_absolute_error", lambda y, s: -mean_absolute_error(y, s)),
        ("quadratic_kappa", quadratic_kappa),
    ):
        assert get_scorer(name)(named, X, grades) == pytest.approx(metric(place, by_places))
        assert get_scorer(name)(plain, X, place) == pytest.approx(metric(place, plain.predict(X)))
