"""RankSearchCV tunes in one call; RankAverage averages ranks."""

import time
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from searches import every_fit
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold

from rankmargin import (
    SVOR,
    ComparisonSVM,
    RankAverage,
    RankSearchCV,
    SwappedPairsSVM,
)
from rankmargin.caller import HintWarning
from rankmargin.certificates import judge
from rankmargin.estimators.pairs_base import NoScalingWarning
from rankmargin.search.folds import splits_of
from rankmargin.search.inputs import ColumnScaler
from rankmargin.solvers.solution import ConvergenceWarning

GRID = [{"kernel": ["linear"]}, {"kernel": ["rbf"], "gamma": [0.003, 0.01, 0.03, 0.1, 0.3]}]


@pytest.fixture(scope="module")
def data():
    """Columns in other units; one of them says nothing."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3)) * [1.0, 100.0, 0.01]
    return X, X[:, 0] + np.sin(X[:, 1] / 50) + 0.1 * rng.standard_normal(60), np.repeat(np.arange(12), 5)


def quantiles(column, n_quantiles, values):
    """Return the distribution function of a column without ties at some values, linear between its quantiles."""
    steps = np.linspace(0, 1, n_quantiles)
    return np.interp(values, np.quantile(column, steps), steps)


def values_and_quantiles(X, n_quantiles, Z):
    """Return the columns of Z as a search makes them that was fitted to X."""
    made = [(column, values) for column, values in zip(X.T, Z.T)]
    made += [
        (quantiles(column, n_quantiles, column), quantiles(column, n_quantiles, values)) for column, values in made
    ]
    return np.column_stack([(values - column.mean()) / column.std() for column, values in made])


def test_gamma_lies_around_the_median_distance_of_scaled_rows(data):
    X, y, _ = data
    search = RankSearchCV(Cs=[1.0, 10.0], ensemble_size=1).fit(X, y)
    scaler = ColumnScaler().fit(X, y)
    Z = values_and_quantiles(X, 60, X) * scaler.weights_
    np.testing.assert_allclose(scaler.transform(X), Z, atol=1e-9)
    assert list(scaler.get_feature_names_out()) == [f"x{at}{of}" for of in ("", "_quantile") for at in range(3)]
    squares = ((Z[:, None] - Z) ** 2).sum(axis=2)[np.triu_indices(60, 1)]
    table = search.cv_results_
    usual = [point["gamma"] for point, step in zip(table["params"], table["step"]) if step == 0 and "gamma" in point]
    widths = np.array(usual)[[0, 2]] * np.median(squares)  # two of five without learning
    assert all(np.min(np.abs(width / 10.0 ** np.linspace(-2, 0.4, 5) - 1)) < 5e-3 for width in widths)
    assert search.cv_results_["params"][0] == {"C": 1.0, "kernel": "linear"}
    last = search.best_estimator_[-1]
    Z = search.best_estimator_[0].transform(X)
    assert judge(last.model_, Z).gap == pytest.approx(last.gap_, abs=1e-6) and last.gap_ <= 1e-3


def test_the_worse_half_is_dropped_after_each_fold(data):
    X, y, _ = data
    search = RankSearchCV(Cs=[0.1, 10.0], param_grid=GRID).fit(X, y)
    table = search.cv_results_
    assert sorted(table["n_folds"].reshape(6, 2)[:, 0].tolist()) == [1, 1, 1, 2, 5, 5]
    first = table["split0_test_score"].reshape(6, 2).max(axis=1)
    dropped = table["n_folds"].reshape(6, 2)[:, 0] == 1
    assert first[~dropped].min() >= first[dropped].max()
    whole = clone(search).set_params(fast=False).fit(X, y)
    assert (whole.cv_results_["n_folds"] == 5).all() and whole.cv_results_["gap"].max() <= 1e-3
    assert table["gap"].max() > 1e-3
    np.testing.assert_allclose(first, whole.cv_results_["split0_test_score"].reshape(6, 2).max(axis=1), atol=0.02)
    assert table["rank_test_score"][search.best_index_] == 1
    assert table["rank_test_score"][table["n_folds"] < 5].min() > 4
    for given in ({"n_jobs": 2}, {}):  # always the same
        again = clone(search).set_params(**given).fit(X, y)
        np.testing.assert_array_equal(again.cv_results_["mean_test_score"], table["mean_test_score"])


def test_values_of_C_far_from_the_best_of_a_setting_are_dropped(data):
    X, y, _ = data
    search = RankSearchCV(Cs=[100.0, 0.01, 1.0, 10.0, 0.1], param_grid=GRID).fit(X, y)  # in any order
    order = np.argsort(search.Cs_)
    n_folds = search.cv_results_["n_folds"].reshape(6, 5)[:, order]
    first = search.cv_results_["split0_test_score"].reshape(6, 5)[:, order]
    assert np.isfinite(first).all()
    for tried, scores in zip(n_folds, first):
        near = np.abs(np.arange(5) - scores.argmax()) <= 1
        assert (tried[~near] == 1).all() and np.sum(tried > 1) <= 3
    assert np.sum(n_folds == 5) >= 2 and search.best_score_ == search.cv_results_["mean_test_score"][search.best_index_]


def test_a_fold_without_a_pair_drops_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((40, 2)), np.repeat([0.0, 1.0, 2.0, 3.0], 10)
    y[10:] += rng.standard_normal(30)
    folds = [(np.arange(10, 40), np.arange(10)), (np.arange(25), np.arange(25, 40)), (np.arange(15, 40), np.arange(15))]
    with pytest.warns(UndefinedMetricWarning, match="1 of 3 folds have no pair to compare: they do not count"):
        search = RankSearchCV(Cs=[0.1, 1.0], cv=folds).fit(X, y)
    scores = np.array([search.cv_results_[f"split{fold}_test_score"] for fold in range(3)])
    assert np.isnan(scores[0]).all() and np.isfinite(scores[1]).all() and np.isnan(scores[2]).sum() == 6


@pytest.mark.filterwarnings("error")
def test_columns_without_quantiles_are_taken():
    """Binary, constant, tied and empty columns, few rows, and a sparse matrix, whose zeros stay zeros."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, 30), np.full(30, 7.0), rng.integers(0, 4, 30), np.zeros(30)]).astype(float)
    y = X[:, 0] + 2 * X[:, 2]
    search = RankSearchCV(Cs=[1.0, 10.0]).fit(X, y)
    scaler = search.best_estimator_[0]
    Z = scaler.transform(X) / scaler.weights_
    np.testing.assert_allclose(Z[:, [0, 1, 3]], Z[:, [4, 5, 7]], atol=1e-12)  # quantiles of two values are two values
    assert len(np.unique(Z[:, 6])) == 4 and search.score(X, y) > 0.9
    of_sparse = clone(search).fit(csr_matrix(X), y)
    scaled = of_sparse.best_estimator_[:-1].transform(csr_matrix(X))
    np.testing.assert_array_equal(scaled.indices, csr_matrix(X).indices)
    assert of_sparse.score(X, y) > 0.9


