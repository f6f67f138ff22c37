"""Checks of what a fit is given: parameters, X, targets (numbers, or grades with a known order), groups, weights."""

import reprlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from numbers import Integral, Real
from typing import Any, Literal, get_args, get_origin

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin, is_regressor
from sklearn.utils import assert_all_finite, check_array, column_or_1d, get_tags
from sklearn.utils.validation import check_non_negative, validate_data

from rankmargin.annotations import Array, ArrayLike, RandomState
from rankmargin.problem.landmarks import KernelParameters
from rankmargin.problem.rows.pairs import NoPairError, is_missing, own_order, places, whole_numbers

LARGEST = 1e50  # of weights
LEAST_DIGITS, A_FEW = 1e-3, 200  # rounding of a value, in deviations of its column; rows that show most columns
NUMBERS = "biufc"  # kinds of dtypes
ENCODED = 'make_column_transformer((OneHotEncoder(handle_unknown="ignore"), {columns}), remainder="passthrough")'
OF_ITEMS = 'make_column_selector(dtype_exclude="number")'
ENCODED_ITEMS = f"PairTransformer({ENCODED.format(columns=OF_ITEMS)})"
INNER = ("best_estimator_", "estimator_", "ranker_", "_final_estimator")  # attributes with a fitted inner estimator


def whole(least):
    """Return the rule of an integer that is at least ``least``."""
    return f"an integer >= {least}", lambda value: _is_whole(value) and value >= least


def _is_whole(value):
    return isinstance(value, Integral) and not isinstance(value, bool)


POSITIVE = "a finite number > 0", lambda value: isinstance(value, Real) and 0 < float(value) < np.inf
NOT_NEGATIVE = "a finite number >= 0", lambda value: isinstance(value, Real) and 0 <= float(value) < np.inf

# name -> what is accepted, and the test; names are in the annotation of their field, the parameters of a kernel are
# checked by Kernel, limits by Progress, and losses where they are chosen
ACCEPTED = {
    "C": POSITIVE,
    "C_rank": NOT_NEGATIVE,
    "ensemble_size": whole(1),
    "epochs": whole(1),
    "epsilon": NOT_NEGATIVE,
    "gamma": ('a number > 0 or "scale"', lambda value: isinstance(value, Real | str)),
    "kernel": ("a callable or the name of a kernel", lambda value: isinstance(value, str) or callable(value)),
    "landmarks": ("an integer >= 1 or None", whole(1)[1]),
    "margin": POSITIVE,
    "max_iter": whole(1),
    "n_bins": ("an integer >= 2 or None", whole(2)[1]),  # None is the default
    "n_partners": (
        'an integer >= 1 or "all"',
        lambda value: whole(1)[1](value) or (isinstance(value, str) and value == "all"),
    ),
    "penalty": NOT_NEGATIVE,
    "tol": POSITIVE,
}


def check_parameters(owner: Any) -> None:
    """Refuse values of the fields of a dataclass that their ``Literal`` or :data:`ACCEPTED` does not name; defaults are
    accepted. A number of another precision than Python's becomes a float: numpy would compute in that precision, and
    a certificate of half precision proves nothing."""
    for field in fields(owner):
        value = getattr(owner, field.name)
        if get_origin(field.type) is Literal:
            names = get_args(field.type)
            accepted, known = f"one of {', '.join(names)}", isinstance(value, str) and value in names
        elif field.type is bool:
            accepted, known = "True or False", isinstance(value, (bool, np.bool_))
        else:
            accepted, test = ACCEPTED.get(field.name, ("anything", lambda value: True))
            known = value is field.default or test(value)
        if not known:
            raise ValueError(f"{field.name} must be {accepted}, got {value!r}")
        if isinstance(value, Real) and not isinstance(value, (Integral, float, np.bool_)):
            setattr(owner, field.name, float(value))


@dataclass(eq=False, repr=False, kw_only=True)
class Certified(KernelParameters):
    """The parameters of an estimator with a certificate: the weight of the loss, when a fit ends and what it prints."""

    C: float | None = 1.0  # None is accepted where it is the default
    landmarks: int | None = None
    tol: float = 1e-3
    max_iter: int = 10_000_000
    verbose: int = 0
    max_seconds: float | None = None
    random_state: RandomState | None = 0


