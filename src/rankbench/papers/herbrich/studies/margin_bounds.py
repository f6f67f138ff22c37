"""Test Theorem 2.2 of Herbrich, Graepel and Obermayer: compare the margin bound with the risk that it bounds.

``square``: rank boundaries learned on noise-free examples of (2.29). ``line``: two distant groups on a line and
f(x) = x, with enough examples for a bound below 1. ``rotated``: the same line in more dimensions, rotated at random.
"""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankbench.papers.herbrich.studies.rank_maps import KERNEL, ordinal, true_ranks
from rankmargin.bounds import margin_bound
from rankmargin.kernels import Kernel

COLUMNS = ("case", "dimension", "seed", "m", "margin", "radius", "bound", "risk")
DELTA = 0.05
FRESH = 1000


def run(data, experiment, *, sizes, samples, line, dimensions):
    """Compute both sides of the bound at 1 - delta = 0.95.

    Parameters
    ----------
    sizes, samples : training sizes of ``square`` and samples of each
    line : int, examples of ``line`` and ``rotated``
    dimensions : those of ``rotated``

    Returns
    -------
    DataFrame
        ``case dimension seed m margin radius bound risk``; a bound is infinite where the theorem says nothing. Samples
        with a training inversion are left out: the theorem is about the others.
    """
    rows = [row for size in sizes for seed in range(samples) for row in _square(size, seed)]
    for seed in range(samples):
        x = _line(line, ("line", seed))
        fresh = _line(FRESH, ("line", seed, "fresh"))
        rows.append(("line", 1, seed, *_sides(x, np.sign(x), np.abs(x).max(), _inversions(np.sign(fresh), fresh))))
        rows += [_rotated(x, fresh, d, seed) for d in dimensions]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _sides(f, y, radius, risk):
    """Return m, margin, radius, bound and risk of scores f of norm 1 on training ranks y in random order."""
    unequal = y[1:] != y[:-1]
    margin = float(np.min(np.abs(np.diff(f))[unequal]))
    return len(f), margin, radius, margin_bound(margin, radius, len(f), DELTA), risk


def _square(size, seed):
    """Yield the row of one sample of the square, if it is learned without an inversion."""
    rng = np.random.default_rng(seed_of("margin bounds", size, seed))
    X, fresh = rng.uniform(size=(size, 2)), rng.uniform(size=(FRESH, 2))
    y = true_ranks(X)
    if len(np.unique(y)) < 2:
        return
    model = ordinal(X, y)
    f = model.scores(X)
    if _inversions(y, f) > 0:
        return
    beta = model.solution.beta
    norm = np.sqrt(beta @ Kernel(*KERNEL.values()).gram(X, X) @ beta)
    radius = float(np.sqrt(np.max(np.diag(Kernel(*KERNEL.values()).gram(X, X)))))
    yield "square", 2, seed, *_sides(f / norm, y, radius, _inversions(true_ranks(fresh), model.scores(fresh)))


def _line(n, name):
    """Return n points between 0.9 and 1 or their negatives."""
    rng = np.random.default_rng(seed_of("margin bounds", *name))
    return rng.choice([-1.0, 1.0], n) * rng.uniform(0.9, 1.0, n)


def _rotated(x, fresh, dimension, seed):
    """Put the line into a random direction and compute margin and radius from the vectors."""
    direction = np.random.default_rng(seed_of("margin bounds", "direction", dimension, seed)).normal(size=dimension)
    direction /= np.linalg.norm(direction)
    X = np.outer(x, direction)
    radius = float(np.linalg.norm(X, axis=1).max())
    risk = _inversions(np.sign(fresh), np.outer(fresh, direction) @ direction)
    return "rotated", dimension, seed, *_sides(X @ direction, np.sign(x), radius, risk)


def _inversions(y, f):
    """Return the risk over all pairs, those of equal rank among them, as R_pref has it."""
    i, j = np.triu_indices(len(y), 1)
    return float(np.mean((y[i] != y[j]) & ((y[i] - y[j]) * (f[i] - f[j]) <= 0)))
