"""Paired tests on a vector of differences: statistic and two-sided p value."""

import numpy as np
from scipy import stats

LEVELS = (0.01, 0.05)


def mark(p):
    """Return the paper's mark of p: ``"0.01"``, ``"0.05"``, ``""`` (not significant) or ``"untested"`` (NaN)."""
    if np.isnan(p):
        return "untested"
    return next((str(level) for level in LEVELS if p < level), "")


def t_test(differences, overlap=0.0):
    """Test whether differences have mean 0, when the samples behind them may overlap.

    The squared standard error of the mean is ``(1 / n + overlap) * variance``. With `overlap` 0 this is the paired
    t-test, which takes hold-outs of one table for independent samples; with `overlap` ``n_test / n_train`` it is the
    corrected resampled t-test [1]_.

    Parameters
    ----------
    differences : (n,) array
        Differences of paired runs, in the unit of the metric.
    overlap : float
        Correlation term, >= 0; NaN where none is known.

    Returns
    -------
    standard_error, t, p : float
        NaN for fewer than two differences or an overlap of NaN. Differences that are all 0 give t = 0 and p = 1;
        all alike, but not 0, t infinite and p = 0.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, section 4.
    """
    n = len(differences)
    if n < 2 or np.isnan(overlap):
        return np.nan, np.nan, np.nan
    mean = np.mean(differences)
    if np.ptp(differences) == 0:
        return (0.0, 0.0, 1.0) if mean == 0 else (0.0, np.copysign(np.inf, mean), 0.0)
    standard_error = np.sqrt((1 / n + overlap) * np.var(differences, ddof=1))
    t = mean / standard_error
    return standard_error, t, 2 * stats.t.sf(abs(t), n - 1)


def adjusted(p, method):
    """Adjust the p values of a family of tests for their number; NaN stays and does not count.

    Parameters
    ----------
    p : (m,) array
    method : {"holm", "bh"}
        Holm (1979): the family-wise error; Benjamini and Hochberg (1995): the false discovery rate.

    Returns
    -------
    (m,) array
    """
    p = np.asarray(p, dtype=float)
    known, result = ~np.isnan(p), np.full(len(p), np.nan)
    if known.any():
        result[known] = _holm(p[known]) if method == "holm" else stats.false_discovery_control(p[known])
    return result


def _holm(p):
    """Return the largest of (m - k) p_(k) up to each p, k = 0, 1, ... in ascending order."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate((len(p) - np.arange(len(p))) * p[order])
    result = np.empty(len(p))
    result[order] = np.minimum(steps, 1.0)
    return result


def signed_rank_test(differences):
    """Wilcoxon's signed-rank test, zeros ranked but not counted (Pratt).

    Of up to 50 differences without zeros and ties scipy takes the exact distribution, of up to 13 with some all sign
    flips, and else the normal approximation with its tie correction.

    Parameters
    ----------
    differences : (n,) array
        Differences of paired runs.

    Returns
    -------
    statistic, p : float
        NaN without differences; statistic 0 and p = 1 when all differences are 0.
    """
    if len(differences) == 0:
        return np.nan, np.nan
    if not np.any(differences):
        return 0.0, 1.0
    result = stats.wilcoxon(differences, zero_method="pratt", method="auto")
    return result.statistic, result.pvalue
