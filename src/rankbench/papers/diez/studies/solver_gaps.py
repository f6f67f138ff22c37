"""How fast the solvers of one method close the duality gap, on training parts of an experiment."""

from itertools import product

import numpy as np
import pandas as pd

from rankbench.experiments.methods import load_method
from rankbench.experiments.preprocess import encode, learn_scaling
from rankbench.experiments.seconds import least_seconds
from rankmargin.certificates import judge

COLUMNS = ("solver", "dataset", "n", "gap", "seconds")
REFERENCE_TOLERANCE = 1e-6


def run(data, experiment, *, uses, params, solvers, tolerances):
    """Fit the training part of seed 0 of every data set with every solver at every tolerance.

    Parameters
    ----------
    data, experiment
        As every study; scaling and coding of the inputs are the experiment's.
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
    DataFrame
        One row per data set, solver and tolerance: ``solver dataset n gap seconds``. The gap is that of the solver's
        primal point, recomputed row by row, relative to one lower bound for all: the judge's, of the first solver at a
        tolerance of 1e-6. The time is the fewest processor seconds of three, so that it holds no compilation.
    """
    method, params, measured = load_method(uses), dict(params), []
    value = params.pop(method.PATH)

    def fit(X, y, solver, tol):
        seconds, (model,) = least_seconds(method.fit_path, X, y, (value,), solver=solver, tol=tol, **params)
        return seconds, model

    for dataset, (table, splits) in data.items():
        X, y = _training_part(table, splits[0].train, experiment.preprocess)
        _, exact = fit(X, y, solvers[0], REFERENCE_TOLERANCE)
        lower_bound = judge(exact).dual_bound
        for solver, tol in product(solvers, tolerances):
            seconds, model = fit(X, y, solver, tol)
            objective = primal_objective(exact.problem.rows, model, X)
            measured.append((solver, dataset, len(y), (objective - lower_bound) / objective, seconds))
    return pd.DataFrame(measured, columns=COLUMNS)


def _training_part(table, train, preprocess):
    X = encode(table.X, table.levels, preprocess["nominal"])[train]
    return learn_scaling(X, preprocess["scaling"])(X), table.y[train]


def primal_objective(rows, model, X):
    """Return ``1/2 ||f||^2 + C sum_t cost_t max(0, margin_t - a_t . s)`` of a model on the given rows."""
    scores = model.scores(X)
    short = rows.margin - rows.values(scores, model.solution.theta)
    return 0.5 * float(model.solution.beta @ scores) + model.C * float(rows.cost @ np.maximum(short, 0.0))
