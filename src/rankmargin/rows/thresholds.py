"""Threshold rows of ordinal regression: ranks 0..r-1 and thresholds theta_0..theta_{r-2} between neighbours."""

import numpy as np

from rankmargin.rows import Rows


def implicit(rank, n_ranks):
    """Every example against every threshold (Diez et al. eq. 4; Chu and Keerthi, implicit constraints): n (r - 1) rows.

    s_i >= theta_j + 1 for rank_i > j, and s_i <= theta_j - 1 for rank_i <= j.
    """
    n = len(rank)
    example = np.tile(np.arange(n), n_ranks - 1)
    threshold = np.repeat(np.arange(n_ranks - 1), n)
    return Rows.build(
        n, n_ranks - 1, plus=example, threshold=threshold, sign=np.where(rank[example] > threshold, 1, -1)
    )


def explicit(rank, n_ranks, ordered=False):
    """Threshold j against ranks j and j + 1 only (Shashua and Levin eq. 2-5; Chu and Keerthi, explicit constraints).

    2 n rows less the sizes of the first and the last rank; ``ordered`` asks for theta_j <= theta_{j+1} too.
    """
    lower, upper = np.flatnonzero(rank < n_ranks - 1), np.flatnonzero(rank > 0)
    threshold = np.concatenate([rank[lower], rank[upper] - 1])
    sign = np.repeat([-1, 1], [len(lower), len(upper)])
    order = np.argsort(threshold, kind="stable")
    example = np.concatenate([lower, upper])
    return Rows.build(
        len(rank), n_ranks - 1, plus=example[order], threshold=threshold[order], sign=sign[order], ordered=ordered
    )


def best_thresholds(rows, s, n_thresholds):
    """Return the thresholds that minimise the hinge loss of the rows at scores s, shape (n_thresholds,).

    For one threshold the loss is convex and piecewise linear in theta, with a kink of size ``cost`` at
    ``(s_plus - s_minus) - sign * margin``; its slope starts at minus the cost of all rows of sign -1, so a minimiser
    is the kink where
    the accumulated cost reaches that sum. Between two minimising kinks the middle is returned.
    """
    kink = rows.differences(s) - rows.sign * rows.margin
    theta = np.zeros(n_thresholds)
    for k in range(n_thresholds):
        members = np.flatnonzero(rows.threshold == k)
        order = members[np.argsort(kink[members], kind="stable")]
        reached = np.cumsum(rows.cost[order])
        needed = rows.cost[members][rows.sign[members] < 0].sum()
        slack = 1e-12 * max(needed, 1.0)
        if needed <= slack or needed >= reached[-1] - slack:
            theta[k] = kink[order[0]] if needed <= slack else kink[order[-1]]
            continue
        low = order[np.searchsorted(reached, needed - slack)]
        high = order[min(np.searchsorted(reached, needed + slack), len(order) - 1)]
        theta[k] = 0.5 * (kink[low] + kink[high])
    return theta
