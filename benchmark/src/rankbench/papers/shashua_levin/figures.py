"""Figures of Shashua and Levin: users of films, vehicles."""

import textwrap

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rankbench.configuration.labels import figure_label, method_labels, metric_label
from rankbench.figures.curves import as_sentence, draw_curves, draw_note, name_curves, panels, settings, with_runs
from rankbench.figures.method_rows import draw_rows, name_rows
from rankbench.figures.style import GREY, PRINTED, curve_look, method_colors
from rankbench.statistics.common import on_common_datasets
from rankbench.statistics.intervals import half_width
from rankbench.statistics.shortfalls import told_shortfalls

METRIC = "mean_absolute_error"
OVER_USERS = "bands: 95 percent intervals of the mean over the users"
PAPER = "open diamonds: the paper's averages, on EachMovie"
MOST_COLUMNS = 5
PRINTED_POLICIES = {"fixed_margin": "fixed_margin_svm", "prank": "prank"}


def draw_shashua_levin_users(frames, experiment, titles):
    """Figure 2 of Shashua and Levin: mean rank error against training size, over all users and of each of them.

    Draw the mean over the users (data sets) with its 95 percent t interval, the printed averages, and each user.

    Parameters are those of `rankbench.tables`; every condition must set ``n_train``.

    Raises
    ------
    ValueError
        If a condition has no ``n_train``, or the experiment does not measure the mean absolute error.
    """
    each = _each_user(frames["summary"], experiment)
    colors = method_colors(experiment)
    users = list(experiment.datasets)
    n_rows = -(-len(users) // MOST_COLUMNS)
    n_columns = -(-len(users) // n_rows)
    figure = Figure(figsize=(7.2, 3.1 + 1.25 * n_rows), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=[2.9, 0.2 + 1.25 * n_rows])
    _draw_mean(upper.subplots(), over_users(each), printed_averages(frames), experiment)
    small = panels(lower, len(users), n_columns, sharex=True, sharey=True)
    for axis, user in zip(small, users):
        axis.grid()
        for method, curve in each[each["dataset"] == user].groupby("method", sort=False):
            axis.plot(
                curve["n_train"], curve["mean"], markersize=2.5, **curve_look(colors[method]) | {"linewidth": 1.1}
            )
        axis.set_title(textwrap.fill(titles.get(user, user), 26), fontsize=6.5, fontweight="normal")
        axis.tick_params(labelsize=6.5)
    small[0].set_ylim(0.0, 1.05 * each["mean"].max())
    lower.supxlabel("training examples", fontsize=8)
    draw_note(figure, "", told_shortfalls(frames["summary"], experiment, titles, figure_label))
    return figure


def describe_shashua_levin_users(frames, experiment, titles):
    """Describe the panels, the mean over users and sizes of each method with the printed average, and the bands."""
    curves = over_users(_each_user(frames["summary"], experiment))
    labels = method_labels(experiment)
    printed = printed_averages(frames)
    parts = []
    for method, curve in curves.groupby("method", sort=False):
        paper = f" (paper: about {printed[method]:g})" if method in printed else ""
        parts.append(f"{labels[method]} {curve['mean'].mean():.2f}{paper}")
    users, note = len(experiment.datasets), as_sentence(OVER_USERS)
    missing = told_shortfalls(frames["summary"], experiment, titles)
    return (
        f"Mean absolute rank error against the number of training films: a panel for the mean over {users} users, and "
        f"one for each user. Mean of all sizes: {'; '.join(parts)}. {note}{missing}"
    )


def over_users(each):
    """Return ``n_train method mean low high``: the mean over the users and its 95 percent t interval.

    At each size the users are those with whom all methods are compared.
    """
    by_size = on_common_datasets(each).groupby(["method", "n_train"], sort=False)["mean"]
    curves, n = by_size.agg(["mean", "std"]).reset_index(), by_size.count().to_numpy()
    half = half_width(curves.pop("std") / np.sqrt(n), n)
    return curves.assign(low=curves["mean"] - half, high=curves["mean"] + half)


def printed_averages(frames):
    """Return method -> average error that the paper prints for EachMovie, empty without printed numbers."""
    known = _printed(frames)
    names = {method: ("eachmovie", name, "mean_abs_rank_error") for method, name in PRINTED_POLICIES.items()}
    return {method: known[name] for method, name in names.items() if name in known}


def _printed(frames):
    """Return (experiment, method, metric), as the paper names them -> its number."""
    published = frames.get("published")
    return {} if published is None else published.set_index(["experiment", "method", "metric"])["value"].to_dict()


def _each_user(summary, experiment):
    """Return the rows of the metric that have runs, with ``n_train``, sorted by it."""
    sizes = settings(experiment, "n_train")
    rows = with_runs(summary[summary["metric"] == METRIC])
    return rows.assign(n_train=rows["condition"].map(sizes)).sort_values("n_train", kind="stable")


def _draw_mean(axis, curves, printed, experiment):
    """Draw the panel over all users, the printed averages left of the first size."""
    colors = method_colors(experiment)
    draw_curves(axis, curves, "n_train", "mean", colors)
    sizes = np.sort(curves["n_train"].unique())
    left = sizes[0] - 0.16 * (sizes[-1] - sizes[0])
    for method in [method for method in printed if method in colors]:
        axis.errorbar(left, printed[method], color=colors[method], **PRINTED)
        axis.annotate(
            "paper", (left, printed[method]), (6, 0), textcoords="offset points", va="center", fontsize=7, color=GREY
        )
    axis.set_xlabel("\n".join([OVER_USERS, *([PAPER] if printed else [])]), fontsize=7, color=GREY)
    axis.set_xticks(sizes)
    axis.set_ylim(bottom=0.0)
    axis.set_ylabel(metric_label(METRIC))
    axis.set_title(f"mean over {len(experiment.datasets)} users of MovieLens-100K (substitute for EachMovie)")
    name_curves(axis, curves, "n_train", "mean", colors, method_labels(experiment, figure_label))


# The names in the paper, which does not say which of the two policies is its "large margin ranking".
PRINTED_METHODS = {
    "fixed_margin": "large_margin_ranking",
    "sum_of_margins": "large_margin_ranking",
    "kernel_prank": "prank",
    "multiclass_svm": "pairwise_multiclass_svm",
}
PRINTED_METRICS = {"zero_one": ("test_error_pct", 0.01), "mean_absolute_error": ("mean_abs_rank_error", 1.0)}


def draw_shashua_levin_vehicle(frames, experiment, titles):
    """Errors of ranks on one data set, with the numbers that Shashua and Levin print.

    One panel per metric, one row per method.

    Draw our means with their 95 percent t intervals and the printed values; parameters as in `rankbench.tables`.
    """
    (dataset,) = experiment.datasets
    cells, metrics = with_printed(frames), list(experiment.metrics)
    size = (1.4 + 2.9 * len(metrics), 0.9 + 0.32 * len(experiment.methods))
    figure = Figure(figsize=size, layout="constrained")
    axes = panels(figure, len(metrics), len(metrics))
    for axis, metric in zip(axes, metrics, strict=True):
        panel = cells[cells["metric"] == metric].set_index("method").loc[list(experiment.methods)]
        draw_rows(axis, panel, experiment)
        axis.set_xlim(left=0.0)
        axis.xaxis.set_major_locator(MaxNLocator(nbins=6))
        axis.set_xlabel(metric_label(metric))
    name_rows(axes[:1], experiment)
    figure.suptitle(titles.get(dataset, dataset), x=0.01, ha="left", fontsize=9, fontweight="bold")
    note = "dot: ours, mean and its 95 percent interval\nopen diamond: printed by the paper, on its own pictures"
    draw_note(figure, note)
    return figure


def describe_shashua_levin_vehicle(frames, experiment, titles):
    """Describe the panels, the range of our means, and how many printed values are higher."""
    labels, parts = method_labels(experiment), []
    for metric, cells in with_printed(frames).groupby("metric", sort=False):
        ours = cells[cells["n_runs"] > 0].set_index("method").sort_values("ours_mean")
        if ours.empty:
            parts.append(f"{metric_label(metric)}: no run")
            continue
        low, high = (f"{labels[ours.index[at]]} {ours['ours_mean'].iloc[at]:.3f}" for at in (0, -1))
        printed = ours.dropna(subset="published_mean")
        higher = int((printed["published_mean"] > printed["ours_mean"]).sum())
        beside = f", and {higher} of {len(printed)} printed values are higher than ours" if len(printed) else ""
        parts.append(f"{metric_label(metric)}: from {low} to {high}{beside}")
    (dataset,) = experiment.datasets
    return (
        f"{titles.get(dataset, dataset)}, one panel per metric and one row per method: our means with their intervals, "
        f"beside the paper's values on its own data; {'; '.join(parts)}."
        f"{told_shortfalls(frames['summary'], experiment, titles)}"
    )


def with_printed(frames):
    """Return the summary with the columns of `draw_rows`; ``published_mean`` is NaN where nothing is printed."""
    summary, known, printed = frames["summary"], _printed(frames), []
    half = half_width(summary["sd"] / np.sqrt(summary["n_runs"]), summary["n_runs"])
    for method, metric in zip(summary["method"], summary["metric"], strict=True):
        name, unit = PRINTED_METRICS.get(metric, ("", np.nan))
        printed.append(known.get(("vehicle_type", PRINTED_METHODS.get(method), name), np.nan) * unit)
    return summary.assign(ours_mean=summary["mean"], ours_half=half, published_mean=printed, published_half=np.nan)
