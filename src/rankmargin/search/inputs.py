"""The columns that a search gives to a kernel: values and quantiles, of variance 1, weighted by what they say of y."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import Pipeline, make_pipeline, make_union
from sklearn.preprocessing import QuantileTransformer, StandardScaler
from sklearn.utils.validation import (
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
)

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.comparisons.pair_columns import pair_columns
from rankmargin.estimators.pairs import PairTransformer
from rankmargin.estimators.pairs_base import PairsMachine
from rankmargin.metrics import concordance_index
from rankmargin.problem.checks import check_targets, dates_as_days, matrix_as_it_came, names_of_columns
from rankmargin.problem.products import minus_mean
from rankmargin.problem.rows.pairs import NoPairError, group_codes, is_censored

WIDTHS = 10.0 ** np.linspace(-2.0, 0.4, 5)  # values of gamma times the median squared distance
MEASURED = 500  # rows whose distances are measured
QUANTILES = 100  # steps of a distribution function; more rows than that say little about its shape
LISTED = 300  # rows whose pairs are listed, which takes a half to a fifth of the time
COMPARED = 20_000  # rows whose pairs are compared: a correlation then has a standard error below 0.01
UNSCALED = ("precomputed", "chi2")  # kernels of a matrix, and of columns without values below 0
NEARLY = 1e-9  # of the way between two values is rounding
FLOOR = 0.02  # added to squared correlations: a column that says nothing alone keeps a seventh of the largest weight


@dataclass(eq=False, repr=False)
class ColumnScaler(TransformerMixin, BaseEstimator):
    """Make two columns of each: its values, and the share of the training rows below them, both scaled to variance 1.

    Quantiles make a long tail short and move crowded values apart; the values beside them keep the distances of columns
    that are well as they are. With targets, both columns of x are multiplied by ``sqrt(D(x)^2 + 0.02)``, where D is
    Somers' correlation of x and y: the share of pairs that x orders as y does less the share that it orders the other
    way. Columns that say more about y then count more in a kernel. No weight is 0, because a column may matter only
    together with others. A sparse X is only scaled, because its zeros would not stay zeros.

    Parameters
    ----------
    categories : sequence or None
        All grades from the lowest to the highest, if y holds names.
    weights : (q,) array or None
        Weights that do not depend on y, in place of those above.

    Attributes
    ----------
    scaler_ : the fitted transformer of scikit-learn
    weights_ : (q,) array, the weight of each of its columns; the mean of their squares is 1
    """

    categories: Sequence[Any] | None = None
    weights: Array | None = None

    def fit(
        self,
        X: MatrixLike,
        y: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Fit to X (n, d); of y (n,), targets as estimators take them, only pairs inside ``groups`` are compared.

        ``sample_weight`` counts in the correlations only.
        """
        X = _numbers_of(matrix_as_it_came(self, X))
        if issparse(X):
            self.scaler_: Any = StandardScaler(with_mean=False).set_output(transform="default").fit(X)
        else:
            quantiles = QuantileTransformer(n_quantiles=min(QUANTILES, X.shape[0]), subsample=None)
            both = make_union(StandardScaler(), make_pipeline(quantiles, StandardScaler()))
            with np.errstate(over="ignore", invalid="ignore"):
                empty = np.isnan(X).all(axis=0)  # the estimator refuses such a column, in which nan stays nan
                self.scaler_ = both.set_output(transform="default").fit(np.where(empty, 0.0, X) if empty.any() else X)
                quantiles, shares = self.scaler_.transformer_list[1][1]
                _without_rounding(quantiles.quantiles_, X)
                shares.fit(quantiles.transform(X))  # the quantiles are others now
            values = self.scaler_.transformer_list[0][1]
            if np.any(~np.isfinite(values.var_) & ~np.isnan(values.mean_)):
                raise ValueError("X must not hold numbers whose squares overflow: scale X")
        self.weights_ = np.ones(X.shape[1] if issparse(X) else 2 * X.shape[1])
        if self.weights is not None:
            self.weights_ = np.asarray(self.weights)
        elif y is not None and not issparse(X):
            targets = np.asarray(y) if is_censored(y) else check_targets(y, self.categories)[0]
            check_consistent_length(X, targets, groups, sample_weight)
            rows = _some_rows(len(targets), groups)
            of_rows = [None if array is None else np.asarray(array)[rows] for array in (groups, sample_weight)]
            columns = X[rows].T
            squares = np.array(_correlations(targets[rows], columns, *of_rows)) ** 2 + FLOOR
            self.weights_ = np.tile(np.sqrt(squares / squares.mean()), 2)
        return self

    def transform(self, X: MatrixLike) -> Any:
        """Return the columns, shape (m, 2 d), or (m, d) of a sparse X."""
        scaled = self.without_weights(X)
        return scaled if issparse(scaled) else scaled * self.weights_

    def without_weights(self, X: MatrixLike) -> Any:
        """Return the columns of ``transform`` before they are weighted."""
        check_is_fitted(self)
        X = _numbers_of(matrix_as_it_came(self, X, reset=False))
        return self.scaler_.transform(X)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Array:
        """Return the names of the columns of ``transform``: those of X, then with ``_quantile`` behind them."""
        check_is_fitted(self)
        names = names_of_columns(self, input_features)
        quantiles = [f"{name}_quantile" for name in names] if len(self.weights_) > len(names) else []
        return np.append(names, np.array(quantiles, dtype=object))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse, tags.input_tags.allow_nan = True, True
        return tags


