"""Closest pairs and a minimum spanning tree by looking at all pairs of points: O(n^2) time, O(n) memory.

This is for distances that boxes cannot bound (kernels other than linear and Gaussian), and for dimensions in which
boxes prune nothing.  There are three kinds of squared distances: Euclidean; that of a polynomial kernel, k(x, x) + k(z,
z) - 2 k(x, z); and that of a kernel matrix.
"""

from typing import NamedTuple

import numpy as np

from rankmargin.compiled import njit
from rankmargin.spatial.closest_pairs import offer

EUCLIDEAN, POLYNOMIAL, PRECOMPUTED = 0, 1, 2


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
    """Return the k closest pairs (k, 2) for any distance; see
    :func:`rankmargin.spatial.closest_pairs.closest_pairs`."""
    squares, above, below = _search(distance, order, k)
    nearest = np.argsort(squares, kind="stable")
    return np.column_stack([above[nearest], below[nearest]])


def spanning_tree(distance):
    """Return the edges of a minimum spanning tree, shape (n - 1, 2), for any distance (Prim 1957)."""
    known = distance.kind == PRECOMPUTED  # a matrix does not change, but points are moved
    columns = np.require(distance.columns, requirements="W") if known else distance.columns.copy()
    return _prim(distance._replace(columns=columns))


@njit(cache=True)
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


@njit(cache=True)
def _search(distance, order, k):
    n = order.size
    squares, above, below = np.full(k, np.inf), np.full(k, -1), np.full(k, -1)
    out, ids = np.empty(n), np.arange(n)
    for i in range(n):
        _from_one(distance, distance.columns[:, i].copy(), i, i + 1, n, ids, out)
        for j in range(i + 1, n):
            if out[j] < squares[0] and order[i] != order[j]:
                offer(squares, above, below, out[j], i, j)
    return squares, above, below


@njit(cache=True)
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
