"""From data to models: an estimator poses a problem for any C, which :meth:`Posed.solve` solves.

fit(X, y, ...)  ->  Data, what fit was given, checked  ->  problem of the estimator  ->  solve(values of C)
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np

from rankmargin.certificates import confirmed
from rankmargin.certificates.models import KernelModel
from rankmargin.oracles.objective import Problem
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.kernels import Kernel
from rankmargin.problem.landmarks import kernel_of
from rankmargin.problem.losses import HINGE
from rankmargin.problem.rows.rows import Rows
from rankmargin.problem.spaces import MOST_HELD, make_space
from rankmargin.solvers.dual_cd import dual_cd
from rankmargin.solvers.progress import one_thread, watching
from rankmargin.solvers.smo import smo
from rankmargin.solvers.smoothed_newton import smoothed_newton
from rankmargin.solvers.solver import Solver

WIDE = 2  # with fewer rows per feature, n dual variables are found faster than d weights


@dataclass
class Posed:
    """A problem as an estimator poses it, for any C.

    Attributes
    ----------
    X : (n, d) array or CSR matrix, the training rows; (n, 2 d) array if they are pairs
    rows : Rows or PairLoss; or a function of C that returns one of them
    kernel : Kernel
    pairs : bool, whether the rows of X are pairs
    solver : Solver, or None for the fastest one
    model : function (X, kernel, problem, C, solution) -> model
    weight : (n,) array or None, of the rows of X in the mean of the columns
    unit : float, the C of the rows for C = 1
    tol : float, relative duality gap at which a solve ends
    max_iter : int, largest number of steps of the solver
    seed : int, seed of samples and shuffles
    space : the space of the functions, which is made once for all that is solved
    """

    X: Any
    rows: Any
    kernel: Kernel
    pairs: bool = False
    solver: Solver | None = None
    model: Callable[..., Any] = KernelModel
    weight: Any = None
    unit: float = 1.0
    tol: float = 1e-3
    max_iter: int = 10_000_000
    seed: int = 0
    space: Any = None

    @classmethod
    def of(cls, machine: Any, data: Any, rows: Any, kernel: Kernel | None = None, **others: Any) -> Self:
        """Return the problem of rows on the data of an estimator, whose kernel and whose end of a solve it takes."""
        if kernel is None:
            kernel = kernel_of(machine, data.X, data.sample_weight, data.seed)
        ends = {"tol": machine.tol, "max_iter": machine.max_iter, "seed": data.seed}
        return cls(data.X, rows, kernel, weight=data.sample_weight, **ends, **others)

    def solve(self, values):
        """Return one model for each C > 0, in units of ``unit`` and in the order of ``values``; the solver goes along
        ascending C, and starts each C at the last solution."""
        costs = [C * self.unit for C in values]
        parts, (n, d), left = self._parts(costs), self.X.shape, len(costs)
        models, before, alpha = [None] * left, None, None
        small = one_thread(n * (d if self.kernel.has_weights else n))
        with small, watching(unit=self.unit) as progress:
            if self.space is None:
                blocks = all(solver.blocks for _, solver, _ in parts)
                self.space = make_space(self.X, self.kernel, pairs=self.pairs, blocks=blocks, weight=self.weight)
            for rows, solver, places in parts:
                ascending, problem = [costs[place] for place in places], Problem(rows, self.space)
                start = alpha if solver is before else None
                with progress.share(left / len(places)):
                    solved = solver(problem, ascending, self.tol, self.max_iter, self.seed, start)
                for place, C, solution in zip(places, ascending, solved, strict=True):
                    model = self.model(self.X, self.kernel, problem, C, solution)
                    models[place] = confirmed(model, self.X, self.tol, partial(self._again, model))
                before, alpha, left = solver, solved[-1].alpha, left - len(places)
        return models

    def _again(self, model):
        """Return the model of a fit whose steps are taken in w, so that its objective is that of w and not of products
        of rows; this one if it has no weights, or its problem is another one."""
        problem = model.problem
        if model.w is None or (isinstance(problem.rows, Rows) and problem.rows.slope is not None):
            return model
        (solution,) = smoothed_newton(problem, [model.C], self.tol, self.max_iter, self.seed)
        return self.model(self.X, self.kernel, problem, model.C, solution)

    def _parts(self, costs):
        """Return rows, their solver and the places of the values of C that have them, in the order of C."""
        parts, (n, d) = [], self.X.shape
        for place in np.argsort(costs, kind="stable").tolist():
            rows = self.rows(costs[place]) if callable(self.rows) else self.rows
            if parts and parts[-1][0] is rows:
                parts[-1][2].append(place)
            else:
                solver = self.solver or solver_of(rows, self.kernel, n, d // 2 if self.pairs else d)
                solver.check(rows)
                parts.append((rows, solver, [place]))
        return parts


@dataclass(frozen=True)
class Alone:
    """A problem without a certificate: ``model`` (C) returns its model, also for None, where there is no C."""

    model: Callable[..., Any]

    def solve(self, values):
        """Return one model for each C."""
        return [self.model(C) for C in values]


def solver_of(rows, kernel, n, d):
    """Return the fastest solver over n rows with d features.

    Losses other than the hinge and pairs that are not listed are for
    :func:`rankmargin.solvers.smoothed_newton.smoothed_newton`, and so are linear functions, unless there are few rows
    with many features. In that case, and for other kernels, :func:`rankmargin.solvers.dual_cd.dual_cd` is used if no
    row has a threshold, and :func:`rankmargin.solvers.smo.smo` otherwise.
    """
    if isinstance(rows, PairLoss) or rows.loss != HINGE:
        return smoothed_newton
    few = n < WIDE * d and (rows.n_thresholds or n <= MOST_HELD)  # dual_cd holds the products of all rows
    if kernel.has_weights and not few:
        return smoothed_newton
    return smo if rows.n_thresholds else dual_cd
