"""Plots of fitted estimators in the style of scikit-learn's displays; matplotlib is imported when a plot is drawn.

Each display has a method that computes and draws (``from_estimator``, ``from_table``), and ``plot``, which draws again.
"""

from rankmargin.inspection.critical_difference import CriticalDifferenceDisplay
from rankmargin.inspection.paths import PathDisplay
from rankmargin.inspection.scores import ScoresDisplay, SwappedPairsDisplay, TiesDisplay

__all__ = ["CriticalDifferenceDisplay", "PathDisplay", "ScoresDisplay", "SwappedPairsDisplay", "TiesDisplay"]
