"""The figure of Yu et al. about pairs: error against their number."""

from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, NullLocator

from rankbench.figures.curves import PAIRED, as_sentence, draw_curve, draw_note, settings
from rankbench.figures.line_labels import label_lines
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import GREY, method_colors, style
from rankbench.labels import figure_label, method_labels
from rankbench.shortfalls import told_shortfalls

N_COLUMNS = 3
WIDE_RANGE = 4.0  # largest over smallest ratio from which the axis is logarithmic
FINE_TICKS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.5, 2, 3)
COARSE_TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
FEW_PANELS = 6


def draw_pair_curves(frames, experiment, titles):
    """Error against the number of ordered pairs.

    One panel per data set, one line per method with the interval of its mean.

    Draw the mean error of each competitor as a multiple of the reference method's, against ``n_pairs``.

    The bands are 95 percent intervals, paired over the seeds. The reference is the grey line at 1. Conditions that
    have another share of wrong pairs, or another parameter, have panels of their own.

    Raises
    ------
    ValueError
        If a condition has no ``n_pairs``.
    """
    curves = _curves(frames["ratios"], experiment)
    panels = list(curves.groupby(["variant", "dataset"], sort=False))
    colors = method_colors(experiment)
    names = method_labels(experiment, figure_label)
    n_columns = 2 if len(panels) == 4 else min(N_COLUMNS, len(panels))
    sharey = len(experiment.datasets) == 1  # panels of one data set share limits, so that they can be compared
    n_rows = -(-len(panels) // n_columns)
    wide = curves["ratio"].max() > WIDE_RANGE * curves["ratio"].min()
    with style():
        figure = Figure(figsize=(0.6 + 2.6 * n_columns, 0.4 + 2.2 * n_rows), layout="constrained")
        axes = figure.subplots(n_rows, n_columns, squeeze=False, sharex=True, sharey=sharey).ravel()
        for at, (axis, ((variant, dataset), part)) in enumerate(zip(axes, panels)):
            _draw_numbers(axis, part, colors, wide)
            axis.set_title(", ".join(filter(None, [titles.get(dataset, dataset), variant])))
            if at + n_columns >= len(panels):
                axis.tick_params(labelbottom=True)
                axis.set_xlabel("ordered pairs")
            if at % n_columns == 0:
                reference = names[experiment.reference_method]
                axis.set_ylabel(f"mean absolute error\n(multiple of {reference})")
        for at, (axis, (_, part)) in enumerate(zip(axes, panels)):  # after the limits, which panels share, are known
            if at % n_columns == n_columns - 1 or at == len(panels) - 1:
                label_lines(axis, part.groupby("method", sort=False).last()[["n_pairs", "ratio"]], colors, names)
        for axis in axes[len(panels) :]:
            axis.remove()
        draw_note(figure, PAIRED, told_shortfalls(frames["ratios"], experiment, titles, figure_label))
    return figure


def describe_pair_curves(frames, experiment, titles):
    """Describe what each method reaches with the most pairs, in each panel or, if there are many, how often it has the
    least error; and what the bands are."""
    curves = _curves(frames["ratios"], experiment)
    most = curves[curves["n_pairs"] == curves["n_pairs"].max()]
    labels, parts = method_labels(experiment), []
    if most.groupby(["variant", "dataset"]).ngroups > FEW_PANELS:
        for variant, part in most.groupby("variant", sort=False):
            best = part.loc[part.groupby("dataset", sort=False)["ratio"].idxmin(), "method"].value_counts()
            counts = ", ".join(f"{labels[method]} {best.get(method, 0)}" for method in part["method"].unique())
            parts.append(
                f"{variant}{', ' * bool(variant)}lowest on so many of {part['dataset'].nunique()} data sets: {counts}"
            )
    else:
        for (variant, dataset), part in most.groupby(["variant", "dataset"], sort=False):
            values = ", ".join(f"{labels[cell.method]} {cell.ratio:.3f}" for cell in part.itertuples())
            parts.append(f"{', '.join(filter(None, [titles.get(dataset, dataset), variant]))}: {values}")
    reference = labels[experiment.reference_method]
    reached = (
        f"A curve per sampler: its error divided by that of {reference}, against the number of ordered pairs. With "
        f"{curves['n_pairs'].max()} pairs, {'; '.join(parts)}."
    )
    return f"{reached} {as_sentence(PAIRED)}{told_shortfalls(frames['ratios'], experiment, titles)}"


def _curves(ratios, experiment):
    """Return the rows that have a ratio, with ``n_pairs`` and ``variant`` of their condition, in the order drawn."""
    conditions, n_pairs = experiment.conditions, settings(experiment, "n_pairs")
    if ratios["ratio"].isna().all():
        raise NothingToDraw("no two methods have successful runs")
    told_wrong = any(conditions[name].wrong_pairs for name in ratios["condition"].unique())
    variants = {name: _variant(condition, told_wrong) for name, condition in conditions.items()}
    first = {variant: at for at, variant in reversed([*enumerate(variants.values())])}
    place = {name: at for at, name in enumerate(experiment.datasets)}
    names = ratios["condition"]
    curves = ratios.assign(n_pairs=names.map(n_pairs), variant=names.map(variants), place=ratios["dataset"].map(place))
    curves["first"] = curves["variant"].map(first)
    return curves.dropna(subset="ratio").sort_values(["first", "place", "n_pairs"], kind="stable")


def _variant(condition, told_wrong):
    """Describe what a condition changes other than the number of pairs."""
    changed = [f"{name} {value}" for name, value in condition.params.items()]
    return ", ".join([f"{condition.wrong_pairs or 0.0:.0%} wrong"] * told_wrong + changed)


def _draw_numbers(axis, part, colors, wide):
    axis.grid()
    axis.axhline(1.0, color=GREY, linewidth=1.0)
    for method, curve in part.groupby("method", sort=False):
        draw_curve(axis, curve["n_pairs"], curve["ratio"], curve["low"], curve["high"], colors[method])
    axis.set_xscale("log")
    ticks = sorted(part["n_pairs"].unique())
    axis.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    if wide:
        _log_scale(axis, part)
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_minor_formatter(NullFormatter())


def _log_scale(axis, part):
    """Make the axis of the ratios logarithmic, a little wider than the values of this panel."""
    low = 0.9 * min(part["ratio"].min(), 0.9)
    high = 1.1 * max(part["ratio"].max(), 1.0)
    ticks = FINE_TICKS if high < WIDE_RANGE * low else COARSE_TICKS
    shown = [tick for tick in ticks if low <= tick <= high]
    axis.set_yscale("log", nonpositive="clip")
    axis.set_ylim(low, high)
    axis.set_yticks(shown, [f"{tick:g}" for tick in shown])
    axis.yaxis.set_minor_locator(NullLocator())
