"""Losses of a ranking or an ordinal prediction. Lower is better unless a name says otherwise."""

import numpy as np

from rankmargin.comparison_model import compare
from rankmargin.oracles.swapped_pairs import count_swapped
from rankmargin.rows.comparisons import check_comparisons
from rankmargin.rows.pairs import check_pairs

HIGHER_IS_BETTER = ("comparison_auc", "comparison_auc_any_direction")
TRUE_POSITIVES = ("right_direction", "any_direction")


def swapped_pairs(y, s, groups=None):
    """Return the fraction of pairs with y_i > y_j whose scores have s_i <= s_j (Diez et al. eq. 1), in O(n log n).

    Ties of the scores count as swapped. With two classes and no ties in s this is 1 - AUC.

    Parameters
    ----------
    y : (n,) array, the true order
    s : (n,) array, scores; higher should mean a higher y
    groups : (n,) array or None, pairs are compared only inside a group

    Raises
    ------
    ValueError
        When there is no pair to compare, lengths differ, or y or s hold nan.
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
    """Return the fraction of pairs with y_i > y_j whose predicted ranks have g_i <= g_j (Herbrich et al. eq. 2.11).

    ``R_pref`` over ``E |Omega|`` of section 2.5: the swapped pairs of the predicted *ranks*, so two examples of unequal rank
    that get the same rank are an error.

    Parameters
    ----------
    y : (n,) array, the true ranks
    ranks : (n,) array, the predicted ranks
    groups : (n,) array or None
    """
    return swapped_pairs(y, ranks, groups)


def mean_absolute_error(y, ranks):
    """Return the mean distance between the true and the predicted rank, in the units of the labels."""
    return float(np.mean(np.abs(_paired(y, ranks))))


def absolute_error(y, predictions):
    """Return the mean distance between target and prediction, in the units of the target."""
    return float(np.mean(np.abs(_paired(y, predictions))))


def zero_one(y, ranks):
    """Return the fraction of wrong ranks."""
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
    """Return the share of pairs with t_1(s_i) != y_i (Venuto et al. eq. 2): the zero-one loss at the threshold 1.

    Parameters
    ----------
    y : (n,) labels -1, 0, 1
    s : (n,) differences r(x') - r(x)
    """
    return float(np.mean(compare(np.asarray(s)) != np.asarray(y)))


def comparison_roc(y, s, true_positive="right_direction"):
    """Return the curve of the comparison t_tau(s) as tau falls from infinity to below 0.

    A false positive is an equality pair called different.  A true positive is an inequality pair called different
    *in the right direction* (Table 3 of Venuto et al., where the wrong one is a false negative; the curve may end below
    1), or *in any direction* (the program of the authors that made Figure 5).  A pair of difference 0 has no direction.

    Parameters
    ----------
    y : (n,) labels -1, 0, 1
    s : (n,) differences r(x') - r(x); only their order by size and their signs matter
    true_positive : {"right_direction", "any_direction"}

    Returns
    -------
    fpr, tpr : (k + 1,) rates, from (0, 0) to FPR 1, a point for each distinct ``|s|``
    thresholds : (k + 1,) tau such that ``|s| >= tau`` is called different, descending from infinity

    Raises
    ------
    ValueError
        When y has no equality pair or no inequality pair.
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
    """Return the area under :func:`~rankmargin.metrics.comparison_roc` of Table 3, exactly: higher is better, and at most the share of
    inequality pairs whose direction is right."""
    fpr, tpr, _ = comparison_roc(y, s)
    return float(np.trapezoid(tpr, fpr))


def comparison_auc_any_direction(y, s):
    """Return the area under :func:`~rankmargin.metrics.comparison_roc` where any direction counts: at most 1."""
    fpr, tpr, _ = comparison_roc(y, s, "any_direction")
    return float(np.trapezoid(tpr, fpr))


def comparison_baseline_auc(y):
    """Return the AUC of calling every pair the commoner direction: half its share (Venuto et al., section 4.3)."""
    y = np.asarray(y)
    check_comparisons(y)
    return 0.5 * max(float(np.mean(y[y != 0] == 1)), float(np.mean(y[y != 0] == -1)))
