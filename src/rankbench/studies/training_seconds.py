"""How training time grows with the number of ordered pairs (claim R19): RankSVR's solver and SMO on the same rows."""

import time
from itertools import product

import numpy as np
import pandas as pd

from rankmargin.kernels import make_space
from rankmargin.rows.tube import tube_and_orderings
from rankmargin.solvers.block_descent import block_descent
from rankmargin.solvers.smo import smo

PARAMS = {
    "n": {"type": "integer", "minimum": 2},
    "pairs": {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 3, "uniqueItems": True},
    "most_pairs_of_smo": {"type": "integer", "minimum": 1},
    "C": {"type": "number", "exclusiveMinimum": 0},
    "C_rank": {"type": "number", "exclusiveMinimum": 0},
    "margins": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 1},
    "seeds": {"type": "integer", "minimum": 1},
}
COLUMNS = ("solver", "margin", "n_pairs", "seed", "seconds", "gap")
SOLVERS = {"block_descent": block_descent, "smo": smo}
DIMENSIONS, GAMMA, NOISE, TOLERANCE = 10, 0.1, 0.1, 1e-3


def run(data, experiment, *, n, pairs, most_pairs_of_smo, C, C_rank, margins, seeds):
    """Fit n targets and growing numbers of random pairs among n other points, Gaussian kernel, to a gap of 1e-3.

    Parameters
    ----------
    data, experiment
        Not used: a noisy wave over ten dimensions is made here.
    n : int
        Targets, and points that the pairs order.
    pairs : sequence of int
    most_pairs_of_smo : int
        SMO alone is left out above: it takes minutes there.
    C, C_rank : float
    margins : sequence of float
    seeds : int
        Problems of each size.

    Returns
    -------
    DataFrame
        `COLUMNS`: processor seconds of solving, kernel matrix given, and the relative gap reached.
    """
    rows = []
    _fit("block_descent", *_problem(20, 30, 0), 1.0, C, C_rank)  # compiles both before the first measurement
    _fit("smo", *_problem(20, 30, 0), 1.0, C, C_rank)
    for margin, n_pairs, seed, solver in product(margins, pairs, range(seeds), SOLVERS):
        if solver == "block_descent" or n_pairs <= most_pairs_of_smo:
            seconds, gap = _fit(solver, *_problem(n, n_pairs, seed), margin, C, C_rank)
            rows.append((solver, margin, n_pairs, seed, seconds, gap))
    return pd.DataFrame(rows, columns=COLUMNS)


def _problem(n, n_pairs, seed):
    """Return points (2 n, 10), targets of the first n, and pairs of the others in the order of the wave."""
    rng = np.random.default_rng([19, seed])
    points, w = rng.standard_normal((2 * n, DIMENSIONS)), rng.standard_normal(DIMENSIONS)
    wave = np.sin(points @ w) + points[:, 0]
    i, step = rng.integers(n, size=n_pairs), rng.integers(1, n, size=n_pairs)
    pairs = n + np.column_stack([i, (i + step) % n])
    above = wave[pairs[:, 0]] > wave[pairs[:, 1]]
    return points, wave[:n] + NOISE * rng.standard_normal(n), np.where(above[:, None], pairs, pairs[:, ::-1])


def _fit(solver, points, y, pairs, margin, C, C_rank):
    """Return the processor seconds of one solve and the relative gap it reached."""
    space = make_space(points, "rbf", GAMMA)
    rows = tube_and_orderings(y, 0.1, pairs.astype(np.int32), len(points), margin, C_rank / C)
    started = time.process_time()
    (solution,) = SOLVERS[solver](rows, space, [C], tol=TOLERANCE)
    return time.process_time() - started, solution.gap
