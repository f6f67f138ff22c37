"""Checks of targets, which are numbers or grades with names whose order is known, and of groups."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import assert_all_finite, column_or_1d
from sklearn.utils.validation import validate_data

from rankmargin.annotations import Array

INNER = ("best_estimator_", "estimator_", "ranker_", "_final_estimator")  # attributes with a fitted inner estimator


def check_targets(y: ArrayLike, categories: Sequence[Any] | None = None) -> tuple[Array, Array | None]:
    """Return targets as numbers with the right order, and the names of these numbers.

    Parameters
    ----------
    y : (n,) array of numbers, ordered categorical (pandas), or array of names in ``categories``
    categories : sequence or None
        All grades from the lowest to the highest. With None, y holds numbers or is an ordered categorical.

    Returns
    -------
    values : (n,) array of numbers, higher means ahead
    names : (k,) array, the grade that belongs to each number 0, 1, ...; None if y holds numbers

    Raises
    ------
    ValueError
        If y is missing, has missing values, or its order is not known.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    known = _own_categories(y) if categories is None else list(categories)
    if known is None:
        return _numbers(y), None
    place = {name: i for i, name in enumerate(known)}
    if len(place) != len(known):
        raise ValueError(f"categories must be distinct, got {known!r}")
    given = column_or_1d(np.asarray(y, dtype=object), warn=True).tolist()
    missing = [i for i, name in enumerate(given) if name is None or name != name]
    if missing:
        raise ValueError(f"y must hold a grade for every row, got {given[missing[0]]!r} at row {missing[0]}")
    strange = [name for name in given if name not in place]
    if strange:
        raise ValueError(
            f"y must hold grades of categories {known!r}, got {strange[0]!r}{_if_codes(strange[0], known)}"
        )
    return np.array([place[name] for name in given], dtype=np.int64), _as_array(known)


def _if_codes(strange, known):
    """Return a hint if the names seem to have been numbered, as scikit-learn's ``LabelEncoder`` does."""
    if not isinstance(strange, int) or not all(isinstance(name, str) for name in known):
        return ""
    places = [sorted(known).index(name) for name in known]
    return (
        ": StackingClassifier and others that contain estimators, and cross_val_predict of probabilities, number the "
        f"names in alphabetical order; use categories={places} there, or numbers for names"
    )


def checked_matrix(estimator: Any, X: Any, *, items: str = "SimpleImputer()", **options: Any) -> Any:
    """Return X checked by ``validate_data``; the error for missing values names a pipeline that fills them in."""
    try:
        return validate_data(estimator, X, accept_sparse="csr", dtype=np.float64, **options)
    except ValueError as error:
        if "contains NaN" not in str(error):
            raise
        name = type(estimator).__name__
        raise ValueError(
            f"Input X contains NaN. {name} takes no missing values: make_pipeline({items}, {name}()) fills them in"
        ) from None


def order_of(estimator: Any, y: ArrayLike) -> list[Any] | None:
    """Return the names of the grades from the lowest to the highest, from y or from the estimator; None for numbers.

    The estimator may also be inside a pipeline, as its last step, or inside a search, as its best estimator.
    """
    own = getattr(getattr(y, "dtype", None), "categories", None)
    if own is not None:
        return _own_categories(y)
    names = getattr(holder_of(estimator, "grades_"), "grades_", np.empty(0))
    return None if names.dtype.kind in "biuf" else names.tolist()


def with_inner(estimator: Any) -> Iterator[Any]:
    """Yield a fitted estimator and those inside it: the last step of a pipeline, the best estimator of a search."""
    while estimator is not None:
        yield estimator
        estimator = next((getattr(estimator, name) for name in INNER if hasattr(estimator, name)), None)


def holder_of(estimator: Any, attribute: str) -> Any:
    """Return the first of an estimator and those inside it that has the attribute, or None."""
    return next((one for one in with_inner(estimator) if hasattr(one, attribute)), None)


def check_groups(X: Any, groups: ArrayLike | None) -> Array | None:
    """Return the group of each row as a number, shape (n,), or None.

    Raises
    ------
    ValueError
        If ``groups`` does not have one name for each row of X.
    """
    if groups is None:
        return None
    groups, n = np.asarray(groups), X.shape[0]
    if groups.ndim != 1:
        raise ValueError(f"groups must be a 1d array with the group of each row, got shape {groups.shape}")
    if len(groups) != n and groups.dtype.kind in "iu" and groups.sum() == n:
        raise ValueError(
            f"groups must name the group of each of the {n} rows, got {len(groups)} sizes that sum to {n}: "
            "use np.repeat(np.arange(len(sizes)), sizes)"
        )
    if len(groups) != n:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {[n, len(groups)]}: groups must name the "
            "group of each row"
        )
    if groups.dtype.kind == "O":
        types = {type(name).__name__ for name in groups.tolist()}
        if len(types) > 1 or "NoneType" in types:
            raise ValueError(f"groups must hold names of one type and none missing, got {', '.join(sorted(types))}")
    if groups.dtype.kind == "f" and np.isnan(groups).any():
        raise ValueError(f"groups must name the group of each row, got nan at row {int(np.argmax(np.isnan(groups)))}")
    return np.unique(groups, return_inverse=True)[1]


def _own_categories(y):
    """Return the grades of an ordered categorical from the lowest to the highest; None for anything else."""
    dtype = getattr(y, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None:
        return None
    if not getattr(dtype, "ordered", False):
        raise ValueError(
            f"y must be a categorical with an order, got one without and values like {categories[0]!r}: "
            "pd.Categorical(y, [lowest, ..., highest], ordered=True), or categories=[...] of an ordinal estimator"
        )
    return list(categories)


def _numbers(y):
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y must hold numbers that can be ordered")
    if y.dtype.kind == "O" and not any(isinstance(value, str | bytes) for value in y.tolist()):
        y = y.astype(np.float64)
    if y.dtype.kind not in "biuf":
        raise ValueError(
            f"y must hold numbers, higher means ahead, got values like {y[0]!r}; grades with names need an order: an "
            "ordered categorical, or categories=[lowest, ..., highest] of an ordinal estimator"
        )
    assert_all_finite(y, input_name="y")
    return y


def _as_array(names):
    if all(isinstance(name, str) for name in names):
        return np.array(names)
    made = np.array(names)
    if made.ndim == 1 and made.dtype.kind in "biuf":
        return made
    made = np.empty(len(names), dtype=object)
    made[:] = names
    return made
