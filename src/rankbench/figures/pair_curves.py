"""Error against the number of ordered pairs: a panel a data set, a line a method with the interval of its mean."""

from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator

from rankbench.labels import figure_label, method_labels

from .line_labels import label_lines
from .nothing import NothingToDraw
from .style import GREY, method_colors, style

NEEDS = ("ratios",)
N_COLUMNS = 3


def draw(frames, experiment, titles):
    """Draw the mean error of each competitor as a multiple of the reference method's, against ``n_pairs``.

    The bands are 95 percent intervals, paired over the seeds. The reference is the grey line at 1. Conditions that
    tell different shares of wrong pairs have panels of their own.

    Parameters
    ----------
    frames : mapping
        ``ratios``, the statistic of that name.
    experiment : mapping
        Every condition must set ``n_pairs``.
    titles : mapping of str to str
        Data set key -> printed name.

    Raises
    ------
    ValueError
        If a condition has no ``n_pairs``.
    """
    curves = _curves(frames["ratios"], experiment)
    panels = list(curves.groupby(["dataset", "wrong"], sort=False))
    colors, names = method_colors(experiment), method_labels(experiment, figure_label)
    n_columns = 2 if len(panels) == 4 else min(N_COLUMNS, len(panels))
    sharey = len(experiment["datasets"]) == 1  # panels of one data set are there to be compared
    n_rows = -(-len(panels) // n_columns)
    with style():
        figure = Figure(figsize=(0.6 + 2.6 * n_columns, 0.4 + 2.2 * n_rows), layout="constrained")
        axes = figure.subplots(n_rows, n_columns, squeeze=False, sharex=True, sharey=sharey).ravel()
        for at, (axis, ((dataset, wrong), part)) in enumerate(zip(axes, panels)):
            _draw_panel(axis, part, colors)
            axis.set_title(titles.get(dataset, dataset) + (f", {wrong:.0%} wrong" if curves["wrong"].any() else ""))
            if at + n_columns >= len(panels):
                axis.tick_params(labelbottom=True)
                axis.set_xlabel("ordered pairs")
            if at % n_columns == 0:
                reference = names[experiment["reference_method"]]
                axis.set_ylabel(f"mean absolute error\n(multiple of {reference})")
        for at, (axis, (_, part)) in enumerate(zip(axes, panels)):  # when the limits, which panels share, are settled
            if at % n_columns == n_columns - 1 or at == len(panels) - 1:
                label_lines(axis, part.groupby("method", sort=False).last()[["n_pairs", "ratio"]], colors, names)
        for axis in axes[len(panels) :]:
            axis.remove()
    return figure


def describe(frames, experiment, titles):
    """Say in one sentence what each method reaches with the most pairs."""
    curves = _curves(frames["ratios"], experiment)
    most = curves[curves["n_pairs"] == curves["n_pairs"].max()]
    parts = []
    for (dataset, wrong), part in most.groupby(["dataset", "wrong"], sort=False):
        values = ", ".join(
            f"{experiment['methods'][cell.method]['label']} {cell.ratio:.3f}" for cell in part.itertuples()
        )
        told = f", {wrong:.0%} of the pairs wrong" if curves["wrong"].any() else ""
        parts.append(f"{titles.get(dataset, dataset)}{told}: {values}")
    reference = experiment["methods"][experiment["reference_method"]]["label"]
    return f"Error as a multiple of that of {reference}, with {curves['n_pairs'].max()} pairs. {'; '.join(parts)}."


def _curves(ratios, experiment):
    """Return the rows that have a ratio, with ``n_pairs`` and ``wrong`` of their condition, in that order."""
    conditions = experiment["conditions"]
    without = [name for name, condition in conditions.items() if "n_pairs" not in condition]
    if without:
        raise ValueError(f"conditions must set n_pairs to be drawn as pair curves, got none in {without}")
    n_pairs = {name: condition["n_pairs"] for name, condition in conditions.items()}
    wrong = {name: condition.get("wrong_pairs", 0.0) for name, condition in conditions.items()}
    if ratios["ratio"].isna().all():
        raise NothingToDraw("no two methods have runs that are ok")
    curves = ratios.assign(n_pairs=ratios["condition"].map(n_pairs), wrong=ratios["condition"].map(wrong))
    place = {name: at for at, name in enumerate(experiment["datasets"])}
    order = curves["dataset"].map(place)
    return curves.dropna(subset="ratio").assign(place=order).sort_values(["place", "wrong", "n_pairs"], kind="stable")


def _draw_panel(axis, part, colors):
    axis.grid()
    axis.axhline(1.0, color=GREY, linewidth=1.0)
    for method, curve in part.groupby("method", sort=False):
        band = curve.dropna(subset=["low", "high"])
        axis.fill_between(band["n_pairs"], band["low"], band["high"], color=colors[method], alpha=0.12, linewidth=0)
        axis.plot(curve["n_pairs"], curve["ratio"], color=colors[method], linewidth=1.6, marker="o", markersize=2.5)
    axis.set_xscale("log")
    ticks = sorted(part["n_pairs"].unique())
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_minor_formatter(NullFormatter())
