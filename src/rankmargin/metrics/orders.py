"""Metrics of the order that scores give: wrong pairs, and correlations."""

import numpy as np

from rankmargin.annotations import ArrayLike
from rankmargin.metrics._checks import checked_orders, checked_weights
from rankmargin.oracles.swapped_pairs import count_swapped, weigh_swapped
from rankmargin.problem.rows.pairs import (
    NoPairError,
    check_groups,
    check_pairs,
    group_codes,
    is_censored,
    members,
    order_of_times,
    split_times,
)

NO_WEIGHT = "sample_weight must leave a pair to compare, got no pair of weight > 0"


def swapped_pairs(
    y: ArrayLike, s: ArrayLike, groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the fraction of pairs with y_i > y_j whose scores have s_i <= s_j, in O(n log n).

    Tied scores count as swapped. With two classes and no ties in s, this is 1 - AUC.

    Parameters
    ----------
    y : (n,) array
        The true order; higher means ahead.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        Pairs are compared only inside a group.
    sample_weight : (n,) array >= 0 or None
        The weight of a pair is the product of the weights of its rows: a weight of 2 is a row given twice.

    Returns
    -------
    float
        Between 0 (a perfect order) and 1.

    Raises
    ------
    ValueError
        If there is no pair to compare, lengths differ, or y or s contain nan.

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
    y, s = checked_orders(y, s)
    groups = check_groups(y, groups)
    check_pairs(y, groups)
    if sample_weight is None:
        swapped, pairs = count_swapped(y, s, groups)
    else:
        swapped, pairs = weigh_swapped(y, s, groups, checked_weights(sample_weight, y))
    if pairs == 0:
        raise NoPairError(NO_WEIGHT)
    return swapped / pairs


def rank_inversions(y: ArrayLike, ranks: ArrayLike, groups: ArrayLike | None = None) -> float:
    """Return the fraction of pairs with y_i > y_j whose predicted ranks have g_i <= g_j.

    These are the swapped pairs of the predicted *ranks*: two rows of different rank with the same predicted rank are an
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


def kendall_tau(
    y: ArrayLike, s: ArrayLike, groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    r"""Return Kendall's tau-b of the targets and the scores: higher is better, 1 is a perfect order.

    .. math::

        \tau_b = \frac{\mathrm{concordant} - \mathrm{discordant}}{\sqrt{n_y n_s}}

    Here n_y is the number of pairs with different y, and n_s that with different s. The pairs are counted inside
    groups. A group with only one target has no order and is left out.

    Parameters
    ----------
    y : (n,) array
        The true order; higher means ahead.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        Pairs are compared only inside a group.
    sample_weight : (n,) array >= 0 or None
        The weight of a pair is the product of the weights of its rows.

    Returns
    -------
    float
        Between -1 and 1; 0 if all scores are equal.

    Raises
    ------
    ValueError
        If there is no pair to compare, lengths differ, or y or s contain nan.

    References
    ----------
    Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).

    Examples
    --------
    >>> from rankmargin.metrics import kendall_tau
    >>> round(kendall_tau([1, 2, 3], [0.1, 0.3, 0.2]), 3)  # two pairs are right, one is wrong
    0.333
    """
    y, s = checked_orders(y, s)
    groups = check_groups(y, groups)
    check_pairs(y, groups)
    if groups is None and sample_weight is None:
        from scipy.stats import kendalltau  # six times as fast; the import takes half a second

        return float(kendalltau(y, s, method="asymptotic").statistic) if np.ptp(s) > 0 else 0.0
    weight = np.ones(len(y)) if sample_weight is None else checked_weights(sample_weight, y)
    not_above, pairs = weigh_swapped(y, s, groups, weight)
    not_below, _ = weigh_swapped(y, -s, groups, weight)
    if pairs == 0:
        raise NoPairError(NO_WEIGHT)
    kept, codes = weight > 0, group_codes(groups, len(y))
    if groups is not None:
        low, high = np.full(len(y), np.inf), np.full(len(y), -np.inf)
        np.minimum.at(low, codes[kept], y[kept])
        np.maximum.at(high, codes[kept], y[kept])
        kept = (low < high)[codes]
    pairs_of_scores = weigh_swapped(s[kept], s[kept], codes[kept], weight[kept])[1]
    if pairs_of_scores == 0:
        return 0.0
    return float((not_below - not_above) / np.sqrt(pairs * pairs_of_scores))


def concordance_index(
    y: ArrayLike,
    s: ArrayLike,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    event: ArrayLike | None = None,
) -> float:
    """Return the share of pairs with different y whose scores are in the right order: higher is better, ties count 1/2.

    This is Harrell's C, and the AUC for two classes. If some times are censored, a pair counts only if its earlier row
    is an event; at equal times, a censored row is later than an event.

    Parameters
    ----------
    y : (n,) array
        The true order; higher means ahead. Or a structured array (event, time).
    s : (n,) array
        Scores; a higher score should mean a higher y, a later event. For a risk, give its negative.
    groups : (n,) array or None
        Pairs are compared only inside a group.
    sample_weight : (n,) array >= 0 or None
        The weight of a pair is the product of the weights of its rows.
    event : (n,) array of bool or None
        True if the event happened at time y, False if the row is censored.

    Returns
    -------
    float
        Between 0 and 1; 0.5 if all scores are equal.

    Raises
    ------
    ValueError
        If there is no pair to compare, lengths differ, or y or s contain nan.

    References
    ----------
    Harrell, Califf, Pryor, Lee, Rosati, "Evaluating the yield of medical tests", JAMA 247 (1982).

    Examples
    --------
    >>> from rankmargin.metrics import concordance_index
    >>> concordance_index([1, 2, 3], [0.1, 0.3, 0.3])  # two pairs are right, one is a tie
    0.8333333333333334
    >>> concordance_index([5, 3, 8], [0.2, 0.1, 0.0], event=[0, 1, 0])  # the pair of 5 and 8 has no order
    0.5
    """
    if is_censored(y, event):
        return _of_times(*split_times(y, event), s, groups, sample_weight)
    y, s = checked_orders(y, s)
    not_right = swapped_pairs(y, s, groups, sample_weight)
    not_wrong = swapped_pairs(y, -s, groups, sample_weight)
    return float(0.5 + (not_wrong - not_right) / 2)


def _of_times(time, event, s, groups, sample_weight):
    """Return the concordance of censored times."""
    time, s = checked_orders(time, s)
    rank = order_of_times(time, event)
    weight = np.ones(len(time)) if sample_weight is None else checked_weights(sample_weight, time)
    groups = check_groups(time, groups)
    not_right, pairs = weigh_swapped(rank, s, groups, weight, event * weight)
    not_wrong, _ = weigh_swapped(rank, -s, groups, weight, event * weight)
    if pairs == 0:
        raise NoPairError("event must make a pair comparable, got none that is earlier than another row of its group")
    return float(0.5 + 0.5 * (not_wrong - not_right) / pairs)


def spearman(y: ArrayLike, s: ArrayLike, groups: ArrayLike | None = None) -> float:
    """Return Spearman's rank correlation of the targets and the scores, the mean over the groups: higher is better.

    It is scipy's ``spearmanr`` inside each group. A group with only one target has no order and is left out.

    Parameters
    ----------
    y : (n,) array
        The true order; higher means ahead.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        The group of each row.

    Returns
    -------
    float
        Between -1 and 1; a group whose scores are all equal counts as 0.

    Raises
    ------
    ValueError
        If there is no pair to compare, lengths differ, or y or s contain nan.

    References
    ----------
    Spearman, "The proof and measurement of association between two things", American Journal of Psychology 15 (1904).

    Examples
    --------
    >>> from rankmargin.metrics import spearman
    >>> round(spearman([1, 2, 3], [0.1, 0.3, 0.2]), 3)
    0.5
    """
    from scipy.stats import spearmanr  # the import takes half a second, and jobs do not need it

    y, s = checked_orders(y, s)
    groups = group_codes(check_groups(y, groups), len(y))
    check_pairs(y, groups)
    parts = [(y[rows], s[rows]) for rows in members(groups)]
    ordered = [(y, s) for y, s in parts if np.ptp(y) > 0]
    return float(np.mean([spearmanr(y, s).statistic if np.ptp(s) > 0 else 0.0 for y, s in ordered]))
