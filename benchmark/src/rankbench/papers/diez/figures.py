"""Figures of Díez, del Coz and Bahamonde: their numbers beside ours."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rankbench.configuration.labels import method_labels
from rankbench.figures.curves import panels
from rankbench.figures.method_rows import OFFSET, draw_rows, name_rows
from rankbench.figures.style import GREY
from rankbench.papers.diez.printed import PUBLISHED_RUNS, beside_table1
from rankbench.statistics.intervals import half_width

N_COLUMNS = 3
X_LABEL = "swapped pairs on the test part (percent; each panel has its own scale), mean and its 95 percent interval"


def draw_dot_plot(frames, experiment, titles):
    """The paper's numbers against ours.

    One panel per data set, one row per method, both means with their 95 percent intervals.

    Draw the dot plot; parameters as in `rankbench.tables`, errors as `rankbench.papers.diez.printed.beside_table1`.

    Intervals are mean +- t sd / sqrt(n), from 0 on, ours from our runs and the paper's from its printed sd and 20 runs.
    Each panel has its own scale. Without printed numbers, ours are in the middle of their rows. The row of a method
    without runs says so, and a panel says how many of its runs are missing.
    """
    cells = with_intervals(beside_table1(frames, experiment, titles))
    parts = {
        name: part.set_index("method").loc[list(experiment.methods)]
        for name, part in cells.groupby("dataset", sort=False)
    }
    n_columns = min(N_COLUMNS, len(parts))
    figure = Figure(figsize=(7.2, 0.5 + 1.25 * -(-len(parts) // n_columns)), layout="constrained")
    axes = panels(figure, len(parts), n_columns)
    for axis, (name, part) in zip(axes, parts.items()):
        _draw_methods(axis, part, experiment, cells["published_mean"].notna().any())
        axis.set_title(name)
    name_rows(axes[::n_columns], experiment)
    _label_marks(axes, parts.values())
    figure.supxlabel(X_LABEL, fontsize=8)
    return figure


def describe_dot_plot(frames, experiment, titles):
    """Describe in one sentence how ours and the paper's numbers compare."""
    cells = with_intervals(beside_table1(frames, experiment, titles))
    both = cells.dropna(subset=["ours_mean", "published_mean"])
    within = (both["difference"].abs() <= 2 * both["standard_error"]).sum()
    lower = (both["difference"] < 0).sum()
    text = (
        f"Mean percentage of swapped pairs of {cells['method'].nunique()} methods on {cells['dataset'].nunique()} data "
        f"sets, ours beside the printed value, with 95 percent intervals: of {len(both)} cells with both, {within} "
        f"differ by at most two standard errors and ours is lower in {lower}"
    )
    if len(both):
        worst = both.loc[both["difference"].abs().idxmax()]
        label = method_labels(experiment)[worst["method"]]
        text += f"; the largest difference is {worst['difference']:+.2f} ({worst['dataset']}, {label})"
    n_without = int((cells["n_runs"] == 0).sum())
    return text + (f"; {n_without} cells are incomplete." if n_without else ".")


def with_intervals(cells):
    """Add the half widths of the 95 percent intervals, ``ours_half`` and ``published_half``, in percent."""
    ours = half_width(cells["ours_sd"] / np.sqrt(cells["n_runs"]), cells["n_runs"])
    printed = half_width(cells["published_sd"] / np.sqrt(PUBLISHED_RUNS), PUBLISHED_RUNS)
    return cells.assign(ours_half=ours, published_half=printed)


def _draw_methods(axis, cells, experiment, both_printed):
    """Draw the rows of one data set, and how many of its runs are missing."""
    draw_rows(axis, cells, experiment, OFFSET * both_printed)
    n_missing = cells["n_missing"].sum()
    if n_missing:
        note = f"{n_missing} of {experiment.seeds * len(cells)} runs missing"
        axis.set_title(note, loc="right", fontsize=7, fontweight="normal", color=GREY)
    axis.margins(x=0.1)
    axis.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    if cells[["ours_mean", "published_mean"]].isna().all(axis=None):
        axis.set_xticks([])


def _label_marks(axes, panels):
    """At the first row with both marks, write which is ours and which is the paper's, and make room for it."""
    for axis, cells in zip(axes, panels):
        rows = np.flatnonzero(cells[["ours_mean", "published_mean"]].notna().all(axis=1))
        if len(rows):
            left, right = axis.get_xlim()
            axis.set_xlim(left, right + 0.12 * (right - left))
            cell = cells.iloc[rows[0]]
            for kind, offset, words in (("ours", -OFFSET, "ours"), ("published", OFFSET, "paper")):
                end = cell[f"{kind}_mean"] + np.nan_to_num(cell[f"{kind}_half"]), rows[0] + offset
                axis.annotate(
                    words, end, (4, -6 * offset), textcoords="offset points", va="center", fontsize=7, color=GREY
                )
            return
