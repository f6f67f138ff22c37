"""The planned runs of an experiment and the runs that are compared: every statistic starts here."""

from collections import Counter
from dataclasses import replace

import pandas as pd

from .common import on_common, shortfall

CELL = ["dataset", "condition", "method"]
PLACE = ["dataset", "condition", "metric"]


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
    for column, expected in zip(CELL, (experiment.datasets, experiment.conditions, experiment.methods)):
        unknown = sorted(set(records[column]) - set(expected))
        if unknown:
            raise ValueError(f"records.{column} must be one of {list(expected)}, got {unknown}")
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
    learning = rivals(experiment)
    return records[records["method"].isin(list(learning.methods))], learning


def compared_runs(records, experiment):
    """Return one row per compared run and metric: ``dataset condition metric method seed value``, sorted.

    In each data set, condition and metric all methods have the same seeds, see `rankbench.statistics.common`. A run
    has finished when its status is ``ok`` and it has a value.

    Raises
    ------
    ValueError
        As `check_records`.
    """
    check_records(records, experiment)
    ok = records[records["status"] == "ok"]
    finished = ok.melt([*CELL, "seed"], list(experiment.metrics), "metric", "value").dropna(subset="value")
    runs = on_common(finished, "seed", PLACE, experiment.seeds)
    return runs.sort_values([*CELL, "metric", "seed"], ignore_index=True)


def beside_reference(records, experiment):
    """Yield each planned cell of a competitor, and its values beside those of the reference method.

    Yields
    ------
    cell : tuple
        ``dataset condition metric method``.
    both : (n_pairs, 2) DataFrame
        Columns: the competitor and the reference; rows: the seeds that all compared methods have.
    """
    reference = experiment.reference_method
    wide = compared_runs(records, experiment).pivot(index=[*PLACE, "seed"], columns="method", values="value")
    wide = wide.reindex(columns=list(experiment.methods)).astype(float)
    by_place = dict(iter(wide.groupby(level=PLACE)))
    for *place, method in expected_cells(experiment):
        if method != reference:
            yield (*place, method), by_place.get(tuple(place), wide[:0])[[method, reference]].dropna()


def missing_runs(records, experiment):
    """Return what each planned cell lacks: ``n_missing shortfall reasons``, indexed by `expected_cells`.

    ``shortfall`` counts by status (``17 of 20 runs, 3 timeouts``), ``reasons`` by reason (``3 x timeout (over 600
    s)``); both are empty where no run is missing.
    """
    n_there = Counter(zip(*(records[column] for column in CELL)))
    lost = records.melt([*CELL, "status", "reason"], list(experiment.metrics), "metric", "value").query(
        "status != 'ok' or value.isna()"
    )
    by_cell, cells, rows = dict(iter(lost.groupby([*PLACE, "method"]))), expected_cells(experiment), []
    for dataset, condition, metric, method in cells:
        part = by_cell.get((dataset, condition, metric, method), lost[:0])
        n_absent = experiment.seeds - n_there[dataset, condition, method]
        lack = shortfall(list(part["status"]), n_absent + len(part), experiment.seeds)
        rows.append((n_absent + len(part), lack, _reasons(part, n_absent)))
    return pd.DataFrame(rows, cells, columns=["n_missing", "shortfall", "reasons"])


def _reasons(lost, n_absent):
    """Describe why runs of a cell are missing."""
    status = lost["status"].replace("ok", "without a value")
    counts = Counter(f"{what} ({why})" if why else what for what, why in zip(status, lost["reason"]))
    counts["absent"] = n_absent
    return ", ".join(f"{count} x {reason}" for reason, count in sorted(counts.items()) if count)
