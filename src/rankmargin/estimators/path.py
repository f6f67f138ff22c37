"""A path over C, one fitted estimator for each value, with warm starts; and the choice of C by cross-validation."""

import inspect
import numbers
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import GroupKFold, ParameterGrid, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import check_consistent_length, get_tags
from sklearn.utils.metaestimators import _safe_split, available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from rankmargin.annotations import Array, MatrixLike, PairWeight
from rankmargin.estimators.base import KernelMachine
from rankmargin.estimators.one_fit import in_one_step, of_one_fit, twin
from rankmargin.estimators.scorers import scored, scorer_of
from rankmargin.estimators.targets import matrix_as_it_came
from rankmargin.parameters import Certified, check_parameters
from rankmargin.rows.orderings import check_orderings
from rankmargin.rows.pairs import NoPairError
from rankmargin.solvers.progress import watching
from rankmargin.ties import lowest


def rank_path(
    estimator: Any, X: MatrixLike, y: ArrayLike, Cs: Sequence[float] | Array | None = None, **fit_params: Any
) -> list[Any]:
    """Fit an estimator for each C, starting from the previous solution, with one kernel matrix.

    Parameters
    ----------
    estimator : an estimator of this package with a parameter ``C``, or a pipeline that ends in one
        It is not changed. The steps before the last one are fitted once.
    X, y : as in its ``fit``
    Cs : sequence of floats > 0 or None
        None is 0.001, 0.01, ..., 100; for SumOfMarginsSVM six values inside the range of its C.
    **fit_params : arguments of its ``fit``, in a pipeline of the ``fit`` of the last step
        ``groups``, ``sample_weight``, ``pair_weight``.

    Returns
    -------
    list
        One fitted clone for each C, in their order; they are those of ``fit``, up to the tolerance. ``max_seconds`` is
        the time of all of them, and each C gets an equal part of what is left.

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
    Cs = _checked_path(estimator, Cs, y, [slice(None)], fit_params.get("sample_weight"))
    if isinstance(estimator, Pipeline):
        return _path_of_pipeline(clone(estimator), X, y, Cs, fit_params)
    first = clone(estimator)
    check_parameters(first)
    fitted = []
    with watching(first.verbose, first.max_seconds) as whole:
        prepared = first._prepare(X, y, **fit_params)
        for place, (C, model) in enumerate(zip(Cs, first._models(prepared, Cs), strict=True)):
            whole.fits_left = len(Cs) - place
            fitted.append(twin(first))
            fitted[-1].C = C
            fitted[-1]._finish(model, prepared)
    return fitted


def _path_of_pipeline(pipeline, X, y, Cs, fit_params):
    """Return pipelines that share their first steps, which are fitted here."""
    name, last = pipeline.steps[-1]
    steps = []
    if len(pipeline.steps) > 1:
        before = pipeline[:-1]
        X = before.fit_transform(X, y)
        steps = before.steps
        if fit_params.get("Z") is not None:
            fit_params = {**fit_params, "Z": before.transform(fit_params["Z"])}
    path = []
    for one in rank_path(last, X, y, Cs, **fit_params):
        path.append(copy(pipeline))
        path[-1].steps = [*steps, (name, one)]
    return path


def has_path(estimator: Any) -> bool:
    """Return whether an estimator has a path over C."""
    return isinstance(estimator, KernelMachine) and isinstance(estimator, Certified)


def last_step(estimator: Any) -> tuple[Any, str]:
    """Return the last step of a pipeline, or the estimator itself, and what stands before its parameters' names."""
    before = ""
    while isinstance(estimator, Pipeline):
        name, estimator = estimator.steps[-1]
        before += f"{name}__"
    return estimator, before


def learns_groups(estimator: Any) -> bool:
    """Return whether ``fit`` takes groups; the others need them for folds alone."""
    last = last_step(estimator)[0]
    known = inspect.signature(last.fit).parameters
    return "groups" in known or (
        not isinstance(last, KernelMachine) and any(of.kind is of.VAR_KEYWORD for of in known.values())
    )


def folds_of(estimator: Any, cv: Any, y: ArrayLike, groups: ArrayLike | None = None) -> Any:
    """Return the splitter. For a number, and for None, which means five folds, they keep groups whole; without groups
    they are stratified for grades."""
    if groups is not None and (cv is None or isinstance(cv, numbers.Integral)):
        cv = GroupKFold(5 if cv is None else int(cv))
    return check_cv(cv, y, classifier=is_classifier(estimator))


def _checked_path(estimator, Cs, y, parts, sample_weight):
    last, _ = last_step(estimator)
    if not has_path(last):
        raise ValueError(f"estimator must be one of this package with a path over C, got {type(last).__name__}")
    if Cs is None:
        Cs = last._default_Cs(y, parts, None if sample_weight is None else np.asarray(sample_weight))
    values = np.asarray(Cs, dtype=np.float64)
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(f"Cs must be numbers > 0, got {Cs!r}")
    return values.tolist()


