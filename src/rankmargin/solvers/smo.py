"""Sequential minimal optimisation on rows with thresholds: one equality constraint a threshold.

    max_alpha  sum_t margin_t alpha_t - 1/2 ||f||^2,   0 <= alpha_t <= C cost_t,   sum_{t at k} sign_t alpha_t = 0 for
    each threshold k

A row is on its margin where its threshold equals ``kink_t = (s_plus - s_minus) - sign_t margin_t``.  Raising ``sign_t
alpha_t`` is possible
for the rows *up* (sign + below its bound, sign - above 0) and lowering it for the rows *down*; at the optimum max
kink(down) <= theta <= min
kink(up) (Keerthi et al. 2001).  A step moves the worst threshold: first the row up with the smallest kink, then the
row down with the
largest gain (Fan, Chen, Lin 2005).  Rows without a threshold move alone.  Rows of one example each over a kernel
matrix or dense X go to
:mod:`rankmargin.solvers.example_smo`, which takes the same steps faster.
"""

import numpy as np
from numba import njit

from rankmargin.kernels import KernelSpace
from rankmargin.rows.thresholds import best_thresholds
from rankmargin.solvers import example_smo
from rankmargin.solvers.solution import Solution, check_controls, relative_gap, warn_unconverged


def smo(rows, space, C_values, tol=1e-3, max_iter=10_000_000, alpha=None):
    """Solve the row problem for each C in turn, each from the solution before (scaled into its box).

    Parameters
    ----------
    rows : Rows; each with at most one threshold
    space : KernelSpace or LinearSpace
    C_values : sequence of floats > 0, best in ascending order
    tol : float, relative duality gap at which a solve ends
    max_iter : int, steps a solve may take
    alpha : (N,) array or None, a dual feasible start for the first C

    Returns
    -------
    list of Solution, one a C
    """
    check_controls(C_values, tol, max_iter)
    if example_smo.takes(rows, space):
        start = np.zeros(len(rows)) if alpha is None else np.asarray(alpha, dtype=np.float64)
        return example_smo.solve_path(rows, space, C_values, tol, max_iter, start)
    if np.any(rows.plus < 0):
        raise ValueError("rows must each have a plus example over sparse X or beside pair rows, got one without")
    by_threshold = np.argsort(rows.threshold, kind="stable")
    starts = np.searchsorted(rows.threshold[by_threshold], np.arange(-1, rows.n_thresholds + 1))
    table = _Table(rows, space, by_threshold.astype(np.int64), starts.astype(np.int64))
    alpha = np.zeros(len(rows)) if alpha is None else np.array(alpha, dtype=np.float64)
    solutions = []
    for C in C_values:
        bounds = C * rows.cost
        alpha *= min(1.0, float(np.min(np.where(alpha > 0, bounds / np.where(alpha > 0, alpha, 1.0), 1.0))))
        solutions.append(_solve(table, rows, space, C, bounds, alpha, tol, max_iter))
    return solutions


class _Table:
    """The rows sorted by threshold, and what the kernels below need of the space."""

    def __init__(self, rows, space, order, starts):
        self.order, self.starts = order, starts
        none = np.empty(0, dtype=np.float64)
        if isinstance(space, KernelSpace):
            self.columns = (space.K, np.zeros(1, np.int64), np.empty(0, np.int32), none)
            self.diagonal = np.ascontiguousarray(np.diag(space.K))
        else:
            self.columns = (np.empty((0, 0)), space.indptr, space.indices, space.data)
            self.diagonal = np.add.reduceat(np.append(space.data**2, 0.0), space.indptr[:-1]) * (
                np.diff(space.indptr) > 0
            )


