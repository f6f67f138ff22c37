"""Figure 2.3 of Herbrich, Graepel and Obermayer."""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

COLUMNS = {
    "ordinal": "Rank boundaries",
    "multiclass": "Multi-class SVM",
    "svr": "SVR on i",
    "svr_exp": "SVR on exp(i)",
    "truth": "Truth without noise",
}
RANKS = np.arange(1, 6)
GREYS = ListedColormap(["#000000", "#4d4d4d", "#8c8c8c", "#c8c8c8", "#ffffff"])
POINT = {"s": 9, "cmap": GREYS, "vmin": 0.5, "vmax": 5.5, "edgecolors": "#D55E00", "linewidths": 0.7}


def draw_rank_maps(frames, experiment, titles):
    """Figure 2.3 of Herbrich, Graepel and Obermayer: the unit square as a map, one row per training size
    and one column per method.

    Draw ranks 1 (black) to 5 (white) as in the paper, with the training examples in the grey of their rank.
    """
    maps = frames["rank_maps"]
    sizes = list(maps["size"].unique())
    figure = Figure(figsize=(7.2, 0.45 + 1.18 * len(sizes)), layout="constrained")
    axes = figure.subplots(len(sizes), len(COLUMNS), squeeze=False, sharex=True, sharey=True)
    for row, size in zip(axes, sizes, strict=True):
        at_size = maps[maps["size"] == size]
        points = at_size[at_size["method"] == "training"]
        for axis, method in zip(row, COLUMNS, strict=True):
            ranks = at_size[at_size["method"] == method].pivot(index="x2", columns="x1", values="rank")
            image = axis.imshow(ranks.to_numpy(), cmap=GREYS, vmin=0.5, vmax=5.5, **_SQUARE)
            if method != "truth":
                axis.scatter(points["x1"], points["x2"], c=points["rank"], **POINT)
            axis.set(xticks=[0, 1], yticks=[0, 1], xlim=(0, 1), ylim=(0, 1))
            axis.spines[:].set_visible(True)
        row[0].set_ylabel(f"{size} examples\n$x_2$")
    for top, bottom, name in zip(axes[0], axes[-1], COLUMNS.values(), strict=True):
        top.set_title(name, fontsize=8)
        bottom.set_xlabel("$x_1$")
    bar = figure.colorbar(image, ax=axes, ticks=RANKS, shrink=0.35, aspect=12)
    bar.set_label("rank")
    return figure


def describe_rank_maps(frames, experiment, titles):
    """Describe the share of the square with the right rank of each method at each size."""
    maps = frames["rank_maps"].query("method != 'training'")
    ranks = maps.pivot(index=["size", "x1", "x2"], columns="method", values="rank")
    right = ranks.eq(ranks.pop("truth"), axis=0).groupby("size").mean()
    parts = [
        f"{COLUMNS[name]} {', '.join(f'{share:.2f}' for share in right[name])}" for name in COLUMNS if name in right
    ]
    sizes = ", ".join(str(size) for size in sorted(maps["size"].unique()))
    return f"Share of the unit square with the right rank after one sample of {sizes} examples: {'; '.join(parts)}."


_SQUARE = {"origin": "lower", "extent": (0, 1, 0, 1), "interpolation": "nearest"}
