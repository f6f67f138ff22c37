"""Columns that hold the target itself: whatever is learned from them, the answer is about nothing."""

import numpy as np
import pandas as pd

from .cells import listed, quoted

AGREEMENT = 0.98  # of two orders, from -1 (the reverse) to 1
PAIRS = 20_000  # of rows that are looked at, drawn at random
FEWEST = 10  # rows with another than the most frequent target: fewer may agree with a column by chance
FEWEST_PAIRS = 100


def leaks_of(frame, names, target, groups=""):
    """Return the columns that order nearly all rows as the target does, or in reverse.

    Parameters
    ----------
    frame : DataFrame
    names : sequence of str
        Columns of numbers.
    target : str
        Column of numbers.
    groups : str
        Column; only rows of one group are compared. ``""`` without groups.

    Returns
    -------
    list of str
    """
    y = frame[target].to_numpy(float)
    if (y != pd.Series(y).mode().iloc[0]).sum() < FEWEST:
        return []
    first, second = _pairs(pd.factorize(frame[groups])[0] if groups else np.zeros(len(y), dtype=int))
    different = y[first] != y[second]
    first, second = first[different], second[different]
    order = np.sign(y[first] - y[second])
    return [name for name in names if abs(_agreement(frame[name].to_numpy(float), first, second, order)) >= AGREEMENT]


def note_of_leaks(names):
    """Yield the note about such columns."""
    if names:
        order = "orders the rows" if len(names) == 1 else "order the rows"
        drop = names[0] if len(names) == 1 and " " not in names[0] else quoted(names)
        what = "if it is a copy of it" if len(names) == 1 else "if they are copies of it"
        yield f"{listed(names)} {order} as the target does, or in reverse: {what} or made from it, --drop={drop}"


def _pairs(codes):
    """Return two arrays of rows: each row with random rows of the same group, `PAIRS` in all."""
    n, rng = len(codes), np.random.default_rng(0)
    by_group, sizes = np.argsort(codes, kind="stable"), np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    first = rng.permutation(np.tile(np.arange(n), -(-PAIRS // n)))[:PAIRS]
    at = starts[codes[first]] + (rng.random(len(first)) * sizes[codes[first]]).astype(int)
    return first, by_group[at]


def _agreement(x, first, second, order):
    """Return Kendall's tau-b of a column on pairs with different targets; for a target of two values 2 AUC - 1."""
    agree = np.sign(x[first] - x[second]) * order
    agree = agree[~np.isnan(agree)]
    decided = np.count_nonzero(agree)
    return agree.sum() / np.sqrt(decided * len(agree)) if decided >= FEWEST_PAIRS else 0.0
