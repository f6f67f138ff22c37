"""Cumulative links, regression and classification on ranks, perceptron on pairs."""

from dataclasses import replace
from functools import wraps

import numpy as np
import pytest
from made_problems import noisy
from scipy.sparse import csr_matrix
from scipy.special import expit
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, SVR

from rankbench.baselines import blind, multiclass_svm
from rankbench.papers.herbrich.methods import pairwise_perceptron, svr_on_ranks
from rankmargin import CumulativeLink
from rankmargin.certificates import judge
from rankmargin.estimators.path import fit_path
from rankmargin.metrics import mean_absolute_error, swapped_pairs, zero_one
from rankmargin.problem import products
from rankmargin.solvers import likelihood
from rankmargin.solvers.smo import smo

CDF = {"logit": expit, "probit": norm.cdf, "cloglog": lambda eta: 1 - np.exp(-np.exp(eta))}


@pytest.fixture(scope="module")
def data():
    X, u = noisy(150, 3, 0.6, lambda X: X[:, 0] + 0.5 * X[:, 1])
    return X, np.digitize(u, [-1.0, 0.0, 1.0]) + 1


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_cumulative_link_is_table_2_1_and_maximal(link, data):
    """Probabilities follow the table; no small change of the parameters raises the likelihood."""
    X, y = data
    fitted = CumulativeLink(link=link).fit(X, y)
    proba = fitted.predict_proba(X)
    cumulative = CDF[link](fitted.theta_[None, :] - (X @ fitted.coef_)[:, None])
    np.testing.assert_allclose(np.cumsum(proba, axis=1)[:, :-1], cumulative, atol=1e-12)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)

    def log_likelihood(w, theta):
        below = CDF[link](theta[None, :] - (X @ w)[:, None])
        p = np.diff(np.pad(below, ((0, 0), (1, 1)), constant_values=((0, 0), (0.0, 1.0))), axis=1)
        return np.log(p[np.arange(150), y - 1]).sum()

    best, rng = log_likelihood(fitted.coef_, fitted.theta_), np.random.default_rng(1)
    for _ in range(50):
        step = 0.01 * rng.standard_normal(6)
        assert log_likelihood(fitted.coef_ + step[:3], fitted.theta_ + step[3:]) < best + 1e-6
    assert zero_one(y, fitted.predict(X)) < 0.45
    median = fitted.classes_[np.argmax(np.cumsum(proba, axis=1) > 0.5, axis=1)]
    np.testing.assert_array_equal(fitted.predict(X), median)
    np.testing.assert_array_equal(fitted.classes_[fitted.decision_function(X).argmax(axis=1)], median)


@pytest.mark.parametrize("form", [np.asarray, np.float32, csr_matrix])
@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_derivatives_of_the_likelihood_are_those_of_finite_differences(link, form, data, monkeypatch):
    """Near the middle and far out in both tails, where log(F(up) - F(low)) must not cancel."""
    monkeypatch.setattr(products, "CACHED", 60)  # several parts
    X, y = data
    rows, unit = products.CentredRows(form(X), X.mean(axis=0)), np.array([0.5, 1.0, 2.0])
    problem = likelihood._Likelihood(rows, unit, y - 1, 4, 1.0 + np.arange(150) % 3, link, np.ones(3))

    def at(point):
        found = problem.at(point[:3], point[3:])
        hessian = problem.hessian(found)
        images = [problem.hessian_times(found, step) for step in np.eye(6)]
        np.testing.assert_allclose(images, hessian, atol=1e-12 * hessian.max())
        return found.value, found.gradient, hessian

    for size in (0.3, 1.0, 2.0):
        point = np.concatenate([size * np.array([1.0, -2.0, 0.5]), [-2.0, 0.1, 0.7]])
        value, gradient, hessian = at(point)
        for c, step in enumerate(1e-5 * np.eye(6)):
            (above, g_above, _), (below, g_below, _) = at(point + step), at(point - step)
            assert gradient[c] == pytest.approx((above - below) / 2e-5, rel=1e-6, abs=1e-9 * abs(value) / 1e-5)
            np.testing.assert_allclose(hessian[c], (g_above - g_below) / 2e-5, rtol=1e-5, atol=1e-6 * hessian.max())


