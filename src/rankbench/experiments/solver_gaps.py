"""How fast the solvers of one method close the duality gap, on training parts of an experiment."""

import time
from itertools import product

import numpy as np

from rankmargin.certificates import judge

from .job import load_method
from .preprocess import encode, learn_scaling

COLUMNS = ("solver", "dataset", "n", "gap", "seconds")
REFERENCE_TOLERANCE = 1e-6
REPEATS = 3


def measure_gaps(dataset, table, train, preprocess, uses, params, solvers, tolerances):
    """Fit one training part with every solver at every tolerance.

    Parameters
    ----------
    dataset : str
    table : rankbench.datasets.table.Table
    train : (n,) int
        Rows to learn from.
    preprocess : dict
        ``scaling`` and ``nominal``.
    uses : str
        Name of a module in `rankmargin.methods` whose ``fit_path`` takes ``solver`` and ``tol``.
    params : dict
        Its other arguments, the value of its path among them.
    solvers : sequence of str
        The first one must list its rows, so that the judge can bound the optimum.
    tolerances : sequence of float
        Relative gaps > 0.

    Returns
    -------
    list of dict
        A row a solver and tolerance: ``solver dataset n gap seconds``. The gap is that of the solver's primal point,
        recomputed row by row, to one lower bound for all: the judge's of the first solver at a tolerance of 1e-6. The
        time is the shortest of three, so that it holds no compilation.
    """
    X, y = encode(table.X, table.levels, preprocess["nominal"])[train], table.y[train]
    X, method, params = learn_scaling(X, preprocess["scaling"])(X), load_method(uses), dict(params)
    value = params.pop(method.PATH)

    def fit(solver, tol):
        started = time.perf_counter()
        (model,) = method.fit_path(X, y, (value,), solver=solver, tol=tol, **params)
        return model, time.perf_counter() - started

    exact, _ = fit(solvers[0], REFERENCE_TOLERANCE)
    lower_bound, measured = judge(exact).dual_bound, []
    for solver, tol in product(solvers, tolerances):
        models, times = zip(*(fit(solver, tol) for _ in range(REPEATS)), strict=True)
        objective = primal_objective(exact.rows, models[0], X)
        gap = (objective - lower_bound) / objective
        measured.append(dict(zip(COLUMNS, (solver, dataset, len(y), gap, min(times)), strict=True)))
    return measured


def primal_objective(rows, model, X):
    """Return ``1/2 ||f||^2 + C sum_t cost_t max(0, margin_t - a_t . s)`` of a model on the given rows."""
    scores = model.scores(X)
    short = rows.margin - rows.values(scores, model.solution.theta)
    return 0.5 * float(model.solution.beta @ scores) + model.C * float(rows.cost @ np.maximum(short, 0.0))
