"""Public names of :mod:`rankmargin.comparisons.leaderboard`."""

from rankmargin.comparisons.leaderboard import Leaderboard

__all__ = ["Leaderboard"]
