"""Threshold rows of ordinal regression: ranks 0..r-1 and thresholds theta_0..theta_{r-2} between neighbours."""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.problem.rows.rows import Rows


def implicit(rank, n_ranks):
    """Return n (r - 1) rows, every example against every threshold (Diez et al. eq. 4; Chu and Keerthi, implicit
    constraints).

    s_i >= theta_j + 1 for rank_i > j, and s_i <= theta_j - 1 for rank_i <= j.
    """
    n = len(rank)
    example = np.tile(np.arange(n, dtype=np.int32), n_ranks - 1)
    threshold = np.repeat(np.arange(n_ranks - 1, dtype=np.int32), n)
    return Rows.build(
        n, n_ranks - 1, plus=example, threshold=threshold, sign=np.where(rank[example] > threshold, 1, -1)
    )


def explicit(rank, n_ranks, ordered=False):
    """Return rows of threshold j against ranks j and j + 1 only (Shashua and Levin eq. 2-5; Chu and Keerthi, explicit
    constraints).

    There are 2 n rows minus the sizes of the first and the last rank. ``ordered`` also requires theta_j <= theta_{j+1}.
    """
    lower, upper = np.flatnonzero(rank < n_ranks - 1), np.flatnonzero(rank > 0)
    threshold = np.concatenate([rank[lower], rank[upper] - 1])
    sign = np.repeat([-1, 1], [len(lower), len(upper)])
    order = np.argsort(threshold, kind="stable")
    example = np.concatenate([lower, upper])
    return Rows.build(
        len(rank), n_ranks - 1, plus=example[order], threshold=threshold[order], sign=sign[order], ordered=ordered
    )


def sandwiched(rank, n_ranks):
    """Return rows with two thresholds a_j <= b_j per gap between ranks (Shashua and Levin eq. 13-16): s_i <= a_j for
    rank j, s_i >= b_j for rank j + 1.

    Threshold 2 j is a_j, and threshold 2 j + 1 is b_j; all are in one ascending chain. The slope is that of
    sum(a_j - b_j).
    """
    lower, upper = np.flatnonzero(rank < n_ranks - 1), np.flatnonzero(rank > 0)
    return Rows.build(
        len(rank),
        2 * (n_ranks - 1),
        plus=np.concatenate([lower, upper]),
        threshold=np.concatenate([2 * rank[lower], 2 * rank[upper] - 1]),
        sign=np.repeat([-1, 1], [len(lower), len(upper)]),
        margin=0.0,
        ordered=True,
        slope=np.tile([1.0, -1.0], n_ranks - 1),
    )


def best_thresholds(rows, s, C=1.0):
    """Return the thresholds that minimise ``C`` times the hinge loss of the rows at scores s plus ``slope @ theta``.

    For one threshold the loss is convex and piecewise linear in theta, with a kink of size ``cost`` at
    ``(s_plus - s_minus) - sign * margin``. Its slope starts at minus the cost of all rows of sign -1, so a minimiser
    is the kink where the accumulated cost reaches that sum. If two kinks are minimisers, their middle is returned. With
    ``rows.ordered``, neighbours whose minimisers are in the wrong order become one threshold with the rows of both
    (pool adjacent violators).

    Returns
    -------
    (n_thresholds,) array; C does not matter without a slope
    """
    if not rows.n_thresholds:
        return np.empty(0)
    n_thresholds = rows.n_thresholds
    slope = np.zeros(n_thresholds) if rows.slope is None else rows.slope / C
    ascending = np.all(rows.threshold[1:] >= rows.threshold[:-1])  # then few rows are copied at a time
    order = np.s_[:] if ascending else np.argsort(rows.threshold, kind="stable")
    starts, blocks = np.searchsorted(rows.threshold[order], np.arange(n_thresholds + 1, dtype=np.int32)), []

    def minimiser(first, end):
        block = slice(starts[first], starts[end])
        block = block if ascending else order[block]
        kink = rows.differences(s, block) - rows.sign[block] * rows.margin[block]
        by_kink = np.argsort(kink, kind="stable")
        return _minimiser(kink[by_kink], rows.cost[block][by_kink], rows.sign[block][by_kink], slope[first:end].sum())

    for k in range(n_thresholds):
        block = (minimiser(k, k + 1), k, k + 1)
        while rows.ordered and blocks and blocks[-1][0] > block[0]:
            _, first, _ = blocks.pop()
            block = (minimiser(first, k + 1), first, k + 1)
        blocks.append(block)
    return np.concatenate([np.full(end - first, theta) for theta, first, end in blocks])


@njit
def _minimiser(kink, cost, sign, slope):
    """Return the best threshold of rows in ascending order of their kinks; 0 if there are none; infinite if the loss
    has no minimum."""
    total, needed = 0.0, -slope
    for t in range(kink.size):
        total += cost[t]
        needed += cost[t] if sign[t] < 0 else 0.0
    slack = 1e-12 * max(total, abs(slope))
    if kink.size == 0:
        return 0.0
    if needed < -slack or needed > total + slack:  # no minimum: the slope is larger than all costs
        return -np.inf if needed < 0 else np.inf
    if needed <= slack:
        return kink[0]
    if needed >= total - slack:
        return kink[-1]
    reached, low = cost[0], 0
    while reached < needed - slack:
        low += 1
        reached += cost[low]
    high = low
    while reached < needed + slack and high < kink.size - 1:
        high += 1
        reached += cost[high]
    return 0.5 * (kink[low] + kink[high])
