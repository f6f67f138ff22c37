"""The planned runs of an experiment and the runs that finished: every statistic starts here."""

from dataclasses import replace

import pandas as pd

CELL = ["dataset", "condition", "method"]


def rivals(experiment):
    """Return the experiment without its baselines: constant and random answers are not compared with the methods."""
    learn = {name: method for name, method in experiment.methods.items() if not method.baseline}
    return replace(experiment, methods=learn)


def check_records(records, experiment):
    """Refuse records that the experiment did not ask for.

    Raises
    ------
    ValueError
        If a data set, condition or method is not in the experiment, a run is there twice, or a cell has more runs
        than ``seeds``.
    """
    for column, asked in zip(CELL, (experiment.datasets, experiment.conditions, experiment.methods)):
        unknown = sorted(set(records[column]) - set(asked))
        if unknown:
            raise ValueError(f"records.{column} must be one of {list(asked)}, got {unknown}")
    twice = records[records.duplicated([*CELL, "seed"])]
    if len(twice):
        raise ValueError(f"records must hold a run once, got twice: {twice[[*CELL, 'seed']].to_dict('records')}")
    most = records.groupby(CELL).size().max()  # nan of no records
    if most > experiment.seeds:
        raise ValueError(f"records must hold at most seeds = {experiment.seeds} runs a cell, got {most}")


def expected_cells(experiment):
    """Return every planned (dataset, condition, metric, method), in the order of the yaml, as a MultiIndex."""
    levels = (experiment.datasets, experiment.conditions, experiment.metrics, experiment.methods)
    cells = pd.MultiIndex.from_product(map(list, levels), names=["dataset", "condition", "metric", "method"])
    return cells[cells.droplevel("metric").isin([*experiment.cells])]


def runs_of_rivals(records, experiment):
    """Return the records and the experiment without baselines.

    Raises
    ------
    ValueError
        As `check_records`.
    """
    check_records(records, experiment)
    kept = rivals(experiment)
    return records[records["method"].isin(list(kept.methods))], kept


def finished_runs(records, experiment):
    """Return one row per finished run and metric: ``dataset condition metric method seed value``, sorted.

    A run is finished when its status is ``ok`` and it has a value.

    Raises
    ------
    ValueError
        As `check_records`.
    """
    check_records(records, experiment)
    identity = [*CELL, "seed"]
    runs = (
        records[records["status"] == "ok"]
        .melt(identity, list(experiment.metrics), "metric", "value")
        .dropna(subset="value")
    )
    return runs.sort_values([*CELL, "metric", "seed"], ignore_index=True)
