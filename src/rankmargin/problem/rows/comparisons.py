"""Rows of labelled pairs (Venuto et al.). An *example* is a pair (x, x'); its score is f(x') - f(x) and its label y
is -1, 0 or 1: 1 says that x' is better, 0 that neither is better.

A kernel over such examples is :meth:`rankmargin.kernels.Kernel.pair_gram`.
"""

from numbers import Real

import numpy as np

from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.problem.rows.rows import Rows

LABELS = (-1, 0, 1)


def compare(differences, threshold=1.0):
    """Return t_threshold(differences) of eq. (4), in the shape of ``differences``: -1, 0 or 1; 0 on the threshold."""
    return (differences > threshold).astype(np.int64) - (differences < -threshold)


def check_comparisons(y, equality=True):
    """Refuse labels from which no comparison can be learned.

    Parameters
    ----------
    y : (n,) array
    equality : bool, whether an equality pair is needed too

    Raises
    ------
    ValueError
        If a label is not -1, 0 or 1, if no pair is unequal, or if no pair is equal although one is needed.
    """
    y = checked_labels(y)
    if not np.any(y != 0):
        raise NoPairError("y must hold at least one label -1 or 1 (an inequality pair), got none (1 class)")
    if equality and not np.any(y == 0):
        raise NoPairError(
            "y must hold at least one label 0 (an equality pair), got none: use RankThreshold, which does not need one"
        )


def check_paired(X):
    """Refuse an array whose rows cannot be pairs of x and x'."""
    if X.shape[1] < 2 or X.shape[1] % 2:
        raise ValueError(f"X must have an even number of columns, x followed by x', got {X.shape[1]} feature(s)")


def checked_labels(y):
    """Return labels as an array (n,), or refuse those that are not -1, 0 or 1."""
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"y must have one dimension, got shape {y.shape}")
    if y.dtype.kind == "O" and all(isinstance(label, Real) for label in y.tolist()):
        y = y.astype(np.float64)
    strange = y[~np.isin(y, LABELS)] if y.dtype.kind in "iuf" else y
    if len(strange):
        raise ValueError(f"y must hold labels -1, 0, 1 only, got {strange.tolist()[0]!r}")
    return y


def flipped(y):
    """Return the flipped data of eq. (8): m = n + |I_0| rows  yt (beta + f(xt') - f(xt)) >= 1  with threshold
    theta = -beta.

    Inequality pairs have yt = 1 and point upwards: the items of a pair with y = -1 are exchanged.  Equality pairs occur
    in both directions and have yt = -1.  An exchanged pair has the opposite score, so the pair is the ``minus`` of its
    row.
    """
    up, down, equal = (np.flatnonzero(y == label) for label in (1, -1, 0))
    none_up, none_down, none_equal = (np.full(len(rows), -1) for rows in (up, down, equal))
    plus = np.concatenate([up, none_down, equal, none_equal])
    return Rows.build(
        len(y),
        1,
        plus=plus,
        minus=np.concatenate([none_up, down, none_equal, equal]),
        threshold=np.zeros(len(plus), dtype=np.int32),
        sign=np.repeat([1, -1], [len(up) + len(down), 2 * len(equal)]),
    )


def inequalities(y):
    """Return the rows of the ranking SVM of eq. (3): y_i (f(x'_i) - f(x_i)) >= 1 for inequality pairs only."""
    pairs = np.flatnonzero(y != 0)
    return Rows.build(len(y), plus=pairs, sign=y[pairs])


def opposed(y):
    """Return the rows of "rank2" (Table 2): each equality pair in both directions, each inequality pair twice.

    A row that occurs twice is one row with cost 2.
    """
    pairs, equal = np.flatnonzero(y != 0), np.flatnonzero(y == 0)
    return Rows.build(
        len(y),
        plus=np.concatenate([pairs, equal, equal]),
        sign=np.concatenate([y[pairs], np.repeat([1, -1], len(equal))]),
        cost=np.repeat([2.0, 1.0], [len(pairs), 2 * len(equal)]),
    )
