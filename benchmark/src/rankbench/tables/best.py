"""Which methods are best on each data set: their means, their distance to the best, and what they cost."""

import pandas as pd

from rankbench.configuration.labels import method_labels, metric_label, shown, two_digits
from rankbench.statistics.shortfalls import incomplete, told_shortfalls

from ..statistics.best import asked_cells, by_rank
from .markup import grid_of, written


def best(frames, experiment, titles):
    """Return the table as csv (the statistic itself) and as md, tex and html: one row per method, the best first."""
    cells = frames["best"]

    def lay_out(markup):
        missing = told_shortfalls(asked_cells(cells, experiment), experiment, titles, markup.label, markup.text)
        return _grid(cells, experiment, titles, markup), caption(experiment) + missing

    return written(cells, lay_out)


def _grid(cells, experiment, titles, markup):
    """Return the grid of cell texts, for the last condition: the first metric in full, the means of the others."""
    labels, (first, *others), rows = method_labels(experiment, markup.label), experiment.metrics, []
    for dataset, part in asked_cells(cells, experiment).groupby("dataset", sort=False):
        means = {metric: rows.set_index("method") for metric, rows in part.groupby("metric")}
        of_first = part[part["metric"] == first]
        top = "first" if "not clearly worse" in set(of_first["verdict"]) else "best"
        for cell in by_rank(of_first).itertuples():
            texts = {("Method", ""): labels[cell.method]}
            if len(experiment.datasets) > 1:
                texts = {("Data set", ""): markup.text(titles.get(dataset, dataset)), **texts}
            verdict = top if cell.verdict == "best" else cell.verdict
            texts["Verdict", ""] = verdict if cell.n_runs else markup.text(incomplete(cell))
            texts |= _distance(cell, markup.text(_heading(first)), markup)
            for metric in others:
                texts["Mean", markup.text(_heading(metric))] = _mean(means[metric].loc[cell.method], markup)
            texts["Cost", "seconds"] = two_digits(cell.seconds) if cell.n_runs else ""
            texts["Cost", "MB"] = f"{cell.megabytes:.0f}" if cell.n_runs else ""
            rows.append(texts)
    return grid_of(rows)


def _heading(metric):
    label = metric_label(metric)
    return label[0].upper() + label[1:]


def _distance(cell, heading, markup):
    """Return the cells of one method about the first metric."""
    mean = "" if not cell.n_runs else _mean({"mean": cell.mean, "metric": cell.metric, "verdict": cell.verdict}, markup)
    compared = cell.verdict in ("worse", "not clearly worse")
    low, high = (shown(value).replace("−", markup.minus) for value in (cell.low, cell.high))
    return {
        (heading, "mean"): mean,
        (heading, "behind the best"): shown(cell.difference) if compared else "",
        (heading, markup.text("95 % interval")): f"{low} to {high}" if compared and not pd.isna(cell.low) else "",
    }


def _mean(cell, markup):
    """Return a mean; in bold where it is the best."""
    if pd.isna(cell["mean"]):
        return ""
    text = shown(cell["mean"], cell["metric"]).replace("−", markup.minus)
    return markup.bold(text) if cell["verdict"] == "best" else text


def caption(experiment):
    """Return how to read the table."""
    n_train = list(experiment.conditions.values())[-1].n_train
    at = f" with {n_train:,} training rows" if n_train else ""
    return (
        f"Means on the test part over {experiment.seeds} hold-outs{at}. Behind the best: mean of the paired "
        "differences with its 95 percent interval, which allows for the overlap of the hold-outs (Nadeau and Bengio) "
        "and for the number of pairs of methods (Bonferroni: their intervals in a data set hold together). Worse: the "
        "interval is above 0; not clearly worse: it is not; best: all others are worse. Seconds: grid search and final "
        "fit, median; MB: largest peak of a process."
    )
