"""Swapped pairs of rows with weights; the weight of a pair is the product of the weights of its rows."""

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array
from rankmargin.compiled import njit
from rankmargin.oracles.all_pairs import count_pairs
from rankmargin.rows.groups import group_codes


def weigh_swapped(y: Array, s: Array, groups: ArrayLike | None, sample_weight: ArrayLike | None) -> tuple[float, float]:
    """Return the weight of the pairs with y_i > y_j and s_i <= s_j, and that of all pairs with y_i > y_j.

    Parameters
    ----------
    y, s : (n,) arrays
    groups : (n,) int array or None, pairs are compared only inside a group
    sample_weight : (n,) array >= 0
    """
    groups = group_codes(groups, len(y))
    rank = np.unique(y, return_inverse=True)[1]
    weight = np.asarray(sample_weight, dtype=np.float64)
    order = np.lexsort((rank, -s, groups))  # from the highest score down; the lowest y first among equal scores
    starts = np.append(0, np.cumsum(np.bincount(groups)))
    return _sweep(rank[order], weight[order], starts, int(rank.max()) + 1), count_pairs(y, groups, weight)


@njit(cache=True)
def _sweep(rank, weight, starts, n_ranks):
    """Return the sum, over all rows, of a row's weight times the weight of the rows of lower rank before it."""
    total = 0.0
    for g in range(starts.size - 1):
        tree = np.zeros(n_ranks + 1)
        for i in range(starts[g], starts[g + 1]):
            below, k = 0.0, rank[i]
            while k > 0:
                below += tree[k]
                k -= k & -k
            total += weight[i] * below
            k = rank[i] + 1
            while k <= n_ranks:
                tree[k] += weight[i]
                k += k & -k
    return total
