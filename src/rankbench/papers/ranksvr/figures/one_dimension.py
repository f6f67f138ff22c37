"""Figures 1 to 3 of Yu et al.: target, SVR and RankSVR over one input, and what many draws say about each panel."""

from matplotlib.figure import Figure

from rankbench.figures.style import COLORS, GREY, style

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


def draw(frames, experiment, titles):
    """Draw one panel per scene: the three curves of one draw, its points and its pairs; above it the mean errors.

    Parameters
    ----------
    frames : mapping
        The frames of the studies `NEEDS`, with the scenes of `TITLES`.
    experiment, titles
        `experiment` gives the margin of the curves; `titles` is not used.
    """
    curves, errors = frames["one_dimension_curves"], frames["one_dimension_errors"]
    margin = experiment.studies["one_dimension_curves"]["margin"]
    with style():
        figure = Figure(figsize=(6.8, 7.2), layout="constrained")
        key, below = figure.subfigures(2, 1, height_ratios=(1, 30))
        _write_key(key)
        axes = below.subplots(3, 2, sharex=True, sharey=True).ravel()
        for axis, (scene, title) in zip(axes, TITLES.items()):
            _draw_panel(axis, curves[curves["scene"] == scene])
            svr, ranksvr, n = _means(errors, scene, margin)
            axis.set_title(title, pad=16)
            axis.text(
                0, 1.02, f"mean error of {n} draws: SVR {svr:.2f}, RankSVR {ranksvr:.2f}", transform=axis.transAxes
            )
        for axis in axes[-2:]:
            axis.set_xlabel("input")
        for axis in axes[::2]:
            axis.set_ylabel("target (standard deviations)")
    return figure


def describe(frames, experiment, titles):
    """Describe the mean errors of every panel."""
    margin = experiment.studies["one_dimension_curves"]["margin"]
    parts = []
    for scene, title in TITLES.items():
        svr, ranksvr, _ = _means(frames["one_dimension_errors"], scene, margin)
        parts.append(f"{title}: {svr:.2f} without, {ranksvr:.2f} with pairs")
    number = experiment.studies["one_dimension_curves"]["draw"]
    return (
        f"The curves are draw {number}, with a margin of {margin:g} standard deviations of the target. "
        f"Mean absolute error over all draws: {'; '.join(parts)}."
    )


def _means(errors, scene, margin):
    part = errors[(errors["scene"] == scene) & (errors["margin"] == margin)]
    if part.empty:
        raise ValueError(f"one_dimension_errors must hold scene {scene} at the margin {margin} of the curves")
    return part["svr_error"].mean(), part["ranksvr_error"].mean(), len(part)


def _draw_panel(axis, part):
    for kind, (color, _, width) in CURVES.items():
        curve = part[part["kind"] == kind]
        axis.plot(curve["x"], curve["y"], color=color, linewidth=width)
    for _, pair in part[part["kind"] == "pair"].groupby("number"):
        axis.plot(pair["x"], pair["y"], color=GREY, linewidth=0.8, marker="o", markersize=3.5, zorder=3)
    points = part[part["kind"] == "point"]
    axis.plot(points["x"], points["y"], "s", color="black", markersize=5, markerfacecolor="white", zorder=4)


def _write_key(strip):
    """Name what all panels draw, each in its colour, in a strip above them."""
    words = [(name, color) for color, name, _ in CURVES.values()]
    words += [("□ known target", "black"), ("●–● ordered pair, at its true heights", GREY)]
    for (word, color), at in zip(words, (0.08, 0.18, 0.27, 0.43, 0.62)):
        strip.text(at, 0.4, word, color=color, va="center", fontweight="bold")