def test_columns_are_weighted_by_their_correlation_with_the_targets():
    """By hand: of six pairs the first column orders all, the second four, the third one half of the untied four."""
    X = np.array([[1.0, 2.0, 0.0, 5.0], [2.0, 1.0, 1.0, 5.0], [3.0, 3.0, 1.0, 5.0], [4.0, 0.0, 0.0, 5.0]])
    scaler = ColumnScaler().fit(X, np.arange(4.0))
    D = np.array([1.0, (2 - 4) / 6, 0.0, 0.0])
    weights = np.sqrt(D**2 + 0.02)
    weights /= np.sqrt(np.mean(weights**2))
    np.testing.assert_allclose(scaler.weights_, np.tile(weights, 2))
    np.testing.assert_allclose(scaler.transform(X), ColumnScaler().fit_transform(X) * scaler.weights_)
    grades = ["low", "mid", "mid", "high"]
    named = ColumnScaler(["low", "mid", "high"]).fit(X, np.array(grades))
    np.testing.assert_allclose(named.weights_, ColumnScaler().fit(X, [0, 1, 1, 2]).weights_)
    of_two = ColumnScaler().fit(X, [3.0, 4.0, 1.0, 2.0], groups=[7, 7, 5, 5])  # inside groups 3 > 4 and 1 < 2
    D = np.array([1.0, -1.0, 0.0, 0.0])
    np.testing.assert_allclose(of_two.weights_[0], of_two.weights_[1])
    assert of_two.weights_[2] / of_two.weights_[0] == pytest.approx(np.sqrt(0.02 / 1.02))
    twice = ColumnScaler().fit(np.vstack([X, X[:1]]), [0.0, 1.0, 2.0, 3.0, 0.0]).weights_
    np.testing.assert_allclose(ColumnScaler().fit(X, np.arange(4.0), sample_weight=[2, 1, 1, 1]).weights_, twice)
    times = np.array([(True, 1.0), (False, 2.0), (True, 3.0), (True, 4.0)], dtype=[("event", bool), ("time", float)])
    D = np.array([1.0, (1 + 0 - 2 - 1) / 4, (2 - 1) / 4, 0.0])  # the pairs 1-2, 1-3, 1-4, 3-4
    weights = np.sqrt(D**2 + 0.02)
    np.testing.assert_allclose(
        ColumnScaler().fit(X, times).weights_, np.tile(weights / np.sqrt(np.mean(weights**2)), 2)
    )
    for y in (np.zeros(4), None):
        np.testing.assert_array_equal(ColumnScaler().fit(X, y).weights_, np.ones(8))


