"""Equations with the Laplacian of a large sparse graph, whose null vector is a common shift."""

import numpy as np

ACCURATE, PATIENCE = 1e-11, 500  # relative residual at which conjugate gradients stop, and steps without a smaller one


def conjugate_gradients(matrix, right):
    """Return x (n, m) with matrix x = right, whose columns sum to 0; all columns are solved side by side."""
    inverse = 1.0 / matrix.diagonal()[:, None]
    x, residual = np.zeros_like(right), right - right.mean(axis=0)
    stop = ACCURATE * np.linalg.norm(residual, axis=0)
    along = centred(inverse * residual)
    product = (residual * along).sum(axis=0)
    least, since = np.inf, 0  # rounding may keep residuals above the limit
    while since < PATIENCE:
        size = np.linalg.norm(residual, axis=0)
        if np.all(size <= stop):
            break
        least, since = (size.sum(), 0) if size.sum() < least else (least, since + 1)
        image = centred(matrix @ along)
        length = product / np.maximum((along * image).sum(axis=0), 1e-300)
        x += length * along
        residual -= length * image
        better = centred(inverse * residual)
        product, before = (residual * better).sum(axis=0), product
        along = better + product / np.maximum(before, 1e-300) * along
    return x


def centred(columns):
    return columns - columns.mean(axis=0)
