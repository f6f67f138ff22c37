"""Support vector regression on a number for each rank (Herbrich et al., section 2.5): rank r_i as i or as exp(i).

    min 1/2 ||f||^2 + C sum_i max(0, |y_i - f(x_i) - b| - epsilon)

The thresholds for i are the chapter's 1.5, 2.5, ... (its 0.5 has no rank below it). For exp(i) they are exp(1.5),
exp(2.5), ..., the images of the same thresholds. With the chapter's C = 1,000,000, libsvm takes 2 to 3 s for 45
examples and stops 10 and 58 percent above the optimum (two draws of section 2.5.1). The interior point method reaches
the optimum in 10 ms, so this baseline is solved as a problem of constraints by the solvers of `rankmargin`.
"""

import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np

from rankmargin.estimators.ordinal_base import OrdinalClassifier
from rankmargin.model import KernelModel
from rankmargin.problem.checks import Certified
from rankmargin.problem.rows.orderings import tube_and_orderings
from rankmargin.problem.rows.ranks import ranks_of
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.path import Posed
from rankmargin.solvers.smo import smo
from rankmargin.solvers.solution import ConvergenceWarning

REPRESENTATIONS = {"index": np.asarray, "exp": np.exp}
FEW_EXAMPLES = 300


@dataclass(eq=False, repr=False, kw_only=True)
class SVROnRanks(OrdinalClassifier, Certified):
    """Support vector regression with fixed thresholds.

    Parameters
    ----------
    representation : {"index", "exp"}
    epsilon : float >= 0, half the width of the tube, in units of the representation: 0.5 in the chapter
    C, kernel, gamma, degree, coef0, tol, max_iter : as of :class:`rankmargin.SVOR`
    """

    representation: str = "index"
    epsilon: float = 0.5

    def _problem(self, data):
        """Pose the problem; each distinct y is a rank, numbered 1 .. k."""
        rank, ranks = ranks_of(data.y)
        represent = REPRESENTATIONS[self.representation]
        rows = tube_and_orderings(represent(rank + 1.0), self.epsilon)
        model = partial(RegressionModel, ranks=ranks, cuts=represent(np.arange(1, len(ranks)) + 0.5))
        return Tubes.of(self, data, rows, model=model)


class Tubes(Posed):
    """Up to 300 examples by the interior point method; SMO for more, or where that has not converged: where its 200
    steps or double precision do not suffice."""

    def solve(self, values):
        """Return one model for each C."""
        if self.X.shape[0] <= FEW_EXAMPLES:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                models = self._by(interior_point, values)
            if all(model.solution.converged for model in models):
                return models
        return self._by(smo, values)

    def _by(self, solver, values):
        self.solver = solver
        return super().solve(values)


@dataclass(frozen=True)
class RegressionModel(KernelModel):
    """f + b with fixed ``cuts`` (k - 1,) between the labels ``ranks`` (k,)."""

    cuts: np.ndarray | None = None

    def scores(self, X):
        """Return the predicted number f(X) + b, shape (m,)."""
        return super().scores(X) - self.solution.theta[0]

    @property
    def boundaries(self):
        """Return the cuts."""
        return self.cuts
