"""Rows with one threshold beside many rows without: SMO on the first and dual coordinate descent on the second, in
turns.

    max_alpha  sum_t margin_t alpha_t - 1/2 ||f||^2,   0 <= alpha_t <= C cost_t,   sum_{t at theta_0} sign_t alpha_t = 0

The equality constraint touches only the rows of the threshold (the tube of RankSVR), so the dual variables fall into
two blocks.  A turn is

1. SMO steps on the rows of the threshold (:mod:`rankmargin.solvers.smo`), at most ``TURN`` of them, while the largest
   violation exceeds a tenth of the largest one of the turn before;
2. a greedy sweep over the others (:mod:`rankmargin.solvers.dual_cd`), which updates hundreds of rows for one look at
   all, where SMO would look at all rows for each update: on 10,000 pairs that is most of its time.

Both move the same scores, and each raises the dual.
"""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.kernels import KernelSpace
from rankmargin.solvers.dual_cd import GREED, make_state
from rankmargin.solvers.progress import current
from rankmargin.solvers.smo_block import least_curvature
from rankmargin.solvers.solution import Solution, check_controls, proved, relative_gap, warn_unconverged

TURN = 200
LEAST_VIOLATION = 1e-13
ROUNDING = 1e-15


def block_descent(rows, space, C_values, tol=1e-3, max_iter=100_000, seed=0, alpha=None):
    """Solve the row problem for each C in turn, each from the solution before (scaled into its box).

    Parameters
    ----------
    rows : Rows
        At most one threshold; the rows that have it compare one example each (``minus`` is -1).
    space : KernelSpace or LinearSpace
    C_values : sequence of floats > 0, best in ascending order
    tol : float, relative duality gap at which a solve ends
    max_iter : int, turns a solve may take
    seed : int, of the shuffles; the optimum does not depend on it
    alpha : (N,) array or None, a dual feasible start for the first C

    Returns
    -------
    list of Solution, one a C
    """
    check_controls(C_values, tol, max_iter)
    with_threshold = rows.threshold >= 0
    if rows.n_thresholds > 1 or np.any(rows.minus[with_threshold] >= 0):
        raise ValueError(
            f"rows must have one threshold and one example in each of its rows, got {rows.n_thresholds} thresholds and"
            f" {np.sum(rows.minus[with_threshold] >= 0)} rows of two examples: use smo"
        )
    descent = _Descent(rows, space, np.random.default_rng(seed))
    alpha = np.zeros(len(rows)) if alpha is None else np.array(alpha, dtype=np.float64)
    solutions = []
    for C in C_values:
        bounds = C * rows.cost
        alpha *= min(1.0, float(np.min(np.divide(bounds, alpha, out=np.ones(len(rows)), where=alpha > 0))))
        solutions.append(_solve(descent, rows, space, C, bounds, alpha, tol, max_iter))
    return solutions


