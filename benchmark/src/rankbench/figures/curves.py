"""Shared by figures of several panels: what has runs, places, curves with their bands and names, and the note below."""

import textwrap

import numpy as np
from matplotlib.ticker import NullLocator

from rankbench.configuration.labels import sign_of
from rankbench.statistics.intervals import half_width

from .nothing import NothingToDraw
from .style import GREY, curve_look, spread

OVER_SEEDS = "bands: 95 percent intervals of the mean over the seeds"
CHARACTERS = 17  # of a note that fit into an inch
PAIRED = "bands: 95 percent intervals, paired over the seeds"
LINE_HEIGHT = 0.09  # of a panel, between two names at the ends of lines; less if there are too many


def settings(experiment, key):
    """Return condition -> its value of a key.

    Raises
    ------
    ValueError
        If a condition does not set the key.
    """
    values = {name: getattr(condition, key) for name, condition in experiment.conditions.items()}
    if without := [name for name, value in values.items() if value is None]:
        raise ValueError(f"conditions must set {key} to be drawn as curves, got none in {without}")
    return values


def draw_note(figure, text, missing=""):
    """Write below all panels how to read the marks, and what is said of missing runs, in lines that fit."""
    lines = [text, *textwrap.wrap(missing, int(CHARACTERS * figure.get_figwidth()))]
    figure.supxlabel("\n".join(filter(None, lines)), fontsize=7, color=GREY)


def as_sentence(note):
    """Return a note of one or more lines as a sentence of a text alternative."""
    return note[0].upper() + note[1:].replace("\n", "; ") + "."


def who_is_best(cells, metric, labels, titles):
    """Return which method has the best mean on which data sets, such as ``A on X, Y; B on Z``.

    Parameters
    ----------
    cells : DataFrame
        ``dataset method mean``, one row for each of both, all of one metric.
    metric : str
    labels, titles : mapping of str to str
        Names of methods and of data sets.
    """
    errors = cells["mean"] * sign_of(metric)
    first = cells.loc[errors.groupby(cells["dataset"], sort=False).idxmin()]
    return "; ".join(
        f"{labels[method]} on {', '.join(titles.get(name, name) for name in part['dataset'])}"
        for method, part in first.groupby("method", sort=False)
    )


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


def curves_over(summary, experiment, places):
    """Return the rows of the statistic ``summary`` that have runs, in the order in which they are drawn, with their
    place ``x`` and the ends ``low high`` of the 95 percent interval of the mean.

    Parameters
    ----------
    summary : DataFrame
    experiment : Experiment
    places : mapping of str to float
        Condition -> place.

    Raises
    ------
    NothingToDraw
        If no row has runs.
    """
    cells = with_runs(summary)
    half = half_width(cells["sd"] / np.sqrt(cells["n_runs"]), cells["n_runs"])
    cells = cells.assign(x=cells["condition"].map(places), low=cells["mean"] - half, high=cells["mean"] + half)
    metrics, datasets = (
        cells["metric"].map(experiment.metrics.index),
        cells["dataset"].map([*experiment.datasets].index),
    )
    return cells.iloc[np.lexsort([cells["x"], metrics, datasets])]


def panels(figure, n, n_columns, **shared):
    """Return n panels of a figure, row by row; the places that are left in the last row stay empty."""
    axes = figure.subplots(-(-n // n_columns), n_columns, squeeze=False, **shared).ravel()
    for axis in axes[n:]:
        axis.remove()
    return axes[:n]


def draw_curves(axis, part, x, y, colors):
    """Draw the curve of each method, a line with its points, over its band, which ends where it is not known.

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
        known = curve.dropna(subset=["low", "high"])
        axis.fill_between(known[x], known["low"], known["high"], color=colors[method], alpha=0.13, linewidth=0)
        axis.plot(curve[x], curve[y], markersize=3.5, **curve_look(colors[method]))


def name_curves(axis, part, x, y, colors, names):
    """Write the name of each method right of the panel, with a thin line from the end of its curve.

    Parameters
    ----------
    axis : matplotlib Axes
        With all its curves drawn.
    part, x, y, colors
        As in `draw_curves`.
    names : mapping of str to str
        Method -> what is written.
    """
    ends = part.groupby("method", sort=False).last()[[x, y]]
    axis.autoscale_view()  # fixes the limits, which matplotlib does only when it draws
    in_panel = (axis.transScale + axis.transLimits).transform(ends.to_numpy())
    # bottom to top; of two curves that end at the same height, the one further right is named above: no lines cross
    order = np.argsort(in_panel @ [0.3, 1], kind="stable")
    heights = spread(in_panel[order, 1], min(LINE_HEIGHT, 1 / max(len(ends) - 1, 1)), 0.0, 1.0)
    for method, end, height in zip(ends.index[order], in_panel[order], heights):
        color = colors[method]
        leader = {"arrowstyle": "-", "color": color, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0, "relpos": (0, 0.5)}
        axis.annotate(
            names[method],
            end,
            (1.04, height),
            "axes fraction",
            "axes fraction",
            leader,
            color=color,
            va="center",
            fontsize=7.5,
        )


def factors(axis, ticks):
    """Give the x axis a logarithmic scale with these ticks and no others."""
    axis.set_xscale("log")
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.xaxis.set_minor_locator(NullLocator())
