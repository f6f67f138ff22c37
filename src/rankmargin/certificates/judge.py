"""The judge: recompute primal objective, dual bound and gap from their definitions, without code of the solvers.

The objective is that of the scores which the model predicts, the bound that of the dual variables. Of a fit with
landmarks :func:`exact_bound` says how far it is from the optimum of its kernel without landmarks.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.certificates.confirm import NOTHING, lack, primal_point, primal_value, sum_attained
from rankmargin.certificates.models import ComparisonModel
from rankmargin.oracles.objective import Problem, Solution
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem.kernels import squared_norms
from rankmargin.problem.landmarks import LandmarkKernel
from rankmargin.problem.spaces import ColumnSpace, LinearSpace, make_space

ROUNDING = 1e-6
TINY, LARGEST = np.finfo(float).tiny, 1e200


@dataclass(frozen=True)
class Certificate:
    """What is proved about a solution, whichever solver found it.

    Attributes
    ----------
    objective : float
        1/2 ||f||^2 + C sum_t cost_t max(0, margin_t - sign_t (s_plus - s_minus - theta)). For the sum of margins it is
        the upper bound ||f_alpha||.
    dual_bound : float
        sum_t margin_t alpha_t - 1/2 ||f_alpha||^2. No objective is below it if ``infeasibility`` is 0. For the sum of
        margins it is the value of f and theta, sum(b_j - a_j) - C sum hinge at ||f|| = 1.
    gap : float
        (objective - dual_bound) / objective. It is inf if the kernel matrix is not positive semi-definite, because
        then nothing is proved.
    infeasibility : float
        Largest relative violation of 0 <= alpha <= C cost, and of sum sign alpha = 0 at each threshold.
    """

    objective: float
    dual_bound: float
    gap: float
    infeasibility: float


def certify(problem: Problem, C: float, solution: Solution, scores: Array | None = None) -> Certificate:
    """Recompute the certificate of a solution of a problem.

    Parameters
    ----------
    problem : Problem
        Its rows (see :doc:`/guide/one_sentence`), or the loss of all pairs, which are not listed, and the space of its
        functions.
    C : float > 0
        Weight of the loss.
    solution : Solution
        The solution that a solver returned.
    scores : (n,) array or None
        f(X) as the model predicts it. None stands for the scores of the coefficients or of the weights.

    Returns
    -------
    Certificate

    Examples
    --------
    >>> from rankmargin import SVOR
    >>> from rankmargin.certificates import certify
    >>> model = SVOR(C=1.0).fit([[0.0], [1.0], [2.0]], [1, 1, 2]).model_
    >>> certify(model.problem, model.C, model.solution).gap <= 1e-3
    True
    """
    rows, space = problem.rows, problem.space
    if isinstance(rows, PairLoss):
        scale = 0.0
        objective, dual_bound, infeasibility = _all_pairs(rows, space, C, solution, scores)
    else:
        bounds = C * rows.cost * min(rows.loss.cap, LARGEST)
        outside = np.maximum(-solution.alpha, solution.alpha - bounds)
        outside = np.divide(outside, bounds, out=np.where(outside > 0.0, np.inf, 0.0), where=bounds > 0.0)
        unbalanced = rows.imbalance(solution.alpha) / max(float(np.sum(solution.alpha)), np.finfo(float).tiny)
        infeasibility = max(float(outside.max()), unbalanced, 0.0)
        recompute = _hinge_problem if rows.slope is None else _unit_norm_problem
        objective, dual_bound, scale = recompute(rows, space, C, solution, scores)
    gap = gap_of(objective, dual_bound, scale) if _is_convex(space) else np.inf
    return Certificate(objective, dual_bound, gap, infeasibility)


def gap_of(objective, dual_bound, scale):
    """Return (objective - dual_bound) / objective.

    It is 0 if both are negligible compared with ``scale``, the margins times their cost. It is inf if the bound is
    above the objective by more than rounding.
    """
    excess = dual_bound - objective
    if max(abs(objective), abs(dual_bound)) <= NOTHING * scale:
        return 0.0
    if excess > ROUNDING * abs(objective):
        return np.inf
    return abs(excess) / objective if objective > 0 else 0.0


def _is_convex(space):
    """Return whether the kernel matrix, if there is one, has no negative eigenvalue beyond rounding; otherwise nothing
    is proved."""
    K = getattr(space, "K", None)
    if K is None or not len(K):
        return True
    largest = float(np.abs(K).max())
    try:
        np.linalg.cholesky(0.5 * (K + K.T) + max(ROUNDING * largest, TINY) * np.eye(len(K)))
    except np.linalg.LinAlgError:
        return False
    return True


def _all_pairs(loss, space, C, solution, scores):
    """Return the objective, the dual bound and the infeasibility of a problem whose pairs are not listed.

    The dual variables are given by points. The slopes of the loss at a point lie between 0 and its cap, so their sums,
    which are computed here again from the scores, belong to feasible variables if the weights of the points sum to at
    most C cost. Without a cap there is no such limit.
    """
    cost, alpha = C * loss.cost, solution.alpha
    objective = primal_value(loss, C, *primal_point(space, solution.beta, solution.w, scores), solution.theta)
    sums = dual_sums_of(loss, space, alpha)
    squared_norm, _ = primal_point(space, sums.beta)
    outside = max(float(np.max(-alpha.weights, initial=0.0)), 0.0)
    if loss.loss.capped:
        outside = max(outside, float(alpha.weights.sum()) - cost)
    infeasibility = outside / cost if loss.loss.capped or len(alpha.weights) == 1 else np.inf
    return objective, loss.margin * sums.total - sums.penalty / cost - 0.5 * squared_norm, infeasibility


def dual_sums_of(loss, space, alpha):
    """Return the DualSums of the dual variables of pairs that are not listed."""
    linear = isinstance(space, LinearSpace)
    return loss.dual_sums(alpha, map(space.products.times, alpha.points) if linear else alpha.points)


def _hinge_problem(rows, space, C, solution, scores):
    """Return 1/2 ||f||^2 + C hinge at (f, theta), the dual value of alpha, and the scale of rounding errors.

    The scale is 0 if a function without a loss must differ from f = 0. Else it is C times the sum of cost times the
    largest margin of the same threshold, over the rows that fall short of their margin or just reach it.
    """
    squared_norm, scores = primal_point(space, solution.beta, solution.w, scores)
    objective, short = primal_value(rows, C, squared_norm, scores, solution.theta), lack(rows, scores, solution.theta)
    squared_norm, _ = primal_point(space, rows.coefficients(solution.alpha))
    largest = np.zeros(rows.n_thresholds + 1)
    np.maximum.at(largest, rows.threshold, np.abs(rows.margin))
    size = largest[rows.threshold]
    scale = C * float(rows.cost @ np.where(short > -ROUNDING * size, size, 0.0)) if _zero_is_enough(rows, size) else 0.0
    used = rows.cost > 0.0
    shares = solution.alpha[used] / (C * rows.cost[used])
    inside = np.clip(shares, 0.0, rows.loss.cap)  # what is outside is the infeasibility
    conjugate = C * float(rows.cost[used] @ rows.loss.conjugate(inside))
    return objective, float(rows.margin @ solution.alpha) - conjugate - 0.5 * squared_norm, scale


def _zero_is_enough(rows, size):
    """Return whether f = 0 reaches all margins, with some threshold between those that its rows need."""
    least, most = np.full(rows.n_thresholds + 1, -np.inf), np.full(rows.n_thresholds + 1, np.inf)
    used, slack = rows.cost > 0.0, NOTHING * size
    up, down = used & (rows.sign > 0), used & (rows.sign < 0)
    np.minimum.at(most, rows.threshold[up], slack[up] - rows.margin[up])
    np.maximum.at(least, rows.threshold[down], rows.margin[down] - slack[down])
    least[-1], most[-1] = max(least[-1], 0.0), min(most[-1], 0.0)  # rows without a threshold
    return bool(np.all(least <= most))


def _unit_norm_problem(rows, space, C, solution, scores):
    """Return ||f_alpha||, which no sum of margins exceeds, the sum of margins of (f, theta) minus C hinge, and 0."""
    squared_norm, scores = primal_point(space, solution.beta, solution.w, scores)
    attained = sum_attained(rows, C, squared_norm, scores, solution.theta)
    squared_norm, _ = primal_point(space, rows.coefficients(solution.alpha))
    return squared_norm**0.5, attained, 0.0


def judge(model: Any, X: Any = None) -> Certificate:
    """Recompute the certificate of a fitted model: ``model_`` of an estimator, or what a method returns.

    The objective is that of the scores of all rows as the model predicts them; the bound is that of the dual variables,
    for named kernels with values from their definitions.

    Parameters
    ----------
    model : KernelModel, ComparisonModel or RankSVRModel
        A model of a method with a certificate.
    X : (n, d) array or CSR matrix, (n, 2 d) array of pairs, or None
        The rows of the fit, without those of weight 0; for RankSVR all of X, then those of Z. A linear estimator
        keeps no rows, so it needs them.

    Returns
    -------
    Certificate

    Raises
    ------
    TypeError
        If it is an estimator or something else without a problem.
    ValueError
        If the model was unpickled, so that its problem is missing, or if X is needed, or does not match the fit.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rankmargin import SwappedPairsSVM
    >>> from rankmargin.certificates import judge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = SwappedPairsSVM(C=0.1).fit(X[:100], y[:100])
    >>> certificate = judge(ranker.model_)
    >>> certificate.gap <= 1e-3 and certificate.infeasibility <= 1e-9
    True
    """
    rows, problem = problem_of(model, X)
    return certify(problem, model.C, model.solution, model.function(rows))


def problem_of(model, X):
    """Return the training rows of a fitted model and its problem with its space; X as of :func:`judge`."""
    if not hasattr(model, "problem"):
        raise TypeError(f"model must be a fitted model, such as estimator.model_, got {type(model).__name__}")
    if model.problem is None:
        raise ValueError("model must hold its problem, got none: a pickle does not keep it, so judge the fitted model")
    pairs, problem = isinstance(model, ComparisonModel), model.problem
    rows = model.pairs if pairs else model.X
    if problem.space is None:
        if X is None:
            raise ValueError("X must be given, the rows of the fit: a linear estimator keeps none of them, got None")
        rows = model.training_rows(X.tocsr() if hasattr(X, "tocsr") else np.asarray(X, dtype=np.float64))
        problem = replace(problem, space=make_space(rows, model.kernel, pairs=pairs))
    elif model.kernel.keeps_rows:
        problem = replace(problem, space=(_Differences if pairs else _Items)(rows, model.kernel))
    return rows, problem


def _exponential(t, *factors):
    """Return (1 + factors_1 t + factors_2 t^2 + ...) exp(-t)."""
    return np.exp(-t) * (1.0 + sum(factor * t ** (power + 1) for power, factor in enumerate(factors)))


def _lengths(D, gamma):
    return np.sqrt(squared_norms(D * gamma**0.5))


def _chi2_terms(x, X):
    return np.divide((x - X) ** 2, x + X, out=np.zeros_like(X, dtype=np.float64), where=x + X > 0.0)


# values k(x, z) of one row x, repeated, and all rows z, from the definition
DEFINITIONS = {
    "rbf": lambda x, X, k: np.exp(-squared_norms((X - x) * k.gamma**0.5)),
    "poly": lambda x, X, k: (k.gamma * _products(X, x) + k.coef0) ** k.degree,
    "laplacian": lambda x, X, k: np.exp(-k.gamma * np.abs(X - x).sum(axis=1)),
    "matern12": lambda x, X, k: _exponential(_lengths(X - x, k.gamma)),
    "matern32": lambda x, X, k: _exponential(_lengths(X - x, 3.0 * k.gamma), 1.0),
    "matern52": lambda x, X, k: _exponential(_lengths(X - x, 5.0 * k.gamma), 1.0, 1.0 / 3.0),
    "chi2": lambda x, X, k: np.exp(-k.gamma * _chi2_terms(x, X).sum(axis=1)),
    "cosine": lambda x, X, k: _cosines(_shortened(x), _shortened(X)),
}


def _shortened(X):
    """Return rows, or one row (d,), divided by their largest entries, so that no square leaves the range of float64."""
    largest = np.abs(X).max(axis=-1, keepdims=True, initial=0.0)
    return X / np.where(largest > 0.0, largest, 1.0)


def _cosines(x, X):
    return _products(X, x) / np.maximum(np.linalg.norm(X, axis=1) * np.linalg.norm(x, axis=-1), TINY)


def _products(X, x):
    """Return the product of each row of X with a row x, (d,), or with the same row of x."""
    return np.asarray((X.multiply(x) if hasattr(X, "multiply") else X * x).sum(axis=1)).ravel()


class _Items:
    """Functions f = sum_i beta_i k(x_i, .), with each value computed from the definition of the kernel, or by a kernel
    that the caller gave."""

    def __init__(self, X, kernel):
        self.X, self.kernel = X, kernel
        self._last = None, None  # the coefficients of f and those of alpha are most often the same

    def scores(self, beta):
        """Return f(X), shape (n,)."""
        if not np.array_equal(beta, self._last[0]):
            scores = np.zeros(self.X.shape[0])
            with np.errstate(over="ignore"):
                for i in np.flatnonzero(beta):
                    scores += beta[i] * self._values(i)
            self._last = beta, scores
        return self._last[1]

    def _values(self, i):
        """Return k(x_i, x) of each row x, shape (n,)."""
        if callable(self.kernel.name):
            return np.asarray(self.kernel.name(self.X, self.X[i : i + 1]), dtype=np.float64)[:, 0]
        return DEFINITIONS[self.kernel.name](self._row(i), self.X, self.kernel)

    def _row(self, i):
        """Return row i; for a sparse X it is repeated n times, so that it can be subtracted from all rows."""
        return self.X[np.full(self.X.shape[0], i)] if hasattr(self.X, "tocsr") else self.X[i]


class _Differences(_Items):
    """The same space for pairs (n, 2 d) of x and x': f = sum_i beta_i (k(x'_i, .) - k(x_i, .)), scores f(x') - f(x)."""

    def __init__(self, pairs, kernel):
        super().__init__(np.vstack(np.hsplit(pairs, 2)), kernel)

    def scores(self, beta):
        """Return f(x') - f(x) of each pair, shape (n,)."""
        first, second = np.split(super().scores(np.concatenate([-beta, beta])), 2)
        return second - first


def exact_bound(model: Any, X: Any) -> Certificate:
    """Prove how far a fit with landmarks is from the optimum of its kernel without landmarks.

    The dual variables of the fit are feasible there too, because their limits do not depend on the kernel. So one
    product with the kernel matrix of all rows proves a bound, in blocks: about n^2 d operations and 8 KB a row, a
    second for 10,000 rows, two minutes for 100,000. Where the landmarks span the kernel well, the bound is sharp.

    Parameters
    ----------
    model : as of :func:`judge`, ``model_`` of an estimator that was fitted with ``landmarks=``
    X : (n, d) array or CSR matrix, (n, 2 d) array of pairs
        The rows of the fit, as of :func:`judge`.

    Returns
    -------
    Certificate
        The objective is that of :func:`judge`, the bound that of the kernel without landmarks; for the sum of margins
        it is ``objective`` that is of this kernel.

    Raises
    ------
    TypeError
        If the fit has no landmarks.
    ValueError
        If X does not hold the rows of the fit.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rankmargin import SwappedPairsSVM
    >>> from rankmargin.certificates import exact_bound
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = SwappedPairsSVM(gamma=10.0, landmarks=100).fit(X, y)
    >>> bool(ranker.gap_ < 1e-3), bool(exact_bound(ranker.model_, X).gap < 0.02)
    (True, True)
    """
    if not isinstance(getattr(model, "kernel", None), LandmarkKernel):
        raise TypeError(f"model must be of a fit with landmarks, got {type(model).__name__}")
    pairs = isinstance(model, ComparisonModel)
    X, problem = problem_of(model, X)
    found = certify(problem, model.C, model.solution, model.function(X))
    rows, space, alpha, exact = problem.rows, problem.space, model.solution.alpha, model.kernel.exact
    if abs(found.dual_bound - model.solution.dual_bound) > ROUNDING * max(abs(found.objective), TINY):
        raise ValueError("X must hold the rows of the fit, got others: their dual variables prove another bound")
    beta = dual_sums_of(rows, space, alpha).beta if isinstance(rows, PairLoss) else rows.coefficients(alpha)
    items = np.vstack(np.hsplit(X, 2)) if pairs else X
    lost = (1 + 3 * pairs) * exact.rounding(items) * float(np.abs(beta).sum()) ** 2
    squared_norm = float(beta @ ColumnSpace(X, exact, pairs).scores(beta)) + lost
    if not isinstance(rows, PairLoss) and rows.slope is not None:
        objective, dual_bound = squared_norm**0.5, found.dual_bound
    else:
        w = space.weights(beta)
        objective, dual_bound = found.objective, found.dual_bound - 0.5 * (squared_norm - float(w @ w))
    return Certificate(objective, dual_bound, gap_of(objective, dual_bound, 0.0), found.infeasibility)
