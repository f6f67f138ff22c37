"""Inspect fitted estimators: numbers, and plots in the style of scikit-learn's displays.

Each display has a method that computes and draws (``from_estimator``), and ``plot``, which draws again.
matplotlib is imported when one is drawn.
"""

from rankmargin.inspection.displays import (
    ColumnWeightsDisplay,
    LeaderboardDisplay,
    ScoresDisplay,
    SearchDisplay,
    SwappedPairsDisplay,
)
from rankmargin.inspection.fits import FitSummary, summary

__all__ = [
    "ColumnWeightsDisplay",
    "FitSummary",
    "LeaderboardDisplay",
    "ScoresDisplay",
    "SearchDisplay",
    "SwappedPairsDisplay",
    "summary",
]
