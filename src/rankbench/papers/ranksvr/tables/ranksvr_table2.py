"""Table 2 of Yu et al.: mean absolute error of SVR and of RankSVR with each sampler, ours and the printed one."""

import numpy as np
import pandas as pd

from rankbench.labels import method_labels
from rankbench.papers.ranksvr.printed import beside_table2
from rankbench.shortfalls import COMMON, incomplete, missing_of
from rankbench.tables.markup import MARKUPS


def render(frames, experiment, titles):
    """Return the table as csv (tidy, `printed.ranksvr.TABLE2`) and as md, tex and html.

    One row per condition and data set.

    Each method has its mean, the printed one, and both as multiples of the reference method's: the paper's scaling of
    the targets is lost, so only the multiples can be compared.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.tables`; `frames` holds ``summary``, ``ratios`` and, if there are printed numbers,
        ``published`` (``dataset method mae``; its methods are named as the labels are).

    Raises
    ------
    ValueError
        If the experiment does not measure ``absolute_error``.
    """
    cells = beside_table2(frames, experiment)
    texts = {"csv": cells.to_csv(index=False, na_rep="NA", float_format="%.6g", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        missing = f" {COMMON}" if cells["n_missing"].any() else ""
        texts[ending] = markup.table(lay_out(cells, experiment, titles, markup), _caption(experiment, markup) + missing)
    return texts


def lay_out(cells, experiment, titles, markup):
    """Return the grid of cell texts: one row per condition and data set, columns (method, ours / printed / ratios)."""
    labels, reference = method_labels(experiment, markup.label), experiment.reference_method
    rows = []
    for (condition, dataset), row in cells.groupby(["condition", "dataset"], sort=False):
        name = condition.replace("_", " ")
        texts = {("Condition", ""): markup.text(name), ("Dataset", ""): markup.text(titles[dataset])}
        lowest = {kind: row[f"{kind}_mean"].min() for kind in ("ours", "published")}
        for cell in row.itertuples():
            label = labels[cell.method]
            texts[label, "ours"] = _mean(cell, lowest["ours"], markup)
            texts[label, "printed"] = _number(cell.published_mean, lowest["published"], markup)
            if cell.method != reference:
                texts[label, "ratio"] = _ratio(cell)
                texts[label, "printed ratio"] = (
                    "n/a" if np.isnan(cell.published_ratio) else f"{cell.published_ratio:.3f}"
                )
        rows.append(texts)
    grid = pd.DataFrame(rows)
    grid.columns = pd.MultiIndex.from_tuples(grid.columns)
    return grid


def _mean(cell, lowest, markup):
    if cell.n_runs == 0:
        return incomplete(cell)
    text = _number(cell.ours_mean, lowest, markup)
    return text + missing_of(cell)


def _number(value, lowest, markup):
    if np.isnan(value):
        return "not printed"
    return markup.bold(f"{value:.4g}") if value == lowest else f"{value:.4g}"


def _ratio(cell):
    if np.isnan(cell.ours_ratio):
        return "n/a"
    interval = "" if np.isnan(cell.ours_ratio_low) else f" [{cell.ours_ratio_low:.3f}, {cell.ours_ratio_high:.3f}]"
    return f"{cell.ours_ratio:.3f}{interval}"


def _caption(experiment, markup):
    """Return how to read the table, in the given markup."""
    reference = method_labels(experiment, markup.label)[experiment.reference_method]
    on_test = any(condition.tuning.chosen_on == "test" for condition in experiment.conditions.values())
    return (
        f"Mean absolute error on the test part over {experiment.seeds} draws, in the unit of the data set (the "
        f"paper's unit is lost); bold: the lowest of the row. Ratio: the mean divided by that of {reference}, with the "
        "95 percent interval over paired draws; printed ratio: the same of the printed means, which have no interval."
        + (" Best on test: parameters chosen on the test part of each draw, which is no honest estimate." * on_test)
    )
