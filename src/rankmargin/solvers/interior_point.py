"""A primal-dual interior point method for rows (Mehrotra 1992; Ferris and Munson 2002 for SVMs).

    min 1/2 ||v||^2 + sum_t u_t xi_t   with   B (v, theta) + xi - slack = margin, xi >= 0, slack >= 0,   u_t = C cost_t

v are coordinates of f (scores = Phi v, K = Phi Phi^T), and B (v, theta) are the values that the rows compare with their
margins.  The dual variables alpha (of the rows) and u - alpha (of xi) stay inside the box.  A Newton step solves
(P + B^T D^-1 B) x = r with diagonal D; P is 1 for v and 0 for theta.  B is never formed: for the part of v,
B^T D^-1 B = Phi^T L Phi, where L is the Laplacian of the pairs with the weights 1 / D.

The number of iterations, 10 to 40, hardly depends on C.  Coordinate descent needs a number of sweeps in proportion to C
if examples of different rank cannot be separated (C = 1,000,000 in Herbrich et al., section 2.5).  An iteration takes
O(N + n^3), so the method is for a few hundred examples.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankmargin.kernels import KernelSpace, LinearSpace
from rankmargin.rows.thresholds import best_thresholds
from rankmargin.solvers.progress import current
from rankmargin.solvers.solution import (
    Solution,
    check_controls,
    proved,
    relative_gap,
    rounded,
    scale_of,
    warn_unconverged,
)

TO_BOUNDARY = 0.995
LEAST_GAP, BALANCED = 1e-9, 1e-10
MOST_EXAMPLES, ENOUGH_STEPS = 512, 500_000


def steps_before(rows, space, max_iter):
    """Return after how many steps another solver should pass a problem on to this one, or ``max_iter`` if this one
    cannot solve it.

    With unscaled columns, or a kernel with very different values, the other solver would need millions of steps.
    """
    takes = isinstance(space, KernelSpace | LinearSpace) and space.n <= MOST_EXAMPLES and not rows.ordered
    return min(ENOUGH_STEPS, max_iter) if takes else max_iter


def interior_point(rows, space, C_values, tol=1e-3, max_iter=200):
    """Solve the row problem for each C separately.

    Parameters
    ----------
    rows : Rows with free thresholds or without thresholds
    space : KernelSpace or LinearSpace
    C_values : sequence of floats > 0
    tol : float, relative duality gap at which a solve ends
    max_iter : int, largest number of Newton steps for one C

    Returns
    -------
    list of Solution; alpha is exactly 0 or C cost for the rows at a bound
    """
    if rows.ordered:
        raise ValueError("rows must not require ordered thresholds for interior_point: use smo")
    check_controls(C_values, tol, max_iter)
    Phi = _coordinates(space)
    return [_as_the_judge_sees(_solve(rows, Phi, C, tol, max_iter), rows, space, C, tol, max_iter) for C in C_values]


def _as_the_judge_sees(best, rows, space, C, tol, max_iter):
    """Return the solution with the certificate by the kernel instead of by its coordinates, which leave out directions
    that are not positive in double precision."""
    theta, objective, dual = proved(rows, C * rows.cost, best.alpha, best.beta, space.scores(best.beta))
    converged = relative_gap(objective, dual) <= tol
    found = replace(best, theta=theta, objective=objective, dual_bound=dual, converged=converged)
    if best.converged and not found.converged:
        warn_unconverged("interior_point", C, found.gap, tol, best.n_iter, max_iter)
    return found


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


@np.errstate(divide="ignore", over="ignore", invalid="ignore")  # values that are not finite end the iteration
def _solve(rows, Phi, C, tol, max_iter):
    upper = C * rows.cost
    curvature = _curvature(rows, Phi)
    # 1. a start inside: f = 0, and alpha in the middle of its box; slack - xi is what the rows lack
    alpha, x = 0.5 * upper, np.zeros(Phi.shape[1] + rows.n_thresholds)
    slack, xi = np.maximum(-rows.margin, 0.0) + 1.0, np.maximum(rows.margin, 0.0) + 1.0
    best, step, progress = None, 0, current()
    while step < max_iter and not (best is not None and progress.expired):
        step += 1
        # 2. the certificate of alpha; if it is good, also with the rows that are nearly at a bound set to it
        found = _point(rows, Phi, alpha, upper)
        if found.gap <= tol:
            vertex = _best_vertex(rows, Phi, alpha, upper, slack, xi, curvature)
            found = vertex if vertex.gap <= tol else found
        if best is None or found.gap < best.gap:
            best = found
        progress.report("interior_point", C, step, best.objective, best.gap)
        if best.gap <= tol and (found is not best or found.on_bounds or found.gap <= LEAST_GAP):
            break
        # 3. the predictor goes straight to the optimum; the corrector goes towards the centre, with the predictor's
        # second-order terms
        try:
            newton = _Newton(rows, Phi, x, alpha, upper, slack, xi)
        except (np.linalg.LinAlgError, FloatingPointError):
            # double precision allows no further step, but rows can still be set to their bounds
            vertex = _best_vertex(rows, Phi, alpha, upper, slack, xi, curvature)
            best = vertex if vertex.gap < best.gap else best
            break
        mu = (alpha @ slack + (upper - alpha) @ xi) / (2 * len(alpha))
        _, d_alpha, d_slack, d_xi = newton.direction(0.0, 0.0, 0.0)
        reach = _reach(alpha, upper, slack, xi, d_alpha, d_slack, d_xi)
        aimed = (alpha + reach * d_alpha) @ (slack + reach * d_slack)
        aimed += (upper - alpha - reach * d_alpha) @ (xi + reach * d_xi)
        centre = (aimed / (2 * len(alpha)) / mu) ** 3 * mu
        change = newton.direction(centre, d_alpha * d_slack, -d_alpha * d_xi)
        # 4. the step, which ends before the boundary
        reach = TO_BOUNDARY * _reach(alpha, upper, slack, xi, *change[1:])
        moved = [a + reach * d for a, d in zip((x, alpha, slack, xi), change, strict=True)]
        if not all(np.isfinite(part).all() for part in moved):
            break
        x, alpha, slack, xi = moved
    if best.gap > tol:
        warn_unconverged("interior_point", C, best.gap, tol, step, max_iter)
    return Solution(best.beta, best.theta, best.alpha, best.objective, best.dual, step, best.gap <= tol)


class _Newton:
    """The linear system of one iterate; it is factorised once, for predictor and corrector."""

    def __init__(self, rows, Phi, x, alpha, upper, slack, xi):
        self.rows, self.Phi, self.state = rows, Phi, (alpha, upper - alpha, slack, xi)
        d = Phi.shape[1]
        self.missing = rows.margin - _compare(rows, Phi, x) - xi + slack
        self.dual = np.append(x[:d], np.zeros(rows.n_thresholds)) - _transpose(rows, Phi, alpha)
        self.weight = 1.0 / (xi / (upper - alpha) + slack / alpha)
        matrix = _normal(rows, Phi, self.weight)
        matrix[np.arange(d), np.arange(d)] += 1.0
        if not np.isfinite(matrix).all():
            raise FloatingPointError("a weight is not finite")
        self.inverse = np.linalg.inv(np.linalg.cholesky(matrix))

    def direction(self, centre, slack_terms, xi_terms):
        """Return the change of x, alpha, slack and xi that aims at alpha slack = (upper - alpha) xi = centre."""
        alpha, rest, slack, xi = self.state
        to_slack, to_xi = (centre - slack_terms) / alpha - slack, (centre - xi_terms) / rest - xi
        right = self.missing - to_xi + to_slack
        d_x = self.inverse.T @ (self.inverse @ (_transpose(self.rows, self.Phi, self.weight * right) - self.dual))
        d_alpha = self.weight * (right - _compare(self.rows, self.Phi, d_x))
        return d_x, d_alpha, to_slack - slack / alpha * d_alpha, to_xi + xi / rest * d_alpha


def _compare(rows, Phi, x):
    """Return B x, shape (N,), for x = (v, theta)."""
    return rows.values(Phi @ x[: Phi.shape[1]], x[Phi.shape[1] :])


def _transpose(rows, Phi, alpha):
    """Return B^T alpha."""
    return np.append(Phi.T @ rows.coefficients(alpha), -rows.balance(alpha))


def _normal(rows, Phi, weight):
    """Return B^T diag(weight) B, shape (d + n_thresholds, d + n_thresholds)."""
    d = Phi.shape[1]
    matrix = np.empty((d + rows.n_thresholds, d + rows.n_thresholds))
    matrix[:d, :d] = Phi.T @ _laplacian(rows, weight) @ Phi
    matrix[d:, :d] = -_at_thresholds(rows, weight).T @ Phi
    matrix[:d, d:] = matrix[d:, :d].T
    matrix[d:, d:] = np.diag(np.bincount(rows.threshold + 1, weight, rows.n_thresholds + 1)[1:])
    return matrix


def _laplacian(rows, weight):
    """Return sum_t weight_t (e_plus - e_minus)(e_plus - e_minus)^T, shape (n, n)."""
    n = rows.n_samples
    plus, minus = rows.plus.astype(np.int64), rows.minus.astype(np.int64)
    paired = (plus >= 0) & (minus >= 0)
    cross = np.bincount(plus[paired] * n + minus[paired], weight[paired], n * n).reshape(n, n)
    diagonal = np.bincount(plus + 1, weight, n + 1)[1:] + np.bincount(minus + 1, weight, n + 1)[1:]
    return np.diag(diagonal) - cross - cross.T


def _at_thresholds(rows, weight):
    """Return sum_t weight_t (e_plus - e_minus) e_threshold^T, shape (n, n_thresholds)."""
    shape = rows.n_samples + 1, rows.n_thresholds + 1

    def counts(index):
        return np.bincount((index + 1) * shape[1] + rows.threshold + 1, weight, shape[0] * shape[1]).reshape(shape)

    return (counts(rows.plus.astype(np.int64)) - counts(rows.minus.astype(np.int64)))[1:, 1:]


def _curvature(rows, Phi):
    """Return ||phi_plus - phi_minus||^2 of each row, shape (N,)."""
    padded = np.vstack([Phi, np.zeros(Phi.shape[1])])
    products, norms = padded @ padded.T, np.sum(padded * padded, axis=1)
    sums = norms[rows.plus] + norms[rows.minus]
    return np.maximum(sums - 2.0 * products[rows.plus, rows.minus], np.maximum(1e-12 * sums, np.finfo(float).tiny))


def _reach(alpha, upper, slack, xi, d_alpha, d_slack, d_xi):
    """Return the largest step <= 1 that keeps everything positive."""
    largest = 1.0
    for value, change in ((alpha, d_alpha), (upper - alpha, -d_alpha), (slack, d_slack), (xi, d_xi)):
        falling = change < 0.0
        largest = min(largest, float(np.min(value[falling] / -change[falling], initial=1.0)))
    return largest


class _Point(NamedTuple):
    """Dual variables, the quantities that follow from them, and whether rows at a bound are exactly there."""

    beta: np.ndarray
    theta: np.ndarray
    alpha: np.ndarray
    objective: float
    dual: float
    gap: float
    on_bounds: bool


def _point(rows, Phi, alpha, upper, on_bounds=False):
    beta = rows.coefficients(alpha)
    v = Phi.T @ beta
    scores = Phi @ v
    theta = best_thresholds(rows, scores, rows.n_thresholds)
    half_norm = 0.5 * float(v @ v)
    short = rows.margin - rows.values(scores, theta)
    objective = half_norm + float(upper @ np.maximum(short, 0.0))
    dual = float(rows.margin @ alpha) - half_norm
    objective, dual = rounded(objective, dual, scale_of(rows, upper, short))
    balanced = rows.imbalance(alpha) <= BALANCED * alpha.sum()
    gap = relative_gap(objective, dual) if balanced and np.isfinite([objective, dual]).all() else np.inf
    return _Point(beta, theta, alpha, objective, dual, gap, on_bounds)


def _best_vertex(rows, Phi, alpha, upper, slack, xi, curvature):
    """Return the :func:`_vertex` with the smaller gap, for two choices of the unit."""
    vertices = (_vertex(rows, Phi, alpha, upper, slack, xi, scale) for scale in (curvature, 1.0 / upper))
    return min(vertices, key=lambda point: point.gap)


def _vertex(rows, Phi, alpha, upper, slack, xi, scale):
    """Set each row to a bound if it is nearer to the bound, in units of 1 / scale, than to its margin; set all other
    rows to their margins.

    Either alpha or the slack of a row goes to 0. Which one is clear only near the end, and in suitable units: with the
    curvature, how far alpha moves its own row; with 1 / upper, the share of its box.
    """
    at_zero, at_upper = scale * alpha < slack, scale * (upper - alpha) < xi
    alpha = np.where(at_zero, 0.0, np.where(at_upper, upper, alpha))
    free = ~at_zero & ~at_upper
    # The smallest change that puts the free rows on their margin is B G^+ (z, balance), where G = B^T B over the free
    # rows and (z, theta) = G^+ B^T (what they lack). No matrix with one row per pair is needed.
    inverse = np.linalg.pinv(_normal(rows, Phi, free.astype(np.float64)), rcond=1e-13, hermitian=True)
    for _ in range(2):  # the second time corrects rounding errors
        v = np.append(Phi.T @ rows.coefficients(alpha), np.zeros(rows.n_thresholds))
        missing = np.where(free, rows.margin - _compare(rows, Phi, v), 0.0)
        wanted = inverse @ _transpose(rows, Phi, missing)
        wanted[Phi.shape[1] :] = rows.balance(alpha)
        alpha = alpha + np.where(free, _compare(rows, Phi, inverse @ wanted), 0.0)
    return _point(rows, Phi, np.clip(alpha, 0.0, upper), upper, True)
