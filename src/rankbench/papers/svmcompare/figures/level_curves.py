"""Training pairs, and level curves of the true and the learned ranking functions (Figure 3 of Venuto et al.)."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import COLORS, GREY, style
from rankbench.labels import figure_label, method_labels

PRINTED_SEED = 1  # seed of the set that the paper shows: the second
N_LEVELS = 16


def draw(frames, experiment, titles):
    """Draw the pairs as printed, then one panel per ranking function with its level curves.

    The step between neighbouring curves is the same whole number in every panel; a step of 1 is how far apart two items
    must be to count as different.

    Parameters
    ----------
    frames : mapping
        ``level_curves``, the study of that name, and ``published``, the pairs ``label x1 x2 xp1 xp2``.
    experiment : Experiment
        Its methods are drawn in their order, the truth first.
    titles : mapping
        Not used.
    """
    names = {"truth": "truth", **method_labels(experiment, figure_label)}
    frame = frames["level_curves"]
    frame = frame[frame["seed"].isin([-1, PRINTED_SEED])]
    if frame.empty:
        raise NothingToDraw("no ranking function was learned")
    ranges = frame.groupby("method")["r"].agg(np.ptp)
    step = max(1, round(ranges.max() / N_LEVELS))
    with style():
        figure = Figure(figsize=(1.0 + 2.1 * (1 + len(names)), 3.1), layout="constrained")
        axes = figure.subplots(1, 1 + len(names), sharex=True, sharey=True)
        _draw_pairs(axes[0], frames["published"])
        for axis, (method, name) in zip(axes[1:], names.items(), strict=True):
            _draw_levels(axis, frame[frame["method"] == method], step)
            axis.set_title(name)
        for axis in axes:
            axis.set_aspect("equal")
            axis.set_ylim(1.25 * frame["x2"].min(), frame["x2"].max())
            axis.set_xlabel("$x_1$")
        axes[0].set_ylabel("$x_2$")
    return figure


def describe(frames, experiment, titles):
    """Describe the rank correlation of each learned function with the truth, for the printed set and all sets."""
    frame = frames["level_curves"]
    wide = frame.assign(key=frame["method"] + "/" + frame["seed"].astype(str))
    wide = wide.pivot_table(index=["x1", "x2"], columns="key", values="r")
    correlation = wide.corr("spearman")["truth/-1"]
    parts = []
    for method, entry in experiment.methods.items():
        seeds = sorted(frame.loc[frame["method"] == method, "seed"].unique())
        values = [correlation[f"{method}/{seed}"] for seed in seeds]
        shown = correlation[f"{method}/{PRINTED_SEED}"]
        parts.append(f"{entry.label} {shown:.3f} (mean of {len(values)} sets {np.mean(values):.3f})")
    return f"Rank correlation of the learned ranking function with the true one on the grid: {'; '.join(parts)}."


def _draw_pairs(axis, pairs):
    """Draw equality pairs as segments and inequality pairs as arrows to the better item."""
    for pair in pairs.itertuples():
        start, end = (pair.x1, pair.x2), (pair.xp1, pair.xp2)
        if pair.label == 0:
            axis.plot(*zip(start, end, strict=True), color=COLORS[1], linewidth=1.0)
        else:
            arrow = {"arrowstyle": "->", "color": COLORS[0], "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
            axis.annotate("", end, start, arrowprops=arrow)
    axis.set_title(f"{len(pairs)} training pairs")
    axis.text(0.02, 0.02, "segments: equal", color=COLORS[1], transform=axis.transAxes, fontsize=7)
    axis.text(0.5, 0.02, "arrows: to better", color=COLORS[0], transform=axis.transAxes, fontsize=7)


def _draw_levels(axis, part, step):
    grid = part.pivot_table(index="x2", columns="x1", values="r")
    low, high = (bound * step for bound in (np.floor(part["r"].min() / step), np.ceil(part["r"].max() / step)))
    look = {"colors": GREY, "linewidths": 0.7, "linestyles": "solid"}
    lines = axis.contour(grid.columns, grid.index, grid.to_numpy(), np.arange(low, high + step, step), **look)
    axis.clabel(lines, lines.levels[:: max(1, len(lines.levels) // 4)], fontsize=6)
