"""The plot of a table of many data sets and methods."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from rankmargin import significance
from rankmargin.annotations import Array, ArrayLike
from rankmargin.inspection._display import Display


class CriticalDifferenceDisplay(Display):
    """Average ranks of methods over data sets, with a bar over methods whose difference is not significant (Nemenyi).

    Parameters
    ----------
    average_ranks : (k,) array
        1 is the best.
    critical_difference : float
        See :func:`rankmargin.significance.critical_difference`.
    names : (k,) sequence
        Names of the methods.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.2.2.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.inspection import CriticalDifferenceDisplay
    >>> CriticalDifferenceDisplay(np.array([1.2, 2.0, 2.8]), 1.0, ["a", "b", "c"]).bars()
    [(1.2, 2.0), (2.0, 2.8)]
    """

    def __init__(self, average_ranks: Array, critical_difference: float, names: Sequence[Any]) -> None:
        self.average_ranks, self.critical_difference, self.names = average_ranks, critical_difference, names

    @classmethod
    def from_table(
        cls, table: ArrayLike, *, higher_is_better: bool = False, alpha: float = 0.05, ax: Any = None
    ) -> Self:
        """Draw for a table with one row per data set and one column per method, a data frame or an array."""
        average = significance.average_ranks(table, higher_is_better)
        names = list(getattr(table, "columns", range(1, len(average) + 1)))
        critical = significance.critical_difference(len(names), np.shape(table)[0], alpha)
        return cls(average, critical, names).plot(ax=ax)

    def bars(self) -> list[tuple[float, float]]:
        """Return the first and the last rank of each maximal set of methods without a significant difference."""
        ranks = np.sort(self.average_ranks)
        last = np.searchsorted(ranks, ranks + self.critical_difference, side="left") - 1
        new = np.diff(last, prepend=-1) > 0
        return [(float(ranks[i]), float(ranks[j])) for i, j in enumerate(last) if j > i and new[i]]

    def plot(self, *, ax: Any = None, colors: dict[Any, Any] | None = None, **bar: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``colors`` are by name, ``bar`` goes to matplotlib."""
        from matplotlib.lines import Line2D

        ax, n_methods = self._axes(ax), len(self.average_ranks)
        style = self._style(Line2D, bar, color="0.4", linewidth=3, solid_capstyle="round", zorder=3)
        ends: list[float] = []  # the last rank of each level of bars
        for low, high in self.bars():
            level = next((k for k, end in enumerate(ends) if end < low), len(ends))
            ends[level : level + 1] = [high]
            ax.plot([low, high], [-1 - level, -1 - level], **style)
        order = np.argsort(self.average_ranks, kind="stable")
        best, worst = np.split(order, [(n_methods + 1) // 2])
        for members, edge in ((best, 1), (worst[::-1], max(n_methods, 2))):
            for step, k in enumerate(members):
                rank, y = self.average_ranks[k], -len(ends) - 1 - step
                color = None if colors is None else colors.get(self.names[k])
                (line,) = ax.plot([edge, rank, rank], [y, y, 0], color=color)
                ax.scatter(rank, 0, color=line.get_color(), zorder=3, clip_on=False)
                text = f"{self.names[k]}  {rank:.2f}  " if edge == 1 else f"  {rank:.2f}  {self.names[k]}"
                ax.text(edge, y, text, ha="right" if edge == 1 else "left", va="center", color=line.get_color())
        ax.yaxis.set_visible(False)
        ax.spines[["left", "right", "bottom"]].set_visible(False)
        ax.spines["top"].set(visible=True, position="zero")
        ax.xaxis.set_ticks_position("top")
        ax.xaxis.set_label_position("top")
        ax.set(xlim=(1, max(n_methods, 2)), xticks=range(1, n_methods + 1), xlabel="average rank")
        return self
