"""Methods: each file translates its paper's problem into rows, a solver and a space.

The contract, held by ``tests/library/test_methods_contract.py`` for every file here:

``PATH``
    name of the hyper-parameter that :func:`fit_path` follows with warm starts, or None.
``fit_path(X, y, values, *, seed=0, groups=None, **params)``
    one model for each value of PATH, in the order given.
``INPUT``
    "pairs" where a row of X is a pair, x beside x', and y in {-1, 0, 1} says which is better; "any" where the method
    does not look at X; absent elsewhere.
``ORDINAL``
    True where models give ranks beside scores; absent elsewhere.

A model has ``scores(X)``, a ``solution`` (None: it has no certificate) and, if ordinal, its ``ranks`` and
``labels(X)``.  Only numpy and numba are imported here: a benchmark job starts in half the time that scikit-learn takes
to import.
"""

import numpy as np

from rankmargin.kernels import LinearSpace, check_kernel, make_space
from rankmargin.model import KernelModel
from rankmargin.oracles.row_losses import RowLoss
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.smo import smo
from rankmargin.solvers.smoothed_newton import smoothed_newton

WIDE = 2  # rows for each feature, below which n dual variables are found sooner than d weights
NEWTON_STEPS = 1000  # for each C: a step of Newton is no step of SMO, whose limit is 10^7


def kernel_parameters(kernel, gamma, degree, coef0):
    """Return the checked kernel parameters as a dict."""
    check_kernel(kernel, gamma, degree, coef0)
    return {"kernel": kernel, "gamma": gamma, "degree": degree, "coef0": coef0}


def solve_rows(rows, space, C_values, tol, max_iter, seed=0, alpha=None):
    """Solve the row problem for each C by the solver that is fastest there.

    Linear functions are found by :func:`rankmargin.solvers.smoothed_newton.smoothed_newton`, but of few rows with many
    features; those and kernels by :func:`rankmargin.solvers.dual_cd.dual_cd` where no row has a threshold, else by
    :func:`rankmargin.solvers.smo.smo`.

    Parameters
    ----------
    alpha : (N,) array or None, where smo starts

    Returns
    -------
    list of Solution
    """
    if isinstance(space, LinearSpace) and space.n >= WIDE * space.d:
        return smoothed_newton(RowLoss(rows), space, C_values, tol, min(max_iter, NEWTON_STEPS), seed)
    if rows.n_thresholds == 0:
        return dual_cd(rows, space, C_values, tol, max_iter, seed)
    return smo(rows, space, C_values, tol, max_iter, alpha)


def solve_path(solve, X, rows, values, kernel, ranks=None, make_space=make_space):
    """Solve along ascending C and hand the models back in the order of ``values``.

    Parameters
    ----------
    solve : callable (rows, space, C_values) -> list of Solution
    make_space : callable, :func:`rankmargin.kernels.make_block_space` for a solver that asks for blocks only
    """
    space = make_space(X, **kernel)
    ascending = np.argsort(values, kind="stable")
    costs = np.asarray(values, dtype=np.float64)[ascending]
    models = [None] * len(values)
    for position, C, solution in zip(ascending, costs, solve(rows, space, costs), strict=True):
        models[position] = KernelModel(
            X, kernel, space, rows if solution.alpha is not None else None, float(C), solution, ranks
        )
    return models
