"""What RankSVR learns from: the tube of a regression, and given orderings (Yu et al. Definitions 1 and 3).

An ordering is a pair (i, j) that says "row i is above row j"; it comes from a person and not from targets.
"""

import numpy as np

from rankmargin.problem.rows.rows import Rows

NO_PAIRS = np.empty((0, 2), dtype=np.int32)


def tube_and_orderings(y, epsilon, pairs=NO_PAIRS, n_samples=None, margin=1.0, cost=1.0):
    """Return two rows per target, y_i - epsilon <= s_i + b <= y_i + epsilon, first all lower ends in the order of y;
    then one row s_i - s_j >= margin for each pair (i, j).

    The bias b of the regression function f + b is minus the only threshold: theta_0 = -b. It cancels in a pair, so the
    row of a pair has no threshold.

    Parameters
    ----------
    y : (n,) array
    epsilon : float >= 0, half the width of the tube, in units of y
    pairs : (m, 2) int array, score i should be above score j
    n_samples : int >= n or None
        Number of scores, n if None; those after the first n have no target.
    margin : float, in units of y
    cost : float > 0, cost of a pair relative to the tube's C: C_rank / C
    """
    n, m = len(y), len(pairs)
    example = np.arange(n)
    return Rows.build(
        n if n_samples is None else n_samples,
        1,
        plus=np.concatenate([example, example, pairs[:, 0]]),
        minus=np.concatenate([np.full(2 * n, -1), pairs[:, 1]]),
        threshold=np.repeat([0, -1], [2 * n, m]),
        sign=np.repeat([1, -1, 1], [n, n, m]),
        margin=np.concatenate([y - epsilon, -y - epsilon, np.full(m, margin)]),
        cost=np.repeat([1.0, cost], [2 * n, m]),
    )


def check_orderings(pairs, n, name="Z"):
    """Return pairs as a contiguous (m, 2) int32 array, or refuse them.

    A pair that is given twice is kept twice, so it costs twice. Cycles are allowed.

    Parameters
    ----------
    pairs : (m, 2) array or sequence of integers, row i is above row j
    n : int, number of rows that the pairs may name
    name : str, name of these rows in messages

    Raises
    ------
    ValueError
        If the shape or the type is wrong, an index is outside 0..n-1, or i == j.
    """
    pairs = np.asarray(pairs)
    if pairs.size == 0:
        return NO_PAIRS
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise ValueError(f"pairs must be an (m, 2) array of integers, got shape {pairs.shape} of {pairs.dtype}")
    outside = np.flatnonzero((pairs < 0).any(axis=1) | (pairs >= n).any(axis=1))
    if len(outside):
        first = tuple(pairs[outside[0]].tolist())
        raise ValueError(
            f"pairs must hold row numbers of {name} from 0 to {n - 1}, got {first} at position {outside[0]}"
            f" ({len(outside)} such pairs)"
        )
    same = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(same):
        raise ValueError(
            f"pairs must order two different rows, got {tuple(pairs[same[0]].tolist())} at position {same[0]}"
            f" ({len(same)} such pairs)"
        )
    return np.ascontiguousarray(pairs, dtype=np.int32)
