"""Checks of the arguments of all metrics."""

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.problem.rows.pairs import floats, is_censored, own_order, places, whole_numbers

LARGE = 200  # exponents of weights up to which sums of products of two are finite and not 0
EXACT = 1 << 53  # whole numbers up to this size are exact as floats


def checked(y: ArrayLike, predicted: ArrayLike, name: str) -> tuple[Array, Array]:
    """Return both as arrays of float (n,), or of int64 if a float would merge whole numbers; refuse arrays that cannot
    be compared.

    An ordered categorical becomes the places of its grades, also if they are numbers.
    """
    y, predicted = _numbers(y, own_order(y), "y"), _numbers(predicted, own_order(predicted), name)
    if y.ndim != 1 or y.shape != predicted.shape or y.size == 0:
        raise ValueError(f"y and {name} must be of the same length > 0, got shapes {y.shape} and {predicted.shape}")
    for values, label in ((y, "y"), (predicted, name)):
        if np.isnan(values).any():
            raise ValueError(f"{label} must be numbers, got nan")
    return y, predicted


def checked_orders(y: ArrayLike, s: ArrayLike) -> tuple[Array, Array]:
    """Return both as arrays of float (n,) for a metric that reads their orders alone: whole numbers that a float would
    merge become their places."""
    y, s = checked(y, s, "s")
    return in_order(y), in_order(s)


def in_order(values: Array) -> Array:
    """Return checked values (n,) as floats in the same order: whole numbers become their places."""
    return values if values.dtype.kind == "f" else np.unique(values, return_inverse=True)[1].astype(np.float64)


def checked_weights(sample_weight: ArrayLike, y: Array) -> Array:
    """Return the weights as an array of float (n,), or refuse them if there is not one weight >= 0 per row.

    Weights whose products may overflow or vanish are divided by a power of 2, which changes no metric.
    """
    from rankmargin.problem.checks import weights_of_rows  # with scikit-learn, which jobs without weights do not load

    weight = weights_of_rows(y, sample_weight)
    exponent = int(np.frexp(weight.max())[1])
    return weight if abs(exponent) < LARGE else np.ldexp(weight, -exponent)


def distances(y: ArrayLike, predicted: ArrayLike) -> Array:
    """Return y minus the predictions, shape (n,); if one of them is an ordered categorical, in places of its grades."""
    y, predicted = as_numbers(y, predicted)
    return y - predicted


def as_numbers(y: ArrayLike, predicted: ArrayLike) -> tuple[Array, Array]:
    """Return true and predicted grades as numbers, two (n,) arrays; if one of them is an ordered categorical, both
    become places in its order."""
    order = own_order(y) or own_order(predicted)
    return checked(_numbers(y, order, "y"), _numbers(predicted, order, "predictions"), "predictions")


def _numbers(values, order, name):
    """Return values (n,) as floats, as int64 if a float would merge them, or as their places in an order."""
    if is_censored(values):
        raise ValueError(f"{name} must be numbers, got a structured array: concordance_index takes censored times")
    if order is not None:
        return places(values, order, name).astype(np.float64)
    numbers = whole_numbers(values)
    if numbers.dtype.kind == "i" and numbers.size and not -EXACT <= numbers.min() <= numbers.max() <= EXACT:
        return numbers.astype(np.int64)
    return floats(name, numbers)
