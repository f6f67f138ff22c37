"""Sequential minimal optimisation on rows with thresholds: one equality constraint per threshold.

    max_alpha  sum_t margin_t alpha_t - 1/2 ||f||^2,   0 <= alpha_t <= C cost_t,
    sum_{t at k} sign_t alpha_t = 0 for each threshold k

A row is on its margin if its threshold equals ``kink_t = (s_plus - s_minus) - sign_t margin_t``.  ``sign_t alpha_t``
can be raised for the rows *up* (sign + and below the bound, or sign - and above 0), and lowered for the rows *down*.
At the optimum max kink(down) <= theta <= min kink(up) (Keerthi et al. 2001).  A step is taken at the threshold with the
largest violation: it raises the row up with the smallest kink and lowers the row down with the largest gain (Fan, Chen,
Lin 2005).  Without an order, the other thresholds take a step before all rows are looked at again, if their violation
is not much smaller.  Rows without a threshold are changed alone.

If theta_0 <= theta_1 <= ... is required, weight may also pass from one threshold to another: the multiplier eta_k of
theta_k <= theta_{k+1} is minus the balance of the thresholds up to k and must stay >= 0 (Chu and Keerthi, explicit
constraints).

Steps run over a whole kernel matrix in memory.  Otherwise, with more than ``BLOCK`` rows of X, they are taken inside
blocks (Joachims 1999).  A block has the examples of the rows with the largest violations, half of them up and half
down, and the latest examples of the previous block.  Blocks grow up to ``LARGEST_BLOCK`` examples as long as more of
them are needed.  After a block, the scores of all examples are updated in one matrix product.

If very many steps are needed, as with unscaled columns, and there are few examples, an interior point method ends the
solve (:mod:`rankmargin.solvers.interior_point`).
"""

from functools import cached_property, partial

import numpy as np

from rankmargin.oracles.objective import Solution, relative_gap
from rankmargin.problem.spaces import KernelSpace
from rankmargin.solvers.interior_point import ended_exactly, steps_before
from rankmargin.solvers.progress import Pace, current
from rankmargin.solvers.smo_block import ROUND, run_block, violations
from rankmargin.solvers.solver import solver

BLOCK, LARGEST_BLOCK, DOUBLED_AFTER = 512, 2048, 2  # examples; a hard problem needs many blocks, which then grow
FRESH = 0.75  # share of the examples of a block that are new
ROUNDING = 1e-14
OUTSIDE = -2  # place of an example outside the block; -1 is the place of an absent term


@solver(blocks=True)
def smo(problem, C_values, tol, max_iter, seed, start):
    """Solve for each C by steps of two rows; each row has at most one threshold."""
    rows, space = problem.rows, problem.space
    alpha = np.zeros(len(rows)) if start is None else np.array(start, dtype=np.float64)
    descent = Descent(rows, space, alpha, lambda alpha: np.maximum(rows.order_multipliers(alpha), 0.0))
    few = steps_before(problem, max_iter)
    for C in C_values:
        bounds, evaluate = C * rows.cost, partial(_evaluate, problem, C)
        descent.scale(min(1.0, float(np.min(np.divide(bounds, alpha, out=np.ones(len(rows)), where=alpha > 0)))))
        limit = 0.1 * float(np.abs(rows.margin).max())
        found, steps, gap = descent.solve("smo", problem, C, evaluate, tol, few, max_iter, limit)
        if found is not None:
            yield found
            continue
        theta, objective, dual = evaluate(alpha, descent.beta, descent.scores)
        yield Solution(descent.beta.copy(), theta, alpha.copy(), objective, dual, steps, gap <= tol)


def _evaluate(problem, C, alpha, beta, scores):
    return problem.proved(C, alpha, 0.5 * float(beta @ scores), scores)


