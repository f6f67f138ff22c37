"""Public names of :mod:`rankmargin.comparisons.ratings`."""

from rankmargin.comparisons.rating_table import Ratings
from rankmargin.comparisons.ratings import Fide, RatedGames, bradley_terry, elo, expected_score, glicko

__all__ = ["Fide", "RatedGames", "Ratings", "bradley_terry", "elo", "expected_score", "glicko"]
