"""Sums over all pairs y_i > y_j of a group in O(n log n), without a list of pairs.

A row i needs the sum of a value over its partners j of lower rank with ``s_i - s_j < far``; a row j needs the same sum
over its partners i of higher rank. In the order of ascending scores, the partners within reach are all rows beyond a
*cut*, so their sum follows from cumulative sums, one for each rank. Ranks are read as octal numbers, with one pass over
the rows per digit: the rows that agree in all earlier digits form a node, and two rows meet in the pass of the first
digit in which they differ. So eight ranks take one pass over the rows, and a million ranks take seven.
"""

from typing import NamedTuple

import numpy as np

from rankmargin.compiled import njit

BITS = 3
DIGITS = 1 << BITS


class Sorted(NamedTuple):
    """Scores in ascending order, group by group.

    Attributes
    ----------
    order : (n,) int64, the row at each place
    s : (n,) float64 and rank : (n,) int32, scores and ranks of y inside the group, in this order
    """

    order: np.ndarray
    s: np.ndarray
    rank: np.ndarray


class AllPairs:
    """All pairs (i, j) with y_i > y_j in the same group.

    Parameters
    ----------
    y : (n,) array
    groups : (n,) array or None
    """

    def __init__(self, y, groups=None):
        y = np.asarray(y)
        self.n = len(y)
        if groups is None:
            self.group, self.starts, by_y = None, np.array([0, self.n]), np.argsort(y)
        else:
            self.group = np.unique(groups, return_inverse=True)[1].astype(np.int64)
            self.starts, by_y = np.append(0, np.cumsum(np.bincount(self.group))), np.lexsort((y, self.group))
        self.rank = _dense_ranks(y, by_y, self.starts)

    def sort(self, s):
        """Return the rows sorted by group and score: Sorted."""
        if np.shape(s) != (self.n,):
            raise ValueError(f"s must have one score for each of {self.n} rows, got shape {np.shape(s)}")
        order = np.argsort(s)
        if self.group is not None:
            order = _by_group(order, self.group, self.starts)
        return Sorted(order, s[order], self.rank[order])

    def cuts(self, in_order, far):
        """Return the cuts of the pairs with s_i - far < s_j, places in the order of ``in_order``: (2, n) int32.

        Row 0 holds for each i the number of j before the first j within reach. Row 1 holds for each j the number of i
        within reach.
        """
        found = np.empty((2, self.n), dtype=np.int32)
        _cuts(in_order.s, self.starts, far, found[0], found[1])
        return found

    def sums(self, in_order, cuts, values):
        """Return for each row the sum of values over its partners within reach.

        Parameters
        ----------
        in_order : Sorted
        cuts : (b, 2, n) int32 array, :meth:`cuts` of b distances
        values : (n, c) array in the order of ``in_order``

        Returns
        -------
        (2, b, n, c) array in the order of ``in_order``: over partners of lower rank, over partners of higher rank
        """
        found = np.zeros((2, len(cuts), *values.shape))
        known = (0,) * values.shape[1] if values.shape[1] <= 2 else ()
        _sums(in_order.rank, self.starts, np.ascontiguousarray(values), cuts, found, known)
        return found

    def laplacian(self, in_order, window, weights, in_window, X):
        """Return half of the product of the Laplacian of the pairs in a window with X, (n, d): the sum of it and its
        transpose, multiplied by X^T, is the sum of weight_i lower_j (x_i - x_j) (x_i - x_j)^T.

        Parameters
        ----------
        in_order : Sorted
        window : (2, n) int32 array, the first place in the window of each row and the first place behind it, inside its
            group; both ascend in the order of ``in_order``
        weights : (2, n) array, weight and lower in the order of ``in_order``
        in_window : (n,) weight of the partners in the window of each row, in the same order
        X : (n, d) array in the order of the rows, C-contiguous
        """
        half = np.zeros(X.shape)
        _laplacian(in_order, self.starts, window, weights, in_window, X, half)
        return half


def _dense_ranks(y, order, starts):
    """Return 0-based ranks of y, shape (n,): equal values have equal ranks, and each group starts at 0."""
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


@njit
def _by_group(order, group, starts):
    """Return the rows ``order`` (n,) group by group; inside a group the order stays the same."""
    place, by_group = starts[:-1].copy(), np.empty_like(order)
    for i in order:
        by_group[place[group[i]]] = i
        place[group[i]] += 1
    return by_group


@njit
def _cuts(s, starts, far, lower, higher):
    """Merge the scores s_j and s_i - far of each group; without a branch, because which is next cannot be predicted."""
    for g in range(starts.size - 1):
        first, end = starts[g], starts[g + 1]
        i, j = first, first
        while i < end and j < end:
            lower[i], higher[j] = j - first, i - first
            beyond = s[j] <= s[i] - far
            i, j = i + 1 - beyond, j + beyond
        lower[i:end] = end - first
        higher[j:end] = end - first


