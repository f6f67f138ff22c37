"""The sum of margins (Shashua and Levin eq. 13-20): two thresholds per gap, ||f|| <= 1.

    max  sum_j (b_j - a_j) - C sum_t max(0, hinge_t)   over ||f|| <= 1 and a_1 <= b_1 <= a_2 <= ... <= b_{k-1}

Its dual is homogeneous: min ||f_alpha|| over 0 <= alpha <= C with slope + balance + eta_t - eta_{t-1} = 0 for every
threshold of the chain; the multipliers of the order are eta >= 0.  Minimising 1/2 ||f_alpha||^2 under the same
constraints is a row problem with margin 0, so the steps are those of :mod:`rankmargin.solvers.smo`.  The gap is that
between ||f_alpha|| and the value of f_alpha / ||f_alpha|| with its best thresholds.
"""

import numpy as np

from rankmargin.rows.thresholds import best_thresholds
from rankmargin.solvers.smo import Descent
from rankmargin.solvers.solution import Solution
from rankmargin.solvers.solver import solver

NO_MARGIN = 1e-7


class NoMarginError(ValueError):
    """C is so large that no function has a positive sum of margins minus loss."""


@solver(thresholds="ordered", blocks=True)
def sum_of_margins(problem, C_values, tol, max_iter, seed, start):
    """Solve for each C in turn, starting from the previous solution.

    The rows are those of :func:`rankmargin.rows.thresholds.sandwiched`, and the first C is at least 1 over the size of
    the first and of the last rank. In a solution ``beta`` has ||f|| = 1, ``theta`` is a_1, b_1, a_2, ..., ``objective``
    is the upper bound ||f_alpha||, and ``dual_bound`` is the sum of margins minus C sum hinge.

    Raises
    ------
    NoMarginError
        If a C leaves no positive sum of margins, so that no direction is better than another.
    """
    rows, space = problem.rows, problem.space
    alpha = _feasible(rows, C_values[0])
    descent = Descent(rows, space, alpha, np.zeros(rows.n_thresholds - 1))
    descent.eta[:] = _snapped(rows.order_multipliers(alpha))
    for C in C_values:
        evaluate = _Evaluate(rows, C)
        limit = 0.1 * max(float(np.ptp(descent.scores)), 1e-12)
        steps, gap = descent.run("sum_of_margins", C, C * rows.cost, evaluate, tol, max_iter, limit)
        norm = max(float(descent.beta @ descent.scores), 0.0) ** 0.5
        if norm <= NO_MARGIN * evaluate.scale(space, alpha):
            raise NoMarginError(
                f"C={C:g} leaves no positive sum of margins: no direction is better than another; lower C"
            )
        theta, objective, attained = evaluate(alpha, descent.beta, descent.scores)
        yield Solution(descent.beta / norm, theta, alpha.copy(), objective, attained, steps, gap <= tol)


class _Evaluate:
    """Return the thresholds, the upper bound and the attained value of a point."""

    def __init__(self, rows, C):
        self.rows, self.C = rows, C

    def __call__(self, alpha, beta, scores):
        norm = max(float(beta @ scores), 0.0) ** 0.5
        unit = scores / norm if norm > 0.0 else scores
        theta = best_thresholds(self.rows, unit, self.rows.n_thresholds, self.C)
        short = np.maximum(self.rows.margin - self.rows.values(unit, theta), 0.0)
        return theta, norm, -float(self.rows.slope @ theta) - self.C * float(self.rows.cost @ short)

    def scale(self, space, alpha):
        """Return the largest norm that f_alpha could have with these weights."""
        return float(alpha.sum()) * float(np.sqrt(np.maximum(space.diagonal(), 0.0)).max())


def _feasible(rows, C):
    """Return alpha (N,) that shares 1 among the rows of each threshold by cost; if a rank is too small, each of its
    rows gets C cost.

    A middle rank with fewer than 1 / C examples then lacks the same amount on both of its sides, and the multiplier
    between them balances this.
    """
    size = np.bincount(rows.threshold, rows.cost, minlength=rows.n_thresholds)
    return np.minimum(1.0 / size, C)[rows.threshold] * rows.cost


def _snapped(eta):
    """Set rounding errors of multipliers that are 0 to 0."""
    return np.where(eta > 1e-12, eta, 0.0)
