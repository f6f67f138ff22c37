"""One row per method: our mean with its interval above the printed one, and the names of the methods at the left."""

import numpy as np

from rankbench.configuration.labels import figure_label, method_labels
from rankbench.statistics.shortfalls import incomplete

from .style import GREY, OURS, PRINTED, method_colors

UNCROSSED = {"facecolor": "white", "edgecolor": "none", "pad": 0.3}  # behind words, so that no grid line crosses them
OFFSET = 0.18  # distance of ours (above) and of the printed value (below) from the middle of a row


def draw_rows(axis, cells, experiment, offset=OFFSET):
    """Draw the rows of a panel, the first on top; an incomplete method says so.

    Parameters
    ----------
    axis : matplotlib Axes
    cells : DataFrame
        Indexed by method: ``n_runs shortfall ours_mean ours_half published_mean published_half``, halves of intervals
        that end at 0; NaN where there is none.
    experiment : Experiment
    offset : float, of ours above the middle of the row and the printed value below
    """
    colors = method_colors(experiment)
    for row, (method, cell) in enumerate(cells.iterrows()):
        color = colors[method]
        if cell["n_runs"]:
            axis.errorbar(cell["ours_mean"], row - offset, xerr=_arms(cell, "ours"), color=color, **OURS)
        else:
            place = {"transform": axis.get_yaxis_transform(), "va": "center", "bbox": UNCROSSED, "zorder": 1.5}
            axis.text(0.02, row - offset, incomplete(cell), color=color, fontsize=7, **place)
        if not np.isnan(cell["published_mean"]):
            arms = {"xerr": _arms(cell, "published"), "ecolor": GREY}
            axis.errorbar(cell["published_mean"], row + offset, color=color, **arms, **PRINTED)
    frame_rows(axis, [""] * len(cells))


def frame_rows(axis, names):
    """Make a panel of one row per name, the first on top, without a line at the left."""
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.set_yticks(range(len(names)), names)
    axis.tick_params(left=False)
    axis.spines["left"].set_visible(False)
    axis.grid(axis="x")


def _arms(cell, kind):
    """Return the two arms of an interval that ends at 0; None where there is no interval."""
    half = cell[f"{kind}_half"]
    return None if np.isnan(half) else [[min(half, cell[f"{kind}_mean"])], [half]]


def name_rows(axes, experiment):
    """Write the names of the methods, in their colours, at the left of these panels."""
    labels = method_labels(experiment, figure_label)
    colors = method_colors(experiment)
    for axis in axes:
        axis.set_yticklabels(labels.values())
        for text, color in zip(axis.get_yticklabels(), colors.values(), strict=True):
            text.set_color(color)
