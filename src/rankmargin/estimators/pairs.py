"""Pairs of items for scikit-learn: make them from tables, scale both items alike, and split them by items."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state
from sklearn.utils.validation import (
    check_array,
    check_is_fitted,
    has_fit_parameter,
)

from rankmargin.annotations import Array, ArrayLike, MatrixLike, PairItems, RandomState
from rankmargin.comparisons.pair_columns import pair_columns
from rankmargin.estimators.descriptions import described
from rankmargin.problem.checks import matrix_as_it_came, names_of_columns, one_below_other, taken, weights_of_rows
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.solvers.progress import in_one_step


def stack_pairs(first: MatrixLike, second: MatrixLike | None = None, *, rows: ArrayLike | None = None) -> Any:
    """Return pairs in the form that the estimators of labelled pairs take: the first item followed by the second.

    Parameters
    ----------
    first : (n, d) array, data frame or CSR matrix, the first items; or a table of all items, (m, d)
    second : (n, d) array, data frame or CSR matrix, the second items
    rows : (n, 2) integers, the rows of the table that form the pairs, in place of ``second``

    Returns
    -------
    (n, 2 d) array of any values, also missing ones, or CSR matrix; for data frames a frame, with columns
    ``first_...`` and ``second_...``

    Examples
    --------
    >>> from rankmargin import stack_pairs
    >>> stack_pairs([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], rows=[[0, 2], [1, 0]])
    array([[1., 2., 5., 6.],
           [3., 4., 1., 2.]])
    """
    return _stacked(first, second, rows)


def _stacked(first, second, rows):
    """Return the pairs of :func:`stack_pairs`."""
    if (second is None) == (rows is None):
        raise ValueError(f"second or rows must be given, got {'neither' if rows is None else 'both'}")
    framed = hasattr(first, "columns")
    first = first if framed else _as_it_came(first, "first")
    if rows is not None:
        couples = np.asarray(rows)
        if couples.dtype.kind not in "iu" or couples.ndim != 2 or couples.shape[1] != 2:
            raise ValueError(f"rows must hold (n, 2) integers, got shape {couples.shape} of {couples.dtype}")
        outside = (couples < 0) | (couples >= first.shape[0])
        if outside.any():
            raise ValueError(f"rows must hold rows 0 to {first.shape[0] - 1} of first, got {couples[outside][0]}")
        first, second = (taken(first, side) for side in couples.T)
    elif not framed:
        second = _as_it_came(second, "second")
    if framed:
        return _framed_pairs(first, second)
    if first.shape != second.shape:
        raise ValueError(
            f"first and second must have the same shape, got {first.shape} and {second.shape}: rows= numbers rows"
        )
    if sparse.issparse(first) or sparse.issparse(second):
        return sparse.hstack([first, second], format="csr")
    return np.hstack([first, second])


def _as_it_came(items, name):
    """Return items as a matrix of floats, or of texts and objects for an encoder; missing values are for an imputer."""
    made = check_array(items, accept_sparse="csr", dtype=None, ensure_all_finite=False, input_name=name)
    return made.astype(np.float64) if made.dtype.kind in "biuf" else made


def _framed_pairs(first, second):
    """Return a frame with the columns of two frames (n, d) beside each other, with names that tell them apart."""
    columns = list(first.columns)
    if not hasattr(second, "columns") or {*second.columns} != {*columns} or len(first) != len(second):
        came = list(second.columns) if hasattr(second, "columns") else type(second).__name__
        raise ValueError(
            f"second must be a frame with the columns and the number of rows of first, {columns} and {len(first)}, got "
            f"{came} and {len(second)}"
        )
    sides = [_of_names(first, columns, "first_"), _of_names(second[columns], columns, "second_")]
    if hasattr(first, "hstack"):  # polars
        return sides[0].hstack(sides[1])
    concat = import_module(type(first).__module__.partition(".")[0]).concat
    return concat([side.reset_index(drop=True) for side in sides], axis=1)


def _of_names(frame, names, before=""):
    """Return a frame of pandas or polars with other names of its columns."""
    names = [f"{before}{name}" for name in names]
    if hasattr(frame, "set_axis"):
        return frame.set_axis(names, axis=1)
    return frame.rename(dict(zip(frame.columns, names)))


def side_by_side(X: MatrixLike) -> Any:
    """Return pairs of shape (n, 2, d) as (n, 2 d); return anything else unchanged."""
    if not isinstance(X, np.ndarray | list | tuple) or np.ndim(X) != 3:
        return X
    X = np.asarray(X)
    if X.shape[1] != 2:
        raise ValueError(f"X must have shape (n, 2, d) or (n, 2 d), got {X.shape}")
    return X.reshape(len(X), -1)


@described
@dataclass(eq=False, repr=False)
class PairTransformer(TransformerMixin, BaseEstimator):
    """Transform both items of each pair in the same way: ``make_pipeline(PairTransformer(StandardScaler()), ...)``.

    A scaler on the columns of pairs would scale the first and the second item differently, and equal items would
    differ.

    Parameters
    ----------
    transformer : transformer of single items
        It is given frames if X is one, whose columns have the names of a single item: ``elo`` for ``elo_a`` and
        ``elo_b``. It may take names, categories and missing values.
    items

    Attributes
    ----------
    transformer_ : the clone, fitted on the items of all pairs

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> from rankmargin import PairTransformer
    >>> PairTransformer(StandardScaler()).fit_transform([[0.0, 2.0], [2.0, 0.0]])
    array([[-1.,  1.],
           [ 1., -1.]])
    """

    transformer: Any
    items: PairItems | None = None

    @in_one_step
    def fit(self, X: MatrixLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the transformer on the items of the pairs X, (n, 2 d) or (n, 2, d).

        ``sample_weight`` (n,) is the weight of both items of a pair, if the ``fit`` of the transformer takes weights.
        """
        first, second = self._items(X, reset=True)
        given = {}
        if sample_weight is not None:
            weight = np.tile(weights_of_rows(first, sample_weight), 2)
            given = {"sample_weight": weight} if has_fit_parameter(self.transformer, "sample_weight") else {}
        self.transformer_ = clone(self.transformer).fit(one_below_other(first, second), **given)
        return self

    def transform(self, X: MatrixLike) -> Any:
        """Return the pairs of transformed items, (n, 2 q)."""
        check_is_fitted(self)
        first, second = (self.transformer_.transform(items) for items in self._items(X))
        return sparse.hstack([first, second], format="csr") if sparse.issparse(first) else np.hstack([first, second])

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Array:
        """Return the names of the columns of ``transform``, shape (2 q,): first those of the first items, then those of
        the second items.
        """
        check_is_fitted(self)
        names_of_columns(self, input_features)
        of_items = self._columns
        single = None if of_items.names is not None else [f"x{column}" for column in range(of_items.numbers.shape[1])]
        made = self.transformer_.get_feature_names_out(single)
        return np.array(
            [f"{before}{name}{behind}" for before, behind in of_items.around for name in made], dtype=object
        )

    def _items(self, X, reset=False):
        """Return the first and the second items as they came, for the transformer to check."""
        X = matrix_as_it_came(self, side_by_side(X), reset)
        if X.shape[1] % 2:
            raise ValueError(f"X must have an even number of columns, two items each, got {X.shape[1]} feature(s)")
        if reset:
            names = getattr(self, "feature_names_in_", None)
            self._columns = pair_columns(names, X.shape[1], self.items)
        sides = [taken(X, numbers, axis=1) for numbers in self._columns.numbers]
        if not hasattr(X, "columns"):
            return sides
        if self._columns.names is None:  # those of pandas that are no texts; both items must have the same ones
            return [sides[0], sides[1].set_axis(sides[0].columns, axis=1)]
        return [_of_names(side, self._columns.names) for side in sides]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class ItemKFold(BaseCrossValidator):
    """Folds of pairs by their items: no item of a test pair is in a training pair.

    The items are split into folds. The test pairs of a fold have both items in it, and its training pairs have neither;
    pairs with one item in it are left out. In searches and cross-validation ``groups`` reach it with metadata routing
    and without.

    Parameters
    ----------
    n_splits : int >= 2
    random_state : int, RandomState or None, for the shuffle of the items

    Examples
    --------
    >>> from rankmargin import ItemKFold
    >>> games = [[0, 1], [1, 0], [2, 3], [3, 2], [1, 2]]
    >>> [(train.tolist(), test.tolist()) for train, test in ItemKFold(2, random_state=6).split(games, groups=games)]
    [([2, 3], [0, 1]), ([0, 1], [2, 3])]
    """

    __metadata_request__split = {"groups": True}

    def __init__(self, n_splits: int = 5, random_state: RandomState | None = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def split(self, X: Any, y: Any = None, groups: ArrayLike | None = None) -> Iterator[tuple[Array, Array]]:
        """Yield the training and the test pairs of each fold, two arrays of row numbers.

        Parameters
        ----------
        X : the pairs, of which only the number is used
        groups : (n, 2) array, the names of the two items of each pair

        Raises
        ------
        NoPairError
            If a fold would have no training or no test pair, as where one item is in most pairs.
        """
        names = np.asarray(groups) if groups is not None else None
        if names is None or names.ndim != 2 or names.shape[1] != 2:
            shape = None if names is None else names.shape
            raise ValueError(f"groups must be an (n, 2) array, the names of the items of each pair, got shape {shape}")
        items, place = np.unique(names, return_inverse=True)
        if not 2 <= self.n_splits <= len(items):
            raise ValueError(f"n_splits must lie in [2, {len(items)}], the number of items, got {self.n_splits!r}")
        order = check_random_state(self.random_state).permutation(len(items))
        fold = np.empty(len(items), dtype=np.int64)
        fold[order] = np.arange(len(items)) % self.n_splits
        of_pair = fold[place.reshape(names.shape)]
        inside = [np.sum(of_pair == k, axis=1) for k in range(self.n_splits)]
        folds = [(np.flatnonzero(count == 0), np.flatnonzero(count == 2)) for count in inside]
        sizes = [(len(train), len(test)) for train, test in folds]
        if not np.all(sizes):
            item, number = max(zip(*np.unique(names, return_counts=True)), key=lambda counted: counted[1])
            raise NoPairError(
                f"groups must leave training and test pairs in each fold, got {sizes} of {len(names)} pairs; {item} is "
                f"in {number} of them: use fewer n_splits, another random_state, or a splitter of rows"
            )
        yield from folds

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits
