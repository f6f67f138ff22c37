"""Support vector regression on a number for each rank (Herbrich et al., section 2.5): rank r_i as i or as exp(i).

    min 1/2 ||f||^2 + C sum_i max(0, |number_i - f(x_i) - b| - epsilon)

The thresholds for i are the chapter's 1.5, 2.5, ... (its 0.5 has no rank below it); for exp(i) they are exp(1.5),
exp(2.5), ..., the same cuts carried along.

The chapter's C = 1,000,000 is far beyond what sequential minimal optimisation can solve where the numbers do not lie in
the tube (libsvm runs for hours on 45 points): an interior point method does not mind it.
"""

from dataclasses import dataclass, field

import numpy as np

from rankmargin.kernels import make_space
from rankmargin.methods import kernel_parameters
from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import KernelModel
from rankmargin.rows.tube import tube
from rankmargin.solvers.interior_point import interior_point
from rankmargin.solvers.smo import smo

PATH = None
REPRESENTATIONS = {"index": np.asarray, "exp": np.exp}
SOLVERS = ("auto", "smo", "interior_point")
FEW_EXAMPLES = 300


def fit_path(
    X,
    y,
    values,
    *,
    representation="index",
    epsilon=0.5,
    C=1.0,
    kernel="rbf",
    gamma=1.0,
    degree=3,
    coef0=0.0,
    solver="auto",
    tol=1e-3,
    max_iter=10_000_000,
    seed=0,
    groups=None,
):
    """Fit the regression on the numbers.

    Parameters
    ----------
    y : (n,) array, each distinct value is a rank, numbered 1 .. k
    values : one model is returned for each, all the same: there is no path
    representation : {"index", "exp"}
    epsilon : float, half width of the tube, in units of the representation; 0.5 in the chapter
    C : float > 0, weight of a unit outside the tube
    solver : {"auto", "smo", "interior_point"}
        ``interior_point`` does not mind a C of 1,000,000 and costs O(n^3); ``auto`` takes it up to 300 examples.
    tol : float, relative duality gap
    max_iter : int, steps of smo; interior_point takes at most 200 Newton steps
    seed : unused
    groups : must be None

    Returns
    -------
    list of RegressionModel
    """
    if representation not in REPRESENTATIONS:
        raise ValueError(f"representation must be one of {', '.join(REPRESENTATIONS)}, got {representation!r}")
    if solver not in SOLVERS:
        raise ValueError(f"solver must be one of {', '.join(SOLVERS)}, got {solver!r}")
    refuse_groups(groups)
    parameters = kernel_parameters(kernel, gamma, degree, coef0)
    rank, ranks = ranks_of(y)
    represent = REPRESENTATIONS[representation]
    numbers = represent(rank + 1.0)
    centre = float(numbers.mean())
    rows, space = tube(numbers - centre, epsilon), make_space(X, **parameters)
    if solver == "interior_point" or (solver == "auto" and len(rank) <= FEW_EXAMPLES):
        (solution,) = interior_point(rows, space, [C], tol)
    else:
        (solution,) = smo(rows, space, [C], tol, max_iter)
    cuts = represent(np.arange(1, len(ranks)) + 0.5)
    model = RegressionModel(X, parameters, space, rows, float(C), solution, ranks, cuts, centre)
    return [model for _ in values]


@dataclass(frozen=True)
class RegressionModel(KernelModel):
    """A regression f(x) + b with fixed boundaries between the labels ``ranks`` (k,).

    Attributes
    ----------
    cuts : (k - 1,) array
    centre : float, what was taken from the numbers before the rows were built
    """

    cuts: np.ndarray = field(default_factory=lambda: np.empty(0))
    centre: float = 0.0

    @property
    def boundaries(self):
        """Return the cuts, which no training moves."""
        return self.cuts

    def scores(self, X):
        """Return the predicted number, shape (m,)."""
        return super().scores(X) + self.centre - float(self.solution.theta[0])
