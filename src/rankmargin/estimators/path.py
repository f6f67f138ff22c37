"""A path over C, one fitted estimator for each value, with warm starts; and the choice of C by cross-validation."""

import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils import check_consistent_length, get_tags
from sklearn.utils.metaestimators import _safe_split, available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from rankmargin.annotations import Array, MatrixLike, PairWeight
from rankmargin.estimators.base import KernelMachine
from rankmargin.estimators.one_fit import in_one_step, of_one_fit
from rankmargin.estimators.targets import checked_matrix
from rankmargin.ties import lowest

CS = tuple(10.0 ** np.arange(-3, 3))


def rank_path(
    estimator: Any, X: MatrixLike, y: ArrayLike, Cs: Sequence[float] | Array = CS, **fit_params: Any
) -> list[Any]:
    """Fit an estimator for each C, starting from the previous solution, with one kernel matrix.

    Parameters
    ----------
    estimator : a ranker or an ordinal estimator of this package with a parameter ``C``
        It is not changed.
    X, y : as in its ``fit``
    Cs : sequence of floats > 0
        Best in ascending order, because each solution is the start of the next.
    **fit_params : arguments of its ``fit``
        ``groups``, ``sample_weight``, ``pair_weight``.

    Returns
    -------
    list
        One fitted clone for each C, in their order; they are those of ``fit``, up to the tolerance.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import SwappedPairsSVM, rank_path
    >>> X = np.random.default_rng(0).standard_normal((60, 3))
    >>> y = X[:, 0] + X[:, 1] ** 2
    >>> rankers = rank_path(SwappedPairsSVM(), X, y, Cs=[0.01, 1.0, 100.0])
    >>> [round(ranker.score(X, y), 1) for ranker in rankers]
    [0.8, 1.0, 1.0]
    """
    Cs = _checked_path(estimator, Cs)
    fitted = [clone(estimator).set_params(C=C) for C in Cs]
    models: list[Any] = []
    for position, one in enumerate(fitted):

        def solve(X, y, given, one=one, position=position):
            if not models:
                models.extend(one._solve_path(X, y, Cs, given))
            return models[position]

        one._solve = solve
        one.fit(X, y, **fit_params)
        del one._solve
    return fitted


