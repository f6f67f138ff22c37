"""What the wrappers of other people's programs share: the import with its error, and fitted models."""

import importlib
from dataclasses import dataclass

import numpy as np

EXTRA = "rivals"


def import_rival(name):
    """Import a package of the extra.

    Raises
    ------
    ModuleNotFoundError
        When it is not installed; the message names the extra.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{name} comes with the optional extra {EXTRA!r}: pip install -r {EXTRA}.lock, or 'rankmargin[{EXTRA}]' "
            f"({error})"
        ) from error


def check_estimator(estimator, known):
    """Refuse the name of an estimator that is not among `known`."""
    if estimator not in known:
        raise ValueError(f"estimator must be one of {', '.join(known)}, got {estimator!r}")


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
