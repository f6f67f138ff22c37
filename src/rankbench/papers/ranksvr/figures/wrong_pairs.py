"""When orderings stop helping: error against the share of wrong pairs, one line per number of pairs.

One panel per method.
"""

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from rankbench.figures.curves import PAIRED, as_sentence, draw_curve, draw_note, settings
from rankbench.figures.line_labels import label_lines
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import GREY, style
from rankbench.labels import figure_label, method_labels
from rankbench.shortfalls import told_shortfalls


def draw(frames, experiment, titles):
    """Draw the mean error of each competitor as a multiple of the reference method's, against the share of wrong pairs.

    One row of panels per data set, one panel per method; more pairs are darker. The bands are 95 percent intervals,
    paired over the seeds; above the grey line at 1, orderings increase the error.

    Raises
    ------
    ValueError
        If a condition lacks one of the two.
    """
    curves, labels = told(frames["ratios"], experiment), method_labels(experiment, figure_label)
    datasets, methods = list(curves["dataset"].unique()), list(curves["method"].unique())
    numbers = sorted(curves["n_pairs"].unique())
    shades = colormaps["YlGnBu"](np.linspace(0.35, 1.0, len(numbers)))
    colors = {number: to_hex(shade) for number, shade in zip(numbers, shades)}
    names = {number: f"{number:,} pairs" for number in numbers}
    with style():
        figure = Figure(figsize=(1.0 + 2.6 * len(methods), 0.4 + 2.3 * len(datasets)), layout="constrained")
        axes = figure.subplots(len(datasets), len(methods), squeeze=False, sharex=True, sharey="row")
        for row, dataset in zip(axes, datasets):
            for axis, method in zip(row, methods):
                part = curves[(curves["dataset"] == dataset) & (curves["method"] == method)]
                _draw_panel(axis, part, colors)
                axis.set_title(f"{titles.get(dataset, dataset)}, {labels[method]}")
            row[0].set_ylabel(f"mean absolute error\n(multiple of {labels[experiment.reference_method]})")
            ends = part.assign(share=100 * part["wrong_pairs"]).groupby("n_pairs").last()
            label_lines(row[-1], ends[["share", "ratio"]], colors, names)  # after the limits of the row are known
        for axis in axes[-1]:
            axis.set_xlabel("wrong pairs (percent)")
        draw_note(figure, PAIRED, told_shortfalls(frames["ratios"], experiment, titles, figure_label))
    return figure


def describe(frames, experiment, titles):
    """For each panel, say up to which share of wrong pairs the interval is below the reference, and what bands are."""
    curves, labels, parts = told(frames["ratios"], experiment), method_labels(experiment), []
    for (dataset, method), part in curves.groupby(["dataset", "method"], sort=False):
        helped = part[part["high"] < 1].groupby("n_pairs")["wrong_pairs"].max()
        texts = [
            f"{number} pairs {f'to {100 * helped[number]:g} percent' if number in helped else 'nowhere'}"
            for number in sorted(part["n_pairs"].unique())
        ]
        parts.append(f"{titles.get(dataset, dataset)}, {labels[method]}: {', '.join(texts)}")
    reference = labels[experiment.reference_method]
    helped = (
        f"Share of wrong pairs up to which the error is significantly below that of {reference}. {'; '.join(parts)}."
    )
    return f"{helped} {as_sentence(PAIRED)}{told_shortfalls(frames['ratios'], experiment, titles)}"


def told(ratios, experiment):
    """Return the rows that have a ratio, with ``n_pairs`` and ``wrong_pairs`` of their condition, in that order."""
    told_by = {key: settings(experiment, key) for key in ("n_pairs", "wrong_pairs")}
    ratios = ratios.assign(**{key: ratios["condition"].map(values) for key, values in told_by.items()})
    if ratios["ratio"].isna().all():
        raise NothingToDraw("no two methods have runs that are ok")
    return ratios.dropna(subset="ratio").sort_values(["n_pairs", "wrong_pairs"], kind="stable")


def _draw_panel(axis, part, colors):
    axis.grid()
    axis.axhline(1.0, color=GREY, linewidth=1.0)
    for number, curve in part.groupby("n_pairs"):
        draw_curve(axis, 100 * curve["wrong_pairs"], curve["ratio"], curve["low"], curve["high"], colors[number])
    axis.set_xticks(100 * np.sort(part["wrong_pairs"].unique()))
