"""Dual coordinate descent on rows without thresholds, greedy inside random batches.

    max_alpha  sum_t margin_t alpha_t - 1/2 ||f||^2,   0 <= alpha_t <= C cost_t,
    beta = sum_t alpha_t sign_t (e_plus - e_minus)

One variable has a closed form: alpha_t changes by (margin_t - sign_t (s_plus - s_minus)) / ||phi_plus - phi_minus||^2,
clipped to its box (Hsieh et al. 2008, with the pair kernel of Herbrich et al.).  Three choices make it fast on hundreds
of thousands of pairs:

1. The rows are shuffled once. In the order of i and then j, neighbours undo each other's steps: 2,189 sweeps instead
   of 55 were measured.
2. A sweep looks at all rows but updates only those whose violation is above a tenth of the largest violation of the
   previous sweep. A look costs nanoseconds, and an update O(n). This saves two thirds of the updates and half the time.
3. The violating rows of a batch of 256 are collected first and then visited in random order; each is checked again
   before its update.

The scores s = K beta are kept up to date. For linear functions K is the matrix of products of rows: it is for few rows
with many features, where a step that keeps w up to date takes longer.
"""

from functools import cached_property

import numpy as np

from rankmargin.compiled import njit
from rankmargin.solvers.interior_point import MOST_EXAMPLES, ended_exactly
from rankmargin.solvers.kernel_newton import approach
from rankmargin.solvers.progress import Pace, current
from rankmargin.solvers.solution import Solution, relative_gap
from rankmargin.solvers.solver import solver

BATCH = 256
GREED = 0.1
ENOUGH_SWEEPS = 20_000  # then the interior point method ends a solve with few examples
# Newton's method is tried first between these numbers of examples, from this share of n^2 rows on
FEWEST_TO_LEAP, MOST_TO_LEAP, DENSE = 40, 8000, 0.05
ROUNDING = 1e-12  # of a kernel distance, relative to the two norms whose digits cancel
# Knuth's linear congruential generator (MMIX); its upper bits are used. numba's own generator is global.
MULTIPLIER, INCREMENT, SHIFT = np.uint64(6364136223846793005), np.uint64(1442695040888963407), np.uint64(33)


@solver()
def dual_cd(problem, C_values, tol, max_iter, seed, start):
    """Solve for each C by sweeps; ``seed`` is that of the shuffles."""
    rng, size = np.random.default_rng(seed), len(problem.rows)
    order = rng.permutation(size).astype(np.int32)
    state = _State(problem, order, np.zeros(size) if start is None else np.asarray(start, dtype=np.float64)[order])
    few = min(ENOUGH_SWEEPS, max_iter) if state.space.n <= MOST_EXAMPLES else max_iter
    for C in C_values:
        sweep = 0
        for most in (few, max_iter):
            beta, objective, dual, swept = _converge(state, C, C * state.cost, tol, max(most - sweep, 1), rng)
            gap, sweep, found = relative_gap(objective, dual), sweep + swept, None
            if gap > tol:
                found, sweep = ended_exactly(problem, C, tol, gap, sweep, most, max_iter)
            if found is None:
                break
            state.alpha = found.alpha[order]
            if found.converged:
                break
        if found is not None:
            yield found
            continue
        alpha = np.empty(size)
        alpha[order] = state.alpha
        yield Solution(beta, np.empty(0), alpha, objective, dual, sweep, gap <= tol)


