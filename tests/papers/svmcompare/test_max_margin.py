"""Hard-margin comparisons: the two programs by hand, and against an independent QP; refusals: test_messages.py."""

import cvxopt
import numpy as np
import pytest

from rankbench.papers.svmcompare.max_margin import max_margin_lp, max_margin_qp


def separable(seed, n=25, d=2, scale=(1.0, 1.0)):
    """Return pairs that w0.(x' - x) labels without exception, with a gap at the boundaries; columns scaled."""
    rng = np.random.default_rng(seed)
    w0 = rng.standard_normal(d)
    w0 *= 1.5 / np.linalg.norm(w0)
    D = rng.uniform(-2, 2, (400, d))
    distance = np.abs(D @ w0) - 1
    D = np.vstack([D[distance > 0.2][: n // 2], D[distance < -0.2][: n - n // 2]])
    value = D @ w0
    X = rng.standard_normal(D.shape) * scale
    return X, X + D * scale, (value > 1).astype(int) - (value < -1)


def margins(w, X, X2, y):
    """Distance of each pair from the boundaries in units of the ranking function: the constraints of (7)."""
    value = (X2 - X) @ w
    return np.where(y == 0, 1 - np.abs(value), y * value - 1)


@pytest.mark.parametrize("seed", range(10))
def test_lp_margin_is_reached_and_not_beaten(seed):
    X, X2, y = separable(seed)
    best = max_margin_lp(X, X2, y)
    assert margins(best.w, X, X2, y).min() == pytest.approx(best.margin, abs=1e-9)
    rng = np.random.default_rng(seed)
    for w in best.w + rng.standard_normal((300, 2)) * rng.choice([0.003, 0.03, 0.3], (300, 1)):
        assert margins(w, X, X2, y).min() <= best.margin + 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_qp_is_that_of_an_independent_solver(seed):
    """Problem (12) term by term in cvxopt: variables u, beta."""
    X, X2, y = separable(seed)
    D, equal = X2 - X, y == 0
    ones = np.ones((len(y), 1))
    G = np.vstack(
        [np.hstack([s * D[equal], ones[equal]]) for s in (1, -1)] + [-np.hstack([D * y[:, None], ones])[~equal]]
    )
    P = np.diag([1.0, 1.0, 0.0])
    answer = cvxopt.solvers.qp(
        *(cvxopt.matrix(a) for a in (P, np.zeros(3), G, -np.ones(len(G)))),
        options={"show_progress": False, "abstol": 1e-12, "reltol": 1e-11, "feastol": 1e-11},
    )
    u, beta = np.array(answer["x"]).ravel()[:2], answer["x"][2]
    found = max_margin_qp(X, X2, y)
    np.testing.assert_allclose(found.w, -u / beta, rtol=1e-3, atol=1e-4)
    assert found.margin == pytest.approx(-1 / beta, rel=1e-3)
