"""PRank (Crammer and Singer 2001): a perceptron for ranks, online.

For each example, predict min {r : w.x < b_r} with b_k = inf.  If the prediction is wrong, let z_r = +1 for r < y and -1
for r >= y, and tau_r = z_r if z_r (w.x - b_r) <= 0 and 0 otherwise; change w by (sum_r tau_r) x and each b_r by -tau_r.
The thresholds stay in order (Crammer and Singer, Lemma 1).
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.compiled import njit
from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import ThresholdModel
from rankmargin.path import path_of
from rankmargin.spaces import LinearSpace


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters:
    """``epochs``: how many times the examples are run through, each time in a new random order."""

    epochs: int = 1


def model(own, X, y, *, seed=0, groups=None, sample_weight=None):
    """Learn from the examples in random orders.

    Parameters
    ----------
    own : Parameters
    X : (n, d) array or CSR matrix
    y : (n,) array, each distinct value is a rank
    seed : int, seed of the orders
    groups : must be None, the thresholds are the same for all rows
    sample_weight : (n,) array of whole numbers >= 0 or None, how often each example is shown in an epoch

    Returns
    -------
    ThresholdModel
    """
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    w, b = np.zeros(X.shape[1]), np.zeros(len(ranks) - 1)
    rng, space, shown = np.random.default_rng(seed), LinearSpace(X), examples_shown(len(rank), sample_weight)
    for _ in range(own.epochs):
        learn(space, rank, w, b, shown[rng.permutation(len(shown))])
    return ThresholdModel(w, b, ranks)


fit_path = path_of(Parameters, model)


def examples_shown(n, sample_weight=None):
    """Return the numbers of n examples, each as often as its weight says."""
    if sample_weight is None:
        return np.arange(n)
    times = np.asarray(sample_weight)
    if not np.all(times == np.round(times)):
        strange = times[times != np.round(times)][0]
        raise ValueError(f"sample_weight must be a whole number, how often an example is shown, got {strange:g}")
    return np.repeat(np.arange(n), times.astype(np.int64))


def learn(space, rank, w, b, order):
    """Learn once from each example in ``order`` of a LinearSpace; change w (d,) and b (k - 1,) in place."""
    _learn(space.indptr, space.indices, space.data, rank, w, b, order)


@njit(cache=True)
def move_thresholds(score, y, b):
    """Change b in place if the prediction for this score is wrong; return sum_r tau_r, the factor of x in the change of
    w."""
    predicted = 0
    while predicted < b.size and score >= b[predicted]:
        predicted += 1
    if predicted == y:
        return 0
    total = 0
    for r in range(b.size):
        z = 1 if r < y else -1
        if z * (score - b[r]) <= 0.0:
            b[r] -= z
            total += z
    return total


@njit(cache=True)
def _learn(indptr, indices, data, rank, w, b, order):
    for i in order:
        score = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            score += data[p] * w[indices[p]]
        tau = move_thresholds(score, rank[i], b)
        if tau != 0:
            for p in range(indptr[i], indptr[i + 1]):
                w[indices[p]] += tau * data[p]
