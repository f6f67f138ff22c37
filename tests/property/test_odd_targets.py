"""Targets of any type and size, and columns of any scale: right, or one clear ValueError, within five seconds."""

import time
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.linear_model import Ridge

from rankmargin import SVOR, RankSVR, ThresholdedRanker
from rankmargin.certificates import judge
from rankmargin.solvers.solution import ConvergenceWarning

SECONDS = 5.0


@pytest.fixture(autouse=True)
def _quick():
    """No warnings are accepted here (they are errors), and no waiting; compilation is not the estimator's time."""
    RankSVR(kernel="linear").fit([[0.0], [1.0]], [0.0, 1.0], pairs=[[0, 1]])
    started = time.process_time()
    yield
    assert time.process_time() - started < SECONDS


def rows(n=20, d=3, scale=1.0):
    return np.random.default_rng(7).standard_normal((n, d)) * scale


def confirmed(model, X, tol=1e-3):
    """Assert that the estimator has converged and that the judge finds the same."""
    found = judge(model.model_, X)
    assert model.gap_ <= tol and found.gap <= tol and found.infeasibility < 1e-9
    np.testing.assert_allclose(found.objective, model.objective_, rtol=1e-6)


@pytest.mark.parametrize("pairs", [None, [[0, 1], [2, 3]]])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize(("scale", "fits"), [(1e150, True), (1e280, True), (1e299, False), (5e307, False)])
def test_huge_targets(scale, fits, kernel, pairs):
    X, y = rows(), np.clip(rows()[:, 0], -2, 2) * scale
    model = RankSVR(kernel=kernel)
    if fits:
        confirmed(model.fit(X, y, pairs=pairs), X)
    else:
        with pytest.raises(
            ValueError, match=r"y must have a loss below 1e\+300 with C=1, got targets up to .*: scale y"
        ):
            model.fit(X, y, pairs=pairs)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("scale", [1e-12, 1e-100, 1e-125, 1e-135, 1e-160, 1e-307, 5e-324])
def test_tiny_targets(scale, kernel):
    """In a tube, or beside orderings, nothing depends on them. Alone they are targets with a C that is far too large:
    the objective is right beside what f = 0 costs, if not beside itself, if their squares are numbers."""
    X, y, pairs = rows(), np.where(rows()[:, 0] > 0, 3.0, 0.0) * scale, [[0, 1], [2, 3]]
    for model, given in ((RankSVR(kernel=kernel, epsilon=0.0), {"pairs": pairs}), (RankSVR(kernel=kernel), {})):
        confirmed(model.fit(X, y, **given), X)
        nothing = clone(model).fit(X, np.zeros(20), **given)
        np.testing.assert_allclose(model.predict(X), nothing.predict(X), atol=1e-2 * model.objective_ + 9 * scale)
    alone = RankSVR(kernel=kernel, epsilon=0.0, C=100)
    if scale > 1e-130:  # squares of others are too close to the smallest float64
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            alone.fit(X, y)
        s, of_nothing = alone.predict(X), 100 * np.abs(y).sum()
        objective = 100 * np.abs(y - s).sum() + 0.5 * alone.dual_coef_ @ (s - alone.intercept_)
        assert alone.dual_bound_ <= alone.objective_ + 1e-12 * of_nothing <= of_nothing
        assert abs(alone.objective_ - objective) <= 1e-3 * objective + 1e-11 * of_nothing
    for grader in (SVOR(C=100), ThresholdedRanker(Ridge())):
        assert grader.fit(X, y).classes_.tolist() == [0.0, 3.0 * scale]


class Cubes(RegressorMixin, BaseEstimator):
    """A ranker whose scores overflow for X beyond 1e102."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        with np.errstate(over="ignore"):
            return X[:, 0] ** 3


@pytest.mark.parametrize("where", ["fit", "predict"])
def test_a_ranker_whose_scores_overflow(where):
    X, y, model = rows(), np.repeat([1, 2], 10), ThresholdedRanker(Cubes())
    model.fit(X, y)
    with pytest.raises(ValueError, match=r"ranker must give finite scores, got -?inf of Cubes\(\): scale X or y"):
        model.fit(X * 1e110, y) if where == "fit" else model.predict(X * 1e110)
