"""The certificate of a fit is that of what it predicts: its objective is computed again from the public function."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from rankmargin.caller import warn_caller
from rankmargin.oracles.objective import ConvergenceWarning
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.spaces import LinearSpace

NOTHING = 1e-12
EQUAL = 1e-9  # of an objective: what is predicted has the one that the solver found
MOST = 1e-2  # a larger gap of what is predicted is an error, if the solver proved less
SOME, UNITS = 32, 1000  # rows that are predicted, of either kind; units of rounding of a score


class CertificateError(ArithmeticError):
    """What a fitted model predicts is further from the optimum than its solver proved: digits were lost in between."""


def confirmed(model: Any, X: Any, tol: float, again: Callable[[], Any]) -> Any:
    """Return a model whose certificate is that of what it predicts for the rows of its fit.

    Parameters
    ----------
    model : as of :func:`judge`
    X : its training rows
    tol : float, of the fit
    again : function () -> model, which fits once more in a way that loses fewer digits

    Raises
    ------
    CertificateError
        If its solver proved a gap of at most ``tol``, or of 1 percent, and its predictions have a larger one.

    Warns
    -----
    ConvergenceWarning
        If the gap of its predictions is above ``tol``, but not above 1 percent.
    """
    seen = _as_predicted(model, X)
    if seen is model.solution:
        return model
    if seen.gap > tol and (other := again()) is not model:
        better = _as_predicted(other, X)
        model, seen = (other, better) if better.gap < seen.gap else (model, seen)
    solved, gap = model.solution, seen.gap
    if gap > max(tol, solved.gap) and solved.gap <= max(tol, MOST):
        what = f"the solver proved a relative gap of {solved.gap:.1e}, and what the model predicts has {gap:.1e}"
        if gap > max(tol, MOST):
            raise CertificateError(f"{what} (C={model.C:g}): lower C, or scale X")
        warn_caller(f"{what} > tol={tol:g} (C={model.C:g}); lower C, scale X or raise tol", ConvergenceWarning)
    return replace(model, solution=replace(seen, converged=solved.converged and gap <= tol))


def _as_predicted(model, X):
    """Return the solution of a model with the objective of the scores that it predicts; the same if that is equal."""
    solution, problem, rows = model.solution, model.problem, model.problem.rows
    scores = _predicted(model, X)
    if scores is None:
        return solution
    squared_norm, _ = primal_point(problem.space, solution.beta, solution.w, scores)
    listed = not isinstance(rows, PairLoss)
    if listed and rows.slope is not None:
        value = sum_attained(rows, model.C, squared_norm, scores, solution.theta)
        near = abs(value - solution.dual_bound) <= EQUAL * solution.objective
        return solution if near else replace(solution, dual_bound=value)
    value = primal_value(rows, model.C, squared_norm, scores, solution.theta)
    margins = rows.cost @ np.abs(rows.margin) if listed else rows.cost * rows.margin * rows.total_weight
    nothing = NOTHING * model.C * float(margins) if solution.objective == 0.0 else 0.0
    near = max(EQUAL * solution.objective, nothing)
    return solution if abs(value - solution.objective) <= near else replace(solution, objective=value)


def _predicted(model, X):
    """Return f of the training rows as the model predicts it, shape (n,); None if no matrix is held and some
    predictions are what the solver has.

    A linear function predicts all of them. The products of a held matrix with the coefficients stand for predictions if
    those of some rows are equal to them: half of these rows have the largest coefficients.
    """
    space, beta = model.problem.space, model.solution.beta
    if isinstance(space, LinearSpace):
        return model.function(X)
    largest = np.argsort(-np.abs(beta), kind="stable")[:SOME]
    few = np.union1d(largest, np.arange(0, space.n, -(-space.n // SOME)))
    lengths = np.sqrt(np.maximum(space.diagonal(), 0.0))
    rounding = UNITS * np.finfo(float).eps * float(np.abs(beta) @ lengths) * lengths[few]
    with np.errstate(over="ignore", invalid="ignore"):
        known = space.scores_of(few, beta)
        alike = np.all(np.abs(model.function(X[few]) - known) <= rounding)
    if not alike:
        return model.function(X)
    return None if space.held is None else space.scores(beta)


def primal_value(rows, C, squared_norm, scores, theta):
    """Return 1/2 ||f||^2 + C loss of a function with these scores (n,)."""
    if isinstance(rows, PairLoss):
        return 0.5 * squared_norm + C * rows.cost * rows.value(scores)
    return 0.5 * squared_norm + C * float(rows.cost @ rows.loss.value(lack(rows, scores, theta)))


def lack(rows, scores, theta):
    """Return what each row lacks of its margin, shape (N,), below 0 if it has more."""
    return rows.margin - rows.values(scores, theta)


def sum_attained(rows, C, squared_norm, scores, theta):
    """Return the sum of margins minus C hinge of a function, which is shortened if it lies outside the unit ball."""
    norm = max(squared_norm**0.5, 1.0)
    short = np.maximum(lack(rows, scores / norm, theta / norm), 0.0)
    return -float(rows.slope @ theta) / norm - C * float(rows.cost @ short)


def primal_point(space, beta, w=None, scores=None):
    """Return ||f||^2 and the scores (n,), unless they are given, of f = sum_i beta_i k(x_i, .) or of the weights w."""
    if isinstance(space, LinearSpace):
        w = space.weights(beta) if w is None else w
        return float(w @ w), space.products.times(w) if scores is None else scores
    scores = space.scores(beta) if scores is None else scores
    return float(beta @ scores), scores
