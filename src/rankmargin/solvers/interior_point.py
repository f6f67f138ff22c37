"""A primal-dual interior point method for pairs and tubes (Mehrotra 1992; Ferris and Munson 2002 for SVMs).

    min 1/2 ||v||^2 + sum_t u_t xi_t   with   B v + xi - slack = margin, xi >= 0, slack >= 0,   u_t = C cost_t

v are coordinates of f (scores = Phi v, K = Phi Phi^T) and B = sign (Phi[plus] - Phi[minus]).  Its dual variables alpha
(of the rows) and u - alpha (of xi) stay inside the box, so f_alpha has a certificate at every iteration.  A Newton step
solves (I + B^T D^-1 B) dv = r with a diagonal D: B is never formed, as B^T D^-1 B = Phi^T L Phi with L the Laplacian of
the pairs weighted by 1 / D.

A threshold is an example more, below which its rows put theirs: a coordinate of v of its own that the norm does not
count.  That its rows balance is then dual feasibility, which Newton steps approach like all linear equations: an
iterate proves something once its balance is BALANCED.

The number of iterations, 15 to 40, hardly depends on C: coordinate descent needs sweeps in proportion to C where
examples of different rank cannot be separated (C = 1,000,000 in Herbrich et al., section 2.5).  An iteration costs
O(N + n^3): for some hundred examples.
"""

from typing import NamedTuple

import numpy as np

from rankmargin.kernels import KernelSpace
from rankmargin.rows import Rows
from rankmargin.rows.thresholds import best_thresholds
from rankmargin.solvers.solution import Solution, check_controls, relative_gap, warn_unconverged

TO_BOUNDARY = 0.995
LEAST_GAP = 1e-9
BALANCED = 1e-9


def interior_point(rows, space, C_values, tol=1e-3, max_iter=200):
    """Solve the row problem for each C, each on its own.

    Parameters
    ----------
    rows : Rows without thresholds, or with free ones in rows of one example each
    space : KernelSpace or LinearSpace
    C_values : sequence of floats > 0
    tol : float, relative duality gap at which a solve ends
    max_iter : int, Newton steps a solve may take

    Returns
    -------
    list of Solution; without thresholds alpha is exactly 0 or C cost for the rows at a bound
    """
    if rows.ordered or rows.slope is not None or np.any((rows.minus >= 0) & (rows.threshold >= 0)):
        raise ValueError(
            "rows must have no thresholds for interior_point that are ordered or part two examples: use smo"
        )
    check_controls(C_values, tol, max_iter)
    problem = _Problem(rows, space)
    return [_solve(problem, C, tol, max_iter) for C in C_values]


class _Problem:
    """The rows with thresholds turned into examples, and the coordinates Phi of all of these.

    Attributes
    ----------
    given : Rows as they came
    rows : Rows without thresholds over n + n_thresholds examples
    Phi : (n + n_thresholds, r) array
    counted : (r,) array, 1 for the coordinates that the norm counts, 0 for those of the thresholds
    """

    def __init__(self, rows, space):
        self.given, n, r = rows, rows.n_samples, rows.n_thresholds
        Phi = _coordinates(space)
        self.Phi = np.block([[Phi, np.zeros((n, r))], [np.zeros((r, Phi.shape[1])), np.eye(r)]])
        self.counted = np.repeat([1.0, 0.0], [Phi.shape[1], r])
        self.rows = Rows.build(
            n + r,
            plus=rows.plus,
            minus=np.where(rows.threshold >= 0, n + rows.threshold, rows.minus),
            sign=rows.sign,
            margin=rows.margin,
            cost=rows.cost,
        )


def _coordinates(space):
    """Return Phi of shape (n, r) with K = Phi Phi^T."""
    if isinstance(space, KernelSpace):
        K = space.K
    else:
        X = space.X.toarray() if hasattr(space.X, "toarray") else np.asarray(space.X)
        if space.d <= space.n:
            return X
        K = X @ X.T
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-14 * max(values[-1], 0.0)
    return vectors[:, kept] * np.sqrt(values[kept])


