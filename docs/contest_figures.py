"""The figures of the contest, drawn from its kept records: ours against a rival on each table, error against seconds of
search, and error against rows."""

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from rankbench.configuration.labels import figure_label, method_labels, two_digits
from rankbench.figures import draw_or_say
from rankbench.figures.curves import draw_note
from rankbench.figures.method_rows import UNCROSSED
from rankbench.figures.style import COLORS, GREY, style
from rankbench.papers.today.averages import OURS
from rankbench.papers.today.contest import FRESH
from rankbench.papers.today.kept import CURVES, Kept
from rankbench.registry import FIGURES
from rankbench.statistics.common import on_common_datasets

SHOWN = ("catboost", "svr")  # what people would use, and what is nearest to ours
NAMED = 3  # tables that are named on each side: those that differ most
NOTE = "percent of the test pairs in the wrong order, ties half, mean over the hold-outs; below the line ours is better"
NAMES = (OURS, *SHOWN, "catboost_default")  # the points beside the line that are named
TRADE = "mean error and median seconds over the tables; bars: quartiles of the seconds"
LINE = "\nno method is better and faster than those on the line"
# of a name beside its point, in points: the first that covers the least is taken
PLACES = [(x, y) for y in (6, -7, 0, 14, -15, 24, -25, 34, -35, 44) for x in (6, -6)]
BESIDE = 7  # points above or below; a name farther away has a line to its point
PALE = "#b8b8b8"  # of lines behind the points
ROOT = Path(__file__).parents[1]


def duels():
    """Draw one panel per rival, one point per table, below the diagonal ours is better; return figure and words."""
    kept = Kept(FRESH, ROOT)
    errors = 100 * kept.errors().groupby(level="dataset", sort=False).mean()
    titles = short_titles(kept)
    short, labels = method_labels(kept.experiment, figure_label), method_labels(kept.experiment)
    limits, counts, named = (0, 1.08 * errors[[OURS, *SHOWN]].max().max()), [], []
    with style():
        figure = Figure(figsize=(6.4, 3.5), layout="constrained")
        for axis, rival, color in zip(figure.subplots(1, len(SHOWN)), SHOWN, COLORS, strict=False):
            ahead = (errors[rival] - errors[OURS]).sort_values(kind="stable")
            far = [*ahead.index[ahead < 0][:NAMED], *ahead.index[ahead > 0][-NAMED:]]
            counts.append(f"{labels[rival]} on {(ahead > 0).sum()} of {len(errors)} tables")
            named.append(f"{labels[rival]}: {', '.join(titles[dataset] for dataset in far)}")
            axis.plot(limits, limits, color=PALE, linewidth=0.8)
            axis.plot(errors[rival], errors[OURS], "o", color=color, markersize=4)
            for dataset in far:
                right = ahead[dataset] > 0  # on the side away from the line
                place = {"xytext": (4 if right else -4, 0), "textcoords": "offset points", "va": "center"}
                at, side = (errors.loc[dataset, rival], errors.loc[dataset, OURS]), "left" if right else "right"
                axis.annotate(titles[dataset], at, ha=side, fontsize=6, color=GREY, **place)
            axis.set(xlim=limits, ylim=limits, aspect="equal", xlabel=short[rival], ylabel=short[OURS])
            axis.set_title(f"ours better on {(ahead > 0).sum()} of {len(errors)} tables")
        draw_note(figure, NOTE)
    return figure, (
        f"One point per table: percent of test pairs in the wrong order by {labels[OURS]}, against that by the rival "
        f"of the panel. Below the diagonal {labels[OURS]} is better: than {'; '.join(counts)}. Tables that differ "
        f"most: {'; '.join(named)}."
    )


def short_titles(kept):
    """Return data set -> title: "Barro Data (quantreg/barro)" is too long for a point or a panel."""
    return {name: title.rpartition("/")[2].rstrip(")") for name, title in kept.titles.items()}


def curves():
    """Draw errors against the number of training rows, one panel per table; return figure and words."""
    kept, figure = Kept(CURVES, ROOT), FIGURES["learning_curves"]
    return draw_or_say(figure, kept.frames(*figure.needs), kept.experiment, short_titles(kept))


def trade():
    """Draw one point per method, its mean error against the median of its seconds; return figure and words."""
    kept = Kept(FRESH, ROOT)
    points = trade_of(kept)
    short, labels = method_labels(kept.experiment, figure_label), method_labels(kept.experiment)
    line = points[points["undominated"]]
    with style():
        figure = Figure(figsize=(4.4, 3.8), layout="constrained")  # names can be read on a telephone
        axis = figure.subplots()
        axis.step(line["seconds"], line["error"], where="post", color=PALE, linewidth=0.8)
        colors = {method: COLORS[0] if method == OURS else GREY for method in points.index}
        axis.hlines(points["error"], points["low"], points["high"], [*colors.values()], linewidth=0.8, alpha=0.6)
        for method, point in points.iterrows():
            axis.plot(point["seconds"], point["error"], "o", color=colors[method], markersize=4)
        axis.set(xscale="log", xlabel="seconds of search and fit", ylabel="percent of test pairs swapped, ties half")
        axis.margins(x=0.3, y=0.1)
        draw_note(figure, TRADE + LINE)
        figure.draw_without_rendering()  # fixes the places of the points, which the names avoid
        name_points(axis, points, {name: short[name] for name in points.index if name in (*line.index, *NAMES)}, colors)
    numbers = [
        f"{labels[name]} {points['error'][name]:.1f} percent in {two_digits(points['seconds'][name])} s"
        for name in (OURS, SHOWN[0])
    ]
    return figure, (
        "One point per method: percent of test pairs in the wrong order against seconds of search and fit. No method "
        f"is better and faster than these, from fast to good: {'; '.join(map(labels.get, line.index))}. "
        f"{'; '.join(numbers)}."
    )


def trade_of(kept):
    """Return ``low seconds high error undominated``, one row per method, the fastest first: the median and quartiles,
    over the tables on which all methods are compared."""
    cells = on_common_datasets(kept.frames("best")["best"])
    seconds = cells.groupby("method")["seconds"].quantile([0.25, 0.5, 0.75]).unstack()
    points = seconds.set_axis(["low", "seconds", "high"], axis=1)
    points["error"] = 100 * (1 - cells.groupby("method")["mean"].mean())
    points = points.sort_values(["seconds", "error"])
    return points.assign(undominated=points["error"] < points["error"].cummin().shift(fill_value=np.inf))


def name_points(axis, points, names, colors):
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
