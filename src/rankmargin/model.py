"""What a method returns for each C: a function f, perhaps thresholds, and the problem it came from."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankmargin.kernels import LinearSpace, gram


@dataclass(frozen=True)
class KernelModel:
    """f(x) = sum_i beta_i k(x_i, x) with thresholds; for the linear kernel f(x) = w.x.

    Attributes
    ----------
    X : (n, d) training rows
    kernel : dict of kernel, gamma, degree, coef0
    space, rows, C, solution : the problem and its solution, as :func:`rankmargin.certificates.judge` wants them;
    ``rows`` is None
        for a solver that never lists them
    ranks : (r,) array of the labels that the thresholds separate, or None
    """

    X: np.ndarray
    kernel: dict
    space: object
    rows: object
    C: float
    solution: object
    ranks: np.ndarray | None = field(default=None)

    @cached_property
    def w(self):
        """Return the weights of the linear kernel, shape (d,), or None."""
        return self.space.weights(self.solution.beta) if isinstance(self.space, LinearSpace) else None

    def scores(self, X):
        """Return f(X), shape (m,). With a precomputed kernel X is the matrix k(x, x_i), shape (m, n)."""
        if self.w is not None:
            return np.asarray(X @ self.w).ravel()
        return gram(X, self.X, **self.kernel) @ self.solution.beta

    def labels(self, X):
        """Return the rank of each row: the one between whose thresholds its score lies, shape (m,)."""
        if self.ranks is None:
            raise ValueError("labels needs a model with thresholds, got a ranker: use scores")
        return self.ranks[(self.scores(X)[:, None] >= self.solution.theta[None, :]).sum(axis=1)]
