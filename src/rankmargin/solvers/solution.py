"""The result of every solver, and the warning if it stops before it has converged."""

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

    If scikit-learn is loaded, the warning is also a subclass of scikit-learn's warning of this name. A benchmark job
    does not load it.
    """


@cache
def _both_warnings(theirs):
    return type("ConvergenceWarning", (ConvergenceWarning, theirs), {"__module__": __name__})


def convergence_warning():
    """Return the class of the warning, see :class:`ConvergenceWarning`."""
    exceptions = sys.modules.get("sklearn.exceptions")
    return ConvergenceWarning if exceptions is None else _both_warnings(exceptions.ConvergenceWarning)


@dataclass(frozen=True)
class Solution:
    """A primal and a dual point of one problem, and the gap between them.

    Attributes
    ----------
    beta : (n,) coefficients of f = sum_i beta_i k(x_i, .)
    theta : (n_thresholds,) thresholds, empty if the method has none
    alpha : (N,) dual variables of the rows, or SlopesAt if the problem has all pairs without a list
    objective : float, primal objective at (beta, theta), 1/2 ||f||^2 + sum_t C_t max(0, margin_t - ...)
    dual_bound : float, dual objective; no f has an objective below it
    n_iter : int, number of sweeps, planes or updates of pairs, depending on the solver
    converged : bool, whether gap <= tol
    w : (d,) weights of the linear function that has this objective, or None if they are X^T beta
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

    A bound above the objective is not valid: if it is above by more than rounding, the kernel is not positive
    semi-definite in double precision, or digits have cancelled.
    """
    return abs(objective - dual_bound) / objective if objective > 0 else 0.0


def proved(rows, bounds, alpha, beta, scores):
    """Return the best thresholds of a point, the primal objective there and the dual bound.

    Parameters
    ----------
    rows : Rows
    bounds, alpha : (N,) arrays, the box C cost and dual variables in it
    beta, scores : (n,) arrays that belong to alpha
    """
    half_norm = 0.5 * float(beta @ scores)
    theta, objective, scale = primal(rows, bounds, half_norm, scores)
    return theta, *rounded(objective, float(rows.margin @ alpha) - half_norm, scale)


def rounded(objective, dual, scale):
    """Return an objective and its bound, or 0 and 0 if both are negligible compared with ``scale``.

    For example, if all targets lie inside the tube, the optimum is 0, and only rounding errors are left.
    """
    return (0.0, 0.0) if max(abs(objective), abs(dual)) <= NOTHING * scale else (objective, dual)


def primal(rows, bounds, half_norm, scores):
    """Return the best thresholds at scores (n,), the objective of a function with these scores and 1/2 ||f||^2, and the
    scale of its rounding errors."""
    theta = best_thresholds(rows, scores, rows.n_thresholds)
    short = rows.margin - rows.values(scores, theta)
    return theta, half_norm + float(bounds @ np.maximum(short, 0.0)), scale_of(rows, bounds, short)


def scale_of(rows, bounds, short):
    """Return the sum of bounds times the largest margin of the same threshold, over the rows that lack some of their
    margin or just reach it. Rounding errors of an objective are about 1e-16 times this sum."""
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
    """Warn that a solver stopped: where, why, and what would help."""
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
