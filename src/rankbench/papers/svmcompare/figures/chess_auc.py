"""Test AUC of chess results, one row per model: ours on one period, the printed ones of eight years (Figure 6 of
Venuto et al.)."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from rankbench.figures.curves import draw_note
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import COLORS, GREY, OURS, PRINTED, style
from rankbench.labels import figure_label, method_labels
from rankbench.shortfalls import told_shortfalls

METRIC = "comparison_auc"
BASELINE, BASELINE_LABEL = "baseline", "one direction for all"
PRINTED_WORDS = "open diamonds: printed, the years 1999 to 2006; bar: their median"
BLUE = COLORS[0]
ABOVE = {"xycoords": "axes fraction", "textcoords": "offset points", "fontsize": 7}
DIAMOND = {key: PRINTED[key] for key in ("marker", "markerfacecolor")} | {"markersize": 3.5}


def draw(frames, experiment, titles):
    """Draw one row per model, our best on top: a dot is ours, an open diamond a printed year, a bar their median.

    Parameters
    ----------
    frames : mapping
        ``summary``, the study ``comparison_baseline`` and perhaps ``published`` (``set year model auc``).
    experiment : Experiment
    titles : mapping of str to str
        Data set key -> printed name.
    """
    ours, names = _ours(frames, experiment), {**method_labels(experiment, figure_label), BASELINE: BASELINE_LABEL}
    first = next(iter(experiment.datasets))
    order = list(ours[first].sort_values().index)
    with style():
        figure = Figure(figsize=(6.2, 0.9 + 0.34 * len(order)), layout="constrained")
        axis = figure.subplots()
        axis.grid(axis="x")
        for row, method in enumerate(order):
            known = [values[method] for values in ours.values() if method in values]
            _draw_row(axis, row, _printed(frames, method), known)
        axis.set_yticks(range(len(order)), [names[method] for method in order])
        axis.set_xlabel("test AUC, right direction")
        axis.set_ylim(-0.7, len(order) - 0.4)
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


def describe(frames, experiment, titles):
    """Describe our AUC of every model, with the median and the range of the printed years."""
    ours, labels = _ours(frames, experiment), {**method_labels(experiment), BASELINE: BASELINE_LABEL}
    parts = []
    for dataset, values in ours.items():
        cells = []
        for method, value in values.sort_values(ascending=False).items():
            printed = _printed(frames, method)
            median = f" (printed {np.median(printed):.3f}" if len(printed) else ""
            beside = f", {min(printed):.3f} to {max(printed):.3f})" if len(printed) else ""
            cells.append(f"{labels[method]} {value:.3f}{median}{beside}")
        parts.append(f"{titles.get(dataset, dataset)}: {'; '.join(cells)}")
    return f"Test AUC. {' '.join(parts)}.{told_shortfalls(frames['summary'], experiment, titles)}"


def _ours(frames, experiment):
    """Return data set -> Series of AUC by method, with the baseline."""
    summary = frames["summary"]
    summary = summary[(summary["metric"] == METRIC) & (summary["n_runs"] > 0)]
    if summary.empty or frames["comparison_baseline"].empty:
        raise NothingToDraw("no model has enough runs to be compared")
    baseline = frames["comparison_baseline"].groupby("dataset")["auc"].mean()
    return {
        dataset: pd.concat([cells.set_index("method")["mean"], baseline[[dataset]].set_axis([BASELINE])])
        for dataset, cells in summary.groupby("dataset", sort=False)
        if dataset in experiment.datasets
    }


def _printed(frames, method):
    if "published" not in frames:
        return []
    published = frames["published"]
    return published.loc[published["model"] == method, "auc"].to_list()
