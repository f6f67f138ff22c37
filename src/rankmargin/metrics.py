"""Losses of a ranking or an ordinal prediction. Lower is better unless a name says otherwise."""

import numpy as np

from rankmargin.oracles.swapped_pairs import count_swapped
from rankmargin.rows.pairs import check_pairs


def swapped_pairs(y, s, groups=None):
    """Return the fraction of pairs with y_i > y_j whose scores have s_i <= s_j (Diez et al. eq. 1), in O(n log n).

    Ties of the scores count as swapped. With two classes and no ties in s this is 1 - AUC.

    Parameters
    ----------
    y : (n,) array, the true order
    s : (n,) array, scores; higher should mean a higher y
    groups : (n,) array or None, pairs are compared only inside a group

    Raises
    ------
    ValueError
        When there is no pair to compare.
    """
    check_pairs(y, groups)
    swapped, pairs = count_swapped(y, s, groups)
    return swapped / pairs


def rank_inversions(y, ranks, groups=None):
    """Return the fraction of pairs with y_i > y_j whose predicted ranks have g_i <= g_j (Herbrich et al. eq. 2.11).

    R_pref over E |Omega| of section 2.5: the swapped pairs of the predicted *ranks*, so two examples of unequal rank
    that get the same rank are an error.

    Parameters
    ----------
    y : (n,) array, the true ranks
    ranks : (n,) array, the predicted ranks
    groups : (n,) array or None
    """
    return swapped_pairs(y, np.asarray(ranks, dtype=np.float64), groups)


def mean_absolute_error(y, ranks):
    """Return the mean distance between the true and the predicted rank, in the units of the labels."""
    return float(np.mean(np.abs(_paired(y, ranks))))


def zero_one(y, ranks):
    """Return the fraction of wrong ranks."""
    return float(np.mean(_paired(y, ranks) != 0))


def _paired(y, ranks):
    y, ranks = np.asarray(y, dtype=np.float64), np.asarray(ranks, dtype=np.float64)
    if y.shape != ranks.shape or y.size == 0:
        raise ValueError(f"y and ranks must be of one length > 0, got shapes {y.shape} and {ranks.shape}")
    return y - ranks
