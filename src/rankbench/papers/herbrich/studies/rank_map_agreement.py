"""How far the maps of Figure 2.3 agree with the truth, over many training samples instead of one."""

from itertools import product

import numpy as np
import pandas as pd

from rankbench.papers.herbrich.studies.rank_maps import METHODS, draws, middles, true_ranks
from rankmargin.metrics import rank_inversions

COLUMNS = ("dataset", "size", "method", "seed", "right", "right_near", "right_far", "inversions")


def run(data, experiment, *, sizes, cells, samples):
    """Map the square with every method after every training sample.

    Parameters
    ----------
    data, experiment, sizes, cells
        As :func:`rankbench.papers.herbrich.studies.rank_maps.run`.
    samples : int
        Training samples of each size.

    Returns
    -------
    DataFrame
        ``dataset size method seed right right_near right_far inversions``: the share of the square with the right
        (noise-free) rank, in all of it and in the halves nearer to and farther from a training example, and the
        inversions of the map.
    """
    square = middles(cells)
    truth, rows = true_ranks(square), []
    samples_of = [
        (name, table, seed, order)
        for name, (table, _) in data.items()
        for seed, order in enumerate(draws(table, name, min(sizes), samples))
    ]
    for (name, table, seed, order), size in product(samples_of, sizes):
        X, y = table.X[order[:size]], table.y[order[:size]]
        distance = np.sqrt(((square[:, None, :] - X[None]) ** 2).sum(axis=2).min(axis=1))
        near = distance <= np.median(distance)
        for method, fit in METHODS.items():
            ranks = fit(X, y).labels(square)
            right = ranks == truth
            shares = right.mean(), right[near].mean(), right[~near].mean()
            rows.append((name, size, method, seed, *shares, rank_inversions(truth, ranks)))
    return pd.DataFrame(rows, columns=list(COLUMNS))
