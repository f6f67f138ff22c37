"""The path along C that all methods with a certificate share: one problem, one solver, one model for each C."""

from functools import wraps
from inspect import Parameter, signature

import numpy as np

from rankmargin.kernels import Kernel
from rankmargin.model import KernelModel
from rankmargin.problem import Problem
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.smo import smo
from rankmargin.solvers.smoothed_newton import smoothed_newton
from rankmargin.spaces import make_space

WIDE = 2  # with fewer rows per feature, n dual variables are found faster than d weights
DEFAULTS = {"kernel": "rbf", "gamma": 1.0, "degree": 3, "coef0": 0.0}


def over_kernels(fit_path):
    """Let ``fit_path`` be called with ``kernel``, ``gamma``, ``degree`` and ``coef0``, from which a Kernel is made."""

    @wraps(fit_path)
    def with_kernel(X, y, values, **given):
        named = {name: given.pop(name, default) for name, default in DEFAULTS.items()}
        return fit_path(X, y, values, kernel=Kernel(*named.values()), **given)

    own = signature(fit_path).parameters
    flat = [Parameter(name, Parameter.KEYWORD_ONLY, default=default) for name, default in DEFAULTS.items()]
    parameters = [*(p for p in own.values() if p.name != "kernel"), *flat]
    with_kernel.__signature__ = signature(fit_path).replace(parameters=parameters)
    return with_kernel


def solver_of(rows, kernel, n, d):
    """Return the fastest solver of listed rows over n examples with d features.

    Linear functions are found by :func:`rankmargin.solvers.smoothed_newton.smoothed_newton`, unless there are few
    examples with many features. In that case, and for other kernels, :func:`rankmargin.solvers.dual_cd.dual_cd` is used
    if no row has a threshold, and :func:`rankmargin.solvers.smo.smo` otherwise.
    """
    if kernel.name == "linear" and n >= WIDE * d:
        return smoothed_newton
    return smo if rows.n_thresholds else dual_cd


def solve_path(X, rows, values, kernel, tol, max_iter, seed=0, *, solver=None, pairs=False, model=KernelModel, **parts):
    """Solve along ascending C; return the models in the order of ``values``.

    Parameters
    ----------
    X : (n, d) array or CSR matrix, the training examples; (n, 2 d) array if they are pairs
    rows : Rows or PairLoss
    values : sequence of C > 0
    kernel : Kernel
    tol, max_iter, seed : see :class:`rankmargin.solvers.solver.Solver`
    solver : Solver, or None for :func:`solver_of`
    pairs : bool, whether the examples are pairs
    model : class of the models, and ``parts``, its further attributes

    Returns
    -------
    list of models
    """
    if solver is None:
        solver = solver_of(rows, kernel, X.shape[0], X.shape[1] // (2 if pairs else 1))
    solver.check(rows, kernel.name)
    problem = Problem(rows, make_space(X, kernel, pairs=pairs, blocks=solver.blocks))
    ascending = np.argsort(values, kind="stable")
    costs = np.asarray(values, dtype=np.float64)[ascending]
    models = [None] * len(values)
    for position, C, solution in zip(ascending, costs, solver(problem, costs, tol, max_iter, seed), strict=True):
        models[position] = model(X, kernel, problem, float(C), solution, **parts)
    return models
