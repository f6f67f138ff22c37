"""Time and memory of training on all pairs and of the direct method that keeps n rows (claim D14)."""

import time
import tracemalloc
from itertools import product

import numpy as np
import pandas as pd

from rankmargin.methods import pairwise, swapped_pairs
from rankmargin.oracles.swapped_pairs import count_pairs

PARAMS = {
    "sizes": {"type": "array", "items": {"type": "integer", "minimum": 10}, "minItems": 3},
    "seeds": {"type": "integer", "minimum": 1},
    "C": {"type": "number", "exclusiveMinimum": 0},
}
COLUMNS = ("method", "n", "seed", "n_rows", "seconds", "megabytes")
DIMENSIONS, NOISE = 10, 0.3


def run(data, experiment, *, sizes, seeds, C):
    """Fit linear functions to n distinct targets with both methods, to a relative gap of 1e-3.

    Parameters
    ----------
    data, experiment
        Not used: a noisy linear function is made here.
    sizes : sequence of int
    seeds : int
        Problems of each size.
    C : float
        Cost of all pairs together: a pair's is C over their number, so that problems of all sizes are alike.

    Returns
    -------
    DataFrame
        `COLUMNS`: ``method`` is ``all_pairs`` (the pairs are listed) or ``direct`` (Algorithm 1 with the oracle),
        ``n_rows`` what the training set holds (pairs or examples), processor seconds, and the largest memory that
        numpy had in use beyond X and y (10^6 bytes).
    """
    fits = {
        "all_pairs": lambda X, y, cost: pairwise.fit_path(X, y, [cost], n_partners="all", kernel="linear"),
        "direct": lambda X, y, cost: swapped_pairs.fit_path(X, y, [cost], solver="cutting_plane", kernel="linear"),
    }
    rows = []
    for n, seed, (method, fit) in product([10, *sizes], range(seeds), fits.items()):
        rng = np.random.default_rng([14, n, seed])
        X = rng.standard_normal((n, DIMENSIONS))
        y = X @ rng.standard_normal(DIMENSIONS) + NOISE * rng.standard_normal(n)
        n_pairs = count_pairs(y)
        seconds, megabytes = _cost(fit, X, y, C / n_pairs)
        rows.append((method, n, seed, n_pairs if method == "all_pairs" else n, seconds, megabytes))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame[frame["n"].isin(sizes)].reset_index(drop=True)  # the first problems, of ten rows, compiled


def _cost(fit, X, y, C):
    tracemalloc.start()
    started = time.process_time()
    fit(X, y, C)
    seconds, (_, peak) = time.process_time() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return seconds, peak / 1e6
