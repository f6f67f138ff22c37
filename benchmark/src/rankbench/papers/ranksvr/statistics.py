"""Seconds that samplers took to choose their pairs, and how they grow with the pool."""

from dataclasses import replace

import numpy as np

from rankbench.statistics.common import on_common
from rankbench.statistics.runs import CELL, compared_runs, missing_runs, runs_of_rivals
from rankbench.statistics.slopes import log_slope

COLUMNS = [*CELL, "n_pool", "n_runs", "n_missing", "shortfall", "seconds", "slope"]


def sampling_seconds(records, experiment):
    """Return the seconds of each cell for all seeds.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set, condition and method. ``seconds`` is the mean over the ``n_runs`` seeds that
        all compared methods have (see `rankbench.statistics.common`) times the number of planned seeds; ``n_missing``
        and ``shortfall`` say what the method lacks. ``slope`` is that of log seconds against log ``n_pool`` over the
        data sets of the condition where all methods have seconds, the same in all its rows of a method (NaN for one
        data set).

    Raises
    ------
    ValueError
        As `check_records`.
    """
    records, experiment = runs_of_rivals(records, replace(experiment, metrics=["sample_seconds"]))
    runs = compared_runs(records, experiment).merge(records[[*CELL, "seed", "n_pool"]], on=[*CELL, "seed"])
    cells = runs.groupby(CELL).agg(n_pool=("n_pool", "first"), n_runs=("seed", "count"), seconds=("value", "mean"))
    cells["seconds"] *= experiment.seeds
    cells = missing_runs(records, experiment).reset_index().join(cells, on=CELL)
    cells["n_runs"] = cells["n_runs"].fillna(0).astype(int)
    known = cells.dropna(subset="seconds")
    planned = known.groupby("condition")["dataset"].transform("nunique")
    common = on_common(known, "dataset", ["condition"], planned).groupby(["condition", "method"])
    slopes = {key: log_slope(part["n_pool"], part["seconds"]) for key, part in common}
    cells["slope"] = [slopes.get(key, np.nan) for key in zip(cells["condition"], cells["method"], strict=True)]
    return cells[COLUMNS]
