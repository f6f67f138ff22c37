"""What Diez et al. compute from two vectors of n counts, held against all pairs (claims D11, D12 and D13)."""

import numpy as np
import pandas as pd

from rankmargin.metrics import swapped_pairs
from rankmargin.oracles.swapped_pairs import algorithm_2

PARAMS = {
    "sizes": {"type": "array", "items": {"type": "integer", "minimum": 3}, "minItems": 1},
    "seeds": {"type": "integer", "minimum": 1},
}
COLUMNS = ("check", "n", "seed", "n_ranks", "difference")
DIMENSIONS = 3


def run(data, experiment, *, sizes, seeds):
    """Compare on random problems with tied ranks and scores on a lattice, where ties and exact margins are common.

    Parameters
    ----------
    data, experiment
        Not used: problems are made here.
    sizes : sequence of int
    seeds : int
        Problems of each size.

    Returns
    -------
    DataFrame
        `COLUMNS`: the largest absolute difference of ``argmax`` (c' and d' of Algorithm 2 against eq. 21), ``loss``
        (eq. 17 against eq. 12), ``features`` (eq. 19 against the sum over pairs of eq. 18) and ``auc`` (swapped pairs
        of two classes against 1 - AUC, ties counted as errors).
    """
    rows = []
    for n in sizes:
        for seed in range(seeds):
            rng = np.random.default_rng([13, n, seed])
            rank = _ranks(rng, n)
            s, X = rng.integers(-8, 9, n) / 4.0, rng.standard_normal((n, DIMENSIONS))
            differences = {**_differences(rank, s, X), "auc": _auc_difference(rng.permutation(np.arange(n) % 2), s)}
            rows += [(check, n, seed, int(rank.max()), value) for check, value in differences.items()]
    return pd.DataFrame(rows, columns=COLUMNS)


def _ranks(rng, n):
    """Return ranks 1..r, each at least once, in random order."""
    r = int(rng.integers(2, n + 1))
    return rng.permutation(np.append(np.arange(1, r + 1), rng.integers(1, r + 1, n - r)))


def _differences(rank, s, X):
    comparable = rank[:, None] > rank[None, :]
    labels = np.where(comparable, np.where(s[:, None] - s[None, :] >= 0.5, 1, -1), 0)  # y'_ij of eq. 21
    by_pairs = labels.sum(axis=1), labels.sum(axis=0)
    by_counts = algorithm_2(rank, s)
    full = comparable.sum(axis=1) + comparable.sum(axis=0)  # c + d of the true labelling
    c, d = by_counts
    features = np.einsum("ij,ijk->k", labels, X[:, None] - X[None, :])
    return {
        "argmax": max(np.abs(ours - theirs).max() for ours, theirs in zip(by_counts, by_pairs)),
        "loss": abs((full - (c + d)).sum() / 4 - np.sum((1 - labels)[comparable]) / 2),
        "features": np.abs((c - d) @ X - features).max(),
    }


def _auc_difference(y, s):
    """Return |swapped pairs - (1 - AUC)|, the AUC by its definition with a tie as an error."""
    auc = np.mean(s[y == 1][:, None] > s[y == 0][None, :])
    return abs(swapped_pairs(y, s) - (1.0 - auc))