def _converge(state, C, bounds, tol, max_iter, rng):
    """Change alpha until it and some beta prove a gap of at most tol; return beta, the objective, the dual bound and
    the number of sweeps."""
    if state.alpha.any():
        np.minimum(state.alpha, bounds, out=state.alpha)
    cutoff, next_check, progress = GREED * float(np.abs(state.rows.margin).max()), 1, current()
    if state.leaps():
        beta, dual = np.zeros(state.space.n), 0.0
        if warm := bool(state.alpha.any()):
            beta, _, dual = state.evaluate(bounds)
        for first in [beta, np.zeros(state.space.n)] if warm else [beta]:  # another C may lead astray
            beta, objective, alpha, bound = approach(state.space.K, state.rows, state.in_order(bounds), first, tol)
            if bound > dual:
                state.alpha, dual = alpha[state.order], bound
            gap, cutoff = relative_gap(objective, dual), 0.0  # nothing is known about the violations after this step
            if gap <= tol:
                progress.report("dual_cd", C, 1, objective, gap, done=True)
                return beta, objective, dual, 1
    state.refresh()
    for sweep in range(1, max_iter + 1):
        largest = state.sweep(bounds, cutoff, rng.permutation(state.batches), rng.integers(2**31))
        cutoff = GREED * largest
        stop = sweep == max_iter or largest == 0 or progress.expired
        if sweep < next_check and not stop and not progress.due:
            continue
        next_check = sweep + max(1, min(20, sweep // 7))
        beta, objective, dual = state.evaluate(bounds)
        gap = relative_gap(objective, dual)
        stop |= gap <= tol
        progress.report("dual_cd", C, sweep, objective, gap, done=stop)
        if stop:
            return beta, objective, dual, sweep
    raise AssertionError("the last sweep stops")


class _State:
    """Shuffled rows, their dual variables and the scores.

    The rows are shuffled when a sweep needs them: Newton's method does not, and millions of rows take much memory.
    """

    def __init__(self, problem, order, alpha):
        self.space, self.rows, self.order = problem.space.as_kernel, problem.rows, order
        self.cost = _shuffled(self.rows.cost, order)
        self.candidates = np.empty(BATCH, dtype=np.int64)
        self.batches = -(-len(order) // BATCH)
        self.pace, self.alpha = Pace(16), alpha

    @cached_property
    def columns(self):
        """The sign, plus, minus and margin of the shuffled rows."""
        rows, order = self.rows, self.order
        return rows.sign[order], rows.plus[order], rows.minus[order], _shuffled(rows.margin, order)

    def leaps(self):
        """Newton's method has n equations, so it pays if there are many rows."""
        n = self.space.n
        return FEWEST_TO_LEAP <= n <= MOST_TO_LEAP and len(self.order) >= DENSE * n * n

    def in_order(self, bounds):
        """Return the bounds in the order of the rows."""
        if self.cost is self.rows.cost:
            return bounds
        in_order = np.empty_like(bounds)
        in_order[self.order] = bounds
        return in_order

    def evaluate(self, bounds):
        """Return beta, the objective and the dual bound, with scores that are computed again."""
        beta = self.refresh()
        scores = self.space.scores(beta)
        loss, reward = _hinge(*self.columns, bounds, self.alpha, scores)
        half_norm = 0.5 * (beta @ scores)
        return beta, half_norm + loss, reward - half_norm

    def sweep(self, bounds, cutoff, batches, seed):
        """Sweep over the batches of rows, in pieces; return the largest violation met."""
        largest, first, progress = 0.0, 0, current()
        while first < len(batches) and not progress.expired:
            piece = batches[first : first + self.pace.begin()]
            rows, state = (*self.columns, bounds), (cutoff, piece, self.candidates, seed)
            largest = max(largest, _sweep_kernel(self.space.K, rows, self.alpha, self.scores, *state))
            self.pace.end(len(piece))
            first += len(piece)
        return largest

    def refresh(self):
        """Compute the scores again from alpha; return beta."""
        n = self.space.n
        beta = _coefficients(*self.columns[:3], self.alpha, n) if self.alpha.any() else np.zeros(n)
        self.scores = self.space.scores(beta)
        return beta


def _shuffled(column, order):
    """Return the column in this order; a constant column as it is."""
    return column if len(column) and np.all(column == column[0]) else column[order]


@njit(cache=True)
def _coefficients(sign, plus, minus, alpha, n):
    beta = np.zeros(n)
    for t in range(alpha.size):
        step = sign[t] * alpha[t]
        beta[plus[t]] += step
        if minus[t] >= 0:
            beta[minus[t]] -= step
    return beta


@njit(cache=True)
def _hinge(sign, plus, minus, margin, bounds, alpha, scores):
    """Return the hinge loss at the scores and sum_t margin_t alpha_t."""
    loss, reward = 0.0, 0.0
    for t in range(alpha.size):
        difference = scores[plus[t]]
        if minus[t] >= 0:
            difference -= scores[minus[t]]
        short = margin[t] - sign[t] * difference
        if short > 0.0:
            loss += bounds[t] * short
        reward += margin[t] * alpha[t]
    return loss, reward


@njit(cache=True)
def _violation(slope, alpha, bound):
    """Return the size of the partial derivative of 1/2 ||f||^2 - sum margin alpha if it allows a step inside the box.

    There is no branch, because the processor cannot predict the sign of the slope.
    """
    return max(slope * (alpha > 0.0), -slope * (alpha < bound))


@njit(cache=True)
def _moved(slope, curvature, rounding, alpha, bound):
    """Return the minimum along one coordinate; without curvature (equal points), it is the end to which the slope
    points."""
    if curvature > rounding:
        return min(max(alpha - slope / curvature, 0.0), bound)
    return bound if slope < 0.0 else 0.0


@njit(cache=True)
def _sweep_kernel(K, rows, alpha, scores, cutoff, batches, candidates, seed):
    """Sweep in kernel space: 1 collect the violating rows of a batch, 2 visit them in random order, 3 change alpha and
    update the scores. Return the largest violation."""
    sign, plus, minus, margin, bounds = rows
    largest = 0.0
    for batch in batches:
        found, state = 0, np.uint64(seed + batch)
        for t in range(batch * BATCH, min(alpha.size, (batch + 1) * BATCH)):
            difference = scores[plus[t]]
            if minus[t] >= 0:
                difference -= scores[minus[t]]
            violation = _violation(sign[t] * difference - margin[t], alpha[t], bounds[t])
            largest = max(largest, violation)
            if violation > cutoff:
                candidates[found] = t
                found += 1
        for a in range(found):
            state = state * MULTIPLIER + INCREMENT
            b = a + np.int64((state >> SHIFT) % np.uint64(found - a))
            t = candidates[b]
            candidates[b] = candidates[a]
            i, j = plus[t], minus[t]
            difference, curvature, rounding = scores[i], K[i, i], 0.0
            if j >= 0:
                difference -= scores[j]
                rounding = ROUNDING * (K[i, i] + K[j, j])
                curvature += K[j, j] - 2.0 * K[i, j]
            slope = sign[t] * difference - margin[t]
            if _violation(slope, alpha[t], bounds[t]) <= cutoff:
                continue
            moved = _moved(slope, curvature, rounding, alpha[t], bounds[t])
            step = sign[t] * (moved - alpha[t])
            alpha[t] = moved
            above = K[i]
            if j >= 0:
                below = K[j]
                for r in range(scores.size):
                    scores[r] += step * (above[r] - below[r])
            else:
                for r in range(scores.size):
                    scores[r] += step * above[r]
    return largest
