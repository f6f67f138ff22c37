"""The perceptron of Table 1.1 (Herbrich et al.) on pairs: x_i - x_j is to have w.(x_i - x_j) > 0 for y_i > y_j.

It has no bias, since a difference of utilities has none.  We do not call scikit-learn because the differences are never
formed and the updates are counted: for separable pairs Theorem 1.1 bounds their number by (R / rho)^2, where R is the
largest ||x_i - x_j|| and rho the margin at ||w|| = 1.
"""

from dataclasses import dataclass

import numpy as np

from rankbench.baselines._base import Baseline
from rankmargin.compiled import njit
from rankmargin.problem.checks import check_parameters
from rankmargin.problem.rows.pairs import all_pairs
from rankmargin.problem.spaces import LinearSpace


@dataclass(frozen=True)
class PerceptronModel:
    """Weights, the number of updates ``n_updates``, and whether the last run made none (``converged``)."""

    coefficients: np.ndarray
    n_updates: int
    converged: bool
    solution: None = None

    def scores(self, X):
        """Return w.x, shape (m,)."""
        return np.asarray(X @ self.coefficients).ravel()


@dataclass(eq=False, repr=False, kw_only=True)
class PairwisePerceptron(Baseline):
    """Runs through all pairs, each time in a new random order, until a run changes nothing or ``epochs`` are done.

    The learning rate is 1, which without a bias only scales w.

    Parameters
    ----------
    epochs : int >= 1
    random_state : int, of the orders
    """

    epochs: int = 50
    random_state: int = 0

    def fit(self, X, y, groups=None):
        """Fit to X (n, d), an array or a CSR matrix, and y (n,); pairs have y_i > y_j, inside ``groups`` (n,)."""
        check_parameters(self)
        rows, space = all_pairs(y, groups), LinearSpace(X)
        w, rng, n_updates = np.zeros(space.d), np.random.default_rng(self.random_state), 0
        for _ in range(self.epochs):
            order = rng.permutation(len(rows))
            updates = _run(*space.csr, rows.plus[order], rows.minus[order], w)
            n_updates += updates
            if updates == 0:
                break
        self.model_ = PerceptronModel(w, n_updates, updates == 0)
        return self


@njit
def _dot(indptr, indices, data, i, w):
    total = 0.0
    for p in range(indptr[i], indptr[i + 1]):
        total += data[p] * w[indices[p]]
    return total


@njit
def _run(indptr, indices, data, above, below, w):
    updates = 0
    for t in range(above.size):
        i, j = above[t], below[t]
        if _dot(indptr, indices, data, i, w) - _dot(indptr, indices, data, j, w) <= 0.0:
            updates += 1
            for p in range(indptr[i], indptr[i + 1]):
                w[indices[p]] += data[p]
            for p in range(indptr[j], indptr[j + 1]):
                w[indices[p]] -= data[p]
    return updates
