"""Rows of epsilon-SVR and of RankSVR: the tube of a regression, and orderings (Yu et al. Definitions 1 and 3)."""

import numpy as np

from rankmargin.rows.rows import Rows


def tube(y, epsilon, n_samples=None):
    """Return two rows per target: y_i - epsilon <= s_i + b <= y_i + epsilon, first all lower ends in the order of y.

    The bias b of the regression function f + b is minus the only threshold: theta_0 = -b.

    Parameters
    ----------
    y : (n,) array
    epsilon : float >= 0, half the width of the tube, in units of y
    n_samples : int >= n or None
        Number of scores; those after the first n have no target.
    """
    n, none = len(y), np.empty((0, 2), dtype=np.int32)
    return tube_and_orderings(y, epsilon, none, n if n_samples is None else n_samples)


def tube_and_orderings(y, epsilon, pairs, n_samples, margin=1.0, cost=1.0):
    """Return the tube rows of y, then one row s_i - s_j >= margin for each pair (i, j).

    The bias cancels in a pair, so its row has no threshold.

    Parameters
    ----------
    y, epsilon, n_samples : as :func:`tube`
    pairs : (m, 2) int array, score i should be above score j
    margin : float, in units of y
    cost : float > 0, cost of a pair relative to the tube's C: C_rank / C
    """
    n, m = len(y), len(pairs)
    example = np.arange(n)
    return Rows.build(
        n_samples,
        1,
        plus=np.concatenate([example, example, pairs[:, 0]]),
        minus=np.concatenate([np.full(2 * n, -1), pairs[:, 1]]),
        threshold=np.repeat([0, -1], [2 * n, m]),
        sign=np.repeat([1, -1, 1], [n, n, m]),
        margin=np.concatenate([y - epsilon, -y - epsilon, np.full(m, margin)]),
        cost=np.repeat([1.0, cost], [2 * n, m]),
    )