def test_each_fold_weighs_its_training_rows_alone(data, monkeypatch):
    """The weights of a fold know no target of its test rows; the last fit knows all, inside the groups."""
    X, y, groups = data
    known = []

    class Seen(ColumnScaler):
        def fit(self, X, y=None, groups=None, sample_weight=None):
            known.append((y, groups))
            return super().fit(X, y, groups, sample_weight)

    monkeypatch.setattr("rankmargin.search.inputs.ColumnScaler", Seen)
    search = RankSearchCV(Cs=[1.0], param_grid=None).fit(X, y, groups=groups)
    parts = [np.arange(60), *(train for train, _ in GroupKFold(5).split(X, y, groups))]
    for (targets, inside), rows in zip(known, parts, strict=True):
        np.testing.assert_array_equal(targets, y[rows])
        np.testing.assert_array_equal(inside, groups[rows])
    np.testing.assert_array_equal(search.best_estimator_[0].weights_, ColumnScaler().fit(X, y, groups).weights_)


def test_fewer_groups_than_folds_are_folds_of_one_group(data):
    X, y, groups = data
    with pytest.warns(HintWarning, match="3 groups make 3 folds, not 5"):
        search = RankSearchCV(Cs=[1.0], param_grid=None).fit(X, y, groups=groups % 3)
    assert search.n_splits_ == 3


def test_correlations_of_many_rows_are_those_of_some(monkeypatch):
    """With groups, of all pairs of some groups: here each group of two rows has one pair, whose order is x."""
    rng = np.random.default_rng(0)
    X, groups = rng.standard_normal((600, 2)), np.repeat(np.arange(300), 2)
    y = X[:, 0] + 100.0 * rng.standard_normal(300)[groups]
    whole = ColumnScaler().fit(X, y, groups)
    monkeypatch.setattr("rankmargin.search.inputs.COMPARED", 200)
    some = ColumnScaler().fit(X, y, groups)
    assert some.weights_[0] == pytest.approx(whole.weights_[0], rel=0.03) and some.weights_[0] > 1.3
    alone = ColumnScaler().fit(X, X[:, 0])
    assert alone.weights_[1] != pytest.approx(ColumnScaler().fit(X[:200], X[:200, 0]).weights_[1])  # not the first
    np.testing.assert_allclose(alone.weights_[0], np.sqrt(2.0), rtol=0.05)


