"""Sequential minimal optimisation on rows with one example each; Newton steps on the face that it finds end it.

This is the problem of :mod:`rankmargin.solvers.smo` if every row has one threshold and one example, with the sign
``orient_t`` (+1 for ``plus``, -1 for ``minus``): binary and ordinal machines, regression tubes, comparisons.  In the
signed variables a_t = sign_t alpha_t

    min_a  1/2 sum_tu a_t a_u orient_t orient_u K[i_t, i_u] - sum_t target_t a_t,   low_t <= a_t <= high_t,
    sum_{t at k} a_t = 0 for each threshold k

with target_t = sign_t margin_t.  Three things make it fast:

1. The scores of all examples are kept up to date (two contiguous rows of K per step), but only *active* rows are
   searched: the free rows and those with the largest violations.  All rows are checked again after ``LOOK_AGAIN``
   steps, when the violation among the active rows has halved, and at the end, so no violation is missed.
2. When most active rows are free, Newton steps balance all of them together (:mod:`rankmargin.solvers.face_newton`):
   with a large C, SMO alone spends most of its steps there.
3. The next C starts from the best multiple of the previous solution that fits into its box.
"""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.solvers.face_newton import minimise_on_face
from rankmargin.solvers.interior_point import ended_exactly, steps_before
from rankmargin.solvers.progress import Pace, current
from rankmargin.solvers.smo_block import OVER, least_curvature
from rankmargin.solvers.solution import Solution, relative_gap
from rankmargin.spaces import KernelSpace

LOOK_AGAIN = 250
BAND = 0.7
LOOK_BELOW = 0.5
TIGHTEN = 0.2
MOSTLY_FREE = 1.15
ROUNDING = 1e-14  # relative to the largest margin: a smaller violation means nothing


def takes(rows, space):
    """Return whether every row has one example and the same single threshold, and the kernel matrix is held."""
    return (
        isinstance(space, KernelSpace)
        and rows.n_thresholds == 1
        and len(rows) > 0
        and bool(np.all((rows.plus >= 0) != (rows.minus >= 0)))
        and bool(np.all(rows.threshold >= 0))
    )


def solve_path(problem, C_values, tol, max_iter, alpha):
    """Yield the solution for each C."""
    sorted_rows, space = _SortedRows(problem), problem.space
    a = sorted_rows.sign * alpha[sorted_rows.order]
    scores = space.scores(sorted_rows.coefficients(a)) if np.any(a) else np.zeros(space.n)
    for C in C_values:
        yield _solve(sorted_rows, C, a, scores, tol, max_iter)


class _SortedRows:
    """The rows in the order of their thresholds, as the arrays that the steps read."""

    def __init__(self, problem):
        rows, space = problem.rows, problem.space
        self.problem, self.space, self.pace = problem, space, Pace(4)
        self.order = np.argsort(rows.threshold, kind="stable")
        plus, minus = rows.plus[self.order], rows.minus[self.order]
        self.sign = rows.sign[self.order].astype(np.float64)
        self.index = np.where(plus >= 0, plus, minus)
        self.orient = np.where(plus >= 0, 1.0, -1.0)
        self.target = self.sign * rows.margin[self.order]
        self.cost = rows.cost[self.order]
        self.threshold = rows.threshold[self.order]
        self.starts = np.searchsorted(self.threshold, np.arange(rows.n_thresholds + 1))
        self.arrays = self.index, self.orient, self.target, self.starts
        self.diagonal = np.ascontiguousarray(np.diag(space.K))

    def coefficients(self, a):
        """Return beta, shape (n,)."""
        return np.bincount(self.index, self.orient * a, self.space.n)

    def alpha(self, a):
        """Return the dual variables in the order of the rows, shape (N,)."""
        alpha = np.empty(len(a))
        alpha[self.order] = self.sign * a
        return alpha