def _checked_grid(estimator, param_grid):
    """Return the points of the grid, of which there is one without parameters if there is no grid."""
    points = list(ParameterGrid({} if param_grid is None else param_grid))
    name = f"{last_step(estimator)[1]}C"
    if any(name in point for point in points):
        raise ValueError(f"param_grid must not hold {name}: Cs are its values")
    for point in points:
        clone(estimator).set_params(**point)  # refuses unknown names
    return points


def _among(given, rows, n):
    """Return the arguments of ``fit`` for some of n rows."""
    told = {name: given[name][rows] for name in ("groups", "sample_weight") if name in given}
    weight, pairs = given.get("pair_weight"), given.get("pairs")
    if pairs is None:
        if weight is not None:
            named = isinstance(weight, str) or callable(weight)
            told["pair_weight"] = weight if named else np.asarray(weight)[np.ix_(rows, rows)]
        return told
    inside = np.full(len(pairs), True)
    if "Z" in given:
        told["Z"] = given["Z"]
    else:  # the pairs order the rows themselves
        place = np.full(n, -1)
        place[rows] = np.arange(len(rows))
        pairs = place[pairs]
        inside = (pairs >= 0).all(axis=1)
    told["pairs"] = pairs[inside]
    return told if weight is None else {**told, "pair_weight": np.asarray(weight)[inside]}


def _scores_of_fold(estimator, Cs, X, y, given, train, test, scoring):
    """Return the scores of the test rows and the gaps of the fits for each C, two lists; nan if the training rows hold
    no pair, and nan and inf if there was no time for some C."""
    rows, targets = _safe_split(estimator, X, y, train)
    others, truth = _safe_split(estimator, X, y, test, train)
    try:
        path = rank_path(estimator, rows, targets, Cs, **_among(given, train, len(y)))
    except NoPairError:
        return [np.nan] * len(Cs), [np.nan] * len(Cs)
    if any(last_step(one)[0].n_iter_ == 0 for one in path):
        return [np.nan] * len(Cs), [np.inf] * len(Cs)
    inside = {name: of for name, of in _among(given, test, len(y)).items() if name in ("groups", "sample_weight")}
    return [scored(scoring, one, others, truth, **inside) for one in path], [last_step(one)[0].gap_ for one in path]


def _estimator_has(name):
    return available_if(lambda self: hasattr(getattr(self, "estimator_", self.estimator), name))


