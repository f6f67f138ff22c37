"""Seconds of the most violated labelling against n and the number of ranks r (claim D11): Algorithm 2 of Diez et al. as
printed, and the same counts with a Fenwick tree over the ranks."""

import time
from itertools import product

import numpy as np
import pandas as pd

from rankmargin.oracles.swapped_pairs import algorithm_2, violations

PARAMS = {
    "sizes": {"type": "array", "items": {"type": "integer", "minimum": 2}, "minItems": 3},
    "ranks": {"type": "array", "items": {"type": "integer", "minimum": 2}, "minItems": 3},
    "seeds": {"type": "integer", "minimum": 1},
}
COLUMNS = ("oracle", "n", "n_ranks", "seed", "seconds")
REPEATS = 3


def run(data, experiment, *, sizes, ranks, seeds):
    """Time both oracles on random ranks and scores for every size and number of ranks.

    Parameters
    ----------
    data, experiment
        Not used: problems are made here.
    sizes, ranks : sequences of int
    seeds : int
        Problems of each size.

    Returns
    -------
    DataFrame
        `COLUMNS`: processor seconds, the shortest of three.
    """
    oracles = {"algorithm_2": algorithm_2, "tree": lambda rank, s: violations(rank.astype(float), s)}
    rows = []
    for n, r, seed in product(sizes, ranks, range(seeds)):
        rng = np.random.default_rng([11, n, r, seed])
        rank, s = rng.permutation(np.arange(n) % r) + 1, rng.standard_normal(n)
        for name, oracle in oracles.items():
            oracle(rank[:10], s[:10])  # compiles
            rows.append((name, n, r, seed, min(_seconds(oracle, rank, s) for _ in range(REPEATS))))
    return pd.DataFrame(rows, columns=COLUMNS)


def _seconds(oracle, rank, s):
    started = time.process_time()
    oracle(rank, s)
    return time.process_time() - started
