"""Hold-outs: a random training part and test part of a table, and folds of the training part."""

import numpy as np

from .split import Split, fold_numbers, seed_of

MOST_DRAWS = 100_000


def draw(table, *, seed, names, n_train, n_test, n_folds, every_rank=False, n_pool=0, disjoint_training=False):
    """Draw a hold-out and its folds.

    They do not depend on the condition: for one seed, a smaller training part is the beginning of a larger one. This
    need not be true with `every_rank`: the beginning of a part that has every rank may lack one, and is drawn again.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
        Only its targets ``y`` are used.
    seed, names : see `rankbench.experiments.draw.draw`
    n_train : int
        Number of rows of the training part.
    n_test : int or "rest"
        Number of rows of the test part; with an int, rows in neither part are left out.
    n_folds : int
        Number of folds of the training part; their sizes differ by at most one.
    every_rank : bool
        Whether to draw again until the training part contains every distinct value of y.
    n_pool : int or "rest"
        Number of rows of the pool, which comes after the test part.
    disjoint_training : bool
        Whether no row may be in the training parts of two seeds. These parts are then cut one after the other from one
        permutation of the table, and the other parts are drawn from all rows outside the training part of the seed.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        If the sizes do not fit the table.
    """
    n_rows = len(table.y)
    n_test = n_rows - n_train - n_pool if n_test == "rest" else n_test
    n_pool = max(n_rows - n_train - n_test, 0) if n_pool == "rest" else n_pool
    if n_train + n_test + n_pool > n_rows or n_test < 2:
        where, sizes = "/".join(names), f"{n_train} + {n_test} + {n_pool}"
        raise ValueError(f"n_train + n_test + n_pool must be <= the {n_rows} rows of {where}, got {sizes}")
    folds = fold_numbers(n_train, n_folds, names, seed)
    if disjoint_training:
        rows = _disjoint(n_rows, n_train, names, seed)
    else:
        rows = _permutation(table.y, n_train, (*names, seed), every_rank)
    train, test, pool, _ = np.split(rows, np.cumsum([n_train, n_test, n_pool]))
    return Split.build(seed, train, test, train, folds, pool)


def _disjoint(n_rows, n_train, names, seed):
    """Return the rows in random order; the first ``n_train`` are in the training part of no other seed."""
    order = np.random.default_rng(seed_of(*names, "disjoint training")).permutation(n_rows)
    start, end = seed * n_train, (seed + 1) * n_train
    if end > n_rows:
        raise ValueError(f"seed {seed} of {'/'.join(names)} needs rows up to {end} to learn from, got {n_rows}")
    others = np.random.default_rng(seed_of(*names, seed, "hold-out")).permutation(np.delete(order, range(start, end)))
    return np.concatenate([order[start:end], others])


def _permutation(y, n_train, names, every_rank):
    """Return the rows in random order; the first ``n_train`` contain every value of y if `every_rank` is set."""
    rng = np.random.default_rng(seed_of(*names, "hold-out"))
    ranks = len(np.unique(y)) if every_rank else 0
    for _ in range(MOST_DRAWS):
        rows = rng.permutation(len(y))
        if len(np.unique(y[rows[:n_train]])) >= ranks:
            return rows
    raise ValueError(f"no draw of {MOST_DRAWS} has every rank of {'/'.join(map(str, names))} in {n_train} rows")
