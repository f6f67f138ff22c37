"""What a solver is: a function that yields one solution per C, and data that say which problems it accepts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rankmargin.caller import warn_caller
from rankmargin.certificates import certify
from rankmargin.oracles.objective import ConvergenceWarning
from rankmargin.problem.losses import HINGE
from rankmargin.problem.rows.rows import Rows
from rankmargin.problem.spaces import LinearSpace
from rankmargin.solvers.progress import current
from rankmargin.solvers.solution import beyond_zero

MANY = 1_000_000_000
SPOILED = 1e-6  # from this rounding error on the judge looks at a solution whose functions have ||f|| = 1
UNSEEN = 1e-9  # of the objective: a smaller rounding error may stay in a bound
SHARE = 0.01  # of a gap, or of tol: rounding may be so much of it
LESS = 0.25  # of tol: where a solve ends whose bound lacks as much, or less, because of rounding


@dataclass(frozen=True)
class Solver:
    """A solver and the problems that it accepts.

    Attributes
    ----------
    run : generator function (problem, C_values, tol, max_iter, seed, start), which yields one Solution per C
    forms : tuple of Rows and PairLoss, the forms of a problem that it takes
    losses : tuple of the losses that it takes, None for every loss
    blocks : bool, whether blocks of a kernel matrix are enough
    most_steps : int, limit that is below every max_iter
    """

    run: Callable
    forms: tuple = (Rows,)
    losses: tuple | None = (HINGE,)
    blocks: bool = False
    most_steps: int = MANY

    @property
    def name(self):
        """The name of the solver, that of its function."""
        return self.run.__name__

    def check(self, rows):
        """Refuse rows, or a PairLoss, of a form or with a loss that the solver does not take."""
        if not isinstance(rows, self.forms):
            raise ValueError(f"{self.name} needs all pairs, got a list of rows")
        if self.losses and rows.loss not in self.losses:
            raise ValueError(f"{self.name} needs loss='hinge', got {rows.loss}")

    def __call__(self, problem, C_values, tol=1e-3, max_iter=MANY, seed=0, start=None):
        """Solve the problem for each C in turn, starting from the previous solution.

        Parameters
        ----------
        problem : Problem
        C_values : sequence of floats > 0, best in ascending order
        tol : float, relative duality gap at which a solve ends
        max_iter : int, largest number of sweeps, planes or steps for one C
        seed : int, seed of shuffles and samples; the optimum does not depend on it
        start : (N,) array or None, feasible dual variables to start from, for the solvers that take a start

        Returns
        -------
        list of Solution, one per C, each of which has an equal part of the time that is left; ``n_iter`` is 0 if there
            was none
        """
        max_iter, solutions = min(max_iter, self.most_steps), []
        loss, linear = problem.loss_of_zero(), isinstance(problem.space, LinearSpace)
        problem = replace(problem, lossless=problem.is_lossless(loss))
        lengths = None if linear else np.sqrt(np.maximum(problem.space.diagonal(), 0.0))

        def closer(tol, max_iter=max_iter, start=None, C=None):
            return next(self.run(problem, [C], tol, max_iter, seed, start))

        def again(tol, max_iter, start, C):
            return _sound(problem, C, tol, lengths, closer(tol, max_iter, start, C))

        found = self.run(problem, C_values, tol, max_iter, seed, start)
        for place, C in enumerate(C_values):
            with current().share(len(C_values) - place):
                late, solution = current().expired, next(found)
                start = solution.alpha if isinstance(problem.rows, Rows) else None
                refined = partial(closer, start=start, C=C)
                solution = _sound(problem, C, tol, lengths, solution, refined)
                if loss is not None and not solution.ends(C * loss):
                    better = beyond_zero(problem, C, C * loss, solution, tol, max_iter, partial(again, C=C))
                    if better is not solution:
                        solution = _sound(problem, C, tol, lengths, better)
                if not solution.converged:
                    _warn_unconverged(self.name, C, solution, tol, max_iter)
                    solution = replace(solution, n_iter=0) if late else solution
            solutions.append(solution)
        return solutions


def _sound(problem, C, tol, lengths, solution, refined=None):
    """Return the solution with a bound that is right in spite of the rounding of kernel values.

    Where rounding may be a part of the gap, the judge recomputes objective and bound, and what rounding may have added
    to the bound is subtracted. If the result is below 0, or above the objective, the bound is 0, that of no dual
    variables.

    Parameters
    ----------
    lengths : (n,) array of ||phi_i||, or None for linear functions, whose weights are known
    refined : function of a tolerance that returns a closer solution, or None
    """
    only_rounding = solution.objective == 0.0  # solvers return 0 if only rounding error remains
    if lengths is None or only_rounding:
        return solution
    of_unit_norm = isinstance(problem.rows, Rows) and problem.rows.slope is not None
    spoiled = _rounding(problem, C, lengths, solution)
    if of_unit_norm:
        return solution if spoiled <= SPOILED else _judged(problem, C, tol, solution)
    if spoiled <= max(UNSEEN * solution.objective, SHARE * (solution.objective - solution.dual_bound)):
        return solution
    with np.errstate(all="ignore"):
        found = certify(problem, C, solution)
    negligible = found.objective < 0.0 and found.gap <= tol  # beside the loss of a function that lacks every margin
    if negligible:
        return replace(solution, objective=0.0, dual_bound=0.0, converged=True)
    objective, bound, alpha = found.objective, found.dual_bound - spoiled, solution.alpha
    if not 0.0 < bound <= objective:
        nothing = (
            np.zeros_like(alpha) if isinstance(problem.rows, Rows) else alpha._replace(weights=0.0 * alpha.weights)
        )
        bound, alpha = 0.0, nothing
    judged = replace(solution, objective=objective, dual_bound=bound, alpha=alpha)
    judged = replace(judged, converged=judged.gap <= tol)
    if refined is not None and solution.gap <= tol < judged.gap and spoiled <= LESS * tol * objective:
        return _sound(problem, C, tol, lengths, refined(LESS * tol))
    return judged


def _judged(problem, C, tol, solution):
    """Return the solution of a sum of margins with the values of the judge, unless they confirm its gap."""
    with np.errstate(all="ignore"):
        found = certify(problem, C, solution)
    if solution.gap <= tol and found.gap <= solution.gap + SHARE * tol:
        return solution
    return replace(solution, objective=found.objective, dual_bound=found.dual_bound, converged=found.gap <= tol)


def _rounding(problem, C, lengths, solution):
    """Return how far rounding may move the objective and the bound of a solution.

    With u = 2^-53, it moves ||f||^2 = sum_ij beta_i beta_j k(x_i, x_j) by about u (sum_i |beta_i| ||phi_i||)^2, and the
    loss by about u times the loss of a function that lacks every margin, and by that of listed rows at their margin,
    whose scores it moves by about u sum_i |beta_i| ||phi_i|| times their own length. This matters where C is huge, and
    where kernel values are huge beside the differences between them. A row far inside a wide tube has a margin of
    -epsilon and no dual variable: it adds nothing.
    """
    rows, alpha, loss, of_scores = problem.rows, solution.alpha, 0.0, 0.0
    with np.errstate(over="ignore"):
        if not isinstance(rows, Rows):
            beta, loss = rows.dual_sums(alpha, alpha.points).beta, C * rows.cost * rows.margin * rows.total_weight
        else:
            beta = rows.coefficients(alpha)
            if rows.slope is None:
                touch, ends = alpha != 0, np.append(lengths, 0.0)  # a row without a second example has -1
                adds = touch | (rows.margin > 0)
                loss = C * (rows.cost[adds] @ np.abs(rows.margin[adds]))
                of_scores = C * float(rows.cost[touch] @ (ends[rows.plus[touch]] + ends[rows.minus[touch]]))
        sizes = [float(np.abs(each) @ lengths) for each in (solution.beta, beta)]
        return 2.0**-53 * max(loss, *(size * max(size, of_scores) for size in sizes))


def solver(**accepted):
    """Return the decorator that makes a Solver of its ``run``."""
    return lambda run: Solver(run, **accepted)


def _warn_unconverged(name, C, solution, tol, max_iter):
    """Warn that a solver stopped: where, why, and what would help."""
    progress, behind = current(), f"a relative gap of {solution.gap:.1e} > tol={tol:g}"
    if solution.gap <= tol:
        behind = f"a relative gap of {solution.gap:.1e}; the fit may be barely better than a constant"
    if progress.expired:
        why, help_ = f"max_seconds={progress.max_seconds:g}", "raise max_seconds or tol"
    elif solution.n_iter < max_iter:
        why, help_ = f"{solution.n_iter} steps, at the limit of double precision,", "lower C, scale X or raise tol"
    else:
        why, help_ = f"max_iter={max_iter}", "raise max_iter or tol"
    message = f"{name} stopped after {why} at {behind} (C={C / progress.unit:g}); {help_}"
    warn_caller(message, ConvergenceWarning)
