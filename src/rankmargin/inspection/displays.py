"""Plots: scores against targets and between pairs, a search and its choice, and ratings with their intervals."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.utils import check_consistent_length, check_scalar
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.problem.checks import holder_of, learned_targets, scores_of, with_inner
from rankmargin.problem.rows.pairs import check_groups, check_pairs, group_codes, members
from rankmargin.search.search import RankSearchCV

SMALLEST_GAP = 1e-6  # the lower end of the axis of gaps, unless a gap is smaller
SEEN = 500  # rows of a group that say where the bins begin
DIGITS = 3  # of distances, in units of the largest one, that tell bins apart


def axes(ax):
    """Return the axes to draw on: those given, or with None those of a new figure."""
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(layout="constrained")
    return ax


class ScoresDisplay:
    """Scores against targets; for an ordinal estimator with its thresholds.

    Parameters
    ----------
    y : (n,) array
        Targets, or places 0, 1, ... of the grades.
    scores : (n,) array
    thresholds : (r - 1,) array or None
    names : (r,) array or None
        Names of the grades.
    """

    def __init__(self, y: Array, scores: Array, thresholds: Array | None = None, names: Array | None = None) -> None:
        self.y, self.scores, self.thresholds, self.names = y, scores, thresholds, names

    @classmethod
    def from_estimator(cls, estimator: Any, X: MatrixLike, y: ArrayLike, *, ax: Any = None) -> Self:
        """Draw the scores of a fitted estimator for the rows X against their targets y."""
        values, names, scores = _targets_and_scores(estimator, X, y)
        thresholds = getattr(holder_of(estimator, "thresholds_"), "thresholds_", None)
        return cls(values, scores, thresholds, names).plot(ax=ax)

    def plot(self, *, ax: Any = None, **scatter: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``scatter`` goes to matplotlib."""
        self.ax_ = ax = axes(ax)
        ax.scatter(self.y, self.scores, **{"s": 12, "alpha": 0.6, "linewidth": 0, **scatter})
        for threshold in () if self.thresholds is None else self.thresholds:
            ax.axhline(threshold, color="0.4", linewidth=0.8, linestyle="--")
        if self.names is not None:
            ax.set_xticks(range(len(self.names)), self.names)
        ax.set(xlabel="target", ylabel="score")
        return self


class SwappedPairsDisplay:
    """The share of swapped pairs by the distance of their targets: are only near neighbours confused?

    Parameters
    ----------
    edges : (b + 1,) array
        Edges of the bins of distances y_i - y_j > 0.
    swapped, pairs : (b,) arrays
        Number of swapped pairs and of all pairs in each bin; tied scores count as swapped.
    """

    def __init__(self, edges: Array, swapped: Array, pairs: Array) -> None:
        self.edges, self.swapped, self.pairs = edges, swapped, pairs

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike,
        y: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        n_bins: int = 10,
        ax: Any = None,
    ) -> Self:
        """Draw for a fitted estimator, the rows X and their targets y; pairs are counted inside groups."""
        check_scalar(n_bins, "n_bins", Integral, min_val=1)
        values, _, scores = _targets_and_scores(estimator, X, y)
        y, groups = np.asarray(values, dtype=np.float64), check_groups(scores, groups)
        check_pairs(y, groups)
        order = [rows[np.argsort(y[rows], kind="stable")] for rows in members(group_codes(groups, len(y)))]
        edges = _edges([y[rows] for rows in order], n_bins)
        pairs, swapped = np.zeros((2, len(edges) - 1), dtype=np.int64)
        for rows in order:
            for row, below in zip(rows, np.searchsorted(y[rows], y[rows])):  # one at a time, so that memory is O(n)
                lower = rows[:below]
                pairs += np.histogram(y[row] - y[lower], edges)[0]
                swapped += np.histogram((y[row] - y[lower])[scores[row] <= scores[lower]], edges)[0]
        return cls(edges, swapped, pairs).plot(ax=ax)

    def plot(self, *, ax: Any = None, **bars: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``bars`` goes to matplotlib."""
        self.ax_ = ax = axes(ax)
        share = self.swapped / np.maximum(self.pairs, 1)
        ax.bar(self.edges[:-1], share, np.diff(self.edges), **{"align": "edge", "edgecolor": "white", **bars})
        ax.set(xlabel="distance of the targets of a pair", ylabel="share of swapped pairs", ylim=(0, None))
        return self


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


class LeaderboardDisplay:
    """The ratings of players with their intervals, the best on top.

    Parameters
    ----------
    table : dict of (P,) arrays
        Columns as :meth:`rankmargin.leaderboard.Leaderboard.table` returns them.

    Examples
    --------
    >>> from rankmargin.inspection import LeaderboardDisplay
    >>> from rankmargin.ratings import bradley_terry
    >>> board = bradley_terry(list("aaaabbbc"), list("bbccccaa"), [1, 0.5, 1, 1, 1, 0, 0.5, 0.5])
    >>> LeaderboardDisplay(board.table(level=0.9)).table["player"].tolist()
    ['a', 'b', 'c']
    """

    def __init__(self, table: dict[str, Array]) -> None:
        self.table = table

    @classmethod
    def from_ratings(cls, leaderboard: Any, *, level: float = 0.95, ax: Any = None) -> Self:
        """Draw the result of :func:`rankmargin.ratings.bradley_terry`."""
        return cls(leaderboard.table(level)).plot(ax=ax)

    def plot(self, *, ax: Any = None, **line: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``line`` goes to matplotlib."""
        self.ax_ = ax = axes(ax)
        rating = self.table["rating"]
        places, beside = range(len(rating)), [rating - self.table["low"], self.table["high"] - rating]
        ax.errorbar(rating, places, xerr=beside, **{"linestyle": "", "marker": "o", "markersize": 4, **line})
        ax.set_yticks(places, [f"{rank}  {player}" for rank, player in zip(self.table["rank"], self.table["player"])])
        ax.invert_yaxis()
        ax.set(xlabel="rating")
        return self


def _targets_and_scores(estimator, X, y):
    """Return the targets as numbers (n,), the names of grades or None, and the scores (n,) of the same rows."""
    values, names = learned_targets(estimator, y)
    check_consistent_length(X, values)
    return values, names, scores_of(estimator, X)


def _edges(parts, n_bins):
    """Return the edges of the bins of distances: one bin for each distance if these are few, and otherwise bins with
    about the same number of pairs. ``parts`` are the ascending targets of each group."""
    most, few = max(map(np.ptp, parts)), max(len(np.unique(part)) for part in parts) <= n_bins + 1
    seen = [np.unique(part) if few else part[:: len(part) // SEEN + 1] for part in parts]
    apart = np.concatenate([pdist(part[:, None]) for part in seen]) / most
    apart = np.round(apart[apart > 0], DIGITS)
    distinct = np.unique(apart)
    if few and len(distinct) <= n_bins:
        half = 0.5 * np.min(np.diff(distinct), initial=distinct[-1])
        return most * np.append(distinct - half, distinct[-1] + half)
    inner = np.unique(np.quantile(apart, np.arange(1, n_bins) / n_bins)) - 0.5 * 10.0**-DIGITS
    return most * np.array([0.0, *inner[inner > 0], 1.0])