class Descent:
    """The dual variables of a row problem, the quantities that follow from them, and the steps that change them.

    Attributes
    ----------
    alpha : (N,) array, changed in place
    eta : (n_thresholds - 1,) array, multipliers of the ordered thresholds; empty without an order
    beta, scores : (n,) arrays that belong to alpha
    """

    def __init__(self, rows, space, alpha, multipliers):
        """``multipliers(alpha)`` returns the eta that belongs to an alpha; it is called only if there is an order."""
        self.rows, self.space, self.alpha, self.multipliers = rows, space, alpha, multipliers
        self.eta = multipliers(alpha) if rows.ordered else np.zeros(0)
        self.order = np.argsort(rows.threshold, kind="stable")
        alone = np.count_nonzero(rows.threshold < 0)  # neighbours often undo each other in a sweep
        self.order[:alone] = np.random.default_rng(0).permutation(self.order[:alone])
        self.sign, self.threshold = rows.sign[self.order], rows.threshold[self.order]
        columns = (a[self.order] for a in (rows.plus, rows.minus, rows.sign * rows.margin))
        self.sorted = (self._starts(self.threshold), *columns)
        self.pace, self.held = Pace(8), isinstance(space, KernelSpace)
        self.refresh()

    def refresh(self):
        """Compute beta and scores again from alpha."""
        self.beta = self.rows.coefficients(self.alpha)
        self.scores = self.space.scores(self.beta)

    def scale(self, factor):
        """Multiply all dual variables by a factor, which keeps every balance of 0."""
        if factor != 1.0:
            self.alpha *= factor
            self.eta *= factor
            self.beta = self.beta * factor
            self.scores = self.scores * factor

    def solve(self, solver, problem, C, evaluate, tol, few, max_iter, limit):
        """Run; after ``few`` steps let the interior point end it, and go on from its answer if that has not converged.

        Returns
        -------
        Solution or None
            None if the steps have ended by themselves, unless the interior point was nearer.
        int, float
            The number of all steps, and the gap that these steps reached.
        """
        steps = 0
        for most in (few, max_iter):
            taken, gap = self.run(solver, C, C * self.rows.cost, evaluate, tol, most - steps, limit)
            found, steps = ended_exactly(problem, C, tol, gap, steps + taken, most, max_iter)
            if found is None:
                break
            self._go_to(found)
            if found.converged:
                break
        return found, steps, gap

    def _go_to(self, solution):
        """Take the dual variables of a solution."""
        self.alpha[:] = solution.alpha
        if self.rows.ordered:
            self.eta[:] = self.multipliers(self.alpha)
        self.refresh()

    def run(self, solver, C, bounds, evaluate, tol, max_iter, limit):
        """Take steps until ``evaluate`` proves a relative gap <= tol; return the number of steps and the gap.

        ``limit`` is the violation at which the gap is computed for the first time; it is reduced until the gap is
        reached.
        """
        bounds, first, progress = bounds[self.order], limit, current()
        self.block, self.blocks = np.empty(0, dtype=np.int64), 0
        self.steps, self.max_steps = 0, max_iter
        while True:
            reached = self._until(bounds, limit)
            self.refresh()
            _, objective, dual = evaluate(self.alpha, self.beta, self.scores)
            gap = relative_gap(objective, dual)
            stop = gap <= tol or self.steps >= max_iter or limit < self._rounding(first) or progress.expired
            progress.report(solver, C, self.steps, objective, gap, done=stop)
            if stop:
                return self.steps, gap
            if reached:
                limit *= 0.2

    def _rounding(self, first):
        """Return the largest violation that is only rounding, if ``first`` is a tenth of the size of the scores.

        Rows at alpha = 0 do not count, whatever the size of their margin (a tube of 1e9 and orderings of 1e-3).
        """
        size = np.abs(self.rows.margin)
        least = size[size > 0].min(initial=10 * first)
        return ROUNDING * float(size[self.alpha > 0].max(initial=least))

    def _until(self, bounds, limit):
        """Take steps until no violation exceeds ``limit``; return whether that is reached."""
        (up, down), progress = np.empty((2, len(self.alpha))), current()
        while self.steps < self.max_steps and not progress.expired:
            size = min(BLOCK << self.blocks // DOUBLED_AFTER, LARGEST_BLOCK)
            if self.held or self.space.n <= size:
                if self._step_inside(self._whole, bounds, limit):
                    return True
            else:
                box = self.sign, bounds, self.alpha[self.order]
                violation = violations(self.sorted, box, np.append(self.scores, 0.0), self.eta, up, down)
                if violation <= limit:
                    return True
                self.block, self.blocks = self._next_block(up, down, self.block, size), self.blocks + 1
                self._step_inside(self._rows_inside(np.sort(self.block)), bounds, max(limit, 0.1 * violation))
        return False

    def _starts(self, threshold):
        return np.searchsorted(threshold, np.arange(-1, self.rows.n_thresholds + 1))

    def _next_block(self, up, down, block, size):
        """Return the examples of the rows with the largest violations and, up to ``size``, the latest of the last
        block."""
        chosen, half = [], int(FRESH * size) // 2
        for violation in (up, down):
            rows = np.argpartition(violation, -half)[-half:] if len(violation) > half else np.arange(len(violation))
            rows = rows[violation[rows] > 0.0]
            chosen += [self.sorted[1][rows], self.sorted[2][rows]]
        fresh = np.unique(np.concatenate(chosen))
        fresh = fresh[fresh >= 0]
        kept = block[~np.isin(block, fresh)]
        return np.concatenate([fresh, kept[: max(size - len(fresh), 0)]])

    def _rows_inside(self, block):
        """Return the rows whose examples are all in the block: what of them does not change from step to step."""
        size = len(block)
        place = np.full(self.space.n + 1, OUTSIDE)
        place[block], place[-1] = np.arange(size), -1
        _, plus, minus, offset = self.sorted
        inside = np.flatnonzero((place[plus] != OUTSIDE) & (place[minus] != OUTSIDE))
        K = self.space.K if size == self.space.n and self.held else self.space.block(block)
        starts = self._starts(self.threshold[inside])
        return block, inside, K, (starts, place[plus[inside]], place[minus[inside]], offset[inside])

    @cached_property
    def _whole(self):
        return self._rows_inside(np.arange(self.space.n))

    def _step_inside(self, rows_inside, bounds, limit):
        """Take steps on rows whose examples are all in a block, then update the scores of all examples.

        Return whether no violation inside exceeds ``limit`` now; False if a limit of steps or seconds came first.
        """
        block, inside, K, searched = rows_inside
        size, rows, sign = len(block), self.order[inside], self.sign[inside]
        scores, alpha, before = np.append(self.scores[block], 0.0), self.alpha[rows], self.alpha[rows]
        box = sign, bounds[inside], alpha
        progress, reached = current(), False
        while not reached and self.steps < self.max_steps and not progress.expired:
            most = ROUND * self.pace.begin(), self.max_steps - self.steps
            steps = run_block(K, searched, box, scores, self.eta, limit, *most)
            self.pace.end(steps // ROUND)
            self.steps += steps
            reached = steps < min(most)
        self.alpha[rows] = alpha
        change, (_, plus, minus, _) = sign * (alpha - before), searched
        moved = (np.bincount(plus + 1, change, size + 1) - np.bincount(minus + 1, change, size + 1))[1:]
        self.beta[block] += moved
        if size == self.space.n:
            self.scores = scores[:-1]
        else:
            self.scores += self.space.partial_scores(block[moved != 0.0], moved[moved != 0.0])
        return reached
