"""The simulated comparisons of Venuto et al., section 4.1: three squared norms in the plane, reproduced exactly.

    y = t_1[r(x') - r(x) + e],  e ~ N(0, 1/4),  x uniform on [-2, 2]^2,  x' = x + d,  d uniform on a square

The square of d depends on the function (published/protocol.md, section 1). Pools and splits use
the random stream of the authors' program.
"""

from dataclasses import dataclass

import numpy as np

from rankbench.datasets.r_random import RRandom, draw_parts, normal_from

NOISE_SD = 0.25
POOL_SIZE = 10_000


def squared_l2(X):
    """Return ||x||_2^2 of each row, shape (n,)."""
    return (X**2).sum(axis=1)


def squared_l1(X):
    """Return ||x||_1^2 of each row, shape (n,)."""
    return np.abs(X).sum(axis=1) ** 2


def squared_linf(X):
    """Return ||x||_inf^2 of each row, shape (n,)."""
    return np.abs(X).max(axis=1) ** 2


# in the order of the random stream: latent function, range of each entry of the step d
FUNCTIONS = {"l2": (squared_l2, -1.0, 0.5), "l1": (squared_l1, -0.5, 0.5), "linf": (squared_linf, -1.0, 1.0)}


@dataclass(frozen=True)
class Pool:
    """Labelled pairs of one latent function.

    Attributes
    ----------
    X, X2 : (N, 2) the two items of each pair
    y : (N,) int8 in {-1, 0, 1}; 1 where x' is better
    latent : (N,) r(x') - r(x) without noise: the truth predicts ``t_1(latent)``
    """

    X: np.ndarray
    X2: np.ndarray
    y: np.ndarray
    latent: np.ndarray


def make_pools(size=POOL_SIZE, seed=1):
    """Return the pool of each function, from one stream in the order l2, l1, linf: a dict of `Pool`."""
    stream = RRandom(seed)
    return {name: _pool(stream, size, *spec) for name, spec in FUNCTIONS.items()}


def _pool(stream, size, norm, low, high):
    u = stream.uniform(6 * size).reshape(size, 6)
    X = -2.0 + 4.0 * u[:, :2]
    X2 = X + (low + (high - low) * u[:, 2:4])
    latent = norm(X2) - norm(X)
    noisy = latent + NOISE_SD * normal_from(u[:, 4:])
    return Pool(X, X2, ((noisy > 1.0).astype(np.int8) - (noisy < -1.0)).astype(np.int8), latent)


def draw_sets(labels, n_equality, n_inequality, seed):
    """Draw disjoint train, validation and test sets from each pool, all from one stream.

    Parameters
    ----------
    labels : dict of name to (N,) labels, in the order of the stream
    n_equality, n_inequality : int, number of pairs of either kind in every set
    seed : int

    Returns
    -------
    dict of name to dict of part to (n_equality + n_inequality,) row numbers, the equality pairs first
    """
    stream = RRandom(seed)
    return {name: draw_parts(stream, y, n_equality, n_inequality) for name, y in labels.items()}
