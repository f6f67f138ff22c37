"""Common parts of the estimators that separate pairs by a margin: the unit of their differences, probabilities."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, MatrixLike
from rankmargin.caller import unsaid, warn_caller
from rankmargin.estimators.base import distinct_rows, finite_scores
from rankmargin.estimators.pairs_base import NoScalingWarning, PairsMachine
from rankmargin.estimators.probabilities import (
    check_probabilities,
    cross_fitted,
    fit_link,
    link_probabilities,
    wants_probabilities,
)
from rankmargin.problem.checks import Certified

NEARLY = 1e-9  # squared distances that are this share of the squared lengths are 0 up to rounding
TINY = np.finfo(np.float64).tiny


@dataclass(eq=False, repr=False, kw_only=True)
class MarginPairs(PairsMachine, Certified):
    """An estimator on labelled pairs whose differences have the unit of a threshold: 1."""

    probability: bool = False

    def _finish(self, model, prepared):
        super()._finish(model, prepared)
        self.dual_coef_ = -self.dual_coef_
        if self._is_linear():
            self.coef_ = model.w / (model.threshold or 1.0)
        elif model.w is not None:
            self.landmark_coef_ /= model.threshold or 1.0
        squares = np.average(model.scores_of_training() ** 2, weights=prepared.weight)
        self._size = float(squares) ** 0.5 / (model.threshold or 1.0) or 1.0
        self._warn_of_scaling()
        if self.probability:
            self._fit_probabilities(*prepared.data)

    def score_samples(self, X: MatrixLike) -> Array:
        """Return r(first) - r(second) of each pair, shape (m,): above 1 the first is better, below -1 the second.

        If ``fit`` gave a ``NoScalingWarning``, the differences have no such unit: only their signs have a meaning.
        """
        check_is_fitted(self)
        X = self._checked_pairs(X)
        return -finite_scores(self.model_, X if self._kept is None else X[:, self._kept])

    def decision_function(self, X: MatrixLike) -> Array:
        """Return the margin of the difference d of each pair inside the range of each label, in the form of
        scikit-learn's classifiers.

        Returns
        -------
        (m, 3) array: -1 - d for a worse first item, min(d + 1, 1 - d) for neither, and d - 1 for a better one, with the
        columns in the order of ``classes_``; the largest column is the predicted label
        """
        d, edge = self.score_samples(X), 1.0 if self.model_.scaled else 0.0
        outside = np.column_stack([-edge - d, d - edge])
        outside[outside == 0.0] = -TINY  # a difference on the edge says that neither is better
        neither = np.minimum(d + edge, edge - d)
        return self._in_order_of_classes(np.column_stack([outside[:, 0], neither, outside[:, 1]]))

    def predict(self, X: MatrixLike) -> Array:
        """Return the label of the first item of each pair, shape (m,), one of ``classes_``."""
        check_is_fitted(self)
        return self.labels_[self.model_.labels_of(self.score_samples(X)) + 1]

    @available_if(wants_probabilities)
    def predict_proba(self, X: MatrixLike) -> Array:
        """Return the probabilities that the first item is worse, that neither is better, and that it is better: (m, 3),
        with the columns in the order of ``classes_``.

        P(better) = F(slope d - tie) and P(worse) = F(-slope d - tie) for a difference d of :meth:`score_samples` and
        the logistic function F. Slope and tie are fitted on out-of-fold differences of five folds; pairs of one group,
        or without groups pairs of the same two items, are in the same fold. Exchanging the items of a pair exchanges
        the probabilities of worse and better.
        """
        check_probabilities(self)
        edges = np.array([-self.tie_, self.tie_])
        return self._in_order_of_classes(link_probabilities(self.score_samples(X), self.slope_, edges))

    def _of_one_size(self, X):
        """Return the differences (m,) in units of those of the fitted pairs. Others are not comparable between parts:
        the threshold varies much, and with rare ties the differences are as small as the solver leaves them."""
        return self.score_samples(X) / self._size

    def _fit_probabilities(self, X, y, sample_weight, groups):
        plain = clone(self).set_params(probability=False, labels="comparison", items=None)
        with unsaid(NoScalingWarning):  # the differences are used in units of their own
            given, how = {"sample_weight": sample_weight}, {"alike": groups, "fewest": 2}
            kept = slice(None) if sample_weight is None else sample_weight > 0
            if groups is None or len(np.unique(groups[kept])) < 2:
                how = {"alike": _comparisons(X, self.kernel == "precomputed")}
            d = cross_fitted(plain, X, y, given, "_of_one_size", sample_weight, n_labels=1, **how)
        weight = None if sample_weight is None else np.tile(sample_weight, 2)
        labels = np.concatenate([y, -y])  # each pair in both directions, so that the thresholds are symmetric
        slope, edges = fit_link(np.concatenate([d, -d]), labels, weight)
        self.slope_ = slope / self._size
        self.tie_ = float(edges[-1] - edges[0]) / 2.0

    def _warn_of_scaling(self):
        if not self.model_.scaled:
            warn_caller(
                f"with C={self.C:g} every difference of scores counts, however small: predict returns "
                f"{self.labels_.tolist()[1]!r} (neither is better) for equal scores only, and score_samples has no "
                "unit: only its signs and its order have a meaning. A larger C, or more pairs in which neither is "
                "better, may help",
                NoScalingWarning,
            )


def _comparisons(X, precomputed):
    """Return the number of the comparison of each pair, shape (n,): pairs of the same two items have the same, also if
    they name them in another order."""
    if not precomputed:
        items = distinct_rows(np.vstack(np.hsplit(X, 2)))[1].reshape(2, -1)
        return distinct_rows(np.sort(items, axis=0).T)[1]
    squares, first = np.diagonal(X), np.empty(len(X), dtype=np.int64)
    for pair, products in enumerate(X):  # the first pair whose difference is equal or opposite
        both = squares + squares[pair]
        first[pair] = np.argmax(both - 2.0 * np.abs(products) <= NEARLY * both)
    return first
