"""Seconds that samplers took to choose their pairs, and how they grow with the pool."""

import pandas as pd

from ..slopes import log_slope
from .runs import CELL, runs_of_rivals

COLUMNS = [*CELL, "n_pool", "n_runs", "n_missing", "seconds", "slope"]


def sampling_seconds(records, experiment):
    """Add up the seconds of each cell over its seeds.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per data set, condition and method; ``n_missing`` counts the runs without seconds. ``slope``
        is that of log seconds against log ``n_pool`` over the data sets of the condition, the same in all its rows of a
        method (NaN for one data set).

    Raises
    ------
    ValueError
        As `check_records`.
    """
    records, experiment = runs_of_rivals(records, experiment)
    timed = records[(records["status"] == "ok") & records["sample_seconds"].notna()]
    cells = timed.groupby(CELL).agg(
        n_pool=("n_pool", "first"), n_runs=("seed", "count"), seconds=("sample_seconds", "sum")
    )
    asked = [list(names) for names in (experiment.datasets, experiment.conditions, experiment.methods)]
    cells = cells.reindex(pd.MultiIndex.from_product(asked, names=CELL)).reset_index()
    cells["n_runs"] = cells["n_runs"].fillna(0).astype(int)
    cells["n_missing"] = experiment.seeds - cells["n_runs"]
    slopes = {key: log_slope(cell["n_pool"], cell["seconds"]) for key, cell in cells.groupby(["condition", "method"])}
    cells["slope"] = [slopes[key] for key in zip(cells["condition"], cells["method"], strict=True)]
    return cells[COLUMNS]
