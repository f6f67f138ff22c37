"""Which parameters have the lowest mean loss over folds, where means that differ by rounding only are equal."""

import numpy as np

from rankmargin.annotations import Array

# The mean over folds of counts divided by counts has a relative error of about 1e-15, that of sums of many numbers one
# of about 1e-14. Two different means of fractions a_i / b_i differ by 1 / (F b_1 ... b_F) or more for F folds, which is
# above 1e-12 for three folds with 6,000 pairs each. Means that are nearer say the same about the parameters.
ROUNDING = 1e-12


def lowest(losses: Array) -> Array:
    """Return which columns have the lowest mean, in ascending order.

    Means of equal fractions may differ as floats: with the losses (0.1, 0.3), (0.2, 0.2) and (0.3, 0.1) of three folds
    and two columns both means are 0.2, and the first is the larger float. They are equal here if they differ by less
    than `ROUNDING` times the mean absolute loss of either column.

    Parameters
    ----------
    losses : (F, G) array
        Loss of each of G parameters on each of F folds; lower is better. A nan is left out of the mean of its column.

    Returns
    -------
    (k,) array of int, k >= 1

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.search.ties import lowest
    >>> losses = np.array([[0.1, 0.3], [0.2, 0.2], [0.3, 0.1]])
    >>> losses.mean(axis=0)
    array([0.2, 0.2])
    >>> int(np.argmin(losses.mean(axis=0))), lowest(losses).tolist()
    (1, [0, 1])
    """
    means, sizes = np.nanmean(losses, axis=0), np.nanmean(np.abs(losses), axis=0)
    least = int(np.nanargmin(means))
    return np.flatnonzero(means - means[least] <= ROUNDING * np.maximum(sizes, sizes[least]))
