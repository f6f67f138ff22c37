"""How seconds, memory or counts grow with a size: logarithmic axes, one line per series with its slope in its name."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator

from ..slopes import log_slope
from .line_labels import label_lines
from .style import COLORS, style

FEW_DECADES = 2.5  # ratio of largest to smallest value up to which the ticks 2 and 5 are labelled too


class Panel(NamedTuple):
    """What grows (``value``) with what (``size``): names with units, and a frame ``series size value`` whose rows of
    one series and size are averaged."""

    size: str
    value: str
    frame: pd.DataFrame


def draw_growth(panels):
    """Draw growth curves.

    Parameters
    ----------
    panels : sequence of Panel

    Returns
    -------
    Figure
    """
    with style():
        figure = Figure(figsize=(0.4 + 4.0 * len(panels), 2.7), layout="constrained")
        for axis, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels):
            axis.set_xscale("log")
            axis.set_yscale("log")
            axis.grid()
            axis.minorticks_off()
            curves = {name: _means(part) for name, part in panel.frame.groupby("series", sort=False)}
            colors = {name: COLORS[at % len(COLORS)] for at, name in enumerate(curves)}
            for name, curve in curves.items():
                axis.plot(curve.index, curve, color=colors[name], linewidth=1.6, marker="o", markersize=2.5)
            ends = pd.DataFrame({name: (curve.index[-1], curve.iloc[-1]) for name, curve in curves.items()}).T
            _name_axes(axis, panel)
            slopes = {name: log_slope(curve.index, curve) for name, curve in curves.items()}
            label_lines(axis, ends, colors, {name: f"{name}: slope {slope:.2f}" for name, slope in slopes.items()})
    return figure


def describe_growth(panels):
    """Describe the slope of every series and its value at the largest size."""
    parts = []
    for panel in panels:
        for name, part in panel.frame.groupby("series", sort=False):
            curve = _means(part)
            value, size = f"{curve.iloc[-1]:.2g} {panel.value}", f"{curve.index[-1]:,} {panel.size}"
            parts.append(f"{name}, {value} at {size}: {log_slope(curve.index, curve):.2f}")
    return f"Slopes of log against log. {'; '.join(parts)}."


def _means(part):
    return part.groupby("size")["value"].mean()


def _name_axes(axis, panel):
    """Name both axes, every size that was measured, and round values."""
    sizes, values = sorted(panel.frame["size"].unique()), panel.frame["value"]
    axis.set_xticks(sizes, [f"{size:,}" for size in sizes])
    few = np.log10(values.max() / values.min()) <= FEW_DECADES
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if few else (1,)))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, at: f"{value:g}"))
    axis.set_xlabel(panel.size)
    axis.set_ylabel(panel.value)
