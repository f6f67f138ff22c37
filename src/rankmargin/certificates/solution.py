"""What every solver returns, and the warning if it stops before it has converged."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import exceptions


class ConvergenceWarning(exceptions.ConvergenceWarning):
    """A solver stopped, by its limit of iterations or of seconds, before its duality gap reached the tolerance.

    It is also a warning of scikit-learn's class of this name.
    """


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
        """``|objective - dual_bound| / objective``, 0 for an objective of 0, inf for one below 0 (impossible)."""
        return relative_gap(self.objective, self.dual_bound) if self.objective >= 0 else np.inf


def relative_gap(objective: float, dual_bound: float) -> float:
    """Return |objective - dual_bound| / objective, 0 for an objective of 0.

    A bound above the objective is not valid: if it is above by more than rounding, the kernel is not positive
    semi-definite in double precision, or digits have cancelled.
    """
    return abs(objective - dual_bound) / objective if objective > 0 else 0.0
