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

Where there are many rows for each example, Newton's method (:mod:`rankmargin.solvers.smoothed_newton`) comes first: it
mostly ends the solve, and otherwise sweeps start from its dual variables.

The scores s = K beta are kept up to date. For linear functions K is the matrix of products of rows: it is for few rows
with many features, where a step that keeps w up to date takes longer.
"""

from dataclasses import replace

import numpy as np

from rankmargin.compiled import njit
from rankmargin.oracles.objective import Solution, relative_gap
from rankmargin.solvers.interior_point import MOST_EXAMPLES, ended_exactly
from rankmargin.solvers.progress import Pace, current
from rankmargin.solvers.smoothed_newton import smoothed_newton
from rankmargin.solvers.solver import solver

BATCH = 256
GREED = 0.1
ENOUGH_SWEEPS = 20_000  # then the interior point method ends a solve with few examples
# Newton's method comes first between these numbers of examples, from this share of n^2 rows on, for at most some steps
FEWEST, MOST, DENSE, MOST_STEPS = 40, 8000, 0.05, 200
ROUNDING = 1e-12  # of a kernel distance, relative to the two norms whose digits cancel
# Knuth's linear congruential generator (MMIX); its upper bits are used. numba's own generator is global.
MULTIPLIER, INCREMENT, SHIFT = np.uint64(6364136223846793005), np.uint64(1442695040888963407), np.uint64(33)


@solver()
def dual_cd(problem, C_values, tol, max_iter, seed, start):
    """Solve for each C by sweeps; ``seed`` is that of the shuffles. A Newton step counts as a sweep."""
    rng, n, size = np.random.default_rng(seed), problem.space.n, len(problem.rows)
    alpha, sweeps, newton = np.zeros(size) if start is None else np.asarray(start, dtype=np.float64), None, None
    few = min(ENOUGH_SWEEPS, max_iter) if n <= MOST_EXAMPLES else max_iter
    if FEWEST <= n <= MOST and size >= DENSE * n * n:
        newton = smoothed_newton.run(problem, C_values, tol, min(max_iter, MOST_STEPS), seed, None)
    for C in C_values:
        found, taken = None if newton is None else next(newton), 0
        for most in (few, max_iter):
            if found is not None:
                taken = found.n_iter
                if found.converged or taken >= max_iter or current().expired:
                    break
                alpha = found.alpha
            sweeps = sweeps or _Sweeps(problem, rng)
            found = sweeps.run(C, alpha, tol, max(most - taken, 1))
            exact, taken = ended_exactly(problem, C, tol, found.gap, taken + found.n_iter, most, max_iter)
            found = replace(found, n_iter=taken) if exact is None else exact
            if exact is None:
                break
        alpha = found.alpha
        yield found


class _Sweeps:
    """Shuffled rows, their dual variables and the scores."""

    def __init__(self, problem, rng):
        self.space, self.rows, self.rng = problem.space.as_kernel, problem.rows, rng
        self.order = order = rng.permutation(len(problem.rows)).astype(np.int32)
        columns = self.rows.sign, self.rows.plus, self.rows.minus, self.rows.margin, self.rows.cost
        *self.columns, self.cost = (column[order] for column in columns)
        self.candidates = np.empty(BATCH, dtype=np.int64)
        self.batches = -(-len(order) // BATCH)
        self.pace = Pace(16)

    def run(self, C, alpha, tol, max_iter):
        """Sweep from alpha until a gap of at most tol is proved; return a Solution."""
        bounds = C * self.cost
        self.alpha = np.minimum(alpha[self.order], bounds)
        cutoff, next_check, progress = GREED * float(np.abs(self.rows.margin).max()), 1, current()
        self.refresh()
        for sweep in range(1, max_iter + 1):
            largest = self.sweep(bounds, cutoff, self.rng.permutation(self.batches), self.rng.integers(2**31))
            cutoff = GREED * largest
            stop = sweep == max_iter or largest == 0 or progress.expired
            if sweep < next_check and not stop:
                continue
            next_check = sweep + max(1, min(20, sweep // 7))
            beta, objective, dual = self.evaluate(bounds)
            gap = relative_gap(objective, dual)
            stop |= gap <= tol
            progress.report("dual_cd", C, sweep, objective, gap, done=stop)
            if stop:
                break
        found = np.empty(len(alpha))
        found[self.order] = self.alpha
        return Solution(beta, np.empty(0), found, objective, dual, sweep, gap <= tol)

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


@njit
def _coefficients(sign, plus, minus, alpha, n):
    beta = np.zeros(n)
    for t in range(alpha.size):
        step = sign[t] * alpha[t]
        beta[plus[t]] += step
        if minus[t] >= 0:
            beta[minus[t]] -= step
    return beta


@njit
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


@njit
def _violation(slope, alpha, bound):
    """Return the size of the partial derivative of 1/2 ||f||^2 - sum margin alpha if it allows a step inside the box.

    There is no branch, because the processor cannot predict the sign of the slope.
    """
    return max(slope * (alpha > 0.0), -slope * (alpha < bound))


@njit
def _moved(slope, curvature, rounding, alpha, bound):
    """Return the minimum along one coordinate; without curvature (equal points), it is the end to which the slope
    points."""
    if curvature > rounding:
        return min(max(alpha - slope / curvature, 0.0), bound)
    return bound if slope < 0.0 else 0.0


@njit
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
