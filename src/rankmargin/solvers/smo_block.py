"""The steps of :mod:`rankmargin.solvers.smo` inside one block of examples, whose kernel matrix fits the cache.

All row arrays here are sorted by threshold: rows ``starts[k] .. starts[k + 1]`` belong to threshold k - 1, and those
of k = 0 to none.  ``eta`` holds the multipliers of theta_k <= theta_{k+1} where the thresholds are ordered.
"""

import numpy as np
from numba import njit

ROUND = 128


@njit(cache=True)
def kink_of(sign, plus, minus, margin, scores, t):
    """Return the value of its threshold at which row t is on its margin."""
    difference = scores[plus[t]]
    if minus[t] >= 0:
        difference -= scores[minus[t]]
    return difference - sign[t] * margin[t]


@njit(cache=True)
def can_rise(sign, alpha, bounds, t):
    """Whether sign_t alpha_t can be raised inside the box (a row *up*)."""
    return alpha[t] < bounds[t] if sign[t] > 0 else alpha[t] > 0.0


@njit(cache=True)
def can_fall(sign, alpha, bounds, t):
    """Whether sign_t alpha_t can be lowered inside the box (a row *down*)."""
    return alpha[t] > 0.0 if sign[t] > 0 else alpha[t] < bounds[t]


@njit(cache=True)
def last_partner(k, eta, ordered):
    """Return the last threshold that may give weight to threshold k (thresholds counted from 1).

    Without order it is k itself.  With order every threshold before k may, which raises multipliers, and those after
    k as far as the multipliers in between are positive, which it lowers.
    """
    if ordered:
        while k - 1 < eta.size and eta[k - 1] > 0.0:
            k += 1
    return k


@njit(cache=True)
def extremes(starts, sign, plus, minus, margin, bounds, alpha, scores, lowest, highest, first):
    """Fill in, for each threshold, the smallest kink up and its row, and the largest kink down."""
    for k in range(1, starts.size - 1):
        lowest[k], highest[k], first[k] = np.inf, -np.inf, -1
        for t in range(starts[k], starts[k + 1]):
            kink = kink_of(sign, plus, minus, margin, scores, t)
            if kink < lowest[k] and can_rise(sign, alpha, bounds, t):
                lowest[k], first[k] = kink, t
            if kink > highest[k] and can_fall(sign, alpha, bounds, t):
                highest[k] = kink


@njit(cache=True)
def worst_threshold(lowest, highest, eta, ordered):
    """Return the threshold of the largest max kink(down) - min kink(up) over the pairs that may move, and that."""
    worst, violation, before, reached = -1, 0.0, -np.inf, 0
    for k in range(1, lowest.size):
        if ordered:
            while reached < k or (reached - 1 < eta.size and eta[reached - 1] > 0.0):
                reached += 1
                before = max(before, highest[reached])
        else:
            before = highest[k]
        if before - lowest[k] > violation:
            worst, violation = k, before - lowest[k]
    return worst, violation


@njit(cache=True)
def worst_alone(starts, sign, plus, minus, margin, bounds, alpha, scores):
    """Return the row without threshold that most violates its optimality, and by how much."""
    row, violation = -1, 0.0
    for t in range(starts[0], starts[1]):
        slope = sign[t] * kink_of(sign, plus, minus, margin, scores, t)
        here = slope if slope > 0.0 and alpha[t] > 0.0 else (-slope if slope < 0.0 and alpha[t] < bounds[t] else 0.0)
        if here > violation:
            row, violation = t, here
    return row, violation


@njit(cache=True)
def _norm(K, plus, minus, t):
    i, j = plus[t], minus[t]
    return K[i, i] if j < 0 else K[i, i] + K[j, j] - 2.0 * K[i, j]


@njit(cache=True)
def _product(K, plus, minus, t, u):
    i, j = plus[t], minus[t]
    total = K[i, plus[u]] - (K[i, minus[u]] if minus[u] >= 0 else 0.0)
    if j >= 0:
        total -= K[j, plus[u]] - (K[j, minus[u]] if minus[u] >= 0 else 0.0)
    return total