def as_targets(y: Any) -> Any:
    """Return targets with an order of their own as they came, and others as an array; a column becomes flat."""
    if hasattr(getattr(y, "dtype", None), "categories"):
        return y
    y = np.asarray(y)
    return column_or_1d(y, warn=True) if y.ndim == 2 and y.shape[1] == 1 else y


def _numbers_of(X):
    """Return X as an array of double precision, or a sparse X or a frame of sparse columns as a matrix."""
    X = X.sparse.to_coo().tocsr() if hasattr(X, "sparse") else X  # only such a frame has the accessor
    X = dates_as_days(X)
    return X if issparse(X) else check_array(X, dtype=np.float64, ensure_all_finite=False)


def _without_rounding(quantiles, X):
    """Replace quantiles that rounding has moved off a value of X by that value: of equal rows the middle counts."""
    for known, column in zip(quantiles.T, X.T):
        values = np.unique(column[~np.isnan(column)])
        if len(values) > 1:
            left = np.clip(np.searchsorted(values, known, side="right") - 1, 0, len(values) - 2)
            share = (known - values[left]) / (values[left + 1] - values[left])
            known[:] = np.where(share < NEARLY, values[left], np.where(share > 1.0 - NEARLY, values[left + 1], known))


def _some_rows(n, groups):
    """Return at most `COMPARED` of n rows: any, or with groups those of some groups."""
    if n <= COMPARED:
        return np.arange(n)
    rng = np.random.default_rng(0)
    if groups is None:
        return rng.permutation(n)[:COMPARED]
    codes = group_codes(groups, n)
    return np.argsort(rng.permutation(codes.max() + 1)[codes], kind="stable")[:COMPARED]


def _correlations(y, columns, groups, weight):
    """Return Somers' D of each column, 0 if there is no pair to compare; the pairs of few rows are listed once."""
    if len(y) > LISTED or is_censored(y):
        return [0.0 if np.isnan(x).any() else _correlation(y, x, groups, weight) for x in columns]
    codes, weight = group_codes(groups, len(y)), np.ones(len(y)) if weight is None else weight
    higher, lower = np.nonzero((y[:, None] > y) & (codes[:, None] == codes))
    shares = weight[higher] * weight[lower]
    if not shares.any():
        return [0.0] * len(columns)
    shares = shares / shares.sum()
    # a column with nan has none: the estimator refuses missing values, and says what to do
    return [0.0 if np.isnan(x).any() else float((np.sign(x[higher] - x[lower]) * shares).sum()) for x in columns]


