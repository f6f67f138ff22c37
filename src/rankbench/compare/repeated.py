"""Rows that occur twice: if one is learned from and the other is judged, memory looks like skill."""

import numpy as np
import pandas as pd

LARGEST = 0.1  # of the rows may have the same inputs; if more have, inputs are few values that have to recur


def blocks_of(X, y, *, groups=None, items=1):
    """Return what no hold-out may cut, and what a user has to know of it.

    Rows with the same inputs are in one block, whatever their targets are: if only rows with the same target were, a
    method would learn all other targets of these inputs, and never the one on which it is judged. With groups, the
    groups are the blocks.

    Parameters
    ----------
    X : (n, items * d) float64
        Missing numbers are nan.
    y : (n,) float64
    groups : (n,) float64 or None
    items : {1, 2}
        Number of items in a row. Two rows with the same two items, in either order, have the same inputs.

    Returns
    -------
    blocks : (n,) float64
    notes : list of str
    """
    n = len(X)
    inputs = _codes(_ordered(X) if items == 2 else X)
    if groups is not None:
        targets = np.abs(y) if items == 2 else y  # of the same two items in the other order it has the other sign
        whole = pd.DataFrame({"row": _codes(np.column_stack([inputs, targets])), "group": groups})
        across = int((whole.groupby("row")["group"].transform("nunique") > 1).sum())
        note = (
            f"rows with the inputs and the target of a row in another group: {across:,} of {n:,}; they may be in both"
        )
        return groups, [f"{note} parts of a hold-out"] if across else []
    again = pd.Series(inputs).duplicated()
    if not again.any():
        return inputs.astype(float), []
    same = int(pd.DataFrame({"x": inputs, "y": np.abs(y) if items == 2 else y}).duplicated().sum())
    note = f"rows with the inputs of an earlier row: {again.sum():,} of {n:,} ({same:,} of them with its target too)"
    most = int(np.bincount(inputs).max())
    if most > LARGEST * n:
        return np.arange(float(n)), [
            f"{note}; {most:,} rows have the same inputs, so that equal rows are in both parts of a hold-out"
        ]
    return inputs.astype(float), [f"{note}; rows with the same inputs are in the same part of each hold-out"]


def _codes(X):
    """Return a code 0, 1, ... of each row, shape (n,): the same for equal rows."""
    rows = pd.util.hash_pandas_object(pd.DataFrame(X + 0.0), index=False)  # + 0.0: -0 is 0
    return pd.factorize(rows)[0]


def _ordered(X):
    """Return pairs of items (n, 2 d) with the smaller item first, by the first attribute in which they differ."""
    first, second = np.hsplit(X, 2)
    at = np.argmax(first != second, axis=1)[:, None]
    swap = np.take_along_axis(first, at, 1) > np.take_along_axis(second, at, 1)
    return np.where(swap, np.hstack([second, first]), X)
