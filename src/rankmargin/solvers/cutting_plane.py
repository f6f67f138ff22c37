"""Algorithm 1 of Diez et al.: one slack for all pairs, one plane per iteration (Joachims; Tsochantaridis et al.).

    min 1/2 ||f||^2 + xi   with   xi >= C (margin |V| - sum_{(i,j) in V} (s_i - s_j))   for every set V of pairs (eq. 9)

The oracle returns the most violated V at scores s. A plane consists of its counts c_i - d_i of eq. 19 and its height
``margin |V|``. For linear functions the counts are kept as X^T counts, d numbers; for other functions the counts and
their scores are kept. Solving over the planes gives a lower bound, and the oracle gives an upper bound.  If the oracle
returns a plane that exists already, the working set was not solved exactly enough: it is solved again, ten times as
exactly.  That is a small QP over the planes that have been found:

    max_a  a.delta - 1/2 a.H a,   a >= 0,   sum a <= C
"""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.oracles.objective import Solution, relative_gap
from rankmargin.oracles.pair_losses import PairLoss, SlopesAt
from rankmargin.problem.spaces import LinearSpace
from rankmargin.solvers.progress import current
from rankmargin.solvers.solver import solver

IDLE = 50
LEAST_ACCURACY = 1e-13
MOST_ROUNDS = 100
RIDGE = 1e-12  # of the working-set problem


@solver(forms=(PairLoss,))
def cutting_plane(problem, C_values, tol, max_iter, seed, start):
    """Run Algorithm 1 for each C in turn; the planes of the previous C are kept. One iteration adds one plane.

    Margin 1/2 and cost 2 are the paper's eq. 9; tol is stricter than its epsilon, which bounds a plane's excess. In the
    solutions, ``alpha`` is the SlopesAt of the points at which planes with weight were found.
    """
    loss, space = problem.rows, problem.space
    planes = _Planes(space)
    for C in C_values:
        best, objective, dual, held, n_iter = _solve(loss, planes, C, C * loss.cost, tol, max_iter)
        alpha = SlopesAt(held[1], 0.0, held[0])
        beta, w = best, None
        if planes.linear:
            beta, w = loss.dual_sums(alpha, map(space.products.times, alpha.points)).beta, best
        converged = relative_gap(objective, dual) <= tol
        yield Solution(beta, np.empty(0), alpha, objective, dual, n_iter, converged, w)


def _solve(loss, planes, C, budget, tol, max_iter):
    """Return the best point, its objective, the best dual bound, the weights (k,) of the planes of this bound with the
    points (k, .) at which they were found, and the number of planes."""
    progress = current()
    point, scores, half_norm = planes.combine(np.zeros(len(planes.heights)))
    best, best_objective, dual, accuracy = point, np.inf, -np.inf, 0.1 * tol
    held = np.empty(0), planes.tables[2, :0]
    for iteration in range(1, max_iter + 1):
        # 1. the most violated labelling at the present scores, and the objective it proves
        found = loss.slopes(scores, 0.0)
        objective = half_norm + budget * found.loss
        if objective < best_objective:
            best, best_objective = point, objective
        # 2. stop if the lower bound of the planes is close enough to it
        gap = relative_gap(best_objective, dual)
        stop = gap <= tol or accuracy < LEAST_ACCURACY or progress.expired
        progress.report("cutting_plane", C, iteration, best_objective, gap, done=stop)
        if stop:
            break
        # 3. add the plane, and solve over the working set
        if not planes.add(found.beta, loss.margin * found.total, point, scores):
            accuracy *= 0.1
        a = by_steps(planes.products, planes.heights, budget, planes.start(budget), accuracy * best_objective / budget)
        point, scores, half_norm = planes.combine(a)
        bound = float(a @ planes.heights) - half_norm
        if bound > dual:
            dual, held = bound, (a[a > 0], planes.tables[2, a > 0])
        planes.forget(a)
    return best, best_objective, dual, held, iteration


class _Planes:
    """The working set CS. For a plane it keeps the vector of its counts, their image, and the origin at which it was
    found: of functions with a kernel the counts, their scores and the scores; of linear functions X^T counts, these
    again and w. Planes that have had no weight for long are dropped."""

    def __init__(self, space):
        self.space, self.linear = space, isinstance(space, LinearSpace)
        self._buffers = np.empty((3, 16, space.d if self.linear else space.n))
        self.heights, self.weights, self.products = np.empty(0), np.empty(0), np.empty((0, 0))
        self.idle = np.empty(0, dtype=int)

    @property
    def tables(self):
        """Vectors, images and origins of the planes, (3, k, .) array."""
        return self._buffers[:, : len(self.heights)]

    def combine(self, a):
        """Return the vector of the weights a, its scores and half of its squared norm."""
        vector = a @ self.tables[0]
        if self.linear:
            return vector, self.space.products.times(vector), 0.5 * float(vector @ vector)
        scores = a @ self.tables[1]
        return vector, scores, 0.5 * float(vector @ scores)

    def start(self, budget):
        """Return the weights, scaled into the budget, shape (k,)."""
        total = self.weights.sum()
        return self.weights * (budget / total) if total > budget else self.weights

    def add(self, counts, height, vector, scores):
        """Add a plane of weight 0 that was found at a function; return False if the plane exists already."""
        origin = vector if self.linear else scores
        vector = self.space.products.transposed(counts) if self.linear else counts
        image = vector if self.linear else self.space.scores(counts)
        if any(np.array_equal(self.tables[0, p], vector) for p in np.flatnonzero(self.heights == height)):
            return False
        cross, k = self.tables[1] @ vector, len(self.heights)
        self.products = np.block([[self.products, cross[:, None]], [cross[None, :], np.array([[image @ vector]])]])
        if k == self._buffers.shape[1]:
            self._buffers = np.concatenate([self._buffers, np.empty_like(self._buffers)], axis=1)
        self._buffers[:, k] = vector, image, origin
        self.heights, self.weights = np.append(self.heights, height), np.append(self.weights, 0.0)
        self.idle = np.append(self.idle, 0)
        return True

    def forget(self, a):
        """Keep the weights a and the planes that had a weight in the last IDLE rounds; the others are dropped once they
        are more than an eighth of all."""
        self.idle, self.weights = np.where(a > 0, 0, self.idle + 1), a
        keep = self.idle < IDLE
        if 8 * np.sum(~keep) <= len(a):
            return
        self._buffers[:, : keep.sum()] = self.tables[:, keep]
        self.products, self.heights = self.products[np.ix_(keep, keep)], self.heights[keep]
        self.idle, self.weights = self.idle[keep], self.weights[keep]


def by_steps(H, delta, C, a, tol):
    """Solve the working-set problem by pairwise steps (SMO), from ``a``, to a KKT violation of tol.

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


@njit
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