@pytest.mark.parametrize("n_columns", [2, 80])
def test_columns_that_depend_on_each_other_share_a_weight(n_columns):
    """With 80 columns steps are by conjugate gradients, and few rows show that nothing is flat."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2000, n_columns))
    y = np.digitize(X[:, 0] + rng.logistic(size=2000), [-1.0, 1.0])
    plain, csr, single, twice, penalised, constant = (
        CumulativeLink(penalty=penalty).fit(rows, y)
        for rows, penalty in (
            (X, 0),
            (csr_matrix(X), 0),
            (np.float32(X), 0),
            (X[:, [0, *range(n_columns)]], 0),
            (X, 1e-9),
            (np.column_stack([X, np.full(2000, 7.0)]), 0),
        )
    )
    s, theta = X @ plain.coef_, plain.theta_
    slope = (y < 2) * expit(s - theta[np.minimum(y, 1)]) - (y > 0) * expit(theta[np.maximum(y - 1, 0)] - s)
    np.testing.assert_allclose(X.T @ slope, 0.0, atol=1e-3)  # the gradient; it is up to 2000 elsewhere
    np.testing.assert_allclose(constant.coef_, np.append(plain.coef_, 0.0), atol=1e-6)
    np.testing.assert_allclose(csr.coef_, plain.coef_, atol=1e-6)
    np.testing.assert_allclose(single.coef_, plain.coef_, atol=1e-6)
    np.testing.assert_allclose(penalised.coef_, plain.coef_, atol=1e-6)
    np.testing.assert_allclose(twice.coef_, np.r_[[plain.coef_[0] / 2] * 2, plain.coef_[1:]], atol=1e-5)


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_a_link_in_its_tails(link):
    """Where the plain difference of two probabilities is 0, its logarithm is not."""
    log_and_slopes = likelihood.INTERVALS[link]
    up, low = np.array([-35.0, 36.0, np.inf, 1.0]), np.array([-36.0, 35.0, 1.0, -np.inf])
    log_p, slopes = log_and_slopes(up, low)
    expected = {
        "logit": [np.log(np.expm1(1.0)) - 36.0, np.log(np.expm1(1.0)) - 36.0, -np.log1p(np.e), -np.log1p(np.exp(-1.0))],
        "probit": [norm.logcdf(-35.0), norm.logcdf(-35.0), norm.logcdf(-1.0), norm.logcdf(1.0)],
        "cloglog": [np.log(np.expm1(1.0)) - 36.0, -np.exp(35.0), -np.e, np.log(-np.expm1(-np.e))],
    }[link]
    np.testing.assert_allclose(log_p, expected, rtol=1e-12)
    assert all(np.isfinite(slope).all() for slope in slopes)


def test_of_weights_with_the_same_scores_the_shortest_are_taken(data):
    """Repeated columns, and a column that is the sum of others: the likelihood is the same for many weights."""
    X, y = data
    one, twice = CumulativeLink().fit(X, y), CumulativeLink().fit(np.hstack([X, X]), y)
    np.testing.assert_allclose(twice.coef_, np.tile(one.coef_, 2) / 2, rtol=1e-6)
    dummies = np.eye(3)[np.arange(len(y)) % 3] * 2.0 + 7.0
    w = CumulativeLink().fit(dummies, y).coef_
    assert abs(w.sum()) <= 1e-9 * np.abs(w).max() > 0


def test_weights_and_penalty_of_cumulative_links(data):
    X, y = data
    weight = np.random.default_rng(1).integers(1, 4, 150)
    twice = np.repeat(X, weight, axis=0), np.repeat(y, weight)
    for link in ("logit", "probit", "cloglog"):
        for penalty in (0.0, 2.0):
            one = fit_path(CumulativeLink(link=link, penalty=penalty), X, y, [None], sample_weight=weight)[0]
            two = fit_path(CumulativeLink(link=link, penalty=penalty), *twice, [None])[0]
            np.testing.assert_allclose(one.w, two.w, rtol=1e-5)
            np.testing.assert_allclose(one.boundaries + one.shift, two.boundaries + two.shift, rtol=1e-5)
    ours = CumulativeLink(penalty=5.0).fit(100 * X, y > 2)
    theirs = LogisticRegression(C=0.2, tol=1e-10).fit(100 * X, y > 2)
    np.testing.assert_allclose(ours.coef_, theirs.coef_[0], rtol=1e-4)
    ours, theirs = CumulativeLink(penalty=5.0).fit(X, y > 2), LogisticRegression(C=0.2, tol=1e-10).fit(X, y > 2)
    np.testing.assert_allclose(ours.coef_, theirs.coef_[0], rtol=1e-4)
    as_many_ranks = CumulativeLink(penalty=1.0).fit(X[:8], np.arange(8))  # refused without a penalty
    assert np.all(np.diff(as_many_ranks.thresholds_) > 0)


def test_ranks_that_can_be_separated_are_told(data):
    X, _ = data
    with pytest.warns(likelihood.SeparationWarning, match="the ranks can be separated by X"):
        separated = CumulativeLink().fit(X, np.digitize(X[:, 0], [-1.0, 0.0, 1.0]))
    assert zero_one(np.digitize(X[:, 0], [-1.0, 0.0, 1.0]), separated.predict(X)) == 0.0


def test_multiclass_svm_predicts_what_pairwise_svms_vote(data):
    X, y = data
    model = multiclass_svm.MulticlassSVM(C=2.0, gamma=0.5).fit(X, 10 * y).model_
    np.testing.assert_array_equal(model.labels(X), 10 * SVC(C=2.0, gamma=0.5).fit(X, y).predict(X))
    np.testing.assert_array_equal(model.scores(X), model.labels(X) / 10 - 1)
    assert model.machine.n_support_.shape == (4,)


@pytest.mark.parametrize(("representation", "carry"), [("index", np.asarray), ("exp", np.exp)])
def test_regression_is_svr_cut_at_the_chapters_thresholds(representation, carry, data):
    X, y = data
    kernel = {"kernel": "poly", "gamma": 0.5, "degree": 2, "coef0": 1.0}
    model = (
        svr_on_ranks.SVROnRanks(C=2.0, representation=representation, epsilon=0.1, tol=1e-8, **kernel)
        .fit(X, 10 * y)
        .model_
    )
    expected = SVR(C=2.0, epsilon=0.1, tol=1e-8, **kernel).fit(X, carry(y.astype(float))).predict(X)
    np.testing.assert_allclose(model.scores(X), expected, atol=1e-3 * np.ptp(expected))
    np.testing.assert_allclose(model.boundaries, carry(np.array([1.5, 2.5, 3.5])))
    ranks = 10 * (1 + np.searchsorted(model.boundaries, model.scores(X), side="right"))
    np.testing.assert_array_equal(model.labels(X), ranks)
    assert zero_one(10 * y, ranks) < 0.6


def test_regression_takes_the_chapters_C_and_either_solver(data, monkeypatch):
    X, y = data
    model = svr_on_ranks.SVROnRanks(C=1e6, kernel="poly", gamma=1.0, degree=2, coef0=1.0).fit(X[:45], y[:45]).model_
    assert judge(model).gap <= 1e-3
    few = svr_on_ranks.SVROnRanks(C=1.0, gamma=0.3, tol=1e-7).fit(X, y).model_
    monkeypatch.setattr(svr_on_ranks, "FEW_EXAMPLES", 10)
    many = svr_on_ranks.SVROnRanks(C=1.0, gamma=0.3, tol=1e-7).fit(csr_matrix(X), y).model_
    np.testing.assert_allclose(few.scores(X), many.scores(X), atol=1e-3)


def test_regression_goes_on_by_smo_where_double_precision_ends(monkeypatch):
    """Two equal rows have neighbouring ranks, so no function lies strictly inside the tube of half width 0.5."""
    X = np.array([[0, 0], [1, 0], [0.8, 0.6], [0.6, 0.8], [0, 0], [0.96, 0.28]])
    used = []
    noted = replace(smo, run=wraps(smo.run)(lambda *problem: used.append("smo") or smo.run(*problem)))
    monkeypatch.setattr(svr_on_ranks, "smo", noted)
    model = (
        svr_on_ranks.SVROnRanks(C=1e6, kernel="poly", gamma=1.0, coef0=1.0, degree=2)
        .fit(X, np.array([1.0, 2, 2, 1, 0, 2]))
        .model_
    )
    assert judge(model).gap <= 1e-3 and used == ["smo"]
    np.testing.assert_allclose(model.scores(X)[[0, 4]], 1.5, atol=1e-3)


def test_perceptron_stops_within_the_bound_of_theorem_1_1():
    """Separable pairs: at most (R / rho)^2 updates, R the largest difference, rho the margin of the true direction."""
    X = np.random.default_rng(0).integers(-3, 4, (25, 2)).astype(float)
    y = X @ np.array([2.0, 1.0])
    model = pairwise_perceptron.PairwisePerceptron(epochs=1000, random_state=1).fit(X, y).model_
    differences = (X[:, None] - X[None]).reshape(-1, 2)
    gaps = np.abs(np.subtract.outer(y, y)).ravel() / np.sqrt(5.0)
    radius, margin = np.sqrt((differences[gaps > 0] ** 2).sum(axis=1).max()), gaps[gaps > 0].min()
    assert model.converged
    assert 0 < model.n_updates <= (radius / margin) ** 2
    assert swapped_pairs(y, model.scores(X)) == 0.0
    short = pairwise_perceptron.PairwisePerceptron(epochs=1, random_state=1).fit(X, y).model_
    assert not short.converged


def test_perceptron_takes_sparse_rows_and_groups(data):
    X, y = data
    dense, sparse = (
        pairwise_perceptron.PairwisePerceptron(epochs=3).fit(rows, y).model_ for rows in (X, csr_matrix(X))
    )
    np.testing.assert_allclose(dense.coefficients, sparse.coefficients)
    groups = np.arange(150) % 2
    shifted = pairwise_perceptron.PairwisePerceptron(epochs=3).fit(X, y + 100 * groups, groups=groups).model_
    plain = pairwise_perceptron.PairwisePerceptron(epochs=3).fit(X, y, groups=groups).model_
    np.testing.assert_allclose(shifted.coefficients, plain.coefficients)


def test_the_constant_answer_is_the_best_of_its_kind_and_the_random_one_has_the_shares(data):
    X, y = data
    constant, drawn = (blind.Blind(answer=answer, random_state=1).fit(X, 10 * y).model_ for answer in blind.ANSWERS)
    errors = [mean_absolute_error(10 * y, np.full(150, 10 * rank)) for rank in (1, 2, 3, 4)]
    assert mean_absolute_error(10 * y, constant.labels(X)) == min(errors)
    assert blind.Blind().fit(X[:4], np.array([1, 1, 3, 3])).model_.labels(X[:2]).tolist() == [1, 1]
    many = drawn.labels(np.empty((100_000, 0)))
    shares = [np.mean(many == rank) - np.mean(10 * y == rank) for rank in np.unique(10 * y)]
    assert np.abs(shares).max() < 0.01
    np.testing.assert_array_equal(drawn.scores(X), drawn.labels(X))
    other = blind.Blind(answer="random", random_state=2).fit(X, 10 * y).model_
    assert not np.array_equal(drawn.labels(X), other.labels(X))
