"""Methods: each file translates the problem of its paper into rows, a solver and a space.

``tests/library/test_methods_contract.py`` checks that every file here has:

``PATH``
    the name of the hyper-parameter that :func:`fit_path` follows with warm starts, or None.
``fit_path(X, y, values, *, seed=0, groups=None, **params)``
    returns one model for each value of PATH, in the given order.
``INPUT``
    "pairs" if a row of X is a pair, x followed by x', and y in {-1, 0, 1} says which is better; "any" if the method
    does not look at X; otherwise absent.
``ORDINAL``
    True if models predict ranks as well as scores; otherwise absent.

A model has ``scores(X)``, a ``solution`` (None if it has no certificate) and, if it is ordinal, its ``ranks`` and
``labels(X)``.  The methods import numpy and numba only, because a benchmark job then starts in half the time that
importing scikit-learn takes.
"""

import numpy as np

from rankmargin.kernels import LinearSpace, check_kernel, make_space
from rankmargin.model import KernelModel
from rankmargin.oracles.row_losses import RowLoss
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.smo import smo
from rankmargin.solvers.smoothed_newton import smoothed_newton

WIDE = 2  # with fewer rows per feature, n dual variables are found faster than d weights
NEWTON_STEPS = 1000  # limit for each C: Newton's steps are far more expensive than those of SMO, whose limit is 10^7


def kernel_parameters(kernel, gamma, degree, coef0):
    """Return the checked kernel parameters as a dict."""
    check_kernel(kernel, gamma, degree, coef0)
    return {"kernel": kernel, "gamma": gamma, "degree": degree, "coef0": coef0}


def solve_rows(rows, space, C_values, tol, max_iter, seed=0, alpha=None):
    """Solve the row problem for each C by the solver that is fastest for it.

    Linear functions are found by :func:`rankmargin.solvers.smoothed_newton.smoothed_newton`, unless there are few rows
    with many features. In that case, and for other kernels, :func:`rankmargin.solvers.dual_cd.dual_cd` is used if no
    row has a threshold, and :func:`rankmargin.solvers.smo.smo` otherwise.

    Parameters
    ----------
    alpha : (N,) array or None, the start of smo

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
    """Solve along ascending C and return the models in the order of ``values``.

    Parameters
    ----------
    solve : callable (rows, space, C_values) -> list of Solution
    make_space : callable, :func:`rankmargin.kernels.make_block_space` for a solver that needs blocks only
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
