"""Violated and swapped pairs of scores, counted or weighted, in O(n log n) for any number of ranks."""

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.compiled import njit
from rankmargin.oracles.all_pairs import AllPairs
from rankmargin.problem.rows.pairs import count_pairs, group_codes


def violations(y: Array, s: Array, margin: float = 0.5, groups: Array | None = None) -> Array:
    """Count the violated pairs of scores, in O(n log n) for any number of ranks.

    The result is the most violated labelling of all pairs. The sums of ``rankmargin.oracles.all_pairs`` replace the
    loops over classes of Algorithm 2. With ``groups``, each group is a problem of its own.

    Parameters
    ----------
    y : (n,) array
        The true order.
    s : (n,) array
        Scores.
    margin : float
        A pair with y_i > y_j is violated if s_i - margin < s_j; the paper has 1/2.
    groups : (n,) array or None
        Pairs are formed only inside a group.

    Returns
    -------
    (2, n) array of integers
        For each i the number of j below it (y_j < y_i) that form a violated pair with it, and for each j the number of
        such i above it.

    References
    ----------
    Díez, del Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript,
    posted in 2014), eq. 20 and Algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.oracles.swapped_pairs import violations
    >>> above, below = violations(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.25, 1.0]))
    >>> above, below  # the pair of the targets 1 and 2 lacks 1/4 of its margin
    (array([0, 1, 0]), array([1, 0, 0]))
    """
    pairs = AllPairs(y, groups)
    in_order = pairs.sort(np.asarray(s, dtype=np.float64))
    found, counts = np.empty((2, pairs.n), dtype=np.int64), np.ones((pairs.n, 1))
    found[:, in_order.order] = pairs.sums(in_order, pairs.cuts(in_order, margin)[None], counts)[:, 0, :, 0]
    return found


def count_swapped(y: Array, s: Array, groups: Array | None = None) -> tuple[int, int]:
    """Return the number of pairs with y_i > y_j and s_i <= s_j, and the number of pairs with y_i > y_j.

    Parameters
    ----------
    y : (n,) array
        The true order.
    s : (n,) array
        Scores.
    groups : (n,) array of integers or None
        Pairs are counted only inside a group.

    Returns
    -------
    swapped, pairs : int

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.oracles.swapped_pairs import count_swapped
    >>> count_swapped(np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.3, 0.2]))
    (1, 3)
    """
    place = np.unique(s, return_inverse=True)[1].astype(np.float64)  # integers: only ties are closer than 1/2
    above, _ = violations(y, place, 0.5, groups)
    return int(above.sum()), count_pairs(y, groups)


def weigh_swapped(
    y: Array, s: Array, groups: ArrayLike | None, weight: Array, lower: Array | None = None
) -> tuple[float, float]:
    """Return the weight of the pairs with y_i > y_j and s_i <= s_j, and that of all pairs with y_i > y_j.

    The weight of a pair is weight_i lower_j.

    Parameters
    ----------
    y, s : (n,) arrays
    groups : (n,) int array or None, pairs are compared only inside a group
    weight : (n,) float array >= 0
    lower : (n,) float array >= 0, what a row brings as the lower one of a pair; its weight if it is None
    """
    groups, lower = group_codes(groups, len(y)), weight if lower is None else lower
    rank = np.unique(y, return_inverse=True)[1]
    order = np.lexsort((rank, -s, groups))  # from the highest score down; the lowest y first among equal scores
    starts = np.append(0, np.cumsum(np.bincount(groups)))
    swapped = _sweep(rank[order], weight[order], lower[order], starts, int(rank.max()) + 1)
    return swapped, count_pairs(y, groups, weight, lower)


@njit
def _sweep(rank, weight, lower, starts, n_ranks):
    """Return the sum, over all rows, of a row's weight times what the rows of lower rank before it bring."""
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
                tree[k] += lower[i]
                k += k & -k
    return total
