"""Hold-outs of a table with groups: no group has rows in both parts or in two folds."""

import numpy as np

from .split import Split, seed_of


def draw(table, *, seed, names, n_train, n_test, n_folds):
    """Draw a hold-out and its folds, group by group.

    The groups are put in random order. The first rows in that order are for training, and the test part begins with the
    next group. From the last group of each part, only as many rows are used as fit its size. For one seed, a smaller
    training part is the beginning of a larger one.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
        Only its ``groups`` are used.
    seed, names : see `rankbench.experiments.draw.draw`
    n_train : int
        Number of rows of the training part.
    n_test : int or "rest"
        Largest number of rows of the test part; there are fewer if the remaining groups have fewer.
    n_folds : int
        Number of folds of the training part; each group goes to the fold that has the fewest rows at that time.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        If the table has no groups, or too few groups for the sizes or folds.
    """
    where = "/".join(names)
    if table.groups is None:
        raise ValueError(f"split: groups needs a table with groups, {where} has none")
    rng = np.random.default_rng(seed_of(*names, seed, "hold-out"))
    place = rng.permutation(int(table.groups.max()) + 1)[table.groups.astype(int)]
    rows = rng.permutation(len(place))
    rows = rows[np.argsort(place[rows], kind="stable")]
    train = rows[:n_train]
    later = rows[place[rows] > place[train[-1]]]
    test = later if n_test == "rest" else later[:n_test]
    if len(train) < n_train or len(test) < 2:
        raise ValueError(
            f"n_train must leave whole groups of {where} for the test part, got {n_train} of {len(rows)} rows"
        )
    return Split.build(seed, train, test, train, _folds(place[train], n_folds, where)[None])


def _folds(groups, n_folds, where):
    """Return the fold of each row, shape (n,): the largest groups first, each into the fold with the fewest rows."""
    names, sizes = np.unique(groups, return_counts=True)
    if len(names) < n_folds:
        raise ValueError(f"folds must be <= the {len(names)} groups in the training part of {where}, got {n_folds}")
    fold_of, filled = np.empty(len(names), dtype=int), np.zeros(n_folds, dtype=int)
    for at in np.argsort(-sizes, kind="stable"):
        fold_of[at] = np.argmin(filled)
        filled[fold_of[at]] += sizes[at]
    return fold_of[np.searchsorted(names, groups)]
