"""Losses of a ranking or an ordinal prediction. Lower is better unless a name says otherwise."""

import numpy as np

from rankmargin.comparison_model import compare
from rankmargin.oracles.swapped_pairs import count_swapped
from rankmargin.rows.comparisons import check_comparisons
from rankmargin.rows.pairs import check_pairs

HIGHER_IS_BETTER = ("comparison_auc", "comparison_auc_any_direction")
TRUE_POSITIVES = ("right_direction", "any_direction")


def swapped_pairs(y, s, groups=None):
    """Return the fraction of pairs with y_i > y_j whose scores have s_i <= s_j, in O(n log n).

    Ties of the scores count as swapped. With two classes and no ties in s this is 1 - AUC.

    Parameters
    ----------
    y : (n,) array
        The true order; higher means ahead.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        Pairs are compared only inside a group.

    Returns
    -------
    float
        Between 0 (a perfect order) and 1.

    Raises
    ------
    ValueError
        When there is no pair to compare, lengths differ, or y or s hold nan.

    References
    ----------
    Díez, del Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript,
    posted in 2014), eq. 1.

    Examples
    --------
    >>> from rankmargin.metrics import swapped_pairs
    >>> swapped_pairs([1, 2, 3], [0.1, 0.3, 0.2])  # one of three pairs is in the wrong order
    0.3333333333333333
    >>> swapped_pairs([1, 2, 3], [0.1, 0.3, 0.3])  # a tie is wrong too
    0.3333333333333333
    """
    y, s = _checked(y, s, "s")
    if groups is not None:
        groups = np.unique(groups, return_inverse=True)[1]
        if groups.shape != y.shape:
            raise ValueError(f"groups must be as long as y, got shapes {groups.shape} and {y.shape}")
    check_pairs(y, groups)
    swapped, pairs = count_swapped(y, s, groups)
    return swapped / pairs


def rank_inversions(y, ranks, groups=None):
    """Return the fraction of pairs with y_i > y_j whose predicted ranks have g_i <= g_j.

    These are the swapped pairs of the predicted *ranks*: two examples of different rank that get the same rank are an
    error.

    Parameters
    ----------
    y : (n,) array
        The true ranks.
    ranks : (n,) array
        The predicted ranks.
    groups : (n,) array or None
        Pairs are compared only inside a group.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        As :func:`~rankmargin.metrics.swapped_pairs`.

    References
    ----------
    Herbrich, Graepel, Obermayer, "Large margin rank boundaries for ordinal regression" (2000), eq. 2.11 and
    section 2.5.

    Examples
    --------
    >>> from rankmargin.metrics import rank_inversions
    >>> rank_inversions([1, 2, 3], [1, 2, 2])
    0.3333333333333333
    """
    return swapped_pairs(y, ranks, groups)


def mean_absolute_error(y, ranks):
    """Return the mean distance between the true and the predicted rank, in units of the labels.

    Parameters
    ----------
    y : (n,) array
        The true ranks.
    ranks : (n,) array
        The predicted ranks.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        When the lengths differ or are 0, or there are nan.

    Examples
    --------
    >>> from rankmargin.metrics import mean_absolute_error
    >>> mean_absolute_error([1, 2, 3, 3], [1, 2, 2, 1])
    0.75
    """
    return float(np.mean(np.abs(_paired(y, ranks))))


def absolute_error(y, predictions):
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
        When the lengths differ or are 0, or there are nan.

    Examples
    --------
    >>> from rankmargin.metrics import absolute_error
    >>> absolute_error([1.0, 2.0], [1.5, 2.0])
    0.25
    """
    return float(np.mean(np.abs(_paired(y, predictions))))


def zero_one(y, ranks):
    """Return the fraction of wrong ranks.

    Parameters
    ----------
    y : (n,) array
        The true ranks.
    ranks : (n,) array
        The predicted ranks.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        When the lengths differ or are 0, or there are nan.

    Examples
    --------
    >>> from rankmargin.metrics import zero_one
    >>> zero_one([1, 2, 3, 3], [1, 2, 2, 1])
    0.5
    """
    return float(np.mean(_paired(y, ranks) != 0))


def _paired(y, predicted):
    y, predicted = _checked(y, predicted, "predictions")
    return y - predicted


def _checked(y, predicted, name):
    """Return both as arrays of float, or refuse what cannot be compared."""
    y, predicted = np.asarray(y, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    if y.ndim != 1 or y.shape != predicted.shape or y.size == 0:
        raise ValueError(f"y and {name} must be of one length > 0, got shapes {y.shape} and {predicted.shape}")
    for values, told in ((y, "y"), (predicted, name)):
        if np.isnan(values).any():
            raise ValueError(f"{told} must be numbers, got nan")
    return y, predicted


def comparison_error(y, s):
    """Return the share of pairs whose label is not what the differences say at the threshold 1.

    A difference above 1 says 1, below -1 it says -1, else 0.

    Parameters
    ----------
    y : (n,) array
        Labels -1, 0, 1.
    s : (n,) array
        Differences r(x') - r(x), in units of the threshold.

    Returns
    -------
    float
        Between 0 and 1.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), eq. 2.

    Examples
    --------
    >>> from rankmargin.metrics import comparison_error
    >>> comparison_error([1, 0, -1, 0], [2.0, 0.4, -0.8, -3.0])
    0.5
    """
    return float(np.mean(compare(np.asarray(s)) != np.asarray(y)))


def comparison_roc(y, s, true_positive="right_direction"):
    """Return the ROC curve of comparisons as their threshold falls from infinity to below 0.

    A false positive is an equality pair called different. A true positive is an inequality pair called different *in
    the right direction*; the curve may then end below 1. Or it is one called different *in any direction*, as the
    authors' program has it. A pair of difference 0 has no direction.

    Parameters
    ----------
    y : (n,) array
        Labels -1, 0, 1.
    s : (n,) array
        Differences r(x') - r(x); only their order by size and their signs matter.
    true_positive : {"right_direction", "any_direction"}
        Which inequality pairs count as found.

    Returns
    -------
    fpr : (k + 1,) array
        False positive rates, from 0 to 1, a point for each distinct ``|s|``.
    tpr : (k + 1,) array
        True positive rates, from 0.
    thresholds : (k + 1,) array
        Pairs with ``|s|`` at or above it are called different; descending from infinity.

    Raises
    ------
    ValueError
        When y has no equality pair or no inequality pair.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), Table 3 and Figure 5.

    Examples
    --------
    >>> from rankmargin.metrics import comparison_roc
    >>> fpr, tpr, thresholds = comparison_roc([1, -1, 0], [3.0, -1.0, 2.0])
    >>> fpr
    array([0., 0., 1., 1.])
    >>> tpr
    array([0. , 0.5, 0.5, 1. ])
    >>> thresholds
    array([inf, 3., 2., 1.])
    """
    if true_positive not in TRUE_POSITIVES:
        raise ValueError(f"true_positive must be one of {', '.join(TRUE_POSITIVES)}, got {true_positive!r}")
    y, s = np.asarray(y), np.asarray(s, dtype=np.float64)
    check_comparisons(y)
    size = np.abs(s)
    order = np.argsort(-size, kind="stable")
    last = np.append(size[order][1:] != size[order][:-1], True)  # ties are one step
    right = y != 0 if true_positive == "any_direction" else (np.sign(s) == y) & (y != 0)
    fpr = np.append(0, np.cumsum(y[order] == 0)[last]) / np.sum(y == 0)
    tpr = np.append(0, np.cumsum(right[order])[last]) / np.sum(y != 0)
    return fpr, tpr, np.append(np.inf, size[order][last])


def comparison_auc(y, s):
    """Return the area under :func:`~rankmargin.metrics.comparison_roc` in the right direction: higher is better.

    It is at most the share of inequality pairs whose direction is right.

    Parameters
    ----------
    y : (n,) array
        Labels -1, 0, 1.
    s : (n,) array
        Differences r(x') - r(x).

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> from rankmargin.metrics import comparison_auc
    >>> comparison_auc([1, -1, 0], [3.0, -1.0, 2.0])
    0.5
    """
    fpr, tpr, _ = comparison_roc(y, s)
    return float(np.trapezoid(tpr, fpr))


def comparison_auc_any_direction(y, s):
    """Return the area under :func:`~rankmargin.metrics.comparison_roc` in any direction: higher is better.

    Parameters
    ----------
    y : (n,) array
        Labels -1, 0, 1.
    s : (n,) array
        Differences r(x') - r(x).

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> from rankmargin.metrics import comparison_auc_any_direction
    >>> comparison_auc_any_direction([1, -1, 0], [-3.0, -4.0, 2.0])
    1.0
    """
    fpr, tpr, _ = comparison_roc(y, s, "any_direction")
    return float(np.trapezoid(tpr, fpr))


def comparison_baseline_auc(y):
    """Return the AUC of calling every pair the commoner direction: half the share of that direction.

    Parameters
    ----------
    y : (n,) array
        Labels -1, 0, 1.

    Returns
    -------
    float
        Between 0.25 and 0.5.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), section 4.3.

    Examples
    --------
    >>> from rankmargin.metrics import comparison_baseline_auc
    >>> comparison_baseline_auc([1, 1, 1, -1, 0])
    0.375
    """
    y = np.asarray(y)
    check_comparisons(y)
    return 0.5 * max(float(np.mean(y[y != 0] == 1)), float(np.mean(y[y != 0] == -1)))
