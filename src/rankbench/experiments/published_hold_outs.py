"""Hold-outs that were published with a data set; only folds are drawn."""

import numpy as np

from .split import Split, fold_numbers


def draw(table, *, seed, names, n_folds=None, shares=None, first_periods=None):
    """Take a published hold-out, for seed k the k-th, and cut its training part.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
    seed, names : as `rankbench.experiments.draw.draw`
    n_folds : int or None
        Folds of the training part.
    shares : sequence of float in (0, 1), instead
        Cut the training part in the order of its rows: each share of it, rounded down, is learned from and the rest
        judged.
    first_periods : int, optional, with `shares`
        Only the rows of that many first periods of the training part choose hyper-parameters.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        When there is no such hold-out, or their sizes differ, or the table has no periods.
    """
    partitions = table.partitions
    where, found = "/".join(names), 0 if partitions is None else len(partitions)
    if seed >= found:
        raise ValueError(f"seeds must be <= the {found} published hold-outs of {where}, got {seed + 1}")
    sizes = np.unique(partitions.sum(axis=1))
    if len(sizes) > 1:
        raise ValueError(f"the published hold-outs of {where} must be of one size, got n_train {sizes.tolist()}")
    train, test = (np.flatnonzero(partitions[seed] == part) for part in (True, False))
    if shares is None:
        return Split.build(seed, train, test, train, fold_numbers(len(train), n_folds, names, seed))
    tuning = _first(train, table.periods, first_periods, where)
    return Split.build(seed, train, test, tuning, _in_order(len(tuning), shares))


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
