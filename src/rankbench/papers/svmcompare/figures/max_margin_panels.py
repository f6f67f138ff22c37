"""Difference vectors with the boundaries and margins of the linear and the quadratic program (Figure 2 of Venuto et
al.)."""

import numpy as np
from matplotlib.figure import Figure

from rankbench.figures.style import COLORS, GREY, style

PANEL_TITLES = {
    "original": "original data",
    "flipped": "flipped data, not scaled",
    "scaled": "flipped data, scaled",
}
PROGRAMS = {"lp": ("LP", COLORS[0], 1.6), "qp": ("QP", COLORS[1], 1.6)}
LABELS = {-1: ("x better", "v"), 0: ("equal", "o"), 1: ("x' better", "^")}


def draw(frames, experiment, titles):
    """Draw the differences x' - x, the boundaries w.(x' - x) = +-1 of each program, and the margins beside them."""
    frame = frames["max_margin_panels"]
    with style():
        figure = Figure(figsize=(9.2, 3.1), layout="constrained")
        axes = figure.subplots(1, len(PANEL_TITLES))
        for axis, (panel, title) in zip(axes, PANEL_TITLES.items(), strict=True):
            _draw_panel(axis, frame[frame["panel"] == panel], flipped=panel != "original")
            axis.set_title(title)
            axis.set_xlabel("difference of feature 1")
        axes[0].set_ylabel("difference of feature 2")
    return figure


def describe(frames, experiment, titles):
    """Describe the margins of the programs in each panel."""
    frame = frames["max_margin_panels"]
    parts = []
    for panel, title in PANEL_TITLES.items():
        rows = frame[(frame["panel"] == panel) & frame["what"].isin(list(PROGRAMS))]
        margins = ", ".join(f"{PROGRAMS[row.what][0]} {row.margin:.3f}" for row in rows.itertuples())
        parts.append(f"{title}: {margins}")
    return f"Largest margin in units of the ranking function on one separable set. {'; '.join(parts)}."


def _draw_panel(axis, part, flipped):
    points = part[part["what"] == "difference"]
    reach = 1.15 * points[["x1", "x2"]].abs().max()
    axis.set_xlim(-reach["x1"], reach["x1"])
    axis.set_ylim(-reach["x2"], reach["x2"])
    for row in part[part["what"] != "difference"].itertuples():
        label, color, width = PROGRAMS[row.what]
        dashes = (0, (6, 3)) if row.what == "qp" else "-"
        for level in (1.0,) if flipped else (-1.0, 1.0):
            _line(axis, row, level, color=color, linewidth=width, linestyle=dashes)
            for edge in (level - row.margin, level + row.margin):
                _line(axis, row, edge, color=color, linewidth=0.7, linestyle=dashes)
        at = 0.97 if row.what == "lp" else 0.90
        words = f"{label}: margin {row.margin:.3f}"
        axis.text(0.02, at, words, color=color, transform=axis.transAxes, va="top", fontsize=7.5, **_HALO)
    for y, cells in points.groupby("y"):
        words, marker = LABELS[int(y)]
        words = {0: "not different", 1: "different"}[int(y)] if flipped else words
        look = {"color": "black", "fillstyle": "full"} if y else {"color": GREY, "fillstyle": "none"}
        axis.plot(cells["x1"], cells["x2"], marker, markersize=4.5, **look)
        top = tuple(cells.loc[cells["x2"].idxmax(), ["x1", "x2"]])
        axis.annotate(words, top, (5, 4), textcoords="offset points", fontsize=7, color=GREY, **_HALO)
    axis.plot(0, 0, "+", color=GREY, markersize=6)


_HALO = {"bbox": {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6}}


def _line(axis, row, level, **look):
    """Draw w1 x1 + w2 x2 = level."""
    normal = np.array([row.x1, row.x2])
    at = level * normal / (normal @ normal)
    axis.axline(at, at + np.array([-row.x2, row.x1]), **look)
