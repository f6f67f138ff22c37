"""Metrics of predicted grades, and of predictions in units of the target."""

import numpy as np

from rankmargin.annotations import ArrayLike
from rankmargin.metrics._checks import as_numbers, checked_weights, distances


def mean_absolute_error(y: ArrayLike, ranks: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Return the mean distance between the true and the predicted grade, in units of the labels.

    Parameters
    ----------
    y : (n,) array
        The true grades.
    ranks : (n,) array
        The predicted grades.
    sample_weight : (n,) array >= 0 or None
        Weights of the rows.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the lengths differ or are 0, or there are nan.

    Examples
    --------
    >>> from rankmargin.metrics import mean_absolute_error
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 2, 1])
    0.75
    """
    distance = np.abs(distances(y, ranks))
    weight = None if sample_weight is None else checked_weights(sample_weight, distance)
    return float(np.average(distance, weights=weight))


def zero_one(y: ArrayLike, ranks: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Return the fraction of wrong grades.

    Parameters
    ----------
    y : (n,) array
        The true grades.
    ranks : (n,) array
        The predicted grades.
    sample_weight : (n,) array >= 0 or None
        Weights of the rows.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the lengths differ or are 0, or there are nan.

    Examples
    --------
    >>> from rankmargin.metrics import zero_one
    >>> zero_one([1, 2, 3, 3], [1, 2, 2, 1])
    0.5
    """
    y, ranks = as_numbers(y, ranks)
    weight = None if sample_weight is None else checked_weights(sample_weight, y)
    return float(np.average(y != ranks, weights=weight))


def balanced_absolute_error(y: ArrayLike, ranks: ArrayLike) -> float:
    """Return the mean absolute error of each true grade, averaged over the grades: rare grades count as much as others.

    Parameters
    ----------
    y : (n,) array
        The true grades.
    ranks : (n,) array
        The predicted grades.

    Returns
    -------
    float
        In units of the labels.

    Raises
    ------
    ValueError
        If the lengths differ or are 0, or there are nan.

    References
    ----------
    Baccianella, Esuli, Sebastiani, "Evaluation measures for ordinal regression", ISDA 2009.

    Examples
    --------
    >>> from rankmargin.metrics import balanced_absolute_error
    >>> balanced_absolute_error([1, 1, 1, 2], [1, 1, 1, 1])  # no error at grade 1, one of 1 at grade 2
    0.5
    """
    y, ranks = as_numbers(y, ranks)
    return _balanced(y, np.abs(y - ranks))


def balanced_zero_one(y: ArrayLike, ranks: ArrayLike) -> float:
    """Return the share of wrong grades of each true grade, averaged over the grades.

    It is 1 minus scikit-learn's ``balanced_accuracy_score``.

    Parameters
    ----------
    y : (n,) array
        The true grades.
    ranks : (n,) array
        The predicted grades.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the lengths differ or are 0, or there are nan.

    Examples
    --------
    >>> from rankmargin.metrics import balanced_zero_one
    >>> balanced_zero_one([1, 1, 1, 2], [1, 1, 1, 1])
    0.5
    """
    y, ranks = as_numbers(y, ranks)
    return _balanced(y, y != ranks)


def _balanced(y, losses):
    place = np.unique(y, return_inverse=True)[1]
    return float(np.mean(np.bincount(place, losses) / np.bincount(place)))


def quadratic_kappa(y: ArrayLike, ranks: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Return Cohen's kappa with squared distances between the grades: higher is better, 1 is perfect, 0 is chance.

    It is 1 - mean (y - rank)^2 / m, where m is the expected mean if y and rank were independent. Distances are between
    the numbers themselves; for equally spaced labels this is scikit-learn's
    ``cohen_kappa_score(..., weights="quadratic")``.

    Parameters
    ----------
    y : (n,) array
        The true grades.
    ranks : (n,) array
        The predicted grades.
    sample_weight : (n,) array >= 0 or None
        Weights of the rows.

    Returns
    -------
    float
        At most 1; nan if all y and all predictions are the same number.

    Raises
    ------
    ValueError
        If the lengths differ or are 0, or there are nan.

    References
    ----------
    Cohen, "Weighted kappa", Psychological Bulletin 70 (1968).

    Examples
    --------
    >>> from rankmargin.metrics import quadratic_kappa
    >>> quadratic_kappa([1, 2, 3, 4], [1, 2, 3, 3])
    0.875
    """
    y, ranks = as_numbers(y, ranks)
    weight = None if sample_weight is None else checked_weights(sample_weight, y)
    exponent = int(np.frexp(max(np.abs(y).max(), np.abs(ranks).max()))[1])
    y, ranks = np.ldexp(y, -exponent), np.ldexp(ranks, -exponent)  # squares of large numbers would overflow
    zero = y[0 if weight is None else np.argmax(weight)]  # if all are this number, their deviations are exactly 0
    y, ranks = y - zero, ranks - zero
    means = [np.average(values, weights=weight) for values in (y, ranks)]
    spread = sum(np.average((values - mean) ** 2, weights=weight) for values, mean in zip((y, ranks), means))
    expected = (means[0] - means[1]) ** 2 + spread
    return float(1.0 - np.average((y - ranks) ** 2, weights=weight) / expected) if expected > 0 else float("nan")


def absolute_error(y: ArrayLike, predictions: ArrayLike) -> float:
    """Return the mean distance between target and prediction, in units of the target.

    Parameters
    ----------
    y : (n,) array
        The targets.
    predictions : (n,) array
        The predictions.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the lengths differ or are 0, or there are nan.

    Examples
    --------
    >>> from rankmargin.metrics import absolute_error
    >>> absolute_error([1.0, 2.0], [1.5, 2.0])
    0.25
    """
    return float(np.mean(np.abs(distances(y, predictions))))
