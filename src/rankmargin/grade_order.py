"""The order of grades that are names, or numbers in an order of their own."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array


def own_order(y: Any) -> list[Any] | None:
    """Return the grades of an ordered categorical (pandas) or Enum (polars) from the lowest to the highest; None for
    anything that is no categorical.

    Raises
    ------
    ValueError
        If y is a categorical without an order.
    """
    dtype = getattr(y, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None:
        return None
    if not getattr(dtype, "ordered", type(dtype).__name__ == "Enum"):
        example = next(iter(np.asarray(y, dtype=object).tolist()), None)
        raise ValueError(
            f"y must be a categorical with an order, got one without and values like {example!r}: "
            "pd.Categorical(y, [lowest, ..., highest], ordered=True), or categories=[...] of an ordinal estimator"
        )
    return list(categories)


def places(y: ArrayLike, order: Sequence[Any], name: str = "y") -> Array:
    """Return the place of each grade in ``order``, an (n,) array of integers.

    Parameters
    ----------
    y : (n,) array of grades
    order : sequence of all grades, from the lowest to the highest
    name : str, name of y in messages

    Raises
    ------
    ValueError
        If grades of ``order`` repeat, or y has a missing value or a grade that is not in ``order``.
    """
    order = list(order)
    place = {grade: i for i, grade in enumerate(order)}
    if len(place) != len(order):
        raise ValueError(f"categories must be distinct, got {order!r}")
    grades = np.asarray(y, dtype=object).tolist()
    for row, grade in enumerate(grades):
        if is_missing(grade):
            raise ValueError(f"{name} must hold a grade for every row, got {grade!r} at row {row}")
        if grade not in place:
            raise ValueError(f"{name} must hold grades of categories {order!r}, got {grade!r}{_if_codes(grade, order)}")
    return np.array([place[grade] for grade in grades], dtype=np.int64)


def is_missing(value: Any) -> bool:
    """Return whether a value is None, nan, NaT or ``pd.NA``, of which the last is neither equal nor unequal to
    itself."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def _if_codes(strange, order):
    """Return a hint if the names seem to have been numbered, as scikit-learn's ``LabelEncoder`` does."""
    if not isinstance(strange, int) or not all(isinstance(name, str) for name in order):
        return ""
    alphabetical = [sorted(order).index(name) for name in order]
    return (
        ": StackingClassifier and others that contain estimators, and cross_val_predict of probabilities, number the "
        f"names in alphabetical order; use categories={alphabetical} there, or numbers for names"
    )
