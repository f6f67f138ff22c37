"""Answers that ignore the inputs: a method that is not better than these has learned nothing.

``constant`` gives every row the median training target, which has the smallest mean absolute error of all constant
answers. ``random`` draws a training target for each row, so ranks have the same shares as in the training part.
"""

from dataclasses import dataclass

import numpy as np

from ._base import Baseline

ANSWERS = ("constant", "random")


@dataclass(eq=False, repr=False, kw_only=True)
class Blind(Baseline):
    """Keeps the training targets.

    Parameters
    ----------
    answer : {"constant", "random"}
    random_state : int, seed of the random answers
    """

    learns_from = "any"

    answer: str = "constant"
    random_state: int = 0

    def fit(self, X, y):
        """Keep the targets y (n,); X is not used."""
        if self.answer not in ANSWERS:
            raise ValueError(f"answer must be one of {', '.join(ANSWERS)}, got {self.answer!r}")
        targets = np.sort(np.asarray(y, dtype=np.float64))
        if self.answer == "constant":
            targets = targets[[(len(targets) - 1) // 2]]
        self.model_ = Draws(targets, int(self.random_state))
        return self


@dataclass(frozen=True)
class Draws:
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
