"""The steps of :mod:`rankmargin.solvers.smo` over a kernel matrix in memory, that of all examples or of a block.

All row arrays here are sorted by threshold: rows ``starts[k] .. starts[k + 1]`` belong to threshold k - 1, and those
of k = 0 have no threshold.  ``plus`` or ``minus`` is -1 if a row has no such term; therefore scores end in a zero.

``kink = scores[plus] - scores[minus] - offset`` with offset = sign margin is the threshold at which a row is on its
margin (it should be 0 for a row without a threshold).  ``closed_up`` is inf for the rows whose sign alpha cannot be
raised inside the box, and 0 for the others; ``closed_down`` is the same for lowering.  Added to a kink, they exclude
the row without a branch, so a look at a row costs 2 ns instead of 20.  ``eta`` holds the multipliers of
theta_k <= theta_{k+1}; it is empty if no order is required.

Arrays are handed over in tuples: ``rows`` is (starts, plus, minus, offset), ``box`` (sign, bounds, alpha), ``closed``
(closed_up, closed_down), and ``ends`` of the thresholds (smallest kink up, largest kink down, row of the former).
"""

import numpy as np

from rankmargin.compiled import njit

ROUND = 128
GREED = 0.4  # a threshold, or a row without one, moves if its violation is above this share of the largest one
# A step is this much longer than the one to the minimum along its direction. It still lowers the dual loss (by 3/4 as
# much), and fewer steps are needed, because rows that are alike undo less of each other's steps (over-relaxation).
OVER = 1.5
ROUNDING, TINY = 1e-12, 1e-300


@njit
def run_block(K, rows, box, scores, eta, limit, piece, max_steps):
    """Take steps until no violation exceeds ``limit``; ``alpha``, ``scores`` and ``eta`` are changed in place.

    After ROUND steps all rows are checked; rows that should stay at their bound are left out of the next round
    (shrinking).  Return the number of steps.

    Parameters
    ----------
    K : (q, q) array
    scores : (q + 1,) array, the last 0
    """
    (starts, plus, minus, offset), (sign, bounds, alpha) = rows, box
    steps, size = 0, starts.size
    up, down = np.empty(sign.size), np.empty(sign.size)
    active, active_starts = np.empty(sign.size, np.int64), np.empty(size, np.int64)
    sign_of, plus_of, minus_of = np.empty_like(sign), np.empty_like(plus), np.empty_like(minus)
    offset_of, bound_of, moved = np.empty(sign.size), np.empty(sign.size), np.empty(sign.size)
    while steps < min(piece, max_steps):
        if violations(rows, box, scores, eta, up, down) <= limit:
            break
        # loops instead of index arrays, which take numba seconds to compile
        found = 0
        for k in range(size - 1):
            active_starts[k] = found
            for t in range(starts[k], starts[k + 1]):
                if up[t] > 0.0 or down[t] > 0.0 or 0.0 < alpha[t] < bounds[t]:
                    active[found] = t
                    found += 1
        active_starts[size - 1] = found
        for p in range(found):
            t = active[p]
            sign_of[p], plus_of[p], minus_of[p] = sign[t], plus[t], minus[t]
            offset_of[p], bound_of[p], moved[p] = offset[t], bounds[t], alpha[t]
        searched = active_starts, plus_of[:found], minus_of[:found], offset_of[:found]
        inside = sign_of[:found], bound_of[:found], moved[:found]
        steps += _round(K, searched, inside, scores, eta, limit, min(ROUND, max_steps - steps))
        for p in range(found):
            alpha[active[p]] = moved[p]
    return steps


@njit
def violations(rows, box, scores, eta, up, down):
    """Fill in the violation of each row as a row up and as a row down, two arrays (N,); return the largest."""
    starts, plus, minus, offset = rows
    size = starts.size - 1
    lowest, highest, first = np.zeros(size), np.zeros(size), np.full(size, -1)
    closed_up, closed_down = _closed(box)
    for k in range(1, size):
        _extreme(k, rows, scores, (closed_up, closed_down), (lowest, highest, first), up)
    if eta.size > 0:
        _spread_over_ties(lowest, highest, eta)
    largest = 0.0
    for k in range(size):  # for a row without threshold, both ends are fixed at 0
        high, low = (highest[k], lowest[k]) if k > 0 else (0.0, 0.0)
        for t in range(starts[k], starts[k + 1]):
            kink = scores[plus[t]] - scores[minus[t]] - offset[t]
            up[t], down[t] = high - kink - closed_up[t], kink - low - closed_down[t]
            largest = max(largest, up[t], down[t])
    return largest


