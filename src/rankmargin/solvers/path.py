"""From data to models: an estimator poses a problem, and :func:`solve` solves it for each C.

fit(X, y, ...)  ->  problem of the estimator on checked data  ->  solve(posed, values, control)
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rankmargin.certificates import confirmed
from rankmargin.certificates.models import KernelModel
from rankmargin.oracles.objective import Problem
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.kernels import Kernel
from rankmargin.problem.losses import HINGE
from rankmargin.problem.rows.rows import Rows
from rankmargin.problem.spaces import MOST_HELD, make_space
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.progress import one_thread, watching
from rankmargin.solvers.smo import smo
from rankmargin.solvers.smoothed_newton import smoothed_newton
from rankmargin.solvers.solver import Solver

WIDE = 2  # with fewer rows per feature, n dual variables are found faster than d weights


@dataclass(frozen=True)
class Control:
    """How long and how exactly a problem is solved.

    Attributes
    ----------
    tol : float, relative duality gap at which a solve ends
    max_iter : int, largest number of steps of the solver
    seed : int, seed of samples and shuffles
    verbose, max_seconds : see :class:`rankmargin.solvers.progress.Progress`
    unit : float, the C of the problem for C = 1
    """

    tol: float
    max_iter: int
    seed: int = 0
    verbose: int = 0
    max_seconds: float | None = None
    unit: float = 1.0


@dataclass
class Posed:
    """A problem as an estimator poses it, for any C.

    Attributes
    ----------
    X : (n, d) array or CSR matrix, the training rows; (n, 2 d) array if they are pairs
    rows : Rows or PairLoss; or a function of C that returns one of them
    kernel : Kernel
    pairs : bool, whether the examples are pairs
    solver : Solver, or None for the fastest one
    model : function (X, kernel, problem, C, solution) -> model
    default : float or None, the C that None stands for
    check_C : function of C that refuses one that is not possible, or None
    space : the space of the functions, which is made once for all that is solved
    weight : (n,) array or None, of the examples in the mean of the columns
    """

    X: Any
    rows: Any
    kernel: Kernel
    pairs: bool = False
    solver: Solver | None = None
    model: Callable[..., Any] = KernelModel
    default: float | None = None
    check_C: Callable[[float], None] | None = None
    space: Any = None
    weight: Any = None


def solver_of(rows, kernel, n, d):
    """Return the fastest solver over n examples with d features.

    Losses other than the hinge and pairs that are not listed are for
    :func:`rankmargin.solvers.smoothed_newton.smoothed_newton`, and so are linear functions, unless there are few
    examples with many features. In that case, and for other kernels,
    :func:`rankmargin.solvers.dual_cd.dual_cd` is used if no row has a threshold, and
    :func:`rankmargin.solvers.smo.smo` otherwise.
    """
    if isinstance(rows, PairLoss) or rows.loss != HINGE:
        return smoothed_newton
    few = n < WIDE * d and (rows.n_thresholds or n <= MOST_HELD)  # dual_cd holds the products of all examples
    if kernel.has_weights and not few:
        return smoothed_newton
    return smo if rows.n_thresholds else dual_cd


def solve(posed, values, control):
    """Return one model for each C, in the order of ``values``; the solver goes along ascending C, and starts each C at
    the last solution.

    Parameters
    ----------
    posed : Posed
    values : sequence of C > 0, in units of ``control.unit``, or None for the default
    control : Control

    Returns
    -------
    list of models
    """
    costs = [posed.default if C is None else C * control.unit for C in values]
    if posed.check_C is not None:
        for C in costs:
            posed.check_C(C)
    parts, (n, d), left = _parts(posed, costs), posed.X.shape, len(costs)
    models, before, alpha = [None] * left, None, None
    small = one_thread(n * (d if posed.kernel.has_weights else n))
    with small, watching(control.verbose, control.max_seconds, control.unit) as progress:
        if posed.space is None:
            blocks = all(solver.blocks for _, solver, _ in parts)
            posed.space = make_space(posed.X, posed.kernel, pairs=posed.pairs, blocks=blocks, weight=posed.weight)
        for rows, solver, places in parts:
            ascending, problem = [costs[place] for place in places], Problem(rows, posed.space)
            start = alpha if solver is before else None
            with progress.share(left / len(places)):
                solved = solver.solve(problem, ascending, control.tol, control.max_iter, control.seed, start)
            for place, C, solution in zip(places, ascending, solved, strict=True):
                model = posed.model(posed.X, posed.kernel, problem, C, solution)
                models[place] = confirmed(model, posed.X, control.tol, partial(_again, posed, model, control))
            before, alpha, left = solver, solved[-1].alpha, left - len(places)
    return models


def _again(posed, model, control):
    """Return the model of a fit whose steps are taken in w, so that its objective is that of w and not of products of
    rows; this one if it has no weights, or its problem is another one."""
    problem = model.problem
    if model.w is None or (isinstance(problem.rows, Rows) and problem.rows.slope is not None):
        return model
    (solution,) = smoothed_newton.solve(problem, [model.C], control.tol, control.max_iter, control.seed)
    return posed.model(posed.X, posed.kernel, problem, model.C, solution)


def _parts(posed, costs):
    """Return rows, their solver and the places of the values of C that have them, in the order of C."""
    parts, (n, d) = [], posed.X.shape
    for place in np.argsort(costs, kind="stable").tolist():
        rows = posed.rows(costs[place]) if callable(posed.rows) else posed.rows
        if parts and parts[-1][0] is rows:
            parts[-1][2].append(place)
        else:
            solver = posed.solver or solver_of(rows, posed.kernel, n, d // 2 if posed.pairs else d)
            solver.check(rows)
            parts.append((rows, solver, [place]))
    return parts
