"""Which examples of (2.29) change their rank by the noise, and how near they lie to a rank boundary (Figure 2.2a)."""

import numpy as np
import pandas as pd

from rankbench.papers.herbrich.readers.herbrich_utility import THRESHOLDS
from rankbench.papers.herbrich.studies.rank_maps import true_ranks

COLUMNS = ("dataset", "changed", "n", "share", "distance", "distance_sd")


def run(data, experiment):
    """Split the examples of every data set by whether their rank is the one of their utility without noise.

    Returns
    -------
    DataFrame
        ``dataset changed n share distance distance_sd``: a row for the changed and one for the others; the distance is
        that of the utility without noise to the nearest threshold.
    """
    rows = []
    for name, (table, _) in data.items():
        utility = 10 * np.prod(table.X - 0.5, axis=1)
        distance = np.abs(utility[:, None] - np.array(THRESHOLDS)).min(axis=1)
        changed = true_ranks(table.X) != table.y
        for flag in (True, False):
            here = distance[changed == flag]
            rows.append((name, flag, len(here), len(here) / len(distance), here.mean(), here.std(ddof=1)))
    return pd.DataFrame(rows, columns=list(COLUMNS))
