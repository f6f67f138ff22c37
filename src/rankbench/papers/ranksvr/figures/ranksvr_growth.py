"""Training seconds against the number of ordered pairs (claim R19), and of the 1-norm and 2-norm forms (claim R22)."""

from rankbench.figures.growth import Panel, describe_growth, draw_growth


def draw(frames, experiment, titles):
    """Draw two panels: seconds against pairs for each margin, seconds against targets for each norm."""
    return draw_growth(_panels(frames))


def describe(frames, experiment, titles):
    """Describe the slopes."""
    return describe_growth(_panels(frames))


def _panels(frames):
    pairs, norms = frames["training_seconds"], frames["norm_seconds"]
    series = pairs["margin"].map("margin {:g}".format)
    return [
        Panel(
            "ordered pairs",
            "processor seconds",
            pairs.assign(series=series, size=pairs["n_pairs"], value=pairs["seconds"]),
        ),
        Panel(
            "targets, and as many ordered pairs",
            "processor seconds",
            norms.assign(series=norms["form"], size=norms["n"], value=norms["seconds"]),
        ),
    ]
