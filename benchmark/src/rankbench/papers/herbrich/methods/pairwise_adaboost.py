"""AdaBoost (Herbrich et al., Table 1.2) on pairs: stumps on x_i - x_j say which of two examples is ahead.

A sum of stumps on differences is no difference of utilities and need not be transitive (section 2.3 of the chapter), so
an example's score is how clearly it beats the training examples: the mean of F(x - x_j) over all x_j.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.ensemble import AdaBoostClassifier

from rankbench.baselines._base import Baseline
from rankmargin.problem.rows.pairs import pair_indices

AT_ONCE = 1 << 20


@dataclass(eq=False, repr=False, kw_only=True)
class PairwiseAdaBoost(Baseline):
    """Scikit-learn's AdaBoostClassifier on all pairs, each in both orientations.

    Parameters
    ----------
    n_estimators, learning_rate : of :class:`sklearn.ensemble.AdaBoostClassifier`
    random_state : int
    """

    n_estimators: int = 50
    learning_rate: float = 1.0
    random_state: int = 0

    def fit(self, X, y, groups=None):
        """Fit to X (n, d), an array or a CSR matrix, and y (n,); pairs have y_i > y_j, inside ``groups`` (n,).

        All differences are held as a dense array.
        """
        X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
        i, j = pair_indices(y, groups)
        differences = np.concatenate([X[i] - X[j], X[j] - X[i]])
        # scikit-learn seeds with 32 bits, seeds of this package are arbitrary
        state = int(np.random.default_rng(self.random_state).integers(2**31))
        options = {"n_estimators": self.n_estimators, "learning_rate": self.learning_rate, "random_state": state}
        machine = AdaBoostClassifier(**options).fit(differences, np.repeat([1, -1], len(i)))
        self.model_ = TournamentModel(machine, X)
        return self


@dataclass(frozen=True)
class TournamentModel:
    """A classifier of differences and the (n, d) training rows that an example is compared with."""

    machine: object
    X: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return the mean decision on x - x_j over the training rows x_j, shape (m,)."""
        X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
        rows = max(1, AT_ONCE // self.X.size)
        parts = []
        for start in range(0, len(X), rows):
            part = X[start : start + rows]
            differences = (part[:, None, :] - self.X[None, :, :]).reshape(-1, X.shape[1])
            parts.append(self.machine.decision_function(differences).reshape(len(part), -1).mean(axis=1))
        return np.concatenate(parts)
