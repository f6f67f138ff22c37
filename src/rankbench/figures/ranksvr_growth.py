"""Training seconds against the number of ordered pairs (claim R19), and of the 1-norm and 2-norm forms (claim R22)."""

from .growth import describe_growth, draw_growth

NEEDS = ("training_seconds", "norm_seconds")
SECONDS = "processor seconds"


def draw(frames, experiment, titles):
    """Draw two panels: seconds against pairs for each solver and margin, seconds against n for each norm.

    Parameters
    ----------
    frames : mapping
        The frames of the studies `NEEDS`.
    experiment, titles
        Not used.
    """
    return draw_growth(_panels(frames), SECONDS)


def describe(frames, experiment, titles):
    """Say the slopes."""
    return describe_growth(_panels(frames), SECONDS)


def _panels(frames):
    pairs, norms = frames["training_seconds"], frames["norm_seconds"]
    names = pairs["solver"].replace({"block_descent": "RankSVR", "smo": "SMO"}) + pairs["margin"].map(
        ", margin {:g}".format
    )
    return {
        "ordered pairs": pairs.assign(series=names, size=pairs["n_pairs"], value=pairs["seconds"]),
        "targets, and as many ordered pairs": norms.assign(
            series=norms["form"], size=norms["n"], value=norms["seconds"]
        ),
    }
