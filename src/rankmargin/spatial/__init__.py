"""Closest pairs and minimum spanning trees: exact, in memory linear in the number of points.

``kd_tree`` with ``closest_pairs`` and ``spanning_tree`` prune by boxes; ``all_distances`` looks at all pairs of points,
for other distances and for more dimensions than boxes can prune.
"""
