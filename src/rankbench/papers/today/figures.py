"""Figures of the contest: ours against a rival on each table, and error against seconds of search."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from rankbench.figures import NothingToDraw
from rankbench.figures.curves import draw_note
from rankbench.figures.method_rows import UNCROSSED
from rankbench.figures.style import COLORS, GREY, PALE, style
from rankbench.labels import figure_label, method_labels, two_digits
from rankbench.statistics.common import on_common_datasets

from .averages import OURS
from .kept import CONSTANT

SHOWN = ("catboost", "svr")  # what people would use, and what is nearest to ours
NAMED = 3  # tables that are named on each side: those that differ most
NOTE = "percent of the test pairs in the wrong order, ties half, mean over the hold-outs; below the line ours is better"

FEW = 6  # points that are all named
NAMES = (OURS, *SHOWN, "catboost_default")  # the points beside the line that are named
TRADE = "mean error and median seconds over the tables; bars: quartiles of the seconds"
LINE = "\nno method is better and faster than those on the line"
# of a name beside its point, in points: the first that covers the least is taken
PLACES = [(x, y) for y in (6, -7, 0, 14, -15, 24, -25, 34, -35, 44) for x in (6, -6)]
BESIDE = 7  # points above or below; a name farther away has a line to its point


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
            for dataset in farthest(errors, rival):
                row = errors.loc[dataset]
                right = row[OURS] < row[rival]  # on the side away from the line
                place = {"xytext": (4 if right else -4, 0), "textcoords": "offset points", "va": "center"}
                side = "left" if right else "right"
                axis.annotate(titles[dataset], (row[rival], row[OURS]), ha=side, fontsize=6, color=GREY, **place)
            axis.set(xlim=limits, ylim=limits, aspect="equal")
            axis.set(xlabel=labels[rival], ylabel=labels[OURS])
            axis.set_title(f"ours better on {better(errors, rival)} of {len(errors)} tables")
        draw_note(figure, NOTE)
    return figure


def describe_contest_duels(frames, experiment, titles):
    """Return what a point is, on how many tables ours is better, and which tables the figure names."""
    errors, labels = errors_of(frames["summary"]), method_labels(experiment)
    counts = "; ".join(f"{labels[name]} on {better(errors, name)} of {len(errors)} tables" for name in SHOWN)
    named = "; ".join(
        f"{labels[name]}: {', '.join(titles[dataset] for dataset in farthest(errors, name))}" for name in SHOWN
    )
    return (
        f"One point per table: percent of test pairs in the wrong order by {labels[OURS]}, against that by the rival "
        f"of the panel. Below the diagonal {labels[OURS]} is better: than {counts}."
        f" Tables that differ most: {named}."
    )


def farthest(errors, rival):
    """Return the tables that differ most, up to `NAMED` on each side: where ours loses, then where it wins."""
    ahead = (errors[rival] - errors[OURS]).sort_values(kind="stable")
    return [*ahead.index[ahead < 0][:NAMED], *ahead.index[ahead > 0][-NAMED:]]


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
        colors = {method: COLORS[0] if method == OURS else GREY for method in points.index}
        bars = {"colors": list(colors.values()), "linewidth": 0.8, "alpha": 0.6}
        axis.hlines(points["error"], points["low"], points["high"], **bars)
        for method, point in points.iterrows():
            axis.plot(point["seconds"], point["error"], "o", color=colors[method], markersize=4)
        axis.set(xscale="log", xlabel="seconds of search and fit", ylabel="percent of test pairs swapped, ties half")
        axis.margins(x=0.3, y=0.1)
        draw_note(figure, TRADE + LINE * (len(line) > 1))
        figure.draw_without_rendering()  # fixes the places of the points, which the names avoid
        _name_points(axis, points, {name: labels[name] for name in points.index if _is_named(points, name)}, colors)
    return figure


def _is_named(points, method):
    return points["undominated"][method] or method in NAMES or len(points) <= FEW


def _name_points(axis, points, names, colors):
    """Write names beside their points, in the place of `PLACES` that covers the fewest points, bars and other names."""
    low, middle, high = (axis.transData.transform(points[[name, "error"]]) for name in ("low", "seconds", "high"))
    taken = [Bbox(ends).padded(1) for ends in zip(low, high)]
    dots = {method: Bbox([at, at]).padded(9) for method, at in zip(points.index, middle)}
    for method, name in names.items():
        point = tuple(points.loc[method, ["seconds", "error"]])
        look = {"textcoords": "offset points", "fontsize": 7.5, "va": "center", "bbox": UNCROSSED}
        text = axis.annotate(name, point, PLACES[0], color=colors[method], **look)
        text.set_in_layout(False)
        others = [box for other, box in dots.items() if other != method]

        def place(offset, text=text):
            text.set(position=offset, horizontalalignment="right" if offset[0] < 0 else "left")
            return text.get_window_extent()

        def covered(offset, place=place, others=others):
            box = place(offset)
            beside = box.x0 < axis.bbox.x0 or box.x1 > axis.bbox.x1
            return box.count_overlaps([*taken, *others]) + 9 * (beside or box.y0 < axis.bbox.y0)

        best = min(PLACES, key=covered)
        taken.append(place(best))
        if abs(best[1]) > BESIDE:
            line = {"arrowstyle": "-", "linewidth": 0.5, "color": colors[method], "shrinkA": 0, "shrinkB": 0}
            axis.annotate("", point, best, textcoords="offset points", arrowprops=line)


def describe_contest_trade(frames, experiment, titles):
    """Say which methods no other beats in both, and where our search and its rivals lie."""
    points, labels = trade_of(frames["best"]), method_labels(experiment)
    line = "; ".join(labels[name] for name in points.index[points["undominated"]])
    numbers = [
        f"{labels[name]} {row.error:.1f} percent in {two_digits(row.seconds)} s"
        for name, row in points.iterrows()
        if name in (OURS, SHOWN[0])
    ]
    return (
        "One point per method: percent of test pairs in the wrong order against seconds of search and fit. No method "
        f"is better and faster than these, from fast to good: {line}. {'; '.join(numbers)}."
    )


def trade_of(best):
    """Return ``low seconds high error undominated``, one row per method, the fastest first: the median and quartiles.

    Parameters
    ----------
    best : DataFrame
        The statistic ``best``; used are the tables on which all methods are compared.
    """
    cells = on_common_datasets(best[best["metric"] == "concordance_index"])
    if cells.empty:
        raise NothingToDraw("no table has runs of all methods")
    seconds = cells.groupby("method")["seconds"].quantile([0.25, 0.5, 0.75]).unstack()
    points = seconds.set_axis(["low", "seconds", "high"], axis=1).assign(error=cells.groupby("method")["mean"].mean())
    points["error"] = 100 * (1 - points["error"])
    points = points.sort_values(["seconds", "error"])
    return points.assign(undominated=points["error"] < points["error"].cummin().shift(fill_value=np.inf))