def check_targets(y: ArrayLike, categories: Sequence[Any] | None = None) -> tuple[Array, Array | None]:
    """Return targets as numbers (n,), higher means ahead, and the grade (k,) of each number 0, 1, ..., or None if y
    holds numbers.

    The ``categories`` are all grades from the lowest to the highest; with None, y holds numbers or has an order of its
    own, as a categorical (pandas) or an Enum (polars). Missing values, and names without an order, are refused.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    order = own_order(y) if categories is None else grades_of(categories)
    if order is None:
        return _numbers(y), None
    return places(column_or_1d(np.asarray(y, dtype=object), warn=True), order), as_array(order)


def grades_of(categories: Sequence[Any]) -> list[Any]:
    """Return grades from the lowest to the highest as a list."""
    if np.ndim(categories) != 1:
        raise ValueError(f"categories must be a list [lowest, ..., highest] of grades, got {reprlib.repr(categories)}")
    return list(categories)


def checked_matrix(
    estimator: Any, X: Any, *, fill: str | None = None, encode: str | None = None, **options: Any
) -> Any:
    """Return X checked by ``validate_data``; the error for missing values or text names what takes them.

    That is RankSearchCV; for an estimator that it does not tune, or that has its own ``fill`` and ``encode``, which are
    steps that fill values in and make numbers of text, a pipeline. Dates become days since 1970. An array in single
    precision stays as it is if the estimator is linear, which reads it in parts.
    """
    came, X = X, dates_as_days(X)
    name = type(estimator).__name__
    tuned = fill is None and hasattr(estimator, "C")  # it has a path over C
    in_parts = estimator._is_linear() and not estimator._keeps_rows() and not hasattr(X, "tocsr")
    accepted = [np.float64, np.float32] if in_parts else np.float64
    try:
        checked = _summed(validate_data(estimator, X, accept_sparse="csr", dtype=accepted, **options))
    except ValueError as error:
        if "contains NaN" in str(error):
            cure = f"RankSearchCV({name}())" if tuned else f"make_pipeline({fill or 'SimpleImputer()'}, {name}())"
            raise ValueError(f"Input X contains NaN. {name} takes no missing values: {cure} fills them in") from None
        refuse_text(X, name, None if tuned else encode or ENCODED)
        raise
    if options.get("reset", True):
        _refuse_offsets(came, checked)
    return checked


def dates_as_days(X: Any) -> Any:
    """Return X, a frame or an array or a column, with dates, or durations, as days since 1970, or days, in double
    precision."""
    if not hasattr(X, "columns"):
        return _days(X) if _is_of_dates(getattr(X, "dtype", None)) else X
    kinds = [_is_of_dates(dtype) for dtype in X.dtypes]
    if not any(kinds):
        return X
    days = {name: _days(X[name].to_numpy()) for name, dates in zip(X.columns, kinds) if dates}
    if hasattr(X, "with_columns"):
        return X.with_columns(**days)
    X = X.copy()
    for name, column in days.items():
        X[name] = column
    return X


def _is_of_dates(dtype):
    """Return whether a type of numpy, pandas or polars is that of dates or of durations."""
    temporal = getattr(dtype, "kind", "") in ("m", "M") or getattr(dtype, "is_temporal", bool)()
    return temporal and str(dtype) != "Time"  # of the day


def _days(dates):
    array = np.asarray(dates)
    duration = array if array.dtype.kind == "m" else array - np.datetime64(0, np.datetime_data(array.dtype)[0])
    return duration / np.timedelta64(1, "D")


def _refuse_offsets(came, X):
    """Refuse a column of a dense X with an offset that leaves fewer than three digits of its values: its type has
    rounded them. Whole numbers that the type holds exactly are taken."""
    if hasattr(X, "tocsr") or not X.size:
        return
    few = X[:: max(len(X) // A_FEW, 1)]
    size, width = np.abs(few).max(axis=0), np.ptp(few, axis=0)
    names = list(getattr(came, "columns", range(X.shape[1])))
    types = getattr(came, "dtypes", [getattr(came, "dtype", None)])
    single = [str(kind).lower() == "float32" for kind in types]
    eps = np.broadcast_to(np.where(single, 2.0**-23, 2.0**-52), X.shape[1])
    # the deviation is at least the width over the root of 2 n, and no value is further from a few than the width
    for number in np.flatnonzero(eps * (size + width) * (2.0 * len(X)) ** 0.5 > LEAST_DIGITS * width):
        column, far, deviation = X[:, number], float(abs(X[:, number].mean())), float(X[:, number].std())
        exact = np.abs(column).max() * eps[number] <= 2.0 and np.all(column == np.floor(column))
        if np.ptp(column) > 0 and eps[number] * far > LEAST_DIGITS * deviation and not exact:
            raise ValueError(
                f"X must keep three digits of the differences in a column, got values about {far:.3g} with a deviation "
                f"of {deviation:.2g} in column {names[number]!r}, which its type has rounded: subtract {far:.3g} before"
            )


def refuse_text(X: Any, name: str, encode: str | None = ENCODED) -> None:
    """Refuse columns of text, with what makes numbers of them before the estimator of this name: a pipeline that begins
    with ``encode``, or RankSearchCV if it is None."""
    if text := _text_columns(X):
        first, value = next(iter(text.items()))
        steps = f"make_pipeline({encode.format(columns=[*text])}, {name}())" if encode else f"RankSearchCV({name}())"
        raise ValueError(
            f"X must hold numbers, got {value!r} in column {first!r}: {steps} makes numbers of text"
        ) from None


def _text_columns(X):
    """Return the columns of a matrix or frame that hold text, each with its first value that is not a number."""
    framed = hasattr(X, "columns")  # a frame may have a column that is called dtype
    if len(getattr(X, "shape", ())) != 2 or (not framed and hasattr(X, "dtype") and X.dtype.kind in NUMBERS):
        return {}
    names = list(X.columns) if framed else range(X.shape[1])
    columns = {name: np.asarray(X[name] if framed else X[:, name]) for name in names}
    return {name: value for name, column in columns.items() if (value := text_of(column)) is not None}


def text_of(column: Array) -> str | None:
    """Return the first string in a column that is not a number, or None."""
    if column.dtype.kind in NUMBERS:
        return None
    for value in column:
        try:
            float(value)
        except ValueError:
            return str(value)
        except TypeError:
            continue
    return None


def matrix_as_it_came(estimator: Any, X: Any, reset: bool = True) -> Any:
    """Return X for an estimator inside to check, which may take names, categories and missing values."""
    X = _summed(X.tocsr()) if hasattr(X, "tocsr") else X if hasattr(X, "shape") else np.asarray(X)
    if len(X.shape) < 2:
        check_array(X, dtype=None)  # says how to reshape it
    validate_data(estimator, X, skip_check_array=True, reset=reset)
    return np.asarray(X) if hasattr(X, "columns") and get_tags(estimator).input_tags.pairwise else X


def _summed(X):
    """Return a CSR matrix with one entry for each place: scikit-learn takes those of one place as several values. An
    array stays as it is."""
    if getattr(X, "has_canonical_format", True):
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def one_below_other(first: Any, second: Any) -> Any:
    """Return the rows of two matrices or frames, a CSR matrix if one of them is sparse."""
    if hasattr(first, "tocsr") or hasattr(second, "tocsr"):
        return sparse.vstack([first, second], format="csr")
    if hasattr(first, "columns"):
        package = type(first).__module__.partition(".")[0]
        options = {"how": "vertical_relaxed"} if package == "polars" else {}  # columns of different types
        return import_module(package).concat([first, second], **options)
    return np.vstack([first, second])


def learned_targets(estimator: Any, y: ArrayLike) -> tuple[Array, Array | None]:
    """Return targets as :func:`check_targets` does, in the order that a fitted ordinal estimator, or one inside, has
    learned; for other estimators in the order of y itself."""
    ordinal = holder_of(estimator, "_order")
    if ordinal is None:
        return check_targets(y)
    return check_targets(y, ordinal._order) if ordinal._order is not None else check_targets(np.asarray(y))


def grades_as_numbers(estimator: Any, y: ArrayLike, predicted: ArrayLike) -> tuple[Array, Array]:
    """Return true and predicted grades as numbers (n,): themselves if these ascend, the bins of an estimator that cuts
    y into bins, and otherwise places 0, 1, ... in the order of the grades."""
    truth, names = learned_targets(estimator, y)
    cutter = holder_of(estimator, "bin_edges_")
    if cutter is not None:
        return cutter._bins(truth), np.asarray(predicted)
    if names is None:
        return truth, check_targets(np.asarray(predicted))[0]
    ascending = names.dtype.kind in "biuf" and np.all(names[1:] > names[:-1])
    numbers = names if ascending else np.arange(len(names))
    return numbers[truth], numbers[check_targets(predicted, names.tolist())[0]]


def scores_of(estimator: Any, X: Any) -> Array:
    """Return the scores of a fitted estimator, shape (m,): ``predict`` of a regressor, else ``score_samples``."""
    regresses = is_regressor(estimator) or not hasattr(estimator, "score_samples")
    scores = estimator.predict(X) if regresses else estimator.score_samples(X)
    return column_or_1d(np.asarray(scores, dtype=np.float64))


def refuse_infinite(scores: Array, given_by: str, estimator: Any) -> None:
    """Refuse scores of an estimator that are not finite; ``given_by`` is the parameter that holds it."""
    if not np.isfinite(scores).all():
        strange = scores[~np.isfinite(scores)][0]
        raise ValueError(f"{given_by} must give finite scores, got {strange} of {estimator!r}: scale X or y")


def with_inner(estimator: Any) -> Iterator[Any]:
    """Yield a fitted estimator and those inside it: the last step of a pipeline, the best estimator of a search."""
    while estimator is not None:
        yield estimator
        estimator = next((getattr(estimator, name) for name in INNER if hasattr(estimator, name)), None)


def holder_of(estimator: Any, attribute: str) -> Any:
    """Return the first of an estimator and those inside it that has the attribute, or None."""
    return next((inner for inner in with_inner(estimator) if hasattr(inner, attribute)), None)


def fit_weights(X: Any, sample_weight: ArrayLike | None, what: str = "row") -> Array | None:
    """Return the weights of a fit as an array of float (n,), or None; refuse those that are all 0, or of which products
    leave the range of a float64."""
    if sample_weight is None:
        return None
    weight = weights_of_rows(X, sample_weight, what)
    largest = float(weight.max())
    if not 1.0 / LARGEST <= largest <= LARGEST:
        raise ValueError(
            f"sample_weight must have its largest value in [{1.0 / LARGEST:g}, {LARGEST:g}], got {largest:.3g}: "
            "divide the weights by their mean"
        )
    return weight


def weights_of_rows(X: Any, sample_weight: ArrayLike, what: str = "row") -> Array:
    """Return the weights of rows as an array of float (n,); refuse others than one finite number >= 0 for each row."""
    weight = check_array(sample_weight, ensure_2d=False, dtype=np.float64, order="C", input_name="sample_weight")
    if weight.shape != (X.shape[0],):
        raise ValueError(f"sample_weight must have shape ({X.shape[0]},), one number per row, got shape {weight.shape}")
    check_non_negative(weight, "sample_weight")
    if not weight.any():
        raise NoPairError(f"sample_weight must be > 0 for some {what}, got zeros only")
    return weight


def is_dense(X: Any) -> bool:
    """Return whether rows are dense: no matrix of scipy, and no frame of sparse columns, which has an accessor."""
    return not (sparse.issparse(X) or hasattr(X, "sparse"))


def taken(X: Any, places: Any, axis: int = 0) -> Any:
    """Return some rows, or columns, of an array, a CSR matrix or a frame."""
    whole = X.iloc if hasattr(X, "iloc") else X
    return whole[:, places] if axis else whole[places]


def split(estimator: Any, X: Any, y: Any, rows: Any, columns: Any = None) -> tuple[Any, Any]:
    """Return some rows of X and their y; of a kernel matrix the columns of the rows of the fit, None if the same."""
    if get_tags(estimator).input_tags.pairwise:
        return X[np.ix_(rows, rows if columns is None else columns)], taken(y, rows)
    return taken(X, rows), taken(y, rows)


def names_of_columns(fitted: Any, names: ArrayLike | None) -> Array:
    """Return the names of the columns of a fit, which those that are given must be."""
    return OneToOneFeatureMixin.get_feature_names_out(fitted, names)


def _numbers(y):
    y = column_or_1d(whole_numbers(y), warn=True)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y must hold numbers that can be ordered")
    if y.dtype.kind == "O" and not any(isinstance(value, str | bytes) for value in y.tolist()):
        y = np.array([np.nan if is_missing(value) else value for value in y.tolist()], dtype=np.float64)
    if y.dtype.kind not in "biuf":
        raise ValueError(
            f"y must hold numbers, higher means ahead, got values like {y[0]!r}; grades with names need an order: an "
            "ordered categorical, or categories=[lowest, ..., highest] of an ordinal estimator"
        )
    if y.dtype.kind == "f" and (missing := int(np.isnan(y).sum())):
        raise ValueError(f"Input y contains NaN: {missing} of {len(y)} targets are missing, leave out these rows")
    assert_all_finite(y, input_name="y")
    return y


def as_array(names: Sequence[Any]) -> Array:
    """Return grades as an array (k,): of text, of numbers, or of objects if they are of several types."""
    made = np.array(names)
    if made.ndim == 1 and (made.dtype.kind in "biuf" or all(isinstance(name, str) for name in names)):
        return made
    made = np.empty(len(names), dtype=object)
    made[:] = names
    return made