def _solve(descent, rows, space, C, bounds, alpha, tol, max_iter):
    descent.start(alpha, bounds)
    largest, next_check, progress = float(np.abs(rows.margin).max()), 1, current()
    least, rounding = LEAST_VIOLATION * largest, ROUNDING * float(bounds @ np.abs(rows.margin))
    for turn in range(1, max_iter + 1):
        largest = descent.turn(largest)
        stop = turn == max_iter or largest <= least or progress.expired
        if turn < next_check and not stop and not progress.due:
            continue
        next_check = turn + max(1, min(20, turn // 7))
        alpha[:] = descent.alpha()
        beta = rows.coefficients(alpha)
        scores = descent.refresh(beta)
        theta, objective, dual = proved(rows, bounds, alpha, beta, scores)
        gap = relative_gap(objective, dual)
        # targets inside one tube have objective 0, of which rounding leaves a trace whose relative gap is 1
        converged = gap <= tol or objective - dual <= rounding
        stop |= converged
        progress.report("block_descent", C, turn, objective, gap, done=stop)
        if stop:
            break
    if not converged:
        warn_unconverged("block_descent", C, gap, tol, turn, max_iter)
    return Solution(beta, theta, alpha.copy(), objective, dual, turn, converged)


class _Descent:
    """The two blocks of dual variables and the scores that they share."""

    def __init__(self, rows, space, rng):
        self.rows, self.space, self.rng = rows, space, rng
        self.tube = np.flatnonzero(rows.threshold >= 0)
        self.sign, self.example, self.margin = (a[self.tube] for a in (rows.sign, rows.plus, rows.margin))
        self.others = rng.permutation(np.flatnonzero(rows.threshold < 0))
        self.sweeper = make_state(rows, space, self.others)
        none = np.empty(0, dtype=np.float64)
        if isinstance(space, KernelSpace):
            self.columns = (space.K, np.zeros(1, np.int64), np.empty(0, np.int32), none, 0)
            self.diagonal = np.ascontiguousarray(np.diag(space.K))
        else:
            self.columns = (np.empty((0, 0)), space.indptr, space.indices, space.data, space.d)
            squares = np.add.reduceat(np.append(space.data**2, 0.0), space.indptr[:-1])
            self.diagonal = squares * (np.diff(space.indptr) > 0)

    def start(self, alpha, bounds):
        self.tube_alpha, self.tube_bounds = alpha[self.tube], bounds[self.tube]
        self.sweeper.start(alpha[self.others])
        self.other_bounds = bounds[self.others]
        self.refresh(self.rows.coefficients(alpha))

    def alpha(self):
        """Return the dual variables of all rows, shape (N,)."""
        alpha = np.empty(len(self.rows))
        alpha[self.tube], alpha[self.others] = self.tube_alpha, self.sweeper.alpha
        return alpha

    def refresh(self, beta):
        """Bring the scores, and w where there is one, to those of beta; return the scores."""
        self.scores = self.space.scores(beta)
        if isinstance(self.space, KernelSpace):
            self.sweeper.scores = self.scores
        else:
            self.sweeper.w = self.space.weights(beta)
        return self.scores

    def turn(self, largest):
        """Step on the tube, sweep over the others, and return the largest violation met."""
        threshold = GREED * largest
        violation = _step(
            *self.columns,
            self.diagonal,
            self.sign,
            self.example,
            self.margin,
            self.tube_bounds,
            self.tube_alpha,
            self.scores,
            threshold,
            TURN,
        )
        if not isinstance(self.space, KernelSpace):
            self.refresh(self.rows.coefficients(self.alpha()))
        blocks = self.rng.permutation(self.sweeper.blocks)
        swept = self.sweeper.sweep(self.other_bounds, threshold, blocks, self.rng.integers(2**31))
        if not isinstance(self.space, KernelSpace):
            self.scores = self.space.scores(self.rows.coefficients(self.alpha()))
        return max(violation, swept)


@njit(cache=True)
def _column(K, indptr, indices, data, d, i, dense, out):
    """Write k(x_i, x_r) for all r into out: a row of K, or X x_i in w-space."""
    if K.shape[0] > 0:
        out[:] = K[i]
        return
    for p in range(indptr[i], indptr[i + 1]):
        dense[indices[p]] = data[p]
    for r in range(out.size):
        total = 0.0
        for p in range(indptr[r], indptr[r + 1]):
            total += data[p] * dense[indices[p]]
        out[r] = total
    for p in range(indptr[i], indptr[i + 1]):
        dense[indices[p]] = 0.0


@njit(cache=True)
def _extremes(sign, example, margin, bounds, alpha, scores):
    """Return the row up of the smallest kink and how far the largest kink down lies above it."""
    up, lowest, highest = -1, np.inf, -np.inf
    for t in range(sign.size):
        kink = scores[example[t]] - sign[t] * margin[t]
        if kink < lowest and (alpha[t] < bounds[t] if sign[t] > 0 else alpha[t] > 0.0):
            up, lowest = t, kink
        if kink > highest and (alpha[t] > 0.0 if sign[t] > 0 else alpha[t] < bounds[t]):
            highest = kink
    return up, (highest - lowest if up >= 0 else 0.0)


@njit(cache=True)
def _partner(up, sign, example, margin, bounds, alpha, scores, diagonal, column):
    """Return the row down of the largest gain (kink difference)^2 / curvature, that difference and curvature."""
    i = example[up]
    kink_up = scores[i] - sign[up] * margin[up]
    best, gain, best_difference, best_curvature = -1, 0.0, 0.0, 1.0
    for t in range(sign.size):
        j = example[t]
        difference = scores[j] - sign[t] * margin[t] - kink_up
        if difference > 0.0 and (alpha[t] > 0.0 if sign[t] > 0 else alpha[t] < bounds[t]):
            curvature = least_curvature(diagonal[i], diagonal[j], column[j])
            if difference * difference > gain * curvature:
                best, gain = t, difference * difference / curvature
                best_difference, best_curvature = difference, curvature
    return best, best_difference, best_curvature


@njit(cache=True)
def _step(K, indptr, indices, data, d, diagonal, sign, example, margin, bounds, alpha, scores, threshold, most):
    """Take SMO steps until no violation exceeds the threshold, at most ``most``; return the largest violation met.

    1 the row up, 2 its partner down, 3 the step, 4 the scores.
    """
    first, second, dense = np.empty(scores.size), np.empty(scores.size), np.zeros(d)
    largest = 0.0
    for _ in range(most):
        up, violation = _extremes(sign, example, margin, bounds, alpha, scores)
        largest = max(largest, violation)
        if violation <= threshold:
            break
        _column(K, indptr, indices, data, d, example[up], dense, first)
        down, difference, curvature = _partner(up, sign, example, margin, bounds, alpha, scores, diagonal, first)
        room_up = bounds[up] - alpha[up] if sign[up] > 0 else alpha[up]
        room_down = alpha[down] if sign[down] > 0 else bounds[down] - alpha[down]
        step = min(difference / curvature, min(room_up, room_down))
        alpha[up] = min(max(alpha[up] + sign[up] * step, 0.0), bounds[up])
        alpha[down] = min(max(alpha[down] - sign[down] * step, 0.0), bounds[down])
        _column(K, indptr, indices, data, d, example[down], dense, second)
        for r in range(scores.size):
            scores[r] += step * (first[r] - second[r])
    return largest
