"""Plots of the scores of a fitted estimator: against targets, between pairs, for ties."""

import itertools
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array, MatrixLike
from rankmargin.estimators.checks import holder_of, learned_targets, scores_of
from rankmargin.inspection._display import Display
from rankmargin.rows.pairs import NoPairError, check_groups, group_codes, members

NEARLY = 1e-9  # distances that differ by this share of the largest one are equal up to rounding
HALVINGS = 60


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
        values, names = learned_targets(estimator, y)
        thresholds = getattr(holder_of(estimator, "thresholds_"), "thresholds_", None)
        return cls(values, scores_of(estimator, X), thresholds, names).plot(ax=ax)

    def plot(self, *, ax: Any = None, **scatter: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``scatter`` goes to matplotlib."""
        ax = self._axes(ax)
        ax.scatter(self.y, self.scores, **{"s": 12, "alpha": 0.6, "linewidths": 0, **scatter})
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
        scores = scores_of(estimator, X)
        parts = _ascending(learned_targets(estimator, y)[0], scores, check_groups(scores, groups))
        edges = _edges([y for y, _ in parts], n_bins)
        pairs, swapped = np.zeros((2, len(edges) - 1), dtype=np.int64)
        for y, s in parts:
            for row, distances in _distances(y):  # those of one row at a time, so that memory is O(n)
                pairs += np.histogram(distances, edges)[0]
                swapped += np.histogram(distances[s[row] <= s[: len(distances)]], edges)[0]
        return cls(edges, swapped, pairs).plot(ax=ax)

    def plot(self, *, ax: Any = None, **bars: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``bars`` goes to matplotlib."""
        ax, share = self._axes(ax), self.swapped / np.maximum(self.pairs, 1)
        ax.bar(self.edges[:-1], share, np.diff(self.edges), align="edge", **{"edgecolor": "white", **bars})
        ax.set(xlabel="distance of the targets of a pair", ylabel="share of swapped pairs", ylim=(0, None))
        return self


class TiesDisplay(Display):
    """Distances of the scores of rows with equal targets, compared with those of rows with neighbouring targets.

    Parameters
    ----------
    tied, neighbours : arrays of shape (p,) and (q,)
        Distances of the scores in pairs with equal targets, and signed distances in pairs with neighbouring targets.
    """

    def __init__(self, tied: Array, neighbours: Array) -> None:
        self.tied, self.neighbours = tied, neighbours

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike,
        y: ArrayLike,
        *,
        n_pairs: int = 20_000,
        random_state: int = 0,
        ax: Any = None,
    ) -> Self:
        """Draw for a fitted estimator, the rows X and their targets y, from ``n_pairs`` random pairs of rows."""
        values, _ = learned_targets(estimator, y)
        place, scores = np.unique(values, return_inverse=True)[1], scores_of(estimator, X)
        i, j = np.random.default_rng(random_state).integers(len(scores), size=(2, n_pairs))
        step, gap = place[i] - place[j], scores[i] - scores[j]
        return cls(np.abs(gap[(step == 0) & (i != j)]), gap[step == 1]).plot(ax=ax)

    def plot(self, *, ax: Any = None, bins: int = 40) -> Self:
        """Draw on ``ax`` or on a new figure, and return self."""
        ax = self._axes(ax)
        for gaps, label in ((self.tied, "equal targets"), (self.neighbours, "neighbouring targets")):
            if len(gaps):
                ax.hist(gaps, bins=bins, density=True, histtype="step", label=label)
        ax.axvline(0.0, color="0.4", linewidth=0.8)
        ax.set(xlabel="distance of the scores", ylabel="density")
        ax.legend(frameon=False)
        return self


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


def _edges(parts, n_bins):
    """Return the edges of the bins of distances: one bin for each distance if these are few, and otherwise bins with
    about the same number of pairs. ``parts`` are the ascending targets of each group."""
    distinct = np.empty(0)
    for _, distances in itertools.chain.from_iterable(map(_distances, parts)):
        distinct = np.unique(np.append(distinct, distances))
        distinct = distinct[np.diff(distinct, prepend=-np.inf) > NEARLY * distinct[-1]]  # others differ by rounding
        if len(distinct) > n_bins:
            return _quantiles(parts, n_bins)
    if not len(distinct):
        raise NoPairError("y must hold a pair to compare, got none")
    half = 0.5 * np.min(np.diff(distinct), initial=distinct[0])
    return np.append(distinct - half, distinct[-1] + half)


def _quantiles(parts, n_bins):
    """Return the smallest and the largest distance, and between them those up to which a share of 1 / n_bins, 2 /
    n_bins, ... of the pairs lies, which are found by bisection."""
    least = min(np.diff(np.unique(y)).min(initial=np.inf) for y in parts)
    most = max(float(np.ptp(y)) for y in parts)
    low, high = np.full(n_bins - 1, least), np.full(n_bins - 1, most)
    below = [np.searchsorted(y, y) for y in parts]
    wanted = np.arange(1, n_bins) / n_bins * sum(rows.sum() for rows in below)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        nearer = [sum(np.sum(b - np.searchsorted(y, y - t)) for y, b in zip(parts, below, strict=True)) for t in middle]
        enough = np.array(nearer) >= wanted
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    high += NEARLY * most  # distances that differ by rounding are in one bin
    inner = high[np.diff(high, prepend=-np.inf) > 2 * NEARLY * most]
    return np.array([least, *inner[(inner > least) & (inner < most)], most])
