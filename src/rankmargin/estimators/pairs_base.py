"""Common parts of the estimators on labelled pairs: the form of pairs, their labels, predictions."""

import warnings
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from rankmargin.annotations import Array, MatrixLike
from rankmargin.estimators.base import KernelMachine, distinct_rows, finite_scores
from rankmargin.estimators.one_fit import in_one_step, of_one_fit
from rankmargin.estimators.pairs import side_by_side
from rankmargin.estimators.probabilities import (
    cross_fitted,
    fit_link,
    link_probabilities,
    wants_probabilities,
)
from rankmargin.estimators.targets import checked_matrix

NEARLY = 1e-9  # squared distances that are this share of the squared lengths are 0 up to rounding
LABELS = {"comparison": np.array([-1, 0, 1]), "score": np.array([0.0, 0.5, 1.0])}


class NoScalingWarning(UserWarning):
    """The separator calls every pair different (its intercept is >= 0): no size of a difference says "neither"."""


class PairsMachine(ClassifierMixin, KernelMachine):
    """An estimator that learns from pairs of items in which the first is better, the second is better, or neither.

    The label is that of the *first* item, as in Elo: 1 if it is better.
    """

    @in_one_step
    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit on labelled pairs.

        Parameters
        ----------
        X : (n, 2 d) array, data frame or CSR matrix, in which each row is the first item followed by the second; or
            (n, 2, d) array; or, with ``kernel="precomputed"``, the (n, n) kernel of differences.
            :func:`rankmargin.stack_pairs` makes X from two tables, or from one table and index pairs. CSR is made
            dense.
        y : (n,) labels of the first item: 1 better, 0 neither is, -1 worse; with ``labels="score"`` 1, 0.5 and 0
        sample_weight : (n,) array >= 0 or None, a weight of 2 is a pair given twice

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data are not accepted, or there is no comparison to learn from.
        """
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        _refuse_tables(y=y, sample_weight=sample_weight)
        X = self._checked_pairs(X, reset=True)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        self.classes_, comparison = self._checked_labels(y)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            if not np.any(sample_weight > 0):
                raise ValueError("sample_weight must be > 0 for some pair, got zeros only")
        self._learn(X, -comparison, None, sample_weight)  # the paper's label is that of the second item
        self.dual_coef_ = -self.dual_coef_
        self._warn_of_scaling()
        if self.probability:
            self._fit_probabilities(X, comparison, sample_weight)
        return self

    @of_one_fit
    def decision_function(self, X: MatrixLike) -> Array:
        """Return r(first) - r(second) of each pair, shape (m,): above 1 the first is better, below -1 the second."""
        check_is_fitted(self)
        X = self._checked_pairs(X)
        return -finite_scores(self.model_, X if self._kept is None else X[:, self._kept])

    @of_one_fit
    def predict(self, X: MatrixLike) -> Array:
        """Return the label of the first item of each pair, shape (m,), one of ``classes_``."""
        check_is_fitted(self)
        return self.classes_[self.model_.labels_of(self.decision_function(X)) + 1]

    @available_if(wants_probabilities)
    @of_one_fit
    def predict_proba(self, X: MatrixLike) -> Array:
        """Return the probabilities that the first item is worse, that neither is better, and that it is better: (m, 3).

        P(better) = F(slope d - tie) and P(worse) = F(-slope d - tie) for a difference d of
        :meth:`decision_function` and the logistic function F. They are fitted on differences of pairs in five parts;
        those of each part come from a model of the other four, and pairs of the same two items, in any order, are in
        one part. If the items of a pair are exchanged, so are the first and the last column.
        """
        check_is_fitted(self)
        return link_probabilities(self.decision_function(X), self.slope_, np.array([-self.tie_, self.tie_]))

    def _unscaled(self, X):
        """Return the differences (m,) before the division by the threshold, which varies much from part to part."""
        return self.decision_function(X) * (self.model_.threshold or 1.0)

    def _fit_probabilities(self, X, y, sample_weight):
        plain = clone(self).set_params(probability=False, labels="comparison")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoScalingWarning)  # the differences are used before any scaling
            given, alike = {"sample_weight": sample_weight}, _comparisons(X, self.kernel == "precomputed")
            d = cross_fitted(plain, X, y, given, "_unscaled", sample_weight, alike, n_labels=1)
        weight = None if sample_weight is None else np.tile(sample_weight, 2)
        labels = np.concatenate([y, -y])  # each pair in both directions, so that the thresholds are symmetric
        slope, edges = fit_link(np.concatenate([d, -d]), labels, weight)
        self.slope_ = slope * (self.model_.threshold or 1.0)
        self.tie_ = float(edges[-1] - edges[0]) / 2.0

    @of_one_fit
    def rank(self, X: MatrixLike) -> Array:
        """Return the ranking function r(x) of each item (eq. 13), shape (m,), up to a constant: higher is better."""
        check_is_fitted(self)
        X = check_array(X)
        X = X.toarray() if hasattr(X, "toarray") else X
        if self.kernel != "precomputed" and 2 * X.shape[1] != self.n_features_in_:
            raise ValueError(f"X must have {self.n_features_in_ // 2} features per item, got {X.shape[1]}")
        return self.model_.ranks(X)

    @of_one_fit
    def score(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of labels that are predicted correctly, 1 - eq. (2)."""
        if y is None:
            raise ValueError("y must be given to score, got None")
        predicted, y = self.predict(X), column_or_1d(y)
        check_consistent_length(predicted, y)
        weight = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        return float(np.average(predicted == y, weights=weight))

    def _checked_pairs(self, X, reset=False):
        """Return the pairs as a dense (n, 2 d) array."""
        X = checked_matrix(self, side_by_side(X), items="PairTransformer(SimpleImputer())", copy=reset, reset=reset)
        return X.toarray() if hasattr(X, "toarray") else X

    def _checked_labels(self, y):
        """Return the labels (3,) that ``predict`` returns, and y as -1, 0, 1, shape (n,)."""
        if self.labels not in ("auto", *LABELS):
            raise ValueError(f"labels must be one of auto, {', '.join(LABELS)}, got {self.labels!r}")
        distinct = np.unique(y).tolist() if y.dtype.kind in "biuf" else y.tolist()
        if self.labels == "auto" and distinct == [0, 1]:
            raise ValueError(
                "y holds 0 and 1 only, which can mean two things: set labels='score' if 0 means that the first item "
                "lost, or labels='comparison' if 0 means that neither is better"
            )
        kind = self.labels if self.labels != "auto" else ("score" if 0.5 in distinct else "comparison")
        strange = [label for label in distinct if label not in LABELS[kind].tolist()]
        if strange:
            accepted = ", ".join(f"{label:g}" for label in LABELS[kind])
            raise ValueError(f"Unknown label type: y must hold labels {accepted} only, got {strange[0]!r}")
        return LABELS[kind], (np.round(2 * y - 1) if kind == "score" else y).astype(np.int64)

    def _kernel_parameters(self, X, sample_weight=None):
        """Return the kernel parameters; ``gamma="scale"`` uses the variance of all items of all pairs."""
        if self.kernel == "precomputed" or X.shape[1] % 2:
            return super()._kernel_parameters(X, sample_weight)
        weight = None if sample_weight is None else np.tile(sample_weight, 2)
        return super()._kernel_parameters(np.vstack(np.hsplit(X, 2)), weight)

    def _set_weights(self, w):
        super()._set_weights(None if w is None else w / (self.model_.threshold or 1.0))

    def _warn_of_scaling(self):
        if not self.model_.scaled:
            warnings.warn(
                f"intercept = {-float(self.model_.solution.theta[0]):.3g} >= 0 with C={self.C:g}: all differences "
                "count, and decision_function is not in units in which 1 separates better from neither (Lemma 1); "
                "a larger C, or more pairs in which neither is better, may help",
                NoScalingWarning,
                stacklevel=3,
            )


def _comparisons(X, precomputed):
    """Return the number of the comparison of each pair, shape (n,): pairs of the same two items have the same, also if
    they name them in another order."""
    if not precomputed:
        items = distinct_rows(np.vstack(np.hsplit(X, 2)))[1].reshape(2, -1)
        return distinct_rows(np.sort(items, axis=0).T)[1]
    squares = np.diagonal(X)[:, None] + np.diagonal(X)
    return np.argmax(squares - 2.0 * np.abs(X) <= NEARLY * squares, axis=1)  # differences that are equal or opposite


def _refuse_tables(**given):
    """Refuse a second table of items in the place of y or of weights."""
    for name, of in given.items():
        shape = getattr(of, "shape", ())
        if len(shape) == 2 and shape[1] > 1:
            raise ValueError(
                f"{name} must be a 1d array, one value per pair, got shape {shape}: fit takes pairs X and labels y; "
                "stack_pairs(first, second) makes pairs of two tables"
            )