@njit
def _closed(box):
    size = box[0].size
    closed = np.zeros(size), np.zeros(size)
    for t in range(size):
        _close(box, t, closed)
    return closed


@njit
def _close(box, t, closed):
    (sign, bounds, alpha), (closed_up, closed_down) = box, closed
    above, below = (0.0 if alpha[t] < bounds[t] else np.inf), (0.0 if alpha[t] > 0.0 else np.inf)
    closed_up[t], closed_down[t] = (above, below) if sign[t] > 0 else (below, above)


@njit
def _extreme(k, rows, scores, closed, ends, kinks):
    """Fill in the kinks of a threshold, the smallest up, the largest down, and the row of the former."""
    starts, plus, minus, offset = rows
    closed_up, closed_down = closed
    low, high, row = np.inf, -np.inf, -1
    for t in range(starts[k], starts[k + 1]):
        kinks[t] = kink = scores[plus[t]] - scores[minus[t]] - offset[t]
        if kink + closed_up[t] < low:
            low, row = kink + closed_up[t], t
        high = max(high, kink - closed_down[t])
    lowest, highest, first = ends
    lowest[k], highest[k], first[k] = low, high, row


@njit
def _spread_over_ties(lowest, highest, eta):
    """Extend the extremes of each threshold to all thresholds with which it may exchange weight: ``highest`` over those
    before it and after it as far as weight may pass, ``lowest`` in the other direction."""
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


@njit
def _last_partner(k, eta):
    """Return the last threshold that may give weight to threshold k (thresholds are counted from 1).

    Without an order it is k itself.  With an order, every threshold before k may give weight, which raises multipliers;
    thresholds after k may do so as long as the multipliers in between, which it lowers, are positive.
    """
    while k - 1 < eta.size and eta[k - 1] > 0.0:
        k += 1
    return k


@njit
def _worst_threshold(lowest, highest, eta):
    """Return the threshold with the largest max kink(down) - min kink(up) over the pairs that may move, and the
    value."""
    worst, violation, before, reached = -1, 0.0, -np.inf, 0
    for k in range(1, lowest.size):
        if eta.size > 0:
            while reached < k or (reached - 1 < eta.size and eta[reached - 1] > 0.0):
                reached += 1
                before = max(before, highest[reached])
        else:
            before = highest[k]
        if before - lowest[k] > violation:
            worst, violation = k, before - lowest[k]
    return worst, violation


@njit
def _sweep_alone(K, norm, rows, box, scores, closed, column, cutoff):
    """Change each row without threshold whose violation exceeds ``cutoff``, one after the other; return
    how many were changed."""
    starts, plus, minus, offset = rows
    closed_up, closed_down = closed
    moved = 0
    for t in range(starts[0], starts[1]):
        kink = scores[plus[t]] - scores[minus[t]] - offset[t]
        violation = max(-kink - closed_up[t], kink - closed_down[t])
        if violation > cutoff:
            direction = -1.0 if kink > 0.0 else 1.0
            step = min(OVER * violation / max(norm[t], TINY), _room(box, t, direction))
            _fill(K, rows, t, column)
            _move(column, box, scores, closed, t, direction, step)
            moved += 1
    return moved


@njit
def least_curvature(norm, other, product):
    """Return norm + other - 2 product, but at least its possible rounding error."""
    return max(norm + other - 2.0 * product, ROUNDING * (norm + other), TINY)


@njit
def _fill(K, rows, t, column):
    """Fill in by how much the scores change if sign_t alpha_t rises by 1, shape (q + 1,)."""
    i, j = rows[1][t], rows[2][t]
    if i >= 0 and j >= 0:
        for r in range(len(K)):
            column[r] = K[i, r] - K[j, r]
    elif i >= 0:
        for r in range(len(K)):
            column[r] = K[i, r]
    else:
        for r in range(len(K)):
            column[r] = -K[j, r]


