"""Public names of :mod:`rankmargin.comparisons.game_counts`."""

from rankmargin.comparisons.game_counts import SeparationError

__all__ = ["SeparationError"]
