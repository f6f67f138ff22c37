"""Closest pairs and minimum spanning trees: exact, in memory linear in the number of points."""
