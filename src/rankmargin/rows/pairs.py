"""Pair rows s_i - s_j >= margin for y_i > y_j (Diez et al. eq. 3; Herbrich et al.; Joachims).

Pairs are formed only inside a group. The rows of one group with the same target are a *cell*: they form no pair with
each other.
"""

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array
from rankmargin.rows.rows import Rows

MOST_LISTED_PAIRS = 20_000_000


class NoPairError(ValueError):
    """No comparable pair: y is constant (in every group), or all weights are zero.

    A fold of a cross-validation may be like that, so callers can tell this from other errors.
    """


def group_codes(groups: ArrayLike | None, n: int) -> Array:
    """Return the code 0, 1, ... of the group of each row, shape (n,); all are 0 if there are no groups."""
    return np.zeros(n, dtype=np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]


def groups_and_cells(y: Array, groups: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the code of the group and of the cell of each row, two arrays (n,); cells are ordered by group, then by
    target."""
    group, rank = group_codes(groups, len(y)), np.unique(y, return_inverse=True)[1]
    return group, rank if groups is None else np.unique(group * len(y) + rank, return_inverse=True)[1]


def members(codes: Array) -> list[Array]:
    """Return the row numbers of each group, in ascending order."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])


def check_pairs(y, groups=None):
    """Refuse targets from which no pair can be learned.

    Raises
    ------
    ValueError
        If y has only one distinct value, or no group has two.
    """
    if len(y) == 0 or np.all(y == y[0]):
        raise NoPairError(
            "y must hold at least two distinct values (no pair to learn from), got one distinct value or 1 class"
        )
    if groups is not None:
        order = np.lexsort((y, groups))
        same = groups[order][1:] == groups[order][:-1]
        if not np.any(same & (y[order][1:] != y[order][:-1])):
            raise NoPairError(
                "groups must hold at least one group with two distinct values of y, got none (no pair to learn from)"
            )


def count_pairs(y, groups=None, weight=None, lower=None):
    """Return the number of pairs with y_i > y_j in the same group (Diez et al. eq. 10); with weights, the sum of
    weight_i lower_j, where ``lower`` is ``weight`` if it is None."""
    groups, cells = groups_and_cells(y, groups)
    if weight is None:
        tied, sizes = np.bincount(cells).tolist(), np.bincount(groups).tolist()
        return (sum(m * m for m in sizes) - sum(t * t for t in tied)) // 2
    of_cell = np.empty(cells.max() + 1, dtype=np.int64)
    of_cell[cells] = groups
    up_to = np.cumsum(np.bincount(cells, weight))  # cells stand in the order of their groups and targets
    of_group = up_to[np.searchsorted(of_cell, of_cell, side="right") - 1]
    return float(np.bincount(cells, weight if lower is None else lower) @ (of_group - up_to))


def check_listed(y, groups=None):
    """Refuse weights of single pairs if there are too many pairs to list."""
    n_pairs = count_pairs(y, groups)
    if n_pairs > MOST_LISTED_PAIRS:
        raise ValueError(
            f"pair_weight needs a list of all pairs, of at most {MOST_LISTED_PAIRS:,}, got {n_pairs:,}: "
            "PairwiseRankSVM(n_partners=5) lists a few pairs for each row"
        )


def pair_indices(y, groups=None):
    """Return every (i, j) with y_i > y_j in the same group, sorted by i then j: two int32 arrays of shape (N,)."""
    check_pairs(y, groups)
    if groups is None:
        i, j = np.nonzero(y[:, None] > y[None, :])
        return i.astype(np.int32), j.astype(np.int32)
    above, below = [], []
    for rows in members(group_codes(groups, len(y))):
        i, j = np.nonzero(y[rows][:, None] > y[rows][None, :])
        above.append(rows[i])
        below.append(rows[j])
    above, below = np.concatenate(above), np.concatenate(below)
    order = np.lexsort((below, above))
    return above[order].astype(np.int32), below[order].astype(np.int32)


def all_pairs(y, groups=None, margin=1.0, cost=1.0):
    """Return one row for every comparable pair (eq. 3).

    Parameters
    ----------
    y : (n,) array
    groups : (n,) array or None
        Pairs are formed only inside a group. This is the partial order in the introduction of Diez et al., and the
        query id of SVMrank.
    """
    i, j = pair_indices(y, groups)
    return Rows.build(len(y), plus=i, minus=j, margin=margin, cost=cost)


def random_partners(y, n_partners, rng, groups=None, margin=1.0):
    """Pair each example with ``n_partners`` random ones of another rank (Diez et al., section 4, "Herbrich_5").

    Partners are drawn without replacement from the examples of the same group with another y. An example that has fewer
    such partners takes them all. A pair that is drawn from both of its ends is kept as two rows.
    """
    check_pairs(y, groups)
    n = len(y)
    group, cell = groups_and_cells(y, groups)
    in_group, in_cell = np.bincount(group), np.bincount(cell)
    candidates = in_group[group] - in_cell[cell]
    # 1. numbers of candidates, counted in the order of the rows
    drawn = [rng.choice(m, size=min(n_partners, m), replace=False) for m in candidates.tolist()]
    i, k = np.repeat(np.arange(n), np.minimum(candidates, n_partners)), np.concatenate(drawn)
    # 2. candidate k of a row is row k of its group after the rows of its own cell are left out
    by_group, by_cell = np.argsort(group, kind="stable"), np.argsort(cell, kind="stable")
    start, place = np.cumsum(in_group) - in_group, np.empty(n, dtype=np.int64)
    place[by_group] = np.arange(n) - np.repeat(start, in_group)
    first = np.cumsum(in_cell) - in_cell
    before = place[by_cell] - (np.arange(n) - np.repeat(first, in_cell))  # candidates before each row of a cell
    cells = np.repeat(np.arange(len(in_cell)), in_cell)
    skipped = np.searchsorted(cells * (n + 1) + before, cell[i] * (n + 1) + k, side="right") - first[cell[i]]
    j = by_group[start[group[i]] + k + skipped]
    up = y[i] > y[j]
    return Rows.build(n, plus=np.where(up, i, j), minus=np.where(up, j, i), margin=margin)
