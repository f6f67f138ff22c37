"""Newton steps on a face of the box: the free variables of a dual are solved together, the others stay at their bounds.

    min_d  1/2 d^T Q d - slope^T d,   sum of d over the free rows of each threshold = 0

A step that leaves the box stops at its edge, and the variable at the edge leaves the face.  The inverse H of the system
is computed once; without variable j it is H - h_j h_j^T / H_jj, so each further step takes O(F^2).  Every step lowers
the dual loss, so these steps can be used between the steps of any ascent method.
"""

import numpy as np

from rankmargin.compiled import njit

MOST_FREE = 2000
MOST_STEPS = 100
RIDGE = 1e-10


def minimise_on_face(rows, a, low, high, scores):
    """Change a (N,) and scores (n,) in place by at most ``MOST_STEPS`` Newton steps on the free rows.

    Parameters
    ----------
    rows : the sorted rows of :mod:`rankmargin.solvers.example_smo`, with their index, orient, target, threshold and
        space
    low, high : (N,) arrays, the box

    Returns
    -------
    bool, whether the minimum of a face was reached
    """
    free = np.flatnonzero((a > low) & (a < high))
    if not 2 <= len(free) <= MOST_FREE:
        return False
    index, orient = rows.index[free], rows.orient[free]
    K = rows.space.K
    Q = K[np.ix_(index, index)]
    Q *= np.outer(orient, orient)
    slope = rows.target[free] - orient * scores[index]
    member = np.unique(rows.threshold[free], return_inverse=True)[1]
    H = _inverse(Q, member, RIDGE * float(rows.diagonal.max()))
    if H is None:
        return False
    moved, reached = _walk(Q, H, slope, a[free], low[free], high[free], member)
    scores += (orient * (moved - a[free])) @ K[index]
    a[free] = moved
    return reached


def _inverse(Q, member, ridge):
    """Return the block of the free rows in the inverse of the bordered system, or None if there is no inverse."""
    size, n_groups = len(Q), member.max() + 1
    system = np.zeros((size + n_groups, size + n_groups))
    system[:size, :size] = Q
    system[np.arange(size), np.arange(size)] += ridge
    system[size + member, np.arange(size)] = 1.0
    system[np.arange(size), size + member] = 1.0
    try:
        return np.ascontiguousarray(np.linalg.inv(system)[:size, :size])
    except np.linalg.LinAlgError:
        return None


def _walk(Q, H, slope, a, low, high, member):
    """Take Newton steps from a, each on the remaining face; return the point and whether a minimum was reached."""
    a, inside = a.copy(), np.ones(len(a), dtype=bool)
    for _ in range(MOST_STEPS):
        step = np.where(inside, H @ slope, 0.0)
        # keep every threshold exactly balanced, despite rounding
        surplus = np.bincount(member, step) / np.maximum(np.bincount(member, inside), 1)
        step -= surplus[member] * inside
        if not step @ slope > 0.0:
            return a, False
        with np.errstate(divide="ignore", invalid="ignore"):
            to_edge = np.where(step > 0, (high - a) / step, np.where(step < 0, (low - a) / step, np.inf))
        at = int(np.argmin(to_edge))
        length = min(float(to_edge[at]), 1.0)
        a = np.clip(a + length * step, low, high)
        if length == 1.0:
            return a, True
        slope = slope - length * (Q @ step)
        for j in np.flatnonzero(to_edge <= length):
            a[j], inside[j] = (high if step[j] > 0 else low)[j], False
            if not H[j, j] > 0.0:
                return a, False
            _remove(H, j)
    return a, False


@njit(cache=True)
def _remove(H, j):
    """Change the inverse of a system, in place, to that of the system without row and column j, which become 0."""
    pivot_row = H[j].copy()
    for r in range(H.shape[0]):
        factor = pivot_row[r] / pivot_row[j]
        if factor != 0.0:
            for c in range(H.shape[1]):
                H[r, c] -= factor * pivot_row[c]
