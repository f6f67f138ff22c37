"""Test Algorithm 2 of Diez et al.: its answers against the definition, its seconds against n and r (Lemma 1)."""

import numpy as np
import pandas as pd

from rankbench.experiments.seconds import least_seconds
from rankmargin.compiled import njit

MARGIN = 0.5
COLUMNS = ("part", "n", "r", "seconds", "differing")


def run(data, experiment, *, sizes, ranks, trials):
    """Time Algorithm 2 and compare it with the definition.

    Parameters
    ----------
    data, experiment
        Not used: scores and ranks are random.
    sizes : sequence of int
        Numbers of examples n; with the first of `ranks`.
    ranks : sequence of int
        Numbers of ranks r; with the largest of `sizes`.
    trials : int
        Small problems (n up to 40, scores on a grid, so that some pairs lie exactly on the margin) held against the
        look at every pair.

    Returns
    -------
    DataFrame
        ``part n r seconds differing``: part ``n`` or ``r`` with the shortest of three times, part ``trial`` with the
        number of examples whose c or d differs from the definition's.
    """
    rng = np.random.default_rng(0)
    rows = [("n", n, ranks[0], _seconds(rng, n, ranks[0]), np.nan) for n in sizes]
    rows += [("r", max(sizes), r, _seconds(rng, max(sizes), r), np.nan) for r in ranks]
    for _ in range(trials):
        n, r = int(rng.integers(2, 41)), int(rng.integers(2, 8))
        rank, s = _ranks(rng, n, r), rng.integers(-8, 9, n) / 8
        rows.append(("trial", n, int(rank.max()), np.nan, _differing(rank, s)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _ranks(rng, n, r):
    """Return n ranks 1, 2, ... without a gap."""
    return np.unique(rng.integers(0, r, n), return_inverse=True)[1] + 1


def _seconds(rng, n, r):
    rank, s = _ranks(rng, n, r), rng.standard_normal(n)
    return least_seconds(algorithm_2, rank, s)[0]


def _differing(rank, s):
    """Count the examples whose c or d of eq. 13 is not the sum over all pairs (eq. 21)."""
    c, d = algorithm_2(rank, s)
    label = np.where(s[:, None] - MARGIN < s, -1, 1) * (rank[:, None] > rank)
    return int(np.sum((c != label.sum(axis=1)) | (d != label.sum(axis=0))))


def algorithm_2(rank, s):
    """Algorithm 2 of the paper as printed: c'_i and d'_i of eq. 13 for ranks 1..r, in O(n log n + n r).

    The text says "sort" without a direction. The sums are right (Lemma 1) only if V is sorted in *descending* order. If
    a v+ and a v- are equal, v+ comes first, which makes the pair +1; at the margin both choices have the same loss.

    Parameters
    ----------
    rank : (n,) int array with values 1..r
    s : (n,) scores w.x_i

    Returns
    -------
    c, d : (n,) int64 arrays, c'_i = sum_{j: y_i > y_j} y'_ij and d'_i = sum_{j: y_i < y_j} y'_ji
    """
    rank = np.asarray(rank, dtype=np.int64)
    v = np.concatenate([-0.25 + s, 0.25 + s])
    order = np.lexsort((np.repeat([0, 1], len(s)), -v))
    return _algorithm_2(rank, order, int(rank.max()))


@njit(cache=True)
def _algorithm_2(rank, order, r):
    n = rank.size
    size = np.zeros(r + 2, dtype=np.int64)
    for i in range(n):
        size[rank[i]] += 1
    seen_negative = np.zeros(r + 1, dtype=np.int64)
    n_lower, n_higher = np.zeros(r + 1, dtype=np.int64), np.zeros(r + 1, dtype=np.int64)
    for k in range(1, r + 1):
        n_lower[k] = size[1:k].sum()
        n_higher[k] = size[k + 1 :].sum()
    unseen_positive = n_higher.copy()
    c, d = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    for v in order:
        i = v % n
        if v < n:
            if rank[i] > 1:
                c[i] = n_lower[rank[i]] - 2 * seen_negative[rank[i]]
                for k in range(1, rank[i]):
                    unseen_positive[k] -= 1
        elif rank[i] < r:
            d[i] = n_higher[rank[i]] - 2 * unseen_positive[rank[i]]
            for k in range(rank[i] + 1, r + 1):
                seen_negative[k] += 1
    return c, d
