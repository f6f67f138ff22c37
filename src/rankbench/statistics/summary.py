"""Mean and standard deviation of each cell, and its missing runs."""

from collections import Counter
from dataclasses import replace

import pandas as pd

from .runs import CELL, check_records, expected_cells, finished_runs, rivals, runs_of_rivals


def summary(records, experiment):
    """Summarise each data set, condition, metric and method over its seeds, baselines left out.

    Returns
    -------
    DataFrame
        ``dataset condition metric method mean sd n_runs n_missing reasons``; `sd` divides by n - 1 and is missing for
        one run; `reasons` says why runs are missing (``2 x timeout (over 600 s), 1 x absent``), empty where none is.
    """
    return _summed(*runs_of_rivals(records, experiment))


def baselines(records, experiment):
    """Summarise the constant and the random answers as `summary` does the methods that learn."""
    check_records(records, experiment)
    learn = rivals(experiment).methods
    blind = {name: method for name, method in experiment.methods.items() if name not in learn}
    return _summed(records[records["method"].isin(list(blind))], replace(experiment, methods=blind))


def halves(records, experiment):
    """Summarise all seeds, the even and the odd ones (column ``half``): one half may judge what the other chose."""
    parts = []
    for half, remainders in {"all": (0, 1), "even": (0,), "odd": (1,)}.items():
        seeds = [seed for seed in range(experiment.seeds) if seed % 2 in remainders]
        part = summary(records[records["seed"].isin(seeds)], replace(experiment, seeds=len(seeds)))
        parts.append(part.assign(half=half))
    return pd.concat(parts, ignore_index=True)


def _summed(records, experiment):
    runs = finished_runs(records, experiment)
    keys = ["dataset", "condition", "metric", "method"]
    cells = runs.groupby(keys)["value"].agg(mean="mean", sd="std", n_runs="count").reindex(expected_cells(experiment))
    cells["n_runs"] = cells["n_runs"].fillna(0).astype(int)
    cells["n_missing"] = experiment.seeds - cells["n_runs"]
    by_cell = dict(iter(records.groupby(CELL)))
    cells["reasons"] = [
        _reasons(by_cell.get((dataset, condition, method), records[:0]), metric, experiment.seeds)
        for dataset, condition, metric, method in cells.index
    ]
    return cells.reset_index()


def _reasons(records, metric, n_seeds):
    """Describe why runs of a cell are missing, from the records of the cell."""
    lost = records[(records["status"] != "ok") | records[metric].isna()]
    status = lost["status"].replace("ok", "without a value")
    counts = Counter(f"{what} ({why})" if why else what for what, why in zip(status, lost["reason"]))
    counts["absent"] = n_seeds - len(records)
    return ", ".join(f"{count} x {reason}" for reason, count in sorted(counts.items()) if count)
