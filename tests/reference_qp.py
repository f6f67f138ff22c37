"""Independent solvers by cvxopt's interior point methods: the row problem with slacks, and the sum of margins."""

import cvxopt
import numpy as np
from scipy.optimize import nnls


def features(K, least=1e-13):
    """Return Phi with K = Phi Phi^T, without the directions of the least eigenvalues."""
    values, vectors = np.linalg.eigh(K)
    kept = values > least * max(values.max(), 1.0)
    return vectors[:, kept] * np.sqrt(values[kept])


def optimum(rows, K, C):
    """Return the optimal objective of 1/2 ||f||^2 + C sum cost hinge over f and theta, ordered if ``rows.ordered``.

    Variables are (v, theta, xi) with s = Phi v and K = Phi Phi^T from an eigendecomposition.
    """
    Phi = features(K)
    d = Phi.shape[1]
    N, r = len(rows), rows.n_thresholds
    A = np.zeros((N, d + r + N))
    for t in range(N):
        if rows.plus[t] >= 0:
            A[t, :d] += rows.sign[t] * Phi[rows.plus[t]]
        if rows.minus[t] >= 0:
            A[t, :d] -= rows.sign[t] * Phi[rows.minus[t]]
        if rows.threshold[t] >= 0:
            A[t, d + rows.threshold[t]] -= rows.sign[t]
        A[t, d + r + t] = 1.0
    nonnegative = np.hstack([np.zeros((N, d + r)), np.eye(N)])
    order = np.zeros((max(r - 1, 0) if rows.ordered else 0, d + r + N))
    for k in range(len(order)):
        order[k, d + k], order[k, d + k + 1] = -1.0, 1.0
    G = -np.vstack([A, nonnegative, order])
    h = -np.concatenate([rows.margin, np.zeros(N + len(order))])
    P = np.zeros((d + r + N, d + r + N))
    P[:d, :d] = np.eye(d)
    q = np.concatenate([np.zeros(d + r), C * rows.cost])
    scale = max(C, 1e-6)
    options = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-10, "feastol": 1e-10, "maxiters": 300}
    answer = cvxopt.solvers.qp(*(cvxopt.matrix(a) for a in (P / scale, q / scale, G, h)), options=options)
    return answer["primal objective"] * scale


def largest_sum_of_margins(rows, K, C):
    """Solve the primal as a second-order cone problem with cvxopt: the reference, O(n^3) an iteration.

    Returns
    -------
    float, sum_j (b_j - a_j) - C sum hinge at the optimum
    """
    Phi = features(K, 1e-10)
    d, N, r = Phi.shape[1], len(rows), rows.n_thresholds
    # 1. variables (v, theta, xi): the rows, xi >= 0 and the order of the thresholds are linear
    hinge = np.hstack([-rows.sign[:, None] * Phi[rows.plus], np.zeros((N, r)), -np.eye(N)])
    hinge[np.arange(N), d + rows.threshold] = rows.sign
    slack = np.hstack([np.zeros((N, d + r)), -np.eye(N)])
    order = np.zeros((r - 1, d + r + N))
    order[np.arange(r - 1), d + np.arange(r - 1)] = 1.0
    order[np.arange(r - 1), d + np.arange(1, r)] = -1.0
    # 2. ||v|| <= 1 is the cone
    cone = np.zeros((d + 1, d + r + N))
    cone[1:, :d] = -np.eye(d)
    answer = cvxopt.solvers.conelp(
        cvxopt.matrix(np.concatenate([np.zeros(d), rows.slope, C * rows.cost])),
        cvxopt.sparse(cvxopt.matrix(np.vstack([hinge, slack, order, cone]))),
        cvxopt.matrix(np.concatenate([np.zeros(2 * N + r - 1), [1.0], np.zeros(d)])),
        {"l": 2 * N + r - 1, "q": [d + 1], "s": []},
        options={"show_progress": False, "abstol": 1e-8, "reltol": 1e-7, "feastol": 1e-7},
    )
    return -answer["primal objective"]


def squared_hinge_optimum(rows, K, C):
    """Return the optimal objective of 1/2 ||f||^2 + C sum cost max(0, margin - difference)^2 of pair rows.

    With xi = z / sqrt(2 C cost) it is the shortest (v, z) that meets linear inequalities: the least distance problem,
    which Lawson and Hanson (1974, chapter 23) solve by nonnegative least squares, an active set method.
    """
    Phi = features(K)
    G = np.hstack([Phi[rows.plus] - Phi[rows.minus], np.diag(1.0 / np.sqrt(2.0 * C * rows.cost))])
    scale = np.linalg.norm(G, axis=1)
    E = np.vstack([(G / scale[:, None]).T, rows.margin / scale])
    target = np.zeros(len(E))
    target[-1] = 1.0
    u, _ = nnls(E, target, maxiter=100 * len(rows))
    residual = E @ u - target
    return 0.5 * float(np.sum((residual[:-1] / residual[-1]) ** 2))