def _solve(problem, C, tol, max_iter):
    rows, Phi = problem.rows, problem.Phi
    upper = C * rows.cost
    curvature = _curvature(rows, Phi)
    # 1. a start inside: f = 0, alpha in the middle of its box, slack - xi what the rows miss
    alpha, v = 0.5 * upper, np.zeros(Phi.shape[1])
    slack, xi = np.maximum(-rows.margin, 0.0) + 1.0, np.maximum(rows.margin, 0.0) + 1.0
    best, step = None, 0
    while step < max_iter:
        step += 1
        # 2. the certificate of alpha, where it is good with the rows at a bound put there
        found = _point(problem, alpha, upper)
        if found.gap <= tol and not problem.given.n_thresholds:
            vertices = (_vertex(problem, alpha, upper, slack, xi, scale) for scale in (curvature, 1.0 / upper))
            vertex = min(vertices, key=lambda point: point.gap)
            found = vertex if vertex.gap <= tol else found
        if best is None or found.gap < best.gap:
            best = found
        if best.gap <= tol and (found is not best or found.on_bounds or found.gap <= LEAST_GAP):
            break
        if min(alpha.min(), (upper - alpha).min(), slack.min(), xi.min()) <= 0.0:  # rounded to its bound: no step left
            break
        # 3. predictor: straight to the optimum; corrector: towards the centre, with the predictor's second-order terms
        try:
            newton = _Newton(problem, v, alpha, upper, slack, xi)
        except np.linalg.LinAlgError:  # as near as double precision comes
            break
        mu = (alpha @ slack + (upper - alpha) @ xi) / (2 * len(alpha))
        _, d_alpha, d_slack, d_xi = newton.direction(0.0, 0.0, 0.0)
        reach = _reach(alpha, upper, slack, xi, d_alpha, d_slack, d_xi)
        aimed = (alpha + reach * d_alpha) @ (slack + reach * d_slack)
        aimed += (upper - alpha - reach * d_alpha) @ (xi + reach * d_xi)
        centre = (aimed / (2 * len(alpha)) / mu) ** 3 * mu
        change = newton.direction(centre, d_alpha * d_slack, -d_alpha * d_xi)
        # 4. the step, short of the boundary
        reach = TO_BOUNDARY * _reach(alpha, upper, slack, xi, *change[1:])
        v, alpha, slack, xi = (a + reach * d for a, d in zip((v, alpha, slack, xi), change, strict=True))
    if best.gap > tol:
        warn_unconverged("interior_point", C, best.gap, tol, max_iter)
    return Solution(best.beta, best.theta, best.alpha, best.objective, best.dual, step, best.gap <= tol)


class _Newton:
    """The linear system of one iterate, factorised once for predictor and corrector."""

    def __init__(self, problem, v, alpha, upper, slack, xi):
        rows, Phi = self.rows, self.Phi = problem.rows, problem.Phi
        self.state = (alpha, upper - alpha, slack, xi)
        self.missing = rows.margin - rows.sign * rows.differences(Phi @ v) - xi + slack
        self.dual = problem.counted * v - Phi.T @ rows.coefficients(alpha)
        self.weight = 1.0 / (xi / (upper - alpha) + slack / alpha)
        matrix = Phi.T @ _laplacian(rows, self.weight) @ Phi
        matrix[np.diag_indices_from(matrix)] += problem.counted
        self.inverse = np.linalg.inv(np.linalg.cholesky(matrix))

    def direction(self, centre, slack_terms, xi_terms):
        """Return the change of v, alpha, slack and xi that aims at alpha slack = (upper - alpha) xi = centre."""
        alpha, rest, slack, xi = self.state
        to_slack, to_xi = (centre - slack_terms) / alpha - slack, (centre - xi_terms) / rest - xi
        right = self.missing - to_xi + to_slack
        right_v = self.Phi.T @ self.rows.coefficients(self.weight * right) - self.dual
        d_v = self.inverse.T @ (self.inverse @ right_v)
        d_alpha = self.weight * (right - self.rows.sign * self.rows.differences(self.Phi @ d_v))
        return d_v, d_alpha, to_slack - slack / alpha * d_alpha, to_xi + xi / rest * d_alpha


