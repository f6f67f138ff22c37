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
    parts = []
    for draw in range(experiment.seeds // DRAW):
        seeds = range(draw * DRAW, (draw + 1) * DRAW)
        drawn = overall(records[records["seed"].isin(seeds)], replace(experiment, seeds=DRAW))
        parts.append(drawn.assign(draw=draw + 1))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["draw"])


def halves(records, experiment):
    """Summarise all seeds, the even and the odd ones (column ``half``): one half may judge what the other chose."""
    parts = []
    for half, remainders in {"all": (0, 1), "even": (0,), "odd": (1,)}.items():
        seeds = [seed for seed in range(experiment.seeds) if seed % 2 in remainders]
        part = summary(records[records["seed"].isin(seeds)], replace(experiment, seeds=len(seeds)))
        parts.append(part.assign(half=half))
    return pd.concat(parts, ignore_index=True)
