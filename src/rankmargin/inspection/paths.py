"""Fits along C and along the number of rows, with their gaps."""

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import get_tags, indexable
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.caller import warn_caller
from rankmargin.estimators.fit_arguments import learns_inside_groups
from rankmargin.estimators.path import named_for
from rankmargin.inspection._display import Display
from rankmargin.metrics.scorers import scored, scorer_of
from rankmargin.problem.checks import holder_of, split, with_inner
from rankmargin.problem.rows.pairs import NoPairError, check_groups
from rankmargin.search.folds import splits_of, tell_labels
from rankmargin.search.search import RankSearchCV

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)


class SearchDisplay(Display):
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
        given, search = search, next((inner for inner in with_inner(search) if isinstance(inner, RankSearchCV)), None)
        if search is None:
            raise TypeError(f"search must be a RankSearchCV or end in one, got {type(given).__name__}")
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
        from matplotlib.lines import Line2D

        ax, order, (best, C) = self._axes(ax), np.argsort(self.Cs), self.chosen
        for setting, name in enumerate(self.names):
            style, seen = {"linewidth": 0.8}, self.scores[setting][:, ~np.all(np.isnan(self.scores[setting]), axis=0)]
            if setting == best:
                ax.plot(self.Cs[order], seen[order], color="0.8", linewidth=0.8, zorder=1)
                style = self._style(Line2D, line, marker="o", color="k")
            if seen.size:
                ax.plot(self.Cs[order], np.nanmean(seen, axis=1)[order], **{"label": name, **style})
        ax.axvline(C, color="0.4", linewidth=0.8, linestyle="--")
        ax.set(xscale="log", xlabel="C", ylabel="score of the test parts")
        if len(self.names) > 1:
            ax.legend(frameon=False, fontsize="small")
        if self.gaps is not None:
            self._draw_gaps(self.Cs[order], self.gaps[best][order, None])
        return self


class ColumnWeightsDisplay(Display):
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
        holder = holder_of(search, "column_weights_")
        if holder is None:
            raise TypeError(f"search must be a fitted RankSearchCV that scales columns, got {type(search).__name__}")
        return cls(dict([*holder.column_weights_.items()][:most])).plot(ax=ax)

    def plot(self, *, ax: Any = None, **bars: Any) -> Self:
        """Draw on ``ax`` or on a new figure, and return self; ``bars`` goes to matplotlib."""
        from matplotlib.patches import Rectangle

        ax = self._axes(ax)
        places = range(len(self.weights))
        ax.barh(places, [*self.weights.values()], **self._style(Rectangle, bars))
        ax.set_yticks(places, map(str, self.weights))
        ax.invert_yaxis()
        ax.set(xlabel="share in the mean squared slopes of the scores")
        return self


