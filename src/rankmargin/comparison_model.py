"""The model of a method that learns from labelled pairs: a ranking function, and the smallest difference that
counts."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.kernels import TILE, Kernel

MOST_KEPT = 1 << 22  # a kernel between other pairs and the training pairs is kept if it has at most this many entries


@dataclass(frozen=True)
class ComparisonModel:
    """r(x) = f(x) / threshold and the comparison c(x, x') = t_1[r(x') - r(x)] (Venuto et al. eq. 4, 5, 13).

    Attributes
    ----------
    pairs : (n, 2 d) training pairs; a row is x followed by x'
    kernel : Kernel of single items
    problem, C, solution : the Problem over the pairs, None after unpickling, and its solution for C
    threshold : float >= 0, the largest ``|f(x') - f(x)|`` that counts as no difference.
        If it is 0, f has no valid scaling: every difference counts, and the scores are those of f.
    cross : CrossKernel of the path, which its models share
    """

    pairs: np.ndarray
    kernel: Kernel
    problem: Any
    C: float
    solution: Any
    threshold: float
    cross: Any

    @property
    def scaled(self) -> bool:
        """Return whether ``|r(x') - r(x)| <= 1`` means no difference."""
        return self.threshold > 0

    def scores(self, pairs: Any) -> Array:
        """Return r(x') - r(x) of each pair, shape (m,); f(x') - f(x) if there is no valid scaling."""
        unit = self.threshold if self.scaled else 1.0
        if self.w is not None:
            d = len(self.w)
            return (pairs[:, d:] - pairs[:, :d]) @ self.w / unit
        return self.cross.differences(pairs, self.solution.beta) / unit

    def scores_of_training(self) -> Array:
        """Return f(x') - f(x) of each training pair, shape (n,)."""
        space = self.problem.space
        return space.scores(self.solution.beta) if self.w is None else space.plain.times(self.w)

    @cached_property
    def w(self) -> Array | None:
        """Return the weights of the linear kernel, shape (d,), or None."""
        if self.kernel.name != "linear":
            return None
        return self.problem.space.weights(self.solution.beta) if self.solution.w is None else self.solution.w

    def __getstate__(self):
        """Return what predictions need (the pairs with a coefficient, or w) and the values of the certificate."""
        kernel = self.kernel.name
        used = {"linear": slice(0, 0), "precomputed": slice(None)}.get(kernel)
        used = np.flatnonzero(self.solution.beta) if used is None else used
        pairs = None if kernel == "precomputed" else self.pairs[used]
        solution = replace(self.solution, beta=self.solution.beta[used], alpha=None)
        lean = {"pairs": pairs, "solution": solution, "cross": CrossKernel(pairs, self.kernel)}
        return {**self.__dict__, "w": self.w, "problem": None, **lean}

    def __setstate__(self, state):
        self.__dict__.update(state)

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
        if self.w is not None:
            f = X @ self.w
        else:
            d, beta = self.pairs.shape[1] // 2, self.solution.beta
            first, second = (self.kernel.expansion(X, items, beta) for items in (self.pairs[:, :d], self.pairs[:, d:]))
            f = second - first
        return f / (self.threshold if self.scaled else 1.0)


def compare(differences: Array, threshold: float = 1.0) -> Array:
    """Return t_threshold(differences) of eq. (4), in the shape of ``differences``: -1, 0 or 1; 0 on the threshold."""
    return (differences > threshold).astype(np.int64) - (differences < -threshold)


class CrossKernel:
    """The kernel between other pairs and the training pairs; it is kept for models of a path that score the same pairs.

    Parameters
    ----------
    pairs : (n, 2 d) training pairs
    kernel : Kernel of single items
    """

    def __init__(self, pairs: Any, kernel: Kernel) -> None:
        self.pairs, self.kernel = pairs, kernel
        self._kept: tuple[Any, Any] = None, None  # other pairs and their kernel, set together: threads may share them

    def differences(self, others: Any, beta: Array) -> Array:
        """Return f(x') - f(x) of each other pair, shape (m,)."""
        if self.kernel.name == "precomputed":
            return others @ beta
        known, K = self._kept
        if known is not None and np.array_equal(known, others):
            return K @ beta
        if len(others) * len(self.pairs) <= MOST_KEPT:
            K = self.kernel.pair_gram(others, self.pairs)
            self._kept = np.array(others), K
            return K @ beta
        used = np.flatnonzero(beta)
        scores, pairs = np.empty(len(others)), self.pairs[used]
        for start in range(0, len(others), TILE):
            scores[start : start + TILE] = self.kernel.pair_gram(others[start : start + TILE], pairs) @ beta[used]
        return scores

    def __getstate__(self):
        return {**self.__dict__, "_kept": (None, None)}
