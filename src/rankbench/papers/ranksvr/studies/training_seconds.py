"""How training time grows with the number of ordered pairs (claim R19)."""

from itertools import product

import numpy as np
import pandas as pd

from rankbench.experiments.seconds import least_seconds
from rankmargin.kernels import Kernel
from rankmargin.problem import Problem
from rankmargin.rows.orderings import tube_and_orderings
from rankmargin.solvers.smo import smo
from rankmargin.spaces import make_space

COLUMNS = ("margin", "n_pairs", "seed", "seconds", "gap")
DIMENSIONS, GAMMA, NOISE, TOLERANCE = 10, 0.1, 0.1, 1e-3


def run(data, experiment, *, sizes, C, C_rank, margins, seeds):
    """Fit n targets and as many random pairs among n other points, Gaussian kernel, to a gap of 1e-3.

    Points and pairs grow together, as the paper's sentence has it.

    Parameters
    ----------
    data, experiment
        Not used: a noisy wave over ten dimensions is made here.
    sizes : sequence of int
        Numbers n of targets, of points that the pairs order, and of pairs.
    C, C_rank : float
    margins : sequence of float
    seeds : int
        Problems of each size.

    Returns
    -------
    DataFrame
        `COLUMNS`: the fewest processor seconds of three of solving, kernel matrix given, and the relative gap reached.
    """
    rows = []
    _fit(*_problem(20, 30, 0), 1.0, C, C_rank)  # compiles before the first measurement
    for margin, n, seed in product(margins, sizes, range(seeds)):
        rows.append((margin, n, seed, *_fit(*_problem(n, n, seed), margin, C, C_rank)))
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
    space = make_space(points, Kernel("rbf", GAMMA))
    rows = tube_and_orderings(y, 0.1, pairs.astype(np.int32), len(points), margin, C_rank / C)
    seconds, (solution,) = least_seconds(smo, Problem(rows, space), [C], tol=TOLERANCE)
    return seconds, solution.gap
