"""Metrics that judge distributions of grades, and what methods say of grades."""

import numpy as np
import pytest

from rankbench.experiments.measures import METRICS, distribution_of, measure, measured, predictions
from rankbench.experiments.methods import fit_method
from rankmargin import metrics

SCORE = METRICS["ranked_probability_score"]
DISTRIBUTIONS = [
    ("CumulativeLink", {}),
    ("sklearn.linear_model.LogisticRegression", {}),
    ("sklearn.ensemble.RandomForestClassifier", {"n_estimators": 5}),
    ("rankbench.papers.today.methods.self_tuning.SelfTuning", {"estimator": "SVOR"}),
]
SURE = [("SVOR", {}), ("sklearn.linear_model.Ridge", {}), ("sklearn.svm.SVC", {})]


def graded(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    return X, np.digitize(X[:, 0] + 0.5 * rng.standard_normal(n), [-0.5, 0.8]) * 2.0 + 1  # grades 1, 3, 5


def fitted(uses, params, X, y):
    (model,) = fit_method(uses, X, y, [None], seed=0, params=params)
    return model


def test_a_grade_that_the_training_part_lacks_counts_by_its_distance():
    says = np.array([[0.5, 0.5]]), np.array([2.0, 3.0])
    assert SCORE([6], says) == pytest.approx(0.5**2 + 3)
    assert SCORE([0], says) == pytest.approx(2 + 0.5**2)


def test_the_score_is_the_expected_distance_less_half_the_spread():
    rng = np.random.default_rng(1)
    grades, y = np.array([0.0, 1.0, 1.5, 4.0]), rng.choice([0.0, 1.0, 1.5, 4.0], 50)
    p = rng.dirichlet(np.ones(4), 50)
    distance = p @ np.abs(grades[:, None] - y)
    spread = np.einsum("ni,ij,nj->n", p, np.abs(grades[:, None] - grades), p)
    assert SCORE(y, (p, grades)) == pytest.approx(np.mean(np.diag(distance) - spread / 2))


@pytest.mark.parametrize(("uses", "params"), DISTRIBUTIONS)
def test_a_method_with_probabilities_is_judged_by_them(uses, params):
    X, y = graded()
    model = fitted(uses, params, X[:80], y[:80])
    probabilities, grades = distribution_of(predictions(model, X[80:]))
    np.testing.assert_array_equal(grades, [1, 3, 5])
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert probabilities.min() >= 0
    shares = np.tile(np.bincount(y[:80].astype(int))[[1, 3, 5]] / 80, (40, 1))
    assert measure(SCORE, y[80:], model, X[80:]) < SCORE(y[80:], (shares, grades))


@pytest.mark.parametrize(("uses", "params"), SURE)
def test_a_method_without_probabilities_is_sure_of_its_grade(uses, params):
    X, y = graded()
    model = fitted(uses, params, X[:80], y[:80])
    error = metrics.mean_absolute_error(y[80:], model.labels(X[80:]))
    assert measure(SCORE, y[80:], model, X[80:]) == pytest.approx(error)


@pytest.mark.parametrize(("uses", "params"), [*DISTRIBUTIONS[:2], *SURE])
def test_what_a_run_keeps_gives_the_same_score(uses, params):
    X, y = graded()
    model = fitted(uses, params, X[:80], y[:80])
    kept = {"scores": model.scores(X[80:]), "y": y[80:], **predictions(model, X[80:])}
    assert measured(SCORE, kept) == measure(SCORE, y[80:], model, X[80:])
