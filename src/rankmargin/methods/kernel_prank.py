"""PRank with a kernel: the steps of :mod:`rankmargin.methods.prank` on f = sum_i tau_i k(x_i, .)."""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.methods.prank import check_epochs, examples_shown, move_thresholds
from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import ThresholdModel
from rankmargin.path import over_kernels
from rankmargin.spaces import kernel_matrix

PATH = None
ORDINAL = True


@over_kernels
def fit_path(X, y, values, *, kernel, epochs=1, seed=0, groups=None, sample_weight=None):
    """Run through the examples ``epochs`` times, each time in a new random order.

    Parameters
    ----------
    X : (n, d) array or CSR matrix, or (n, n) kernel matrix with ``kernel="precomputed"``

    The other parameters and the result are those of :func:`rankmargin.methods.prank.fit_path`.
    """
    refuse_groups(groups)
    check_epochs(epochs)
    rank, ranks = ranks_of(y)
    K = np.ascontiguousarray(kernel_matrix(X, kernel), dtype=np.float64)
    beta, scores, b = np.zeros(len(rank)), np.zeros(len(rank)), np.zeros(len(ranks) - 1)
    rng, shown = np.random.default_rng(seed), examples_shown(len(rank), sample_weight)
    for _ in range(epochs):
        learn(K, rank, beta, scores, b, shown[rng.permutation(len(shown))])
    return [ThresholdModel(beta, b, ranks, X, kernel) for _ in values]


@njit(cache=True)
def learn(K, rank, beta, scores, b, order):
    """Learn once from each example in ``order``; change beta (n,), scores = K beta and b (k - 1,) in place."""
    for i in order:
        tau = move_thresholds(scores[i], rank[i], b)
        if tau != 0:
            beta[i] += tau
            for r in range(scores.size):
                scores[r] += tau * K[i, r]