@njit(cache=True)
def _partner(K, norm, starts, k, up, sign, plus, minus, margin, bounds, alpha, scores, highest, eta, ordered):
    """Return the row down with the largest gain (kink difference)^2 / curvature, its threshold and curvature."""
    kink_up, norm_up = kink_of(sign, plus, minus, margin, scores, up), norm[up]
    best, threshold, gain, best_curvature = -1, k, 0.0, 0.0
    for q in range(1 if ordered else k, last_partner(k, eta, ordered) + 1):
        if highest[q] <= kink_up:
            continue
        for t in range(starts[q], starts[q + 1]):
            if not can_fall(sign, alpha, bounds, t):
                continue
            difference = kink_of(sign, plus, minus, margin, scores, t) - kink_up
            if difference <= 0.0:
                continue
            curvature = norm_up + norm[t] - 2.0 * _product(K, plus, minus, up, t)
            curvature = max(curvature, 1e-12)
            if difference * difference > gain * curvature:
                best, threshold, gain, best_curvature = t, q, difference * difference / curvature, curvature
    return best, threshold, best_curvature


@njit(cache=True)
def _room(sign, alpha, bounds, t, direction):
    """How far sign_t alpha_t can move up (direction 1) or down (-1) inside the box."""
    return bounds[t] - alpha[t] if sign[t] * direction > 0 else alpha[t]


@njit(cache=True)
def _shift(sign, alpha, bounds, t, direction, step):
    """Move sign_t alpha_t and land exactly on a bound that is reached."""
    if step == _room(sign, alpha, bounds, t, direction):
        alpha[t] = bounds[t] if sign[t] * direction > 0 else 0.0
    else:
        alpha[t] = min(max(alpha[t] + sign[t] * direction * step, 0.0), bounds[t])


@njit(cache=True)
def _move_scores(K, plus, minus, t, step, scores):
    above = K[plus[t]]
    for r in range(scores.size):
        scores[r] += step * above[r]
    if minus[t] >= 0:
        below = K[minus[t]]
        for r in range(scores.size):
            scores[r] -= step * below[r]


@njit(cache=True)
def _move_alone(K, norm, sign, plus, minus, margin, bounds, alpha, scores, t, violation):
    direction = -1.0 if kink_of(sign, plus, minus, margin, scores, t) > 0.0 else 1.0
    step = min(violation / max(norm[t], 1e-12), _room(sign, alpha, bounds, t, direction))
    _shift(sign, alpha, bounds, t, direction, step)
    _move_scores(K, plus, minus, t, direction * step, scores)


@njit(cache=True)
def violations(starts, sign, plus, minus, margin, bounds, alpha, scores, eta, ordered, up, down):
    """Fill in by how much each row violates its optimality as a row up and as a row down; return the largest."""
    size = starts.size - 1
    lowest, highest, first = np.full(size, np.inf), np.full(size, -np.inf), np.full(size, -1)
    extremes(starts, sign, plus, minus, margin, bounds, alpha, scores, lowest, highest, first)
    if ordered:
        _spread_over_ties(lowest, highest, eta)
    largest = 0.0
    for t in range(starts[0], starts[1]):
        slope = sign[t] * kink_of(sign, plus, minus, margin, scores, t)
        up[t] = -slope if alpha[t] < bounds[t] else -np.inf
        down[t] = slope if alpha[t] > 0.0 else -np.inf
        largest = max(largest, up[t], down[t])
    for k in range(1, size):
        for t in range(starts[k], starts[k + 1]):
            kink = kink_of(sign, plus, minus, margin, scores, t)
            up[t] = highest[k] - kink if can_rise(sign, alpha, bounds, t) else -np.inf
            down[t] = kink - lowest[k] if can_fall(sign, alpha, bounds, t) else -np.inf
            largest = max(largest, up[t], down[t])
    return largest