def _solve(table, rows, space, C, bounds, alpha, tol, max_iter):
    steps, violation_limit, gap, dual = 0, 0.1 * float(np.abs(rows.margin).max()), np.inf, -np.inf
    while True:
        scores = space.scores(rows.coefficients(alpha))
        steps += _run(
            *table.columns,
            table.diagonal,
            table.order,
            table.starts,
            rows.sign,
            rows.plus,
            rows.minus,
            rows.margin,
            bounds,
            alpha,
            scores,
            violation_limit,
            max_iter - steps,
        )
        beta = rows.coefficients(alpha)
        scores = space.scores(beta)
        theta = best_thresholds(rows, scores, rows.n_thresholds)
        half_norm = 0.5 * float(beta @ scores)
        objective = half_norm + float(bounds @ np.maximum(rows.margin - rows.values(scores, theta), 0.0))
        dual = float(rows.margin @ alpha) - half_norm
        gap = relative_gap(objective, dual)
        if gap <= tol or steps >= max_iter or violation_limit < 1e-14:
            break
        violation_limit *= 0.2
    if gap > tol:
        warn_unconverged("smo", C, gap, tol, max_iter)
    return Solution(beta, theta, alpha.copy(), objective, dual, steps, gap <= tol)


@njit(cache=True)
def _column(K, indptr, indices, data, i, out):
    """Write k(x_i, x_r) for all r into out: a row of K, or X x_i in w-space."""
    if K.shape[0] > 0:
        out[:] = K[i]
        return
    width = 0
    for p in range(indices.size):
        width = max(width, indices[p] + 1)
    dense = np.zeros(width)
    for p in range(indptr[i], indptr[i + 1]):
        dense[indices[p]] = data[p]
    for r in range(out.size):
        total = 0.0
        for p in range(indptr[r], indptr[r + 1]):
            total += data[p] * dense[indices[p]]
        out[r] = total


@njit(cache=True)
def _feature_column(K, indptr, indices, data, i, j, out, buffer):
    """Write <phi_i - phi_j, phi_r> for all r into out (phi_j = 0 for j = -1)."""
    _column(K, indptr, indices, data, i, out)
    if j >= 0:
        _column(K, indptr, indices, data, j, buffer)
        out -= buffer


@njit(cache=True)
def _kink(sign, plus, minus, margin, scores, t):
    difference = scores[plus[t]]
    if minus[t] >= 0:
        difference -= scores[minus[t]]
    return difference - sign[t] * margin[t]


@njit(cache=True)
def _worst_threshold(order, starts, sign, plus, minus, margin, bounds, alpha, scores):
    """Return the threshold of the largest max kink(down) - min kink(up), that violation, and its row up."""
    worst, row_up, violation = -1, -1, 0.0
    for k in range(1, starts.size - 1):
        lowest, highest, first = np.inf, -np.inf, -1
        for p in range(starts[k], starts[k + 1]):
            t = order[p]
            kink = _kink(sign, plus, minus, margin, scores, t)
            if (alpha[t] < bounds[t] if sign[t] > 0 else alpha[t] > 0.0) and kink < lowest:
                lowest, first = kink, t
            if (alpha[t] > 0.0 if sign[t] > 0 else alpha[t] < bounds[t]) and kink > highest:
                highest = kink
        if first >= 0 and highest - lowest > violation:
            worst, row_up, violation = k, first, highest - lowest
    return worst, row_up, violation


@njit(cache=True)
def _worst_alone(order, starts, sign, plus, minus, margin, bounds, alpha, scores):
    """Return the row without threshold that most violates its optimality, and by how much."""
    row, violation = -1, 0.0
    for p in range(starts[0], starts[1]):
        t = order[p]
        slope = sign[t] * _kink(sign, plus, minus, margin, scores, t)
        here = slope if slope > 0.0 and alpha[t] > 0.0 else (-slope if slope < 0.0 and alpha[t] < bounds[t] else 0.0)
        if here > violation:
            row, violation = t, here
    return row, violation


