"""Tests whether methods differ, on a table with one row per data set or run and one column per method."""

from typing import Any, Literal

import numpy as np
from scipy import stats

from rankmargin.annotations import Array, ArrayLike

DIGITS = 12  # what differs in later ones differs by rounding


def t_test(differences: Array, overlap: float = 0.0) -> tuple[float, float, float]:
    """Test whether differences have mean 0 if their samples may overlap.

    The squared standard error of the mean is ``(1 / n + overlap) * variance``. With `overlap` 0 this is the paired
    t-test, which treats hold-outs of one table as independent samples. With `overlap` ``n_test / n_train`` it is the
    corrected resampled t-test [1]_.

    Parameters
    ----------
    differences : (n,) array
        Differences of paired runs, in the unit of the metric.
    overlap : float
        Correlation term, >= 0; NaN if it is not known.

    Returns
    -------
    standard_error, t, p : float
        NaN for fewer than two differences or an overlap of NaN. If all differences are 0, t = 0 and p = 1. If all are
        equal but not 0, t is infinite and p = 0.

    Raises
    ------
    ValueError
        If `overlap` is negative.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.significance import t_test
    >>> differences = np.array([0.02, 0.01, 0.03, 0.02, 0.00])  # of two methods on five hold-outs of 100 of 500 rows
    >>> [round(float(value), 3) for value in t_test(differences, overlap=100 / 400)]
    [0.008, 2.092, 0.105]
    """
    differences = _flat(differences)
    n = len(differences)
    if overlap < 0:
        raise ValueError(f"overlap must be >= 0, or nan if it is not known, got {overlap!r}")
    if n < 2 or np.isnan(overlap):
        return np.nan, np.nan, np.nan
    mean = np.mean(differences)
    if np.ptp(_without_rounding(differences)) == 0:
        return (0.0, 0.0, 1.0) if mean == 0 else (0.0, np.copysign(np.inf, mean), 0.0)
    standard_error = np.sqrt((1 / n + overlap) * np.var(differences, ddof=1))
    t = mean / standard_error
    return standard_error, t, 2 * stats.t.sf(abs(t), n - 1)


def adjusted(p: ArrayLike, method: Literal["holm", "bh"] = "holm") -> Array:
    """Adjust the p values of a family of tests for their number; NaN stays NaN and does not count.

    Parameters
    ----------
    p : (m,) array
        Numbers from 0 to 1, or NaN.
    method : {"holm", "bh"}
        Holm (1979): the family-wise error; Benjamini and Hochberg (1995): the false discovery rate.

    Returns
    -------
    (m,) array

    Raises
    ------
    ValueError
        If ``method`` is not one of the two, or p is no list of numbers from 0 to 1.

    Examples
    --------
    >>> from rankmargin.significance import adjusted
    >>> adjusted([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    if method not in ADJUSTMENTS:
        raise ValueError(f"method must be one of {', '.join(ADJUSTMENTS)}, got {method!r}")
    p = np.asarray(p, dtype=float)
    if p.ndim != 1:
        raise ValueError(f"p must have one dimension, got shape {p.shape}")
    known, result = ~np.isnan(p), np.full(len(p), np.nan)
    if outside := p[known][(p[known] < 0.0) | (p[known] > 1.0)].tolist():
        raise ValueError(f"p must hold numbers from 0 to 1, or NaN, got {outside[0]!r}")
    if known.any():
        result[known] = ADJUSTMENTS[method](p[known])
    return result


def _holm(p):
    """Return the largest of (m - k) p_(k) up to each p, k = 0, 1, ... in ascending order."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    result = np.empty(len(p))
    result[order] = np.minimum(steps, 1.0)
    return result


ADJUSTMENTS = {"holm": _holm, "bh": stats.false_discovery_control}


def signed_rank_test(differences: Array) -> tuple[float, float]:
    """Wilcoxon's signed-rank test, in which zeros get ranks but do not count (Pratt).

    scipy uses the exact distribution for up to 50 differences without zeros and ties, all sign flips for up to 13
    differences with some, and otherwise the normal approximation with its correction for ties.

    Parameters
    ----------
    differences : (n,) array
        Differences of paired runs.

    Returns
    -------
    statistic, p : float
        NaN without differences; statistic 0 and p = 1 if all differences are 0.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin.significance import signed_rank_test
    >>> statistic, p = signed_rank_test(np.array([1.0, 2.0, 3.0, 4.0, 5.0, -0.5]))
    >>> round(float(statistic), 1), round(float(p), 4)
    (1.0, 0.0625)
    """
    if len(differences) == 0:
        return np.nan, np.nan
    differences = _without_rounding(_flat(differences))
    if not np.any(differences):
        return 0.0, 1.0
    result = stats.wilcoxon(differences, zero_method="pratt", method="auto")
    return result.statistic, result.pvalue


