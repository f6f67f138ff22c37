"""Metrics for differences that predict which item of a pair is better, or that neither is.

As in the whole library, labels and differences refer to the first item of a pair: the label 1 and a difference > 0 mean
that it is better. If both refer to the second item, as in the paper of Venuto et al., every metric is the same.
"""

from typing import Literal

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.problem.rows.comparisons import check_comparisons, checked_labels, compare
from rankmargin.problem.rows.pairs import floats

TRUE_POSITIVES = ("right_direction", "any_direction")


def comparison_error(y: ArrayLike, s: ArrayLike) -> float:
    """Return the share of pairs whose label differs from the one that the difference predicts.

    A difference above 1 predicts 1, one below -1 predicts -1, and any other predicts 0.

    Parameters
    ----------
    y : (n,) array
        Labels of the first item: 1 better, 0 neither is, -1 worse.
    s : (n,) array
        Differences r(first) - r(second), in units of the threshold.

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
    y, s = _checked_comparisons(y, s)
    return float(np.mean(compare(s) != y))


def comparison_roc(
    y: ArrayLike, s: ArrayLike, true_positive: Literal["right_direction", "any_direction"] = "right_direction"
) -> tuple[Array, Array, Array]:
    """Return the ROC curve of comparisons as their threshold falls from infinity to below 0.

    A false positive is an equality pair that is called different. A true positive is an inequality pair that is called
    different *in the right direction* (the curve may then end below 1) or, as in the authors' program, *in any
    direction*. A pair with the difference 0 has no direction.

    Parameters
    ----------
    y : (n,) array
        Labels of the first item: 1 better, 0 neither is, -1 worse.
    s : (n,) array
        Differences r(first) - r(second); only their order by size and their signs matter.
    true_positive : {"right_direction", "any_direction"}
        Which inequality pairs count as true positives.

    Returns
    -------
    fpr : (k + 1,) array
        False positive rates, from 0 to 1, with one point for each distinct ``|s|``.
    tpr : (k + 1,) array
        True positive rates, from 0.
    thresholds : (k + 1,) array
        Pairs with ``|s|`` at or above a threshold are called different; in descending order, from infinity.

    Raises
    ------
    ValueError
        If y has no equality pair or no inequality pair.

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
    y, s = _checked_comparisons(y, s)
    check_comparisons(y)
    size = np.abs(s)
    order = np.argsort(-size, kind="stable")
    last = np.append(size[order][1:] != size[order][:-1], True)  # ties are one step
    right = y != 0 if true_positive == "any_direction" else (np.sign(s) == y) & (y != 0)
    fpr = np.append(0, np.cumsum(y[order] == 0)[last]) / np.sum(y == 0)
    tpr = np.append(0, np.cumsum(right[order])[last]) / np.sum(y != 0)
    return fpr, tpr, np.append(np.inf, size[order][last])


def comparison_auc(y: ArrayLike, s: ArrayLike) -> float:
    """Return the area under :func:`~rankmargin.metrics.comparison_roc` in the right direction: higher is better.

    It is at most the share of inequality pairs whose direction is right.

    Parameters
    ----------
    y : (n,) array
        Labels of the first item: 1 better, 0 neither is, -1 worse.
    s : (n,) array
        Differences r(first) - r(second).

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


def comparison_auc_any_direction(y: ArrayLike, s: ArrayLike) -> float:
    """Return the area under :func:`~rankmargin.metrics.comparison_roc` in any direction: higher is better.

    Parameters
    ----------
    y : (n,) array
        Labels of the first item: 1 better, 0 neither is, -1 worse.
    s : (n,) array
        Differences r(first) - r(second).

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


def comparison_baseline_auc(y: ArrayLike) -> float:
    """Return the AUC if every pair is called the more frequent direction: half the share of that direction.

    Parameters
    ----------
    y : (n,) array
        Labels of the first item: 1 better, 0 neither is, -1 worse.

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


def _checked_comparisons(y, s):
    """Return labels and differences of the pairs as arrays (n,), or refuse arrays that cannot be compared."""
    y, s = np.asarray(y), floats("s", s)
    if y.ndim != 1 or y.shape != s.shape or y.size == 0:
        raise ValueError(f"y and s must be of the same length > 0, got shapes {y.shape} and {s.shape}")
    checked_labels(y)
    if np.isnan(s).any():
        raise ValueError("s must be numbers, got nan")
    return y, s
