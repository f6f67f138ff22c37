"""Ours in one call: `rankmargin.RankSearchCV`, which chooses kernel, gamma and C by itself."""

from dataclasses import dataclass

from rankbench.baselines._base import Baseline
from rankmargin import SVOR, RankSearchCV, SwappedPairsSVM

ESTIMATORS = {one.__name__: one for one in (SwappedPairsSVM, SVOR)}


@dataclass(frozen=True)
class Chosen:
    """A fitted search; its score is that of the best estimator."""

    search: object

    @property
    def solution(self):
        """None: the judge knows no scaling of columns, and the inputs are scaled inside."""
        return None

    def scores(self, X):
        """Return one score per row of X (m, d), shape (m,)."""
        return self.search.score_samples(X)


class ChosenGrades(Chosen):
    """A fitted search for an estimator of grades."""

    def labels(self, X):
        """Return the grade of each row of X (m, d), shape (m,)."""
        return self.search.predict(X)

    def probabilities(self, X):
        """Return the probability of each of the `ranks`, shape (m, k)."""
        return self.search.predict_proba(X)

    @property
    def ranks(self):
        """The grades, shape (k,)."""
        return self.search.classes_


@dataclass(eq=False, repr=False, kw_only=True)
class SelfTuning(Baseline):
    """What a user gets who sets nothing.

    Parameters
    ----------
    estimator : str
        For which of `ESTIMATORS` parameters are chosen.
    """

    estimator: str = "SwappedPairsSVM"

    def fit(self, X, y, groups=None):
        """Fit to X (n, d) and y (n,), pairs inside ``groups`` (n,) alone."""
        estimator = ESTIMATORS[self.estimator]()
        if "probability" in estimator.get_params():
            estimator.set_params(probability=True)  # five more fits after the search; it chooses and predicts the same
        search = RankSearchCV(estimator).fit(X, y, groups=groups)
        self.model_ = (ChosenGrades if hasattr(search, "grades_") else Chosen)(search)
        return self
