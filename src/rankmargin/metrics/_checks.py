"""Checks of the arguments of all metrics."""

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array
from rankmargin.rows.pairs import group_codes


def checked(y: ArrayLike, predicted: ArrayLike, name: str) -> tuple[Array, Array]:
    """Return both as arrays of float (n,), or refuse arrays that cannot be compared."""
    y, predicted = np.asarray(y, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    if y.ndim != 1 or y.shape != predicted.shape or y.size == 0:
        raise ValueError(f"y and {name} must be of the same length > 0, got shapes {y.shape} and {predicted.shape}")
    for values, told in ((y, "y"), (predicted, name)):
        if np.isnan(values).any():
            raise ValueError(f"{told} must be numbers, got nan")
    return y, predicted


def checked_weights(sample_weight: ArrayLike | None, y: ArrayLike) -> Array:
    """Return the weights as an array of float (n,), or refuse them if there is not one weight >= 0 per row."""
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != np.shape(y) or not np.all(weight >= 0) or not np.isfinite(weight).all():
        raise ValueError(f"sample_weight must hold a finite number >= 0 for each row, got shape {weight.shape}")
    return weight


def checked_groups(groups: ArrayLike | None, y: Array) -> Array:
    """Return the code of the group of each row (n,), all 0 without groups; refuse groups of another length than y."""
    if groups is not None and np.shape(groups) != y.shape:
        raise ValueError(f"groups must be as long as y, got shapes {np.shape(groups)} and {y.shape}")
    return group_codes(groups, len(y))


def distances(y: ArrayLike, predicted: ArrayLike) -> Array:
    """Return y minus the predictions, shape (n,)."""
    y, predicted = checked(y, predicted, "predictions")
    return y - predicted