def _laplacian(rows, weight):
    """Return sum_t weight_t (e_plus - e_minus)(e_plus - e_minus)^T, shape (n, n)."""
    n = rows.n_samples
    plus, minus = rows.plus.astype(np.int64), rows.minus.astype(np.int64)
    paired = (plus >= 0) & (minus >= 0)
    cross = np.bincount(plus[paired] * n + minus[paired], weight[paired], n * n).reshape(n, n)
    diagonal = np.bincount(plus + 1, weight, n + 1)[1:] + np.bincount(minus + 1, weight, n + 1)[1:]
    return np.diag(diagonal) - cross - cross.T


def _curvature(rows, Phi):
    """Return ||phi_plus - phi_minus||^2 of each row, shape (N,)."""
    padded = np.vstack([Phi, np.zeros(Phi.shape[1])])
    products, norms = padded @ padded.T, np.sum(padded * padded, axis=1)
    return np.maximum(norms[rows.plus] + norms[rows.minus] - 2.0 * products[rows.plus, rows.minus], 1e-12)


def _reach(alpha, upper, slack, xi, d_alpha, d_slack, d_xi):
    """Return the largest step <= 1 that keeps everything positive."""
    largest = 1.0
    for value, change in ((alpha, d_alpha), (upper - alpha, -d_alpha), (slack, d_slack), (xi, d_xi)):
        falling = change < 0.0
        largest = min(largest, float(np.min(value[falling] / -change[falling], initial=1.0)))
    return largest


class _Point(NamedTuple):
    """Dual variables, what follows from them, and whether the rows at a bound are exactly there."""

    beta: np.ndarray
    theta: np.ndarray
    alpha: np.ndarray
    objective: float
    dual: float
    gap: float
    on_bounds: bool


def _point(problem, alpha, upper, on_bounds=False):
    rows, n = problem.given, problem.given.n_samples
    beta = rows.coefficients(alpha)
    v = problem.Phi[:n].T @ beta
    scores = problem.Phi[:n] @ v
    theta = best_thresholds(rows, scores, rows.n_thresholds)
    half_norm = 0.5 * float(v @ v)
    objective = half_norm + float(upper @ np.maximum(rows.margin - rows.values(scores, theta), 0.0))
    dual = float(rows.margin @ alpha) - half_norm
    balanced = rows.imbalance(alpha) <= BALANCED * float(alpha.sum())
    gap = relative_gap(objective, dual) if balanced else np.inf
    return _Point(beta, theta, alpha, objective, dual, gap, on_bounds)


def _vertex(problem, alpha, upper, slack, xi, scale):
    """Put rows at a bound that are nearer to it, in units of 1 / scale, than to their margin, and all others on it.

    Of alpha and slack one goes to 0 as the other stays; which one is plain only near the end, and in units that fit:
    the curvature says how far alpha moves its own row, 1 / upper what part of its box it is.
    """
    rows, Phi = problem.rows, problem.Phi
    at_zero, at_upper = scale * alpha < slack, scale * (upper - alpha) < xi
    alpha = np.where(at_zero, 0.0, np.where(at_upper, upper, alpha))
    free = np.flatnonzero(~at_zero & ~at_upper)
    padded = np.vstack([Phi, np.zeros(Phi.shape[1])])
    B = rows.sign[free, None] * (padded[rows.plus[free]] - padded[rows.minus[free]])
    short = rows.margin[free] - B @ (Phi.T @ rows.coefficients(alpha))
    inverse = np.linalg.pinv(B, rcond=1e-12)
    alpha[free] += inverse.T @ (inverse @ short)
    return _point(problem, np.clip(alpha, 0.0, upper), upper, True)
