"""Violated and swapped pairs of scores, counted or weighted, in O(n log n) for any number of ranks."""

from typing import NamedTuple

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.compiled import njit
from rankmargin.oracles.all_pairs import AllPairs
from rankmargin.problem.rows.pairs import count_pairs, group_codes


class Violations(NamedTuple):
    """Counts of violated pairs. A pair exactly on the margin is not violated.

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


def violations(y: Array, s: Array, margin: float = 0.5, groups: Array | None = None) -> Violations:
    """Count the violated pairs of scores and compute their loss, in O(n log n) for any number of ranks.

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
    Violations

    References
    ----------
    Díez, del Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript,
    posted in 2014), eq. 20 and Algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.oracles.swapped_pairs import violations
    >>> answer = violations(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.25, 1.0]))
    >>> answer.count, answer.loss  # the pair of the targets 1 and 2 lacks 1/4 of its margin
    (1, 0.25)
    """
    above, below = _count(AllPairs(y, groups), np.asarray(s, dtype=np.float64), margin)
    count = int(above.sum())
    loss = margin * count - float(s @ (above - below))  # eq. 15-19
    return Violations(above, below, max(loss, 0.0), count)


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
    above, _ = _count(AllPairs(y, groups), place, 0.5)
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


def _count(pairs, s, margin):
    """Return for each row how many rows of lower rank, and of higher rank, form a violated pair with it: (2, n)."""
    in_order = pairs.sort(s)
    found = np.empty((2, pairs.n), dtype=np.int64)
    found[:, in_order.order] = pairs.sums(in_order, pairs.cuts(in_order, margin)[None], np.ones((pairs.n, 1)))[
        :, 0, :, 0
    ]
    return found


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