def _solve(sorted_rows, C, a, scores, tol, max_iter):
    """Solve for one C from a (N,) and its scores (n,), which are both changed in place."""
    problem = sorted_rows.problem
    rows, space = problem.rows, problem.space
    bounds = C * sorted_rows.cost
    low, high = np.where(sorted_rows.sign > 0, 0.0, -bounds), np.where(sorted_rows.sign > 0, bounds, 0.0)
    _start_on_ray(sorted_rows, a, scores, low, high)
    scale, steps, progress = float(np.abs(rows.margin).max()), 0, current()
    limit, few = TIGHTEN * scale, steps_before(problem, max_iter)
    while True:
        taken, reached = _reach(sorted_rows, a, scores, low, high, limit, few - steps)
        steps += taken
        alpha = sorted_rows.alpha(a)
        beta = rows.coefficients(alpha)
        scores[:] = space.scores(beta)
        theta, objective, dual = problem.proved(C, alpha, 0.5 * float(beta @ scores), scores)
        gap = relative_gap(objective, dual)
        stop = gap <= tol or steps >= few or limit < ROUNDING * scale or progress.expired
        progress.report("smo", C, steps, objective, gap, done=stop)
        if not stop:
            limit *= TIGHTEN if reached else 1.0
            continue
        found, steps = ended_exactly(problem, C, tol, gap, steps, few, max_iter)
        if found is None:
            return Solution(beta, theta, alpha, objective, dual, steps, gap <= tol)
        a[:] = sorted_rows.sign * found.alpha[sorted_rows.order]
        scores[:] = space.scores(found.beta)
        if found.converged:
            return found
        few = max_iter


def _start_on_ray(sorted_rows, a, scores, low, high):
    """Replace a by its multiple with the smallest dual loss inside the box, and change its scores too."""
    used = a != 0
    if not np.any(used):
        return
    curvature = float(sorted_rows.coefficients(a) @ scores)
    room = float(np.min((high - low)[used] / np.abs(a[used])))
    best = float(sorted_rows.target @ a) / curvature if curvature > 0 else np.inf
    multiple = max(min(best, room), 0.0)
    np.clip(a * multiple, low, high, out=a)
    scores *= multiple


