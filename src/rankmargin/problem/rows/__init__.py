"""Rows: the constraints in which the methods differ, and what builds them; see :mod:`rankmargin.problem.rows.rows`."""
