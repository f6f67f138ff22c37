"""Metrics of the top of an order: gains, and relevant rows, which are those with y > 0."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.metrics._checks import LARGE, checked, checked_weights, in_order
from rankmargin.problem.rows.pairs import NoPairError, check_groups, group_codes, members
from rankmargin.problem.rows.places import discount_sums, repetitions


def _linear(y):
    return np.ldexp(y, -max(int(np.frexp(y.max())[1]) - LARGE, 0))  # sums of gains stay finite


def _exponential(y):
    return np.exp2(y - y.max()) - np.exp2(-y.max())  # divided by 2^max, which changes no share


GAINS = {"linear": _linear, "exponential": _exponential}


def ndcg(
    y: ArrayLike,
    s: ArrayLike,
    groups: ArrayLike | None = None,
    k: int | None = None,
    sample_weight: ArrayLike | None = None,
    gain: Literal["linear", "exponential"] = "linear",
) -> float:
    r"""Return the mean over the groups of the normalised discounted cumulative gain: higher is better, at most 1.

    .. math::

        \mathrm{DCG} = \sum_{\mathrm{places}\ p} \frac{\mathrm{gain}_p}{\log_2(p + 1)}

    The gain is y, as in scikit-learn, or ``2**y - 1``, as in LightGBM; equal scores share their gains. A group whose
    gains are all 0 has no ideal order and is left out.

    Parameters
    ----------
    y : (n,) array >= 0
        Gains.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        The query of each row.
    k : int >= 1 or None
        Number of places that count; None means all.
    sample_weight : (n,) array >= 0 or None
        A weight of 2 is a row given twice, which takes two places; weights that are not all whole numbers are first
        divided by their mean. Each group counts once, whatever its weight.
    gain : {"linear", "exponential"}
        y itself, or ``2**y - 1``.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If a gain is < 0 or all are 0, lengths differ, or k is no integer >= 1.

    References
    ----------
    Järvelin, Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20 (2002).

    Examples
    --------
    >>> from rankmargin.metrics import ndcg
    >>> ndcg([0, 1, 2], [0.1, 0.2, 0.3])
    1.0
    >>> round(ndcg([0, 1, 2], [0.1, 0.3, 0.2], k=1), 3)  # the first place has a gain of 1; 2 was possible
    0.5
    """
    y, s, groups, weight = _that_weigh(y, s, groups, sample_weight)
    if y.min() < 0 or y.max() == np.inf:
        raise ValueError(f"y must hold finite gains >= 0 for ndcg, got {y.min() if y.min() < 0 else y.max():g}")
    if k is not None:
        _check_k(k)
    if not (isinstance(gain, str) and gain in GAINS):
        raise ValueError(f"gain must be one of {', '.join(GAINS)}, got {gain!r}")
    gains = [GAINS[gain](y[rows]) for rows in members(groups)]
    shares = [
        _dcg(gain, s[rows], k, weight[rows]) / _dcg(gain, gain, k, weight[rows])
        for gain, rows in zip(gains, members(groups), strict=True)
        if gain.max() > 0
    ]
    if not shares:
        raise NoPairError("y must hold a gain > 0 (no pair to compare), got zeros only")
    return float(np.mean(shares))


def _dcg(gains, s, k, weight):
    tied = np.unique(-s, return_inverse=True)[1]
    sizes = np.bincount(tied, weight)
    ends = np.cumsum(sizes)
    return float(np.sum(np.bincount(tied, weight * gains) / sizes * discount_sums(ends - sizes, ends, k)))


def mean_reciprocal_rank(
    y: ArrayLike, s: ArrayLike, groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mean over the groups of one divided by the place of the first relevant row: higher is better.

    Rows with y > 0 are relevant. Equal scores count as the mean over all orders of their rows. A group without a
    relevant row is left out.

    Parameters
    ----------
    y : (n,) array
        Relevance; above 0 for a relevant row.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        The query of each row.
    sample_weight : (n,) array >= 0 or None
        As for :func:`~rankmargin.metrics.ndcg`.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If no row is relevant, lengths differ, or y or s contain nan.

    Examples
    --------
    >>> from rankmargin.metrics import mean_reciprocal_rank
    >>> mean_reciprocal_rank([0, 1, 0, 1], [0.9, 0.5, 0.1, 0.3])  # the first relevant row is the second
    0.5
    """
    return float(np.mean([_reciprocal(*blocks) for blocks in _blocks(y, s, groups, sample_weight)]))


