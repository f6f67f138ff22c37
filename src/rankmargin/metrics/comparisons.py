"""Metrics for differences that predict which item of a pair is better, or that neither is.

As in the whole library, labels and differences refer to the first item of a pair: the label 1 and a difference > 0 mean
that it is better. If both refer to the second item, as in the paper of Venuto et al., every metric is the same.
"""

import numpy as np

from rankmargin.annotations import ArrayLike
from rankmargin.problem.rows.comparisons import check_comparisons, checked_labels, compare
from rankmargin.problem.rows.pairs import floats


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


def comparison_auc(y: ArrayLike, s: ArrayLike) -> float:
    """Return the area under the ROC curve of comparisons as their threshold falls from infinity to below 0: higher is
    better.

    A false positive is an equality pair that is called different. A true positive is an inequality pair that is called
    different in the right direction, so that the area is at most the share of inequality pairs whose direction is
    right. A pair with the difference 0 has no direction.

    Parameters
    ----------
    y : (n,) array
        Labels of the first item: 1 better, 0 neither is, -1 worse.
    s : (n,) array
        Differences r(first) - r(second); only their order by size and their signs matter.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If y has no equality pair or no inequality pair.

    References
    ----------
    Venuto, Hocking, Spanurattana, Sugiyama, "Support vector comparison machines" (2014), Table 3 and Figure 5.

    Examples
    --------
    >>> from rankmargin.metrics import comparison_auc
    >>> comparison_auc([1, -1, 0], [3.0, -1.0, 2.0])
    0.5
    """
    y, s = _checked_comparisons(y, s)
    check_comparisons(y)
    size = np.abs(s)
    order = np.argsort(-size, kind="stable")
    last = np.append(size[order][1:] != size[order][:-1], True)  # ties are one step
    right = (np.sign(s) == y) & (y != 0)
    fpr = np.append(0, np.cumsum(y[order] == 0)[last]) / np.sum(y == 0)
    tpr = np.append(0, np.cumsum(right[order])[last]) / np.sum(y != 0)
    return float(np.trapezoid(tpr, fpr))


def _checked_comparisons(y, s):
    """Return labels and differences of the pairs as arrays (n,), or refuse arrays that cannot be compared."""
    y, s = np.asarray(y), floats("s", s)
    if y.ndim != 1 or y.shape != s.shape or y.size == 0:
        raise ValueError(f"y and s must be of the same length > 0, got shapes {y.shape} and {s.shape}")
    checked_labels(y)
    if np.isnan(s).any():
        raise ValueError("s must be numbers, got nan")
    return y, s
