"""Table 2 of Yu et al. as ratios: one panel per condition, one row per data set, each sampler's error as a multiple of
SVR's."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.figures.curves import draw_note
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import GREY, OURS, PRINTED, method_colors, style
from rankbench.labels import figure_label, method_labels
from rankbench.papers.ranksvr.printed import beside_table2
from rankbench.shortfalls import told_shortfalls

N_COLUMNS = 2
KINDS = {"standardised": "standardised targets", "raw": "raw targets", "margin01": "margin 0.1"}  # of the conditions
STEP = 0.2  # between the methods of a data set
RANGE = (0.4, 2.0)  # range of the ratios that are drawn; printed ones outside it are written at the edge
TICKS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2)


def draw(frames, experiment, titles):
    """Draw our ratios with their 95 percent intervals, paired over the runs, and the printed ones.

    Parameters
    ----------
    frames, experiment, titles
        As `rankbench.papers.ranksvr.tables.ranksvr_table2`.

    Raises
    ------
    NothingToDraw
        When no condition has a ratio.
    """
    cells, colors = _cells(frames, experiment), method_colors(experiment)
    panels = list(cells.groupby("condition", sort=False))
    n_rows = -(-len(panels) // N_COLUMNS)
    with style():
        n_sets = len(experiment.datasets)
        figure = Figure(figsize=(7.4, 0.6 + n_rows * (0.5 + 0.26 * n_sets)), layout="constrained")
        key, below = figure.subfigures(2, 1, height_ratios=(1, 8 * n_rows))
        _write_key(key, experiment, colors)
        axes = below.subplots(n_rows, N_COLUMNS, squeeze=False, sharex=True, sharey=True).ravel()
        for axis, (condition, part) in zip(axes, panels):
            _draw_panel(axis, part, experiment, colors)
            axis.set_title(_title(condition))
        axes[0].set_yticks(range(n_sets), [titles.get(name, name) for name in experiment.datasets])
        axes[0].set_ylim(n_sets - 0.5, -0.5)
        axes[0].set_xscale("log")
        axes[0].set_xlim(*RANGE)
        axes[0].set_xticks(TICKS, [f"{tick:g}" for tick in TICKS])
        for axis in axes[: len(panels)]:
            axis.minorticks_off()
        for axis in axes[len(panels) :]:
            axis.remove()
        reference = method_labels(experiment, figure_label)[experiment.reference_method]
        below.supxlabel(f"mean absolute error (multiple of {reference})", fontsize=8)
        draw_note(figure, "", told_shortfalls(frames["ratios"], experiment, titles, figure_label))
    return figure


def describe(frames, experiment, titles):
    """Describe for every condition in how many cells the interval lies below and above 1."""
    parts = []
    for condition, part in _cells(frames, experiment).groupby("condition", sort=False):
        below, above = (part["ours_ratio_high"] < 1).sum(), (part["ours_ratio_low"] > 1).sum()
        parts.append(f"{condition.replace('_', ' ')}: {below} below 1, {above} above, of {len(part)}")
    reference = method_labels(experiment)[experiment.reference_method]
    missing = told_shortfalls(frames["ratios"], experiment, titles)
    return f"95 percent intervals of the error as a multiple of that of {reference}. {'; '.join(parts)}.{missing}"


def _cells(frames, experiment):
    cells = beside_table2(frames, experiment).dropna(subset="ours_ratio")
    if cells.empty:
        raise NothingToDraw("no two methods have runs that are ok")
    return cells


def _write_key(strip, experiment, colors):
    """Name the samplers in their colours, and the two marks, in a strip above the panels."""
    labels = method_labels(experiment, figure_label)
    names = [(labels[key], colors[key]) for key in experiment.methods if key != experiment.reference_method]
    words = [*names, ("● ours, with interval", GREY), ("◇ printed (◂ outside)", GREY)]
    at = 0.02
    for word, color in words:
        strip.text(at, 0.4, word, color=color, fontweight="bold")
        at += 0.03 + 0.0105 * len(word)


def _title(condition):
    """Return the title of the panel of a condition, such as ``raw targets: best on test`` for ``raw_best_on_test``."""
    kind, _, choice = condition.partition("_")
    return f"{KINDS.get(kind, kind)}: {choice.replace('_', ' ')}" if choice else kind


def _draw_panel(axis, part, experiment, colors):
    axis.axvline(1.0, color=GREY, linewidth=1.0)
    axis.grid(axis="x")
    axis.tick_params(left=False)
    competitors = [method for method in experiment.methods if method != experiment.reference_method]
    heights = {method: STEP * (at - (len(competitors) - 1) / 2) for at, method in enumerate(competitors)}
    for row, dataset in enumerate(experiment.datasets):
        cells = part[part["dataset"] == dataset]
        for cell in cells.itertuples():
            at, color = row + heights[cell.method], colors[cell.method]
            ends = [[cell.ours_ratio - cell.ours_ratio_low], [cell.ours_ratio_high - cell.ours_ratio]]
            axis.plot(cell.published_ratio, at, color=color, linestyle="", **_mark(PRINTED))
            axis.errorbar(
                cell.ours_ratio,
                at,
                xerr=None if np.isnan(ends).any() else ends,
                color=color,
                **OURS | {"markersize": 4},
            )
        outside = cells.loc[cells["published_ratio"] < RANGE[0], "published_ratio"]
        if len(outside):
            values = dict.fromkeys(f"{value:.2f}" for value in (outside.min(), outside.max()))
            text = f"◂ {' to '.join(values)}"
            axis.text(RANGE[0] * 1.01, row, text, color=GREY, fontsize=6.5, va="center")


def _mark(options):
    """Return the options of a mark without those of its interval."""
    return {key: value for key, value in options.items() if key.startswith("marker")}
