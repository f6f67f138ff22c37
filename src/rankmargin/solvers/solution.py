"""What every solver returns, and the warning it gives when it stops short."""

import sys
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from rankmargin.rows.thresholds import best_thresholds
from rankmargin.solvers.progress import current

NOTHING, NEARLY = 1e-12, 1e-6


class ConvergenceWarning(UserWarning):
    """A solver stopped, by its limit of iterations or of seconds, before its duality gap reached the tolerance.

    Where scikit-learn is loaded it is given as a subclass of scikit-learn's warning of this name too; a benchmark job
    does not load it.
    """


@cache
def _both_warnings(theirs):
    return type("ConvergenceWarning", (ConvergenceWarning, theirs), {"__module__": __name__})


def convergence_warning():
    """Return the class to warn with, see :class:`ConvergenceWarning`."""
    exceptions = sys.modules.get("sklearn.exceptions")
    return ConvergenceWarning if exceptions is None else _both_warnings(exceptions.ConvergenceWarning)


@dataclass(frozen=True)
class Solution:
    """A pair of primal and dual points of one problem, with what separates them.

    Attributes
    ----------
    beta : (n,) coefficients of f = sum_i beta_i k(x_i, .)
    theta : (n_thresholds,) thresholds, empty where the method has none
    alpha : (N,) dual variables of the rows, or SlopesAt where all pairs are meant and none is listed
    objective : float, primal objective at (beta, theta), 1/2 ||f||^2 + sum_t C_t max(0, margin_t - ...)
    dual_bound : float, dual objective; no f has an objective below it
    n_iter : int, sweeps, planes or pair updates, as the solver counts
    converged : bool, whether gap <= tol
    w : (d,) weights of a linear function at which the objective is told, or None where they are X^T beta
    """

    beta: np.ndarray
    theta: np.ndarray
    alpha: Any
    objective: float
    dual_bound: float
    n_iter: int
    converged: bool
    w: np.ndarray | None = None

    @property
    def gap(self) -> float:
        """``|objective - dual_bound| / objective``, 0 for an objective of 0."""
        return relative_gap(self.objective, self.dual_bound)


def relative_gap(objective: float, dual_bound: float) -> float:
    """Return |objective - dual_bound| / objective, 0 for an objective of 0.

    A bound above the objective is none: beyond rounding it shows a kernel that is not positive semi-definite in double
    precision, or numbers that have cancelled.
    """
    return abs(objective - dual_bound) / objective if objective > 0 else 0.0


def proved(rows, bounds, alpha, beta, scores):
    """Return what a point proves: its best thresholds, the primal objective there and the dual bound.

    Parameters
    ----------
    rows : Rows
    bounds, alpha : (N,) the box C cost and dual variables in it
    beta, scores : (n,) arrays that belong to alpha
    """
    half_norm = 0.5 * float(beta @ scores)
    theta, objective, scale = primal(rows, bounds, half_norm, scores)
    return theta, *rounded(objective, float(rows.margin @ alpha) - half_norm, scale)


def rounded(objective, dual, scale):
    """Return an objective and its bound; 0 and 0 where both are nothing beside ``scale``, as where all targets lie
    inside the tube and only rounding is left: the optimum is 0, and it is reached."""
    return (0.0, 0.0) if max(abs(objective), abs(dual)) <= NOTHING * scale else (objective, dual)


def primal(rows, bounds, half_norm, scores):
    """Return the best thresholds at scores (n,), the objective of a function with these scores and 1/2 ||f||^2, and the
    scale of its rounding errors."""
    theta = best_thresholds(rows, scores, rows.n_thresholds)
    short = rows.margin - rows.values(scores, theta)
    return theta, half_norm + float(bounds @ np.maximum(short, 0.0)), scale_of(rows, bounds, short)


def scale_of(rows, bounds, short):
    """Return the largest margins, at their cost, of the rows that fall short or just do not: rounding errors of an
    objective are of this size times 1e-16. Largest is meant among the rows of the same threshold."""
    size = np.zeros(rows.n_thresholds + 1)
    np.maximum.at(size, rows.threshold, np.abs(rows.margin))
    size = size[rows.threshold]
    return float(bounds @ np.where(short > -NEARLY * size, size, 0.0))


def check_controls(C, tol, max_iter):
    """Refuse solver settings outside their range."""
    if not np.all(np.isfinite(C)) or np.any(np.asarray(C) <= 0):
        raise ValueError(f"C must be > 0 and finite, got {C!r}")
    if not tol > 0:
        raise ValueError(f"tol must be > 0, got {tol!r}")
    if max_iter < 1:
        raise ValueError(f"max_iter must be >= 1, got {max_iter!r}")


def warn_unconverged(solver, C, gap, tol, steps, max_iter):
    """Say which solver stopped where and why, and what would help."""
    progress = current()
    if progress.expired:
        why, help_ = f"max_seconds={progress.max_seconds:g}", "raise max_seconds or tol"
    elif steps < max_iter:
        why, help_ = f"{steps} steps, where double precision ends,", "lower C, scale X or raise tol"
    else:
        why, help_ = f"max_iter={max_iter}", "raise max_iter or tol"
    warnings.warn(
        f"{solver} stopped after {why} at a relative gap of {gap:.1e} > tol={tol:g} (C={C:g}); {help_}",
        convergence_warning(),
        stacklevel=3,
    )
