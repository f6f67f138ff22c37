"""Shared by figures with lines: the position on the x axis, a line with its band, and the note on bands."""

import textwrap

from rankbench.configuration.labels import sign_of

from .style import GREY, curve_look

OVER_SEEDS = "bands: 95 percent intervals of the mean over the seeds"
CHARACTERS = 17  # of a note that fit into an inch
PAIRED = "bands: 95 percent intervals, paired over the seeds"


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


def draw_curve(axis, x, middle, low, high, color):
    """Draw a line with its points over a band from low to high; a band ends where it is not known.

    Parameters
    ----------
    axis : matplotlib Axes
    x, middle, low, high : (n,) Series
    color : str
    """
    known = low.notna() & high.notna()
    axis.fill_between(x[known], low[known], high[known], color=color, alpha=0.13, linewidth=0)
    axis.plot(x, middle, markersize=3.5, **curve_look(color))
