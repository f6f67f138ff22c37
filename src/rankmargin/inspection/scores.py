"""Plots of the scores of a fitted estimator: against targets, between pairs, for ties."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array, MatrixLike
from rankmargin.estimators.targets import check_groups, check_targets, order_of
from rankmargin.inspection._display import Display


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
        values, names = _targets(estimator, y)
        return cls(values, _scores(estimator, X), getattr(estimator, "thresholds_", None), names).plot(ax=ax)

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
        values, _ = _targets(estimator, y)
        scores = _scores(estimator, X)
        groups = check_groups(scores, groups)
        found = [np.empty((2, 0))]
        for i in range(len(scores)):  # one row at a time, without an n x n matrix
            below = values < values[i] if groups is None else (values < values[i]) & (groups == groups[i])
            found.append(np.stack([values[i] - values[below], scores[i] <= scores[below]]))
        distance, wrong = np.concatenate(found, axis=1)
        if not len(distance):
            raise ValueError("y must hold a pair to compare, got none")
        distinct = np.unique(distance)
        if len(distinct) <= n_bins:
            edges = np.append(distinct - 0.5 * np.min(np.diff(distinct), initial=1.0), distinct[-1] + 0.5)
        else:
            edges = np.unique(np.quantile(distance, np.linspace(0, 1, n_bins + 1)))
        pairs = np.histogram(distance, edges)[0]
        return cls(edges, np.histogram(distance, edges, weights=wrong)[0], pairs).plot(ax=ax)

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
        values, _ = _targets(estimator, y)
        place, scores = np.unique(values, return_inverse=True)[1], _scores(estimator, X)
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


def _scores(estimator, X):
    return np.asarray(getattr(estimator, "score_samples", estimator.predict)(X), dtype=np.float64)


def _targets(estimator, y):
    """Return y as numbers (n,), and the names of the grades (r,) or None."""
    return check_targets(y, order_of(estimator, y))