def folds_of(estimator: Any, cv: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Any:
    """Return the splitter. For a number, and for None, which means five folds, they keep groups whole; without groups
    they are stratified for grades."""
    if groups is not None and (cv is None or isinstance(cv, numbers.Integral)):
        cv = GroupKFold(5 if cv is None else int(cv))
    return check_cv(cv, y, classifier=is_classifier(estimator))


def _checked_path(estimator, Cs):
    named = type(estimator).__name__
    if not isinstance(estimator, KernelMachine) or getattr(estimator._method, "PATH", None) != "C":
        raise ValueError(f"estimator must be one of this package with a path over C, got {named}")
    if estimator.get_params().get("C", 0) is None:
        raise ValueError(f"estimator must have a C whose range does not depend on y, got {named}")
    values = np.asarray(Cs, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(f"Cs must be numbers > 0, got {Cs!r}")
    return values.tolist()


def _of_pairs(pair_weight, rows):
    """Return the weights of the pairs of these rows as an argument of ``fit``, empty if there are none."""
    if pair_weight is None:
        return {}
    named = isinstance(pair_weight, str) or callable(pair_weight)
    return {"pair_weight": pair_weight if named else np.asarray(pair_weight)[np.ix_(rows, rows)]}


def _estimator_has(name):
    return available_if(lambda self: hasattr(getattr(self, "estimator_", self.estimator), name))


@dataclass(eq=False, repr=False)
class RankPathCV(MetaEstimatorMixin, BaseEstimator):
    """Choose C by cross-validation along a path, and fit on all rows with it.

    With groups, the folds keep each group whole, and rows are compared only inside groups. A fold without a pair to
    compare is left out of the mean.

    Parameters
    ----------
    estimator : a ranker or an ordinal estimator of this package with a parameter ``C``
    Cs : sequence of floats > 0, default 0.001, 0.01, ..., 100
    cv : int, splitter or None, default None
        A number of folds, five with None; they consist of whole groups if there are groups, and are stratified for
        grades otherwise.
    scoring : callable or None, default None
        ``scoring(estimator, X, y)``, higher is better, such as :func:`rankmargin.metrics.get_scorer` returns. None is
        ``concordance``, the share of pairs in the right order.

    Attributes
    ----------
    C_ : float
        The C with the highest mean score; the smallest one if several are equal (up to rounding).
    Cs_ : (c,) array
        The values that were tried.
    scores_ : (c, folds) array
        Their scores; nan if a fold has no pair.
    best_score_ : float
        The mean score of ``C_``.
    gaps_ : (c, folds) array
        Relative duality gaps of the fits.
    estimator_ : estimator
        Fitted on all rows with ``C_``.
    grades_, classes_ : (r,) array
        The grades of an ordinal estimator: from the lowest to the highest, and in sorted order.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import RankPathCV, SwappedPairsSVM
    >>> rng = np.random.default_rng(0)
    >>> X, queries = rng.standard_normal((80, 3)), np.repeat(np.arange(10), 8)
    >>> y = X[:, 0] + 5.0 * queries + 0.1 * rng.standard_normal(80)
    >>> search = RankPathCV(SwappedPairsSVM(kernel="linear")).fit(X, y, groups=queries)
    >>> search.best_score_ > 0.9
    True
    """

    estimator: Any
    Cs: Sequence[float] | Array = CS
    cv: Any = None
    scoring: Callable[..., float] | None = None

    @in_one_step
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
    ) -> Self:
        """Fit on rows X and targets y, with the arguments of the estimator's ``fit``.

        Parameters
        ----------
        X, y : as in the ``fit`` of the estimator
        groups : (n,) array or None
        sample_weight : (n,) array >= 0 or None
        pair_weight : callable, "ndcg", (n, n) array or None, if the estimator takes it
            It weights the fits, not the scores of the folds; with ``"ndcg"`` use ``scoring=get_scorer("ndcg")``.

        Returns
        -------
        self
        """
        from rankmargin.metrics import get_scorer

        if y is None:
            raise ValueError("RankPathCV requires y to be passed, but the target y is None")
        X = checked_matrix(self, X)
        y = y if hasattr(getattr(y, "dtype", None), "categories") else np.asarray(y)
        check_consistent_length(X, y, groups)
        Cs = _checked_path(self.estimator, self.Cs)
        given = {"groups": groups, "sample_weight": sample_weight}
        given = {name: np.asarray(values) for name, values in given.items() if values is not None}
        if sample_weight is not None:
            given["sample_weight"] = _check_sample_weight(sample_weight, X)
        cv = folds_of(self.estimator, self.cv, y, groups)
        scoring = get_scorer("concordance") if self.scoring is None else self.scoring
        scores, gaps = [], []
        for train, test in cv.split(X, y, groups):
            rows, targets = _safe_split(self.estimator, X, y, train)
            others, truth = _safe_split(self.estimator, X, y, test, train)
            weights = {name: of[train] for name, of in given.items()} | _of_pairs(pair_weight, train)
            path = rank_path(self.estimator, rows, targets, Cs, **weights)
            inside = {name: of[test] for name, of in given.items()}
            scores.append([scoring(one, others, truth, **inside) for one in path])
            gaps.append([one.gap_ for one in path])
        self.Cs_, self.scores_, self.gaps_ = np.array(Cs), np.array(scores, dtype=np.float64).T, np.array(gaps).T
        seen = ~np.all(np.isnan(self.scores_), axis=0)
        if not seen.any():
            raise ValueError("groups must leave some fold with a pair to compare, got none in any test part")
        best = min(lowest(-self.scores_[:, seen].T), key=lambda i: Cs[i])
        self.C_, self.best_score_ = Cs[best], float(np.nanmean(self.scores_[best, seen]))
        given |= _of_pairs(pair_weight, np.arange(X.shape[0]))
        self.estimator_ = clone(self.estimator).set_params(C=self.C_).fit(X, y, **given)
        if hasattr(self.estimator_, "grades_"):
            self.grades_, self.classes_ = self.estimator_.grades_, self.estimator_.classes_
        return self

    @of_one_fit
    def predict(self, X: MatrixLike) -> Array:
        """Return the predictions of ``estimator_``."""
        X = self._checked(X)
        return self.estimator_.predict(X)

    @of_one_fit
    def score_samples(self, X: MatrixLike) -> Array:
        """Return the scores of ``estimator_``, shape (m,)."""
        X = self._checked(X)
        return self.estimator_.score_samples(X)

    @_estimator_has("decision_function")
    @of_one_fit
    def decision_function(self, X: MatrixLike) -> Array:
        """Return the decision function of ``estimator_``."""
        X = self._checked(X)
        return self.estimator_.decision_function(X)

    @_estimator_has("predict_proba")
    @of_one_fit
    def predict_proba(self, X: MatrixLike) -> Array:
        """Return the probabilities of ``estimator_``."""
        X = self._checked(X)
        return self.estimator_.predict_proba(X)

    @of_one_fit
    def score(self, X: MatrixLike, y: ArrayLike, **score_params: Any) -> float:
        """Return the score of ``estimator_``, with the arguments of its ``score``."""
        X = self._checked(X)
        return self.estimator_.score(X, y, **score_params)

    def _checked(self, X):
        check_is_fitted(self)
        return checked_matrix(self, X, reset=False)

    def __sklearn_tags__(self):
        tags, of = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type, tags.target_tags, tags.input_tags = of.estimator_type, of.target_tags, of.input_tags
        tags.classifier_tags, tags.regressor_tags = of.classifier_tags, of.regressor_tags
        return tags
