"""Support vector regression on a number for each rank (Herbrich et al., section 2.5): rank r_i as i or as exp(i).

    min 1/2 ||f||^2 + C sum_i max(0, |y_i - f(x_i) - b| - epsilon)

The thresholds for i are the chapter's 1.5, 2.5, ... (its 0.5 has no rank below it); for exp(i) they are exp(1.5),
exp(2.5), ..., the images of the same cuts.  At the chapter's C = 1,000,000 libsvm takes 2 to 3 s for 45 examples and
stops 10 and 58 percent above the optimum (two draws of section 2.5.1), the interior point method 10 ms at it, so this
baseline is a row problem as the other machines here are.
"""

import warnings
from dataclasses import dataclass, fields

import numpy as np

from rankmargin.kernels import make_block_space
from rankmargin.methods import kernel_parameters, solve_path
from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import KernelModel
from rankmargin.rows.tube import tube
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.smo import smo
from rankmargin.solvers.solution import ConvergenceWarning

PATH = "C"
ORDINAL = True
REPRESENTATIONS = {"index": np.asarray, "exp": np.exp}
FEW_EXAMPLES = 300


def fit_path(
    X,
    y,
    values,
    *,
    representation="index",
    epsilon=0.5,
    kernel="rbf",
    gamma=1.0,
    degree=3,
    coef0=0.0,
    tol=1e-3,
    max_iter=10_000_000,
    seed=0,
    groups=None,
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
    parameters = kernel_parameters(kernel, gamma, degree, coef0)
    rank, ranks = ranks_of(y)
    represent = REPRESENTATIONS[representation]

    def solve(rows, space, costs):
        if len(rank) <= FEW_EXAMPLES:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                solutions = list(interior_point(rows, space, costs, tol, min(max_iter, 200)))
            if all(solution.converged for solution in solutions):
                return solutions
        return smo(rows, space, costs, tol, max_iter)

    rows = tube(represent(rank + 1.0), epsilon)
    models = solve_path(solve, X, rows, values, parameters, ranks=ranks, make_space=make_block_space)
    cuts = represent(np.arange(1, len(ranks)) + 0.5)
    return [RegressionModel(**{f.name: getattr(m, f.name) for f in fields(m)}, cuts=cuts) for m in models]


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
