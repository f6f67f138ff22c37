"""AdaBoost (Herbrich et al., Table 1.2) on pairs: stumps on x_i - x_j say which of two examples is ahead.

A sum of stumps on differences is no difference of utilities and need not be transitive (section 2.3 of the chapter), so
an example's score is how clearly it beats the training examples: the mean of F(x - x_j) over all x_j.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.rows.pairs import pair_indices

PATH = None
AT_ONCE = 1 << 20


def fit_path(X, y, values, *, n_estimators=50, learning_rate=1.0, seed=0, groups=None):
    """Fit scikit-learn's AdaBoostClassifier on all pairs, each in both orientations.

    Parameters
    ----------
    X : (n, d) array or CSR matrix; all differences are held as a dense array
    y : (n,) array; pairs are those with y_i > y_j
    values : one model is returned for each, all the same: there is no path
    n_estimators, learning_rate : of :class:`sklearn.ensemble.AdaBoostClassifier`
    seed : int
    groups : (n,) array or None, pairs are formed only inside a group

    Returns
    -------
    list of TournamentModel
    """
    from sklearn.ensemble import AdaBoostClassifier

    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X)
    i, j = pair_indices(y, groups)
    differences = np.concatenate([X[i] - X[j], X[j] - X[i]])
    # scikit-learn seeds with 32 bits, seeds of this package are arbitrary
    state = int(np.random.default_rng(seed).integers(2**31))
    machine = AdaBoostClassifier(n_estimators=n_estimators, learning_rate=learning_rate, random_state=state)
    machine.fit(differences, np.repeat([1, -1], len(i)))
    return [TournamentModel(machine, X) for _ in values]


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