class LearningCurveDisplay(Display):
    """Scores of training rows and of held-out rows for growing training parts, with the gaps of the fits.

    It is the display of that name in scikit-learn, adapted to rankers: groups stay whole, only pairs inside a group are
    compared, folds without a pair are left out, and the gap of each fit is shown.

    Parameters
    ----------
    train_sizes : (k,) array
        Number of training rows of each size, mean over the folds.
    train_scores, test_scores : (k, folds) arrays
        nan if there is no pair to compare, or none to learn from; such a point is not drawn.
    gaps : (k, folds) array or None
        Relative duality gaps of the fits; None if the estimator has no gap.
    """

    def __init__(self, train_sizes: Array, train_scores: Array, test_scores: Array, gaps: Array | None = None) -> None:
        self.train_sizes, self.train_scores, self.test_scores = train_sizes, train_scores, test_scores
        self.gaps = gaps

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: MatrixLike,
        y: ArrayLike,
        *,
        groups: ArrayLike | None = None,
        train_sizes: Sequence[float] | Array = SHARES,
        cv: Any = None,
        scoring: Callable[..., float] | str | None = None,
        random_state: int = 0,
        ax: Any = None,
    ) -> Self:
        """Fit clones of an estimator on shares of the training rows of each fold, and draw.

        Parameters
        ----------
        estimator : estimator
            It is cloned, not fitted.
        X, y : (n, p) and (n,) arrays
            As in its ``fit``.
        groups : (n,) array or None
            Passed to ``fit`` and to ``scoring``, if ``fit`` takes them. Folds and shares then consist of whole groups.
        train_sizes : sequence of float in (0, 1]
            Shares of the training rows of a fold, or of its groups. Where the fit on a smaller share than the largest
            raises a ValueError, such as for too few rows, nothing is drawn for it, with a ``FitFailedWarning``.
        cv : int, splitter or None
            The number of folds, or a splitter; None means five folds. They keep groups whole; without groups they are
            stratified for grades.
        scoring : callable, text or None
            As in :class:`rankmargin.RankSearchCV`; None means ``concordance``, the share of pairs in the right order.
        random_state : int
            Seed of the random order in which rows or groups are added.
        ax : matplotlib axes or None
            None makes a new figure.
        """
        shares = np.asarray(train_sizes, dtype=np.float64)
        if shares.ndim != 1 or not len(shares) or not np.all((shares > 0) & (shares <= 1)):
            raise ValueError(f"train_sizes must be shares in (0, 1], got {train_sizes!r}")
        scoring = scorer_of(scoring)
        y = y if hasattr(y, "shape") else np.asarray(y)
        group, rng, found = check_groups(y, groups), np.random.default_rng(random_state), []
        (X,) = indexable(X if hasattr(X, "shape") else np.asarray(X))
        if hasattr(X, "columns") and get_tags(estimator).input_tags.pairwise:
            X = np.asarray(X)
        machine, refusals = clone(estimator), []
        tell_labels(machine, y)
        for train, held_out in splits_of(estimator, cv, X, y, groups):
            parts = _growing(train, group, shares, rng)
            order = sorted(
                range(len(parts)), key=lambda number: -len(parts[number])
            )  # a wrong argument is said at once
            fits = {
                number: _fit_and_score(machine, X, y, group, parts[number], held_out, scoring, number != order[0])
                for number in order
            }
            found.append([fits[number][0] for number in range(len(parts))])
            refusals += [error for _, error in fits.values()]
        if None not in refusals:
            raise refusals[-1]
        sizes, train_scores, test_scores, gaps = np.array(found, dtype=np.float64).T
        return cls(sizes.mean(axis=1), train_scores, test_scores, None if np.isnan(gaps).all() else gaps).plot(ax=ax)

    def plot(self, *, ax: Any = None, **line: Any) -> Self:
        """Draw means and standard deviations over the folds on ``ax`` or on a new figure, and return self.

        ``line`` is passed to matplotlib. The largest gap of each size is drawn on a separate axis on the right, unless
        ``gaps`` is None.
        """
        from matplotlib.lines import Line2D

        ax = self._axes(ax)
        for scores, label in ((self.train_scores, "training rows"), (self.test_scores, "rows held out")):
            sizes, seen = _seen(self.train_sizes, scores)
            mean, spread = np.nanmean(seen, axis=1), np.nanstd(seen, axis=1)
            (drawn,) = ax.plot(sizes, mean, **self._style(Line2D, line, marker="o", label=label))
            ax.fill_between(sizes, mean - spread, mean + spread, color=drawn.get_color(), alpha=0.15)
        ax.set(xlabel="training rows", ylabel="score")
        ax.legend(frameon=False)
        if self.gaps is not None:
            self._draw_gaps(*_seen(self.train_sizes, self.gaps))
        return self


def _seen(sizes, values):
    """Return the sizes at which some fold has a value, and their values in the folds that have one."""
    there = ~np.isnan(values)
    return sizes[there.any(axis=1)], values[np.ix_(there.any(axis=1), there.any(axis=0))]


def _growing(train, group, shares, rng):
    """Return, for each share, the first rows (or whole groups) of the same random order."""
    if group is None:
        members = np.split(rng.permutation(train), len(train))
    else:
        members = [train[group[train] == name] for name in rng.permutation(np.unique(group[train]))]
    return [np.concatenate(members[: max(round(share * len(members)), 1)]) for share in shares]


def _fit_and_score(estimator, X, y, group, rows, test, scoring, may_fail):
    """Return the number of rows, both scores and the gap of one fit, and None; nan and the error after a fit that finds
    no pair, or that fails and may do so."""
    inside, truth = split(estimator, X, y, rows)
    outside, unseen = split(estimator, X, y, test, rows)
    learned = group is not None and learns_inside_groups(estimator)
    given = [{"groups": group[part]} if learned else {} for part in (rows, test)]
    nothing = [len(rows), np.nan, np.nan, np.nan]
    try:
        if np.all(np.asarray(truth) == np.asarray(truth)[0]):
            raise NoPairError("y must hold two distinct targets in the rows of some fit, got one in each")
        fitted = clone(estimator).fit(inside, truth, **named_for(estimator, **given[0]))
    except NoPairError as error:
        return nothing, error
    except ValueError as error:  # some models need more rows
        if not may_fail:
            raise
        warn_caller(f"no fit on {len(rows)} rows: {error}", FitFailedWarning)
        return nothing, error
    scores = [scored(scoring, fitted, inside, truth, **given[0]), scored(scoring, fitted, outside, unseen, **given[1])]
    return [len(rows), *scores, getattr(holder_of(fitted, "gap_"), "gap_", np.nan)], None
