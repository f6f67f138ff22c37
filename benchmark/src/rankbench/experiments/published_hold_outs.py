"""Hold-outs that were published with a data set: only the folds of their training parts are drawn."""

import numpy as np

from .split import Split, fold_numbers


def draw(table, *, seed, names, n_folds=None, shares=None, first_periods=None, n_test=None):
    """Return the published hold-out number `seed`, with the inner splits of its training part.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
    seed, names
        As in `rankbench.experiments.draw.draw`.
    n_folds : int or None
        Number of folds of the training part; None with `shares`.
    shares : sequence of float in (0, 1), optional
        Instead of folds, one inner split per share: the method learns from that share of the training part (its first
        rows, rounded down) and is judged on the rest.
    first_periods : int, optional
        With `shares`: only the rows of this many first periods of the training part choose hyper-parameters.
    n_test : int or "rest", optional
        The test part is only so many rows after the last one for training, or all of these.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        When the hold-out does not exist.
    """
    partitions = table.partitions
    where, n_published = "/".join(names), 0 if partitions is None else len(partitions)
    if seed >= n_published:
        raise ValueError(f"seeds must be <= the {n_published} published hold-outs of {where}, got {seed + 1}")
    train, test = (np.flatnonzero(partitions[seed] == part) for part in (True, False))
    if n_test is not None:
        test = test[test > train[-1]][: None if n_test == "rest" else n_test]
    if shares is None:
        return Split.build(seed, train, test, train, fold_numbers(len(train), n_folds, names, seed))
    tuning = _first(train, table.periods, first_periods)
    judges = np.arange(len(tuning)) >= (len(tuning) * np.array(shares)[:, None]).astype(int)
    return Split.build(seed, train, test, tuning, judges - 1)


def _first(rows, periods, n_periods):
    """Return the rows that lie in the first `n_periods` periods of all `rows`; all rows for None."""
    if n_periods is None:
        return rows
    return rows[periods[rows] < np.unique(periods[rows])[:n_periods][-1] + 1]
