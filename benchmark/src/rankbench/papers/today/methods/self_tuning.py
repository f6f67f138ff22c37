"""Ours in one call: `rankmargin.RankSearchCV`, which chooses kernel, gamma and C by itself."""

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import GroupKFold

from rankbench.baselines._base import Baseline
from rankbench.baselines._rivals import Fitted
from rankmargin import SVOR, RankSearchCV, SwappedPairsSVM

ESTIMATORS = {one.__name__: one for one in (SwappedPairsSVM, SVOR)}


class ChosenGrades(Fitted):
    """A fitted search for an estimator of grades."""

    def labels(self, X):
        """Return the grade of each row of X (m, d), shape (m,)."""
        return self.machine.predict(X)

    def probabilities(self, X):
        """Return the probability of each of the `ranks`, shape (m, k)."""
        return self.machine.predict_proba(X)

    @property
    def ranks(self):
        """The grades, shape (k,)."""
        return self.machine.classes_


@dataclass(eq=False, repr=False, kw_only=True)
class SelfTuning(Baseline):
    """What a user gets who sets nothing.

    Parameters
    ----------
    estimator : str
        For which of `ESTIMATORS` parameters are chosen.
    """

    estimator: str = "SwappedPairsSVM"

    def fit(self, X, y, groups=None, blocks=None, sample_weight=None):
        """Fit to X (n, d) and y (n,), pairs inside ``groups`` (n,) alone.

        Without groups, rows of one of the ``blocks`` (n,) are in one fold: with their inputs known from other rows, a
        function that remembers rows would look best.
        """
        estimator = ESTIMATORS[self.estimator]()
        if "probability" in estimator.get_params():
            estimator.set_params(probability=True)  # five more fits after the search; it chooses and predicts the same
        search = RankSearchCV(estimator, cv=_folds(X, groups, blocks)).fit(
            X, y, groups=groups, sample_weight=sample_weight
        )
        self.model_ = (ChosenGrades if hasattr(search, "grades_") else Fitted)(search, RankSearchCV.score_samples)
        return self


def _folds(X, groups, blocks):
    """Return the folds of a search that keep blocks whole; the usual number of them if each row is a block."""
    if blocks is None or groups is not None or len(np.unique(blocks)) in (1, len(blocks)):
        return 5
    folds = GroupKFold(min(5, len(np.unique(blocks))), shuffle=True, random_state=0)
    return list(folds.split(X, groups=blocks))
