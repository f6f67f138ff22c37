"""The argmax of Diez et al. in O(n log n + n r) as printed, and in O(n log n) whatever the number of ranks r."""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.oracles import violations_from_counts


def violations(y, s, margin=0.5, groups=None):
    """Return the violated pairs of scores and what they cost, in O(n log n) for any number of ranks.

    It is the most violated labelling of all pairs. A Fenwick tree over the ranks replaces the loops over classes of
    Algorithm 2. With ``groups``, each group is a problem of its own.

    Parameters
    ----------
    y : (n,) array
        The true order.
    s : (n,) array
        Scores.
    margin : float
        A pair with y_i > y_j is violated when s_i - margin < s_j; 1/2 in the paper.
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
    >>> answer.count, answer.loss  # the pair of 1 and 2 is a quarter short of its margin
    (1, 0.25)
    """
    above, below = _count(y, s, margin, groups, False)
    return violations_from_counts(above, below, s, margin)


def count_swapped(y, s, groups=None):
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
    above, _ = _count(y, s, 0.0, groups, True)
    return int(above.sum()), count_pairs(y, groups)


def count_pairs(y, groups=None):
    """Return the number of pairs with y_i > y_j in the same group (eq. 10)."""
    groups = np.zeros(len(y), dtype=np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
    ranks = np.unique(y, return_inverse=True)[1]
    tied = np.unique(groups * len(y) + ranks, return_counts=True)[1].tolist()
    sizes = np.bincount(groups).tolist()
    return int(sum(m * (m - 1) // 2 for m in sizes) - sum(t * (t - 1) // 2 for t in tied))


def algorithm_2(rank, s):
    """Algorithm 2 of the paper as printed: c'_i and d'_i of eq. 13 for ranks 1..r, in O(n log n + n r).

    The text says "sort" without a direction; the sums come out right (Lemma 1) only when V is sorted in *descending*
    order. A v+ equal to a v- is taken first, which makes the pair +1: at the margin it costs nothing either way.

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


def _count(y, s, margin, groups, ties):
    if groups is None:
        by_score, by_y, starts = np.argsort(s), np.argsort(y), np.array([0, len(y)])
    else:
        by_score, by_y = np.lexsort((s, groups)), np.lexsort((y, groups))
        starts = np.append(0, np.cumsum(np.unique(groups, return_counts=True)[1]))
    rank = _dense_ranks(y, by_y, starts)
    above, below = np.empty((2, len(y)), dtype=np.int64)
    _count_groups(rank[by_score], s[by_score].astype(np.float64), starts, margin, ties, above, below)
    unsorted = np.empty((2, len(y)), dtype=np.int64)
    unsorted[:, by_score] = above, below
    return unsorted


def _dense_ranks(y, order, starts):
    """Return 0-based ranks of y, equal values alike, starting anew in each group."""
    sorted_y = y[order]
    new = np.empty(len(y), dtype=np.int32)
    new[0] = 0
    new[1:] = sorted_y[1:] != sorted_y[:-1]
    new[starts[:-1]] = 0
    steps = np.cumsum(new, dtype=np.int32)
    first = steps[starts[:-1]]
    rank = np.empty(len(y), dtype=np.int32)
    rank[order] = steps - np.repeat(first, np.diff(starts))
    return rank


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


@njit(cache=True)
def _tree_add(tree, k):
    k += 1
    while k < tree.size:
        tree[k] += 1
        k += k & -k


@njit(cache=True)
def _tree_sum(tree, k):
    """Return how many of the ranks below k were added."""
    total = 0
    while k > 0:
        total += tree[k]
        k -= k & -k
    return total


@njit(cache=True)
def _count_groups(rank, s, starts, margin, ties, above, below):
    """Sweep each group twice along its sorted scores (all arrays in that order): from the top for ``above``, the
    bottom for ``below``."""
    for g in range(starts.size - 1):
        first, end = starts[g], starts[g + 1]
        tree = np.zeros(rank[first:end].max() + 2, dtype=np.int32)
        reach = end - 1
        for i in range(end - 1, first - 1, -1):
            while reach >= first and _is_short(s[i], s[reach], margin, ties):
                _tree_add(tree, rank[reach])
                reach -= 1
            above[i] = _tree_sum(tree, rank[i])
        tree[:] = 0
        reach = first
        for j in range(first, end):
            while reach < end and _is_short(s[reach], s[j], margin, ties):
                _tree_add(tree, rank[reach])
                reach += 1
            below[j] = reach - first - _tree_sum(tree, rank[j] + 1)


@njit(cache=True)
def _is_short(upper, lower, margin, ties):
    return upper - margin < lower or (ties and upper - margin == lower)
