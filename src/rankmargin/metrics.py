"""Losses of a ranking or an ordinal prediction. Lower is better unless a name says otherwise."""

import numpy as np

from rankmargin.comparison_model import compare
from rankmargin.oracles.swapped_pairs import count_swapped
from rankmargin.oracles.weighted import weigh_swapped
from rankmargin.rows.comparisons import check_comparisons
from rankmargin.rows.pairs import check_pairs

HIGHER_IS_BETTER = ("comparison_auc", "comparison_auc_any_direction")
TRUE_POSITIVES = ("right_direction", "any_direction")


def swapped_pairs(y, s, groups=None, sample_weight=None):
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
    sample_weight : (n,) array >= 0 or None
        A pair weighs the product of the weights of its rows: a weight of 2 is a row given twice.

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
    if sample_weight is None:
        swapped, pairs = count_swapped(y, s, groups)
    else:
        swapped, pairs = weigh_swapped(y, s, groups, _checked_weights(sample_weight, y))
    if pairs == 0:
        raise ValueError("sample_weight must leave a pair to compare, got no pair of weight > 0")
    return swapped / pairs


def kendall_tau(y, s, groups=None, sample_weight=None):
    """Return Kendall's tau-b of the targets and the scores: higher is better, 1 is a perfect order. ::

        (concordant - discordant) / sqrt(pairs of different y * pairs of different s)

    The pairs are counted inside groups.

    Parameters
    ----------
    y : (n,) array
        The true order; higher means ahead.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        Pairs are compared only inside a group.
    sample_weight : (n,) array >= 0 or None
        A pair weighs the product of the weights of its rows.

    Returns
    -------
    float
        Between -1 and 1; 0 where all scores are equal.

    Raises
    ------
    ValueError
        When there is no pair to compare, lengths differ, or y or s hold nan.

    References
    ----------
    Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).

    Examples
    --------
    >>> from rankmargin.metrics import kendall_tau
    >>> round(kendall_tau([1, 2, 3], [0.1, 0.3, 0.2]), 3)  # two pairs are right, one is wrong
    0.333
    """
    y, s = _checked(y, s, "s")
    groups = None if groups is None else np.unique(groups, return_inverse=True)[1]
    check_pairs(y, groups)
    weight = np.ones(len(y)) if sample_weight is None else _checked_weights(sample_weight, y)
    not_above, pairs = weigh_swapped(y, s, groups, weight)
    not_below, _ = weigh_swapped(y, -s, groups, weight)
    pairs_of_scores = weigh_swapped(s, s, groups, weight)[1]
    if pairs_of_scores == 0:
        return 0.0
    return float((not_below - not_above) / np.sqrt(pairs * pairs_of_scores))