def test_groups_reach_the_score_behind_a_scaler(data):
    X, y, groups = data
    y = y + 20.0 * groups
    search = RankSearchCV(Cs=[1.0, 10.0]).fit(X, y, groups=groups)
    assert search.score(X, y, groups=groups) > 0.85 > search.score(X, y)
    by_hand = RankSearchCV(Cs=[1.0, 10.0], cv=GroupKFold(5)).fit(X, y, groups=groups)
    np.testing.assert_array_equal(by_hand.cv_results_["mean_test_score"], search.cv_results_["mean_test_score"])


@pytest.mark.filterwarnings("ignore::rankmargin.solvers.solution.ConvergenceWarning")  # of the path that is cut
def test_a_search_ends_in_time_with_the_best_so_far(data, capsys, monkeypatch):
    """Of the processor: other programs on the machine change nothing."""
    monkeypatch.setattr("rankmargin.solvers.progress.perf_counter", time.process_time)
    X, y, _ = data
    RankSearchCV(Cs=[1.0, 10.0], verbose=1).fit(X, y)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7 + 4 * 4 and all(line.startswith("fold ") for line in lines)
    assert lines[0].startswith("fold 1 of 5, {'kernel': 'linear'}: best 0.")
    big = np.random.default_rng(0).standard_normal((1500, 3))
    hard = RankSearchCV(SwappedPairsSVM(solver="dual_cd"), Cs=[1.0, 1e6], max_seconds=2.0)
    with pytest.warns(ConvergenceWarning, match=r"the search ended after max_seconds=2: \d+ of at most \d+ fits"):
        hard.fit(big, big[:, 0] + big[:, 1] ** 2)
    assert 0 < np.isfinite(hard.cv_results_["mean_test_score"]).sum() < 14  # of seven settings
    assert np.isfinite(hard.best_score_) and hard.predict(big).shape == (1500,)


class Column(RegressorMixin, BaseEstimator):
    """Predict a column."""

    def __init__(self, at=0):
        self.at = at

    def fit(self, X, y, sample_weight=None):
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.asarray(X)[:, self.at]


def test_ranks_by_hand():
    """Training predictions 0, 1, 1, 3 have the ranks 1/8, 1/2, 1/2, 7/8; the span is 3."""
    X, y = np.array([[0.0, 4.0], [1.0, 3.0], [1.0, 2.0], [3.0, 1.0]]), np.arange(4.0)
    one = RankAverage([("first", Column(0))]).fit(X, y)
    rows = np.array([[0.0], [0.5], [1.0], [2.0], [3.0], [6.0], [-3.0]])
    np.testing.assert_allclose(
        one.predict(np.hstack([rows, rows])), [1 / 8, 5 / 16, 1 / 2, 11 / 16, 7 / 8, 15 / 16, 1 / 16]
    )
    both = RankAverage([("first", Column(0)), ("second", Column(1))], weights=[3.0, 1.0]).fit(X, y)
    assert both.weights_.tolist() == [0.75, 0.25]
    np.testing.assert_allclose(both.predict(X), 0.75 * np.array([1, 4, 4, 7]) / 8 + 0.25 * np.array([7, 5, 3, 1]) / 8)
    weighted = RankAverage([("first", Column(0))]).fit(X, y, sample_weight=[1.0, 2.0, 0.0, 1.0])
    np.testing.assert_allclose(weighted.predict(X), np.array([1, 4, 4, 7]) / 8)


