"""Mean and standard deviation of each cell, and the runs it lacks."""

from collections import Counter

from .runs import CELL, expected_cells, finished_runs


def summary(records, experiment):
    """Summarise each data set, condition, metric and method over its seeds.

    Returns
    -------
    DataFrame
        ``dataset condition metric method mean sd n_runs n_missing reasons``; `sd` divides by n - 1 and is missing for
        one run; `reasons` says why runs are missing (``2 x timeout (over 600 s), 1 x absent``), empty where none is.
    """
    runs = finished_runs(records, experiment)
    keys = ["dataset", "condition", "metric", "method"]
    cells = runs.groupby(keys)["value"].agg(mean="mean", sd="std", n_runs="count").reindex(expected_cells(experiment))
    cells["n_runs"] = cells["n_runs"].fillna(0).astype(int)
    cells["n_missing"] = experiment["seeds"] - cells["n_runs"]
    by_cell = dict(iter(records.groupby(CELL)))
    cells["reasons"] = [
        _reasons(by_cell.get((dataset, condition, method), records[:0]), metric, experiment["seeds"])
        for dataset, condition, metric, method in cells.index
    ]
    return cells.reset_index()


def _reasons(records, metric, n_seeds):
    """Say in words why runs of a cell, whose records these are, are missing."""
    lost = records[(records["status"] != "ok") | records[metric].isna()]
    status = lost["status"].replace("ok", "without a value")
    counts = Counter(f"{what} ({why})" if why else what for what, why in zip(status, lost["reason"]))
    counts["absent"] = n_seeds - len(records)
    return ", ".join(f"{count} x {reason}" for reason, count in sorted(counts.items()) if count)
