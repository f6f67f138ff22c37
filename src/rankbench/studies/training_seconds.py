"""How training time grows with the number of ordered pairs (claim R19)."""

import time
from itertools import product

import numpy as np
import pandas as pd

from rankmargin.kernels import make_space
from rankmargin.rows.tube import tube_and_orderings
from rankmargin.solvers.smo import smo

PARAMS = {
    "n": {"type": "integer", "minimum": 2},
    "pairs": {"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 3, "uniqueItems": True},
    "C": {"type": "number", "exclusiveMinimum": 0},
    "C_rank": {"type": "number", "exclusiveMinimum": 0},
    "margins": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 1},
    "seeds": {"type": "integer", "minimum": 1},
}
COLUMNS = ("margin", "n_pairs", "seed", "seconds", "gap")
DIMENSIONS, GAMMA, NOISE, TOLERANCE = 10, 0.1, 0.1, 1e-3


def run(data, experiment, *, n, pairs, C, C_rank, margins, seeds):
    """Fit n targets and growing numbers of random pairs among n other points, Gaussian kernel, to a gap of 1e-3.

    Parameters
    ----------
    data, experiment
        Not used: a noisy wave over ten dimensions is made here.
    n : int
        Targets, and points that the pairs order.
    pairs : sequence of int
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
    _fit(*_problem(20, 30, 0), 1.0, C, C_rank)  # compiles before the first measurement
    for margin, n_pairs, seed in product(margins, pairs, range(seeds)):
        rows.append((margin, n_pairs, seed, *_fit(*_problem(n, n_pairs, seed), margin, C, C_rank)))
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


def _fit(points, y, pairs, margin, C, C_rank):
    """Return the processor seconds of one solve and the relative gap it reached."""
    space = make_space(points, "rbf", GAMMA)
    rows = tube_and_orderings(y, 0.1, pairs.astype(np.int32), len(points), margin, C_rank / C)
    started = time.process_time()
    (solution,) = smo(rows, space, [C], tol=TOLERANCE)
    return time.process_time() - started, solution.gap
