"""What grows with the number of examples: seconds of Algorithm 2 (claim D11), memory of training (D14) and constraints
that Algorithm 1 adds (D16)."""

from .growth import Panel, describe_growth, draw_growth

NEEDS = ("oracle_seconds", "pair_costs", "planes_added")
METHODS = {"all_pairs": "all pairs listed", "direct": "direct"}


def draw(frames, experiment, titles):
    """Draw three panels against n: Algorithm 2 for each number of ranks, both ways of training, Algorithm 1 for each
    precision.

    Parameters
    ----------
    frames : mapping
        The frames of the studies `NEEDS`.
    experiment, titles
        Not used.
    """
    return draw_growth(_panels(frames))


def describe(frames, experiment, titles):
    """Say the slopes."""
    return describe_growth(_panels(frames))


def _panels(frames):
    oracle, costs, planes = (frames[name] for name in NEEDS)
    oracle = oracle[oracle["oracle"] == "algorithm_2"]
    ranks, gaps = oracle["n_ranks"].map("{:,} ranks".format), planes["tolerance"].map("gap {:g}".format)
    return [
        Panel("examples", "seconds of Algorithm 2", _frame(oracle, ranks, "seconds")),
        Panel("examples", "memory of training (MB)", _frame(costs, costs["method"].map(METHODS), "megabytes")),
        Panel("examples", "constraints added by Algorithm 1", _frame(planes, gaps, "planes")),
    ]


def _frame(frame, series, value):
    return frame.assign(series=series, size=frame["n"], value=frame[value])
