"""Hold-outs of a table with groups or other blocks: no block has rows in both parts or in two folds."""

import numpy as np

from .split import Split, has_pair, seed_of

MOST_DRAWS = 200


def draw(table, *, seed, names, n_train, n_test, n_folds):
    """Draw a hold-out and its folds, block by block.

    The blocks are put in random order. The first rows in that order are for training, and the test part begins with the
    next block. From the last block of each part, only as many rows are used as fit its size. For one seed, a smaller
    training part is the beginning of a larger one, unless one of them had to be drawn again: a part in which nothing
    can be ordered, or whose folds cannot be judged, is drawn again.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
        Its ``blocks`` stay whole, or its ``groups`` if it has none. Pairs of rows are in one of the ``groups``.
    seed, names : see `rankbench.experiments.draw.draw`
    n_train : int
        Number of rows of the training part.
    n_test : int or "rest"
        Largest number of rows of the test part; there are fewer if the remaining blocks have fewer.
    n_folds : int
        Number of folds of the training part; each block goes to the fold that has the fewest rows at that time.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        If the table has too few blocks for the sizes or folds, or too few different targets.
    """
    where, blocks = "/".join(names), table.groups if table.blocks is None else table.blocks
    rng = np.random.default_rng(seed_of(*names, seed, "hold-out"))
    for _ in range(MOST_DRAWS):
        try:
            split = _drawn(blocks, rng, seed, n_train, n_test, n_folds, where)
        except ValueError as error:
            reason = str(error)
            continue
        if _orderable(table, split):
            return split
        reason = f"n_train = {n_train} of {where}: each part needs two different targets that can be compared"
    raise ValueError(f"{reason} (in {MOST_DRAWS} draws)")


def _drawn(blocks, rng, seed, n_train, n_test, n_folds, where):
    """Return a split of whole blocks."""
    place = rng.permutation(int(blocks.max()) + 1)[blocks.astype(int)]
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


def _orderable(table, split):
    """Return whether there is something to order in both parts, and in both parts of a fold."""

    def ordered(rows):
        return has_pair(table.y[rows], None if table.groups is None else table.groups[rows])

    folds = any(ordered(inside) and ordered(outside) for inside, outside in split.inner)
    return folds and ordered(split.train) and ordered(split.test)


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
