"""Errors of ranks on one data set, with the numbers that Shashua and Levin print.

One panel per metric, one row per method.
"""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rankbench.figures.curves import draw_note
from rankbench.figures.method_rows import draw_rows, name_rows
from rankbench.figures.style import style
from rankbench.intervals import half_width
from rankbench.labels import method_labels, metric_label
from rankbench.shortfalls import told_shortfalls

# How they name them. They do not say which of the two policies is their "large margin ranking".
PRINTED_METHODS = {
    "fixed_margin": "large_margin_ranking",
    "sum_of_margins": "large_margin_ranking",
    "kernel_prank": "prank",
    "multiclass_svm": "pairwise_multiclass_svm",
}
PRINTED_METRICS = {"zero_one": ("test_error_pct", 0.01), "mean_absolute_error": ("mean_abs_rank_error", 1.0)}


def draw(frames, experiment, titles):
    """Draw our means with their 95 percent t intervals and the printed values; parameters as in `rankbench.tables`.

    Raises
    ------
    ValueError
        If the experiment has several data sets or conditions.
    """
    (dataset,) = _the_only(experiment, "datasets")
    _the_only(experiment, "conditions")
    cells, methods, metrics = with_printed(frames), list(experiment.methods), list(experiment.metrics)
    with style():
        figure = Figure(figsize=(1.4 + 2.9 * len(metrics), 0.9 + 0.32 * len(methods)), layout="constrained")
        axes = figure.subplots(1, len(metrics), squeeze=False)[0]
        for axis, metric in zip(axes, metrics, strict=True):
            panel = cells[cells["metric"] == metric].set_index("method").loc[methods]
            draw_rows(axis, panel, experiment)
            axis.set_xlim(left=0.0)
            axis.xaxis.set_major_locator(MaxNLocator(nbins=6))
            axis.set_xlabel(metric_label(metric))
        name_rows(axes[:1], experiment)
        figure.suptitle(titles.get(dataset, dataset), x=0.01, ha="left", fontsize=9, fontweight="bold")
        note = "dot: ours, mean and its 95 percent interval\nopen diamond: printed by the paper, on its own pictures"
        draw_note(figure, note)
    return figure


def describe(frames, experiment, titles):
    """Describe every mean of ours and, in brackets, the printed value."""
    labels, parts = method_labels(experiment), []
    for metric, cells in with_printed(frames).groupby("metric", sort=False):
        values = [
            f"{labels[cell.method]} {cell.ours_mean:.3f}"
            + ("" if np.isnan(cell.published_mean) else f" ({cell.published_mean:g})")
            for cell in cells[cells["n_runs"] > 0].itertuples()
        ]
        parts.append(f"{metric_label(metric)}: {', '.join(values)}")
    (dataset,) = _the_only(experiment, "datasets")
    return (
        f"{titles.get(dataset, dataset)}, means of ours (in brackets the paper's on its own data). {'; '.join(parts)}."
        f"{told_shortfalls(frames['summary'], experiment, titles)}"
    )


def with_printed(frames):
    """Return the summary with the columns of `draw_rows`; ``published_mean`` is NaN where nothing is printed."""
    summary, published = frames["summary"], frames.get("published")
    half = half_width(summary["sd"] / np.sqrt(summary["n_runs"]), summary["n_runs"])
    known = {}
    if published is not None:
        vehicle = published[published["experiment"] == "vehicle_type"]
        known = vehicle.set_index(["method", "metric"])["value"].to_dict()
    printed = []
    for method, metric in zip(summary["method"], summary["metric"], strict=True):
        name, unit = PRINTED_METRICS.get(metric, ("", np.nan))
        printed.append(known.get((PRINTED_METHODS.get(method), name), np.nan) * unit)
    return summary.assign(ours_mean=summary["mean"], ours_half=half, published_mean=printed, published_half=np.nan)


def _the_only(experiment, kind):
    names = [*getattr(experiment, kind)]
    if len(names) != 1:
        raise ValueError(f"{kind} must hold exactly one to be drawn beside the printed values, got {names}")
    return names
