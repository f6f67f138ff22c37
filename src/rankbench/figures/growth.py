"""How seconds (or counts) grow with a size: two logarithmic axes, a line a series with its slope in its name."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator

from .line_labels import label_lines
from .style import COLORS, style

FEW_DECADES = 2.5  # of the values, up to which 2 and 5 are named on their axis too


def draw_growth(panels, y):
    """Draw growth curves.

    Parameters
    ----------
    panels : dict of str to DataFrame
        Name of the size -> columns ``series size value``: means over the rows of one series and size are drawn.
    y : str
        What grows, with its unit.

    Returns
    -------
    Figure
    """
    with style():
        figure = Figure(figsize=(0.4 + 4.2 * len(panels), 2.7), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for axis, (size, frame) in zip(axes, panels.items()):
            curves = {name: _means(part) for name, part in frame.groupby("series", sort=False)}
            colors = {name: COLORS[at % len(COLORS)] for at, name in enumerate(curves)}
            axis.set_xscale("log")
            axis.set_yscale("log")
            axis.grid()
            axis.minorticks_off()
            sizes = sorted(frame["size"].unique())
            axis.set_xticks(sizes, [f"{at:,}" for at in sizes])
            decades = np.log10(frame["value"].max() / frame["value"].min())
            axis.yaxis.set_major_locator(LogLocator(subs=(1,) if decades > FEW_DECADES else (1, 2, 5)))
            axis.yaxis.set_major_formatter(FuncFormatter(lambda value, at: f"{value:g}"))
            for name, curve in curves.items():
                axis.plot(curve.index, curve, color=colors[name], linewidth=1.6, marker="o", markersize=2.5)
            ends = frame.groupby("series", sort=False).apply(_end, include_groups=False)
            names = {name: f"{name}: slope {slope(curve):.2f}" for name, curve in curves.items()}
            label_lines(axis, ends, colors, names)
            axis.set_xlabel(size)
        axes[0].set_ylabel(y)
    return figure


def describe_growth(panels, y):
    """Say the slope of every series and its value at the largest size."""
    parts = []
    for size, frame in panels.items():
        for name, part in frame.groupby("series", sort=False):
            curve = _means(part)
            parts.append(f"{size}, {name}: {curve.iloc[-1]:.2g} at {curve.index[-1]:g}, slope {slope(curve):.2f}")
    return f"Growth of {y}, slopes of log against log. {'; '.join(parts)}."


def slope(curve):
    """Return the least-squares slope of the log of a series against the log of its index."""
    return float(np.polyfit(np.log(curve.index), np.log(curve), 1)[0])


def _means(part):
    return part.groupby("size")["value"].mean()


def _end(part):
    curve = _means(part)
    return curve.iloc[[-1]].rename_axis("size").reset_index().iloc[0]
