"""Figures of Venuto et al.: two programs, level curves, errors and areas, chess."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from rankbench.configuration.labels import figure_label, method_labels
from rankbench.figures.curves import (
    as_sentence,
    curves_over,
    draw_curves,
    draw_note,
    factors,
    name_curves,
    settings,
    who_is_best,
)
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import COLORS, GREY, OURS, PRINTED, method_colors
from rankbench.papers.svmcompare.printed import beside, printed_points
from rankbench.statistics.shortfalls import told_shortfalls

PANEL_TITLES = {
    "original": "original data",
    "flipped": "flipped data, not scaled",
    "scaled": "flipped data, scaled",
}
# name of a program, colour and dashes of its lines, height of its words
PROGRAMS = {"lp": ("LP", COLORS[0], "-", 0.97), "qp": ("QP", COLORS[1], (0, (6, 3)), 0.90)}
MARKERS = {-1: "v", 0: "o", 1: "^"}
WORDS, WORDS_FLIPPED = {-1: "x better", 0: "equal", 1: "x' better"}, {0: "not different", 1: "different"}
HALO = {"bbox": {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6}}


def draw_max_margin_panels(frames, experiment, titles):
    """Difference vectors with the boundaries and margins of the linear and the quadratic program (Figure 2).

    Draw the differences x' - x, the boundaries w.(x' - x) = +-1 of each program, and the margins beside them.
    """
    frame = frames["max_margin_panels"]
    figure = Figure(figsize=(9.2, 3.1), layout="constrained")
    axes = figure.subplots(1, len(PANEL_TITLES))
    for axis, (panel, title) in zip(axes, PANEL_TITLES.items(), strict=True):
        _draw_panel(axis, frame[frame["panel"] == panel], flipped=panel != "original")
        axis.set_title(title)
        axis.set_xlabel("difference of feature 1")
    axes[0].set_ylabel("difference of feature 2")
    return figure


def describe_max_margin_panels(frames, experiment, titles):
    """Describe the margins of the programs in each panel."""
    frame = frames["max_margin_panels"]
    parts = []
    for panel, title in PANEL_TITLES.items():
        rows = frame[(frame["panel"] == panel) & frame["what"].isin(list(PROGRAMS))]
        margins = ", ".join(f"{PROGRAMS[row.what][0]} {row.margin:.3f}" for row in rows.itertuples())
        parts.append(f"{title}: {margins}")
    return f"Largest margin in units of the ranking function on one separable set. {'; '.join(parts)}."


def _draw_panel(axis, part, flipped):
    points = part[part["what"] == "difference"]
    reach = 1.15 * points[["x1", "x2"]].abs().max()
    axis.set(xlim=(-reach["x1"], reach["x1"]), ylim=(-reach["x2"], reach["x2"]))
    for row in part[part["what"] != "difference"].itertuples():
        label, color, dashes, height = PROGRAMS[row.what]
        for level in (1.0,) if flipped else (-1.0, 1.0):
            for at, width in ((level, 1.6), (level - row.margin, 0.7), (level + row.margin, 0.7)):
                _line(axis, row, at, color=color, linewidth=width, linestyle=dashes)
        words = f"{label}: margin {row.margin:.3f}"
        axis.text(0.02, height, words, color=color, transform=axis.transAxes, va="top", fontsize=7.5, **HALO)
    for y, cells in points.groupby("y"):
        look = {"color": "black", "fillstyle": "full"} if y else {"color": GREY, "fillstyle": "none"}
        axis.plot(cells["x1"], cells["x2"], MARKERS[y], markersize=4.5, **look)
        top = tuple(cells.loc[cells["x2"].idxmax(), ["x1", "x2"]])
        words = (WORDS_FLIPPED if flipped else WORDS)[y]
        axis.annotate(words, top, (5, 4), textcoords="offset points", fontsize=7, color=GREY, **HALO)
    axis.plot(0, 0, "+", color=GREY, markersize=6)


def _line(axis, row, level, **look):
    """Draw w1 x1 + w2 x2 = level."""
    normal = np.array([row.x1, row.x2])
    at = level * normal / (normal @ normal)
    axis.axline(at, at + np.array([-row.x2, row.x1]), **look)


PRINTED_SEED = 1  # seed of the set that the paper shows: the second
NOT_LEARNED = "not learned on the printed set"
N_LEVELS = 16


def draw_level_curves(frames, experiment, titles):
    """Training pairs, and level curves of the true and the learned ranking functions (Figure 3 of Venuto et al.).

    Draw the pairs as printed, then one panel per ranking function with its level curves.

    The step between neighbouring curves is the same whole number in every panel; a step of 1 is how far apart two items
    must be to count as different.

    Parameters
    ----------
    frames : mapping
        ``level_curves``, the study of that name, and ``published``, the pairs ``label x1 x2 xp1 xp2``.
    experiment : Experiment
        Its methods are drawn in their order, the truth first.
    titles : mapping
        Not used.
    """
    names = {"truth": "truth", **method_labels(experiment, figure_label)}
    frame = frames["level_curves"].query("seed in [-1, @PRINTED_SEED]")
    if frame.empty:
        raise NothingToDraw("no ranking function was learned")
    step = max(1, round(frame.groupby("method")["r"].agg(np.ptp).max() / N_LEVELS))
    figure = Figure(figsize=(1.0 + 2.1 * (1 + len(names)), 3.1), layout="constrained")
    axes = figure.subplots(1, 1 + len(names), sharex=True, sharey=True)
    _draw_pairs(axes[0], frames["published"])
    for axis, (method, name) in zip(axes[1:], names.items(), strict=True):
        _draw_levels(axis, frame[frame["method"] == method], step)
        axis.set_title(name)
    for axis in axes:
        axis.set(aspect="equal", ylim=(1.25 * frame["x2"].min(), frame["x2"].max()), xlabel="$x_1$")
    axes[0].set_ylabel("$x_2$")
    return figure


def describe_level_curves(frames, experiment, titles):
    """Describe the rank correlation of each learned function with the truth, for the printed set and all sets."""
    correlation, parts = frames["recovery"].set_index(["method", "seed"])["correlation"], []
    for method, entry in experiment.methods.items():
        values = correlation[correlation.index.get_level_values("method") == method].droplevel("method")
        shown = f"{values[PRINTED_SEED]:.3f}" if PRINTED_SEED in values else NOT_LEARNED
        parts.append(f"{entry.label} {shown}" + (f" ({values.mean():.3f})" if len(values) else ""))
    return (
        "The printed training pairs, and a panel with level curves for the true and for each learned ranking function. "
        f"Rank correlation with the truth on the grid, after the printed set (mean of all sets): {'; '.join(parts)}."
    )


def _draw_pairs(axis, pairs):
    """Draw equality pairs as segments and inequality pairs as arrows to the better item."""
    for pair in pairs.itertuples():
        start, end = (pair.x1, pair.x2), (pair.xp1, pair.xp2)
        if pair.label == 0:
            axis.plot(*zip(start, end, strict=True), color=COLORS[1], linewidth=1.0)
        else:
            arrow = {"arrowstyle": "->", "color": COLORS[0], "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
            axis.annotate("", end, start, arrowprops=arrow)
    axis.set_title(f"{len(pairs)} training pairs")
    axis.text(0.02, 0.02, "segments: equal", color=COLORS[1], transform=axis.transAxes, fontsize=7)
    axis.text(0.5, 0.02, "arrows: to better", color=COLORS[0], transform=axis.transAxes, fontsize=7)


def _draw_levels(axis, part, step):
    """Draw the level curves of a function, or say that it was not learned on the printed set."""
    if part.empty:
        axis.text(0.5, 0.5, NOT_LEARNED, color=GREY, ha="center", transform=axis.transAxes)
        return
    grid = part.pivot_table(index="x2", columns="x1", values="r")
    low, high = (bound * step for bound in (np.floor(part["r"].min() / step), np.ceil(part["r"].max() / step)))
    look = {"colors": GREY, "linewidths": 0.7, "linestyles": "solid"}
    lines = axis.contour(grid.columns, grid.index, grid.to_numpy(), np.arange(low, high + step, step), **look)
    axis.clabel(lines, lines.levels[:: max(1, len(lines.levels) // 4)], fontsize=6)


MANY = 10  # number of data sets from which a band is an interval of the mean, and no longer the sd
NAMES = {
    "zero_one": "wrong test pairs (fraction)",
    "comparison_auc": "test AUC, right direction",
    "comparison_auc_any_direction": "test AUC, any direction",
}
AXES = {"n": "training pairs", "rho": "share of equality pairs"}


def draw_comparison_curves(frames, experiment, titles):
    """Draw the mean of each method against the number of training pairs, or the share of ties where that varies.

    One panel per data set and metric, one line per method, the printed points beside it (Figures 4 and 5 of the paper).

    With fewer than 10 sets, bands are one standard deviation, as in the paper; with more, they are 95 percent intervals
    of the mean. A note says which. Open diamonds are printed means, their bars one standard deviation. The last panel
    with lines names them.

    Raises
    ------
    ValueError
        If a condition does not set them.
    NothingToDraw
    """
    x_name, curves = _curves(frames["summary"], experiment)
    printed = printed_points(frames["published"]) if "published" in frames else None
    sizes = sorted(curves["x"].unique())
    colors = {**method_colors(experiment), "truth": GREY}
    names = method_labels(experiment, figure_label)
    datasets, metrics = list(experiment.datasets), list(experiment.metrics)
    figure = Figure(figsize=(0.9 + 2.2 * len(datasets), 0.4 + 2.4 * len(metrics)), layout="constrained")
    axes = figure.subplots(len(metrics), len(datasets), squeeze=False, sharex=True)
    for row, metric in zip(axes, metrics, strict=True):
        with_curves = []
        for axis, dataset in zip(row, datasets, strict=True):
            part = curves[(curves["dataset"] == dataset) & (curves["metric"] == metric)]
            draw_curves(axis, part, "x", "mean", colors)
            if printed is not None and metric in printed.attrs["metrics"]:
                _draw_printed(axis, printed[printed["dataset"] == dataset], colors, x_name)
            axis.set_title(titles.get(dataset, dataset) if metric == metrics[0] else "")
            if x_name == "n":
                factors(axis, sizes)
            with_curves += [(axis, part)] if len(part) else []
        row[0].set_ylabel(NAMES.get(metric, metric))
        for axis, part in with_curves[-1:]:
            name_curves(axis, part, "x", "mean", colors, names)
    for axis in axes[-1]:
        axis.set_xlabel(AXES[x_name])
    shortfalls = told_shortfalls(frames["summary"], experiment, titles, figure_label)
    draw_note(figure, _note(frames, experiment), shortfalls)
    return figure


def describe_comparison_curves(frames, experiment, titles):
    """Describe the panels, which learned function is best at the last x by the first metric, how many printed means lie
    within the printed sd, and what bands are."""
    x_name, curves = _curves(frames["summary"], experiment)
    metric = curves["metric"].iloc[0]
    last = curves[curves["x"] == curves["x"].max()].query("metric == @metric and method != 'truth'")
    text = (
        f"A curve per method, horizontally {AXES[x_name]}; one panel per data set and metric. Best at the right end by "
        f"{NAMES.get(metric, metric)}: {who_is_best(last, metric, method_labels(experiment), titles)}."
    )
    note = as_sentence(_note(frames, experiment)) + told_shortfalls(frames["summary"], experiment, titles)
    if "published" not in frames:
        return f"{text} {note}"
    metrics = [name for name in experiment.metrics if name in printed_points(frames["published"]).attrs["metrics"]]
    both = pd.concat([beside(frames["summary"], frames["published"], name) for name in metrics])
    both = both.dropna(subset=["mean", "mean_printed"])
    near = ((both["mean"] - both["mean_printed"]).abs() <= both["sd_printed"]).groupby(both["metric"], sort=False)
    counts = "; ".join(f"{NAMES[m]}: {int(w.sum())} of {len(w)}" for m, w in near)
    return f"{text} Our means within one printed standard deviation of print, {counts}. {note}"


def _note(frames, experiment):
    """Return what the bands are and, where printed means are drawn, what the open diamonds are."""
    band = "95 percent intervals of the mean" if experiment.seeds >= MANY else "one standard deviation"
    printed = "\nopen diamonds: printed means, their bars one standard deviation" if "published" in frames else ""
    return f"bands: {band} over the sets{printed}"


def _curves(summary, experiment):
    """Return the name of the x axis and the `curves_over` it, with bands as `_note` says."""
    equality, inequality = (settings(experiment, name) for name in ("equality", "inequality"))
    n = {name: equality[name] + inequality[name] for name in equality}
    share = {name: equality[name] / n[name] for name in n}
    x_name = "rho" if len(set(share.values())) > 1 else "n"
    curves = curves_over(summary, experiment, share if x_name == "rho" else n)
    if experiment.seeds < MANY:
        curves = curves.assign(low=curves["mean"] - curves["sd"], high=curves["mean"] + curves["sd"])
    return x_name, curves


def _draw_printed(axis, points, colors, x_name):
    """Draw the printed means slightly shifted, so that their bars do not overlap."""
    methods = list(dict.fromkeys(points["method"]))
    for at, method in enumerate(methods):
        aside, cells = at - (len(methods) - 1) / 2, points[points["method"] == method]
        x = cells["x"] * 1.06**aside if x_name == "n" else cells["x"] + 0.008 * aside
        style_of = {**PRINTED, "markersize": 3.5, "elinewidth": 0.7, "linestyle": "none"}
        axis.errorbar(x, cells["mean"], yerr=cells["sd"], color=colors[method], ecolor=colors[method], **style_of)


METRIC = "comparison_auc"
BASELINE, BASELINE_LABEL = "baseline", "one direction for all"
PRINTED_WORDS = "open diamonds: printed, the years 1999 to 2006; bar: their median"
BLUE = COLORS[0]
ABOVE = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 7}
DIAMOND = {key: PRINTED[key] for key in ("marker", "markerfacecolor")} | {"markersize": 3.5}


def draw_chess_auc(frames, experiment, titles):
    """Draw the test AUC of chess results, ours on one period and the printed ones of eight years (Figure 6).

    One row per model, our best on top: a dot is ours, an open diamond a printed year, a bar their median.

    Parameters
    ----------
    frames : mapping
        ``summary``, the study ``comparison_baseline`` and perhaps ``published`` (``set year model auc``).
    experiment : Experiment
    titles : mapping of str to str
        Data set key -> printed name.
    """
    ours, printed = _ours(frames), _printed(frames)
    names = {**method_labels(experiment, figure_label), BASELINE: BASELINE_LABEL}
    figure = Figure(figsize=(6.2, 0.9 + 0.34 * len(ours)), layout="constrained")
    axis = figure.subplots()
    axis.grid(axis="x")
    for row, (method, values) in enumerate(ours.iterrows()):
        _draw_row(axis, row, printed.get(method, []), values.dropna())
    axis.set_yticks(range(len(ours)), [names[method] for method in ours.index])
    axis.set(xlabel="test AUC, right direction", ylim=(-0.7, len(ours) - 0.4))
    title = ", ".join(titles.get(dataset, dataset) for dataset in ours)
    words = f"dots: ours, {title}" + (" (substitute, no replication)" if experiment.substitute else "")
    axis.annotate(words, (0.0, 1.0), (0, 13), color=BLUE, **ABOVE)
    if "published" in frames:
        axis.annotate(PRINTED_WORDS, (0.0, 1.0), (0, 3), color=GREY, **ABOVE)
    draw_note(figure, "", told_shortfalls(frames["summary"], experiment, titles, figure_label))
    return figure


def _draw_row(axis, row, printed, ours):
    """Draw the printed years of one model with their median, and ours above them."""
    axis.plot(printed, np.full(len(printed), row - 0.12), linestyle="none", color=GREY, **DIAMOND)
    if len(printed):
        axis.plot([np.median(printed)] * 2, [row - 0.32, row + 0.08], color=GREY, linewidth=1.4)
    for at, value in enumerate(ours):
        axis.plot(value, row + 0.16 + 0.12 * at, color=BLUE, marker=OURS["marker"], markersize=OURS["markersize"])


def describe_chess_auc(frames, experiment, titles):
    """Describe the rows, and which of our areas lie among, above and below those of the printed years."""
    labels, printed, parts = {**method_labels(experiment), BASELINE: BASELINE_LABEL}, _printed(frames), []
    for dataset, values in _ours(frames).items():
        order = values.dropna().sort_values(ascending=False)
        first, last = (f"{order.iloc[at]:.3f} ({labels[order.index[at]]})" for at in (0, -1))
        places = {}
        for method, value in order[order.index.isin(printed)].items():
            years = printed[method]
            place = "Above" if value > max(years) else "Below" if value < min(years) else "Among"
            places.setdefault(place, []).append(labels[method])
        parts.append(f"{titles.get(dataset, dataset)}: ours is from {first} to {last}")
        parts += [f"{place} the printed years are {'; '.join(names)}" for place, names in places.items()]
    return (
        f"Test AUC, one row per model: a dot for ours, an open diamond for each printed year. {'. '.join(parts)}."
        f"{told_shortfalls(frames['summary'], experiment, titles)}"
    )


def _ours(frames):
    """Return our areas, one row per model and for the baseline, the best of the first data set last; a column per data
    set."""
    areas = frames["summary"].query("metric == @METRIC and n_runs > 0")
    areas = areas.pivot(index="method", columns="dataset", values="mean")
    if areas.empty or frames["comparison_baseline"].empty:
        raise NothingToDraw("no model has enough runs to be compared")
    areas.loc[BASELINE] = frames["comparison_baseline"].groupby("dataset")["auc"].mean()
    return areas.sort_values(areas.columns[0])


def _printed(frames):
    """Return model -> its printed areas."""
    return frames["published"].groupby("model")["auc"].agg(list).to_dict() if "published" in frames else {}
