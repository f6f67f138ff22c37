"""The working-set problem of Algorithm 1: a small QP over the planes that have been found.

max_a  a.delta - 1/2 a.H a,   a >= 0,   sum a <= C
"""

import numpy as np

from rankmargin.compiled import njit

MOST_ROUNDS = 100
RIDGE = 1e-12


def by_steps(H, delta, C, a, tol):
    """Solve by pairwise steps (SMO), from ``a``, to a KKT violation of tol.

    A slack plane of height 0 makes the budget an equality, so every step moves weight from one plane to another. With a
    large C, steps of different pairs of planes undo each other. Therefore, between rounds of such steps, all planes
    with weight move together.

    Parameters
    ----------
    H : (k, k) array of plane products
    delta : (k,) array of plane heights
    C : float, the budget
    a : (k,) array, a feasible start
    tol : float, absolute, in units of delta

    Returns
    -------
    (k,) array
    """
    H, delta, a = np.ascontiguousarray(H), np.ascontiguousarray(delta), np.array(a, dtype=np.float64)
    for _ in range(MOST_ROUNDS):
        if _smo(H, delta, float(C), a, tol, 1000 + 50 * len(a)):
            break
        while _move_together(H, delta, C, a):
            pass
    return a


def _move_together(H, delta, C, a):
    """Take the Newton step of the planes with weight, in place, as far as all of them stay >= 0.

    Return whether a plane lost its weight, so that another step of the others is possible.
    """
    used = np.flatnonzero(a > 0)
    spent = a.sum() >= (1.0 - 1e-12) * C
    system = np.zeros((len(used) + spent, len(used) + spent))
    system[: len(used), : len(used)] = H[np.ix_(used, used)] + RIDGE * np.diag(H[used, used])
    if spent:
        system[-1, :-1] = system[:-1, -1] = 1.0
    gradient = (delta - H @ a)[used]
    try:
        step = np.linalg.solve(system, np.append(gradient, np.zeros(int(spent))))[: len(used)]
    except np.linalg.LinAlgError:
        return False
    if spent:
        step -= step.mean()
    if not step @ gradient > 0.0:
        return False
    room = np.divide(a[used], -step, out=np.full(len(used), np.inf), where=step < 0.0)
    reach = min(1.0, float(room.min()))
    if not spent and step.sum() > 0.0:
        reach = min(reach, (C - a.sum()) / step.sum())
    a[used] = np.where(room <= reach, 0.0, np.maximum(a[used] + reach * step, 0.0))
    return bool(np.any(room <= reach))


@njit(cache=True)
def _smo(H, delta, C, a, tol, max_steps):
    """Take steps until no violation exceeds tol, and change a in place; return whether this was reached."""
    k = a.size
    gradient = delta - H @ a
    for _ in range(max_steps):
        spare = C - a.sum()
        # 1. the plane to which weight should go (-1: the slack, whose gradient is 0)
        up, best = -1, 0.0
        for p in range(k):
            if gradient[p] > best:
                up, best = p, gradient[p]
        # 2. the plane from which it comes: the largest gain of a step of two planes
        down, gain, curvature = -2, 0.0, 0.0
        if up >= 0 and spare > 1e-15 * C and best > tol:
            down, gain = -1, best * best / max(H[up, up], 1e-300)
        for p in range(k):
            if a[p] > 0.0 and best - gradient[p] > tol and p != up:
                h = H[p, p] if up < 0 else H[up, up] + H[p, p] - 2.0 * H[up, p]
                value = (best - gradient[p]) ** 2 / max(h, 1e-300)
                if value > gain:
                    down, gain = p, value
        if down == -2:
            return True
        # 3. the step, clipped to the weight that is available
        lower = gradient[down] if down >= 0 else 0.0
        curvature = (H[up, up] if up >= 0 else 0.0) + (H[down, down] if down >= 0 else 0.0)
        if up >= 0 and down >= 0:
            curvature -= 2.0 * H[up, down]
        available = a[down] if down >= 0 else spare
        step = min((best - lower) / curvature, available) if curvature > 0.0 else available
        if up >= 0:
            a[up] += step
            gradient -= step * H[up]
        if down >= 0:
            a[down] = 0.0 if step == available else a[down] - step
            gradient += step * H[down]
    return False
