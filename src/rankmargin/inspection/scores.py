"""Plots of the scores of a fitted estimator: against targets, and between pairs."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.utils import check_consistent_length, check_scalar

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.inspection._display import Display
from rankmargin.problem.checks import holder_of, learned_targets, scores_of
from rankmargin.problem.rows.pairs import NoPairError, check_groups, group_codes, members

NEARLY = 1e-9  # distances that differ by this share of the largest one are equal up to rounding; float32 has more
SEEN = 1_000_000  # about so many distances say where the bins begin


class ScoresDisplay(Display):
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
        from matplotlib.collections import PathCollection

        ax = self._axes(ax)
        ax.scatter(self.y, self.scores, **self._style(PathCollection, scatter, s=12, alpha=0.6, linewidth=0))
        for threshold in () if self.thresholds is None else self.thresholds:
            ax.axhline(threshold, color="0.4", linewidth=0.8, linestyle="--")
        if self.names is not None:
            ax.set_xticks(range(len(self.names)), self.names)
        ax.set(xlabel="target", ylabel="score")
        return self


class SwappedPairsDisplay(Display):
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
        of_y, (values, _, scores) = np.asarray(y).dtype, _targets_and_scores(estimator, X, y)
        parts = _ascending(values, scores, check_groups(scores, groups))
        edges = _edges([y for y, _ in parts], n_bins, _nearly(of_y, values))
        pairs, swapped = np.zeros((2, len(edges) - 1), dtype=np.int64)
        for y, s in parts:
            for row, distances in _distances(y):  # those of one row at a time, so that memory is O(n)
                pairs += np.histogram(distances, edges)[0]
                swapped += np.histogram(distances[s[row] <= s[: len(distances)]], edges)[0]
        return cls(edges, swapped, pairs).plot(ax=ax)

    def plot(self, *, ax: Any = None, **bars: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``bars`` goes to matplotlib."""
        from matplotlib.patches import Rectangle

        ax, share = self._axes(ax), self.swapped / np.maximum(self.pairs, 1)
        style = self._style(Rectangle, bars, align="edge", edgecolor="white")
        ax.bar(self.edges[:-1], share, np.diff(self.edges), **style)
        ax.set(xlabel="distance of the targets of a pair", ylabel="share of swapped pairs", ylim=(0, None))
        return self


def _targets_and_scores(estimator, X, y):
    """Return the targets as numbers (n,), the names of grades or None, and the scores (n,) of the same rows."""
    values, names = learned_targets(estimator, y)
    check_consistent_length(X, values)
    return values, names, scores_of(estimator, X)


def _ascending(y, s, groups):
    """Return the targets and the scores of each group, two (m,) arrays in the order of y."""
    y = np.asarray(y, dtype=np.float64)
    order = [rows[np.argsort(y[rows], kind="stable")] for rows in members(group_codes(groups, len(y)))]
    return [(y[rows], s[rows]) for rows in order]


def _distances(y):
    """Yield each row of ascending y (m,) with its distances to the rows below it, unless there are none."""
    for row, below in enumerate(np.searchsorted(y, y).tolist()):
        if below:
            yield row, y[row] - y[:below]


def _nearly(dtype, values):
    """Return the share of the largest distance by which distances of targets (n,), which came in this type, differ that
    are equal up to rounding."""
    most = float(np.ptp(np.asarray(values, dtype=np.float64)))
    if dtype.kind != "f" or most == 0.0:
        return NEARLY
    return max(NEARLY, 4.0 * float(np.finfo(dtype).eps) * float(np.abs(values).max()) / most)


def _edges(parts, n_bins, nearly):
    """Return the edges of the bins of distances: one bin for each distance if these are few, and otherwise bins with
    about the same number of pairs. ``parts`` are the ascending targets of each group; ``nearly`` is of `_nearly`."""
    values = [np.unique(y) for y in parts]
    if max(map(len, values)) <= n_bins + 1:  # more values have more distances than there are bins
        found = np.concatenate([np.empty(0), *(distances for column in values for _, distances in _distances(column))])
        if not len(found):
            raise NoPairError("y must hold a pair to compare, got none")
        found = np.unique(found)
        distinct = found[np.diff(found, prepend=0.0) > nearly * found[-1]]  # others differ by rounding
        if len(distinct) <= n_bins:
            half = 0.5 * np.min(np.diff(distinct), initial=distinct[0])
            edges = np.append(distinct - half, distinct[-1] + half)
            edges[0], edges[-1] = min(edges[0], found[0]), max(edges[-1], found[-1])  # targets may differ by rounding
            return edges
    least, most = (
        min(np.diff(column).min(initial=np.inf) for column in values),
        max(float(np.ptp(column)) for column in values),
    )
    step = sum(int(np.searchsorted(y, y).sum()) for y in parts) // SEEN + 1
    seen = np.concatenate([distances[step // 2 :: step] for y in parts for _, distances in _distances(y)])
    inner = np.quantile(seen, np.arange(1, n_bins) / n_bins) + nearly * most  # equal up to rounding is one bin
    inner = inner[np.diff(inner, prepend=-np.inf) > 2 * nearly * most]
    return np.array([least, *inner[(inner > least) & (inner < most)], most])
