"""Comparisons against the size of the sets or their share of ties.

One panel per data set and metric, one line per method, and
the printed points next to it (Figures 4 and 5 of Venuto et al.)."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator

from rankbench.figures.curves import as_sentence, draw_curve, draw_note, settings
from rankbench.figures.line_labels import label_lines
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import GREY, PRINTED, method_colors, style
from rankbench.intervals import half_width
from rankbench.labels import figure_label, method_labels
from rankbench.papers.svmcompare.printed import printed_points
from rankbench.shortfalls import told_shortfalls

MANY = 10  # number of data sets from which a band is an interval of the mean, and no longer the sd
NAMES = {
    "zero_one": "wrong test pairs (fraction)",
    "comparison_auc": "test AUC, right direction",
    "comparison_auc_any_direction": "test AUC, any direction",
}
AXES = {"n": "training pairs", "rho": "share of equality pairs"}


def draw(frames, experiment, titles):
    """Draw the mean of each method against the number of training pairs, or the share of ties where that varies.

    With fewer than 10 sets, bands are one standard deviation, as in the paper; with more, they are 95 percent intervals
    of the mean. A note says which. Open diamonds are printed means, their bars one standard deviation. The last panel
    of a row names the lines.

    Raises
    ------
    ValueError
        If a condition does not set them.
    NothingToDraw
    """
    x_name, curves = _curves(frames["summary"], experiment)
    printed = printed_points(frames["published"]) if "published" in frames else None
    colors, names = {**method_colors(experiment), "truth": GREY}, method_labels(experiment, figure_label)
    datasets, metrics = list(experiment.datasets), list(experiment.metrics)
    with style():
        figure = Figure(figsize=(0.9 + 2.2 * len(datasets), 0.4 + 2.4 * len(metrics)), layout="constrained")
        axes = figure.subplots(len(metrics), len(datasets), squeeze=False, sharex=True)
        for row, metric in zip(axes, metrics, strict=True):
            for axis, dataset in zip(row, datasets, strict=True):
                part = curves[(curves["dataset"] == dataset) & (curves["metric"] == metric)]
                _draw_curves(axis, part, colors)
                if printed is not None and metric in printed.attrs["metrics"]:
                    _draw_printed(axis, printed[printed["dataset"] == dataset], colors, x_name)
                axis.set_title(titles.get(dataset, dataset) if metric == metrics[0] else "")
                if x_name == "n":
                    _size_axis(axis, sorted(curves["x"].unique()))
            row[0].set_ylabel(NAMES.get(metric, metric))
            label_lines(row[-1], part.groupby("method", sort=False).last()[["x", "mean"]], colors, names)
        for axis in axes[-1]:
            axis.set_xlabel(AXES[x_name])
        draw_note(
            figure, _note(frames, experiment), told_shortfalls(frames["summary"], experiment, titles, figure_label)
        )
    return figure


def describe(frames, experiment, titles):
    """Describe what each method reaches at the last x, how many printed means lie in the printed sd, and what bands
    are."""
    x_name, curves = _curves(frames["summary"], experiment)
    last, parts = curves[curves["x"] == curves["x"].max()], []
    for (metric, dataset), part in last.groupby(["metric", "dataset"], sort=False):
        values = ", ".join(
            f"{experiment.methods[cell.method].label} {cell.mean:.3f}" for cell in part.itertuples(index=False)
        )
        parts.append(f"{titles.get(dataset, dataset)}, {NAMES.get(metric, metric)}: {values}")
    text = f"Mean over the sets at the largest {AXES[x_name]} ({curves['x'].max():g}). {'; '.join(parts)}."
    note = as_sentence(_note(frames, experiment)) + told_shortfalls(frames["summary"], experiment, titles)
    if "published" not in frames:
        return f"{text} {note}"
    printed = printed_points(frames["published"])
    both = curves.assign(x=_rounded(curves["x"])).merge(
        printed.assign(x=_rounded(printed["x"])), on=["dataset", "method", "x"], suffixes=("", "_printed")
    )
    both = both[both["metric"].isin(printed.attrs["metrics"])]
    near = ((both["mean"] - both["mean_printed"]).abs() <= both["sd_printed"]).groupby(both["metric"], sort=False)
    counts = "; ".join(f"{NAMES[m]}: {int(w.sum())} of {len(w)}" for m, w in near)
    return f"{text} Cells within one printed standard deviation of the printed mean: {counts}. {note}"


def _note(frames, experiment):
    """Return what the bands are and, where printed means are drawn, what the open diamonds are."""
    band = (
        "95 percent intervals of the mean over the sets"
        if _many(experiment)
        else "one standard deviation over the sets"
    )
    printed = "\nopen diamonds: printed means, their bars one standard deviation" if "published" in frames else ""
    return f"bands: {band}{printed}"


def _many(experiment):
    return experiment.seeds >= MANY


def _curves(summary, experiment):
    """Return the name of the x axis and the rows of the summary that have runs, with ``x`` and ``half_width``."""
    equality, inequality = settings(experiment, "equality"), settings(experiment, "inequality")
    n = {name: equality[name] + inequality[name] for name in equality}
    share = {name: equality[name] / n[name] for name in n}
    x_name = "rho" if len(set(share.values())) > 1 else "n"
    curves = summary[summary["n_runs"] > 0].copy()
    if curves.empty:
        raise NothingToDraw("no method has enough runs to be compared")
    curves["x"] = curves["condition"].map(share if x_name == "rho" else n)
    runs = curves["n_runs"]
    interval = half_width(curves["sd"] / np.sqrt(runs), runs)
    curves["half_width"] = interval if _many(experiment) else curves["sd"]
    place = [{name: at for at, name in enumerate(names)} for names in (experiment.metrics, experiment.datasets)]
    order = [curves["metric"].map(place[0]), curves["dataset"].map(place[1]), curves["x"]]
    return x_name, curves.iloc[np.lexsort(order[::-1])]


def _rounded(x):
    return x.round(1).where(x < 1, x)


def _draw_curves(axis, part, colors):
    axis.grid()
    for method, curve in part.groupby("method", sort=False):
        low, high = curve["mean"] - curve["half_width"], curve["mean"] + curve["half_width"]
        draw_curve(axis, curve["x"], curve["mean"], low, high, colors[method])


def _size_axis(axis, ticks):
    """Give an axis of sizes a logarithmic scale with only these ticks."""
    axis.set_xscale("log")
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_minor_formatter(NullFormatter())


def _draw_printed(axis, points, colors, x_name):
    """Draw the printed means slightly shifted, so that their bars do not overlap."""
    methods = list(dict.fromkeys(points["method"]))
    for at, method in enumerate(methods):
        aside, cells = at - (len(methods) - 1) / 2, points[points["method"] == method]
        x = cells["x"] * 1.06**aside if x_name == "n" else cells["x"] + 0.008 * aside
        style_of = {**PRINTED, "markersize": 3.5, "elinewidth": 0.7, "linestyle": "none"}
        axis.errorbar(x, cells["mean"], yerr=cells["sd"], color=colors[method], ecolor=colors[method], **style_of)
