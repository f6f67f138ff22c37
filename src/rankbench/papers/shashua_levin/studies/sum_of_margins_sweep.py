"""The sum of margins along its range of C: which C have an optimum, how many margin errors there are, the norm of f."""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankmargin.methods import sum_of_margins

COLUMNS = ("k", "shares", "seed", "place", "C", "status", "rows", "errors", "norm")
# Places on the printed range [2 (k - 1) / N, 2 (k - 1)]: 0 its lower end, 1 its upper end, in the logarithm.
PLACES = (-0.1, 0.0, 0.25, 0.5, 0.75, 1.0, 1.1)
SLACK = 1e-4


def run(data, experiment, *, size, ranks, samples):
    """Fit every place on ranks of equal shares and on ranks whose first is rare.

    Returns
    -------
    DataFrame
        ``k shares seed place C status rows errors norm``: status ``ok``, or ``outside`` where the method says that C is
        outside its range, or ``none`` where no sum of margins above 0 exists; ``errors`` are rows of the N that are on
        the wrong side of their threshold by more than 1e-4 of the spread of f.
    """
    rows = []
    for k in ranks:
        for shares in ("equal", "rare"):
            for seed in range(samples):
                X, y = _ranked(size, k, shares, seed)
                rows += [(k, shares, seed, place, *_fit(X, y, k, place)) for place in PLACES]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _ranked(size, k, shares, seed):
    """Return examples in ranks of equal sizes, or with a first rank of two examples."""
    rng = np.random.default_rng(seed_of("sum of margins", k, shares, seed))
    X = rng.standard_normal((size, 3))
    order = np.argsort(np.argsort(X[:, 0] + 0.3 * X[:, 1] ** 2 + 0.3 * rng.standard_normal(size)))
    if shares == "equal":
        return X, 1.0 + order * k // size
    return X, np.where(order < 2, 1.0, 2.0 + (order - 2) * (k - 1) // (size - 2))


def _fit(X, y, k, place):
    counts = np.unique(y, return_counts=True)[1]
    N = 2 * len(y) - counts[0] - counts[-1]
    C = 2 * (k - 1) * float(N) ** (place - 1)
    try:
        model = sum_of_margins.fit_path(X, y, (C,), gamma=0.5, tol=1e-6)[0]
    except ValueError as error:
        return C, "outside" if str(error).startswith("C must be in") else "none", N, np.nan, np.nan
    s = model.scores(X)
    short = model.problem.rows.margin - model.problem.rows.values(s, model.solution.theta)
    norm = float(np.sqrt(model.solution.beta @ model.problem.space.scores(model.solution.beta)))
    return C, "ok", N, int(np.sum(short > SLACK * np.ptp(s))), norm
