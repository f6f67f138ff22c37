"""Statistics of parts of the seeds: draws of twenty hold-outs, and halves."""

from dataclasses import replace

import pandas as pd

from rankbench.statistics.overall import overall
from rankbench.statistics.summary import summary

DRAW = 20  # seeds of one draw of hold-outs


def draws(records, experiment):
    """Return `overall` of each draw of 20 hold-outs, that is of the seeds 0 to 19, 20 to 39 and so on (column ``draw``,
    from 1): how far the counts of a table of 20 hold-outs move.
    """
    draws_of = {draw + 1: range(draw * DRAW, (draw + 1) * DRAW) for draw in range(experiment.seeds // DRAW)}
    parts = [_of_seeds(overall, records, experiment, seeds).assign(draw=draw) for draw, seeds in draws_of.items()]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["draw"])


def halves(records, experiment):
    """Summarise all seeds, the even and the odd ones (column ``half``): one half may judge what the other chose."""
    n = experiment.seeds
    parts = {"all": range(n), "even": range(0, n, 2), "odd": range(1, n, 2)}
    frames = [_of_seeds(summary, records, experiment, seeds).assign(half=half) for half, seeds in parts.items()]
    return pd.concat(frames, ignore_index=True)


def _of_seeds(statistic, records, experiment, seeds):
    return statistic(records[records["seed"].isin(seeds)], replace(experiment, seeds=len(seeds)))
