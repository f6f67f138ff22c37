"""Newton steps on a face of the box: the free variables of a dual solved together, the others held at their bounds.

    min_d  1/2 d^T Q d + g^T d,   sum of d over the free rows of each threshold = 0

A step that leaves the box stops at its edge, which takes one variable from the face; the next one is on the smaller
face.  Every step lowers the dual, so it may stand between steps of any ascent method.
"""

import numpy as np

MOST_FREE = 2000
MOST_STEPS = 2
RIDGE = 1e-10


def minimise_on_face(problem, a, low, high, scores):
    """Move a (N,) and scores (n,) in place by at most ``MOST_STEPS`` Newton steps on the free rows.

    Parameters
    ----------
    problem : index, orient, target, threshold of the rows, ``block`` and ``move``, as
        :mod:`rankmargin.solvers.example_smo` has them
    low, high : (N,) the box

    Returns
    -------
    bool, whether the minimum of the face was reached
    """
    for _ in range(MOST_STEPS):
        free = np.flatnonzero((a > low) & (a < high))
        if not 2 <= len(free) <= MOST_FREE:
            return False
        slope = problem.target[free] - problem.orient[free] * scores[problem.index[free]]
        step = _direction(problem, free, slope)
        if not step @ slope > 0.0:
            return False
        with np.errstate(divide="ignore", invalid="ignore"):
            to_edge = np.where(step > 0, (high[free] - a[free]) / step, (low[free] - a[free]) / step)
        to_edge[step == 0] = np.inf
        length = min(1.0, float(to_edge.min()))
        moved = np.clip(a[free] + length * step, low[free], high[free])
        reached = to_edge <= length
        moved[reached] = np.where(step[reached] > 0, high[free][reached], low[free][reached])
        change = problem.orient[free] * (moved - a[free])
        a[free] = moved
        problem.move(scores, problem.index[free], change)
        if length == 1.0:
            return True
    return False


def _direction(problem, free, slope):
    """Return the Newton direction on the free rows, shape (F,); zeros where the system has no solution."""
    index, orient = problem.index[free], problem.orient[free]
    groups, member = np.unique(problem.threshold[free], return_inverse=True)
    size, n_groups = len(free), len(groups)
    system = np.zeros((size + n_groups, size + n_groups))
    system[:size, :size] = problem.block(index) * np.outer(orient, orient)
    system[np.arange(size), np.arange(size)] += RIDGE * float(problem.diagonal.max())
    system[size + member, np.arange(size)] = 1.0
    system[np.arange(size), size + member] = 1.0
    try:
        step = np.linalg.solve(system, np.append(slope, np.zeros(n_groups)))[:size]
    except np.linalg.LinAlgError:
        return np.zeros(size)
    # rounding must not unbalance a threshold
    return step - (np.bincount(member, step) / np.bincount(member))[member]
