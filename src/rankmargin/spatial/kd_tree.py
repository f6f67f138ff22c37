"""A k-d tree whose leaves are contiguous in memory (Bentley 1975).

Distances are squared and Euclidean, and summed over the dimensions in their order, so d(x, z) = d(z, x) to the last
bit. Because rounding is monotone, the distance to a box is never larger than the distance to a point inside.
"""

from typing import NamedTuple

import numpy as np

from rankmargin.compiled import njit

LEAF = 16


class Tree(NamedTuple):
    """Points in the order of the leaves, and the boxes around them.

    Attributes
    ----------
    index : (n,) int64, the row of each position
    points : (n, d) float64, the rows in the order of positions
    blocks : (n * d,) float64, the points of each leaf, dimension by dimension, for fast subtraction
    start, end : (nodes,) int64, the positions of a node; nodes are in preorder, so its left child is the next one
    right : (nodes,) int64, the right child, -1 for a leaf
    low, high : (nodes, d) float64, corners of the box around its points
    """

    index: np.ndarray  # type: ignore[assignment]
    points: np.ndarray
    blocks: np.ndarray
    start: np.ndarray
    end: np.ndarray
    right: np.ndarray
    low: np.ndarray
    high: np.ndarray


def build(X):
    """Build the tree of the rows of X, splitting the widest side of a box at its median point."""
    index = np.arange(len(X))
    starts, ends, rights, lows, highs, waiting = [], [], [], [], [], [(0, len(X), -1)]
    while waiting:
        start, end, parent = waiting.pop()
        if parent >= 0:
            rights[parent] = len(starts)
        inside = X[index[start:end]]
        low, high = inside.min(axis=0), inside.max(axis=0)
        middle = (start + end) // 2
        if end - start > LEAF:
            widest = np.argmax(high - low)
            index[start:end] = index[start:end][np.argpartition(inside[:, widest], middle - start)]
            waiting += [(middle, end, len(starts)), (start, middle, -1)]
        starts.append(start)
        ends.append(end)
        rights.append(-1)
        lows.append(low)
        highs.append(high)
    points = np.ascontiguousarray(X[index], dtype=np.float64)
    leaves = [points[a:b].T.ravel() for a, b, right in zip(starts, ends, rights) if right < 0]
    return Tree(
        index,
        points,
        np.concatenate(leaves),
        np.array(starts),
        np.array(ends),
        np.array(rights),
        np.array(lows, dtype=np.float64),
        np.array(highs, dtype=np.float64),
    )


@njit(cache=True)
def distance_to_box(point, low, high):
    """Return the squared distance of a point to a box, 0 inside."""
    total = 0.0
    for k in range(point.size):
        outside = max(max(low[k] - point[k], point[k] - high[k]), 0.0)
        total += outside * outside
    return total


@njit(cache=True)
def distances_to_leaf(point, blocks, start, end, out):
    """Write the squared distances of a point to the points of a leaf into out."""
    size, offset = end - start, start * point.size
    for p in range(size):
        out[p] = 0.0
    for k in range(point.size):
        value = point[k]
        for p in range(size):
            difference = value - blocks[offset + k * size + p]
            out[p] += difference * difference


@njit(cache=True)
def leaf_buffer(start, end, right):
    """Return an empty array, long enough for the distances to the points of any leaf."""
    size = 0
    for node in range(start.size):
        if right[node] < 0:
            size = max(size, end[node] - start[node])
    return np.empty(size)
