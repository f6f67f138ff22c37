"""The O(n^2) definition of violated pairs, with which the fast oracles are compared."""

import numpy as np

from rankmargin.oracles.swapped_pairs import Violations


def violations(y, s, margin=0.5, groups=None):
    """Return the Violations by a look at every pair (Diez et al. eq. 21 with sign(0) = +1): O(n^2) memory and time."""
    comparable = y[:, None] > y[None, :]
    if groups is not None:
        comparable &= groups[:, None] == groups[None, :]
    violated = comparable & (s[:, None] - margin < s[None, :])
    short = np.where(violated, margin - (s[:, None] - s[None, :]), 0.0)
    return Violations(violated.sum(axis=1), violated.sum(axis=0), float(short.sum()), int(violated.sum()))
