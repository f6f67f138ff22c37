"""The argmax of Diez et al.: as printed in O(n log n + n r), and in O(n log n) for any number of ranks r."""

import numpy as np

from rankmargin.annotations import Array
from rankmargin.compiled import njit
from rankmargin.oracles.all_pairs import AllPairs, count_pairs
from rankmargin.oracles.violations import Violations, violations_from_counts


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
    return violations_from_counts(above, below, s, margin)


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


def algorithm_2(rank, s):
    """Algorithm 2 of the paper as printed: c'_i and d'_i of eq. 13 for ranks 1..r, in O(n log n + n r).

    The text says "sort" without a direction. The sums are right (Lemma 1) only if V is sorted in *descending* order. If
    a v+ and a v- are equal, v+ comes first, which makes the pair +1; at the margin both choices have the same loss.

    Parameters
    ----------
    rank : (n,) int array with values 1..r
    s : (n,) scores w.x_i

    Returns
    -------
    c, d : (n,) int64 arrays, c'_i = sum_{j: y_i > y_j} y'_ij and d'_i = sum_{j: y_i < y_j} y'_ji
    """
    rank = np.asarray(rank, dtype=np.int64)
    v = np.concatenate([-0.25 + s, 0.25 + s])
    order = np.lexsort((np.repeat([0, 1], len(s)), -v))
    return _algorithm_2(rank, order, int(rank.max()))


def _count(pairs, s, margin):
    """Return for each row how many rows of lower rank, and of higher rank, form a violated pair with it: (2, n)."""
    at = pairs.sort(s)
    found = np.empty((2, pairs.n), dtype=np.int64)
    found[:, at.order] = pairs.sums(at, pairs.cuts(at, margin)[None], np.ones((pairs.n, 1)))[:, 0, :, 0]
    return found


@njit(cache=True)
def _algorithm_2(rank, order, r):
    n = rank.size
    size = np.zeros(r + 2, dtype=np.int64)
    for i in range(n):
        size[rank[i]] += 1
    seen_negative = np.zeros(r + 1, dtype=np.int64)
    n_lower, n_higher = np.zeros(r + 1, dtype=np.int64), np.zeros(r + 1, dtype=np.int64)
    for k in range(1, r + 1):
        n_lower[k] = size[1:k].sum()
        n_higher[k] = size[k + 1 :].sum()
    unseen_positive = n_higher.copy()
    c, d = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for v in order:
        i = v % n
        if v < n:
            if rank[i] > 1:
                c[i] = n_lower[rank[i]] - 2 * seen_negative[rank[i]]
                for k in range(1, rank[i]):
                    unseen_positive[k] -= 1
        elif rank[i] < r:
            d[i] = n_higher[rank[i]] - 2 * unseen_positive[rank[i]]
            for k in range(rank[i] + 1, r + 1):
                seen_negative[k] += 1
    return c, d
