"""Closest pairs and a minimum spanning tree by looking at all pairs of points: O(n^2) time, O(n) memory.

There are three kinds of squared distances: Euclidean; that of a polynomial kernel, k(x, x) + k(z, z) - 2 k(x, z); and
that of a kernel matrix. Euclidean closest pairs are found by scipy's k-d tree where its boxes save time.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import pdist

from rankmargin.compiled import njit

EUCLIDEAN, POLYNOMIAL, PRECOMPUTED = 0, 1, 2
SAMPLE = (1000, 4000)  # points whose distances say which radius holds enough pairs, of few and of many points
MOST_LISTED = 5_000_000  # pairs within the radius; with more, as of equal points, all distances are looked at


class Distance(NamedTuple):
    """Points and the kind of their squared distance.

    Attributes
    ----------
    kind : int, EUCLIDEAN, POLYNOMIAL or PRECOMPUTED
    columns : (d, n) float64, the points dimension by dimension; (n, n), the kernel matrix
    diagonal : (n,) float64, k(x_i, x_i)
    gamma, coef0 : float, degree : int, parameters of the polynomial kernel
    """

    kind: int
    columns: np.ndarray
    diagonal: np.ndarray
    gamma: float
    degree: int
    coef0: float


def closest_pairs(distance, order, k):
    """Return the k pairs of rows (k, 2) of smallest distance whose values of ``order`` (n,) differ, nearest first.

    Each pair occurs once, in either direction. If pairs have equal distances, any of them may be returned.
    """
    squares, above, below = _search(distance, order, k)
    nearest = np.argsort(squares, kind="stable")
    return np.column_stack([above[nearest], below[nearest]])


def closest_pairs_of_tree(X, order, k):
    """Return the same for Euclidean distances by a k-d tree, or None where all distances are faster.

    The tree lists the pairs within a radius. It is the distance of so many pairs of a sample that it holds k of all
    pairs, and grows until it does.
    """
    n, (least, most) = len(X), SAMPLE
    rows = np.random.default_rng(0).permutation(n)[: min(max(n // 25, least), most)]
    distances, of_sample = pdist(X[rows]), order[rows]
    above, below = np.triu_indices(len(rows), 1)
    usable = distances[of_sample[above] != of_sample[below]]
    tree, per_pair = cKDTree(X), (n / len(rows)) ** 2
    wanted = k / per_pair
    wanted = int(np.ceil(wanted + 2.0 * np.sqrt(wanted)))  # few samples hold as few as expected
    while wanted <= len(usable):
        radius = np.partition(usable, wanted - 1)[wanted - 1] * (1.0 + 1e-12)  # scipy rounds differently
        if np.sum(distances <= radius) * per_pair > MOST_LISTED:
            return None
        pairs = tree.query_pairs(radius, output_type="ndarray")
        pairs = pairs[order[pairs[:, 0]] != order[pairs[:, 1]]]
        if len(pairs) >= k:
            squares = ((X[pairs[:, 0]] - X[pairs[:, 1]]) ** 2).sum(axis=1)
            return pairs[np.argsort(squares, kind="stable")[:k]]
        wanted *= 2
    return None


def spanning_tree(distance):
    """Return the edges of a minimum spanning tree, shape (n - 1, 2), for any distance (Prim 1957)."""
    known = distance.kind == PRECOMPUTED  # a matrix does not change, but points are moved
    columns = np.require(distance.columns, requirements="W") if known else distance.columns.copy()
    return _prim(distance._replace(columns=columns))


@njit
def _from_one(distance, point, i, first, last, ids, out):
    """Write into ``out`` the squared distances from row i, whose values are ``point``, to the columns first .. last.

    ``ids`` are the row numbers of the columns.
    """
    kind, columns, diagonal, gamma, degree, coef0 = distance
    if kind == PRECOMPUTED:
        for j in range(first, last):
            out[j] = max(diagonal[i] + diagonal[ids[j]] - 2.0 * columns[i, ids[j]], 0.0)
        return
    for j in range(first, last):
        out[j] = 0.0
    for k in range(point.size):
        value, column = point[k], columns[k]
        if kind == EUCLIDEAN:
            for j in range(first, last):
                difference = value - column[j]
                out[j] += difference * difference
        else:
            for j in range(first, last):
                out[j] += value * column[j]
    if kind == POLYNOMIAL:
        for j in range(first, last):
            out[j] = max(diagonal[i] + diagonal[ids[j]] - 2.0 * (gamma * out[j] + coef0) ** degree, 0.0)


@njit
def _search(distance, order, k):
    n = order.size
    squares, above, below = np.full(k, np.inf), np.full(k, -1), np.full(k, -1)
    out, ids = np.empty(n), np.arange(n)
    for i in range(n):
        _from_one(distance, distance.columns[:, i].copy(), i, i + 1, n, ids, out)
        for j in range(i + 1, n):
            if out[j] < squares[0] and order[i] != order[j]:
                _offer(squares, above, below, out[j], i, j)
    return squares, above, below


@njit
def _offer(squares, above, below, square, i, j):
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


@njit
def _prim(distance):
    """Add to the tree the nearest row outside; the rows outside are kept in columns 0 .. m, which halves the time."""
    n, columns = distance.diagonal.size, distance.columns
    ids, nearest, inside = np.arange(n), np.full(n, np.inf), np.empty(n, np.int64)
    out, edges = np.empty(n), np.empty((max(n - 1, 0), 2), np.int64)
    column = n - 1
    for m in range(n - 1, 0, -1):
        # 1. the row at ``column`` joins the tree; the last row outside takes its place
        joined, point = ids[column], columns[:, column].copy()
        if distance.kind != PRECOMPUTED:
            columns[:, column] = columns[:, m]
        ids[column], nearest[column], inside[column] = ids[m], nearest[m], inside[m]
        # 2. its distances to the rows outside
        _from_one(distance, point, joined, 0, m, ids, out)
        column = 0
        for j in range(m):
            if out[j] < nearest[j]:
                nearest[j], inside[j] = out[j], joined
            if nearest[j] < nearest[column]:
                column = j
        # 3. the nearest of them is next
        edges[m - 1, 0], edges[m - 1, 1] = inside[column], ids[column]
    return edges
