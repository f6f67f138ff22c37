"""One screen about many methods on many data sets: ranks, errors, seconds."""

import pandas as pd

from rankbench.configuration.labels import counted, error_of, method_labels, metric_label, sign_of
from rankbench.statistics.common import on_common_datasets
from rankbench.statistics.shortfalls import told_shortfalls
from rankbench.statistics.significance import DECIMALS
from rankbench.tables.cells import number
from rankbench.tables.markup import grid_of, written

COLUMNS = ["metric", "method", "average_rank", "n_datasets", "error", "gap", "seconds"]


def ranking(frames, experiment, titles):
    """Return the table as csv (plain numbers) and as md, tex and html: one row per method, the best rank first."""
    rows = gather(frames, experiment)

    def lay_out(markup):
        missing = told_shortfalls(frames["best"], experiment, titles, markup.label, markup.text)
        return _grid(rows, experiment, markup), caption(frames, experiment) + missing

    return written(rows, lay_out)


def gather(frames, experiment):
    """Return `COLUMNS`, one row per metric and method, in the order of the ranks.

    All numbers are of the ``n_datasets`` on which the methods are ranked. ``gap`` is the mean over them of how many
    percent lower the lowest error of the data set is than that of the method, ``seconds`` the median over them of the
    median of grid search and fit.
    """
    cells = on_common_datasets(frames["best"])
    error = cells["mean"].astype(float)
    for metric, part in cells.groupby("metric"):
        error[part.index] = error_of(metric, part["mean"])
    above = behind(cells).round(DECIMALS)
    gap = (100 * above / error).where(above > 0, 0.0)
    by_method = (
        cells.assign(error=error, gap=gap)
        .groupby(["metric", "method"])
        .agg(error=("error", "mean"), gap=("gap", "mean"), seconds=("seconds", "median"))
    )
    ranks = frames["ranks"].drop(columns="condition").set_index(["metric", "method"])
    rows = ranks[["average_rank", "n_datasets"]].join(by_method).reset_index()
    order = {metric: at for at, metric in enumerate(experiment.metrics)}
    return rows.sort_values(["metric", "average_rank"], key=lambda c: c.map(order) if c.name == "metric" else c)[
        COLUMNS
    ]


def behind(cells):
    """Return how far each mean error of a frame (``summary`` or ``best``) is above the lowest of its data set."""
    errors = cells["mean"] * cells["metric"].map(sign_of).astype(int)
    return errors - errors.groupby([cells["dataset"], cells["metric"]]).transform("min")


def _grid(rows, experiment, markup):
    """Return the grid of cell texts."""
    labels, grid = method_labels(experiment, markup.label), []
    for row in rows.itertuples():
        texts = {("Metric", ""): markup.text(metric_label(row.metric))} if len(experiment.metrics) > 1 else {}
        rank = "not ranked" if pd.isna(row.average_rank) else number(row.average_rank, ".2f", "")
        texts |= {("Method", ""): labels[row.method], ("Average", "rank"): rank}
        texts |= {
            ("Average", "error"): number(row.error, ".4f", ""),
            ("Gap to the best,", "percent"): number(row.gap, ".1f", ""),
        }
        grid.append({**texts, ("Seconds", ""): number(row.seconds, ".2g", "")})
    return grid_of(grid)


def caption(frames, experiment):
    """Return how to read the table."""
    gains = [metric_label(metric) for metric in experiment.metrics if sign_of(metric) < 0]
    turned = f"Error: one minus the {', '.join(gains)}. " if gains else ""
    planned = len(experiment.datasets)
    ranked = "; ".join(f"{count}" for count in frames["ranks"]["n_datasets"].unique())
    average = (
        "the data sets" if ranked == f"{planned}" else f"the {ranked} data sets where all ranked methods are compared"
    )
    holdouts = f"{counted(experiment.seeds, 'hold-out')} each"
    return (
        f"{len(experiment.methods)} methods on {planned} data sets, {holdouts}. Average: over {average}. {turned}"
        "Gap to the best: by how many percent the lowest error of the data set is below that of the method, mean. "
        "Seconds: grid search and final fit, median."
    )
