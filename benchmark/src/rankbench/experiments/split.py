"""The split of one seed: its hold-out and inner splits. They are drawn once for all methods, so that comparisons are
paired."""

import hashlib
from dataclasses import dataclass

import numpy as np

from rankbench.records.files import read_arrays, write_arrays


def seed_of(*parts):
    """Return a seed made from named parts: the first 8 bytes of the sha256 of the parts, joined by ``/``.

    Parameters
    ----------
    parts : str or int
        The purpose of the random numbers, for example experiment, data set, condition, seed and "folds".

    Returns
    -------
    int in [0, 2**64)
    """
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8], "big")


@dataclass(frozen=True)
class Split:
    """The split of one data set under one condition for one seed.

    Attributes
    ----------
    seed : int
    train : (n_train,) int32
        Row numbers of the table.
    test : (n_test,) int32
        Row numbers of the table, none of them in `train`.
    tuning : (n_tuning,) int32
        Row numbers of the table by which hyper-parameters are chosen, none of them in `test`.
    folds : (L, n_tuning) int8
        For each of L ways to cut the tuning rows, the fold in which each row is judged; -1 if it is only for learning.
        One cut into k folds is cross-validation; one cut with a single fold is a validation set.
    pool : (n_pool,) int32
        Rows of the table outside both parts, whose targets are hidden; only the order of some pairs of them is known.
    absent : str
        Why this seed has no split; empty if it has one.
    """

    seed: int
    train: np.ndarray
    test: np.ndarray
    tuning: np.ndarray
    folds: np.ndarray
    pool: np.ndarray
    absent: str = ""

    @classmethod
    def build(cls, seed, train=(), test=(), tuning=(), folds=((),), pool=(), absent=""):
        """Return a split made from sequences, with the types that are stored."""
        rows = [np.array(part, np.int32) for part in (train, test, tuning, pool)]
        return cls(int(seed), *rows[:3], np.array(folds, np.int8), rows[3], absent)

    @property
    def inner(self):
        """The inner splits: a list of (rows for learning, rows for judging)."""
        cuts = [(folds, fold) for folds in self.folds for fold in np.unique(folds[folds >= 0])]
        return [(self.tuning[folds != fold], self.tuning[folds == fold]) for folds, fold in cuts]


def has_pair(y, groups=None):
    """Return whether two targets y (n,) of one group differ, so that there is an order to learn or to judge."""
    if groups is not None:
        order = np.lexsort((y, groups))
        return bool(np.any((np.diff(groups[order]) == 0) & (np.diff(y[order]) != 0)))
    return y.size > 0 and bool(np.any(y != y[0]))


def fold_numbers(n_train, n_folds, names, seed):
    """Return one cut of the training part into folds whose sizes differ by at most one, shape (1, n_train).

    Raises
    ------
    ValueError
        If there are fewer than two folds, or fewer rows than folds.
    """
    if not 2 <= n_folds <= n_train:
        raise ValueError(f"n_folds must be in 2..{n_train}, got {n_folds}")
    return np.random.default_rng(seed_of(*names, seed, "folds")).permutation(np.arange(n_train) % n_folds)[None]


def save_split(path, split):
    """Write a split as one .npz, completely or not at all."""
    write_arrays(path, **vars(split))


def load_split(path):
    """Read the split that `save_split` wrote."""
    arrays = read_arrays(path)
    return Split(**{**arrays, "seed": int(arrays["seed"]), "absent": str(arrays["absent"])})
