"""Losses of a ranking or an ordinal prediction. Lower is better unless a name says otherwise."""

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
