"""Plots of the scores of a fitted estimator: against targets, and between pairs."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.utils import check_consistent_length, check_scalar

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.problem.checks import holder_of, learned_targets, scores_of
from rankmargin.problem.rows.pairs import check_groups, check_pairs, group_codes, members

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
