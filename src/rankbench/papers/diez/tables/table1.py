"""Table 1 of Diez et al.: percentage of swapped pairs, ours and the printed one."""

import numpy as np
import pandas as pd

from rankbench.labels import method_labels
from rankbench.papers.diez.printed import COLUMNS, PUBLISHED_RUNS, beside_table1
from rankbench.shortfalls import COMMON, incomplete, missing_of
from rankbench.tables.markup import MARKUPS

DAGGERS = {"": 0, "0.05": 1, "0.01": 2}


def render(frames, experiment, titles):
    """Return the table as csv (tidy, `COLUMNS` of ``printed``) and as md, tex and html in the paper's layout.

    One row per data set, one column group per method: ours, printed, and their difference with its standard error;
    ours alone where nothing is printed. The lowest mean of a row is bold, once among ours and once among the printed;
    daggers mark significance against the reference. Missing numbers are NA in the csv and words elsewhere; the only
    empty cells are the csv's ``significance`` of differences that are not significant (or of the reference itself).

    Parameters, Raises
        As `rankbench.papers.diez.printed.beside_table1`.
    """
    cells = beside_table1(frames, experiment, titles)
    texts = {"csv": cells[COLUMNS].to_csv(index=False, na_rep="NA", float_format="%.4f", lineterminator="\n")}
    for ending, markup in MARKUPS.items():
        grid = lay_out(cells, experiment, titles, markup)
        missing = f" {COMMON}" if cells["n_missing"].any() else ""
        texts[ending] = markup.table(grid, _caption(experiment, markup, _both(cells)) + missing)
    return texts


def lay_out(cells, experiment, titles, markup):
    """Return the grid of cell texts: one row per data set, columns (method, ours / printed / difference)."""
    labels = method_labels(experiment, markup.label)
    sizes = {titles[key]: f"{data.n_train} / {data.n_test}" for key, data in experiment.datasets.items()}
    rows = []
    for dataset, row in cells.groupby("dataset", sort=False):
        texts = {("Dataset", ""): markup.text(dataset), ("train / test", ""): sizes[dataset]}
        lowest_ours, lowest_printed = row["ours_mean"].round(2).min(), row["published_mean"].min()
        for cell in row.itertuples():
            label = labels[cell.method]
            texts[label, "ours"] = _ours(cell, round(cell.ours_mean, 2) == lowest_ours, markup)
            if _both(cells):
                texts[label, "printed"] = _printed(cell, cell.published_mean == lowest_printed, markup)
                texts[label, "difference"] = _difference(cell, markup)
        rows.append(texts)
    grid = pd.DataFrame(rows)
    grid.columns = pd.MultiIndex.from_tuples(grid.columns)
    return grid


def _both(cells):
    """Return whether the paper prints any of these cells."""
    return cells["published_mean"].notna().any()


def _ours(cell, lowest, markup):
    if cell.n_runs == 0:
        return incomplete(cell)
    text = _mean_and_sd(cell.ours_mean, cell.ours_sd, cell.significance, lowest, markup)
    if cell.significance == "untested":
        text += " (untested)"
    return text + missing_of(cell)


def _printed(cell, lowest, markup):
    if np.isnan(cell.published_mean):
        return "not printed"
    return _mean_and_sd(cell.published_mean, cell.published_sd, cell.published_significance, lowest, markup)


def _difference(cell, markup):
    if np.isnan(cell.difference):
        return "n/a"
    return markup.signed(cell.difference) + markup.plus_minus + _two_decimals(cell.standard_error)


def _mean_and_sd(mean, sd, significance, lowest, markup):
    text = markup.bold(_two_decimals(mean)) if lowest else _two_decimals(mean)
    return text + markup.dagger * DAGGERS.get(significance, 0) + markup.plus_minus + _two_decimals(sd)


def _two_decimals(value):
    return "n/a" if np.isnan(value) else f"{value:.2f}"


def _caption(experiment, markup, both):
    """Return the explanation of the table, in the given markup; with `both` it shows printed numbers too."""
    reference = method_labels(experiment, markup.label)[experiment.reference_method]
    dagger, minus = markup.dagger, markup.minus
    ours, beside, among = f"{experiment.seeds} hold-outs", "", ""
    if both:
        ours += f" (ours) and {PUBLISHED_RUNS} (printed)"
        beside = f" Difference: ours {minus} printed{markup.plus_minus}its standard error, the root of the summed "
        beside += "variance / runs of both."
        among = ", among ours and among the printed"
    return (
        f"Percentage of swapped pairs on the test part: mean{markup.plus_minus}standard deviation over {ours}.{beside} "
        f"Bold: the lowest mean of the row{among}. {dagger} ({dagger}{dagger}): differs from {reference} by a "
        f"paired t-test over the hold-outs, p {markup.less} 0.05 (0.01)."
    )
