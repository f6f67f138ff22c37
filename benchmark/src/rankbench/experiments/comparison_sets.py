"""Training, validation and test sets of labelled pairs, with given numbers of equality and inequality pairs."""

import numpy as np

from rankbench.datasets.r_random import PARTS, RRandom, draw_parts

from .split import Split, seed_of


def draw(table, *, seed, names, equality, inequality, place=None, test=None):
    """Draw disjoint training, validation and test sets; models are learned on the first and judged on the second.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
        Only its labels ``y``, -1, 0 or 1, are used.
    seed, names : see `rankbench.experiments.draw.draw`
    equality, inequality : int
        Number of pairs of each kind in every set.
    place : int or None
        With a number, the sets are those of an R program: seed k uses its seed k + 1. The program draws the sets of
        several data sets from one random stream, and `place` counts the data sets before this one.
    test : dict or None
        ``equality`` and ``inequality`` of the test set, if they differ. Without `place`, the test set of a seed does
        not depend on the sizes of the other sets.

    Returns
    -------
    Split
        The equality pairs come first in every set.

    Raises
    ------
    ValueError
        If the table has too few pairs of a kind, or both `place` and `test` are given.
    """
    y = table.y
    if place is not None and test is not None:
        raise ValueError(f"test must be None with place: the sets of the program are of one size, got {test}")
    test = {"equality": equality, "inequality": inequality} if test is None else test
    kinds = [("equality", np.flatnonzero(y == 0), equality), ("inequality", np.flatnonzero(y != 0), inequality)]
    for kind, rows, size in kinds:
        if 2 * size + test[kind] > len(rows):
            where = "/".join(names)
            raise ValueError(f"{kind} must leave three sets of {where}, got 2 x {size} + {test[kind]} of {len(rows)}")
    if place is not None:
        stream = RRandom(seed + 1)
        stream.uniform(place * len(PARTS) * (equality + inequality))  # the numbers that earlier data sets took
        sets = draw_parts(stream, y, equality, inequality)
    else:
        sets = _fresh_sets(kinds, test, (*names, seed, "sets"))
    folds = np.repeat([-1, 0], equality + inequality)[None]
    return Split.build(seed, sets["train"], sets["test"], np.append(sets["train"], sets["validation"]), folds)


def _fresh_sets(kinds, test, names):
    """Return part -> rows from one permutation of each kind; the test set comes from its end."""
    rng, drawn = np.random.default_rng(seed_of(*names)), []
    for kind, rows, size in kinds:
        order = rng.permutation(rows)
        drawn.append((order[:size], order[size : 2 * size], order[len(order) - test[kind] :]))
    return {part: np.concatenate(sets) for part, sets in zip(PARTS, zip(*drawn, strict=True), strict=True)}
