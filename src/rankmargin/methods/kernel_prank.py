"""PRank with a kernel: the steps of :mod:`rankmargin.methods.prank` on f = sum_i tau_i k(x_i, .)."""

from dataclasses import dataclass

import numpy as np

from rankmargin.compiled import njit
from rankmargin.methods import prank
from rankmargin.methods.prank import examples_shown, move_thresholds
from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import ThresholdModel
from rankmargin.parameters import KernelParameters, kernel_of
from rankmargin.path import path_of
from rankmargin.spaces import kernel_matrix


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(KernelParameters, prank.Parameters):
    """Those of a kernel and of PRank."""


def model(own, X, y, *, seed=0, groups=None, sample_weight=None):
    """Learn from the examples in random orders; X may be an (n, n) kernel matrix.

    See :func:`rankmargin.methods.prank.model`.
    """
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    kernel = kernel_of(own, X, sample_weight)
    K = np.ascontiguousarray(kernel_matrix(X, kernel), dtype=np.float64)
    beta, scores, b = np.zeros(len(rank)), np.zeros(len(rank)), np.zeros(len(ranks) - 1)
    rng, shown = np.random.default_rng(seed), examples_shown(len(rank), sample_weight)
    for _ in range(own.epochs):
        learn(K, rank, beta, scores, b, shown[rng.permutation(len(shown))])
    return ThresholdModel(beta, b, ranks, X, kernel)


fit_path = path_of(Parameters, model)


@njit(cache=True)
def learn(K, rank, beta, scores, b, order):
    """Learn once from each example in ``order``; change beta (n,), scores = K beta and b (k - 1,) in place."""
    for i in order:
        tau = move_thresholds(scores[i], rank[i], b)
        if tau != 0:
            beta[i] += tau
            for r in range(scores.size):
                scores[r] += tau * K[i, r]
