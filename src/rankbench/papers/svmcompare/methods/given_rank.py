"""A ranking function that is given and not learned: the sum of the attributes of an item, usually of one.

Examples: the latent function of a simulation, and what a rating system expects of a player in a game.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.methods.compare import check_pairs_input
from rankmargin.model import compare

PATH = None
INPUT = "pairs"


@dataclass(frozen=True)
class GivenRank:
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


def fit_path(X, y, values, *, threshold=1.0, seed=0, groups=None):
    """Return the model, once for each of `values`, which are not used.

    Parameters
    ----------
    X : (n, 2 d) array of pairs, x in the first d columns and x' in the others
    y, values, seed : unused, nothing is learned
    threshold : float > 0
    groups : must be None
    """
    check_pairs_input(np.asarray(X), groups)
    if not threshold > 0:
        raise ValueError(f"threshold must be > 0, got {threshold!r}")
    return [GivenRank(float(threshold)) for _ in values]
