"""95 percent intervals of means."""

import numpy as np
from scipy.special import stdtrit

CONFIDENCE = 0.95


def quantile(df):
    """Return half the width of a 95 percent interval in standard errors (Student's t).

    Parameters
    ----------
    df : int or (m,) array of int
        Degrees of freedom.

    Returns
    -------
    float or (m,) array, NaN where `df` is less than 1
    """
    return stdtrit(np.maximum(df, 0), 0.5 + CONFIDENCE / 2)


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
