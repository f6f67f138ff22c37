"""Answers that look at no input: what every method must beat before anything was learned.

``constant`` gives every example the median training target, which has the smallest mean absolute error of all constant
answers; ``random`` draws a training target for each example, so that ranks come in the shares of the training part.
"""

from dataclasses import dataclass

import numpy as np

PATH = None
INPUT = "any"
ANSWERS = ("constant", "random")


def fit_path(X, y, values, *, answer="constant", seed=0, groups=None):
    """Keep the training targets.

    Parameters
    ----------
    X : unused
    y : (n,) array
    values : one model is returned for each, all the same: there is no path
    answer : {"constant", "random"}
    seed : int, of the random answers
    groups : unused, the answer is common to all

    Returns
    -------
    list of Blind
    """
    if answer not in ANSWERS:
        raise ValueError(f"answer must be one of {', '.join(ANSWERS)}, got {answer!r}")
    targets = np.sort(np.asarray(y, dtype=np.float64))
    if answer == "constant":
        targets = targets[[(len(targets) - 1) // 2]]
    return [Blind(targets, int(seed)) for _ in values]


@dataclass(frozen=True)
class Blind:
    """Draws from ``targets`` (k,), of which the constant answer has one; the same draws for the same number of rows."""

    targets: np.ndarray
    seed: int
    solution: None = None

    def labels(self, X):
        """Return a target for every row, shape (m,)."""
        return np.random.default_rng(self.seed).choice(self.targets, X.shape[0])

    def scores(self, X):
        """Return the same targets as scores, shape (m,)."""
        return self.labels(X)
