"""Mean and standard deviation of each cell, and its missing runs."""

from dataclasses import replace

from .runs import check_records, compared_runs, expected_cells, missing_runs, rivals, runs_of_rivals


def summary(records, experiment):
    """Summarise each data set, condition, metric and method over its seeds, baselines left out.

    Returns
    -------
    DataFrame
        ``dataset condition metric method mean sd n_runs n_missing shortfall reasons``. `mean` and `sd` (which divides
        by n - 1) are over the `n_runs` hold-outs that all compared methods of the cell have finished, see
        `rankbench.statistics.common`; an incomplete method has none. `n_missing` counts the runs that the method itself
        lacks; `shortfall` and `reasons` say which (``17 of 20 runs, 3 timeouts``; ``3 x timeout (over 600 s)``), empty
        where none is.
    """
    return _summed(*runs_of_rivals(records, experiment))


def baselines(records, experiment):
    """Summarise the constant and the random answers as `summary` does the methods that learn."""
    check_records(records, experiment)
    learn = rivals(experiment).methods
    blind = {name: method for name, method in experiment.methods.items() if name not in learn}
    return _summed(records[records["method"].isin(list(blind))], replace(experiment, methods=blind))


def _summed(records, experiment):
    runs = compared_runs(records, experiment).groupby(expected_cells(experiment).names)["value"]
    cells = runs.agg(mean="mean", sd="std", n_runs="count").reindex(expected_cells(experiment))
    cells["n_runs"] = cells["n_runs"].fillna(0).astype(int)
    return cells.join(missing_runs(records, experiment)).reset_index()
