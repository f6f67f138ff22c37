"""How far each method is behind the best one, with its 95 percent interval: one panel per data set and metric."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.configuration.labels import figure_label, join, method_labels, metric_label, shown
from rankbench.statistics.shortfalls import incomplete, told_shortfalls

from ..statistics.best import asked_cells, by_rank
from .method_rows import frame_rows
from .nothing import NothingToDraw
from .style import GREY, OURS, method_colors


def draw_best(frames, experiment, titles):
    """Draw the panels for the last condition, the best method first."""
    panels = list(_asked(frames, experiment).groupby(["dataset", "metric"], sort=False))
    height = 0.6 + sum(0.45 + 0.22 * len(part) for _, part in panels)
    figure = Figure(figsize=(7.2, height), layout="constrained")
    axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=[len(part) + 1 for _, part in panels])[:, 0]
    for axis, ((dataset, metric), part) in zip(axes, panels, strict=True):
        _draw_panel(axis, by_rank(part), experiment)
        axis.set_title(f"{titles.get(dataset, dataset)}: {metric_label(metric)}")
    n_train = list(experiment.conditions.values())[-1].n_train
    at = f" at {n_train} training rows" if n_train else ""
    axes[-1].set_xlabel(
        f"behind the best{at}: mean and 95 percent interval (all of a panel together)\nat the right edge: the means"
    )
    return figure


def describe_best(frames, experiment, titles):
    """Return a text: what is drawn, and which methods are not clearly worse than the best."""
    labels, texts = method_labels(experiment), []
    for dataset, part in _asked(frames, experiment).groupby("dataset", sort=False):
        near = [labels[method] for method in part.loc[part["verdict"] == "not clearly worse", "method"]]
        best = ", ".join(labels[method] for method in part.loc[part["verdict"] == "best", "method"])
        also = f"; not clearly worse: {join(near)}" if near else ""
        missing = told_shortfalls(part, experiment, titles)
        texts.append(f"{titles.get(dataset, dataset)}: how far each method is behind the best, {best}{also}.{missing}")
    return " ".join(texts)


def _asked(frames, experiment):
    """Return the rows about the first metric and the last condition."""
    cells = asked_cells(frames["best"], experiment)
    cells = cells[cells["metric"] == experiment.metrics[0]]
    if not cells["n_runs"].sum():
        raise NothingToDraw("no method has enough runs to be compared")
    return cells


def _draw_panel(axis, part, experiment):
    colors, labels = method_colors(experiment), method_labels(experiment, figure_label)
    axis.axvline(0.0, color=GREY, linewidth=0.8)
    for row, cell in enumerate(part.itertuples()):
        color, place = colors[cell.method], {"xycoords": ("axes fraction", "data"), "va": "center"}
        if cell.n_runs:
            half = np.nan_to_num(cell.high - cell.difference)
            axis.errorbar(cell.difference, row, xerr=half, color=color, **OURS)
            axis.annotate(shown(cell.mean, cell.metric, least=3), (1.0, row), ha="right", **place)
        else:
            axis.annotate(incomplete(cell), (0.02, row), color=color, **place)
    frame_rows(axis, [labels[method] for method in part["method"]])
    axis.margins(x=0.12)
