"""What the wrappers of other people's programs share: their forms, and fitted models."""

from dataclasses import dataclass

import numpy as np

from rankmargin.rows.pairs import group_codes
from rankmargin.rows.ranks import ranks_of

TREES = ("regressor", "ranker", "classifier")


def check_estimator(estimator, known):
    """Refuse the name of an estimator that is not among `known`."""
    if estimator not in known:
        raise ValueError(f"estimator must be one of {', '.join(known)}, got {estimator!r}")


def fit_trees(estimator, X, y, groups, classifier, regressor, rank):
    """Fit an ensemble of trees in one of its forms.

    Parameters
    ----------
    estimator : {"regressor", "ranker", "classifier"}
    X : (n, d) array
    y : (n,) array
    groups : (n,) array or None, the queries of the ranker; None is one query. The classifier takes none.
    classifier, regressor : unfitted machines
    rank : callable (X, y, group) -> fitted machine, given rows of one group one after the other

    Returns
    -------
    FittedScores or FittedClasses
    """
    if estimator == "classifier":
        if groups is not None:
            raise ValueError("groups must be None: classes are the same for all rows")
        place, ranks = ranks_of(y)
        return FittedClasses(classifier.fit(X, place), ranks)
    if estimator == "regressor":
        return FittedScores(regressor.fit(X, y))
    group = group_codes(groups, len(y))
    order = np.argsort(group, kind="stable")
    return FittedScores(rank(X[order], y[order], group[order]))


@dataclass(frozen=True)
class FittedScores:
    """A fitted ``machine`` whose prediction is the score; it gives no ranks."""

    machine: object
    solution: None = None

    def scores(self, X):
        """Return the prediction of each row, shape (m,)."""
        return np.asarray(self.machine.predict(X), dtype=np.float64).ravel()


@dataclass(frozen=True)
class FittedClasses:
    """A ``machine`` fitted to 0-based ranks as classes, of the labels ``ranks`` (k,)."""

    machine: object
    ranks: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return the expected 0-based rank of each row, shape (m,)."""
        return np.asarray(self.machine.predict_proba(X), dtype=np.float64) @ np.arange(len(self.ranks))

    def labels(self, X):
        """Return the label that is predicted for each row, shape (m,)."""
        return self.ranks[np.asarray(self.machine.predict(X), dtype=int)]
