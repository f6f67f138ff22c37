"""Grades keep the order that ``fit`` has learned, in whatever form they come, and weights mean repeated rows."""

import numpy as np
import pytest
from made_problems import noisy
from sklearn.base import clone
from sklearn.linear_model import Ridge

from rankmargin import (
    SVOR,
    CumulativeLink,
    FixedMarginSVM,
    KernelPRank,
    PRank,
    SumOfMarginsSVM,
    ThresholdedRanker,
)
from rankmargin.estimators.ordinal_base import ManyGradesWarning, UnknownGradeWarning
from rankmargin.metrics import get_scorer, mean_absolute_error
from rankmargin.problem.rows.ranks import ranks_of

pytestmark = pytest.mark.filterwarnings("ignore::rankmargin.estimators.sum_of_margins.SmallerCWarning")

ORDERS = (["poor", "fine", "best"], [3, 2, 1], [1, 10, 2], [0.5, -1.5, 4.0])
ORDINAL = [
    SVOR(kernel="linear"),
    FixedMarginSVM(kernel="linear", ordered=True),
    SumOfMarginsSVM(kernel="linear"),
    CumulativeLink(),
    PRank(epochs=5, random_state=0),
    KernelPRank(epochs=5, random_state=0),
    ThresholdedRanker(Ridge()),
]


def made(n=90, seed=0):
    X, u = noisy(n, 3, 0.5, seed=seed)
    return X, np.digitize(u, [-0.5, 0.5])


def test_a_series_of_polars_has_the_order_of_its_categories():
    polars = pytest.importorskip("polars")
    (X, place), order = made(), ORDERS[0]
    y = polars.Series([order[i] for i in place], dtype=polars.Enum(order))
    fitted = SVOR(kernel="linear").fit(X, y)
    assert fitted.grades_.tolist() == order
    np.testing.assert_array_equal(fitted.score_samples(X), SVOR(kernel="linear").fit(X, place).score_samples(X))


def test_grades_that_are_ascending_numbers_keep_their_distances():
    X, place = made()
    numbers = np.array([0, 10, 100])
    free, named = SVOR().fit(X, numbers[place]), SVOR(categories=[0, 10, 100]).fit(X, numbers[place])
    scorer = get_scorer("neg_mean_absolute_error")
    assert scorer(free, X, numbers[place]) == -mean_absolute_error(numbers[place], free.predict(X))
    assert scorer(named, X, numbers[place]) == scorer(free, X, numbers[place]) < -1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_bins", [2, 3, 4, 5, 7, 10])
def test_bins_of_weighted_rows_are_those_of_repeated_rows(n_bins, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 60))
    y, weight = rng.choice([rng.standard_normal(n), rng.integers(0, 6, n) / 2]), rng.integers(0, 4, n)
    weight[:2] = 1
    again = np.repeat(np.arange(n), weight)
    kept = np.flatnonzero(weight)
    edges = np.quantile(y[again], np.arange(1, n_bins) / n_bins)
    expected = np.unique(np.searchsorted(edges, y[kept]), return_inverse=True)[1]
    if expected.max() > 0:
        np.testing.assert_array_equal(ranks_of(y[kept], n_bins, "share", weight[kept])[0], expected)
        np.testing.assert_array_equal(ranks_of(y[kept], n_bins, "share", 3e-7 * weight[kept] / 7)[1][0], 1)
    plain = np.quantile(y, np.arange(1, n_bins) / n_bins)
    if len(np.unique(np.searchsorted(plain, y))) > 1:
        rank = ranks_of(y, n_bins)[0]
        np.testing.assert_array_equal(rank, np.unique(np.searchsorted(plain, y), return_inverse=True)[1])
        np.testing.assert_array_equal(rank, ranks_of(y, n_bins, "share", np.full(n, 1e-9))[0])


def test_class_weights_of_a_fold_that_lacks_a_grade():
    X, place = made()
    some = place > 0
    plain = SVOR(kernel="linear", class_weight={1: 2.0, 2: 3.0}).fit(X[some], place[some])
    every = {0: 9.0, 1: 2.0, 2: 3.0}
    assert SVOR(kernel="linear", class_weight=every).fit(X[some], place[some]).objective_ == plain.objective_
    names = np.array(["low", "mid", "high"])
    given = {"kernel": "linear", "categories": names.tolist()}
    for weights in ({"low": 9.0, "mid": 2.0, "high": 3.0}, {"low": 9.0}):
        SVOR(class_weight=weights, **given).fit(X[some], names[place[some]])
    with pytest.warns(UnknownGradeWarning, match="names 7, which no row of y has, and has no weight for 1"):
        SVOR(kernel="linear", class_weight={7: 2.0, 0: 1.0}).fit(X, place)


@pytest.mark.parametrize("order", [[0, 1], [1, 0], [0, 1, 2], [2, 0, 1], [0, 1, 2, 3]], ids=str)
def test_a_score_on_a_threshold_has_one_grade(order):
    """Scores of a linear function of one column can be put on each threshold, and between two that are equal."""
    X = np.arange(4.0 * len(order))[:, None]
    fitted = FixedMarginSVM(kernel="linear", categories=order).fit(X, np.repeat(order, 4))
    fitted.coef_ = fitted.model_.w[:] = 1.0
    for thresholds in (np.arange(1.0, len(order)), np.ones(len(order) - 1), -np.arange(1.0, len(order))):
        fitted.thresholds_ = thresholds
        rows = np.concatenate([thresholds, thresholds - 0.5, thresholds + 0.5, np.nextafter(thresholds, -9)])[:, None]
        depth = fitted.decision_function(rows)
        column = (depth > 0).astype(int) if depth.ndim == 1 else depth.argmax(axis=1)
        np.testing.assert_array_equal(fitted.classes_[column], fitted.predict(rows))


def test_hundreds_of_grades_are_told_and_allowed_by_name():
    X, _ = made(120)
    price = np.arange(120) % 60
    for estimator in (SVOR(constraints="explicit"), ThresholdedRanker(Ridge()), PRank(random_state=0)):
        with pytest.warns(ManyGradesWarning, match=r"y holds 60 distinct numbers.*n_bins=5") as told:
            clone(estimator).fit(X, price)
        assert told[0].filename == __file__
        clone(estimator).set_params(categories=range(60)).fit(X, price)
    SVOR(n_bins=5).fit(X, price)
