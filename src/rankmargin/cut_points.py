"""Monotone cut points: the thresholds that turn the scores of any ranker into ranks with the least training loss."""

import numpy as np

from rankmargin.compiled import njit

LOSSES = ("absolute", "zero_one")


def best_cut_points(s, rank, n_ranks, loss="absolute", sample_weight=None):
    """Return thresholds that minimise a rank loss on the training scores, over all monotone assignments. ::

        min over theta_1 <= ... <= theta_{k-1} of sum_i loss(rank_i, #{j: s_i >= theta_j})

    It is exact, by dynamic programming over the sorted scores in O(n log n + n k).

    Parameters
    ----------
    s : (n,) array
        Scores; equal scores get equal ranks.
    rank : (n,) array of integers 0 .. n_ranks - 1
        The true ranks.
    n_ranks : int
        How many ranks there are.
    loss : {"absolute", "zero_one"}
        ``|rank - predicted|``, or whether they differ.

    Returns
    -------
    (n_ranks - 1,) array
        Ascending; each in the middle between neighbouring scores, or -inf below all and inf above all of them. Of
        equally good assignments it is the one with the smaller ranks.

    Raises
    ------
    ValueError
        When loss is not one of the two.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.cut_points import best_cut_points
    >>> best_cut_points(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 2, 2]), 3)
    array([1.5, 2.5])
    """
    if loss not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {loss!r}")
    distinct, place = np.unique(s, return_inverse=True)
    counts = np.zeros((len(distinct), n_ranks))
    np.add.at(counts, (place, rank), 1.0 if sample_weight is None else sample_weight)
    table = np.arange(n_ranks)
    cost = np.abs(table[:, None] - table) if loss == "absolute" else (table[:, None] != table)
    first = _first_places(counts @ cost)
    middles = 0.5 * (distinct[1:] + distinct[:-1])
    middles = np.where(middles > distinct[:-1], middles, distinct[1:])  # neighbouring floats have none
    edges = np.concatenate([[-np.inf], middles, [np.inf]])
    return edges[first]


@njit(cache=True)
def _first_places(cost):
    """Return, for each rank from 1 on, the first sorted score that gets this rank or a higher one, shape (k - 1,)."""
    n, k = cost.shape
    total = np.zeros(k)
    came_from = np.empty((n, k), dtype=np.int64)
    for i in range(n):
        best = 0
        for r in range(k):
            if total[r] < total[best]:
                best = r
            came_from[i, r] = best
        total = total[came_from[i]] + cost[i]
    first = np.full(k - 1, n)
    r = np.argmin(total)
    for i in range(n - 1, -1, -1):
        for above in range(r):
            first[above] = i
        r = came_from[i, r]
    return first