@njit
def _sums(rank, starts, values, cuts, found, known):
    """Pass over the rows of each group once for each digit of their ranks, the highest digit first.

    The length of the tuple ``known`` is the number of columns, if the compiler is to know it: then it unrolls loops.
    """
    for g in range(starts.size - 1):
        first, end = starts[g], starts[g + 1]
        top, place = 0, np.empty(end - first, dtype=np.int32)
        for p in range(first, end):
            top, place[p - first] = max(top, rank[p]), p
        passes = 1
        while top >> (BITS * passes) > 0:
            passes += 1
        m = largest = end - first
        ranks, parts, reach = rank[first:end], values[first:end], cuts[:, :, first:end]
        for shift in range(BITS * (passes - 1), -1, -BITS):
            now = ranks, parts, reach, place
            after = now
            if shift > 0:
                next_parts, next_reach = np.empty(parts.shape), np.empty(reach.shape, dtype=np.int32)
                after = np.empty_like(ranks), next_parts, next_reach, np.empty_like(place)
            digits = min((top >> shift) + 1, DIGITS)
            up_to, run = np.empty((largest + 1, digits, values.shape[1])), np.empty((digits, values.shape[1]))
            count = up_to.reshape(-1).view(np.int32)[: (largest + 1) * digits].reshape((-1, digits))  # never both
            start = largest = m - m  # for a literal 0 the two functions would be compiled once more
            while start < m:
                stop = start
                while stop < m and ranks[stop] >> (shift + BITS) == ranks[start] >> (shift + BITS):
                    stop += 1
                _meet(start, stop, shift, now, up_to, run, found, known)
                if shift > 0:
                    largest = max(largest, _split(start, stop, shift, now, count, after))
                start = stop
            ranks, parts, reach, place = after


@njit
def _meet(start, stop, shift, now, up_to, run, found, known):
    """Add the values of the rows of a node to the sums of the rows that differ from them in this digit."""
    ranks, parts, reach, place = now
    digits, n_parts = up_to.shape[1], len(known) if len(known) > 0 else parts.shape[1]
    # 1. sums over the rows before each place, of digits up to each digit
    up_to[0] = run[:] = 0.0
    for p in range(start, stop):
        digit, q = (ranks[p] >> shift) & (DIGITS - 1), p - start
        for k in range(digits):
            for c in range(n_parts):
                run[k, c] += parts[p, c] if digit <= k else 0.0
                up_to[q + 1, k, c] = run[k, c]
    # 2. lower digits beyond the cut, higher digits before it
    m = stop - start
    for p in range(start, stop):
        digit, row = (ranks[p] >> shift) & (DIGITS - 1), place[p]
        for b in range(reach.shape[0]):
            cut = reach[b, 1, p]
            for c in range(n_parts):
                found[1, b, row, c] += up_to[cut, digits - 1, c] - up_to[cut, digit, c]
            if digit > 0:
                cut = reach[b, 0, p]
                for c in range(n_parts):
                    found[0, b, row, c] += up_to[m, digit - 1, c] - up_to[cut, digit - 1, c]


@njit
def _split(start, stop, shift, now, count, after):
    """Split the rows of a node by this digit, in the same order, and compute their cuts inside their part; return the
    size of the largest part."""
    ranks, parts, reach, place = now
    next_ranks, next_parts, next_reach, next_place = after
    digits, m = count.shape[1], stop - start
    count[0] = 0
    for p in range(start, stop):
        digit, q = (ranks[p] >> shift) & (DIGITS - 1), p - start
        for k in range(digits):
            count[q + 1, k] = count[q, k] + (digit == k)
    offset = np.empty(digits, dtype=np.int64)
    total = start
    for k in range(digits):
        offset[k] = total
        total += count[m, k]
    for p in range(start, stop):
        digit = (ranks[p] >> shift) & (DIGITS - 1)
        t = offset[digit]
        offset[digit] += 1
        next_ranks[t], next_place[t] = ranks[p], place[p]
        for c in range(parts.shape[1]):
            next_parts[t, c] = parts[p, c]
        for b in range(reach.shape[0]):
            next_reach[b, 0, t] = count[reach[b, 0, p], digit]
            next_reach[b, 1, t] = count[reach[b, 1, p], digit]
    return count[m].max()


@njit
def _laplacian(in_order, starts, window, weights, in_window, X, half):
    """Slide the window over the rows of each group; a Fenwick tree holds the sum of the rows inside up to each rank."""
    order, _, rank = in_order
    for g in range(starts.size - 1):
        start, stop = starts[g], starts[g + 1]
        top = 0
        for p in range(start, stop):
            top = max(top, rank[p])
        tree = np.zeros((top + 1, X.shape[1]))
        first, end = start, start
        for p in range(start, stop):
            while end < start + window[1, p]:
                _enter(tree, rank[end], weights[1, end], X[order[end]])
                end += 1
            while first < start + window[0, p]:
                _enter(tree, rank[first], -weights[1, first], X[order[first]])
                first += 1
            k, x, row = rank[p], X[order[p]], half[order[p]]
            while k > 0:
                for c in range(row.size):
                    row[c] -= tree[k, c]
                k -= k & -k
            for c in range(row.size):
                row[c] = 0.5 * in_window[p] * x[c] + weights[0, p] * row[c]


@njit
def _enter(tree, rank, weight, x):
    """Add a row to the sums of all ranks above its own."""
    k = rank + 1
    while k < len(tree):
        for c in range(x.size):
            tree[k, c] += weight * x[c]
        k += k & -k
