"""From data to models: an estimator poses a problem, and :func:`solve` solves it for each C.

fit(X, y, ...)  ->  problem of the estimator on checked data  ->  solve(posed, values, control)
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rankmargin.kernels import Kernel
from rankmargin.losses import HINGE
from rankmargin.model import KernelModel
from rankmargin.problem import Problem
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.progress import current, watching
from rankmargin.solvers.smo import smo
from rankmargin.solvers.smoothed_newton import smoothed_newton
from rankmargin.spaces import MOST_HELD, ColumnSpace, make_space

WIDE = 2  # with fewer rows per feature, n dual variables are found faster than d weights


@dataclass
class Posed:
    """A problem as an estimator poses it, for any C; the matrices that it needs are made once.

    Attributes
    ----------
    X : (n, d) array or CSR matrix, the training examples; (n, 2 d) array if they are pairs
    rows : Rows or PairLoss; or a function of C that returns Rows
    kernel : Kernel
    pairs : bool, whether the examples are pairs
    choose : function (C, Control) -> Solver, or None for :func:`solver_of`
    listed : function () -> Rows, for solvers that list the pairs of a PairLoss
    model : function (X, kernel, problem, C, solution) -> model
    default : float or None, the C that None stands for
    """

    X: Any
    rows: Any
    kernel: Kernel
    pairs: bool = False
    choose: Callable[..., Any] | None = None
    listed: Callable[[], Any] | None = None
    model: Callable[..., Any] = KernelModel
    default: float | None = None
    _space: Any = field(default=None, repr=False)

    def solver(self, C, control):
        """Return the solver for one C."""
        if self.choose is not None:
            return self.choose(C, control)
        n, d = self.X.shape
        return solver_of(self.rows_for(C), self.kernel, n, d // 2 if self.pairs else d)

    def rows_for(self, C):
        """Return the rows of the problem for one C."""
        return self.rows(C) if callable(self.rows) else self.rows

    def space(self, blocks):
        """Return the space of the functions; the kernel matrix is computed once for all solvers that need it."""
        if self._space is None or (isinstance(self._space, ColumnSpace) and not blocks):
            self._space = make_space(self.X, self.kernel, pairs=self.pairs, blocks=blocks)
        return self._space


def solver_of(rows, kernel, n, d):
    """Return the fastest solver of listed rows over n examples with d features.

    Losses other than the hinge are for :func:`rankmargin.solvers.smoothed_newton.smoothed_newton`, and so are linear
    functions, unless there are few examples with many features. In that case, and for other kernels,
    :func:`rankmargin.solvers.dual_cd.dual_cd` is used if no row has a threshold, and
    :func:`rankmargin.solvers.smo.smo` otherwise.
    """
    few = n < WIDE * d and (rows.n_thresholds or n <= MOST_HELD)  # dual_cd holds the products of all examples
    if rows.loss != HINGE or (kernel.name == "linear" and not few):
        return smoothed_newton
    return smo if rows.n_thresholds else dual_cd


def solve(posed, values, control):
    """Return one model for each C, in the order of ``values``; each solver goes along ascending C.

    Parameters
    ----------
    posed : Posed
    values : sequence of C > 0
    control : Control

    Returns
    -------
    list of models
    """
    values = [posed.default if C is None else C for C in values]
    models = [None] * len(values)
    with watching(control.verbose, control.max_seconds):
        chosen = [posed.solver(C, control) for C in values]
        for solver in dict.fromkeys(chosen):
            places = np.array([place for place, its in enumerate(chosen) if its is solver])
            places = places[np.argsort(np.take(values, places), kind="stable")]
            costs = [float(values[place]) for place in places]
            with current().share(models.count(None) / len(places)):
                solved = _follow(posed, solver, costs, control)
            for place, C, (problem, solution) in zip(places, costs, solved, strict=True):
                models[place] = posed.model(posed.X, posed.kernel, problem, C, solution)
    return models


def _follow(posed, solver, costs, control):
    """Return the problem and its solution for each C, ascending, by one solver; each starts at the last solution."""
    rows, given = posed.rows_for(costs[0]), (control.tol, control.max_iter, control.seed)
    if not isinstance(rows, solver.forms) and posed.listed is not None:
        rows = posed.listed()
    solver.check(rows)
    problem = Problem(rows, posed.space(solver.blocks))
    if not callable(posed.rows):
        return [(problem, solution) for solution in solver(problem, costs, *given)]
    solved, alpha = [], None
    for done, C in enumerate(costs):
        problem = replace(problem, rows=posed.rows_for(C))
        with current().share(len(costs) - done):
            (solution,) = solver(problem, [C], *given, alpha)
        alpha = solution.alpha
        solved.append((problem, solution))
    return solved
