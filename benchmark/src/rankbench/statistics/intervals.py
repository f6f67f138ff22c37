"""95 percent intervals of means."""

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 0.95


def quantile(df, n_intervals=1):
    """Return half the width of a 95 percent interval in standard errors (Student's t).

    Parameters
    ----------
    df : int or (m,) array of int
        Degrees of freedom.
    n_intervals : int, default 1
        With several intervals, all of them together hold their quantities in 95 percent of the samples (Bonferroni).

    Returns
    -------
    float or (m,) array, NaN where `df` is less than 1
    """
    return stdtrit(np.maximum(df, 0), 1 - (1 - CONFIDENCE) / (2 * max(n_intervals, 1)))


def half_width(standard_error, n):
    """Return half the width of the t interval of a mean of `n` values, in the unit of its standard error.

    Parameters
    ----------
    standard_error : float or (m,) array
    n : int or (m,) array of int

    Returns
    -------
    float or (m,) array, NaN where n is less than 2
    """
    return quantile(n - 1) * standard_error
