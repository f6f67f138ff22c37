"""An independent QP: the primal of the row problem with slacks, solved by cvxopt's interior point method."""

import cvxopt
import numpy as np


def optimum(rows, K, C):
    """Return the optimal objective of 1/2 ||f||^2 + C sum cost hinge over f and theta, ordered if ``rows.ordered``.

    Variables are (v, theta, xi) with s = Phi v and K = Phi Phi^T from an eigendecomposition.
    """
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-13 * max(values.max(), 1.0)
    Phi = vectors[:, kept] * np.sqrt(values[kept])
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
