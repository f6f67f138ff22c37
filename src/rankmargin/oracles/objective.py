"""The problem that solvers solve, with its objective and its dual bound in one place; and what every solver returns."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import exceptions

from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.oracles.row_losses import RowLoss
from rankmargin.problem.rows.thresholds import best_thresholds
from rankmargin.problem.spaces import LinearSpace

NOTHING, NEARLY = 1e-12, 1e-6
HALF = 0.5  # of the possible gain over f = 0: the largest gap
VISIBLE = 1e-9  # of the objective: a smaller gain is known to less than half of its digits


@dataclass(frozen=True)
class Problem:
    """min over f and theta:  1/2 ||f||^2 + C loss(f(X), theta),  for any C > 0.

    Its dual is max over alpha:  sum_t margin_t alpha_t - 1/2 ||f_alpha||^2 - C sum_t cost_t conjugate(alpha_t / (C
    cost_t)), with the sum of sign_t alpha_t at each threshold equal to 0. The conjugate of the hinge is 0 for 0 <=
    alpha_t <= C cost_t. Any alpha that meets these constraints proves a bound.

    Attributes
    ----------
    rows : Rows, or PairLoss for all pairs, which are not listed
    space : KernelSpace, ColumnSpace or LinearSpace, the functions f, suited to the rows
    lossless : bool
        Whether f = 0 has no loss, for example if all targets lie inside the tube. Then the optimum is 0. Solvers are
        told so (:mod:`rankmargin.solvers.solver`).
    """

    rows: Any
    space: Any
    lossless: bool = False

    def __post_init__(self):
        """Count linear functions from the means of the columns, if the rows do not depend on them."""
        if isinstance(self.space, LinearSpace) and not self.rows.sees_means:
            object.__setattr__(self, "space", self.space.centred)

    def loss_of_zero(self):
        """Return the loss of f = 0 with its best thresholds, without C; None for a sum of margins, where ||f|| = 1."""
        rows = self.rows
        if isinstance(rows, PairLoss):
            return rows.cost * rows.total_weight * float(rows.loss.value(rows.margin))
        if rows.slope is not None:
            return None
        return self.primal(1.0, 0.0, np.zeros(rows.n_samples))[1]

    def is_lossless(self, loss):
        """Return whether ``loss``, that of f = 0, is rounding beside that of listed rows that lack all of their
        margins."""
        known = loss is not None and not isinstance(self.rows, PairLoss)
        return known and loss <= NOTHING * float(self.rows.cost @ self.rows.loss.value(np.abs(self.rows.margin)))

    def primal(self, C, half_norm, scores):
        """Return the best thresholds of listed rows at scores (n,), the objective of a function with these scores and
        1/2 ||f||^2, and the scale of its rounding errors, 0 if the optimum is not 0."""
        rows, theta = self.rows, self.thresholds(scores)
        short = ((part, rows.margin[part] - rows.values(scores, theta, part)) for part in rows.parts())
        loss = sum(float(rows.cost[part] @ rows.loss.value(each)) for part, each in short)
        scale = _scale(rows, C * rows.cost, rows.margin - rows.values(scores, theta)) if self.lossless else 0.0
        return theta, half_norm + C * loss, scale

    def thresholds(self, scores):
        """Return the best thresholds of listed rows at scores (n,)."""
        return best_thresholds(self.rows, scores) if self.rows.loss.kinked else RowLoss(self.rows).thresholds(scores)

    def proved(self, C, alpha, half_norm, scores):
        """Return the best thresholds of listed rows, the objective there and the dual bound.

        Parameters
        ----------
        alpha : (N,) array, dual feasible
        half_norm, scores : 1/2 ||f_alpha||^2 and f_alpha(X), shape (n,)
        """
        theta, objective, scale = self.primal(C, half_norm, scores)
        dual = float(self.rows.margin @ alpha) - half_norm - self.rows.penalty(C, alpha)
        return theta, *self.rounded(objective, dual, scale)

    def rounded(self, objective, dual, scale):
        """Return an objective and its bound, or 0 and 0 if the optimum is 0 and both are rounding errors beside
        ``scale``, which is 0 if the optimum is not 0."""
        only_rounding = max(abs(objective), abs(dual)) <= NOTHING * scale
        return (0.0, 0.0) if only_rounding else (objective, dual)


def _scale(rows, bounds, short):
    """Return the sum of bounds times the largest margin of the same threshold, over the rows that lack some of their
    margin or just reach it. Rounding errors of an objective are about 1e-16 times this sum."""
    size = np.zeros(rows.n_thresholds + 1)
    np.maximum.at(size, rows.threshold, np.abs(rows.margin))
    size = size[rows.threshold]
    return float(bounds @ np.where(short > -NEARLY * size, size, 0.0))


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

    def gains(self, zero: float) -> bool:
        """Return whether it has at least half of the possible gain over f = 0, whose objective is ``zero``."""
        return self.objective - self.dual_bound <= HALF * (zero - self.dual_bound)

    def ends(self, zero: float) -> bool:
        """Return whether nothing is left to do: it has converged and gains over f = 0, by what can be seen."""
        return zero <= 0.0 or (self.converged and zero - self.dual_bound > VISIBLE * zero and self.gains(zero))


def relative_gap(objective: float, dual_bound: float) -> float:
    """Return |objective - dual_bound| / objective, 0 for an objective of 0.

    A bound above the objective is not valid: if it is above by more than rounding, the kernel is not positive
    semi-definite in double precision, or digits have cancelled.
    """
    return abs(objective - dual_bound) / objective if objective > 0 else 0.0
