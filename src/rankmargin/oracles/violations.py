"""Violated pairs: what the oracles of the hinge return.

Every oracle of all pairs takes ``y`` and scores ``s`` of shape (n,), a ``margin`` and optional ``groups``, and returns
:class:`Violations`.  A pair (i, j) with y_i > y_j is *violated* if ``s_i - margin < s_j``; a pair exactly on the
margin is not violated.
"""

from typing import NamedTuple

import numpy as np


class Violations(NamedTuple):
    """Counts of violated pairs.

    Attributes
    ----------
    above : (n,) int64, for each i the number of j below it (y_j < y_i) that form a violated pair with it
    below : (n,) int64, for each j the number of i above it that form a violated pair with it
    loss : float, sum of max(0, margin - (s_i - s_j)) over all pairs
    count : int, number of violated pairs
    """

    above: np.ndarray
    below: np.ndarray
    loss: float
    count: int  # type: ignore[assignment]


def violations_from_counts(above, below, s, margin):
    """Return the Violations of two count vectors (n,), from which the loss follows (Diez et al. eq. 15-19)."""
    count = int(above.sum())
    loss = margin * count - float(s @ (above - below))
    return Violations(above, below, max(loss, 0.0), count)
