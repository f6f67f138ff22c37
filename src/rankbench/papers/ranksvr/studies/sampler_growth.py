"""Seconds of the samplers against the number of points (claims R07 and R08): ClosePair as Algorithm 1 prints it, with
all distances, compared with the exact search that needs only a few of them."""

from itertools import product

import numpy as np
import pandas as pd

from rankbench.experiments.seconds import least_seconds
from rankmargin.sampling import SAMPLERS
from rankmargin.spatial import all_distances

COLUMNS = ("sampler", "n", "seed", "seconds")
KERNEL = {"kernel": "rbf", "gamma": 1.0}


def run(data, experiment, *, sizes, d, n_pairs, seeds):
    """Ask every sampler for pairs of standard normal points, whose order is that of one input.

    Parameters
    ----------
    data, experiment
        Not used: points are made here.
    sizes : sequence of int
    d : int
    n_pairs : int
    seeds : int
        Sets of points of each size.

    Returns
    -------
    DataFrame
        `COLUMNS`: the fewest processor seconds of three samples; ``close_pair_as_printed`` computes every distance.
    """
    samplers = {**SAMPLERS, "close_pair_as_printed": close_pair_as_printed}
    rows = []
    for n, seed, (name, sampler) in product(sizes, range(seeds), samplers.items()):
        Z = np.random.default_rng([7, n, seed]).standard_normal((n, d))
        if n == sizes[0] and seed == 0:
            sampler(Z, n_pairs, Z[:, 0], KERNEL, seed)  # compiles
        seconds, _ = least_seconds(sampler, Z, n_pairs, Z[:, 0], KERNEL, seed)
        rows.append((name, n, seed, seconds))
    return pd.DataFrame(rows, columns=COLUMNS)


def close_pair_as_printed(Z, n_pairs, order, kernel, rng):
    """Return the closest pairs by computing every distance, with memory for as many as are asked for."""
    points = np.ascontiguousarray(Z.T)
    distance = all_distances.Distance(all_distances.EUCLIDEAN, points, np.zeros(len(Z)), 1.0, 1, 0.0)
    pairs = all_distances.closest_pairs(distance, order, n_pairs)
    return np.where((order[pairs[:, 0]] > order[pairs[:, 1]])[:, None], pairs, pairs[:, ::-1])
