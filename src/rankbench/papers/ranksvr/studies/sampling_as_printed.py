"""Seconds of the samplers on the data sets of Table 3 of Yu et al., ClosePair as Algorithm 1 prints it among them
(claims R06, R07, R09, R11)."""

from itertools import product

import pandas as pd

from rankbench.experiments.preprocess import encode, learn_scaling
from rankbench.experiments.seconds import least_seconds
from rankbench.experiments.split import seed_of
from rankbench.papers.ranksvr.studies.sampler_growth import close_pair_as_printed
from rankmargin.sampling import SAMPLERS

COLUMNS = ("dataset", "sampler", "seed", "n_pool", "seconds")
KERNEL = {"kernel": "rbf", "gamma": 0.1}


def run(data, experiment, *, n_pairs, draws):
    """Ask every sampler for pairs of all rows of each data set, one-hot and standardised.

    Returns
    -------
    DataFrame
        `COLUMNS`: the fewest processor seconds of three samples; ``close_pair_as_printed`` computes every distance.
    """
    samplers = {**SAMPLERS, "close_pair_as_printed": close_pair_as_printed}
    rows = []
    for (name, (table, _)), seed, (sampler, ask) in product(data.items(), range(draws), samplers.items()):
        coded = encode(table.X, table.levels, "onehot")
        Z = learn_scaling(coded, "standard")(coded)
        drawn = seed_of("sampling as printed", name, seed) % 2**32
        seconds, _ = least_seconds(ask, Z, n_pairs, table.y, KERNEL, drawn)
        rows.append((name, sampler, seed, len(Z), seconds))
    return pd.DataFrame(rows, columns=COLUMNS)
