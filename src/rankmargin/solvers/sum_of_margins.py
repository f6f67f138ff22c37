"""The sum of margins (Shashua and Levin eq. 13-20): two thresholds per gap, ||f|| <= 1.

    max  sum_j (b_j - a_j) - C sum_t max(0, hinge_t)   over ||f|| <= 1 and a_1 <= b_1 <= a_2 <= ... <= b_{k-1}

Its dual is homogeneous: min ||f_alpha|| over 0 <= alpha <= C with slope + balance + eta_t - eta_{t-1} = 0 for every
threshold of the chain; the multipliers of the order are eta >= 0.  Minimising 1/2 ||f_alpha||^2 under the same
constraints is a row problem with margin 0, so the steps are those of :mod:`rankmargin.solvers.smo`.  If there are few
examples and many steps would be needed (unscaled columns, or a C that leaves hardly any margin), the interior point
method ends the solve.  The gap is that between ||f_alpha|| and the value of f_alpha / ||f_alpha|| with its best
thresholds.
"""

from functools import partial

import numpy as np

from rankmargin.oracles.objective import Problem, Solution, relative_gap
from rankmargin.problem.rows.thresholds import best_thresholds
from rankmargin.solvers.interior_point import steps_before
from rankmargin.solvers.smo import Descent
from rankmargin.solvers.solver import solver

NO_MARGIN = 1e-7  # of the sum of |beta_i| ||phi_i||; rounding errors of ||f|| are about 1e-8 of it
NEARLY_NO_MARGIN = 1e-4  # if the steps end below without a function that has a positive sum, none will be found


class NoMarginError(ValueError):
    """C is so large that no function has a positive sum of margins minus loss."""


@solver(blocks=True)
def sum_of_margins(problem, C_values, tol, max_iter, seed, start):
    """Solve for each C in turn, starting from the previous solution.

    The rows are those of :func:`rankmargin.problem.rows.thresholds.sandwiched`, and the first C is at least 1 over the
    size of the first and of the last rank. In a solution ``beta`` has ||f|| = 1, ``theta`` is a_1, b_1, a_2, ...,
    ``objective`` is the upper bound ||f_alpha||, and ``dual_bound`` is the sum of margins minus C sum hinge.

    Raises
    ------
    NoMarginError
        If a C leaves no positive sum of margins, so that no direction is better than another.
    """
    rows, few = problem.rows, steps_before(problem, max_iter)
    problem = _Homogeneous(rows, problem.space)
    alpha = _feasible(rows, C_values[0])
    descent = Descent(rows, problem.space, alpha, partial(_multipliers, rows))
    for C in C_values:
        limit = 0.1 * max(float(np.ptp(descent.scores)), 1e-12)
        evaluate = partial(_evaluate, problem, C)
        _, steps, _ = descent.solve("sum_of_margins", problem, C, evaluate, tol, few, max_iter, limit)
        theta, norm, attained = evaluate(alpha, descent.beta, descent.scores)
        if norm == 0.0 or (attained <= 0.0 and norm <= NEARLY_NO_MARGIN * _length(problem, alpha)):
            raise NoMarginError(
                f"C must leave a positive sum of margins, got {C:g}: no direction is better than another; lower C"
            )
        beta, converged = descent.beta / norm, relative_gap(norm, attained) <= tol
        yield Solution(beta, theta, alpha.copy(), norm, attained, steps, converged)


class _Homogeneous(Problem):
    """The problem whose objective is the upper bound ||f_alpha||, and whose dual bound is what f_alpha / ||f_alpha||
    attains; both are 0 if ||f_alpha|| is only rounding."""

    def proved(self, C, alpha, half_norm, scores):
        rows, norm = self.rows, (2.0 * max(half_norm, 0.0)) ** 0.5
        if norm <= NO_MARGIN * _length(self, alpha):
            return np.zeros(rows.n_thresholds), 0.0, 0.0
        unit = scores / norm
        theta = best_thresholds(rows, unit, C)
        short = np.maximum(rows.margin - rows.values(unit, theta), 0.0)
        return theta, norm, -float(rows.slope @ theta) - C * float(rows.cost @ short)


def _length(problem, alpha):
    """Return the sum of |beta_i| ||phi_i||."""
    lengths = np.sqrt(np.maximum(problem.space.diagonal(), 0.0))
    return float(np.abs(problem.rows.coefficients(alpha)) @ lengths)


def _evaluate(problem, C, alpha, beta, scores):
    return problem.proved(C, alpha, 0.5 * float(beta @ scores), scores)


def _feasible(rows, C):
    """Return alpha (N,) that shares 1 among the rows of each threshold by cost; if a rank is too small, each of its
    rows gets C cost.

    A middle rank with fewer than 1 / C examples then lacks the same amount on both of its sides, and the multiplier
    between them balances this.
    """
    size = np.bincount(rows.threshold, rows.cost, minlength=rows.n_thresholds)
    return np.minimum(1.0 / size, C)[rows.threshold] * rows.cost


def _multipliers(rows, alpha):
    """Return the multipliers of the order; those that are 0 but for rounding are 0."""
    eta = rows.order_multipliers(alpha)
    return np.where(eta > 1e-12, eta, 0.0)
