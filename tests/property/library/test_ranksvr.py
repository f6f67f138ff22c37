"""RankSVR: rows by hand, epsilon-SVR of scikit-learn, the independent QP, both parts of the prediction, orderings."""

import numpy as np
import pytest
import sklearn
from scipy.optimize import minimize
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from rankmargin import RankSVR
from rankmargin.kernels import Kernel

KERNELS = [
    {"kernel": "rbf", "gamma": 0.5},
    {"kernel": "linear"},
    {"kernel": "poly", "gamma": 0.5, "degree": 2, "coef0": 1.0},
]


def problem(seed, n=12, m=15, p=25):
    """Targets, rows to order, and pairs without a cycle: a sum of waves whose order is known."""
    rng = np.random.default_rng([seed, 2010])
    X, Z = rng.standard_normal((n, 3)), rng.standard_normal((m, 3))

    def target(A):
        return 2.0 * np.sin(A[:, 0]) + A[:, 1]

    i, j = rng.integers(m, size=(2, p))
    i, j = i[i != j], j[i != j]
    up = target(Z)[i] > target(Z)[j]
    return X, target(X), Z, np.column_stack([np.where(up, i, j), np.where(up, j, i)])


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
@pytest.mark.parametrize("C", [0.1, 10.0])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_without_pairs_it_is_the_svr_of_scikit_learn(kernel, C, offset):
    X, y, Z, _ = problem(1, n=60)
    y = y + offset + 0.3 * np.random.default_rng(0).standard_normal(60)
    ours = RankSVR(C=C, epsilon=0.2, tol=1e-9, **kernel).fit(X, y)
    theirs = SVR(C=C, epsilon=0.2, tol=1e-8, **kernel).fit(X, y)
    np.testing.assert_allclose(ours.predict(Z), theirs.predict(Z), atol=1e-4)
    beta = np.zeros(60)
    beta[theirs.support_] = theirs.dual_coef_[0]
    loss = np.maximum(np.abs(y - theirs.predict(X)) - 0.2, 0.0).sum()
    objective = 0.5 * beta @ Kernel(*kernel.values()).gram(X, X) @ beta + C * loss
    assert loss > 0.1
    assert ours.objective_ == pytest.approx(objective, rel=1e-5)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
def test_prediction_is_an_svr_part_and_a_ranking_part(kernel):
    """Claim R21: kernel values with X times the targets' coefficients, with Z times the orderings', and b."""
    X, y, Z, pairs = problem(2)
    model = RankSVR(C=2.0, C_rank=0.5, **kernel).fit(X, y, Z, pairs)
    new = np.random.default_rng(0).standard_normal((9, 3))
    n, rows, alpha = len(X), model.model_.problem.rows, model.model_.solution.alpha
    svr_coef, rank_coef = (
        model.model_.over_all_rows(rows.coefficients(alpha * of)) for of in (rows.threshold >= 0, rows.threshold < 0)
    )
    svr, rank = (
        Kernel(*kernel.values()).gram(new, X) @ svr_coef[:n],
        Kernel(*kernel.values()).gram(new, Z) @ rank_coef[n:],
    )
    assert np.abs(svr).max() > 0.01 and np.abs(rank).max() > 0.01
    assert not np.any(svr_coef[n:]) and not np.any(rank_coef[:n])
    assert svr_coef.sum() == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(model.predict(new), svr + rank + model.intercept_, atol=1e-9)
    np.testing.assert_allclose(svr_coef + rank_coef, model.dual_coef_, atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
def test_the_squared_hinge_is_least_and_counts_squares_outside_the_tube(kernel):
    X, y, Z, pairs = problem(3)
    stacked = np.vstack([X, Z])
    K, n = Kernel(*kernel.values()).gram(stacked, stacked), len(X)
    given = {"C": 2.0, "C_rank": 0.5, "C_scale": "pairs", "epsilon": 0.2, "margin": 0.7}

    def objective(point):
        f = K @ point[1:]
        outside = np.maximum(np.abs(y - f[:n] - point[0]) - 0.2, 0.0)
        lack = np.maximum(0.7 - (f[n:][pairs[:, 0]] - f[n:][pairs[:, 1]]), 0.0)
        return 0.5 * point[1:] @ f + 2.0 * outside @ outside + 0.5 * lack @ lack

    model = RankSVR(loss="squared_hinge", tol=1e-6, **given, **kernel).fit(X, y, Z, pairs)
    point = np.append(model.intercept_, model.dual_coef_)
    assert objective(point) == pytest.approx(model.objective_, rel=1e-9) and 0 <= model.gap_ <= 1e-6
    least = minimize(objective, np.zeros(len(point))).fun
    assert model.dual_bound_ - 1e-9 <= least <= model.objective_ * (1 + 1e-3)
    assert objective(point) < 0.99 * objective(point * 0.9)
    hinge = RankSVR(**given, **kernel).fit(X, y, Z, pairs)
    assert objective(np.append(hinge.intercept_, hinge.dual_coef_)) > 1.001 * model.objective_


def test_rows_of_z_in_no_pair_change_and_cost_nothing():
    X, y, Z, _ = problem(10)
    more = np.vstack([Z, np.random.default_rng(0).standard_normal((5000, 3))])
    pairs = np.array([[3, 8], [1, 2]])
    few, many = (RankSVR(gamma=0.5, tol=1e-9).fit(X, y, rows, pairs) for rows in (Z, more))
    np.testing.assert_allclose(few.predict(Z), many.predict(Z), atol=1e-6)
    assert many.model_.problem.space.n == 12 + 4
    assert many.dual_coef_.shape == (12 + 5015,)
    assert set(np.flatnonzero(many.dual_coef_[12:])) <= {1, 2, 3, 8}
    points = np.vstack([X, Z])
    K = Kernel("rbf", 0.5).gram(points, points)
    given = RankSVR(kernel="precomputed", tol=1e-9).fit(K[:12], y, K[12:], pairs)
    np.testing.assert_allclose(given.predict(K), few.predict(points), atol=1e-6)


def test_metadata_routing_carries_the_pairs_through_a_pipeline():
    X, y, Z, pairs = problem(7)
    X, Z = 10 * X + 3, 10 * Z + 3
    scaler = StandardScaler().fit(X)
    direct = RankSVR(gamma=0.5).fit(scaler.transform(X), y, scaler.transform(Z), pairs)
    with sklearn.config_context(enable_metadata_routing=True):
        ranker = RankSVR(gamma=0.5).set_fit_request(Z=True, pairs=True)
        pipeline = make_pipeline(StandardScaler(), ranker, transform_input=["Z"]).fit(X, y, Z=Z, pairs=pairs)
    np.testing.assert_allclose(pipeline.predict(Z), direct.predict(scaler.transform(Z)))