@dataclass(eq=False, repr=False)
class RankPathCV(MetaEstimatorMixin, BaseEstimator):
    """Choose C by cross-validation along a path, and fit on all rows with it.

    With groups, the folds keep each group whole, and rankers compare rows only inside groups. A fold without a pair to
    compare is left out of the mean, and so is one in which ``max_seconds`` of the estimator, the time of a path, left
    no time for some C.

    Parameters
    ----------
    estimator : an estimator of this package with a parameter ``C``, or a pipeline that ends in one
        The steps before the last one, such as a scaler, are fitted on the training rows of each fold.
    Cs : sequence of floats > 0 or None, default None
        None is 0.001, 0.01, ..., 100; for SumOfMarginsSVM six values that its C may have on the training rows of each
        fold and on all rows.
    cv : int, splitter or None, default None
        A number of folds, five with None; they consist of whole groups if there are groups, and are stratified for
        grades otherwise.
    scoring : callable, text or None, default None
        ``scoring(estimator, X, y)``, higher is better, such as :func:`rankmargin.metrics.get_scorer` returns, or a name
        of a scorer, there or in scikit-learn. It is given the groups and the weights of the rows if its arguments have
        these names. None is ``concordance``, the share of pairs in the right order.
    param_grid : dict or list of dicts, default None
        Values of other parameters, ``{"gamma": [0.01, 0.1]}``, as in scikit-learn's ``GridSearchCV``: a path is fitted
        for each combination. In a pipeline their names begin with that of the step, ``svor__gamma``.
    n_jobs : int or None, default None
        Number of processes; each fits the path of one fold. None is one, -1 is one for each processor.

    Attributes
    ----------
    C_ : float
        The C with the highest mean score; the smallest one if several are equal (up to rounding).
    best_params_ : dict
        The chosen parameters, C included, as the estimator names them.
    Cs_ : (c,) array
        The values that were tried.
    scores_ : (c, folds) array
        Their scores with the chosen parameters of the grid; nan if a fold has no pair or had no time.
    best_score_ : float
        The mean score of ``best_params_``.
    gaps_ : (c, folds) array
        Relative duality gaps of the fits with the chosen parameters of the grid; inf if a fold had no time.
    grid_ : list of g dicts
        The combinations of the other parameters; one that is empty without ``param_grid``.
    grid_scores_ : (g, c, folds) array
        The scores of all combinations.
    estimator_ : estimator
        Fitted on all rows with ``best_params_``.
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
    Cs: Sequence[float] | Array | None = None
    cv: Any = None
    scoring: Callable[..., float] | str | None = None
    param_grid: dict[str, Sequence[Any]] | list[dict[str, Sequence[Any]]] | None = None
    n_jobs: int | None = None

    @in_one_step
    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
        Z: MatrixLike | None = None,
        pairs: ArrayLike | None = None,
    ) -> Self:
        """Fit on rows X and targets y, with the arguments of the estimator's ``fit``.

        Parameters
        ----------
        X, y : as in the ``fit`` of the estimator
        groups : (n,) array or None
            Rankers form pairs inside groups; for other estimators groups are those of the folds alone. With
            ``cv=ItemKFold()`` they are the names of both items of each pair, (n, 2).
        sample_weight : (n,) array >= 0 or None
        pair_weight : callable, "ndcg", (n, n) array or None, if the estimator takes it; for RankSVR (p,) array
            It weights the fits, not the scores of the folds; with ``"ndcg"`` use ``scoring=get_scorer("ndcg")``.
        Z, pairs : as in :meth:`rankmargin.RankSVR.fit`
            The pairs of rows Z belong to all training parts; pairs of rows of X to those that hold both rows.

        Returns
        -------
        self
        """
        if y is None:
            raise ValueError("RankPathCV requires y to be passed, but the target y is None")
        X = matrix_as_it_came(self, X)
        y = y if hasattr(getattr(y, "dtype", None), "categories") else np.asarray(y)
        check_consistent_length(X, y, groups)
        grid, folds = _checked_grid(self.estimator, self.param_grid), self._folds(X, y, groups)
        parts = [slice(None), *(train for train, _ in folds)]
        Cs = _checked_path(self.estimator, self.Cs, y, parts, sample_weight)
        given: dict[str, Any] = {"pair_weight": pair_weight, "Z": Z}
        if groups is not None and learns_groups(self.estimator):
            given["groups"] = np.asarray(groups)
        if sample_weight is not None:
            given["sample_weight"] = _check_sample_weight(sample_weight, X)
        if pairs is not None:
            ordered: Any = X if Z is None else Z
            given["pairs"] = check_orderings(pairs, ordered.shape[0], "X" if Z is None else "Z")
        given = {name: of for name, of in given.items() if of is not None}
        points, scoring = [clone(self.estimator).set_params(**point) for point in grid], scorer_of(self.scoring)
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_scores_of_fold)(point, Cs, X, y, given, train, test, scoring)
            for point in points
            for train, test in folds
        )
        shape = len(grid), len(folds), len(Cs)
        scores, gaps = (np.array(of, dtype=np.float64).reshape(shape).swapaxes(1, 2) for of in zip(*found))
        self.Cs_, self.grid_, self.grid_scores_ = np.array(Cs), grid, scores
        self._choose(gaps)
        (self.estimator_,) = rank_path(clone(self.estimator).set_params(**self.best_params_), X, y, [self.C_], **given)
        if hasattr(self.estimator_, "grades_"):
            self.grades_ = self.estimator_.grades_
        if hasattr(self.estimator_, "classes_"):
            self.classes_ = self.estimator_.classes_
        return self

    def _folds(self, X, y, groups):
        """Return the training and the test rows of each fold."""
        return list(folds_of(self.estimator, self.cv, y, groups).split(X, y, groups))

    def _choose(self, gaps):
        """Set the chosen point of the grid and C; of equal means the smallest C, then the first point of the grid."""
        n_values, n_folds = self.grid_scores_.shape[1:]
        means = self.grid_scores_.reshape(-1, n_folds)
        seen = ~np.all(np.isnan(means), axis=0)
        if not seen.any() and np.isposinf(gaps).any():
            limit = last_step(self.estimator)[0].max_seconds
            raise ValueError(f"max_seconds must leave each C some time in some fold, got {limit!r} for {n_values} fits")
        if not seen.any():
            raise NoPairError("y and groups must leave some fold with a pair to compare, got none in any test part")
        best = min(lowest(-means[:, seen].T), key=lambda i: (self.Cs_[i % n_values], i // n_values))
        at, self.C_ = best // n_values, float(self.Cs_[best % n_values])
        self.best_params_ = {**self.grid_[at], f"{last_step(self.estimator)[1]}C": self.C_}
        self.scores_, self.gaps_ = self.grid_scores_[at], gaps[at]
        self.best_score_ = float(np.nanmean(means[best, seen]))

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
    def score(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pair_weight: PairWeight | None = None,
    ) -> float:
        """Return the score of ``estimator_``, with those arguments of its ``score`` that are not None."""
        given = {"groups": groups, "sample_weight": sample_weight, "pair_weight": pair_weight}
        return self.estimator_.score(self._checked(X), y, **{k: of for k, of in given.items() if of is not None})

    def _checked(self, X):
        check_is_fitted(self)
        return matrix_as_it_came(self, X, reset=False)

    def __sklearn_tags__(self):
        tags, of = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type, tags.target_tags, tags.input_tags = of.estimator_type, of.target_tags, of.input_tags
        tags.classifier_tags, tags.regressor_tags = of.classifier_tags, of.regressor_tags
        return tags
