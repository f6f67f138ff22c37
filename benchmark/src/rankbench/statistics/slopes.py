"""How a quantity grows with a size."""

import numpy as np


def log_slope(sizes, values):
    """Return the least-squares slope of the log of the values against the log of the sizes; NaN for fewer than two
    sizes.

    Parameters
    ----------
    sizes, values : (n,) arrays of numbers > 0; pairs with a NaN are left out
    """
    sizes, values = np.asarray(sizes, dtype=float), np.asarray(values, dtype=float)
    known = ~np.isnan(sizes) & ~np.isnan(values)
    if len(np.unique(sizes[known])) < 2:
        return np.nan
    return float(np.polyfit(np.log(sizes[known]), np.log(values[known]), 1)[0])
