"""Names at the ends of lines, instead of a legend."""

import numpy as np

from .style import spread

LINE_HEIGHT = 0.09  # of a panel; less if there are too many names


def label_lines(axis, ends, colors, names=None):
    """Write each line's name right of the panel, with a thin line from the end of its curve.

    Parameters
    ----------
    axis : matplotlib Axes
        With all its curves drawn.
    ends : DataFrame
        One row per line, indexed by its key; the first two columns are where the line ends.
    colors : mapping
        Key -> colour.
    names : mapping or None
        Key -> what is written; by default the key.
    """
    axis.autoscale_view()  # fixes the limits, which matplotlib does only when it draws
    in_panel = (axis.transScale + axis.transLimits).transform(ends.iloc[:, :2].to_numpy())
    # bottom to top; of two curves that end at the same height, the one further right is named above: no lines cross
    order = np.argsort(in_panel @ [0.3, 1], kind="stable")
    heights = spread(in_panel[order, 1], min(LINE_HEIGHT, 1 / max(len(ends) - 1, 1)), 0.0, 1.0)
    for key, end, height in zip(ends.index[order], in_panel[order], heights):
        color = colors[key]
        leader = {"arrowstyle": "-", "color": color, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
        axis.annotate(
            key if names is None else names[key],
            end,
            (1.04, height),
            "axes fraction",
            "axes fraction",
            leader,
            color=color,
            va="center",
            fontsize=7.5,
        )
