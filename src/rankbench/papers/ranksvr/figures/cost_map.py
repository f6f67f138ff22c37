"""Error over the two costs: one panel per data set, one cell per pair of costs with its mean error."""

from matplotlib.figure import Figure

from rankbench.figures.nothing import NothingToDraw
from rankbench.figures.style import GREY, style

DARK = 0.55  # share of the colour scale from which numbers are written in white


def draw(frames, experiment, titles):
    """Draw the mean error of each pair (C, C_rank) as a colour and a number, in standard deviations of the target."""
    sweep = frames["cost_sweep"]
    names, top = list(sweep["dataset"].unique()), _means(sweep).max()
    with style():
        figure = Figure(figsize=(0.6 + 2.5 * len(names), 2.9), layout="constrained")
        axes = figure.subplots(1, len(names), squeeze=False, sharey=True)[0]
        for axis, name in zip(axes, names):
            cells = _means(sweep)[name].unstack("C_rank")
            axis.imshow(cells, cmap="Blues", vmin=0, vmax=top, origin="lower", aspect="auto")
            for row, values in enumerate(cells.to_numpy()):
                for column, value in enumerate(values):
                    color = "white" if value > DARK * top else "black"
                    axis.text(column, row, f"{value:.2f}", ha="center", va="center", color=color, fontsize=7.5)
            axis.set_title(titles.get(name, name))
            axis.set_xticks(range(cells.shape[1]), [f"{value:g}" for value in cells.columns])
            axis.set_yticks(range(cells.shape[0]), [f"{value:g}" for value in cells.index])
            axis.tick_params(length=0)
            axis.spines[:].set_visible(False)
            axis.set_xlabel("C_rank, cost of the orderings")
        axes[0].set_ylabel("C, cost of the targets")
        figure.supxlabel("numbers: mean absolute error in standard deviations of the target", fontsize=7, color=GREY)
    return figure


def describe(frames, experiment, titles):
    """Describe the smallest and the largest error of every data set, and at which costs."""
    parts = []
    for name, part in frames["cost_sweep"].groupby("dataset", sort=False):
        means = _means(part)[name]
        ends = [(means.loc[at], *at) for at in (means.idxmin(), means.idxmax())]
        low, high = (f"{error:.2f} (C {C:g}, C_rank {C_rank:g})" for error, C, C_rank in ends)
        parts.append(f"{titles.get(name, name)}: from {low} to {high}")
    return f"Mean absolute error in standard deviations of the target. {'; '.join(parts)}."


def _means(sweep):
    """Return the mean error of each data set and pair of costs."""
    if sweep.empty:
        raise NothingToDraw("the sweep has no run")
    return sweep.groupby(["dataset", "C", "C_rank"])["error"].mean()
