"""Hold-outs and inner splits, drawn once for all methods so that their comparisons are paired."""

import hashlib
import importlib
from dataclasses import dataclass

import numpy as np

from .files import write_arrays

MOST_DRAWS = 100_000


def seed_of(*parts):
    """Return a seed made of named parts: the first 8 bytes of the sha256 of the parts joined by ``/``.

    Parameters
    ----------
    parts : str or int
        What the random numbers are for, for example experiment, data set, condition, seed and purpose.

    Returns
    -------
    int in [0, 2**64)
    """
    return int.from_bytes(hashlib.sha256("/".join(map(str, parts)).encode()).digest()[:8], "big")


@dataclass(frozen=True)
class Splits:
    """The splits of one data set under one condition, a row a seed.

    Attributes
    ----------
    seeds : (S,) int64
    train : (S, n_train) int32
        Row numbers of the table.
    test : (S, n_test) int32
        Row numbers of the table, disjoint from the same row of `train`.
    tuning : (S, n_tuning) int32
        Row numbers of the table that choose hyper-parameters, disjoint from the same row of `test`.
    folds : (S, L, n_tuning) int8
        For each of L ways to cut the tuning rows, the fold that each is judged in; -1: it is only learned from. One cut
        into k folds is cross-validation, one cut with a single fold a validation set.
    pool : (S, n_pool) int32
        Rows of the table in neither part whose targets are hidden: only the order of some pairs of them is told.
    """

    seeds: np.ndarray
    train: np.ndarray
    test: np.ndarray
    tuning: np.ndarray
    folds: np.ndarray
    pool: np.ndarray

    @classmethod
    def build(cls, seeds, train, test, tuning, folds, pool=None):
        """Return splits of sequences with an entry a seed, in the types that are stored."""
        pool = np.empty((len(seeds), 0)) if pool is None else pool
        rows = [np.array(part, np.int32) for part in (train, test, tuning, pool)]
        return cls(np.array(seeds, np.int64), *rows[:3], np.array(folds, np.int8), rows[3])

    def of(self, seed):
        """Return ``train, test`` of one seed; a seed without a split is a ValueError."""
        at = self._at(seed)
        return self.train[at], self.test[at]

    def inner_of(self, seed):
        """Return the inner splits of one seed: a list of rows to learn from and rows to judge on; errors as `of`."""
        at = self._at(seed)
        rows = self.tuning[at]
        cuts = [(folds, fold) for folds in self.folds[at] for fold in np.unique(folds[folds >= 0])]
        return [(rows[folds != fold], rows[folds == fold]) for folds, fold in cuts]

    def pool_of(self, seed):
        """Return the pool of one seed, empty where the experiment has none; errors as `of`."""
        return self.pool[self._at(seed)]

    def _at(self, seed):
        (at,) = np.nonzero(self.seeds == seed)
        if at.size != 1:
            raise ValueError(f"seed must be one of the {self.seeds.size} seeds of the splits, got {seed}")
        return at[0]


def splits_of(table, names, **arguments):
    """Return the splits that `rankbench.experiments.plan.split_arguments` asks for.

    ``split`` is ``published``, ``comparisons`` (see `rankbench.experiments.comparison_sets`), or absent: hold-outs are
    drawn.
    """
    kind = arguments.pop("split", None)
    if kind == "published":
        wanted = ("seeds", "n_folds", "shares", "first_periods")
        return published_splits(table, names=names, **{key: arguments[key] for key in wanted if key in arguments})
    if kind == "comparisons":
        return importlib.import_module("rankbench.experiments.comparison_sets").comparison_sets(
            table.y, names=names, **arguments
        )
    return make_splits(table.y, names=names, **arguments)


