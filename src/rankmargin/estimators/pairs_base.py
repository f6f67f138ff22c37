"""Common parts of the estimators on labelled pairs: the form of pairs, their labels, predictions, probabilities."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from sklearn.base import ClassifierMixin, clone
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, MatrixLike, PairItems, PairLabels
from rankmargin.caller import HintWarning, unsaid, warn_caller
from rankmargin.comparisons.pair_columns import pair_columns
from rankmargin.estimators.base import KernelMachine, distinct_rows, finite_scores
from rankmargin.estimators.ordinal_base import class_order
from rankmargin.estimators.pairs import side_by_side
from rankmargin.estimators.probabilities import (
    check_probabilities,
    cross_fitted,
    fit_link,
    link_probabilities,
    wants_probabilities,
)
from rankmargin.metrics._checks import checked_weights
from rankmargin.problem.checks import ENCODED_ITEMS, Certified, as_array, checked_matrix, fit_weights
from rankmargin.problem.rows.pairs import check_groups, is_missing, own_order

LABELS = {"comparison": [-1, 0, 1], "score": [0.0, 0.5, 1.0]}
CODES = [0, 1, 2]
NEARLY = 1e-9  # squared distances that are this share of the squared lengths are 0 up to rounding
TINY = np.finfo(np.float64).tiny


class NoScalingWarning(HintWarning):
    """The separator calls every pair different (its intercept is >= 0), so "neither" is hardly ever predicted."""


@dataclass(eq=False, repr=False, kw_only=True)
class PairsMachine(ClassifierMixin, KernelMachine):
    """An estimator that learns from pairs of items in which the first is better, the second is better, or neither.

    The label is that of the *first* item, as in Elo: 1 if it is better.
    """

    labels: PairLabels = "auto"
    items: PairItems | None = None
    learns_from = "pairs"
    # with metadata routing, groups of a splitter, such as the names of both items, are not those of the probabilities
    __metadata_request__fit = {"groups": False}

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit on labelled pairs.

        Parameters
        ----------
        X : (n, 2 d) array, data frame or CSR matrix, in which each row is the first item followed by the second; or
            (n, 2, d) array; or, with ``kernel="precomputed"``, the (n, n) kernel of differences. The columns of a frame
            can be in any order if their names, or ``items``, show which belong to the first item.
            :func:`rankmargin.stack_pairs` makes X from two tables, or from one table and index pairs. A CSR matrix
            is converted to a dense array.
        y : (n,) labels of the first item: 1 better, 0 neither is, -1 worse; with ``labels="score"`` 1, 0.5 and 0; or
            those in ``labels``
        sample_weight : (n,) array >= 0 or None; a weight of 2 is the same as giving the pair twice
        groups : (n,) array or None; such as who answered. With ``probability=True`` the probabilities are then those
            for other groups: each of the five fits behind them leaves out whole groups; the standard errors of
            :class:`rankmargin.ComparisonLink` allow for their dependence. They change nothing else.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a parameter or the data are invalid, or there is no comparison to learn from.
        """
        return self._fit(X, y, sample_weight=sample_weight, groups=groups)

    def _data(self, X, y, sample_weight=None, groups=None):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        X = self._checked_pairs(X, reset=True)
        check_consistent_length(X, column_or_1d(np.asarray(y), warn=True))
        self.labels_, comparison = self._checked_labels(y)
        self.classes_, self._order = self.labels_[class_order(self.labels_)], self.labels_.tolist()
        sample_weight, groups = fit_weights(X, sample_weight, "pair"), check_groups(X, groups)
        # the paper's label is that of the second item
        return self._that_weigh(X, -comparison, sample_weight=sample_weight, groups=groups)

    def _in_order_of_classes(self, columns):
        return columns[:, class_order(self.labels_)]

    def rank(self, X: MatrixLike) -> Array:
        """Return the ranking function r(x) of each item (eq. 13), shape (m,), up to a constant: higher is better."""
        check_is_fitted(self)
        X = self._checked_items(X)
        return self.model_.ranks(X)

    def score(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of labels that are predicted correctly, 1 - eq. (2)."""
        predicted, truth = self.predict(X), column_or_1d(np.asarray(y))
        check_consistent_length(predicted, truth)
        weight = None if sample_weight is None else checked_weights(sample_weight, truth)
        return float(np.average(_places(predicted, self._order) == _places(truth, self._order), weights=weight))

    def _checked_pairs(self, X, reset=False):
        """Return the pairs as a dense (n, 2 d) array, each the first item followed by the second."""
        X = checked_matrix(
            self,
            side_by_side(X),
            fill="PairTransformer(SimpleImputer())",
            encode=ENCODED_ITEMS,
            copy=reset and self._keeps_rows(),
            reset=reset,
        )
        if reset:
            paired = self.kernel != "precomputed" and X.shape[1] % 2 == 0
            self._columns = self._read_columns(X.shape[1]) if paired else None
        X = X.toarray() if hasattr(X, "toarray") else X
        return X if self._columns is None or self._columns.in_order else X[:, self._columns.numbers.ravel()]

    def _read_columns(self, n_columns):
        """Return which columns of the X of ``fit`` are of which item."""
        return pair_columns(getattr(self, "feature_names_in_", None), n_columns, self.items)

    def _checked_items(self, X):
        """Return single items as an array (m, d), with the columns of a frame in the order of ``fit``."""
        names = None if self._columns is None else self._columns.names
        columns = list(getattr(X, "columns", ()))
        if names is not None and columns and columns != names:
            if {*columns} != {*names}:
                raise ValueError(f"X must have the columns of an item, {names}, got {columns}")
            X = X[names]
        X = check_array(X)
        if self.kernel != "precomputed" and 2 * X.shape[1] != self.n_features_in_:
            raise ValueError(f"X must have {self.n_features_in_ // 2} features per item, got {X.shape[1]}")
        return X

    def _checked_labels(self, y):
        """Return the labels (3,) of a worse first item, of neither and of a better one, and y as -1, 0, 1, (n,)."""
        order = _label_order(self.labels, y)
        return as_array(order), _places(y, order) - 1


@dataclass(eq=False, repr=False, kw_only=True)
class MarginPairs(PairsMachine, Certified):
    """An estimator on labelled pairs whose differences have the unit of a threshold: 1."""

    probability: bool = False

    def _finish(self, model, data):
        super()._finish(model, data)
        self.dual_coef_ = -self.dual_coef_
        if self._is_linear():
            self.coef_ = model.w / (model.threshold or 1.0)
        elif model.w is not None:
            self.landmark_coef_ /= model.threshold or 1.0
        squares = np.average(model.scores_of_training() ** 2, weights=data.sample_weight)
        self._size = float(squares) ** 0.5 / (model.threshold or 1.0) or 1.0
        self._warn_of_scaling()
        if self.probability:
            self._fit_probabilities(data)

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

    def _fit_probabilities(self, data):
        X, y, alike = data.X, -data.y, data.groups
        plain = clone(self).set_params(probability=False, labels="comparison", items=None)
        if alike is None or len(np.unique(alike)) < 2:
            alike, how = _comparisons(X, self.kernel == "precomputed"), {}
        else:
            how = {"fewest": 2}
        with unsaid(NoScalingWarning):  # the differences are used in units of their own
            given = {"sample_weight": data.sample_weight}
            d = cross_fitted(plain, X, y, given, "_of_one_size", data.sample_weight, alike, n_labels=1, **how)
        labels = np.concatenate([y, -y])  # each pair in both directions, so that the thresholds are symmetric
        weight = np.tile(data.weight, 2)
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


def _label_order(labels, y):
    """Return the three labels from worse to better, of which y holds some."""
    if isinstance(labels, str):
        if labels not in ("auto", *LABELS):
            raise ValueError(
                f"labels must be one of auto, {', '.join(LABELS)}, or three labels [worse, neither, better], got "
                f"{labels!r}"
            )
        order = _own_order(y) if labels == "auto" else LABELS[labels]
    else:
        order = list(labels) if np.ndim(labels) == 1 else []
        if len({*order}) != 3 or len(order) != 3:
            raise ValueError(f"labels must hold three different labels [worse, neither, better], got {labels!r}")
    held = {label for label in _values(y) if not is_missing(label)}
    codes = held <= {*CODES}
    if order is None:
        if codes and (2 in held or len(held) > 1):
            raise ValueError(
                f"y must say what its labels mean, got {sorted(held)}: set labels='score' if 0 means that the first "
                "item lost, labels='comparison' if 0 means that neither is better, or the three labels from worse to "
                "better, such as labels=[0, 1, 2]"
            )
        return LABELS["score" if 0.5 in held else "comparison"]
    if codes and 2 in held and 2 not in order:
        order = np.argsort(class_order(as_array(order))).tolist()  # the number of each label among the sorted ones
    return order


def _own_order(y):
    """Return the order of an ordered categorical, or None."""
    if not getattr(getattr(y, "dtype", None), "ordered", True):
        return None
    order = own_order(y)
    if order is not None and len(order) != 3:
        raise ValueError(f"y must have three categories, worse, neither and better, got {order!r}")
    return order


def _values(y):
    """Return the distinct values of y (n,), numbers as Python's."""
    y = column_or_1d(np.asarray(y))
    return np.unique(y).tolist() if y.dtype.kind in "biuf" else list(dict.fromkeys(y.tolist()))


def _places(y, order):
    """Return the place 0, 1, 2 of each label in the order, shape (n,)."""
    place = {label: number for number, label in enumerate(order)}
    strange = [label for label in _values(y) if is_missing(label) or label not in place]
    if strange:
        accepted = ", ".join(f"{label:g}" if isinstance(label, float) else str(label) for label in order)
        hint = "" if not isinstance(strange[0], str) else ": labels=[worse, neither, better] says what names mean"
        raise ValueError(f"Unknown label type: y must hold labels {accepted} only, got {strange[0]!r}{hint}")
    return np.array([place[label] for label in column_or_1d(np.asarray(y)).tolist()], dtype=np.int64)