@njit
def _partner(column, norm, rows, kinks, closed_down, highest, eta, k, up):
    """Return the row down with the largest gain (kink difference)^2 / curvature, its threshold and curvature; column
    is that of the row up."""
    (starts, plus, minus, _), kink_up = rows, kinks[up]
    best, threshold, gain, best_curvature = -1, k, 0.0, 1.0
    for q in range(1 if eta.size > 0 else k, _last_partner(k, eta) + 1):
        if highest[q] <= kink_up:
            continue
        for t in range(starts[q], starts[q + 1]):
            difference = max(kinks[t] - closed_down[t] - kink_up, 0.0)
            curvature = least_curvature(norm[up], norm[t], column[plus[t]] - column[minus[t]])
            if difference * difference > gain * curvature:
                best, threshold, gain, best_curvature = t, q, difference * difference / curvature, curvature
    return best, threshold, best_curvature


@njit
def _room(box, t, direction):
    """Return how far sign_t alpha_t can move up (direction 1) or down (-1) inside the box."""
    sign, bounds, alpha = box
    return bounds[t] - alpha[t] if sign[t] * direction > 0 else alpha[t]


@njit
def _move(column, box, scores, closed, t, direction, step):
    """Move sign_t alpha_t by ``step``, landing exactly on a bound that is reached, and the scores with it."""
    (sign, bounds, alpha), signed = box, direction * step
    if step == _room(box, t, direction):
        alpha[t] = bounds[t] if sign[t] * direction > 0 else 0.0
    else:
        alpha[t] = min(max(alpha[t] + sign[t] * direction * step, 0.0), bounds[t])
    _close(box, t, closed)
    for r in range(scores.size - 1):
        scores[r] += signed * column[r]


@njit
def _round(K, rows, box, scores, eta, limit, max_steps):
    """Take up to ``max_steps`` steps: 1 worst row up, 2 its partner, 3 the step, 4 rows, multipliers and scores."""
    starts, plus, minus, _ = rows
    size = starts.size - 1
    lowest, highest = np.zeros(size), np.zeros(size)
    ends, closed = (lowest, highest, np.full(size, -1)), _closed(box)
    norm, kinks, columns = np.empty(plus.size), np.empty(plus.size), np.zeros((2, scores.size))
    work = kinks, columns
    for t in range(plus.size):
        i, j = plus[t], minus[t]
        norm[t] = (K[i, i] if i >= 0 else 0.0) + (K[j, j] if j >= 0 else 0.0)
        norm[t] -= 2.0 * K[i, j] if i >= 0 and j >= 0 else 0.0
    steps = 0
    while steps < max_steps:
        for k in range(size):
            _extreme(k, rows, scores, closed, ends, kinks)
        k, violation = _worst_threshold(lowest, highest, eta)
        alone = max(-lowest[0], highest[0])  # of rows without a threshold, which is fixed at 0
        if max(violation, alone) <= limit:
            return steps
        if alone > violation:  # a look at all rows for many moves: these rows need no partner
            steps += _sweep_alone(K, norm, rows, box, scores, closed, columns[0], max(limit, GREED * alone))
            continue
        if eta.size > 0 or size == 2:
            _step(K, norm, rows, box, scores, closed, ends, work, eta, k)
            steps += 1
            continue
        cutoff = max(limit, GREED * violation)
        for k in range(1, size):  # a look at all rows for many moves: no two thresholds share a row
            if highest[k] - lowest[k] <= cutoff:
                continue
            _extreme(k, rows, scores, closed, ends, kinks)
            if highest[k] - lowest[k] > cutoff:
                _step(K, norm, rows, box, scores, closed, ends, work, eta, k)
                steps += 1
    return steps


@njit
def _step(K, norm, rows, box, scores, closed, ends, work, eta, k):
    """Raise the row up of threshold k and lower its partner; change multipliers and scores with them."""
    (lowest, highest, first), (kinks, columns) = ends, work
    up = first[k]
    _fill(K, rows, up, columns[0])
    down, q, curvature = _partner(columns[0], norm, rows, kinks, closed[1], highest, eta, k, up)
    step = (kinks[down] - lowest[k]) * OVER / curvature
    step = min(step, _room(box, up, 1.0), _room(box, down, -1.0))
    for between in range(k - 1, q - 1):
        step = min(step, eta[between])
    for between in range(k - 1, q - 1):
        eta[between] -= step
    for between in range(q - 1, k - 1):
        eta[between] += step
    _fill(K, rows, down, columns[1])
    _move(columns[0], box, scores, closed, up, 1.0, step)
    _move(columns[1], box, scores, closed, down, -1.0, step)
