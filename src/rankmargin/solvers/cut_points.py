"""Monotone cut points: thresholds that turn the scores of any ranker into ranks with the smallest training loss."""

from typing import Literal

import numpy as np

from rankmargin.annotations import Array
from rankmargin.compiled import njit


def best_cut_points(
    s: Array,
    rank: Array,
    n_ranks: int,
    loss: Literal["absolute", "zero_one"] = "absolute",
    sample_weight: Array | None = None,
) -> Array:
    r"""Return the thresholds that minimise a rank loss on the training scores, over all monotone assignments.

    .. math::

        \min_{\theta_1 \le \ldots \le \theta_{k-1}} \sum_i \mathrm{loss}(r_i,\, \#\{j : s_i \ge \theta_j\})

    The result is exact, by dynamic programming over the sorted scores in O(n log n + n k).

    Parameters
    ----------
    s : (n,) array
        Scores; equal scores get equal ranks.
    rank : (n,) array of integers 0 .. n_ranks - 1
        The true ranks.
    n_ranks : int
        Number of ranks.
    loss : {"absolute", "zero_one"}
        ``|rank - predicted|``, or 1 if they differ.
    sample_weight : (n,) array or None
        Weights of the rows.

    Returns
    -------
    (n_ranks - 1,) array
        In ascending order; each lies in the middle between neighbouring scores, or is -inf (below all scores) or inf
        (above all). If several assignments are equally good, the one with the smaller ranks is returned.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.solvers.cut_points import best_cut_points
    >>> best_cut_points(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 2, 2]), 3)
    array([1.5, 2.5])
    """
    weight = np.ones(len(s)) if sample_weight is None else sample_weight
    distinct, place = np.unique(s, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(distinct) + 1))
    rank = rank[order]
    first = _first_places(starts, rank, weight[order], n_ranks, loss == "absolute")
    middles = 0.5 * (distinct[1:] + distinct[:-1])
    middles = np.where(middles > distinct[:-1], middles, distinct[1:])  # neighbouring floats have no middle
    edges = np.concatenate([[-np.inf], middles, [np.inf]])
    return edges[first]


@njit
def _first_places(starts, rank, weight, k, absolute):
    """Return, for each rank from 1 on, the first sorted score that gets this rank or a higher one, shape (k - 1,).

    The examples of distinct score i are starts[i] .. starts[i + 1]. Step 1 computes the loss of each rank for this
    score; step 2 the smallest total of all assignments that end with this rank, and whether such an assignment comes
    from this rank itself or from a lower one; step 3 follows the assignment backwards.
    """
    n = starts.size - 1
    total, cost, of_rank = np.zeros(k), np.empty(k), np.zeros(k)
    stayed = np.empty((n, k), dtype=np.bool_)
    for i in range(n):
        here, below, loss = 0.0, 0.0, 0.0
        for t in range(starts[i], starts[i + 1]):
            of_rank[rank[t]] += weight[t]
            here += weight[t]
            loss += weight[t] * rank[t]
        for r in range(k):
            cost[r] = loss if absolute else here - of_rank[r]
            below += of_rank[r]
            loss += below - (here - below)
        for t in range(starts[i], starts[i + 1]):
            of_rank[rank[t]] = 0.0
        least = np.inf
        for r in range(k):
            stayed[i, r] = total[r] < least
            least = min(least, total[r])
            total[r] = least + cost[r]
    first = np.full(k - 1, n)
    r = np.argmin(total)
    for i in range(n - 1, -1, -1):
        for above in range(r):
            first[above] = i
        while not stayed[i, r]:
            r -= 1
    return first
