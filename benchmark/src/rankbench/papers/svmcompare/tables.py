"""Figure 4 of Venuto et al. as a table: mean and standard deviation of our errors and of the printed ones."""

import numpy as np
import pandas as pd

from rankbench.configuration.labels import method_labels
from rankbench.papers.svmcompare.printed import beside
from rankbench.tables.cells import explained, ours
from rankbench.tables.markup import grid_of, written

METRIC = "zero_one"
COLUMNS = ["dataset", "n", "model", "mean", "sd", "printed_mean", "printed_sd", "n_runs", "n_missing", "shortfall"]
PRINTED = {"function": str, "model": str, "n_train_pairs": int, "mean_error_pct": float, "sd_error_pct": float}
# Percentage points: printed numbers are read off a drawing; two means over 4 n pairs differ by at least 100 / (4 n).
ROUNDING = 0.005


def printed_errors(frames, experiment, titles):
    """Return one row per data set and number of pairs; the csv is tidy, with the columns `COLUMNS`.

    Parameters
    ----------
    frames, experiment, titles
        As in `rankbench.room.Table`; ``published`` is Figure 4 as printed, with the labels of the methods as names.
    """
    cells = in_percent(frames, experiment)
    return written(cells, lambda markup: (lay_out(cells, titles, markup), explained(caption(cells), cells)))


def in_percent(frames, experiment):
    """Return our cells and the printed ones in percent, `COLUMNS`."""
    printed = frames.get("published", pd.DataFrame(columns=[*PRINTED]).astype(PRINTED))
    labels = method_labels(experiment)
    cells = beside(frames["summary"].query("n_runs + n_missing > 0"), printed, METRIC, labels)
    names = {"x": "n", "mean_printed": "printed_mean", "sd_printed": "printed_sd"}
    cells = cells.assign(model=cells["method"].map(labels)).rename(columns=names)
    return cells.assign(**100 * cells[["mean", "sd", "printed_mean", "printed_sd"]])[COLUMNS]


def exact(cells):
    """Return whether each cell equals the printed mean and standard deviation to the printed digits."""
    return ((cells["mean"] - cells["printed_mean"]).abs() < ROUNDING) & (
        (cells["sd"] - cells["printed_sd"]).abs() < ROUNDING
    )


def lay_out(cells, titles, markup):
    """Return the grid of cell texts."""
    rows = []
    for (dataset, n), part in cells.assign(exact=exact(cells)).groupby(["dataset", "n"], sort=False):
        row = {("Pairs", ""): f"{markup.text(titles[dataset])}, {n}"}
        for cell in part.itertuples():
            text = ours(cell, _percent(cell.mean, cell.sd))
            row[cell.model, "ours"] = markup.bold(text) if cell.exact else text
            row[cell.model, "printed"] = _percent(cell.printed_mean, cell.printed_sd)
        rows.append(row)
    return grid_of(rows)


def _percent(mean, sd):
    return "not printed" if np.isnan(mean) else f"{mean:.2f} ({sd:.2f})"


def caption(cells):
    """Return a caption that explains the table and counts the cells that equal the printed ones."""
    printed = cells[cells["printed_mean"].notna() & (cells["n_runs"] > 0)]
    difference = printed["mean"] - printed["printed_mean"]
    return (
        "Percent of test pairs with a wrong label, mean (standard deviation) over four sets. Bold: mean and standard "
        f"deviation equal the printed ones ({int(exact(printed).sum())} of {len(printed)} cells). Our cells minus the "
        f"printed ones: {difference.mean():+.2f} points on average, "
        f"{difference.abs().mean():.2f} in absolute value."
    )
