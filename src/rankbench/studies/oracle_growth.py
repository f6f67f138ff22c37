"""Test Algorithm 2 of Diez et al.: its answers against the definition, its seconds against n and r (Lemma 1)."""

import numpy as np
import pandas as pd

from rankbench.studies._seconds import least_seconds
from rankmargin.oracles import naive
from rankmargin.oracles.swapped_pairs import algorithm_2

MARGIN = 0.5
PARAMS = {
    "sizes": {"type": "array", "items": {"type": "integer", "minimum": 2}, "minItems": 3},
    "ranks": {"type": "array", "items": {"type": "integer", "minimum": 2}, "minItems": 3},
    "trials": {"type": "integer", "minimum": 1},
}
COLUMNS = ("part", "n", "r", "seconds", "differing")


def run(data, experiment, *, sizes, ranks, trials):
    """Time Algorithm 2 and compare it with the definition.

    Parameters
    ----------
    data, experiment
        Not used: scores and ranks are random.
    sizes : sequence of int
        Numbers of examples n; with the first of `ranks`.
    ranks : sequence of int
        Numbers of ranks r; with the largest of `sizes`.
    trials : int
        Small problems (n up to 40, scores on a grid, so that some pairs lie exactly on the margin) held against the
        look at every pair.

    Returns
    -------
    DataFrame
        ``part n r seconds differing``: part ``n`` or ``r`` with the shortest of three times, part ``trial`` with the
        number of examples whose c or d differs from the definition's.
    """
    rng = np.random.default_rng(0)
    rows = [("n", n, ranks[0], _seconds(rng, n, ranks[0]), np.nan) for n in sizes]
    rows += [("r", max(sizes), r, _seconds(rng, max(sizes), r), np.nan) for r in ranks]
    for _ in range(trials):
        n, r = int(rng.integers(2, 41)), int(rng.integers(2, 8))
        rank, s = _ranks(rng, n, r), rng.integers(-8, 9, n) / 8
        rows.append(("trial", n, int(rank.max()), np.nan, _differing(rank, s)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _ranks(rng, n, r):
    """Return n ranks 1, 2, ... without a gap."""
    return np.unique(rng.integers(0, r, n), return_inverse=True)[1] + 1


def _seconds(rng, n, r):
    rank, s = _ranks(rng, n, r), rng.standard_normal(n)
    return least_seconds(algorithm_2, rank, s)[0]


def _differing(rank, s):
    """Count the examples whose c or d of eq. 13 is not the sum over all pairs (eq. 21)."""
    c, d = algorithm_2(rank, s)
    violated = naive.violations(rank, s, MARGIN)
    n_below, n_above = ((rank[:, None] > rank).sum(1), (rank[:, None] < rank).sum(1))
    return int(np.sum((c != n_below - 2 * violated.above) | (d != n_above - 2 * violated.below)))
