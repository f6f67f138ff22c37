"""One look for every figure: colours, type, direct labels; printed values are always open diamonds."""

from itertools import cycle

import numpy as np
from matplotlib import rc_context
from scipy.optimize import isotonic_regression

# The first seven are the colours of Okabe and Ito, which can be distinguished with any colour vision. The place of a
# method in the experiment decides its colour.
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31")
MORE = ("#332288", "#882255", "#117733", "#AA4499", "#999933", "#44AA99", "#661100", "#4477AA")  # of Tol, for 9 to 16
GREY = "#6b6b6b"
# With its colour a curve has a mark and dashes, which tell it apart in grey. Diamonds are printed values.
MARKS = dict(zip(COLORS, "os^vPX<>")) | dict(zip(MORE, "hp*8H+12")) | {GREY: "x"}
DASHES = dict(zip(COLORS, ("-", (0, (6, 1.5)), (0, (2, 1)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 3)), "-", "--", "-.")))
DASHES |= dict(zip(MORE, [*DASHES.values()][::-1])) | {GREY: ":"}
OURS = {"marker": "o", "markersize": 5, "elinewidth": 1.6, "capsize": 0}
PRINTED = {"marker": "D", "markersize": 4.5, "markerfacecolor": "white", "elinewidth": 1, "capsize": 0}

RC = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 9,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
    "axes.grid": False,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "mathtext.default": "regular",
    "figure.dpi": 100,
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "svg.hashsalt": "rankbench",
    "pdf.fonttype": 42,
}


def style():
    """Return the context in which figures are drawn and saved."""
    return rc_context(RC)


def curve_look(color):
    """Return the colour of a curve with its mark and dashes; other colours than those of methods have plain ones."""
    return {"color": color, "marker": MARKS.get(color, "o"), "linestyle": DASHES.get(color, "-"), "linewidth": 1.6}


def method_colors(experiment):
    """Return method key -> colour, by place in the experiment: the same in all its figures; from the seventeenth method
    on they come again."""
    return dict(zip(experiment.methods, cycle(COLORS + MORE), strict=False))


def spread(positions, distance, low=-np.inf, high=np.inf):
    """Move labels apart to at least `distance`, keeping their order and staying as near to their places as possible.

    After subtracting the offsets ``i * distance`` this is isotonic regression: labels in contact move as one block
    around the mean of their places.

    Parameters
    ----------
    positions : (n,) array
        Wanted positions along one axis, in the order of the labels.
    distance : float
        Smallest distance of two labels, in the same unit.
    low, high : float
        Limits of the positions; there must be space for all labels between them.

    Returns
    -------
    (n,) ndarray
        Positions with ``p[i + 1] - p[i] >= distance`` and the least sum of squared moves.
    """
    offsets = np.arange(len(positions)) * distance
    moved = isotonic_regression(np.asarray(positions, dtype=float) - offsets).x
    return np.clip(moved, low, high - (len(positions) - 1) * distance) + offsets
