"""ThresholdedRanker: an ordinal estimator made from any ranker."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from rankmargin.annotations import Array, ArrayLike, MatrixLike, Prediction
from rankmargin.estimators.base import FOLDS
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.fit_arguments import takes
from rankmargin.estimators.ordinal_base import OrdinalPredictions, check_grades
from rankmargin.estimators.path import last_step, named_for
from rankmargin.problem.checks import (
    Certified,
    check_parameters,
    check_targets,
    fit_weights,
    matrix_as_it_came,
    refuse_infinite,
    taken,
)
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.solvers.cut_points import best_cut_points
from rankmargin.solvers.progress import in_one_step, watching


@described
@dataclass(eq=False, repr=False)
class ThresholdedRanker(OrdinalPredictions, MetaEstimatorMixin, BaseEstimator):
    """Turn the scores of any ranker into grades: cut its training scores where the loss is smallest.

    No other ascending thresholds have a smaller training loss; they are found by dynamic programming.

    Parameters
    ----------
    ranker : estimator
        With ``score_samples``, ``decision_function``, or a ``predict`` that returns scores; higher means ahead. If
        the grades are names, it is fitted on their places 0, 1, ...
    loss : {"absolute", "zero_one"}, default "absolute"
        The distance between true and predicted grade, or 1 if they differ; summed over the training rows.
    categories
    probability : bool, default False
        Whether to fit ``predict_proba`` too. This takes five more fits: probabilities are fitted on out-of-fold
        scores. ``max_seconds`` of an SVM of this package limits all six fits together, that of a search each of them.
    prediction

    Attributes
    ----------
    ranker_ : estimator
        The fitted clone.
    thresholds_ : (r - 1,) array
        Ascending scores at which the grade changes; -inf or inf if the best cut never gives the lowest or the highest
        grades.
    grades_, classes_, slope_, cumulative_

    See Also
    --------
    rankmargin.RankBoundarySVM : Boundaries from the margins.

    References
    ----------
    The baselines of Herbrich, Graepel, Obermayer, "Large margin rank boundaries for ordinal regression" (2000),
    section 2.5, use it.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import Ridge
    >>> from rankmargin import ThresholdedRanker
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> y = np.repeat([1, 2, 3], 4)
    >>> grader = ThresholdedRanker(Ridge()).fit(X, y)
    >>> grader.predict([[0.0], [5.0], [11.0]])
    array([1, 2, 3])
    """

    ranker: Any
    loss: Literal["absolute", "zero_one"] = "absolute"
    categories: Sequence[Any] | None = None
    probability: bool = False
    prediction: Prediction = "thresholds"
    _shift = 0.0

    @in_one_step
    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self:
        """Fit the ranker on X and y and the cut points on its scores of X.

        Parameters
        ----------
        X, y : as the ranker takes them; y as :meth:`rankmargin.SVOR.fit` takes it
        sample_weight : (n,) array >= 0 or None
            For the thresholds, and for the ranker if its ``fit`` takes weights, or with metadata routing requests them.
        **fit_params : arguments of the ranker's ``fit``, such as ``groups``; with metadata routing those it requests.
            Of a pipeline they are arguments of the ``fit`` of its last step.

        Returns
        -------
        self
        """
        check_parameters(self)
        if not hasattr(self.ranker, "fit"):
            raise ValueError(f"ranker must be an estimator, got {self.ranker!r}")
        self._check_prediction()
        X = matrix_as_it_came(self, X)
        y, names = check_targets(y, self.categories)
        check_consistent_length(X, y)
        if names is None:
            check_grades(y)
        self._order = None if names is None else names.tolist()
        weight, kept, last = fit_weights(X, sample_weight), np.arange(len(y)), last_step(self.ranker)[0]
        given = self._of_ranker(fit_params, weight)
        if weight is not None:
            kept = np.flatnonzero(weight)
            weight = weight[kept]
        grades, rank = np.unique(y[kept], return_inverse=True)
        if len(grades) < 2:
            raise NoPairError(f"y must hold at least two ranks, got {len(grades)} (one distinct value or 1 class)")
        self._set_grades(grades if names is None else names[grades])
        with watching(max_seconds=last.max_seconds if isinstance(last, Certified) else None) as whole:
            with whole.share(1 + FOLDS if self.probability else 1):
                self.ranker_ = clone(self.ranker).fit(X, y, **given)
            scores = self._scores(X)[kept]
            self.thresholds_ = best_cut_points(scores, rank, len(grades), self.loss, weight)
            if self.probability:
                rows, given = self._rows_that_weigh(X, kept, fit_params)
                middle = float(np.average(scores, weights=weight))
                self._fit_link(rows, y[kept], rank, weight, given | {"sample_weight": weight}, middle)
        return self

    def _of_ranker(self, fit_params, weight):
        """Return the arguments of the ranker's ``fit``."""
        if get_config()["enable_metadata_routing"]:
            given = fit_params if weight is None else fit_params | {"sample_weight": weight}
            return process_routing(self, "fit", **given).ranker.fit
        last = last_step(self.ranker)[0]
        known = {name: value for name, value in fit_params.items() if takes(last, name)}
        if weight is not None and takes(last, "sample_weight"):
            known["sample_weight"] = weight
        others = {name: value for name, value in fit_params.items() if name not in known}
        return others | named_for(self.ranker, **known)

    def _rows_that_weigh(self, X, rows, fit_params):
        """Return the rows of X that weigh something, and their arguments of ``fit``."""
        given = {}
        for name, value in fit_params.items():
            given[name] = value
            try:
                dimensions = np.ndim(value)
            except ValueError:  # tables of several shapes, such as rows for early stopping: they are handed on
                continue
            if dimensions > 1:
                raise ValueError(f"{name} must have one value per row or none with probability=True, got a table")
            if dimensions == 1:  # a list of another length is not about rows, such as names of columns
                given[name] = np.asarray(value)[rows] if len(value) == X.shape[0] else list(value)
        X = np.asarray(X)[np.ix_(rows, rows)] if get_tags(self).input_tags.pairwise else taken(X, rows)
        return X, given

    def score_samples(self, X: MatrixLike) -> Array:
        """Return the ranker's scores, shape (m,)."""
        return self._from_mean(X)

    def _from_mean(self, X):
        check_is_fitted(self)
        return self._scores(matrix_as_it_came(self, X, reset=False))

    def get_metadata_routing(self) -> Any:
        """Return the routing, which passes the metadata of ``fit`` on to the ranker."""
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        return router.add(ranker=self.ranker, method_mapping=MethodMapping().add(caller="fit", callee="fit"))

    def _scores(self, X):
        ways = ["predict"] if is_regressor(self.ranker_) else ["score_samples", "decision_function", "predict"]
        way = next((name for name in ways if hasattr(self.ranker_, name)), "predict")
        scores = column_or_1d(np.asarray(getattr(self.ranker_, way)(X), dtype=np.float64))
        refuse_infinite(scores, "ranker", self.ranker)
        return scores

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags = get_tags(self.ranker).input_tags
        return tags
