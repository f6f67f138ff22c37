"""Random pairs in the plane that a linear ranking function separates."""

import numpy as np

CLEAR = 0.3  # distance of a difference of ranks from the boundaries -1 and 1


def separable_pairs(seed, n, scale):
    """Return pairs with the labels t_1[w.(x' - x)] for a random w; no pair is near a boundary.

    Parameters
    ----------
    seed : int
    n : int
        Number of pairs; each label occurs at least once.
    scale : (d,) sequence of float
        Factor by which each feature of the items is multiplied.

    Returns
    -------
    X, X2 : (n, d) arrays
    y : (n,) labels -1, 0, 1
    """
    rng, d = np.random.default_rng(seed), len(scale)
    angle = rng.standard_normal(d)
    w = 2.0 * angle / np.linalg.norm(angle)
    while True:
        X, X2 = rng.uniform(-1.0, 1.0, (2, 20 * n, d))
        rank = (X2 - X) @ w
        clear = np.flatnonzero(np.abs(np.abs(rank) - 1.0) > CLEAR)[:n]
        y = np.sign(rank[clear]).astype(int) * (np.abs(rank[clear]) > 1.0)
        if len(clear) == n and len(np.unique(y)) == 3:
            return X[clear] * scale, X2[clear] * scale, y


def scaled(X, X2):
    """Divide each feature by the standard deviation of its differences, in both directions."""
    sd = np.vstack([X2 - X, X - X2]).std(axis=0)
    return X / sd, X2 / sd