@njit(cache=True)
def _partner(order, starts, k, up, sign, plus, minus, margin, bounds, alpha, scores, diagonal, column, K_minus):
    """Return the row down of threshold k with the largest gain (kink difference)^2 / curvature, and that curvature."""
    kink_up = _kink(sign, plus, minus, margin, scores, up)
    norm_up = column[plus[up]] - (column[minus[up]] if minus[up] >= 0 else 0.0)
    best, gain, best_curvature = -1, 0.0, 0.0
    for p in range(starts[k], starts[k + 1]):
        t = order[p]
        if not (alpha[t] > 0.0 if sign[t] > 0 else alpha[t] < bounds[t]):
            continue
        difference = _kink(sign, plus, minus, margin, scores, t) - kink_up
        if difference <= 0.0:
            continue
        cross = column[plus[t]] - (column[minus[t]] if minus[t] >= 0 else 0.0)
        norm = diagonal[plus[t]] if minus[t] < 0 else K_minus[t]
        curvature = max(norm_up + norm - 2.0 * cross, 1e-12)
        if difference * difference / curvature > gain:
            best, gain, best_curvature = t, difference * difference / curvature, curvature
    return best, best_curvature


@njit(cache=True)
def _room(sign, alpha, bounds, t, direction):
    """How far sign_t alpha_t can move up (direction 1) or down (-1) inside the box."""
    return bounds[t] - alpha[t] if sign[t] * direction > 0 else alpha[t]


@njit(cache=True)
def _shift(sign, alpha, bounds, t, direction, step):
    """Move sign_t alpha_t and land exactly on a bound that is reached."""
    moved = alpha[t] + sign[t] * direction * step
    alpha[t] = min(max(moved, 0.0), bounds[t])


@njit(cache=True)
def _run(
    K,
    indptr,
    indices,
    data,
    diagonal,
    order,
    starts,
    sign,
    plus,
    minus,
    margin,
    bounds,
    alpha,
    scores,
    limit,
    max_steps,
):
    """Take steps until no violation exceeds ``limit``: 1 worst row up, 2 its partner, 3 the step, 4 the scores."""
    n = scores.size
    first, second, buffer = np.empty(n), np.empty(n), np.empty(n)
    with_minus = np.zeros(sign.size)
    for t in range(sign.size):
        if minus[t] >= 0:
            _column(K, indptr, indices, data, plus[t], buffer)
            with_minus[t] = diagonal[plus[t]] + diagonal[minus[t]] - 2.0 * buffer[minus[t]]
    for step_count in range(max_steps):
        k, up, violation = _worst_threshold(order, starts, sign, plus, minus, margin, bounds, alpha, scores)
        alone, violation_alone = _worst_alone(order, starts, sign, plus, minus, margin, bounds, alpha, scores)
        if max(violation, violation_alone) <= limit:
            return step_count
        if violation_alone > violation:
            _feature_column(K, indptr, indices, data, plus[alone], minus[alone], first, buffer)
            curvature = max(with_minus[alone] if minus[alone] >= 0 else diagonal[plus[alone]], 1e-12)
            direction = -1.0 if _kink(sign, plus, minus, margin, scores, alone) > 0.0 else 1.0
            step = min(violation_alone / curvature, _room(sign, alpha, bounds, alone, direction))
            _shift(sign, alpha, bounds, alone, direction, step)
            scores += direction * step * first
            continue
        _feature_column(K, indptr, indices, data, plus[up], minus[up], first, buffer)
        down, curvature = _partner(
            order, starts, k, up, sign, plus, minus, margin, bounds, alpha, scores, diagonal, first, with_minus
        )
        difference = _kink(sign, plus, minus, margin, scores, down) - _kink(sign, plus, minus, margin, scores, up)
        step = min(
            difference / curvature, min(_room(sign, alpha, bounds, up, 1.0), _room(sign, alpha, bounds, down, -1.0))
        )
        _shift(sign, alpha, bounds, up, 1.0, step)
        _shift(sign, alpha, bounds, down, -1.0, step)
        _feature_column(K, indptr, indices, data, plus[down], minus[down], second, buffer)
        scores += step * (first - second)
    return max_steps
