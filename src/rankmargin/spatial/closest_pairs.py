"""The k closest pairs of points among those whose order is known and strict, found with a k-d tree.

A heap keeps the k best pairs found so far; a point is compared only with boxes that are nearer than the worst of them.
The first candidates are pairs inside one leaf.  There is no list of pairs except the heap.
"""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.spatial.kd_tree import build, distance_to_box, distances_to_leaf, leaf_buffer


def closest_pairs(X, order, k):
    """Return the k pairs of smallest Euclidean distance whose values of ``order`` differ.

    Parameters
    ----------
    X : (n, d) float64 array
    order : (n,) float64 array without nan
    k : int, at most the number of such pairs

    Returns
    -------
    (k, 2) int64 array of row numbers, nearest first; each pair occurs once, in either direction. If pairs have equal
    distances, any of them may be returned.
    """
    tree = build(X)
    squares, above, below = _search(*tree[1:], order[tree.index], k)
    nearest = np.argsort(squares, kind="stable")
    return np.column_stack([tree.index[above[nearest]], tree.index[below[nearest]]])


@njit(cache=True)
def offer(squares, above, below, square, i, j):
    """Replace the largest entry of the heap, which must be larger, by a pair, and move the pair down to its place."""
    size, slot = squares.size, 0
    while True:
        child = 2 * slot + 1
        if child + 1 < size and squares[child + 1] > squares[child]:
            child += 1
        if child >= size or squares[child] <= square:
            break
        squares[slot], above[slot], below[slot] = squares[child], above[child], below[child]
        slot = child
    squares[slot], above[slot], below[slot] = square, i, j


@njit(cache=True)
def _search(points, blocks, start, end, right, low, high, order, k):
    squares, above, below = np.full(k, np.inf), np.full(k, -1), np.full(k, -1)
    distances, waiting = leaf_buffer(start, end, right), np.empty(128, np.int64)
    # 1. pairs inside a leaf
    for leaf in range(start.size):
        if right[leaf] >= 0:
            continue
        for i in range(start[leaf], end[leaf]):
            distances_to_leaf(points[i], blocks, start[leaf], end[leaf], distances)
            for j in range(i + 1, end[leaf]):
                square = distances[j - start[leaf]]
                if square < squares[0] and order[i] != order[j]:
                    offer(squares, above, below, square, i, j)
    # 2. pairs of a point with later leaves, nearer boxes first
    for leaf in range(start.size):
        if right[leaf] >= 0:
            continue
        for i in range(start[leaf], end[leaf]):
            waiting[0], n_waiting = 0, 1
            while n_waiting > 0:
                n_waiting -= 1
                node = waiting[n_waiting]
                if end[node] <= end[leaf] or distance_to_box(points[i], low[node], high[node]) >= squares[0]:
                    continue
                if right[node] >= 0:
                    waiting[n_waiting], waiting[n_waiting + 1] = right[node], node + 1
                    n_waiting += 2
                    continue
                distances_to_leaf(points[i], blocks, start[node], end[node], distances)
                for j in range(start[node], end[node]):
                    square = distances[j - start[node]]
                    if square < squares[0] and order[i] != order[j]:
                        offer(squares, above, below, square, i, j)
    return squares, above, below
