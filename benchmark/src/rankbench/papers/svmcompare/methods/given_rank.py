"""A ranking function that is given and not learned: the sum of the attributes of an item, usually of one.

Examples: the latent function of a simulation, and what a rating system expects of a player in a game.
"""

from dataclasses import dataclass

import numpy as np

from rankbench.baselines._base import Baseline
from rankmargin.problem.rows.comparisons import check_paired, compare


@dataclass(frozen=True)
class SumOfAttributes:
    """r(x) = sum_j x_j / threshold.

    Attributes
    ----------
    threshold : float > 0, the largest difference of sums that counts as no difference
    """

    threshold: float
    solution: None = None

    def scores(self, pairs):
        """Return r(x') - r(x) of each pair, shape (m,)."""
        d = pairs.shape[1] // 2
        return (pairs[:, d:].sum(axis=1) - pairs[:, :d].sum(axis=1)) / self.threshold

    def labels(self, pairs):
        """Return t_1[r(x') - r(x)] in {-1, 0, 1} of each pair, shape (m,)."""
        return compare(self.scores(pairs))


@dataclass(eq=False, repr=False, kw_only=True)
class GivenRank(Baseline):
    """An estimator that learns nothing.

    Parameters
    ----------
    threshold : float > 0, the largest difference of sums that counts as no difference
    """

    learns_from = "pairs"

    threshold: float = 1.0

    def fit(self, X, y):
        """Check the parameter and the pairs X (n, 2 d), x in the first d columns and x' in the others."""
        check_paired(np.asarray(X))
        if not self.threshold > 0:
            raise ValueError(f"threshold must be > 0, got {self.threshold!r}")
        self.model_ = SumOfAttributes(float(self.threshold))
        return self
