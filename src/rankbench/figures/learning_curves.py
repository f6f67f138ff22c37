"""Test metric against training size.

One panel per data set and metric, one line per method with the interval of its mean.
"""

import numpy as np
from matplotlib.figure import Figure

from ..intervals import half_width
from ..labels import figure_label, method_labels, metric_label
from .curves import OVER_SEEDS, as_sentence, draw_curve, draw_note, settings
from .line_labels import label_lines
from .nothing import NothingToDraw
from .style import method_colors, style

NEEDS = ("summary",)
MOST_METRICS = 2  # the first ones: a panel each, beside one another


def draw(frames, experiment, titles):
    """Draw the mean of each method over its seeds against ``n_train`` of the condition, with 95 percent t intervals.

    Raises
    ------
    ValueError
        If a condition has no ``n_train``.
    """
    curves = _curves(frames["summary"], experiment)
    datasets, metrics = list(experiment.datasets), list(experiment.metrics)[:MOST_METRICS]
    colors = method_colors(experiment)
    names = method_labels(experiment, figure_label)
    with style():
        size = (1.0 + 3.4 * len(metrics), 0.4 + 2.5 * len(datasets))
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(len(datasets), len(metrics), squeeze=False)
        for row, dataset in zip(axes, datasets, strict=True):
            for axis, metric in zip(row, metrics, strict=True):
                part = curves[(curves["dataset"] == dataset) & (curves["metric"] == metric)]
                _draw_panel(axis, part, colors)
                axis.set_ylabel(metric_label(metric))
            row[0].set_title(titles.get(dataset, dataset))
        for axis in axes[-1]:
            axis.set_xlabel("training examples")
        draw_note(figure, OVER_SEEDS)
        for row, dataset in zip(axes, datasets, strict=True):
            last = curves[(curves["dataset"] == dataset) & (curves["metric"] == metrics[-1])]
            label_lines(row[-1], last.groupby("method", sort=False).last()[["n_train", "mean"]], colors, names)
    return figure


def describe(frames, experiment, titles):
    """Describe what each method reaches at the largest training size, and what the bands are."""
    curves = _curves(frames["summary"], experiment)
    largest = curves[curves["n_train"] == curves["n_train"].max()]
    parts = []
    for (dataset, metric), part in largest.groupby(["dataset", "metric"], sort=False):
        values = ", ".join(
            f"{experiment.methods[method].label} {mean:.3f}"
            for method, mean in zip(part["method"], part["mean"], strict=True)
        )
        parts.append(f"{titles.get(dataset, dataset)}, {metric_label(metric)}: {values}")
    reached = f"Mean over the seeds at {int(curves['n_train'].max())} training examples. {'; '.join(parts)}."
    return f"{reached} {as_sentence(OVER_SEEDS)}"


def _curves(summary, experiment):
    """Return the rows of the summary that have runs, with ``n_train`` and the half width of the interval."""
    sizes = settings(experiment, "n_train")
    shown = summary["metric"].isin(experiment.metrics[:MOST_METRICS]) & (summary["n_runs"] > 0)
    curves = summary[shown].assign(n_train=lambda frame: frame["condition"].map(sizes))
    if curves.empty:
        raise NothingToDraw("no run is ok")
    half = half_width(curves["sd"] / np.sqrt(curves["n_runs"]), curves["n_runs"])
    return curves.assign(half_width=half).sort_values("n_train", kind="stable")


def _draw_panel(axis, part, colors):
    axis.grid()
    for method, curve in part.groupby("method", sort=False):
        low, high = curve["mean"] - curve["half_width"], curve["mean"] + curve["half_width"]
        draw_curve(axis, curve["n_train"], curve["mean"], low, high, colors[method])
    sizes = np.unique(part["n_train"])
    if _grow_by_factors(sizes):
        axis.set_xscale("log")
        axis.minorticks_off()
    axis.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axis.set_ylim(bottom=0.0)


def _grow_by_factors(sizes):
    """Return whether ascending sizes lie more evenly on a logarithmic axis."""
    steps, factors = np.diff(sizes), np.diff(np.log(sizes))
    return len(sizes) > 2 and np.ptp(factors) / factors.mean() < np.ptp(steps) / steps.mean()