def _reach(sorted_rows, a, scores, low, high, limit, max_steps):
    """Take steps until no violation exceeds ``limit`` or a progress line is due; return their number and whether the
    limit is reached.

    Between chunks of steps, Newton steps are taken if few active rows are not free. The chunks grow as long as the
    Newton steps do not reach the minimum of a face.
    """
    arrays = sorted_rows.arrays, (low, high, a), scores
    shortest = max(LOOK_AGAIN, len(a) // 2)
    taken, chunk, progress = 0, shortest, current()
    rows, starts = np.empty(len(a), dtype=np.int64), np.empty_like(sorted_rows.starts)
    while taken < max_steps and not progress.expired and not progress.due:
        chunk_now = min(chunk, max_steps - taken)
        done = _in_pieces(sorted_rows, arrays, limit, chunk_now)
        taken += done
        if done < chunk_now:
            return taken, not progress.expired
        active, _ = _active_rows(*arrays, rows, starts)
        if active <= MOSTLY_FREE * np.count_nonzero((a > low) & (a < high)):
            reached = minimise_on_face(sorted_rows, a, low, high, scores)
            chunk = shortest if reached else min(2 * chunk, 16 * shortest)
    return taken, False


def _in_pieces(sorted_rows, arrays, limit, steps):
    """Take up to ``steps`` steps; return to Python after ``LOOK_AGAIN`` times the number that the pace allows."""
    taken, progress = 0, current()
    while taken < steps and not progress.expired:
        most = min(LOOK_AGAIN * sorted_rows.pace.begin(), steps - taken)
        done = _run(sorted_rows.space.K, sorted_rows.diagonal, *arrays, limit, most)
        sorted_rows.pace.end(done // LOOK_AGAIN)
        taken += done
        if done < most:
            break
    return taken


@njit(cache=True)
def _search(kink, may_rise, may_fall, starts):
    """Return the threshold with the largest violation (-1: none), the row to raise, and the violation."""
    worst, up, violation = -1, -1, 0.0
    for k in range(starts.size - 1):
        lowest, highest, first = np.inf, -np.inf, -1
        for p in range(starts[k], starts[k + 1]):
            if kink[p] < lowest and may_rise[p]:
                lowest, first = kink[p], p
            if kink[p] > highest and may_fall[p]:
                highest = kink[p]
        if highest - lowest > violation:
            worst, up, violation = k, first, highest - lowest
    return worst, up, violation


@njit(cache=True)
def _active_rows(rows, box, scores, active, active_starts):
    """Collect the rows to search; return how many there are and the largest violation of all rows.

    They are the rows that can rise from the lower ``BAND`` of the range of kinks, or fall from the upper one. If BAND
    is above 1/2, every free row is among them; the two rows that violate most always are.
    """
    (index, orient, target, starts), (low, high, a) = rows, box
    found, violation = 0, 0.0
    for k in range(starts.size - 1):
        active_starts[k] = found
        lowest, highest = np.inf, -np.inf
        for t in range(starts[k], starts[k + 1]):
            kink = orient[t] * scores[index[t]] - target[t]
            if a[t] < high[t]:
                lowest = min(lowest, kink)
            if a[t] > low[t]:
                highest = max(highest, kink)
        violation = max(violation, highest - lowest)
        left_out = (1.0 - BAND) * max(highest - lowest, 0.0)
        for t in range(starts[k], starts[k + 1]):
            kink = orient[t] * scores[index[t]] - target[t]
            if (a[t] < high[t] and kink < highest - left_out) or (a[t] > low[t] and kink > lowest + left_out):
                active[found] = t
                found += 1
    active_starts[starts.size - 1] = found
    return found, violation


@njit(cache=True)
def _partner(kink, norm, cross, may_fall, start, stop, up):
    """Return the row to lower, which has the largest gain (kink difference)^2 / curvature, and this curvature."""
    down, gain, curvature = -1, 0.0, 0.0
    for p in range(start, stop):
        difference = kink[p] - kink[up]
        if difference > 0.0 and may_fall[p]:
            here = least_curvature(norm[up], norm[p], cross[p])
            if difference * difference > gain * here:
                down, gain, curvature = p, difference * difference / here, here
    return down, curvature


@njit(cache=True)
def _move(box, t, u, step, may_rise, may_fall, up, down):
    """Raise a_t and lower a_u by at most ``step``, to exactly a bound if it is reached; return the step."""
    low, high, a = box
    rise, fall = high[t] - a[t], a[u] - low[u]
    step = min(step, min(rise, fall))
    a[t] = high[t] if step == rise else a[t] + step
    a[u] = low[u] if step == fall else a[u] - step
    may_rise[up], may_fall[up] = a[t] < high[t], a[t] > low[t]
    may_rise[down], may_fall[down] = a[u] < high[u], a[u] > low[u]
    return step


@njit(cache=True)
def _run(K, diagonal, rows, box, scores, limit, max_steps):
    """Take steps until no violation exceeds ``limit``; return their number.

    1 active rows, 2 their kinks and the worst threshold, 3 the partner with the largest gain, 4 the step, 5 the scores.
    """
    (index, orient, target, starts), (low, high, a) = rows, box
    size = index.size
    active, active_starts = np.empty(size, dtype=np.int64), np.empty(starts.size, dtype=np.int64)
    i_of, o_of, goal, norm = np.empty(size, dtype=np.int64), np.empty(size), np.empty(size), np.empty(size)
    kink, cross = np.empty(size), np.empty(size)
    may_rise, may_fall = np.empty(size, dtype=np.bool_), np.empty(size, dtype=np.bool_)
    steps = 0
    while steps < max_steps:
        found, violation = _active_rows(rows, box, scores, active, active_starts)
        if violation <= limit:
            return steps
        enough = max(limit, LOOK_BELOW * violation)
        for p in range(found):
            t = active[p]
            i_of[p], o_of[p], goal[p], norm[p] = index[t], orient[t], target[t], diagonal[index[t]]
            may_rise[p], may_fall[p] = a[t] < high[t], a[t] > low[t]
        for _ in range(min(LOOK_AGAIN, max_steps - steps)):
            for p in range(found):
                kink[p] = o_of[p] * scores[i_of[p]] - goal[p]
            worst, up, violation = _search(kink, may_rise, may_fall, active_starts)
            if violation <= enough:
                break
            column, oriented = K[i_of[up]], o_of[up]
            start, stop = active_starts[worst], active_starts[worst + 1]
            for p in range(start, stop):
                cross[p] = oriented * o_of[p] * column[i_of[p]]
            down, curvature = _partner(kink, norm, cross, may_fall, start, stop, up)
            step = OVER * (kink[down] - kink[up]) / curvature
            step = _move(box, active[up], active[down], step, may_rise, may_fall, up, down)
            raised, lowered, other = step * o_of[up], step * o_of[down], K[i_of[down]]
            for r in range(scores.size):
                scores[r] += raised * column[r] - lowered * other[r]
            steps += 1
    return steps
