"""How a search came to its choice: scores and gaps along C, and the columns that move the scores."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array
from rankmargin.inspection.scores import axes
from rankmargin.problem.checks import holder_of, with_inner
from rankmargin.search.search import RankSearchCV

SMALLEST_GAP = 1e-6  # the lower end of the axis of gaps, unless a gap is smaller


class SearchDisplay:
    """Mean scores of each setting along C, the folds of the chosen one, the chosen C, and the gaps of its fits.

    Parameters
    ----------
    Cs : (c,) array
    scores : (g, c, folds) array, nan where nothing was tried
    names : list of g texts, one per setting
    chosen : (int, float), the setting and C
    gaps : (g, c) array or None
        Largest relative duality gaps of the fits.
    """

    def __init__(
        self, Cs: Array, scores: Array, names: Sequence[str], chosen: tuple[int, float], gaps: Array | None = None
    ) -> None:
        self.Cs, self.scores, self.names, self.chosen, self.gaps = Cs, scores, names, chosen, gaps

    @classmethod
    def from_estimator(cls, search: Any, *, ax: Any = None) -> Self:
        """Draw for a fitted :class:`rankmargin.RankSearchCV`, or for a pipeline that ends in one."""
        search = next((inner for inner in with_inner(search) if isinstance(inner, RankSearchCV)), search)
        check_is_fitted(search)
        table, Cs = search.cv_results_, search.Cs_
        columns = [table[f"split{fold}_test_score"] for fold in range(search.n_splits_)]
        scores = np.array(columns).T.reshape(-1, len(Cs), search.n_splits_)
        names = []
        for point in table["params"][:: len(Cs)]:
            described = [
                f"{name.split('__')[-1]}={value}" for name, value in point.items() if name != search._name_of_C()
            ]
            names.append(", ".join(described))
        setting, place = divmod(search.best_index_, len(Cs))
        return cls(Cs, scores, names, (setting, float(Cs[place])), table["gap"].reshape(-1, len(Cs))).plot(ax=ax)

    def plot(self, *, ax: Any = None, **line: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self.

        ``line`` is passed to matplotlib for the chosen setting. The largest gap for each C is drawn on a separate axis
        on the right, unless ``gaps`` is None.
        """
        self.ax_ = ax = axes(ax)
        order, (best, C) = np.argsort(self.Cs), self.chosen
        for setting, name in enumerate(self.names):
            style, seen = {"linewidth": 0.8}, self.scores[setting][:, ~np.all(np.isnan(self.scores[setting]), axis=0)]
            if setting == best:
                ax.plot(self.Cs[order], seen[order], color="0.8", linewidth=0.8, zorder=1)
                style = {"marker": "o", "color": "k", **line}
            if seen.size:
                ax.plot(self.Cs[order], np.nanmean(seen, axis=1)[order], **{"label": name, **style})
        ax.axvline(C, color="0.4", linewidth=0.8, linestyle="--")
        ax.set(xscale="log", xlabel="C", ylabel="score of the test parts")
        if len(self.names) > 1:
            ax.legend(frameon=False, fontsize="small")
        if self.gaps is not None and np.any((gaps := self.gaps[best][order]) > 0):
            self.gap_ax_ = ax.twinx()
            style = {"color": "0.55", "linewidth": 0.8, "linestyle": ":", "marker": ".", "zorder": 1}
            self.gap_ax_.plot(self.Cs[order], gaps, **style)
            lowest = np.nanmin(gaps, initial=SMALLEST_GAP, where=gaps > 0)
            self.gap_ax_.set(yscale="log", ylim=(lowest, 1.0), ylabel="largest gap of the fits (dotted)")
        return self


class ColumnWeightsDisplay:
    """How far each column moves the scores of a search, as shares.

    Parameters
    ----------
    weights : dict of names and shares, the largest first
    """

    def __init__(self, weights: dict[Any, float]) -> None:
        self.weights = weights

    @classmethod
    def from_estimator(cls, search: Any, *, most: int = 15, ax: Any = None) -> Self:
        """Draw the largest shares of a fitted :class:`rankmargin.RankSearchCV`, or of a pipeline that ends in one."""
        weights = holder_of(search, "column_weights_").column_weights_
        return cls(dict([*weights.items()][:most])).plot(ax=ax)

    def plot(self, *, ax: Any = None, **bars: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``bars`` goes to matplotlib."""
        self.ax_ = ax = axes(ax)
        places = range(len(self.weights))
        ax.barh(places, [*self.weights.values()], **bars)
        ax.set_yticks(places, map(str, self.weights))
        ax.invert_yaxis()
        ax.set(xlabel="share in the mean squared slopes of the scores")
        return self
