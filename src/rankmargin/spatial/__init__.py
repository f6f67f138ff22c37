"""Closest pairs and minimum spanning trees: exact, in memory linear in the number of points.

``closest_pairs`` and ``spanning_tree`` use ``kd_tree`` and prune by boxes. ``all_distances`` looks at all pairs of
points, for other distances and for dimensions in which boxes prune nothing.
"""
