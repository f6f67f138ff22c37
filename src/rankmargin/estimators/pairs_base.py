"""Common parts of the estimators on labelled pairs: the form of pairs, their labels, predictions."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted

from rankmargin.annotations import Array, ArrayLike, MatrixLike, PairItems, PairLabels
from rankmargin.caller import HintWarning, warn_caller
from rankmargin.comparisons.pair_columns import pair_columns
from rankmargin.estimators.base import KernelMachine
from rankmargin.estimators.ordinal_base import class_order
from rankmargin.estimators.pairs import side_by_side
from rankmargin.metrics._checks import checked_weights
from rankmargin.problem.checks import ENCODED_ITEMS, as_array, checked_matrix, fit_weights
from rankmargin.problem.rows.pairs import check_groups, is_missing, own_order

LABELS = {"comparison": [-1, 0, 1], "score": [0.0, 0.5, 1.0]}
CODES = [0, 1, 2]


class LabelOrderWarning(UserWarning):
    """y holds 0, 1 and 2, which may or may not be the codes of sorted labels."""


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

    def _prepare(self, X, y, sample_weight=None, groups=None):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        _refuse_tables(y=y, sample_weight=sample_weight)
        X = self._checked_pairs(X, reset=True)
        check_consistent_length(X, column_or_1d(np.asarray(y), warn=True))
        self.labels_, comparison = self._checked_labels(y)
        self.classes_, self._order = self.labels_[class_order(self.labels_)], self.labels_.tolist()
        sample_weight = fit_weights(X, sample_weight, "pair")
        prepared = self._pose(X, -comparison, None, sample_weight)  # the paper's label is that of the second item
        return replace(prepared, data=(X, comparison, sample_weight, check_groups(X, groups)))

    def _in_order_of_classes(self, columns):
        return columns[:, class_order(self.labels_)]

    def rank(self, X: MatrixLike) -> Array:
        """Return the ranking function r(x) of each item (eq. 13), shape (m,), up to a constant: higher is better."""
        check_is_fitted(self)
        X = self._checked_items(X)
        return self.model_.ranks(X)

    def score(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of labels that are predicted correctly, 1 - eq. (2)."""
        if y is None:
            raise ValueError("y must be given to score, got None")
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
    held = [label for label in _values(y) if not is_missing(label)]
    codes = 2 in held and {*held} <= {*CODES}
    if order is None:
        order = _order_of_values(held, codes)
    elif codes and 2 not in order:
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


def _order_of_values(held, codes):
    """Return the three labels from worse to better that these values say."""
    if codes:
        warn_caller(
            "y is {0, 1, 2}: assuming 0=worse, 1=tie, 2=better. Pass labels=[0, 1, 2] to confirm, or the three values "
            "from worse to better in another order",
            LabelOrderWarning,
        )
        return CODES
    if {*held} == {0, 1}:
        raise ValueError(
            "y must say what 0 means, got 0 and 1 only: set labels='score' if 0 means that the first item "
            "lost, or labels='comparison' if 0 means that neither is better"
        )
    return LABELS["score" if 0.5 in held else "comparison"]


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


def _refuse_tables(**given):
    """Refuse a second table of items in the place of y or of weights."""
    for name, value in given.items():
        shape = getattr(value, "shape", ())
        if len(shape) == 2 and shape[1] > 1:
            raise ValueError(
                f"{name} must be a 1d array, one value per pair, got shape {shape}: fit takes pairs X and labels y; "
                "stack_pairs(first, second) makes pairs of two tables"
            )