def make_splits(y, n_train, n_test, n_folds, seeds, names, every_rank=False, n_pool=0):
    """Draw a hold-out and its folds for every seed; a seed's split does not depend on the other seeds asked for.

    Nor does it depend on the condition: of one seed, a smaller training part is the beginning of a larger one. With
    `every_rank` it need not be: the beginning of a part that holds every rank may lack one, and is then drawn again.

    Parameters
    ----------
    y : (n,) array
        Targets of the table.
    n_train : int
        Rows of the training part.
    n_test : int or "rest"
        Rows of the test part; with an int, rows in neither part are left out.
    n_folds : int
        Folds of the training part, their sizes differ by at most one.
    seeds : sequence of int
    names : tuple of str
        Experiment and data set: the named parts of each seed.
    every_rank : bool
        Draw again until the training part holds every distinct value of y.
    n_pool : int or "rest"
        Rows of the pool, which comes after the test part.

    Returns
    -------
    Splits
    """
    n_rows = len(y)
    n_test = n_rows - n_train - n_pool if n_test == "rest" else n_test
    n_pool = max(n_rows - n_train - n_test, 0) if n_pool == "rest" else n_pool
    if n_train + n_test + n_pool > n_rows or n_test < 2:
        plus_pool, and_pool = (" + n_pool", f" + {n_pool}") if n_pool else ("", "")
        raise ValueError(
            f"n_train + n_test{plus_pool} must be <= the {n_rows} rows of {'/'.join(names)}, got {n_train} + {n_test}"
            f"{and_pool}"
        )
    if not 2 <= n_folds <= n_train:
        raise ValueError(f"n_folds must be in 2..{n_train}, got {n_folds}")
    train, test, pool = [], [], []
    for seed in seeds:
        rows = _permutation(y, n_train, (*names, seed), every_rank)
        train.append(rows[:n_train])
        test.append(rows[n_train : n_train + n_test])
        pool.append(rows[n_train + n_test : n_train + n_test + n_pool])
    folds = [_folds(n_train, n_folds, names, seed) for seed in seeds]
    return Splits.build(seeds, train, test, train, folds, pool)


def published_splits(table, seeds, names, n_folds=None, shares=None, first_periods=None):
    """Take the hold-outs published with a data set, seed k the k-th, and draw only the folds.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
    seeds, names : as `make_splits`
    n_folds : int or None
        Folds of the training part.
    shares : sequence of float in (0, 1), instead
        Cut the training part in the order of its rows: each share of it, rounded down, is learned from and the rest
        judged.
    first_periods : int, optional, with `shares`
        Only the rows of that many first periods of the training part choose hyper-parameters.

    Returns
    -------
    Splits

    Raises
    ------
    ValueError
        When there are none, or fewer than the seeds ask for, or their sizes differ, or the table has no periods.
    """
    partitions = table.partitions
    where, found = "/".join(names), 0 if partitions is None else len(partitions)
    if max(seeds) >= found:
        raise ValueError(f"seeds must be <= the {found} published hold-outs of {where}, got {max(seeds) + 1}")
    masks = partitions[list(seeds)]
    sizes = np.unique(masks.sum(axis=1))
    if len(sizes) > 1:
        raise ValueError(f"the published hold-outs of {where} must be of one size, got n_train {sizes.tolist()}")
    train, test = ([np.flatnonzero(mask == part) for mask in masks] for part in (True, False))
    if shares is not None:
        tuning = [_first(rows, table.periods, first_periods, where) for rows in train]
        return Splits.build(seeds, train, test, tuning, [_in_order(len(rows), shares) for rows in tuning])
    if not 2 <= n_folds <= sizes[0]:
        raise ValueError(f"n_folds must be in 2..{sizes[0]}, got {n_folds}")
    return Splits.build(seeds, train, test, train, [_folds(sizes[0], n_folds, names, seed) for seed in seeds])


def _folds(n_train, n_folds, names, seed):
    """Return one cut of the training part into folds whose sizes differ by at most one, shape (1, n_train)."""
    return np.random.default_rng(seed_of(*names, seed, "folds")).permutation(np.arange(n_train) % n_folds)[None]


def _in_order(n, shares):
    """Return a cut for each share: the first rows are learned from, the others judged, shape (L, n)."""
    return np.array([np.where(np.arange(n) < int(n * share), -1, 0) for share in shares])


def _first(rows, periods, n_periods, where):
    """Return those of the rows that lie in their first `n_periods` periods; all of them for None."""
    if n_periods is None:
        return rows
    if periods is None:
        raise ValueError(f"first_periods needs a table with periods, {where} has none")
    return rows[periods[rows] < np.unique(periods[rows])[:n_periods][-1] + 1]


def _permutation(y, n_train, names, every_rank):
    """Return the rows in random order, the first ``n_train`` of them with every value of y if asked for."""
    rng = np.random.default_rng(seed_of(*names, "hold-out"))
    ranks = len(np.unique(y)) if every_rank else 0
    if ranks > n_train:
        raise ValueError(f"n_train must be >= the {ranks} ranks of {'/'.join(map(str, names))}, got {n_train}")
    for _ in range(MOST_DRAWS):
        rows = rng.permutation(len(y))
        if len(np.unique(y[rows[:n_train]])) >= ranks:
            return rows
    raise ValueError(f"no draw of {MOST_DRAWS} has every rank of {'/'.join(map(str, names))} in {n_train} rows")


def save_splits(path, splits):
    """Write the splits as one .npz, whole or not at all."""
    write_arrays(path, **vars(splits))


def load_splits(path):
    """Read the splits that `save_splits` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        return Splits(**arrays)