def _correlation(y, x, groups, weight):
    """Return Somers' D of a column, 0 if there is no pair to compare."""
    try:
        return 2.0 * concordance_index(y, x, groups, weight) - 1.0
    except NoPairError:
        return 0.0


def fitted_scaler(scaler: Any, X: MatrixLike, y: ArrayLike, of_fit: dict[str, Any]) -> Any:
    """Return a clone of a scaler of columns or pairs, fitted with those arguments of the estimator's ``fit`` that it
    takes."""
    of_scaler = {name: of_fit[name] for name in ("groups", "sample_weight") if name in of_fit}
    scaler = clone(scaler).set_output(transform="default")
    return scaler.fit(X, y, **{name: value for name, value in of_scaler.items() if has_fit_parameter(scaler, name)})


def scaler_of(estimator: Any, grid: Any) -> Any:
    """Return the transformer of the columns for an estimator and the settings of a grid; None if they stay."""
    settings = ParameterGrid({} if grid is None or isinstance(grid, str) else grid)
    if isinstance(estimator, Pipeline) or all(
        _unscaled(setting.get("kernel", estimator.kernel)) for setting in settings
    ):
        return None
    if isinstance(estimator, PairsMachine):  # a setting of scikit-learn for outputs reaches what is inside by itself
        return PairTransformer(ColumnScaler().set_output(transform="default"), estimator.items)
    return ColumnScaler(getattr(estimator, "categories", None))


def _unscaled(kernel):
    """Return whether a kernel needs its own columns: a matrix, nothing below 0, or a length scale for each column."""
    parts = [kernel, *kernel.get_params().values()] if hasattr(kernel, "get_params") else [kernel]  # sums and products
    return kernel in UNSCALED if isinstance(kernel, str) else any(getattr(part, "anisotropic", False) for part in parts)


def _squares(rows):
    """Return the squared distances of all pairs of rows; those far from 0 lose no digits."""
    if not issparse(rows):
        return pdist(rows, "sqeuclidean")
    near, _ = minus_mean(rows, np.asarray(rows.mean(axis=0), dtype=np.float64).ravel())
    squares = euclidean_distances(near, squared=True)
    return squares[np.triu_indices(len(squares), 1)]


def column_names(X: Any) -> list[str] | None:
    """Return the names of the columns of a frame if all are texts, as scikit-learn takes them."""
    names = list(getattr(X, "columns", ()))
    return names if names and all(isinstance(name, str) for name in names) else None


def gammas_of(rows: Any, estimator: Any, scaled: bool) -> list[float]:
    """Return values of gamma that suit the distances of some rows, or of the items of pairs if an estimator learns from
    these; scaled items stand side by side."""
    items = None
    if isinstance(estimator, PairsMachine) and not issparse(rows) and rows.shape[1] % 2 == 0:
        names, items = (None, None) if scaled else (column_names(rows), estimator.items)
        items = pair_columns(names, rows.shape[1], items).numbers
    rows = rows.tocsr() if issparse(rows) else np.asarray(rows, dtype=np.float64)
    rows = rows[np.unique(np.linspace(0, rows.shape[0] - 1, MEASURED).astype(int))]
    if items is not None:
        rows = np.vstack([rows[:, columns] for columns in items])
    median = 0.0
    if np.isfinite(rows.data if issparse(rows) else rows).all():
        with np.errstate(over="ignore", invalid="ignore"):
            apart = _squares(rows)
        median = float(np.median(apart[apart > 0])) if np.any(apart > 0) else 0.0
    return [float(f"{width / (median if 0 < median < np.inf else 1.0):.3g}") for width in WIDTHS]
