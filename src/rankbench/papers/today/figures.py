"""Ours against a rival on each table of the contest: a point below the diagonal is a table on which ours is better."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.figures import NothingToDraw
from rankbench.figures.curves import as_sentence, draw_note
from rankbench.figures.style import COLORS, GREY, PALE, style
from rankbench.labels import figure_label, method_labels

from .contest import CONSTANT, OURS

SHOWN = ("catboost", "svr")  # what people would use, and what is nearest to ours
NAMED = 3.0  # percent of the pairs by which a table must differ to be named
NOTE = "percent of the test pairs in the wrong order, ties half, mean over the hold-outs; below the line ours is better"


def draw_contest_duels(frames, experiment, titles):
    """Draw one panel per rival, one point per table.

    Parameters are those of `rankbench.tables`.

    Raises
    ------
    NothingToDraw
        If no table has runs of ours and of a rival.
    """
    errors, labels = errors_of(frames["summary"]), method_labels(experiment, figure_label)
    with style():
        figure = Figure(figsize=(6.4, 3.5), layout="constrained")
        axes = figure.subplots(1, len(SHOWN))
        low, high = errors.min().min() / 1.15, errors.max().max() * 1.15
        for axis, rival, color in zip(axes, SHOWN, COLORS, strict=False):
            axis.plot([low, high], [low, high], color=PALE, linewidth=0.8)
            axis.plot(errors[rival], errors[OURS], "o", color=color, markersize=4)
            for dataset, row in errors.iterrows():
                if abs(row[OURS] - row[rival]) > NAMED:
                    right = row[OURS] < row[rival]  # on the side away from the line
                    place = {"xytext": (4 if right else -4, 0), "textcoords": "offset points", "va": "center"}
                    side = "left" if right else "right"
                    axis.annotate(titles[dataset], (row[rival], row[OURS]), ha=side, fontsize=6, color=GREY, **place)
            axis.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
            ticks = [tick for tick in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50) if low <= tick <= high]
            axis.set_xticks(ticks, [f"{tick}" for tick in ticks])
            axis.set_yticks(ticks, [f"{tick}" for tick in ticks])
            axis.minorticks_off()
            axis.set(xlabel=labels[rival], ylabel=labels[OURS])
            axis.set_title(f"better on {better(errors, rival)} of {len(errors)} tables")
        draw_note(figure, NOTE)
    return figure


def describe_contest_duels(frames, experiment, titles):
    """Return on how many tables ours is better, and all numbers."""
    errors, labels = errors_of(frames["summary"]), method_labels(experiment)
    counts = [
        f"{labels[OURS]} is better than {labels[name]} on {better(errors, name)} of {len(errors)} tables"
        for name in SHOWN
    ]
    numbers = [
        f"{titles[dataset]} {', '.join(f'{row[name]:.1f}' for name in (OURS, *SHOWN))}"
        for dataset, row in errors.iterrows()
    ]
    named = ", ".join(labels[name] for name in (OURS, *SHOWN))
    return f"{'; '.join(counts)}. {named}: {'; '.join(numbers)}. {as_sentence(NOTE)}"


def better(errors, rival):
    """Return on how many tables ours has the smaller error."""
    return int((errors[OURS] < errors[rival]).sum())


def errors_of(summary):
    """Return the percent of pairs in the wrong order, one row per table and one column per method of the figure.

    Raises
    ------
    NothingToDraw
        If no table has all of them.
    """
    cells = summary[summary["metric"] == "concordance_index"]
    means = cells.pivot_table(index="dataset", columns="method", values="mean", sort=False)
    if absent := [name for name in (OURS, *SHOWN) if name not in means]:
        raise NothingToDraw(f"no run of {', '.join(absent)} is ok")
    errors = 100 * (1 - means[[OURS, *SHOWN]].fillna(CONSTANT))
    return errors.clip(lower=np.float64(0.1))  # the axes are logarithmic
