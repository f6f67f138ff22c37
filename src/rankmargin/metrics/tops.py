"""The metric of the top of an order: gains that count less further down."""

from typing import Literal

import numpy as np

from rankmargin.annotations import ArrayLike
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
    if k is not None and (not isinstance(k, (int, np.integer)) or k < 1):
        raise ValueError(f"k must be an integer >= 1, got {k!r}")
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


def _that_weigh(y, s, groups, sample_weight):
    """Return targets, scores, numbers of groups and repetitions of the rows that weigh something."""
    y, s = checked(y, s, "s")
    weight = np.ones(len(y)) if sample_weight is None else repetitions(checked_weights(sample_weight, y))
    kept, groups = weight > 0, group_codes(check_groups(y, groups), len(y))
    return y[kept], in_order(s)[kept], np.unique(groups[kept], return_inverse=True)[1], weight[kept]
