"""Common parts of the estimators: checks of the input, fitted attributes, scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, CScale, MatrixLike, PairWeight
from rankmargin.metrics.scorers import RankScorer, weights_of_times
from rankmargin.problem.checks import Certified, check_parameters, check_targets, checked_matrix, fit_weights
from rankmargin.problem.rows.pair_weights import pair_weights
from rankmargin.problem.rows.pairs import check_groups, count_pairs, is_censored, order_of_times, split_times
from rankmargin.solvers.path import Control, Posed, solve
from rankmargin.solvers.progress import current, one_step

FOLDS = 5  # further fits for probabilities


@dataclass(eq=False, repr=False, kw_only=True)
class ScaledC:
    """A C in units that suit any number of rows."""

    C_scale: CScale = "rows"

    def _unit_of_C(self, posed, y, groups=None, sample_weight=None, pair_weight=None, lower=None):
        """Return the weight of all rows divided by that of all pairs: then C = 1 weighs the pairs together as a support
        vector machine weighs its rows.

        With random partners it is the expected weight of the pairs; with weights of pairs, or censored times, that of
        the pairs that were drawn.
        """
        if self.C_scale == "pairs":
            return 1.0
        weight = np.ones(len(y)) if sample_weight is None else sample_weight
        if pair_weight is None:
            pairs = self._weight_of_pairs(posed, y, groups, weight, lower)
        else:
            pairs = float(posed.rows.cost.sum()) / self._cost(y, groups)
        return float(weight.sum()) / pairs if pairs > 0 else 1.0

    def _weight_of_pairs(self, posed, y, groups, weight, lower):
        return count_pairs(y, groups, weight, lower)

    def _cost(self, y, groups):
        """Return the weight of a pair with C = 1 in the paper."""
        return 1.0


@dataclass
class Prepared:
    """What a fit has made of its data before a problem is solved.

    Attributes
    ----------
    posed : Posed, or the model of an estimator without a path
    control : Control, or None without a path
    y, weight : (m,) arrays, targets and weights (or None) of the rows of the problem
    n : int, number of rows of the data
    kept : (m,) array, the rows of the problem if some weigh nothing, or None
    data : what the estimator itself needs after the solve
    """

    posed: Any
    control: Any
    y: Any
    weight: Any
    n: int
    kept: Any = None
    data: Any = None

    def over_all_rows(self, beta: Array) -> Array:
        """Return coefficients of the rows of the problem as those of all rows."""
        return beta if self.kept is None else np.bincount(self.kept, beta, self.n)


class KernelMachine(BaseEstimator):
    """An estimator that prepares the data, solves its problem and stores the solution.

    Each has ``_prepare(X, y, ...)``, which returns the data of ``fit`` as :class:`Prepared`, and ``_problem(X, y, *,
    seed, sample_weight, ...)``, which returns the problem on checked data as :class:`rankmargin.solvers.path.Posed`, or
    the fitted model if there is no path over C. There X is an (n, d) array or CSR matrix, (n, n) kernel matrix or (n, 2
    d) array of pairs, y an (n,) array, and the weights are > 0: a weight of 2 is a row given twice.
    """

    kernel: Any = None
    random_state: Any = 0
    probability = False
    learns_from = "rows"

    def _fit(self, X, y, **given):
        with one_step(self) as fresh:
            check_parameters(fresh)
            prepared = fresh._prepare(X, y, **given)
            model = prepared.posed if prepared.control is None else fresh._solve(prepared, [fresh.C])[0]
            fresh._finish(model, prepared)
        return self

    def _pose(self, X, y, groups=None, sample_weight=None, pair_weight=None, event=None):
        """Pose the problem on checked data; rows of weight 0 are left out."""
        if pair_weight is not None:
            pair_weight = pair_weights(pair_weight, y, groups, sample_weight)
        lower = event if event is None or sample_weight is None else event * sample_weight
        n, kept = X.shape[0], None
        if sample_weight is not None and np.any(sample_weight == 0):
            kept = np.flatnonzero(sample_weight > 0)
            X = X[np.ix_(kept, kept)] if self._is_pairwise() else X[kept]
            y, sample_weight = y[kept], sample_weight[kept]
            groups = None if groups is None else groups[kept]
            pair_weight = None if pair_weight is None else pair_weight.take(kept)
            lower = None if lower is None else lower[kept]
        self._kept = kept if self._is_pairwise() else None
        data = {"sample_weight": sample_weight, "groups": groups, "pair_weight": pair_weight, "lower": lower}
        data, seed = {name: value for name, value in data.items() if value is not None}, self._seed()
        posed = self._problem(X, y, seed=seed, **data)
        if isinstance(posed, Posed):
            posed.weight = sample_weight
        control = self._control(seed, self._unit_of_C(posed, y, **data))
        return Prepared(posed, control, y, sample_weight, n, kept)

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

    def _unit_of_C(self, posed, y, groups=None, sample_weight=None, pair_weight=None, lower=None):
        return 1.0

    def _default_Cs(self, y, parts, sample_weight=None):
        """Return the values of C that a path has by itself; ``parts`` are the rows (indices or slices) of its fits."""
        return 10.0 ** np.arange(-2, 5 if len(y) <= 500 else 4)  # the last takes most of the time

    def _control(self, seed, unit=1.0):
        if not isinstance(self, Certified):
            return None
        return Control(self.tol, self.max_iter, seed, self.verbose, self.max_seconds, unit)

    def _solve(self, prepared, values):
        """Return one model for each C, in the units of ``C_scale``."""
        with current().share(1 + FOLDS if self.probability else 1):
            return solve(prepared.posed, values, prepared.control)

    def _finish(self, model, prepared):
        """Set the fitted attributes."""
        self.model_, solution = model, model.solution
        if solution is not None:
            self.dual_coef_ = prepared.over_all_rows(solution.beta)
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

    def _finish(self, model, prepared):
        super()._finish(model, prepared)
        self._set_mean(model)

    @property
    def _shift(self):
        """Return what scores X coef_ are above those from the mean."""
        return self.model_.shift


class MarginRanker(RegressorMixin, ScoredRows):
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

    def _prepare(self, X, y, groups=None, sample_weight=None, pair_weight=None, event=None, **unknown):
        refuse_unknown(self, unknown, "groups=, the group of each row, sample_weight=, pair_weight= and event=")
        if is_censored(y, event):
            y, event = split_times(y, event)
        X, (y, _), sample_weight = checked_rows(self, X, y, sample_weight)
        if event is not None:
            pair_weight, y = weights_of_times(pair_weight, y), order_of_times(y, event)
        return self._pose(X, y, check_groups(X, groups), sample_weight, pair_weight, event)

    def predict(self, X: MatrixLike) -> Array:
        """Return the scores f(X), shape (m,): a row with a higher score is further ahead. Those of a linear function
        are ``(X - x_mean_) @ coef_``, in which an offset of a column costs no digits."""
        return self._from_mean(X)

    def score(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
        event: ArrayLike | None = None,
    ) -> float:
        """Return the share of pairs in the right order, 1 - eq. (1) of Diez et al.: 1 is a perfect order.

        Tied scores count as swapped. If there is no pair to compare, the score is nan, with a warning. For censored
        times it is Harrell's :func:`rankmargin.metrics.concordance_index`.

        Parameters
        ----------
        X, y, groups, sample_weight, pair_weight, event : as in :meth:`fit`
            Weights are used in the score only if they are passed here too.
        """
        return RankScorer("concordance")(self, X, y, groups, sample_weight, event, pair_weight)


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
