"""Figures of the contest: ours against a rival on each table, and error against seconds of search."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.compare.adding import OURS
from rankbench.figures import NothingToDraw
from rankbench.figures.curves import as_sentence, draw_note
from rankbench.figures.style import COLORS, GREY, PALE, style
from rankbench.labels import figure_label, method_labels
from rankbench.statistics.common import on_common_datasets

from .contest import CONSTANT

SHOWN = ("catboost", "svr")  # what people would use, and what is nearest to ours
NAMED = 3.0  # percent of the pairs by which a table must differ to be named
NOTE = "percent of the test pairs in the wrong order, ties half, mean over the hold-outs; below the line ours is better"

NAMES = (OURS, *SHOWN, "catboost_default")  # the points beside the line that are named
TRADE = "mean over the tables; median seconds\nno method is better and faster than those on the line"


def draw_contest_duels(frames, experiment, titles):
    """Draw one panel per rival, one point per table: below the diagonal ours is better.

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
        limits = (0, 1.08 * errors.max().max())
        for axis, rival, color in zip(axes, SHOWN, COLORS, strict=False):
            axis.plot(limits, limits, color=PALE, linewidth=0.8)
            axis.plot(errors[rival], errors[OURS], "o", color=color, markersize=4)
            for dataset, row in errors.iterrows():
                if abs(row[OURS] - row[rival]) > NAMED:
                    right = row[OURS] < row[rival]  # on the side away from the line
                    place = {"xytext": (4 if right else -4, 0), "textcoords": "offset points", "va": "center"}
                    side = "left" if right else "right"
                    axis.annotate(titles[dataset], (row[rival], row[OURS]), ha=side, fontsize=6, color=GREY, **place)
            axis.set(xlim=limits, ylim=limits, aspect="equal")
            axis.set(xlabel=labels[rival], ylabel=labels[OURS])
            axis.set_title(f"better on {better(errors, rival)} of {len(errors)} tables")
        draw_note(figure, NOTE)
    return figure


def describe_contest_duels(frames, experiment, titles):
    """Return on how many tables ours is better, and the numbers of the tables that the figure names."""
    errors, labels = errors_of(frames["summary"]), method_labels(experiment)
    counts = [
        f"{labels[OURS]} is better than {labels[name]} on {better(errors, name)} of {len(errors)} tables"
        for name in SHOWN
    ]
    far = (errors[list(SHOWN)].sub(errors[OURS], axis=0).abs() > NAMED).any(axis=1)
    numbers = [
        f"{titles[dataset]} {', '.join(f'{row[name]:.1f}' for name in (OURS, *SHOWN))}"
        for dataset, row in errors[far].iterrows()
    ]
    named = ", ".join(labels[name] for name in (OURS, *SHOWN))
    told = f" {named} on the tables that are named: {'; '.join(numbers)}." if numbers else ""
    return f"{'; '.join(counts)}.{told} {as_sentence(NOTE)}"


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
    return 100 * (1 - means[[OURS, *SHOWN]].fillna(CONSTANT))


def draw_contest_trade(frames, experiment, titles):
    """Draw one point per method: its mean error against the median of its seconds.

    Parameters are those of `rankbench.tables`.

    Raises
    ------
    NothingToDraw
        If no table has runs of all methods.
    """
    points, labels = trade_of(frames["best"]), method_labels(experiment, figure_label)
    line = points[points["undominated"]]
    with style():
        figure = Figure(figsize=(4.4, 3.8), layout="constrained")  # names can be read on a telephone
        axis = figure.subplots()
        axis.step(line["seconds"], line["error"], where="post", color=PALE, linewidth=0.8)
        for method, point in points.iterrows():
            color = COLORS[0] if method == OURS else COLORS[1] if point["undominated"] else GREY
            axis.plot(point["seconds"], point["error"], "o", color=color, markersize=4)
            if not (point["undominated"] or method in NAMES):
                continue
            earlier = points[: points.index.get_loc(method)]
            named = earlier[earlier["undominated"] | earlier.index.isin(NAMES)]
            near = (np.log10(point["seconds"] / named["seconds"]) < 1.0) & (
                (point["error"] - named["error"]).abs() < 0.035 * np.ptp(points["error"])
            )
            text = {"xytext": (4, 19 if near.any() else 4), "textcoords": "offset points", "fontsize": 7.5}
            axis.annotate(labels[method], (point["seconds"], point["error"]), color=color, **text)
        axis.set(xscale="log", xlabel="seconds of search and fit", ylabel="percent of test pairs swapped, ties half")
        axis.margins(x=0.2)
        draw_note(figure, TRADE)
    return figure


def describe_contest_trade(frames, experiment, titles):
    """Return the methods that no other beats in both, and all numbers."""
    points, labels = trade_of(frames["best"]), method_labels(experiment)
    line = ", ".join(labels[name] for name in points.index[points["undominated"]])
    shown = points["undominated"] | points.index.isin(NAMES)
    numbers = [f"{labels[name]} {row.error:.2f} in {row.seconds:.2g} s" for name, row in points[shown].iterrows()]
    told = f"On the line: {line}. Percent of the test pairs in the wrong order, ties half: {'; '.join(numbers)}"
    return f"{told}. {as_sentence(TRADE)}"


def trade_of(best):
    """Return ``seconds error undominated``, one row per method, the fastest first.

    Parameters
    ----------
    best : DataFrame
        The statistic ``best``; used are the tables on which all methods are compared.
    """
    cells = on_common_datasets(best[best["metric"] == "concordance_index"])
    if cells.empty:
        raise NothingToDraw("no table has runs of all methods")
    points = cells.groupby("method").agg(seconds=("seconds", "median"), error=("mean", "mean"))
    points["error"] = 100 * (1 - points["error"])
    points = points.sort_values(["seconds", "error"])
    return points.assign(undominated=points["error"] < points["error"].cummin().shift(fill_value=np.inf))
