"""How far a conclusion depends on the protocol: the mean difference over the data sets under every protocol, one panel
per opponent."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.figures.style import GREY, OURS, method_colors, style
from rankbench.intervals import half_width
from rankbench.labels import condition_label, figure_label, method_labels

LEVEL = 0.05


def draw(frames, experiment, titles):
    """Draw, for every condition and opponent, the mean over the data sets of opponent minus reference, with its 95
    percent interval; next to it the counts of data sets.
    """
    cells = with_intervals(frames["overall"])
    opponents, names = list(cells["opponent"].unique()), method_labels(experiment, figure_label)
    colors, n_rows = method_colors(experiment), cells["condition"].nunique()
    with style():
        figure = Figure(figsize=(7.2, 0.5 + (0.5 + 0.2 * n_rows) * len(opponents)), layout="constrained")
        axes = figure.subplots(len(opponents), 1, squeeze=False, sharex=True).ravel()
        for axis, opponent in zip(axes, opponents):
            _draw_panel(axis, cells[cells["opponent"] == opponent], experiment, colors[opponent])
            axis.set_title(f"against {names[opponent]}")
        reference = names[experiment.reference_method]
        figure.supxlabel(
            f"opponent minus {reference}: mean over the data sets of the swapped pairs (percentage points), 95 percent "
            "interval",
            fontsize=8,
        )
    return figure


def describe(frames, experiment, titles):
    """Describe in one sentence under how many protocols the reference wins."""
    labels, parts = method_labels(experiment), []
    for opponent, rows in frames["overall"].groupby("opponent", sort=False):
        low, high = 100 * rows["mean_difference"].min(), 100 * rows["mean_difference"].max()
        count = f"{(rows['p_one_sided'] < LEVEL).sum()} of {len(rows)} protocols"
        parts.append(f"than {labels[opponent]} under {count} (mean difference {low:.2f} to {high:.2f} points)")
    reference = labels[experiment.reference_method]
    return f"{reference} is better, with a one-sided p < 0.05 over the data sets, {', '.join(parts)}."


def with_intervals(overall):
    """Add ``difference`` and ``half``, the mean difference and the half width of its interval, in percentage points.

    The half width comes from ``t``: the standard error is ``mean_difference / t``.
    """
    error = (overall["mean_difference"] / overall["t"]).abs()
    half = half_width(100 * error, overall["n_datasets"])
    return overall.assign(difference=100 * overall["mean_difference"], half=half)


def _draw_panel(axis, cells, experiment, color):
    """Draw one opponent, one row per condition."""
    axis.axvline(0, color=GREY, linewidth=0.8)
    for row, cell in enumerate(cells.itertuples()):
        half = None if np.isnan(cell.half) else cell.half
        axis.errorbar(cell.difference, row, xerr=half, color=color, **OURS)
        counts = f"{cell.wins}/{cell.ties}/{cell.losses}, {cell.significant_wins}, p = {cell.p_one_sided:.2g}"
        axis.text(1.01, row, counts, transform=axis.get_yaxis_transform(), va="center", fontsize=7)
    axis.text(
        1.01,
        -0.9,
        "wins/ties/losses, significant wins, p",
        transform=axis.get_yaxis_transform(),
        va="center",
        fontsize=7,
        color=GREY,
    )
    labels = [condition_label(experiment, condition) for condition in cells["condition"]]
    axis.set_yticks(range(len(cells)), labels)
    axis.set_ylim(len(cells) - 0.5, -0.5)
    axis.tick_params(left=False)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x")
