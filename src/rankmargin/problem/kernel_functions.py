"""The kernels that are computed tile by tile from their definition: to add one, write its function and name it at the
end of this file.

Each function takes X (n, d), Z (m, d) and gamma, and returns the values k(x_i, z_j), shape (n, m). Its argument is
never so large that a few arrays of this shape do not fit into the cache.
"""

import numpy as np


def laplacian(X, Z, gamma):
    """Return exp(-gamma sum_k |x_k - z_k|)."""
    return np.exp(-gamma * _distances(X, Z, "cityblock"))


def matern12(X, Z, gamma):
    """Return exp(-t) with t = sqrt(gamma) ||x - z||."""
    return np.exp(-(gamma**0.5) * _distances(X, Z))


def matern32(X, Z, gamma):
    """Return (1 + t) exp(-t) with t = sqrt(3 gamma) ||x - z||."""
    t = (3.0 * gamma) ** 0.5 * _distances(X, Z)
    return (1.0 + t) * np.exp(-t)


def matern52(X, Z, gamma):
    """Return (1 + t + t^2 / 3) exp(-t) with t = sqrt(5 gamma) ||x - z||."""
    t = (5.0 * gamma) ** 0.5 * _distances(X, Z)
    return (1.0 + t + t * t / 3.0) * np.exp(-t)


def chi2(X, Z, gamma):
    """Return exp(-gamma sum_k (x_k - z_k)^2 / (x_k + z_k)) of numbers >= 0; a term of two zeros is 0."""
    least = min(float(part.min(initial=0.0)) for part in (X, Z))
    if least < 0.0:
        raise ValueError(f'X must be >= 0 with kernel="chi2", got {least:.3g}')
    distances = np.zeros((len(X), len(Z)))
    for x, z in zip(X.T, Z.T, strict=True):
        total = x[:, None] + z
        distances += np.divide((x[:, None] - z) ** 2, total, out=np.zeros_like(total), where=total > 0.0)
    return np.exp(-gamma * distances)


def cosine(X, Z, gamma):
    """Return x.z / (||x|| ||z||), or 0 if one of them is 0."""
    return _directions(X) @ _directions(Z).T


def _distances(X, Z, metric="euclidean"):
    from scipy.spatial.distance import cdist  # exact for rows that are close; most jobs do not need it

    return cdist(X, Z, metric)


def _directions(X):
    largest = np.abs(X).max(axis=1, initial=0.0, keepdims=True)  # squares of huge and of tiny numbers are inf and 0
    X = X / np.where(largest > 0.0, largest, 1.0)
    lengths = np.sqrt(np.einsum("ij,ij->i", X, X))
    return X / np.where(lengths > 0.0, lengths, 1.0)[:, None]


FUNCTIONS = {function.__name__: function for function in (laplacian, matern12, matern32, matern52, chi2, cosine)}
