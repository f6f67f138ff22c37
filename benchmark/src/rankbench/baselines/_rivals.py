"""What the wrappers of other libraries share: regressor, ranker or classifier, and the fitted models."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankmargin.problem.rows.pairs import group_codes
from rankmargin.problem.rows.ranks import ranks_of

from ._base import Baseline

TREES = ("regressor", "ranker", "classifier")


@dataclass(eq=False, repr=False, kw_only=True)
class Trees(Baseline):
    """One ensemble of boosted trees, fitted by one thread.

    Parameters
    ----------
    estimator : {"regressor", "ranker", "classifier"}
    n_estimators, learning_rate : of the package
    random_state : int
    """

    estimator: str = "regressor"
    n_estimators: int = 200
    learning_rate: float = 0.1
    random_state: int = 0

    def fit(self, X, y, groups=None):
        """Fit to X (n, d) and y (n,); ``groups`` (n,) are the queries of the ranker, None is one query.

        The classifier takes none.
        """
        if self.estimator not in TREES:
            raise ValueError(f"estimator must be one of {', '.join(TREES)}, got {self.estimator!r}")
        if self.estimator == "classifier":
            if groups is not None:
                raise ValueError("groups must be None: classes are the same for all rows")
            place, ranks = ranks_of(y)
            self.model_ = FittedRanks(self.machine().fit(X, place), expected_rank, ranks=ranks)
        elif self.estimator == "regressor":
            self.model_ = Fitted(self.machine().fit(X, y))
        else:
            group = group_codes(groups, len(y))
            order = np.argsort(group, kind="stable")
            self.model_ = Fitted(self.ranked(X[order], y[order], group[order]))
        return self

    @property
    def options(self):
        """The arguments of all three forms."""
        of_all = {"n_estimators": self.n_estimators, "learning_rate": self.learning_rate, "n_jobs": 1}
        return {**of_all, "random_state": self.random_state % 2**31}


def prediction(machine, X):
    """Return what a machine predicts for each row."""
    return machine.predict(X)


def expected_rank(machine, X):
    """Return the mean of the 0-based ranks by their probabilities, for each row."""
    probabilities = np.asarray(machine.predict_proba(X), dtype=np.float64)
    return probabilities @ np.arange(probabilities.shape[1])


@dataclass(frozen=True)
class Fitted:
    """A fitted ``machine`` whose scores are ``score(machine, X)``; it gives no ranks."""

    machine: object
    score: Callable = prediction
    solution: None = None

    def scores(self, X):
        """Return the score of each row, shape (m,)."""
        return np.asarray(self.score(self.machine, X), dtype=np.float64).ravel()


@dataclass(frozen=True, kw_only=True)
class FittedRanks(Fitted):
    """A ``machine`` fitted to 0-based ranks, which it predicts, of the labels ``ranks`` (k,)."""

    ranks: np.ndarray

    def labels(self, X):
        """Return the label that is predicted for each row, shape (m,)."""
        return self.ranks[np.asarray(self.machine.predict(X), dtype=int)]

    @property
    def probabilities(self):
        """X (m, d) -> the probability of each of `ranks`, shape (m, k); AttributeError if the machine gives none."""
        return self.machine.predict_proba