def test_weights_by_cross_validation_prefer_the_member_that_knows(data):
    X, y, groups = data
    members = [
        ("noise", Column(2)),
        ("linear", LinearRegression()),
        ("svm", every_fit(SwappedPairsSVM(), [10.0], scale=True)),
    ]
    found = RankAverage(members, weights="cv", cv=3).fit(X, y, groups=groups)
    assert found.weights_[0] <= 0.15 and found.weights_.sum() == pytest.approx(1.0)
    assert found.named_estimators_["svm"].best_estimator_[-1].gap_ <= 1e-3
    assert found.score(X, y) > RankAverage(members).fit(X, y).score(X, y)


def test_a_search_hints_at_the_fit_that_it_keeps_alone(data):
    """With small costs every difference counts, which ComparisonSVM says; the fits of folds are nobody's result."""
    X, y, _ = data
    pairs, places = np.hstack([X[:30], X[30:]]), np.sign(np.round(y[:30] - y[30:]))
    search = RankSearchCV(ComparisonSVM(), cv=3, Cs=[1e-4, 1e-3], param_grid=None)
    with pytest.warns(NoScalingWarning) as told:
        search.fit(pairs, places)
    assert [(one.category, Path(one.filename).name) for one in told] == [(NoScalingWarning, Path(__file__).name)]


def test_a_grade_of_a_single_row_is_searched_without_a_warning(data):
    X, y, _ = data
    grades = np.append(np.digitize(y[1:], [-0.5, 0.5]), 7)
    search = RankSearchCV(SVOR(kernel="linear"), Cs=[1.0], param_grid=None).fit(X, grades)
    assert search.n_splits_ == 5 and 7 in search.grades_


def test_folds_are_stratified_for_halves_of_grades_too():
    """scikit-learn takes 0.5, 1.0, 1.5 for a continuous target, whose folds it does not stratify."""
    X, y = np.random.default_rng(0).standard_normal((60, 3)), np.repeat([1, 2, 3, 4], [37, 13, 5, 5])
    named = (y, None), (0.5 * y, None), (np.array(list("dbca"))[y - 1], list("dbca"))
    whole, halves, names = (splits_of(SVOR(categories=order), 5, X, grades) for grades, order in named)
    for fold, (train, test) in enumerate(halves):
        assert np.unique(y[test]).tolist() == [1, 2, 3, 4]
        for other in (whole, names):
            np.testing.assert_array_equal(train, other[fold][0])
            np.testing.assert_array_equal(test, other[fold][1])
    first, second = (RankSearchCV(SVOR(), Cs=[0.1, 10.0]).fit(X, grades) for grades in (y, 0.5 * y))
    assert first.best_params_ == second.best_params_
    assert first.best_score_ == pytest.approx(2.0 * second.best_score_)


@pytest.mark.parametrize("first", [20240101.0, 2.0**24, 2.0**40])
def test_whole_numbers_that_are_one_in_single_precision(first):
    """Of two days, written as whole numbers, the later one scored 0 against the earlier one."""
    X = np.repeat(first + np.arange(10.0), 8)[:, None]
    search, shifted = RankSearchCV(cv=3).fit(X, X[:, 0]), RankSearchCV(cv=3).fit(X - first, X[:, 0])
    assert search.score(X, X[:, 0]) == 1.0 and len(np.unique(search.predict(X))) == 10
    np.testing.assert_allclose(search.predict(X), shifted.predict(X - first), atol=0.01)


def test_scaled_columns_have_variance_1_and_keep_the_order_of_values():
    """Few different values, whose quantiles rounding moves; days in seconds, far from 0."""
    rng = np.random.default_rng(0)
    for n in range(6, 60):
        X = rng.choice(rng.integers(3, 8), n).astype(float)[:, None]
        scaler = ColumnScaler().fit(X, np.arange(n))
        if np.ptp(X):
            np.testing.assert_allclose(scaler.without_weights(X).std(axis=0), 1.0, rtol=1e-12)
    seconds = 1.7e9 + np.array([3.0, 100, 200, 340, 500, 777, 900, 1000])[:, None]
    asked = 1.7e9 + np.arange(0.0, 1100.0)[:, None]
    assert (np.diff(ColumnScaler().fit(seconds).transform(asked), axis=0) >= 0).all()
