"""Answers that ignore the inputs: a method that is not better than these has learned nothing.

``constant`` gives every example the median training target, which has the smallest mean absolute error of all constant
answers. ``random`` draws a training target for each example, so ranks have the same shares as in the training part.
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
    values : the same model is returned for each of them: there is no path
    answer : {"constant", "random"}
    seed : int, seed of the random answers
    groups : unused, the answer is the same for all groups

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
    """Draws from ``targets`` (k,), with k = 1 for the constant answer; equal numbers of rows get equal draws."""

    targets: np.ndarray
    seed: int
    solution: None = None

    def labels(self, X):
        """Return a target for every row, shape (m,)."""
        return np.random.default_rng(self.seed).choice(self.targets, X.shape[0])

    def scores(self, X):
        """Return the same targets as scores, shape (m,)."""
        return self.labels(X)
