"""Each competitor's mean as a multiple of the reference method's, with an interval that is paired over the seeds."""

import numpy as np
import pandas as pd

from .intervals import half_width
from .runs import beside_reference, missing_runs, runs_of_rivals

COLUMNS = ["dataset", "condition", "metric", "method", "reference", "n_pairs", "n_missing", "shortfall"]
COLUMNS += ["ratio", "low", "high"]


def ratios(records, experiment):
    """Return the ratio of means of each competitor and the reference, data set by data set.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set, condition, metric and competitor, over the seeds that all compared methods of
        the cell have, see `rankbench.statistics.common`. ``shortfall`` says what the competitor lacks, or else the
        reference.

    Raises
    ------
    ValueError
        As `check_records`.
    """
    records, experiment = runs_of_rivals(records, experiment)
    reference, rows = experiment.reference_method, []
    lacks = missing_runs(records, experiment)["shortfall"]
    for (dataset, condition, metric, method), both in beside_reference(records, experiment):
        numbers = ratio_of_means(both[method].to_numpy(), both[reference].to_numpy())
        lack = lacks[dataset, condition, metric, method] or lacks.get((dataset, condition, metric, reference), "")
        counts = len(both), experiment.seeds - len(both), lack
        rows.append((dataset, condition, metric, method, reference, *counts, *numbers))
    return pd.DataFrame(rows, columns=COLUMNS)


def ratio_of_means(values, reference):
    """Return mean(values) / mean(reference) and its 95 percent t interval from paired runs (delta method).

    The standard error of the ratio r is sd(values - r reference) / (sqrt(n) |mean(reference)|).

    Parameters
    ----------
    values, reference : (n,) array

    Returns
    -------
    ratio, low, high : float
        NaN where n is 0 or the reference's mean is 0; the interval needs two runs.
    """
    n = len(values)
    if n == 0 or np.mean(reference) == 0:
        return np.nan, np.nan, np.nan
    ratio = float(np.mean(values) / np.mean(reference))
    if n == 1:
        return ratio, np.nan, np.nan
    error = np.std(values - ratio * reference, ddof=1) / (np.sqrt(n) * abs(np.mean(reference)))
    half = float(half_width(error, n))
    return ratio, ratio - half, ratio + half
