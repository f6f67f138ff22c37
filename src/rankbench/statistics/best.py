"""Which methods are best on each data set, which are not clearly worse, and at what cost."""

from collections import Counter

import numpy as np
import pandas as pd

from rankmargin.significance import adjusted, t_test

from ..intervals import quantile
from ..labels import sign_of
from .runs import CELL, expected_cells, finished_runs

COLUMNS = ["dataset", "condition", "metric", "method", "mean", "sd", "n_runs", "n_missing", "best", "difference", "low"]
COLUMNS += ["high", "p", "verdict", "seconds", "megabytes", "params"]
BEST, OPEN, WORSE, NOTHING = "best", "not clearly worse", "worse", "no run"
LEVEL = 0.05


def best(records, experiment):
    """Compare each method with the one of the best mean, in each data set, condition and metric.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set, condition, metric and method. ``difference`` is how much worse the mean of
        this method is than the best one, over the seeds that both have, with its 95 percent interval ``low`` to
        ``high``; hold-outs overlap, so its standard error is that of the corrected resampled t-test
        (`rankmargin.significance.t_test`), with the overlap of hold-outs from a table of ``n_rows``. ``p`` is two-sided
        and Holm's, over the methods of the cell. ``verdict`` is ``best``, ``worse`` (p < 0.05), ``not clearly worse``
        or ``no run``. ``seconds`` is the median of tuning and fit, ``megabytes`` the largest peak of a job, ``params``
        the parameters chosen most often, as JSON.

    Raises
    ------
    ValueError
        As `rankbench.statistics.runs.check_records`.
    """
    runs = finished_runs(records, experiment).groupby(["dataset", "condition", "metric", "method"])
    found = {cell: part.set_index("seed")["value"] for cell, part in runs}
    costs = {cell: _costs(part) for cell, part in records[records["status"] == "ok"].groupby(CELL)}
    cells = {}
    for *place, method in expected_cells(experiment):
        cells.setdefault(tuple(place), []).append(method)
    rows = []
    for place, methods in cells.items():
        values = {method: found.get((*place, method), pd.Series(dtype=float)) for method in methods}
        errors = {method: series * sign_of(place[2]) for method, series in values.items()}
        for method, compared in _compare(errors, _overlap(records, experiment, *place[:2])).items():
            series, cost = values[method], costs.get((*place[:2], method), (np.nan, np.nan, ""))
            counts = len(series), experiment.seeds - len(series)
            rows.append((*place, method, series.mean(), series.std(), *counts, *compared, *cost))
    return pd.DataFrame(rows, columns=COLUMNS)


def _compare(values, overlap):
    """Return method -> (best, difference, low, high, p, verdict) for the errors of one cell, a series per method."""
    means = {method: series.mean() for method, series in values.items() if len(series)}
    if not means:
        return {method: ("", *[np.nan] * 4, NOTHING) for method in values}
    first = min(means, key=means.get)
    compared = {}
    for method, series in values.items():
        differences = (series - values[first]).dropna().to_numpy()
        error, _, p = t_test(differences, overlap)
        mean = differences.mean() if len(differences) else np.nan
        half = quantile(len(differences) - 1) * error
        compared[method] = [first, mean, mean - half, mean + half, p]
    compared[first][-1] = np.nan  # it is not tested against itself
    for row, p in zip(compared.values(), adjusted([row[-1] for row in compared.values()], "holm"), strict=True):
        row[-1] = p
    for method, row in compared.items():
        verdict = BEST if method == first else NOTHING if method not in means else WORSE if row[-1] < LEVEL else OPEN
        row.append(verdict)
    return compared


def _overlap(records, experiment, dataset, condition):
    """Return rho / (1 - rho) for the correlation rho of two hold-outs of a cell, nan where no run is there.

    Where ``n_rows`` is not given the table has no rows outside the two parts, and this is n_test / n_train.
    """
    cell = records[(records["dataset"] == dataset) & (records["condition"] == condition)]
    sizes = cell.loc[cell["status"] == "ok", ["n_train", "n_test"]]
    if not len(sizes):
        return np.nan
    n_train, n_test = sizes.iloc[0]
    # A difference is about its mean + an average over the training rows (variance V1) + one over the test rows (V2).
    # Two hold-outs from N rows share n_train / N and n_test / N of them, so that their correlation is about
    # (V1 n_train / N + V2 n_test / N) / (V1 + V2): n_test / N if the parts are equal, or if V2 is much larger than V1.
    # In the other cases that were simulated it was not above n_test / N (benchmarks/hold_outs.py).
    n_rows = experiment.datasets[dataset].n_rows or n_train + n_test
    return n_test / (n_rows - n_test)


def _costs(part):
    """Return seconds, megabytes and the parameters chosen most often of the runs of one method."""
    seconds = float((part["tune_seconds"] + part["fit_seconds"]).median())
    (params, _), *_ = Counter(part["params"]).most_common(1)
    return seconds, float(part["peak_megabytes"].max()), params
