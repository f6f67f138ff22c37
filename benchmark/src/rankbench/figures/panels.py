"""Shared by figures of several panels: what has runs, places, the curves of all methods and their names, factors."""

from matplotlib.ticker import NullLocator

from .curves import draw_curve
from .line_labels import label_lines
from .nothing import NothingToDraw


def with_runs(summary):
    """Return the rows of the statistic ``summary`` that have runs.

    Raises
    ------
    NothingToDraw
        If there are none.
    """
    cells = summary[summary["n_runs"] > 0]
    if cells.empty:
        raise NothingToDraw("no method has enough runs to be compared")
    return cells


def panels(figure, n, n_columns, **shared):
    """Return n panels of a figure, row by row; the places that are left in the last row stay empty."""
    axes = figure.subplots(-(-n // n_columns), n_columns, squeeze=False, **shared).ravel()
    for axis in axes[n:]:
        axis.remove()
    return axes[:n]


def draw_curves(axis, part, x, y, colors):
    """Draw the curve of each method over its band.

    Parameters
    ----------
    axis : matplotlib Axes
    part : DataFrame
        ``method low high`` and the columns `x` and `y`, in the order of the curves.
    x, y : str
    colors : mapping of str to str
    """
    axis.grid()
    for method, curve in part.groupby("method", sort=False):
        draw_curve(axis, curve[x], curve[y], curve["low"], curve["high"], colors[method])


def name_curves(axis, part, x, y, colors, names):
    """Write the name of each method at the end of its curve; parameters as in `draw_curves`."""
    label_lines(axis, part.groupby("method", sort=False).last()[[x, y]], colors, names)


def factors(axis, ticks):
    """Give the x axis a logarithmic scale with these ticks and no others."""
    axis.set_xscale("log")
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.xaxis.set_minor_locator(NullLocator())
