"""The model that a method returns for each C: a function f, possibly thresholds, and the problem that it solves."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.kernels import Kernel
from rankmargin.spaces import LinearSpace


@dataclass(frozen=True)
class KernelModel:
    """f(x) = sum_i beta_i k(x_i, x) with thresholds; for the linear kernel f(x) = w.x.

    A fitted model holds its problem, so that it can be judged.  A pickle does not: it holds what predictions need (the
    rows with a coefficient, or w, and the thresholds) and the values of the certificate.

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
    ranks: np.ndarray | None = field(default=None)

    @cached_property
    def w(self) -> Array | None:
        """Return the weights of the linear kernel, shape (d,), or None."""
        if self.problem is None or not isinstance(self.problem.space, LinearSpace):
            return None
        return self.problem.space.weights(self.solution.beta) if self.solution.w is None else self.solution.w

    def scores(self, X: Any) -> Array:
        """Return f(X), shape (m,). With a precomputed kernel, X is the matrix of k(x, x_i), shape (m, n)."""
        if self.w is not None:
            return np.asarray(X @ self.w).ravel()
        return self.kernel.expansion(X, self.X, self.solution.beta)

    def __getstate__(self):
        """Return what predictions need, and the values of the certificate."""
        state = {**self.__dict__, "w": self.w, "problem": None}
        used = self._used()
        state["solution"] = replace(self.solution, beta=self.solution.beta[used], alpha=None)
        state["X"] = None if self.w is not None or self.kernel.name == "precomputed" else self.X[used]
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)

    def _used(self):
        """Return which training rows predictions need: none if there are weights, all of a precomputed kernel."""
        if self.w is not None:
            return slice(0, 0)
        precomputed = self.kernel.name == "precomputed"
        return slice(None) if precomputed else np.flatnonzero(self.solution.beta)

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
class ThresholdModel:
    """f(x) = w.x or sum_i beta_i k(x_i, x) with boundaries, from a method without a certificate.

    Attributes
    ----------
    coefficients : (d,) weights w, or (n,) coefficients beta if there is a kernel
    X : (n, d) training rows of the kernel, or None
    kernel : Kernel or None
    boundaries : (r - 1,) array and ranks : (r,) array, or None for a ranker
    """

    coefficients: np.ndarray
    X: np.ndarray | None = None
    kernel: Kernel | None = None
    boundaries: np.ndarray | None = None
    ranks: np.ndarray | None = None
    solution: None = None

    def scores(self, X: Any) -> Array:
        """Return f(X), shape (m,)."""
        if self.kernel is None:
            return np.asarray(X @ self.coefficients).ravel()
        return self.kernel.expansion(X, self.X, self.coefficients)

    def labels(self, X: Any) -> Array:
        """Return the rank of each row, shape (m,)."""
        if self.ranks is None or self.boundaries is None:
            raise ValueError("labels needs a model with thresholds, got a ranker: use scores")
        return rank_scores(self.scores(X), self.boundaries, self.ranks)


def rank_scores(scores: Array, boundaries: Array, ranks: Array) -> Array:
    """Return min {r : s < theta_r} of each score (Shashua and Levin eq. 1), shape (m,).

    A score must pass the boundaries one after the other, so a rank between two boundaries in the wrong order is never
    predicted.
    """
    return ranks[np.searchsorted(np.maximum.accumulate(boundaries), scores, side="right")]
