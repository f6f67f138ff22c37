"""Support vector regression on a number for each rank (Herbrich et al., section 2.5): rank r_i as i or as exp(i).

    min 1/2 ||f||^2 + C sum_i max(0, |y_i - f(x_i) - b| - epsilon)

The thresholds for i are the chapter's 1.5, 2.5, ... (its 0.5 has no rank below it); for exp(i) they are exp(1.5),
exp(2.5), ..., the images of the same cuts.  At the chapter's C = 1,000,000 libsvm takes 2 to 3 s for 45 examples and
stops 10 and 58 percent above the optimum (two draws of section 2.5.1), the interior point method 10 ms at it, so this
baseline is a row problem as the other machines here are.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import KernelModel
from rankmargin.path import over_kernels, solve_path
from rankmargin.rows.orderings import tube_and_orderings
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.smo import smo
from rankmargin.solvers.solution import ConvergenceWarning

PATH = "C"
ORDINAL = True
REPRESENTATIONS = {"index": np.asarray, "exp": np.exp}
FEW_EXAMPLES = 300


@over_kernels
def fit_path(
    X, y, values, *, representation="index", epsilon=0.5, kernel, tol=1e-3, max_iter=10_000_000, seed=0, groups=None
):
    """Fit one model for each C: by the interior point method up to 300 examples, by SMO above.

    SMO is also tried if double precision ends before the interior point method has converged.

    Parameters
    ----------
    y : (n,) array, each distinct value is a rank, numbered 1 .. k
    representation : {"index", "exp"}
    epsilon : float >= 0, half width of the tube, in units of the representation; 0.5 in the chapter
    max_iter : int, steps of SMO; the interior point method takes at most 200
    seed : unused, neither problem nor solvers are random
    groups : must be None, thresholds are common to all

    Other parameters as :func:`rankmargin.methods.swapped_pairs.fit_path`.

    Returns
    -------
    list of RegressionModel
    """
    if representation not in REPRESENTATIONS:
        raise ValueError(f"representation must be one of {', '.join(REPRESENTATIONS)}, got {representation!r}")
    if not epsilon >= 0:
        raise ValueError(f"epsilon must be >= 0, got {epsilon!r}")
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    represent = REPRESENTATIONS[representation]
    rows = tube_and_orderings(represent(rank + 1.0), epsilon)
    cuts = represent(np.arange(1, len(ranks)) + 0.5)

    def solved_by(solver):
        parts = {"model": RegressionModel, "ranks": ranks, "cuts": cuts}
        return solve_path(X, rows, values, kernel, tol, max_iter, solver=solver, **parts)

    if len(rank) <= FEW_EXAMPLES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            models = solved_by(interior_point)
        if all(model.solution.converged for model in models):
            return models
    return solved_by(smo)


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
