"""One screen about many methods on many data sets: ranks, errors, wins against the reference, seconds."""

import pandas as pd

from rankbench.configuration.labels import counted, error_of, method_labels, metric_label, sign_of
from rankbench.statistics.common import on_common_datasets
from rankbench.statistics.shortfalls import told_shortfalls
from rankbench.statistics.significance import DECIMALS
from rankbench.tables.cells import number
from rankbench.tables.markup import grid_of, written

COLUMNS = ["metric", "method", "average_rank", "n_datasets", "error", "gap", "n_near"]
COLUMNS += ["better", "alike", "worse", "seconds"]


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
    percent lower the lowest error of the data set is than that of the method. ``n_near`` counts those where the error
    of the method is the lowest or above it by no more than a difference that does not matter, ``seconds`` is the median
    over them of the median of grid search and fit.
    """
    ropes = frames["bayes"].groupby("metric")["rope"].first()
    cells = on_common_datasets(frames["best"])
    error = cells["mean"].astype(float)
    for metric, part in cells.groupby("metric"):
        error[part.index] = error_of(metric, part["mean"])
    above = behind(cells).round(DECIMALS)
    gap = (100 * above / error).where(above > 0, 0.0)
    cells = cells.assign(error=error, gap=gap, near=above <= cells["metric"].map(ropes).astype(float))
    by_method = cells.groupby(["metric", "method"]).agg(
        n_near=("near", "sum"), error=("error", "mean"), gap=("gap", "mean"), seconds=("seconds", "median")
    )
    shares = frames["bayes"].set_index(["metric", "method"])
    ranks = frames["ranks"].drop(columns="condition").set_index(["metric", "method"])
    rows = (
        ranks[["average_rank", "n_datasets"]].join(by_method).join(shares[["better", "alike", "worse"]]).reset_index()
    )
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
        texts |= {("Near", "the best"): number(row.n_near, ".0f", "")}
        shares = "\u00a0/\u00a0".join(
            number(share, ".2f", "") for share in (row.better, row.alike, row.worse)
        )  # on one line
        texts["Probability", "better / alike / worse"] = "" if pd.isna(row.better) else shares
        grid.append({**texts, ("Seconds", ""): number(row.seconds, ".2g", "")})
    return grid_of(grid)


def caption(frames, experiment):
    """Return how to read the table."""
    ropes = frames["bayes"].drop_duplicates("metric")
    told = ", ".join(f"{row.rope:g} for {metric_label(row.metric)}" for row in ropes.itertuples())
    gains = [metric_label(metric) for metric in experiment.metrics if sign_of(metric) < 0]
    turned = f"Error: one minus the {', '.join(gains)}. " if gains else ""
    planned, reference = len(experiment.datasets), method_labels(experiment)[experiment.reference_method]
    ranked = "; ".join(f"{count}" for count in frames["ranks"]["n_datasets"].unique())
    average = (
        "the data sets" if ranked == f"{planned}" else f"the {ranked} data sets where all ranked methods are compared"
    )
    holdouts = f"{counted(experiment.seeds, 'hold-out')} each"
    return (
        f"{len(experiment.methods)} methods on {planned} data sets, {holdouts}. Average: over {average}. {turned}"
        "Gap to the best: by how many percent the "
        "lowest error of the data set is below that of the method, mean. Near the best: data sets where the error is "
        f"the lowest, or above it by no more than a difference that does not matter ({told}). Probability: that the "
        f"method is better than {reference} by more than such a difference, alike, or worse, by the Bayesian "
        "signed-rank test. Seconds: grid search and final fit, median."
    )