def ndcg(y, s, groups=None, k=None):
    """Return the mean over the groups of the normalised discounted cumulative gain: higher is better, at most 1. ::

        DCG = sum over places p of gain / log2(p + 1)

    The gain is y, as in scikit-learn; equal scores share their gains. A group whose gains are all 0 has no ideal order
    and is left out.

    Parameters
    ----------
    y : (n,) array >= 0
        Gains.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        The query of each row.
    k : int >= 1 or None
        How many places count; None counts all.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        When a gain is < 0 or all are 0, lengths differ, or k is no integer >= 1.

    References
    ----------
    Järvelin, Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20 (2002).

    Examples
    --------
    >>> from rankmargin.metrics import ndcg
    >>> ndcg([0, 1, 2], [0.1, 0.2, 0.3])
    1.0
    >>> round(ndcg([0, 1, 2], [0.1, 0.3, 0.2], k=1), 3)  # the first place goes to a gain of 1 and could have 2
    0.5
    """
    y, s = _checked(y, s, "s")
    if y.min() < 0:
        raise ValueError(f"y must hold gains >= 0 for ndcg, got {y.min():g}")
    if k is not None and (not isinstance(k, (int, np.integer)) or k < 1):
        raise ValueError(f"k must be an integer >= 1 or None, got {k!r}")
    groups = np.zeros(len(y), dtype=np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
    if groups.shape != y.shape:
        raise ValueError(f"groups must be as long as y, got shapes {groups.shape} and {y.shape}")
    order = np.argsort(groups, kind="stable")
    found = [
        _dcg(y[members], s[members], k) / _dcg(y[members], y[members], k)
        for members in np.split(order, np.cumsum(np.bincount(groups))[:-1])
        if y[members].max() > 0
    ]
    if not found:
        raise ValueError("y must hold a gain > 0 (no pair to compare), got zeros only")
    return float(np.mean(found))


def _dcg(gains, s, k):
    discount = 1.0 / np.log2(np.arange(len(s)) + 2.0)
    discount[len(s) if k is None else k :] = 0.0
    place = np.unique(-s, return_inverse=True)[1]
    sizes = np.bincount(place)
    return float(np.sum(np.bincount(place, gains) / sizes * np.add.reduceat(discount, np.cumsum(sizes) - sizes)))


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


def mean_absolute_error(y, ranks, sample_weight=None):
    """Return the mean distance between the true and the predicted rank, in units of the labels.

    Parameters
    ----------
    y : (n,) array
        The true ranks.
    ranks : (n,) array
        The predicted ranks.
    sample_weight : (n,) array >= 0 or None
        By how much each row counts.

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
    distance = np.abs(_paired(y, ranks))
    weight = None if sample_weight is None else _checked_weights(sample_weight, distance)
    return float(np.average(distance, weights=weight))


def quadratic_kappa(y, ranks, sample_weight=None):
    """Return Cohen's kappa with squared distances between the ranks: higher is better, 1 is perfect, 0 is chance.

    1 - mean (y - rank)^2 over its value if both were drawn apart from each other. Distances are those of the numbers:
    for labels in equal steps this is scikit-learn's ``cohen_kappa_score(..., weights="quadratic")``.

    Parameters
    ----------
    y : (n,) array
        The true ranks.
    ranks : (n,) array
        The predicted ranks.
    sample_weight : (n,) array >= 0 or None
        Weights of the rows.

    Returns
    -------
    float
        At most 1; nan where y and ranks are one and the same number throughout.

    Raises
    ------
    ValueError
        When the lengths differ or are 0, or there are nan.

    References
    ----------
    Cohen, "Weighted kappa", Psychological Bulletin 70 (1968).

    Examples
    --------
    >>> from rankmargin.metrics import quadratic_kappa
    >>> quadratic_kappa([1, 2, 3, 4], [1, 2, 3, 3])
    0.875
    """
    distance = _paired(y, ranks)
    y, ranks = np.asarray(y, dtype=np.float64), np.asarray(ranks, dtype=np.float64)
    weight = None if sample_weight is None else _checked_weights(sample_weight, y)
    means = [np.average(values, weights=weight) for values in (y, ranks)]
    spread = sum(np.average((values - mean) ** 2, weights=weight) for values, mean in zip((y, ranks), means))
    expected = (means[0] - means[1]) ** 2 + spread
    return float(1.0 - np.average(distance**2, weights=weight) / expected) if expected > 0 else float("nan")


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


def _checked_weights(sample_weight, y):
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != np.shape(y) or not np.all(weight >= 0) or not np.isfinite(weight).all():
        raise ValueError(f"sample_weight must hold a finite number >= 0 for each row, got shape {weight.shape}")
    return weight


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
    y, s = _checked_comparisons(y, s)
    return float(np.mean(compare(s) != y))


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
    y, s = _checked_comparisons(y, s)
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


def _checked_comparisons(y, s):
    """Return labels and differences of the pairs as arrays, or refuse what cannot be compared."""
    y, s = np.asarray(y), np.asarray(s, dtype=np.float64)
    if y.ndim != 1 or y.shape != s.shape or y.size == 0:
        raise ValueError(f"y and s must be of one length > 0, got shapes {y.shape} and {s.shape}")
    strange = y[~np.isin(y, (-1, 0, 1))] if y.dtype.kind in "iuf" else y
    if len(strange):
        raise ValueError(f"y must hold labels -1, 0, 1 only, got {strange.tolist()[0]!r}")
    if np.isnan(s).any():
        raise ValueError("s must be numbers, got nan")
    return y, s


def get_scorer(name):
    """Return a scorer for scikit-learn's ``scoring=``: higher is better.

    It takes ``groups`` and ``sample_weight`` by metadata routing, without a request of yours.

    Parameters
    ----------
    name : {"concordance", "kendall", "ndcg", "neg_mean_absolute_error", "quadratic_kappa"}
        The first three judge the order of the scores, inside groups where there are any; the last two judge predicted
        grades. Grades with names are told apart by their place in their order.

    Returns
    -------
    callable
        ``scorer(estimator, X, y, groups=None, sample_weight=None)``.

    Raises
    ------
    ValueError
        When there is no scorer of that name.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> from rankmargin import SwappedPairsSVM
    >>> from rankmargin.metrics import get_scorer
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ranker = SwappedPairsSVM(kernel="linear")
    >>> cross_val_score(ranker, X[:200], y[:200], cv=2, scoring=get_scorer("kendall")).round(1)
    array([0.5, 0.4])
    """
    from rankmargin.estimators.scorers import SCORERS  # scikit-learn takes 3 s to import, and jobs do without

    if name not in SCORERS:
        raise ValueError(f"name must be one of {', '.join(SCORERS)}, got {name!r}")
    return SCORERS[name]()
