"""The models that fits return: a function f, what its scores mean, and the problem that it solves.

A fitted model holds its problem, so that it can be judged.  A pickle does not: it holds what predictions need (the rows
with a coefficient, or w, and the thresholds) and the values of the certificate.  A linear estimator keeps no rows of X,
so the judge is given them.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.problem.kernels import Kernel
from rankmargin.problem.landmarks import scores_of_weights
from rankmargin.problem.products import scores_from_mean
from rankmargin.problem.rows.comparisons import compare


class Linear:
    """What linear models have in common: their scores are those of rows minus the :attr:`mean`, of which an offset of
    a column, however large, takes no digit. ``X @ w`` is larger by :attr:`shift`."""

    w: Array | None
    mean: Any = 0.0  # of a pickle from before version 0.3, whose scores were X @ w

    @property
    def shift(self) -> float:
        """Return w.mean, 0 for a kernel."""
        return 0.0 if self.w is None else float(np.sum(self.w * self.mean))


class Solved(Linear):
    """The solution of a problem for one C: its weights, and what a pickle holds of it."""

    kernel: Kernel
    problem: Any
    solution: Any

    @cached_property
    def w(self) -> Array | None:  # type: ignore[override]
        """Return the weights of features, shape (d,), or None if the model keeps rows."""
        if not self.kernel.has_weights:
            return None
        return self.problem.space.weights(self.solution.beta) if self.solution.w is None else self.solution.w

    @cached_property
    def mean(self) -> Any:
        """Return the row at which the scores of the linear kernel are 0, shape (d,): the mean of the rows of the fit,
        or 0 if the problem sees it."""
        return 0.0 if self.problem is None or not self.kernel.has_weights else self.problem.space.mean

    def without_rows(self) -> Any:
        """Return a linear model as a pickle holds it, but with its solution, and with the problem without its space: it
        can be judged if the rows are given."""
        lean = object.__new__(type(self))
        lean.__dict__.update(self.__getstate__(), problem=replace(self.problem, space=None), solution=self.solution)
        return lean

    def training_rows(self, X: Any) -> Any:
        """Return the rows of the problem among those of the fit, (n, d)."""
        return of_length(X, len(self.solution.beta))

    def __getstate__(self):
        """Return all but the problem, with the coefficients that predictions need, and the values of the
        certificate."""
        solution = replace(self.solution, beta=self.solution.beta[self._used()], alpha=None)
        return {**self.__dict__, "w": self.w, "mean": self.mean, "problem": None, "solution": solution}

    def _used(self):
        """Return which training rows predictions need: none if there are weights, all of a precomputed kernel."""
        if self.w is not None:
            return slice(0, 0)
        precomputed = self.kernel.name == "precomputed"
        return slice(None) if precomputed else np.flatnonzero(self.solution.beta)


def of_length(X: Any, n: int, what: str = ", without those of weight 0") -> Any:
    """Return X (n, d); refuse another number of rows."""
    if X.shape[0] != n:
        raise ValueError(f"X must hold the {n} rows of the fit{what}, got {X.shape[0]}")
    return X


@dataclass(frozen=True)
class KernelModel(Solved):
    """f(x) = sum_i beta_i k(x_i, x) with thresholds; for the linear kernel f(x) = w.(x - mean).

    Attributes
    ----------
    X : (n, d) training rows
    kernel : Kernel
    problem, C, solution : the Problem, None after unpickling, and its solution for C
    ranks : (r,) array of the labels that the thresholds separate, or None
    """

    X: np.ndarray
    kernel: Kernel
    problem: Any
    C: float
    solution: Any
    ranks: Any = None

    def scores(self, X: Any) -> Array:
        """Return f(X), shape (m,). With a precomputed kernel, X is the matrix of k(x, x_i), shape (m, n)."""
        return self.function(X)

    def function(self, X: Any) -> Array:
        """Return f(X) without a bias, in units of the margins of the problem, shape (m,)."""
        if self.w is not None:
            return scores_of_weights(self.kernel, X, self.mean, self.w)
        return self.kernel.expansion(X, self.X, self.solution.beta)

    def __getstate__(self):
        """Return what predictions need, and the values of the certificate."""
        return {**super().__getstate__(), "X": self.X[self._used()] if self.kernel.keeps_rows else None}

    def labels(self, X: Any) -> Array:
        """Return the rank of each row, shape (m,)."""
        if self.ranks is None:
            raise ValueError("labels needs a model with thresholds, got a ranker: use scores")
        return rank_scores(self.scores(X), self.boundaries, self.ranks)

    @property
    def boundaries(self) -> Array:
        """Return the r - 1 scores at which the rank changes: the thresholds, or the middles of a_j and b_j."""
        theta = self.solution.theta
        return theta if self.ranks is None or len(theta) < len(self.ranks) else theta.reshape(-1, 2).mean(axis=1)


@dataclass(frozen=True)
class RankSVRModel(KernelModel):
    """f(x) + b with f = f_SVR + f_rank; ``X`` holds the stacked rows [X; Z] that occur in the problem.

    Attributes
    ----------
    kept : (n + q,) int array, which of the stacked rows these are: all of X, and the q rows of Z in some pair
    n_stacked : int, number of the stacked rows, n + m
    centre : float, which was subtracted from y before the rows were built: a large offset would cost digits
    """

    kept: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    n_stacked: int = 0
    centre: float = 0.0

    @property
    def bias(self) -> float:
        """Return b, in units of y."""
        return self.centre - float(self.solution.theta[0])

    def over_all_rows(self, coefficients: Array) -> Array:
        """Return coefficients over the kept rows as coefficients over [X; Z], shape (n + m,): 0 for the others."""
        spread = np.zeros(self.n_stacked)
        spread[self.kept] = coefficients
        return spread

    def training_rows(self, X: Any) -> Any:
        """Return those of the stacked rows [X; Z] that occur in the problem."""
        return of_length(X, self.n_stacked, ": all of X, then those of Z")[self.kept]

    def scores(self, X: Any) -> Array:
        """Return the predictions f(X) + b, shape (q,), in units of y."""
        X = X[:, self.kept] if self.kernel.name == "precomputed" else X  # kernel values with all of [X; Z]
        return self.function(X) + self.bias


@dataclass(frozen=True)
class ThresholdModel(Linear):
    """f(x) = w.(x - mean) or sum_i beta_i k(x_i, x) with boundaries, from an estimator without a certificate.

    Attributes
    ----------
    coefficients : (d,) weights w, or (n,) coefficients beta if there is a kernel
    boundaries : (r - 1,) scores at which the rank changes
    ranks : (r,) array of the labels
    X : (n, d) training rows of the kernel, or None
    kernel : Kernel or None
    mean : (d,) row at which the scores of weights are 0, or 0
    """

    coefficients: np.ndarray
    boundaries: np.ndarray
    ranks: np.ndarray
    X: np.ndarray | None = None
    kernel: Kernel | None = None
    solution: None = None
    mean: Any = 0.0

    @property
    def w(self) -> Array | None:  # type: ignore[override]
        """Return the weights, shape (d,); None if there is a kernel."""
        return self.coefficients if self.kernel is None else None

    def scores(self, X: Any) -> Array:
        """Return f(X), shape (m,)."""
        if self.kernel is None:
            return scores_from_mean(X, self.mean, self.coefficients)
        return self.kernel.expansion(X, self.X, self.coefficients)

    def labels(self, X: Any) -> Array:
        """Return the rank of each row, shape (m,)."""
        return rank_scores(self.scores(X), self.boundaries, self.ranks)


def rank_scores(scores: Array, boundaries: Array, ranks: Array) -> Array:
    """Return min {r : s < theta_r} of each score (Shashua and Levin eq. 1), shape (m,).

    A score must pass the boundaries one after the other, so a rank between two boundaries in the wrong order is never
    predicted.
    """
    return ranks[np.searchsorted(np.maximum.accumulate(boundaries), scores, side="right")]


@dataclass(frozen=True)
class ComparisonModel(Solved):
    """r(x) = f(x) / threshold and the comparison c(x, x') = t_1[r(x') - r(x)] (Venuto et al. eq. 4, 5, 13).

    Attributes
    ----------
    pairs : (n, 2 d) training pairs; a row is x followed by x'
    kernel : Kernel of single items
    problem, C, solution : the Problem over the pairs, None after unpickling, and its solution for C
    threshold : float >= 0, the largest ``|f(x') - f(x)|`` that counts as no difference.
        If it is 0, f has no valid scaling: every difference counts, and the scores are those of f.
    """

    pairs: np.ndarray
    kernel: Kernel
    problem: Any
    C: float
    solution: Any
    threshold: float

    @property
    def scaled(self) -> bool:
        """Return whether ``|r(x') - r(x)| <= 1`` means no difference."""
        return self.threshold > 0

    def scores(self, pairs: Any) -> Array:
        """Return r(x') - r(x) of each pair, shape (m,); f(x') - f(x) if there is no valid scaling."""
        return self.function(pairs) / (self.threshold if self.scaled else 1.0)

    def scores_of_training(self) -> Array:
        """Return f(x') - f(x) of each training pair, shape (n,)."""
        space = self.problem.space
        return space.scores(self.solution.beta) if self.w is None else self.function(self.pairs)

    def function(self, pairs: Any) -> Array:
        """Return f(x') - f(x) of each pair, shape (m,)."""
        if self.w is not None:
            return scores_of_weights(self.kernel, pairs, 0.0, self.w, pairs=True)
        if self.kernel.name == "precomputed":
            return pairs @ self.solution.beta
        first, second = (self._of_items(items) for items in np.hsplit(pairs, 2))
        return second - first

    def __getstate__(self):
        """Return what predictions need, and the values of the certificate."""
        return {**super().__getstate__(), "pairs": self.pairs[self._used()] if self.kernel.keeps_rows else None}

    def labels(self, pairs: Any) -> Array:
        """Return t_1[r(x') - r(x)] in {-1, 0, 1} of each pair, shape (m,); t_0 if there is no valid scaling."""
        return self.labels_of(self.scores(pairs))

    def labels_of(self, scores: Array) -> Array:
        """Return the labels of pairs with these :meth:`scores`, shape (m,)."""
        return compare(scores, 1.0 if self.scaled else 0.0)

    def ranks(self, X: Any) -> Array:
        """Return r(x) of each item, shape (m,), up to a constant that changes no comparison (eq. 19)."""
        if self.kernel.name == "precomputed":
            raise ValueError('ranks needs items, got kernel="precomputed": a kernel over pairs has no items')
        f = self._of_items(X) if self.w is None else scores_of_weights(self.kernel, X, 0.0, self.w)
        return f / (self.threshold if self.scaled else 1.0)

    def _of_items(self, X):
        """Return f(x) of each item, shape (m,), up to a constant."""
        first, second = (self.kernel.expansion(X, items, self.solution.beta) for items in np.hsplit(self.pairs, 2))
        return second - first
