"""What a search does once it has found its best estimator."""

import inspect
from typing import Any

from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.estimators.pairs import side_by_side
from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.estimators.path import last_step
from rankmargin.estimators.swapped_pairs import SwappedPairsSVM
from rankmargin.problem.checks import matrix_as_it_came
from rankmargin.search.inputs import ColumnScaler


def _estimator_has(name):
    return available_if(lambda self: getattr(last_step(getattr(self, "best_estimator_", self._own()))[0], name))


class Searched(MetaEstimatorMixin, BaseEstimator):
    """A search whose ``best_estimator_`` predicts."""

    estimator: Any = None
    best_estimator_: Any

    def _own(self):
        """Return the estimator that is tuned."""
        return SwappedPairsSVM() if self.estimator is None else self.estimator

    def predict(self, X: MatrixLike) -> Array:
        """Return the predictions of ``best_estimator_``."""
        X = self._checked(X)
        return self.best_estimator_.predict(X)

    @_estimator_has("score_samples")
    def score_samples(self, X: MatrixLike) -> Array:
        """Return the scores of ``best_estimator_``, shape (m,)."""
        X = self._checked(X)
        return self.best_estimator_.score_samples(X)

    @_estimator_has("decision_function")
    def decision_function(self, X: MatrixLike) -> Array:
        """Return the decision function of ``best_estimator_``."""
        X = self._checked(X)
        return self.best_estimator_.decision_function(X)

    @_estimator_has("predict_proba")
    def predict_proba(self, X: MatrixLike) -> Array:
        """Return the probabilities of ``best_estimator_``."""
        X = self._checked(X)
        return self.best_estimator_.predict_proba(X)

    def score(
        self,
        X: MatrixLike,
        y: ArrayLike,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        event: ArrayLike | None = None,
    ) -> float:
        """Return the score of ``best_estimator_``, with those arguments of its ``score`` that are not None; ``groups``
        only if it takes them."""
        given = {"groups": groups, "sample_weight": sample_weight, "event": event}
        given = {name: value for name, value in given.items() if value is not None}
        X, last = self._checked(X), self.best_estimator_
        while isinstance(last, Pipeline):  # its score would hand on no groups
            X = last[:-1].transform(X) if len(last.steps) > 1 else X
            last = last[-1]
        if "groups" not in inspect.signature(last.score).parameters:
            given.pop("groups", None)  # those of the folds alone, as in fit
        return last.score(X, y, **given)

    def _checked(self, X):
        check_is_fitted(self)
        return self._matrix(X, reset=False)

    def _matrix(self, X, reset=True):
        """Return rows as they came; pairs of shape (n, 2, d) with both items in one row."""
        X = side_by_side(X) if isinstance(last_step(self._own())[0], PairsMachine) else X
        return matrix_as_it_came(self, X, reset)

    def __sklearn_tags__(self):
        tags, inner = super().__sklearn_tags__(), get_tags(self._own())
        tags.estimator_type, tags.target_tags, tags.input_tags = (
            inner.estimator_type,
            inner.target_tags,
            inner.input_tags,
        )
        tags.classifier_tags, tags.regressor_tags = inner.classifier_tags, inner.regressor_tags
        if isinstance(self._scaler(), ColumnScaler):  # names and missing cells become numbers
            tags.input_tags.string = tags.input_tags.allow_nan = True
        return tags
