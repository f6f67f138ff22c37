"""One look for all pictures of the gallery, readable on a light and on a dark page."""

import matplotlib as mpl

STYLE = {
    "figure.figsize": (7.0, 3.6),
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "lines.markersize": 4,
}


def reset(gallery_conf, fname):
    mpl.rcParams.update(STYLE)
