"""Closest pairs and minimum spanning trees: exact, in memory linear in the number of points.

``closest_pairs`` uses ``kd_tree`` and prunes by boxes. ``all_distances`` looks at all pairs of points, for spanning
trees, for other distances and for dimensions in which boxes prune nothing.
"""
