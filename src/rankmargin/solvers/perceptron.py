"""The steps of PRank (Crammer and Singer 2001), online, on w or on f = sum_i tau_i k(x_i, .).

For each example, predict min {r : w.x < b_r} with b_k = inf.  If the prediction is wrong, let z_r = +1 for r < y and -1
for r >= y, and tau_r = z_r if z_r (w.x - b_r) <= 0 and 0 otherwise; change w by (sum_r tau_r) x and each b_r by -tau_r.
The thresholds stay in order (Crammer and Singer, Lemma 1).
"""

import numpy as np

from rankmargin.compiled import njit

MOST_SHOWN = 100_000_000  # in one epoch


def examples_shown(n, sample_weight=None):
    """Return the numbers of n examples, each as often as its weight says."""
    if sample_weight is None:
        return np.arange(n)
    times = np.asarray(sample_weight)
    if not np.all(times == np.round(times)):
        strange = times[times != np.round(times)][0]
        raise ValueError(f"sample_weight must be a whole number, how often an example is shown, got {strange:g}")
    if not times.sum() <= MOST_SHOWN:
        raise ValueError(
            f"sample_weight must show at most {MOST_SHOWN:,} examples, got weights up to {times.max():.3g}"
        )
    return np.repeat(np.arange(n), times.astype(np.int64))


def learn(space, rank, w, b, order):
    """Learn once from each example in ``order`` of a LinearSpace; change w (d,) and b (k - 1,) in place."""
    _learn(*space.csr, rank, w, b, order)


@njit
def _move_thresholds(score, y, b):
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


@njit
def _learn(indptr, indices, data, rank, w, b, order):
    for i in order:
        score = 0.0
        for p in range(indptr[i], indptr[i + 1]):
            score += data[p] * w[indices[p]]
        tau = _move_thresholds(score, rank[i], b)
        if tau != 0:
            for p in range(indptr[i], indptr[i + 1]):
                w[indices[p]] += tau * data[p]


@njit
def learn_with_kernel(K, rank, beta, scores, b, order):
    """Learn once from each example in ``order``; change beta (n,), scores = K beta and b (k - 1,) in place."""
    for i in order:
        tau = _move_thresholds(scores[i], rank[i], b)
        if tau != 0:
            beta[i] += tau
            for r in range(scores.size):
                scores[r] += tau * K[i, r]
