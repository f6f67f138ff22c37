"""Boosting by thresholds (Frank, Hall): for each cut between two grades, trees say how probable a higher grade is."""

from dataclasses import dataclass

import numpy as np

from rankbench.baselines._base import Baseline
from rankbench.baselines._extra import optional_extra


@dataclass(frozen=True)
class FittedThresholds:
    """One fitted machine for each cut between two of the ``ranks`` (k,)."""

    machines: list
    ranks: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return the expected number of cuts below each row of X (m, d), shape (m,)."""
        return self._above(X).sum(axis=1)

    def labels(self, X):
        """Return the grade of each row, shape (m,): as many cuts lie below it as are more probable than not."""
        return self.ranks[(self._above(X) > 0.5).sum(axis=1)]

    def probabilities(self, X):
        """Return the probability of each of the ranks, shape (m, k); where the machines contradict each other, of two
        cuts the higher one counts as at most as probable as the lower one."""
        above = np.minimum.accumulate(self._above(X), axis=1)
        return -np.diff(np.pad(above, ((0, 0), (1, 1)), constant_values=((0, 0), (1.0, 0.0))), axis=1)

    def _above(self, X):
        return np.column_stack([machine.predict_proba(X)[:, 1] for machine in self.machines])


@dataclass(eq=False, repr=False, kw_only=True)
class Thresholds(Baseline):
    """LightGBM for each question "is the grade above this one?".

    Parameters
    ----------
    n_estimators, learning_rate, num_leaves, min_child_samples : of LightGBM
    random_state : int

    References
    ----------
    Frank, Hall: A simple approach to ordinal classification. ECML 2001.
    """

    n_estimators: int = 100
    learning_rate: float = 0.1
    num_leaves: int = 31
    min_child_samples: int = 20
    random_state: int = 0

    def fit(self, X, y):
        """Fit to X (n, d) and grades y (n,)."""
        grades = np.unique(y)
        machines = [lightgbm_classifier(self).fit(X, y > grade) for grade in grades[:-1]]
        self.model_ = FittedThresholds(machines, grades)
        return self


def lightgbm_classifier(method):
    """Return LightGBM's classifier with the parameters of a method, not fitted."""
    with optional_extra():
        import lightgbm
    fixed = {"n_jobs": 1, "verbosity": -1, "deterministic": True, "force_row_wise": True}
    return lightgbm.LGBMClassifier(**{**method.get_params(), "random_state": method.random_state % 2**31, **fixed})
