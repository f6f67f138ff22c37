"""Constraints that Algorithm 1 of Diez et al. adds before it stops, against n and the precision (claim D16)."""

import warnings
from itertools import product

import numpy as np
import pandas as pd

from rankmargin.kernels import make_space
from rankmargin.oracles.swapped_pairs import count_pairs
from rankmargin.solvers.cutting_plane import cutting_plane
from rankmargin.solvers.solution import ConvergenceWarning

PARAMS = {
    "sizes": {"type": "array", "items": {"type": "integer", "minimum": 10}, "minItems": 3, "uniqueItems": True},
    "tolerances": {
        "type": "array",
        "items": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "minItems": 3,
        "uniqueItems": True,
    },
    "seeds": {"type": "integer", "minimum": 1},
    "C": {"type": "number", "exclusiveMinimum": 0},
    "gamma": {"type": "number", "exclusiveMinimum": 0},
    "most": {"type": "integer", "minimum": 10},
}
COLUMNS = ("n", "tolerance", "seed", "planes", "ended")
DIMENSIONS, NOISE = 5, 0.3


def run(data, experiment, *, sizes, tolerances, seeds, C, gamma, most):
    """Run Algorithm 1 once for each problem and note when its gap first reaches each tolerance.

    Parameters
    ----------
    data, experiment
        Not used: a noisy wave is made here.
    sizes : sequence of int
    tolerances : sequence of float
        Relative duality gaps: stricter than the paper's epsilon, which bounds how far a constraint is violated.
    seeds : int
        Problems of each size.
    C : float
        Cost of all pairs together.
    gamma : float
        Of the Gaussian kernel.
    most : int
        Constraints after which a run is given up.

    Returns
    -------
    DataFrame
        `COLUMNS`: ``ended`` is False, and ``planes`` is `most`, where a tolerance was not reached.
    """
    rows = []
    for n, seed in product(sizes, range(seeds)):
        gaps = _gaps(n, seed, C, gamma, min(tolerances), most)
        for tolerance in tolerances:
            reached = np.flatnonzero(gaps <= tolerance)
            rows.append((n, tolerance, seed, int(reached[0]) if len(reached) else most, len(reached) > 0))
    return pd.DataFrame(rows, columns=COLUMNS)


def _gaps(n, seed, C, gamma, tol, most):
    """Return the gap before each constraint was added; entry k is reached with k constraints."""
    rng, gaps = np.random.default_rng([16, n, seed]), []
    X = rng.standard_normal((n, DIMENSIONS))
    y = np.sin(X[:, 0]) + X[:, 1] + NOISE * rng.standard_normal(n)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a run that ends at `most` says so in its row
        cutting_plane(
            y,
            make_space(X, "rbf", gamma),
            [C / count_pairs(y)],
            tol=tol,
            max_iter=most,
            trace=lambda iteration, gap: gaps.append(gap),
        )
    return np.array(gaps)