@njit(cache=True)
def _spread_over_ties(lowest, highest, eta):
    """Replace what a threshold shows by what it can meet: kinks down as far ahead as weight may pass, kinks up as far
    back."""
    size, largest, smallest = lowest.size, -np.inf, np.inf
    above, below = highest.copy(), lowest.copy()
    reached = 0
    for k in range(1, size):
        while reached < k or (reached - 1 < eta.size and eta[reached - 1] > 0.0):
            reached += 1
            largest = max(largest, above[reached])
        highest[k] = largest
    reached = size
    for k in range(size - 1, 0, -1):
        while reached > k or (reached >= 2 and eta[reached - 2] > 0.0):
            reached -= 1
            smallest = min(smallest, below[reached])
        lowest[k] = smallest


@njit(cache=True)
def run_block(K, starts, sign, plus, minus, margin, bounds, alpha, scores, eta, ordered, limit, max_steps):
    """Take steps until no violation exceeds ``limit``; ``alpha``, ``scores`` and ``eta`` are changed in place.

    Every ROUND steps the rows are looked through: those at a bound that they want to keep rest for the next round
    (shrinking).  Returns the number of steps.
    """
    steps, size = 0, starts.size
    up, down = np.empty(sign.size), np.empty(sign.size)
    norm = np.empty(sign.size)
    for t in range(sign.size):
        norm[t] = _norm(K, plus, minus, t)
    while steps < max_steps:
        if violations(starts, sign, plus, minus, margin, bounds, alpha, scores, eta, ordered, up, down) <= limit:
            break
        active = np.flatnonzero((up > 0.0) | (down > 0.0) | ((alpha > 0.0) & (alpha < bounds)))
        active_starts = np.empty(size, dtype=np.int64)
        for k in range(size):
            active_starts[k] = np.searchsorted(active, starts[k])
        moved = alpha[active]
        steps += _round(
            K, norm[active], active_starts, sign[active], plus[active], minus[active], margin[active], bounds[active],
            moved, scores, eta, ordered, limit, min(ROUND, max_steps - steps),
        )  # fmt: skip
        alpha[active] = moved
    return steps


@njit(cache=True)
def _round(K, norm, starts, sign, plus, minus, margin, bounds, alpha, scores, eta, ordered, limit, max_steps):
    """Take up to ``max_steps`` steps: 1 worst row up, 2 its partner, 3 the step, 4 the scores."""
    size = starts.size - 1
    lowest, highest, first = np.full(size, np.inf), np.full(size, -np.inf), np.full(size, -1)
    for step_count in range(max_steps):
        extremes(starts, sign, plus, minus, margin, bounds, alpha, scores, lowest, highest, first)
        k, violation = worst_threshold(lowest, highest, eta, ordered)
        alone, violation_alone = worst_alone(starts, sign, plus, minus, margin, bounds, alpha, scores)
        if max(violation, violation_alone) <= limit:
            return step_count
        if violation_alone > violation:
            _move_alone(K, norm, sign, plus, minus, margin, bounds, alpha, scores, alone, violation_alone)
            continue
        up = first[k]
        down, q, curvature = _partner(
            K, norm, starts, k, up, sign, plus, minus, margin, bounds, alpha, scores, highest, eta, ordered
        )
        kink_up = kink_of(sign, plus, minus, margin, scores, up)
        step = (kink_of(sign, plus, minus, margin, scores, down) - kink_up) / curvature
        step = min(step, _room(sign, alpha, bounds, up, 1.0), _room(sign, alpha, bounds, down, -1.0))
        for between in range(k - 1, q - 1):
            step = min(step, eta[between])
        _shift(sign, alpha, bounds, up, 1.0, step)
        _shift(sign, alpha, bounds, down, -1.0, step)
        for between in range(k - 1, q - 1):
            eta[between] -= step
        for between in range(q - 1, k - 1):
            eta[between] += step
        _move_scores(K, plus, minus, up, step, scores)
        _move_scores(K, plus, minus, down, -step, scores)
    return max_steps
