"""The problem that solvers solve, with its objective and its dual bound in one place."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.oracles.row_losses import RowLoss
from rankmargin.problem.rows.thresholds import best_thresholds
from rankmargin.problem.spaces import LinearSpace

NOTHING, NEARLY = 1e-12, 1e-6


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
        if isinstance(self.space, LinearSpace):
            object.__setattr__(self, "space", self.space.suited(self.rows))

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
