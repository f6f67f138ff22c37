"""The plot of a path over C."""

from typing import Any, Self

import numpy as np

from rankmargin.annotations import Array
from rankmargin.inspection._display import Display


class PathDisplay(Display):
    """Scores along a path over C: the folds, their mean, and the chosen C.

    Parameters
    ----------
    Cs : (c,) array
    scores : (c, folds) array, nan if a fold has no pair
    chosen : float
    """

    def __init__(self, Cs: Array, scores: Array, chosen: float) -> None:
        self.Cs, self.scores, self.chosen = Cs, scores, chosen

    @classmethod
    def from_estimator(cls, search: Any, *, ax: Any = None) -> Self:
        """Draw for a fitted :class:`rankmargin.RankPathCV`."""
        return cls(search.Cs_, search.scores_, search.C_).plot(ax=ax)

    def plot(self, *, ax: Any = None, **line: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``line`` goes to matplotlib."""
        ax, order = self._axes(ax), np.argsort(self.Cs)
        seen = self.scores[:, ~np.all(np.isnan(self.scores), axis=0)]
        ax.plot(self.Cs[order], seen[order], color="0.8", linewidth=0.8, zorder=1)
        ax.plot(self.Cs[order], np.nanmean(seen, axis=1)[order], **{"marker": "o", **line})
        ax.axvline(self.chosen, color="0.4", linewidth=0.8, linestyle="--")
        ax.set(xscale="log", xlabel="C", ylabel="score of the test parts")
        return self
