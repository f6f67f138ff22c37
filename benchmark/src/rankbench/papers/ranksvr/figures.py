"""Figures of Yu et al.: curves over one input, Table 2 as ratios, error against the number of pairs."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from rankbench.configuration.labels import figure_label, method_labels
from rankbench.figures.curves import PAIRED, as_sentence, draw_curves, draw_note, factors, name_curves, panels, settings
from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import COLORS, GREY, MARKS, OURS, PRINTED, method_colors
from rankbench.papers.ranksvr.printed import beside_table2
from rankbench.statistics.shortfalls import told_shortfalls

TITLES = {
    "fig1_few": "Figure 1a: 3 random pairs",
    "fig1_many": "Figure 1b: 10 random pairs",
    "fig2_long": "Figure 2a: 3 long pairs",
    "fig2_short": "Figure 2b: 3 short pairs",
    "fig3_dense": "Figure 3, all 5 in one region",
    "fig3_spread": "Figure 3, 5 spread out",
}
CURVES = {
    "target": ("black", "target", 1.0),
    "svr": (COLORS[0], "SVR", 1.4),
    "ranksvr": (COLORS[1], "RankSVR", 1.8),
}


def draw_one_dimension(frames, experiment, titles):
    """Figures 1 to 3 of Yu et al.: target, SVR and RankSVR over one input, and what many draws say about each panel.

    Draw one panel per scene: the three curves of one draw, its points and its pairs; above it the mean errors.

    Parameters
    ----------
    frames : mapping
        The frames of the studies, with the scenes of `TITLES`.
    experiment, titles
        `experiment` gives the margin of the curves; `titles` is not used.
    """
    curves, errors = frames["one_dimension_curves"], frames["one_dimension_errors"]
    margin = experiment.studies["one_dimension_curves"]["margin"]
    figure = Figure(figsize=(6.8, 7.2), layout="constrained")
    key, below = figure.subfigures(2, 1, height_ratios=(1, 30))
    _name_curves(key)
    axes = below.subplots(3, 2, sharex=True, sharey=True).ravel()
    for axis, (scene, title) in zip(axes, TITLES.items()):
        _draw_scene(axis, curves[curves["scene"] == scene])
        svr, ranksvr, n = _mean_errors(errors, scene, margin)
        axis.set_title(title, pad=16)
        axis.text(0, 1.02, f"mean error of {n} draws: SVR {svr:.2f}, RankSVR {ranksvr:.2f}", transform=axis.transAxes)
    for axis in axes[-2:]:
        axis.set_xlabel("input")
    for axis in axes[::2]:
        axis.set_ylabel("target (standard deviations)")
    return figure


def describe_one_dimension(frames, experiment, titles):
    """Describe the mean errors of every panel."""
    margin = experiment.studies["one_dimension_curves"]["margin"]
    parts = []
    for scene, title in TITLES.items():
        svr, ranksvr, _ = _mean_errors(frames["one_dimension_errors"], scene, margin)
        parts.append(f"{title}: {svr:.2f} without, {ranksvr:.2f} with pairs")
    number = experiment.studies["one_dimension_curves"]["draw"]
    return (
        f"The curves are draw {number}, with a margin of {margin:g} standard deviations of the target. "
        f"Mean absolute error over all draws: {'; '.join(parts)}."
    )


def _mean_errors(errors, scene, margin):
    part = errors[(errors["scene"] == scene) & (errors["margin"] == margin)]
    return part["svr_error"].mean(), part["ranksvr_error"].mean(), len(part)


def _draw_scene(axis, part):
    for kind, (color, _, width) in CURVES.items():
        curve = part[part["kind"] == kind]
        axis.plot(curve["x"], curve["y"], color=color, linewidth=width)
    for _, pair in part[part["kind"] == "pair"].groupby("number"):
        axis.plot(pair["x"], pair["y"], color=GREY, linewidth=0.8, marker="o", markersize=3.5, zorder=3)
    points = part[part["kind"] == "point"]
    axis.plot(points["x"], points["y"], "s", color="black", markersize=5, markerfacecolor="white", zorder=4)


def _name_curves(strip):
    """Name what all panels draw, each in its colour, in a strip above them."""
    words = [(name, color) for color, name, _ in CURVES.values()]
    words += [("□ known target", "black"), ("●–● ordered pair, at its true heights", GREY)]
    for (word, color), at in zip(words, (0.08, 0.18, 0.27, 0.43, 0.62)):
        strip.text(at, 0.4, word, color=color, va="center", fontweight="bold")


N_COLUMNS = 2
KINDS = {"standardised": "standardised targets", "raw": "raw targets", "margin01": "margin 0.1"}  # of the conditions
SIGNS = {"o": "●", "s": "■", "^": "▲", "v": "▼", "P": "✚", "X": "✖", "<": "◀", ">": "▶"}  # of marks, in the key
STEP = 0.2  # between the methods of a data set
RANGE = (0.4, 2.0)  # range of the ratios that are drawn; printed ones outside it are written at the edge
TICKS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2)


def draw_error_ratios(frames, experiment, titles):
    """Table 2 of Yu et al. as ratios: one panel per condition, one row per data set, each sampler's error as a multiple
    of SVR's.

    Draw our ratios with their 95 percent intervals, paired over the runs, and the printed ones.

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
    parts = dict(list(cells.groupby("condition", sort=False)))
    n_rows, n_sets = -(-len(parts) // N_COLUMNS), len(experiment.datasets)
    figure = Figure(figsize=(7.4, 0.6 + n_rows * (0.5 + 0.26 * n_sets)), layout="constrained")
    key, below = figure.subfigures(2, 1, height_ratios=(1, 8 * n_rows))
    _write_key(key, experiment, colors)
    axes = panels(below, len(parts), N_COLUMNS, sharex=True, sharey=True)
    for axis, (condition, part) in zip(axes, parts.items()):
        _draw_ratios(axis, part, experiment, colors)
        axis.set_title(_title(condition))
    axes[0].set_yticks(range(n_sets), [titles.get(name, name) for name in experiment.datasets])
    factors(axes[0], TICKS)
    axes[0].set(xlim=RANGE, ylim=(n_sets - 0.5, -0.5))
    reference = method_labels(experiment, figure_label)[experiment.reference_method]
    below.supxlabel(f"mean absolute error (multiple of {reference})", fontsize=8)
    draw_note(figure, "", told_shortfalls(frames["ratios"], experiment, titles, figure_label))
    return figure


def describe_error_ratios(frames, experiment, titles):
    """Describe for every condition in how many cells the interval lies below and above 1."""
    parts = []
    for condition, part in _cells(frames, experiment).groupby("condition", sort=False):
        below, above = (part["ours_ratio_high"] < 1).sum(), (part["ours_ratio_low"] > 1).sum()
        parts.append(f"{_title(condition)} {below} and {above} of {len(part)}")
    reference = method_labels(experiment)[experiment.reference_method]
    missing = told_shortfalls(frames["ratios"], experiment, titles)
    return (
        f"One panel per condition, one row per data set: the error of each sampler divided by that of {reference}, "
        f"with its interval. Intervals below and above 1: {'; '.join(parts)}.{missing}"
    )


def _cells(frames, experiment):
    cells = beside_table2(frames, experiment).dropna(subset="ours_ratio")
    if cells.empty:
        raise NothingToDraw("no two methods have successful runs")
    return cells


def _write_key(strip, experiment, colors):
    """Name the samplers with their colours and marks, and ours and the printed, in a strip above the panels."""
    labels = method_labels(experiment, figure_label)
    competitors = [key for key in experiment.methods if key != experiment.reference_method]
    names = [(f"{SIGNS[MARKS[colors[key]]]} {labels[key]}", colors[key]) for key in competitors]
    words = [*names, ("filled: ours", GREY), ("◇ printed (◂ outside)", GREY)]
    at = 0.0
    for word, color in words:
        strip.text(at, 0.4, word, color=color, fontweight="bold")
        at += 0.03 + 0.0105 * len(word)


def _title(condition):
    """Return the title of the panel of a condition, such as ``raw targets: best on test`` for ``raw_best_on_test``."""
    kind, _, choice = condition.partition("_")
    return f"{KINDS.get(kind, kind)}: {choice.replace('_', ' ')}" if choice else kind


def _draw_ratios(axis, part, experiment, colors):
    axis.axvline(1.0, color=GREY, linewidth=1.0)
    axis.grid(axis="x")
    axis.tick_params(left=False)
    mark = {key: value for key, value in PRINTED.items() if key.startswith("marker")}
    competitors = [method for method in experiment.methods if method != experiment.reference_method]
    heights = {method: STEP * (at - (len(competitors) - 1) / 2) for at, method in enumerate(competitors)}
    for row, dataset in enumerate(experiment.datasets):
        cells = part[part["dataset"] == dataset]
        for cell in cells.itertuples():
            at, color = row + heights[cell.method], colors[cell.method]
            ends = [[cell.ours_ratio - cell.ours_ratio_low], [cell.ours_ratio_high - cell.ours_ratio]]
            axis.plot(cell.published_ratio, at, color=color, linestyle="", **mark)
            axis.errorbar(
                cell.ours_ratio,
                at,
                xerr=None if np.isnan(ends).any() else ends,
                color=color,
                **OURS | {"markersize": 4, "marker": MARKS[color]},
            )
        outside = cells.loc[cells["published_ratio"] < RANGE[0], "published_ratio"]
        if len(outside):
            values = dict.fromkeys(f"{value:.2f}" for value in (outside.min(), outside.max()))
            text = f"◂ {' to '.join(values)}"
            axis.text(RANGE[0] * 1.01, row, text, color=GREY, fontsize=6.5, va="center")


MOST_COLUMNS = 3
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
    curves = _curves(frames["ratios"], experiment, titles)
    parts = dict(list(curves.groupby("panel", sort=False)))
    colors, names = method_colors(experiment), method_labels(experiment, figure_label)
    n_columns = 2 if len(parts) == 4 else min(MOST_COLUMNS, len(parts))
    n_rows = -(-len(parts) // n_columns)
    sharey = len(experiment.datasets) == 1  # panels of one data set share limits, so that they can be compared
    wide = curves["ratio"].max() > WIDE_RANGE * curves["ratio"].min()
    figure = Figure(figsize=(0.6 + 2.6 * n_columns, 0.4 + 2.2 * n_rows), layout="constrained")
    axes = panels(figure, len(parts), n_columns, sharex=True, sharey=sharey)
    for axis, (panel, part) in zip(axes, parts.items()):
        _draw_numbers(axis, part, colors, wide)
        axis.set_title(panel)
    for axis in axes[-n_columns:]:
        axis.tick_params(labelbottom=True)
        axis.set_xlabel("ordered pairs")
    for axis in axes[::n_columns]:
        axis.set_ylabel(f"mean absolute error\n(multiple of {names[experiment.reference_method]})")
    for at, (axis, part) in enumerate(zip(axes, parts.values()), 1):  # when the limits, which panels share, are known
        if at % n_columns == 0 or at == len(parts):
            name_curves(axis, part, "n_pairs", "ratio", colors, names)
    draw_note(figure, PAIRED, told_shortfalls(frames["ratios"], experiment, titles, figure_label))
    return figure


def describe_pair_curves(frames, experiment, titles):
    """Describe what each method reaches with the most pairs, in each panel or, if there are many, how often it has the
    least error; and what the bands are."""
    curves = _curves(frames["ratios"], experiment, titles)
    most = curves[curves["n_pairs"] == curves["n_pairs"].max()]
    labels, parts = method_labels(experiment), []
    if most["panel"].nunique() > FEW_PANELS:
        for variant, part in most.groupby("variant", sort=False):
            best = part.loc[part.groupby("dataset", sort=False)["ratio"].idxmin(), "method"].value_counts()
            counts = ", ".join(f"{labels[method]} {best.get(method, 0)}" for method in part["method"].unique())
            parts.append(
                f"{variant}{', ' * bool(variant)}lowest on so many of {part['dataset'].nunique()} data sets: {counts}"
            )
    else:
        for panel, part in most.groupby("panel", sort=False):
            values = ", ".join(f"{labels[cell.method]} {cell.ratio:.3f}" for cell in part.itertuples())
            parts.append(f"{panel}: {values}")
    reference = labels[experiment.reference_method]
    reached = (
        f"A curve per sampler: its error divided by that of {reference}, against the number of ordered pairs. With "
        f"{curves['n_pairs'].max()} pairs, {'; '.join(parts)}."
    )
    return f"{reached} {as_sentence(PAIRED)}{told_shortfalls(frames['ratios'], experiment, titles)}"


def _curves(ratios, experiment, titles):
    """Return the rows that have a ratio, in the order drawn, with ``n_pairs``, the ``variant`` of their condition, and
    the title of their ``panel``."""
    if ratios["ratio"].isna().all():
        raise NothingToDraw("no two methods have successful runs")
    told_wrong = any(experiment.conditions[name].wrong_pairs for name in ratios["condition"].unique())
    variants = {name: _variant(condition, told_wrong) for name, condition in experiment.conditions.items()}
    curves = ratios.dropna(subset="ratio")
    n_pairs, variant = (curves["condition"].map(of) for of in (settings(experiment, "n_pairs"), variants))
    panel = curves["dataset"].map(lambda name: titles.get(name, name)) + (", " + variant).where(variant != "", "")
    order = [n_pairs, curves["dataset"].map([*experiment.datasets].index), variant.map([*variants.values()].index)]
    return curves.assign(n_pairs=n_pairs, variant=variant, panel=panel).iloc[np.lexsort(order)]


def _variant(condition, told_wrong):
    """Describe what a condition changes other than the number of pairs."""
    changed = [f"{name} {value}" for name, value in condition.params.items()]
    return ", ".join([f"{condition.wrong_pairs or 0.0:.0%} wrong"] * told_wrong + changed)


def _draw_numbers(axis, part, colors, wide):
    axis.axhline(1.0, color=GREY, linewidth=1.0)
    draw_curves(axis, part, "n_pairs", "ratio", colors)
    factors(axis, sorted(part["n_pairs"].unique()))
    if wide:
        _log_scale(axis, part)


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
