"""Public names of :mod:`rankmargin.solvers.cut_points`."""

from rankmargin.solvers.cut_points import best_cut_points

__all__ = ["best_cut_points"]
