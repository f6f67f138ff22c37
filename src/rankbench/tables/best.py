"""Which methods are best on each data set: their errors, their distance to the best, and what they cost."""

import pandas as pd

from ..labels import method_labels, metric_label
from .markup import MARKUPS

NEEDS = ("best",)
WORDS = {"best": "best", "not told apart": "not told apart from the best", "worse": "worse", "no run": "no run"}


def render(frames, experiment, titles):
    """Return the table as csv (the statistic itself) and as md, tex and html: one row per method, the best first.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.tables`.
    """
    cells = frames["best"]
    texts = {"csv": cells.to_csv(index=False, na_rep="NA", float_format="%.6g", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        texts[ending] = markup.table(lay_out(cells, experiment, titles, markup), caption(cells, experiment, titles))
    return texts


def lay_out(cells, experiment, titles, markup):
    """Return the grid of cell texts."""
    labels, rows = method_labels(experiment, markup.label), []
    several = cells["condition"].nunique() > 1
    for (dataset, condition, metric), part in cells.groupby(["dataset", "condition", "metric"], sort=False):
        for cell in part.sort_values("mean", kind="stable").itertuples():
            texts = {("Data set", ""): markup.text(titles.get(dataset, dataset))}
            if several:
                texts["Training rows", ""] = str(experiment["conditions"][condition].get("n_train", condition))
            texts["Metric", ""] = markup.text(metric_label(metric))
            texts["Method", ""] = labels[cell.method]
            texts |= _numbers(cell, markup)
            rows.append(texts)
    grid = pd.DataFrame(rows)
    grid.columns = pd.MultiIndex.from_tuples(grid.columns)
    return grid


def _numbers(cell, markup):
    """Return the cells of one method."""
    if not cell.n_runs:
        return {("Error", "mean"): "no run", ("Error", "above the best"): "", ("Error", "95 % interval"): "",
                ("Verdict", ""): WORDS["no run"], ("Cost", "seconds"): "", ("Cost", "MB"): ""}  # fmt: skip
    mean = f"{cell.mean:.4f}"
    first = cell.verdict == "best"
    return {
        ("Error", "mean"): markup.bold(mean) if first else mean,
        ("Error", "above the best"): "" if first else f"{cell.difference:.4f}",
        ("Error", "95 % interval"): "" if first else f"{_number(cell.low, markup)} to {_number(cell.high, markup)}",
        ("Verdict", ""): WORDS[cell.verdict],
        ("Cost", "seconds"): f"{cell.seconds:.2g}",
        ("Cost", "MB"): f"{cell.megabytes:.0f}",
    }


def _number(value, markup):
    return f"{value:.4f}".replace("-", markup.minus)


def caption(cells, experiment, titles):
    """Return the answer in words, and how to read the table."""
    return (
        f"{answer(cells, experiment, titles)} Error: mean on the test part over {experiment['seeds']} hold-outs, lower "
        "is better. Above the best: mean of the paired differences with its 95 percent interval, which allows for the "
        "overlap of the hold-outs (Nadeau and Bengio). Worse: Holm's p over the methods is below 0.05. Seconds: grid "
        "search and final fit, median; MB: largest peak of a process."
    )


def answer(cells, experiment, titles):
    """Return which methods order each data set best, in words, for the first metric and the last condition."""
    labels, sentences = method_labels(experiment), []
    metric, condition = experiment["metrics"][0], list(experiment["conditions"])[-1]
    asked = cells[(cells["metric"] == metric) & (cells["condition"] == condition)]
    for dataset, part in asked.groupby("dataset", sort=False):
        named = {v: [labels[m] for m in part.loc[part["verdict"] == v, "method"]] for v in WORDS}
        if not named["best"]:
            sentences.append(f"{titles.get(dataset, dataset)}: no run ended well.")
            continue
        row = part[part["verdict"] == "best"].iloc[0]
        text = f"{titles.get(dataset, dataset)}: {labels[row['method']]} has the lowest error, {row['mean']:.4f}"
        if named["not told apart"]:
            text += f"; {_and(named['not told apart'])} cannot be told apart from it"
        if named["worse"]:
            text += f"; {_and(named['worse'])} {'is' if len(named['worse']) == 1 else 'are'} worse"
        sentences.append(text + ".")
    return " ".join(sentences)


def _and(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
