"""Pair rows s_i - s_j >= margin for y_i > y_j (Diez et al. eq. 3; Herbrich et al.; Joachims)."""

import numpy as np

from rankmargin.rows import Rows


def check_pairs(y, groups=None):
    """Refuse targets from which no pair can be learned.

    Raises
    ------
    ValueError
        When y holds one distinct value, or no group holds two.
    """
    if len(y) == 0 or np.all(y == y[0]):
        raise ValueError(
            "y must hold at least two distinct values (no pair to learn from), got one distinct value or 1 class"
        )
    if groups is not None:
        order = np.lexsort((y, groups))
        same = groups[order][1:] == groups[order][:-1]
        if not np.any(same & (y[order][1:] != y[order][:-1])):
            raise ValueError(
                "groups must hold at least one group with two distinct values of y, got none (no pair to learn from)"
            )


def pair_indices(y, groups=None):
    """Return every (i, j) with y_i > y_j in the same group, sorted by i then j: two int32 arrays of shape (N,)."""
    check_pairs(y, groups)
    if groups is None:
        i, j = np.nonzero(y[:, None] > y[None, :])
        return i.astype(np.int32), j.astype(np.int32)
    above, below = [], []
    for group in np.unique(groups):
        members = np.flatnonzero(groups == group)
        i, j = np.nonzero(y[members][:, None] > y[members][None, :])
        above.append(members[i])
        below.append(members[j])
    above, below = np.concatenate(above), np.concatenate(below)
    order = np.lexsort((below, above))
    return above[order].astype(np.int32), below[order].astype(np.int32)


def all_pairs(y, groups=None, margin=1.0, cost=1.0):
    """Return a row for every comparable pair (eq. 3).

    Parameters
    ----------
    y : (n,) array
    groups : (n,) array or None
        Pairs are formed only inside a group: the partial order of the introduction of Diez et al., the query id of
        SVMrank.
    """
    i, j = pair_indices(y, groups)
    return Rows.build(len(y), plus=i, minus=j, margin=margin, cost=cost)


def random_partners(y, n_partners, rng, groups=None, margin=1.0):
    """Pair each example with ``n_partners`` random ones of another rank (Diez et al., section 4, "Herbrich_5").

    Partners are drawn without replacement among the examples of the same group with another y; an example with fewer
    such
    partners takes them all. A pair drawn from both of its ends is kept twice, as two rows.
    """
    check_pairs(y, groups)
    above, below = [], []
    for i in range(len(y)):
        candidates = np.flatnonzero(y != y[i] if groups is None else (y != y[i]) & (groups == groups[i]))
        for j in rng.choice(candidates, size=min(n_partners, len(candidates)), replace=False):
            above.append(i if y[i] > y[j] else j)
            below.append(j if y[i] > y[j] else i)
    return Rows.build(len(y), plus=above, minus=below, margin=margin)
