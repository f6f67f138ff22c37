"""Tests whether methods differ, on a table with one row per data set or run and one column per method."""

import numpy as np
from scipy import stats

DIGITS = 12  # what differs in later ones differs by rounding
DECIMALS = 12  # differences, and means, that are alike up to rounding are ties
LEVELS = (0.01, 0.05)


def mark(p):
    """Return the paper's mark of p: ``"0.01"``, ``"0.05"``, ``""`` (not significant) or ``"untested"`` (NaN)."""
    if np.isnan(p):
        return "untested"
    return next((str(level) for level in LEVELS if p < level), "")


def t_test(differences, overlap=0.0):
    """Return the standard error, t and p of the mean of the differences (n,) of paired runs whose samples may overlap.

    The squared standard error is ``(1 / n + overlap) * variance``. With `overlap` 0 this is the paired t-test, which
    treats hold-outs of one table as independent samples. With ``n_test / n_train`` it is the corrected resampled t-test
    of Nadeau and Bengio, "Inference for the generalization error" (Machine Learning 52, 2003), section 4. NaN, the
    overlap is not known, or fewer than two differences give NaN. If all differences are 0, t = 0 and p = 1; if all are
    equal but not 0, t is infinite and p = 0.
    """
    n = len(differences)
    if n < 2 or np.isnan(overlap):
        return np.nan, np.nan, np.nan
    mean = np.mean(differences)
    if np.ptp(_without_rounding(differences)) == 0:
        return (0.0, 0.0, 1.0) if mean == 0 else (0.0, np.copysign(np.inf, mean), 0.0)
    standard_error = np.sqrt((1 / n + overlap) * np.var(differences, ddof=1))
    t = mean / standard_error
    return standard_error, t, 2 * stats.t.sf(abs(t), n - 1)


def adjusted(p, method="holm"):
    """Return the p values (m,) of a family of tests, adjusted for their number; NaN stays NaN and does not count.

    The method is ``holm`` (Holm 1979, the family-wise error) or ``bh`` (Benjamini and Hochberg 1995, the false
    discovery rate).
    """
    p = np.asarray(p, dtype=float)
    known, result = ~np.isnan(p), np.full(len(p), np.nan)
    if known.any():
        result[known] = {"holm": _holm, "bh": stats.false_discovery_control}[method](p[known])
    return result


def _holm(p):
    """Return the largest of (m - k) p_(k) up to each p, k = 0, 1, ... in ascending order."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    result = np.empty(len(p))
    result[order] = np.minimum(steps, 1.0)
    return result


def average_ranks(table):
    """Return the mean rank of each method over the rows of a table of errors; 1 is the best, ties share their rank."""
    values = _without_rounding(table)
    return stats.rankdata(values, axis=1).mean(axis=0) if len(values) else np.full(values.shape[1], np.nan)


def friedman(table):
    """Return the statistic and p of Friedman's test; NaN with fewer than three methods or two data sets, and if all
    values of each row are equal."""
    values = _without_rounding(table)
    n_datasets, n_methods = values.shape
    if n_methods < 3 or n_datasets < 2 or np.all(values == values[:, :1]):
        return np.nan, np.nan
    return tuple(map(float, stats.friedmanchisquare(*values.T)))


def critical_difference(n_methods, n_datasets, alpha=0.05):
    """Return the smallest difference of average ranks that Nemenyi's test calls significant; NaN without data sets.

    See J. Demsar, "Statistical comparisons of classifiers over multiple data sets" (JMLR 7, 2006), section 3.2.2.
    """
    if n_datasets == 0 or n_methods < 2:
        return np.nan
    q = stats.studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def _without_rounding(values):
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
