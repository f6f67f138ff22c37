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
    n = len(y)
    group = np.zeros(n, dtype=np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
    order = np.lexsort((y, group))
    # 1. in this order the rows of a group, and those of the same y in it, are ranges
    first, last = _ranges(group[order])
    tied, untied = _ranges(np.unique(np.column_stack([group, y]), axis=0, return_inverse=True)[1].ravel()[order])
    candidates = (last - first) - (untied - tied)
    # 2. draws of the numbers 0..candidates - 1 without replacement: those of each round avoid those before
    rounds = min(n_partners, int(candidates.max()))
    drawn = np.full((n, rounds), -1)
    for k in range(rounds):
        again = np.flatnonzero(candidates > k)
        while len(again):
            if 2 * k >= candidates[again].min():  # few are left: a permutation takes what is there
                few = again[2 * k >= candidates[again]]
                for i in few:
                    drawn[i, k] = rng.choice(np.setdiff1d(np.arange(candidates[i]), drawn[i, :k]))
                again = again[2 * k < candidates[again]]
                continue
            drawn[again, k] = rng.integers(candidates[again])
            again = again[np.any(drawn[again, :k] == drawn[again, k, None], axis=1)]
    # 3. a candidate's place skips the range of the same y
    at, k = np.nonzero(drawn >= 0)
    place = first[at] + drawn[at, k]
    place += np.where(place >= tied[at], (untied - tied)[at], 0)
    i, j = order[at], order[place]
    up = y[i] > y[j]
    return Rows.build(n, plus=np.where(up, i, j), minus=np.where(up, j, i), margin=margin)


def _ranges(sorted_labels):
    """Return for each row the first place of its label and the place after the last, both (n,)."""
    starts = np.flatnonzero(np.append(True, sorted_labels[1:] != sorted_labels[:-1]))
    sizes = np.diff(np.append(starts, len(sorted_labels)))
    return np.repeat(starts, sizes), np.repeat(starts + sizes, sizes)
