"""Common parts of the estimators: checks of the input, fitted attributes, scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, MatrixLike, PairWeight
from rankmargin.metrics.scorers import ScoredByOrder, weights_of_times
from rankmargin.problem.checks import check_parameters, check_targets, checked_matrix, fit_weights
from rankmargin.problem.rows.pair_weights import pair_weights
from rankmargin.problem.rows.pairs import check_groups, is_censored, order_of_times, split_times
from rankmargin.solvers.progress import current, one_step

FOLDS = 5  # further fits for probabilities
OF_ROWS = "y", "groups", "sample_weight", "pair_weight", "lower", "before_classes"


@dataclass
class Data:
    """What a fit is given, checked, without the rows that weigh nothing.

    Attributes
    ----------
    X : (m, d) array or CSR matrix; (m, m) kernel matrix; or (m, 2 d) array of pairs
    y : (m,) array of targets; of pairs 1 if the second item is better, 0 or -1
    groups : (m,) int array or None
    sample_weight : (m,) array > 0 or None: a weight of 2 is a row given twice
    pair_weight : PairWeights or None; for RankSVR a (p,) array
    lower : (m,) array or None, what a row brings to the weight of a pair as the lower one; its weight if it is None
    Z, pairs : rows without targets, and (p, 2) orderings of them, or None
    seed : int, of samples and shuffles
    names : (r,) array of the grades that the numbers y stand for, or None
    before_classes : (m,) array or None, the weights without those of classes
    n : int or None, number of rows of ``fit``
    kept : (m,) int array, which of them weigh something, or None for all
    """

    X: Any
    y: Any
    groups: Any = None
    sample_weight: Any = None
    pair_weight: Any = None
    lower: Any = None
    Z: Any = None
    pairs: Any = None
    seed: int = 0
    names: Any = None
    before_classes: Any = None
    n: Any = None
    kept: Any = None

    @property
    def weight(self) -> Array:
        """Return the weights of the rows, shape (m,)."""
        return np.ones(len(self.y)) if self.sample_weight is None else self.sample_weight

    def taken(self, kept: Array, pairwise: bool) -> Self:
        """Return the data of some rows, and of their columns if X is ``pairwise``."""
        named = {name: getattr(self, name) for name in OF_ROWS}
        of_rows = {name: value.take(kept) for name, value in named.items() if value is not None}
        return replace(self, X=self.X[np.ix_(kept, kept)] if pairwise else self.X[kept], kept=kept, **of_rows)

    def over_all_rows(self, beta: Array) -> Array:
        """Return coefficients of the rows as those of all rows of ``fit``."""
        return beta if self.kept is None else np.bincount(self.kept, beta, self.n)


class KernelMachine(BaseEstimator):
    """An estimator that checks its data, poses its problem and stores the solution.

    Each has ``_problem(data)``, which returns its problem for any C, as :class:`rankmargin.solvers.path.Posed`, or as
    :class:`rankmargin.solvers.path.Alone` if it has no certificate. Its base has ``_data(X, y, ...)``, which returns
    the checked arguments of ``fit`` as :class:`Data`. ``_finish`` sets the fitted attributes.
    """

    kernel: Any = None
    random_state: Any = 0
    probability = False
    learns_from = "rows"

    def _fit(self, X, y, **given):
        with one_step(self) as fresh:
            check_parameters(fresh)
            data = fresh._data(X, y, **given)
            posed = fresh._problem(data)
            with current().share(fresh._fits()):
                (model,) = posed.solve([getattr(fresh, "C", None)])
            fresh._finish(model, data)
        return self

    def _that_weigh(self, X, y, *, groups=None, sample_weight=None, pair_weight=None, event=None, **others):
        """Return the data of checked arguments without rows of weight 0."""
        lower = event if event is None or sample_weight is None else event * sample_weight
        if pair_weight is not None:
            pair_weight = pair_weights(pair_weight, y, groups, sample_weight)
        data = Data(X, y, groups, sample_weight, pair_weight, lower, seed=self._seed(), n=X.shape[0], **others)
        if sample_weight is not None and not sample_weight.all():
            data = data.taken(np.flatnonzero(sample_weight), self._is_pairwise())
        self._kept = data.kept if self._is_pairwise() else None
        return data

    def _seed(self):
        """Return a number as it is, so that experiments and estimators draw the same; otherwise draw one."""
        state = self.random_state
        if isinstance(state, Integral) and state >= 0:
            return int(state)
        if isinstance(state, np.random.Generator):
            return int(state.integers(2**31 - 1))
        if state is not None and not isinstance(state, np.random.RandomState):
            raise ValueError(f"random_state must be an integer >= 0, a generator of numpy or None, got {state!r}")
        return int(check_random_state(state).randint(2**31 - 1))

    def _fits(self):
        """Return the number of fits that share the time of one."""
        return 1 + FOLDS if self.probability else 1

    def _default_Cs(self, y, parts, sample_weight=None):
        """Return the values of C that a path has by itself; ``parts`` are the rows (indices or slices) of its fits."""
        return 10.0 ** np.arange(-2, 5 if len(y) <= 500 else 4)  # the last takes most of the time

    def _finish(self, model, data):
        """Set the fitted attributes."""
        self.model_, solution = model, model.solution
        if solution is not None:
            self.dual_coef_ = data.over_all_rows(solution.beta)
            self.objective_, self.dual_bound_, self.gap_ = solution.objective, solution.dual_bound, solution.gap
            self.n_iter_ = solution.n_iter
        if not self._keeps_rows():
            self.model_ = model if solution is None else model.without_rows()
            if not self._is_linear() and solution is not None:
                self.landmarks_, self.landmark_coef_ = model.kernel.landmarks, model.kernel.coefficients(model.w)
            elif self._is_linear():
                self.coef_ = model.w

    def _set_mean(self, model):
        """Set the mean from which a linear function counts, in predictions."""
        if hasattr(self, "coef_"):
            self.x_mean_ = model.mean + np.zeros_like(model.w)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = not self._is_pairwise()
        tags.input_tags.pairwise = self._is_pairwise()
        return tags

    def _is_pairwise(self):
        return self.kernel == "precomputed"

    def _keeps_rows(self):
        """Return whether the model keeps rows of X, so that they are copied: later changes must not reach it."""
        return not self._is_linear() and getattr(self, "landmarks", None) is None

    def _is_linear(self):
        return self.kernel in (None, "linear")


class ScoredRows(KernelMachine):
    """An estimator whose function gives each row a score."""

    def score_samples(self, X: MatrixLike) -> Array:
        """Return the scores f(X), shape (m,): a row with a higher score is further ahead. Those of a linear function
        are ``X @ coef_``."""
        return self._from_mean(X) + self._shift

    def _from_mean(self, X):
        """Return the scores (m,), of a linear function those of X minus the means of the fit: no digit is lost."""
        check_is_fitted(self)
        X = checked_matrix(self, X, reset=False)
        return finite_scores(self.model_, X if self._kept is None else X[:, self._kept])

    def _finish(self, model, data):
        super()._finish(model, data)
        self._set_mean(model)

    @property
    def _shift(self):
        """Return what scores X coef_ are above those from the mean."""
        return self.model_.shift


class MarginRanker(ScoredByOrder, ScoredRows):
    """An estimator that orders rows: its predictions are scores, and only their order has a meaning."""

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
        event: ArrayLike | None = None,
        **unknown: Any,
    ) -> Self:
        """Fit on rows X and targets y.

        Parameters
        ----------
        X : (n, d) array, data frame or CSR matrix; (n, n) kernel matrix with ``kernel="precomputed"``
        y : (n,) array of numbers, or ordered categorical; higher means ahead. Or times, some of which are censored: a
            structured array (event, time), as in scikit-survival
        groups : (n,) array or None
            Pairs are formed only between rows of the same group.
        sample_weight : (n,) array >= 0 or None
            The weight of a pair is the product of the weights of its rows: a weight of 2 is the same as giving the row
            twice.
        pair_weight : callable, "ndcg", (n, n) array or None
            An additional weight for each pair. A callable is called with two (p,) arrays, the targets of the rows ahead
            and of the rows behind, and returns (p,) weights >= 0. In an array, entry [i, j] is the weight of the pair
            in which row i is ahead of row j. With ``ndcg``, y >= 0 are gains, and the weight of a pair is the NDCG lost
            when its two rows swap places in the ideal order, so the top matters most. With any of these, all pairs are
            listed, at most 20 million. Censored times have no ``ndcg``, because the true gains are not known.
        event : (n,) array of bool or None
            True if the event happened at time y, False if the row is censored: its event comes later than y. A pair
            is used only if its earlier row is an event. A higher score then means a later event, so a lower risk.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data are not accepted, or there is no pair to learn from.
        """
        given = {"groups": groups, "sample_weight": sample_weight, "pair_weight": pair_weight, "event": event}
        return self._fit(X, y, **given, **unknown)

    def _data(self, X, y, groups=None, sample_weight=None, pair_weight=None, event=None, **unknown):
        refuse_unknown(self, unknown, "groups=, the group of each row, sample_weight=, pair_weight= and event=")
        if is_censored(y, event):
            y, event = split_times(y, event)
        X, (y, _), sample_weight = checked_rows(self, X, y, sample_weight)
        if event is not None:
            pair_weight, y = weights_of_times(pair_weight, y), order_of_times(y, event)
        groups = check_groups(X, groups)
        return self._that_weigh(X, y, groups=groups, sample_weight=sample_weight, pair_weight=pair_weight, event=event)

    def predict(self, X: MatrixLike) -> Array:
        """Return the scores f(X), shape (m,): a row with a higher score is further ahead. Those of a linear function
        are ``(X - x_mean_) @ coef_``, in which an offset of a column costs no digits."""
        return self._from_mean(X)


def refuse_unknown(estimator: Any, unknown: dict[str, Any], takes: str) -> None:
    """Refuse unknown arguments of ``fit``, such as the names in other libraries, and name the accepted ones."""
    if unknown:
        raise TypeError(f"{type(estimator).__name__}.fit takes {takes}, got {', '.join(unknown)}")


def checked_rows(
    estimator: Any,
    X: MatrixLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    categories: Sequence[Any] | None = None,
) -> tuple[Any, tuple[Array, Array | None], Array | None]:
    """Return X, the checked targets (numbers, names) and the weights (n,) of a fit."""
    if y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    X = checked_matrix(estimator, X, copy=estimator._keeps_rows())
    targets = check_targets(y, categories)
    check_consistent_length(X, targets[0])
    return X, targets, fit_weights(X, sample_weight)


def finite_scores(model: Any, X: Any) -> Array:
    """Return the scores of a model, shape (m,); refuse X for which they are too large for a float64.

    Equal rows get equal scores, although products with a kernel matrix may round the same row differently at another
    place.
    """
    rows, place = _without_repeats(model, X)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = model.scores(rows)
    if not np.isfinite(scores).all():
        raise ValueError(f"X must have finite scores, got inf or nan for X up to {float(abs(X).max()):.3g}: scale X")
    return scores if place is None else scores[place]


def _without_repeats(model, X):
    """Return X without repeated rows, and the place of each row in it; X and None if repeated rows do not matter."""
    kernel = getattr(model, "kernel", None)
    if kernel is None or kernel.name in ("linear", "precomputed") or not isinstance(X, np.ndarray):
        return X, None
    first, place = distinct_rows(X)
    return (X, None) if len(first) == len(X) else (X[first], place)


def distinct_rows(X: Any) -> tuple[Array, Array]:
    """Return where each distinct row of X (CSR, array or data frame) stands for the first time, and the number of each
    row among the distinct ones, shape (m,)."""
    seen: dict[tuple[Any, ...], int] = {}
    if hasattr(X, "tocsr"):
        X = X.tocsr(copy=True)
        X.sum_duplicates()
        X.eliminate_zeros()
        ends = zip(X.indptr[:-1], X.indptr[1:], strict=True)
        keys = [(X.indices[a:b].tobytes(), X.data[a:b].tobytes()) for a, b in ends]
        packed = np.array([seen.setdefault(key, len(seen)) for key in keys])
    elif np.asarray(X).dtype.kind not in "biuf":
        packed = np.array([seen.setdefault(tuple(row), len(seen)) for row in np.asarray(X, dtype=object)])
    else:
        X = np.ascontiguousarray(X) + 0.0  # no -0.0
        packed = X.view(np.dtype((np.void, X.dtype.itemsize * X.shape[1]))).ravel()
    _, first, place = np.unique(packed, return_index=True, return_inverse=True)
    return first, place
