"""Algorithm 1 of Diez et al.: one slack for all pairs, one plane an iteration (Joachims; Tsochantaridis et al.).

    min 1/2 ||f||^2 + xi   with   xi >= C (margin |V| - sum_{(i,j) in V} (s_i - s_j))   for every set V of pairs (eq. 9)

The most violated V at scores s is the oracle's answer, so n rows suffice: a plane is kept as its counts (c_i - d_i of
eq. 19, here ``counts``) and its height ``margin |V|``.  Solving over the planes gives a lower bound, the oracle an
upper one.  An answer that is a plane already says that the working set was not solved well enough: it is solved again,
ten times as well.
"""

from functools import partial

import numpy as np

from rankmargin.compiled import njit
from rankmargin.oracles import swapped_pairs
from rankmargin.solvers.simplex_qp import solve_with_cvxopt, solve_with_smo
from rankmargin.solvers.solution import Solution, check_controls, relative_gap, warn_unconverged

WORKING_SET = {"smo": solve_with_smo, "cvxopt": solve_with_cvxopt}
IDLE = 50
LEAST_ACCURACY = 1e-13


def cutting_plane(
    y,
    space,
    C_values,
    margin=0.5,
    cost=1.0,
    groups=None,
    tol=1e-3,
    max_iter=10_000,
    qp="smo",
    trace=None,
    rows=None,
):
    """Run Algorithm 1 for each C in turn, keeping the planes of the C before.

    Parameters
    ----------
    y : (n,) array
    space : KernelSpace or LinearSpace
    C_values : sequence of floats > 0
    margin, cost : float
        C cost is the weight of the pair loss sum max(0, margin - (s_i - s_j)); 1/2 and 2 are the paper's eq. 9.
    groups : (n,) array or None
    tol : float, relative duality gap; stricter than the paper's epsilon, which bounds a plane's excess
    max_iter : int, planes a C
    qp : {"smo", "cvxopt"}, solver of the working set
    trace : callable or None, called with (iteration, gap) as each plane is found
    rows : Rows of all pairs with this margin and cost, or None
        In whose order the dual variables are told: a pair has the weight of the planes that hold it. Without them the
        pairs are never listed, and ``alpha`` is None.

    Returns
    -------
    list of Solution
    """
    check_controls(C_values, tol, max_iter)
    find = partial(swapped_pairs.violations, y, margin=margin, groups=groups)
    planes, solutions = _Planes(space), []
    for C in C_values:
        budget = C * cost
        beta, objective, dual, held, n_iter = _solve(
            find, planes, margin, budget, tol, max_iter, WORKING_SET[qp], trace
        )
        gap = relative_gap(objective, dual)
        if gap > tol:
            warn_unconverged("cutting_plane", C, gap, tol, n_iter, max_iter)
        alpha = None if rows is None else _weights_of_pairs(rows.plus, rows.minus, margin, *held, budget)
        solutions.append(Solution(beta, np.empty(0), alpha, objective, dual, n_iter, gap <= tol))
    return solutions


def _solve(find, planes, margin, budget, tol, max_iter, solve_qp, trace):
    """Return the best beta and its objective; the best dual bound with the weights (k,) of its planes and the scores
    (n, k) at which they were found; and the number of planes."""
    n = planes.space.n
    beta, scores = np.zeros(n), np.zeros(n)
    best, best_objective, dual, accuracy = beta, np.inf, -np.inf, 0.1 * tol
    held = np.empty(0), np.empty((n, 0))
    for iteration in range(1, max_iter + 1):
        # 1. the most violated labelling at the present scores, and the objective it proves
        found = find(scores)
        objective = 0.5 * float(beta @ scores) + budget * found.loss
        if objective < best_objective:
            best, best_objective = beta, objective
        # 2. stop when the planes' lower bound meets it
        gap = relative_gap(best_objective, dual)
        if trace is not None:
            trace(iteration, gap)
        if gap <= tol or accuracy < LEAST_ACCURACY:
            break
        # 3. add it, solve over the working set
        counts = (found.above - found.below).astype(np.float64)
        if planes.hold(counts):
            accuracy *= 0.1
        else:
            planes.add(counts, margin * found.count, scores)
        a = solve_qp(planes.products, planes.heights, budget, planes.start(budget), accuracy * best_objective / budget)
        beta, scores, bound = planes.combine(a)
        if bound > dual:
            dual, held = bound, (a[a > 0], np.ascontiguousarray(planes.origins[a > 0].T))
        planes.forget(a)
    return best, best_objective, dual, held, iteration


@njit(cache=True)
def _weights_of_pairs(plus, minus, margin, weights, origins, budget):
    """Return for each pair the weight of the planes that hold it: those found at scores (n, k) where it fell short."""
    alpha = np.zeros(plus.size)
    for t in range(plus.size):
        above, below = origins[plus[t]], origins[minus[t]]
        for p in range(weights.size):
            if above[p] - margin < below[p]:
                alpha[t] += weights[p]
        alpha[t] = min(alpha[t], budget)
    return alpha


class _Planes:
    """The working set CS: counts, scores and products of each plane, and the scores at which it was found; planes long
    without weight are dropped."""

    def __init__(self, space):
        self.space = space
        self.counts, self.scores, self.origins = (np.empty((0, space.n)) for _ in range(3))
        self.heights, self.weights, self.products = np.empty(0), np.empty(0), np.empty((0, 0))
        self.idle = np.empty(0, dtype=int)

    def __len__(self):
        return len(self.heights)

    def hold(self, counts):
        """Return whether there is a plane of these counts."""
        return bool(np.any(np.all(self.counts == counts, axis=1)))

    def start(self, budget):
        """Return the weights, scaled into the budget, shape (k,)."""
        total = self.weights.sum()
        return self.weights * (budget / total) if total > budget else self.weights

    def add(self, counts, height, origin):
        """Take in a plane that was found at these scores, of weight 0."""
        scores = self.space.scores(counts)
        cross = self.scores @ counts
        self.products = np.block([[self.products, cross[:, None]], [cross[None, :], np.array([[scores @ counts]])]])
        self.counts, self.scores = np.vstack([self.counts, counts]), np.vstack([self.scores, scores])
        self.origins = np.vstack([self.origins, origin])
        self.heights, self.weights = np.append(self.heights, height), np.append(self.weights, 0.0)
        self.idle = np.append(self.idle, 0)

    def combine(self, a):
        """Return beta of the weights a, its scores and the dual bound."""
        beta, scores = a @ self.counts, a @ self.scores
        return beta, scores, float(a @ self.heights - 0.5 * beta @ scores)

    def forget(self, a):
        """Keep the weights a, and of the planes those that carried weight in the last IDLE rounds."""
        self.idle = np.where(a > 0, 0, self.idle + 1)
        keep = self.idle < IDLE
        self.counts, self.scores, self.origins = self.counts[keep], self.scores[keep], self.origins[keep]
        self.products, self.heights = self.products[np.ix_(keep, keep)], self.heights[keep]
        self.idle, self.weights = self.idle[keep], a[keep]
