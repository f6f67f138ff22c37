"""A minimum spanning tree of points: Boruvka's rounds with a k-d tree (Bentley and Friedman 1978; March et al. 2010).

In a round, each component except the largest gets its shortest edge to another component.  This edge is the shortest
across the cut around the component, so it belongs to a minimum spanning tree.  If ties would close a cycle in the same
round, an edge is left out.  Two bounds make a round cheap:

1. For each point, the nearest neighbour outside its component is kept. It is exact as long as the neighbour is outside,
   and its distance is a lower bound afterwards.
2. A new search for a point is needed only if its lower bound is below the best edge of its component so far, and only
   within that distance. Boxes that lie inside the component are skipped.
"""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.spatial.kd_tree import build, distance_to_box, distances_to_leaf, leaf_buffer


def spanning_tree(X):
    """Return the edges of a minimum spanning tree in Euclidean distance, shape (n - 1, 2), row numbers.

    Parameters
    ----------
    X : (n, d) float64 array
    """
    tree = build(X)
    return tree.index[_boruvka(tree)]


@njit(cache=True)
def _root(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@njit(cache=True)
def _label(parent, component, sizes):
    """Write the root of each point and the number of points of each root; return the root of the largest."""
    sizes[:] = 0
    largest = 0
    for i in range(parent.size):
        component[i] = _root(parent, i)
        sizes[component[i]] += 1
        if sizes[component[i]] > sizes[largest]:
            largest = component[i]
    return largest


@njit(cache=True)
def _label_nodes(start, end, right, component, inside):
    """Write for each node the component that contains all of its points, -1 if there is none."""
    for node in range(start.size - 1, -1, -1):
        if right[node] >= 0:
            inside[node] = inside[node + 1] if inside[node + 1] == inside[right[node]] else -1
            continue
        inside[node] = component[start[node]]
        for i in range(start[node] + 1, end[node]):
            if component[i] != inside[node]:
                inside[node] = -1


@njit(cache=True)
def _nearest_outside(tree, component, inside, i, limit, buffers):
    """Return the nearest point of another component closer than ``limit`` (-1: none) and its squared distance."""
    _, points, blocks, start, end, right, low, high = tree
    distances, waiting, nearness = buffers
    best, nearest = limit, -1
    waiting[0], nearness[0], n_waiting = 0, 0.0, 1
    while n_waiting > 0:
        n_waiting -= 1
        node = waiting[n_waiting]
        if nearness[n_waiting] >= best or inside[node] == component[i]:
            continue
        if right[node] < 0:
            distances_to_leaf(points[i], blocks, start[node], end[node], distances)
            for j in range(start[node], end[node]):
                if distances[j - start[node]] < best and component[j] != component[i]:
                    best, nearest = distances[j - start[node]], j
            continue
        near, far = node + 1, right[node]
        to_near = distance_to_box(points[i], low[near], high[near])
        to_far = distance_to_box(points[i], low[far], high[far])
        if to_far < to_near:
            near, far, to_near, to_far = far, near, to_far, to_near
        waiting[n_waiting], nearness[n_waiting] = far, to_far
        waiting[n_waiting + 1], nearness[n_waiting + 1] = near, to_near
        n_waiting += 2
    return nearest, best


@njit(cache=True)
def _boruvka(tree):
    """Run the rounds: 1 label, 2 edges known to be exact, 3 searches, 4 merge."""
    n, start, end, right = len(tree.points), tree.start, tree.end, tree.right
    parent, component, sizes = np.arange(n), np.empty(n, np.int64), np.empty(n, np.int64)
    inside = np.empty(start.size, np.int64)
    neighbour, bound = np.full(n, -1), np.zeros(n)
    best, tail, head = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    buffers = leaf_buffer(start, end, right), np.empty(128, np.int64), np.empty(128)
    edges, n_edges = np.empty((max(n - 1, 0), 2), np.int64), 0
    while n_edges < n - 1:
        largest = _label(parent, component, sizes)
        _label_nodes(start, end, right, component, inside)
        best[:] = np.inf
        for i in range(n):
            c, j = component[i], neighbour[i]
            if j >= 0 and component[j] != c and bound[i] < best[c]:
                best[c], tail[c], head[c] = bound[i], i, j
        for i in range(n):
            c, j = component[i], neighbour[i]
            if c == largest or (j >= 0 and component[j] != c) or bound[i] >= best[c]:
                continue
            neighbour[i], bound[i] = _nearest_outside(tree, component, inside, i, best[c], buffers)
            if neighbour[i] >= 0:
                best[c], tail[c], head[c] = bound[i], i, neighbour[i]
        for c in range(n):
            if component[c] != c or c == largest:
                continue
            a, b = _root(parent, tail[c]), _root(parent, head[c])
            if a != b:
                parent[a] = b
                edges[n_edges, 0], edges[n_edges, 1] = tail[c], head[c]
                n_edges += 1
    return edges