def average_ranks(table: ArrayLike, higher_is_better: bool = False) -> Array:
    """Return the mean rank of each method over the rows of a table; 1 is the best, and ties share their rank.

    Parameters
    ----------
    table : (n_datasets, n_methods) array or data frame without missing values
    higher_is_better : bool, default False
        Whether the values are gains instead of errors.

    Returns
    -------
    (n_methods,) array

    Examples
    --------
    >>> from rankmargin.significance import average_ranks
    >>> average_ranks([[0.1, 0.2, 0.3], [0.2, 0.1, 0.3]])
    array([1.5, 1.5, 3. ])
    """
    values = _complete(table)
    if not len(values):
        return np.full(values.shape[1], np.nan)
    return stats.rankdata(-values if higher_is_better else values, axis=1).mean(axis=0)


def friedman(table: ArrayLike) -> tuple[float, float]:
    """Test whether methods differ over data sets (Friedman): the statistic and its p.

    Parameters
    ----------
    table : (n_datasets, n_methods) array or data frame without missing values

    Returns
    -------
    statistic, p : float
        NaN with fewer than three methods or two data sets, and if all values of each row are equal.

    Examples
    --------
    >>> from rankmargin.significance import friedman
    >>> statistic, p = friedman([[0.1, 0.2, 0.3]] * 4)
    >>> round(float(statistic), 1), round(float(p), 3)
    (8.0, 0.018)
    """
    values = _complete(table)
    n_datasets, n_methods = values.shape
    if n_methods < 3 or n_datasets < 2 or np.all(values == values[:, :1]):
        return np.nan, np.nan
    statistic, p = stats.friedmanchisquare(*values.T)
    return float(statistic), float(p)


def nemenyi(table: ArrayLike) -> Array:
    """Return Nemenyi's p value for each pair of methods: is the difference of their average ranks significant?

    Parameters
    ----------
    table : (n_datasets, n_methods) array or data frame without missing values

    Returns
    -------
    (n_methods, n_methods) array, 1 on the diagonal; nan without data sets or with fewer than two methods

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.2.2.

    Examples
    --------
    >>> from rankmargin.significance import nemenyi
    >>> nemenyi([[0.1, 0.2, 0.3]] * 6).round(2)
    array([[1.  , 0.19, 0.  ],
           [0.19, 1.  , 0.19],
           [0.  , 0.19, 1.  ]])
    """
    values = _complete(table)
    n_datasets, n_methods = values.shape
    if n_datasets == 0 or n_methods < 2:
        return np.full((n_methods, n_methods), np.nan)
    average = average_ranks(values)
    apart = np.abs(average[:, None] - average) / np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets))
    return stats.studentized_range.sf(apart * np.sqrt(2), n_methods, np.inf)


def critical_difference(n_methods: int, n_datasets: int, alpha: float = 0.05) -> float:
    """Return the smallest difference of average ranks that Nemenyi's test calls significant.

    Parameters
    ----------
    n_methods, n_datasets : int
    alpha : float, default 0.05

    Returns
    -------
    float
        NaN without data sets or with fewer than two methods.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, section 3.2.2 (Nemenyi).

    Examples
    --------
    >>> from rankmargin.significance import critical_difference
    >>> round(critical_difference(4, 14), 2)  # the example of the paper
    1.25
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, got {alpha!r}")
    if n_datasets == 0 or n_methods < 2:
        return np.nan
    q = stats.studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def _complete(table: Any) -> Array:
    """Return the table as an array in which values of a row that differ by rounding are equal, or refuse a table with
    missing values or another shape."""
    of_pandas = hasattr(table, "convert_dtypes")  # whose NA becomes nan
    values = table.to_numpy(np.float64, na_value=np.nan) if of_pandas else np.asarray(table, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(f"table must have one row per data set and one column per method, got shape {values.shape}")
    if np.isnan(values).any():
        row, column = np.argwhere(np.isnan(values))[0]
        raise ValueError(
            f"table must have a value for each method on each data set, got nan in row {row}, column {column}"
        )
    return _without_rounding(values)


def _flat(differences: ArrayLike) -> Array:
    """Return differences in double precision, or refuse another shape than (m,)."""
    differences = np.asarray(differences, dtype=np.float64)
    if differences.ndim != 1:
        raise ValueError(f"differences must have shape (m,), got shape {differences.shape}")
    return differences


def _without_rounding(values: ArrayLike) -> Array:
    """Return values rounded to `DIGITS`, smaller ones of a row to the digits of its median: 0.3 - 0.2 and 0.1 are equal
    then, and 0.3 - 0.2 - 0.1 is 0 beside them."""
    values = np.asarray(values, dtype=np.float64)
    if not values.size:
        return values
    known = np.isfinite(values) & (values != 0.0)
    sizes = np.where(known, np.abs(values), np.where(known.any(axis=-1, keepdims=True), np.nan, 1.0))
    largest = np.fmax(sizes, np.nanmedian(sizes, axis=-1, keepdims=True))  # one huge value changes no other
    unit = np.maximum(10.0 ** np.floor(np.log10(largest)), np.finfo(float).tiny)
    return np.round(values / unit, DIGITS) * unit