def average_precision(
    y: ArrayLike, s: ArrayLike, groups: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mean over the groups of the mean precision at the places of the relevant rows: higher is better.

    Without groups it is scikit-learn's ``average_precision_score``, also for equal scores. Rows with y > 0 are
    relevant. A group without a relevant row is left out.

    Parameters
    ----------
    y : (n,) array
        Relevance; above 0 for a relevant row.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        The query of each row.
    sample_weight : (n,) array >= 0 or None
        As for :func:`~rankmargin.metrics.ndcg`.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If no row is relevant, lengths differ, or y or s contain nan.

    Examples
    --------
    >>> from rankmargin.metrics import average_precision
    >>> average_precision([0, 1, 0, 1], [0.9, 0.5, 0.1, 0.3])  # 1/2 at the second place, 2/3 at the third
    0.5833333333333333
    """
    means = [
        np.sum(relevant * np.cumsum(relevant) / np.cumsum(sizes)) / relevant.sum()
        for sizes, relevant in _blocks(y, s, groups, sample_weight)
    ]
    return float(np.mean(means))


def precision_at_k(
    y: ArrayLike, s: ArrayLike, groups: ArrayLike | None = None, k: int = 10, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mean over the groups of the share of relevant rows at the first k places: higher is better.

    It is the number of relevant rows there, divided by k; in a group with fewer than k relevant rows, by their number,
    so that a perfect order has 1. Rows with y > 0 are relevant. Equal scores share their places. A group without a
    relevant row is left out.

    Parameters
    ----------
    y : (n,) array
        Relevance; above 0 for a relevant row.
    s : (n,) array
        Scores; a higher score should mean a higher y.
    groups : (n,) array or None
        The query of each row.
    k : int >= 1
        Number of places that count.
    sample_weight : (n,) array >= 0 or None
        As for :func:`~rankmargin.metrics.ndcg`.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If no row is relevant, lengths differ, y or s contain nan, or k is no integer >= 1.

    Examples
    --------
    >>> from rankmargin.metrics import precision_at_k
    >>> precision_at_k([0, 1, 0, 1], [0.9, 0.5, 0.1, 0.3], k=2)
    0.5
    """
    _check_k(k)
    shares = []
    for sizes, relevant in _blocks(y, s, groups, sample_weight):
        before = np.cumsum(sizes) - sizes
        taken = np.clip((k - before) / sizes, 0.0, 1.0)
        shares.append(np.sum(taken * relevant) / min(k, relevant.sum()))
    return float(np.mean(shares))


def _that_weigh(y, s, groups, sample_weight):
    """Return targets, scores, numbers of groups and repetitions of the rows that weigh something."""
    y, s = checked(y, s, "s")
    weight = np.ones(len(y)) if sample_weight is None else repetitions(checked_weights(sample_weight, y))
    kept, groups = weight > 0, group_codes(check_groups(y, groups), len(y))
    return y[kept], in_order(s)[kept], np.unique(groups[kept], return_inverse=True)[1], weight[kept]


def _check_k(k):
    if not isinstance(k, (int, np.integer)) or k < 1:
        raise ValueError(f"k must be an integer >= 1, got {k!r}")


def _blocks(
    y: ArrayLike, s: ArrayLike, groups: ArrayLike | None, sample_weight: ArrayLike | None
) -> Iterator[tuple[Array, Array]]:
    """Yield of each group with a relevant row the sizes of its blocks of equal scores, the best first, and the numbers
    of relevant rows in them."""
    y, s, codes, weight = _that_weigh(y, s, groups, sample_weight)
    relevant = y > 0
    if not relevant.any():
        raise NoPairError("y must hold a relevant row, y > 0 (no pair to compare), got none")
    for rows in members(codes):
        if relevant[rows].any():
            tied = np.unique(-s[rows], return_inverse=True)[1]
            yield np.bincount(tied, weight[rows]), np.bincount(tied, weight[rows] * relevant[rows])


def _reciprocal(sizes, relevant):
    """Return the mean of 1 / place of the first relevant row, over the orders of rows with equal scores."""
    first_hit = int(np.argmax(relevant > 0))
    before, size, hits = sizes[:first_hit].sum(), sizes[first_hit], relevant[first_hit]
    left, total, place = 1.0, 0.0, 0  # the probability that no relevant row has come yet
    while left > 0.0:
        hit = min(1.0, hits / (size - place)) if size > place else 1.0
        total += left * hit / (before + place + 1)
        left, place = left * (1.0 - hit), place + 1
    return total
