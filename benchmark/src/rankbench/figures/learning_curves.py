"""Test metric against training size.

One panel per data set and metric, one line per method with the interval of its mean.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from rankbench.configuration.labels import figure_label, method_labels, metric_label, sign_of
from rankbench.statistics.shortfalls import told_shortfalls

from .curves import (
    OVER_SEEDS,
    as_sentence,
    curves_over,
    draw_curves,
    draw_note,
    name_curves,
    panels,
    settings,
    who_is_best,
)
from .style import method_colors

WIDE_RANGE = 4.0  # largest over smallest value from which the ticks of a logarithmic axis are 1, 2, 5, 10
BEYOND = 1.2  # bands are cut off at so many times the largest mean, and at the smallest mean divided by it
LINE = 0.22  # inches for the name of a method


def draw_learning_curves(frames, experiment, titles):
    """Draw the mean of each method over its seeds against ``n_train`` of the condition, with 95 percent t intervals.

    Raises
    ------
    ValueError
        If a condition has no ``n_train``.
    """
    curves, metrics = _curves(frames["summary"], experiment)
    parts = dict(list(curves.groupby(["dataset", "metric"], sort=False)))
    wide = max(len(metrics), min(2, len(parts)))
    colors, names = method_colors(experiment), method_labels(experiment, figure_label)
    n_methods = curves["method"].nunique()
    figure = Figure(figsize=_size(len(parts), wide, len(metrics), n_methods), layout="constrained")
    figure.get_layout_engine().set(wspace=0.05)
    axes = panels(figure, len(parts), wide)
    for axis, ((dataset, metric), part) in zip(axes, parts.items(), strict=True):
        _draw_panel(axis, part, colors, metric)
        axis.set_ylabel(metric_label(metric))
        if metric == metrics[0]:
            axis.set_title(titles.get(dataset, dataset))
    for axis in axes[-wide:]:
        axis.set_xlabel("training examples")
    draw_note(figure, _note(curves), told_shortfalls(frames["summary"], experiment, titles, figure_label))
    for axis, ((_, metric), part) in zip(axes, parts.items(), strict=True):
        if metric == metrics[-1]:
            name_curves(axis, part, "x", "mean", colors, names)
    return figure


def _note(curves):
    """Return what the bands are, which one seed does not have."""
    return OVER_SEEDS if curves["n_runs"].max() > 1 else "one seed"


def describe_learning_curves(frames, experiment, titles):
    """Describe the panels, which method is best at the largest training size, and what the bands are."""
    curves, metrics = _curves(frames["summary"], experiment)
    note = _note(curves)
    at_end = curves[curves["x"] == curves.groupby("dataset")["x"].transform("max")]
    with_runs = " with runs" * bool(at_end["x"].max() < max(settings(experiment, "n_train").values()))
    parts = [
        f"{metric_label(metric)}: {who_is_best(part, metric, method_labels(experiment), titles)}"
        for metric, part in at_end.groupby("metric", sort=False)
    ]
    each = "one panel per data set" + " and metric" * (len(metrics) > 1)
    missing = told_shortfalls(frames["summary"], experiment, titles)
    return (
        f"A curve per method against the number of training examples, {each}. Best at the largest size{with_runs} by "
        f"{', and by '.join(parts)}. {as_sentence(note)}{missing}"
    )


def _curves(summary, experiment):
    """Return the `curves_over` the training sizes of the first two metrics, and these."""
    curves, metrics = curves_over(summary, experiment, settings(experiment, "n_train")), experiment.metrics[:2]
    return curves[curves["metric"].isin(metrics)], metrics


def _size(n_panels, wide, n_metrics, n_methods):
    """Return width and height in inches: each panel with names beside it is wider, and high enough for the names."""
    named = wide // n_metrics
    return 3.4 * wide + 1.4 * named, 0.4 + max(2.5, 0.4 + LINE * n_methods) * -(-n_panels // wide)


def _draw_panel(axis, part, colors, metric):
    draw_curves(axis, part, "x", "mean", colors)
    sizes = np.unique(part["x"])
    if _grow_by_factors(sizes):
        axis.set_xscale("log")
        axis.minorticks_off()
    axis.set_xticks(sizes, [f"{size:,}" for size in sizes])
    if sign_of(metric) > 0 and part["mean"].min() > 0:
        _log_errors(axis, part)


def _log_errors(axis, part):
    """Make the axis of errors logarithmic: where all methods improve with the size, near ones are still apart."""
    bottom = np.fmax(part["low"].min(), part["mean"].min() / BEYOND)  # of single runs no band is known
    top = np.fmin(part["high"].max(), part["mean"].max() * BEYOND)
    axis.set_yscale("log", nonpositive="clip")
    axis.minorticks_off()
    axis.set_ylim(bottom / 1.02, top * 1.02)
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)) if top > WIDE_RANGE * bottom else MaxNLocator(6))
    in_full = {"precision": 6, "fractional": False, "trim": "-"}  # at most six digits, and never in powers of ten
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, at: np.format_float_positional(value, **in_full)))


def _grow_by_factors(sizes):
    """Return whether ascending sizes lie more evenly on a logarithmic axis."""
    steps, factors = np.diff(sizes), np.diff(np.log(sizes))
    return len(sizes) > 2 and np.ptp(factors) / factors.mean() < np.ptp(steps) / steps.mean()
