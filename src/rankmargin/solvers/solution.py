"""When the result of a solver is one.

A solve is not finished at a function that orders nothing, although nearly all of its objective is loss.

With a small C, or a kernel whose values are nearly alike, the best objective is just below that of f = 0. Then f = 0
has a relative gap <= tol, but every row gets the same score, and the order of the best function is well defined: for
C -> 0 it is that of the sum of all pulls, f = C sum_t cost_t (phi_plus - phi_minus).  So a solve has to end with

    objective - dual bound  <=  HALF (objective of f = 0 - dual bound)

as well: at least half of what a function can gain over f = 0 is gained. If it does not,

1. the sum of all pulls is the optimum if every pair lacks some of its margin there: all dual variables are at their
   bound (this is so for each C below some C > 0, and needs no digit of the tiny difference of two objectives);
2. of linear functions with thresholds, f = 0 may be the optimum itself, for example if hardly any comparison is a tie:
   dual variables near those of the solution, whose pulls add up to 0, prove it (Newton's method tries so before);
3. otherwise the problem is solved again, with a tolerance in units of the possible gain.

A solve that was stopped, by its limit of steps or seconds, returns the best multiple of the pulls if its own function
has a larger objective.
"""

from dataclasses import replace

import numpy as np

from rankmargin.certificates.judge import primal_point
from rankmargin.certificates.solution import ConvergenceWarning, Solution  # noqa: F401 (the reference names both here)
from rankmargin.oracles.objective import NOTHING
from rankmargin.oracles.pair_losses import PairLoss, SlopesAt
from rankmargin.oracles.row_losses import RowLoss
from rankmargin.problem.products import inverse_of
from rankmargin.problem.rows.rows import Rows
from rankmargin.problem.spaces import LinearSpace
from rankmargin.solvers.progress import current

HALF, AIM = 0.5, 0.01  # shares of the possible gain: the largest gap, and the gap at which a second solve aims
MOST_SOLVES, LONGEST_SEARCH = 8, 20
MORE, LEAST = 10, 100  # a further solve takes at most this many times the steps so far, and this many in addition
EPSILON = 2.0**-52
ROUNDING = 512 * EPSILON  # of the objective: a smaller gain cannot be seen in double precision
VISIBLE = 1e-9  # of the objective: a smaller gain is known to less than half of its digits
LARGEST = 1e200  # bound of a dual variable without a bound
MOST_DENSE = 2000  # most features with which a matrix is formed
WIDTH = 4.0  # in margins: at f = 0 each row pulls


def loss_of_zero(problem):
    """Return the loss of f = 0 with its best thresholds, without C; None for a sum of margins, where ||f|| = 1."""
    rows = problem.rows
    if isinstance(rows, PairLoss):
        return rows.cost * rows.total_weight * float(rows.loss.value(rows.margin))
    if rows.slope is not None:
        return None
    scores = np.zeros(rows.n_samples)
    short = rows.margin - rows.values(scores, problem.thresholds(scores))
    return float(rows.cost @ rows.loss.value(short))


def is_lossless(rows, loss):
    """Return whether ``loss``, that of f = 0, is rounding beside that of listed rows that lack all of their margins."""
    known = loss is not None and not isinstance(rows, PairLoss)
    return known and loss <= NOTHING * float(rows.cost @ rows.loss.value(np.abs(rows.margin)))


def gains(solution, zero):
    """Return whether a solution has at least half of the possible gain over f = 0, whose objective is ``zero``."""
    return solution.objective - solution.dual_bound <= HALF * (zero - solution.dual_bound)


def beyond_zero(problem, C, zero, solution, tol, max_iter, again):
    """Return a solution that gains over f = 0, or the best one that was found.

    Parameters
    ----------
    zero : float, the objective of f = 0
    solution : Solution, what the solver returned
    again : callable (tol, max_iter, alpha) -> Solution, which solves the problem for this C again, from alpha (N,) or
        None

    Returns
    -------
    Solution
        It has converged if its gap is at most tol, and it gains or no gain can be seen in double precision.
    """
    possible, f = zero - solution.dual_bound, solution.beta if solution.w is None else solution.w
    proved = possible <= ROUNDING * zero and f.any() and isinstance(problem.rows, Rows) and problem.rows.n_thresholds
    if zero <= 0.0 or (solution.converged and (proved or (possible > VISIBLE * zero and gains(solution, zero)))):
        return solution
    pulled, exact = _pulled(problem, C)
    if exact:
        return replace(pulled, n_iter=solution.n_iter)
    for _ in range(MOST_SOLVES):
        solution = (solution.converged and without_pull(problem, C, zero, solution)) or solution
        possible = (zero - solution.dual_bound) / zero
        if not solution.converged or gains(solution, zero) or possible <= ROUNDING:
            break
        start = solution.alpha if isinstance(solution.alpha, np.ndarray) else None
        closer = again(AIM * possible, min(MORE * solution.n_iter + LEAST, max_iter), start)
        steps, stopped = solution.n_iter + closer.n_iter, closer.n_iter >= max_iter or current().expired
        worse = closer.gap >= solution.gap
        solution = solution if worse else closer
        done = solution.gap <= tol and (gains(solution, zero) or not stopped)
        solution = replace(solution, n_iter=steps, converged=done)
        if worse:
            break
    constant = not (solution.beta if solution.w is None else solution.w).any()
    if pulled is None or (solution.converged and not constant):
        return solution
    as_good = constant and pulled.objective <= solution.objective * (1.0 + ROUNDING)
    if not (pulled.objective < solution.objective or as_good):
        return solution
    if pulled.dual_bound < solution.dual_bound:
        pulled = replace(pulled, alpha=solution.alpha, dual_bound=solution.dual_bound)
    converged = pulled.gap <= tol and (solution.converged or gains(pulled, zero))
    return replace(pulled, n_iter=solution.n_iter, converged=converged)


def _pulled(problem, C):
    """Return the multiple t <= C of the pulls with the lowest objective found, as a Solution, or None; and whether it
    is the optimum."""
    pulls = (_PullsOfAll if isinstance(problem.rows, PairLoss) else _PullsOfRows)(problem)
    lengths = np.sqrt(np.maximum(problem.space.diagonal(), 0.0))
    only_rounding = pulls.half_norm <= EPSILON * float(np.abs(pulls.beta) @ lengths) ** 2
    if only_rounding or not np.isfinite(pulls.half_norm):
        return None, False
    if pulls.all_lack(C):
        return pulls.solution(C, C), True
    # the first pair reaches its margin at about this multiple, which gains over f = 0 if there are pairs alone; with
    # thresholds some steps of the search are needed
    t = min(C, pulls.margin / max(float(np.ptp(pulls.scores)), np.finfo(float).tiny))
    objective, factor, progress = pulls.objective(C, t), 2.0, current()
    for step in range(LONGEST_SEARCH):
        if (progress.expired and step >= pulls.least) or (factor > 1.0 and t >= C):
            break
        longer = min(factor * t, C)
        found = pulls.objective(C, longer)
        if found < objective:
            t, objective = longer, found
        elif step == 0:
            factor = 0.5
        else:
            break
    return pulls.solution(C, t), False


def without_pull(problem, C, zero, solution):
    """Return a solution that proves that no function gains over f = 0, or None.

    The dual variables between their bounds are moved in proportion to their distance from these, so that the pulls of
    all rows add up to 0 and each threshold stays balanced: one linear system in the features. The function is moved
    towards f = 0 until its objective is as small but for rounding, because its order is better than none.
    """
    rows, space = problem.rows, problem.space
    of_rows = isinstance(rows, Rows) and rows.n_thresholds and rows.loss.kinked
    if not (of_rows and isinstance(space, LinearSpace) and space.d <= MOST_DENSE):
        return None
    bounds = C * rows.cost * rows.loss.cap
    room = np.maximum(np.minimum(solution.alpha, bounds - solution.alpha), 0.0)
    loss = RowLoss(replace(rows, cost=room))
    slopes = loss.slopes(np.zeros(loss.n), WIDTH * loss.margin)
    slopes = slopes._replace(inside=np.flatnonzero(loss.row_cost), steepness=1.0, pool=np.arange(rows.n_thresholds))
    solve, _ = inverse_of(loss.hessian(slopes, space.products))
    moved = rows.differences(space.products.times(solve(space.weights(rows.coefficients(solution.alpha)))))
    total, mean = (np.bincount(rows.threshold + 1, each, rows.n_thresholds + 1)[1:] for each in (room, room * moved))
    moved -= np.append(np.divide(mean, total, out=mean, where=total > 0.0), 0.0)[rows.threshold]
    alpha = solution.alpha - room * rows.sign * moved
    pull = space.weights(rows.coefficients(alpha))
    dual = float(rows.margin @ alpha) - 0.5 * float(pull @ pull)
    least = ROUNDING * zero
    if not (np.all((alpha >= 0.0) & (alpha <= bounds)) and zero - least <= dual):
        return None
    w = space.weights(solution.beta) if solution.w is None else solution.w
    half_norm, scores = 0.5 * float(w @ w), space.products.times(w)
    part = min(least / max(problem.primal(C, half_norm, scores)[1] - zero, least), 1.0)
    theta, objective, _ = problem.primal(C, part**2 * half_norm, part * scores)
    return Solution(part * solution.beta, theta, alpha, objective, dual, solution.n_iter, True, part * w)


class _PullsOfRows:
    """The function to which each row contributes (phi_plus - phi_minus) times its cost; with thresholds, the slopes of
    a smoothed loss at f = 0, which balance at each threshold."""

    def __init__(self, problem):
        self.problem, self.rows, self.space = problem, problem.rows, problem.space
        loss = self.rows.loss
        self.bounds = self.rows.cost * min(loss.cap, LARGEST)
        self.alpha = self.rows.cost * (loss.cap if loss.capped else 1.0)
        self.least = 8 if self.rows.n_thresholds else 0
        if self.rows.n_thresholds:
            loss, unit = RowLoss(self.rows), np.where(self.rows.cost > 0.0, self.rows.cost, 1.0)
            slopes = loss.slopes(np.zeros(loss.n), WIDTH * loss.margin)
            self.alpha, _ = loss.dual_variables(slopes.slope, 1.0)
            self.alpha = self.alpha / max(float(np.max(self.alpha / unit, initial=0.0)), np.finfo(float).tiny)
        self.margin = float(np.abs(self.rows.margin).max(initial=0.0))
        self.beta = self.rows.coefficients(self.alpha)
        squared_norm, self.scores = primal_point(self.space, self.beta)
        self.half_norm = 0.5 * squared_norm

    def all_lack(self, C):
        """Return whether C times the pulls is the optimum: nothing has to balance, and no row exceeds its margin."""
        alone = self.rows.loss.kinked and not self.rows.n_thresholds
        return alone and bool(np.all(self.rows.margin >= C * self.rows.values(self.scores, np.empty(0))))

    def objective(self, C, t):
        return self.problem.primal(C, t * t * self.half_norm, t * self.scores)[1]

    def solution(self, C, t):
        """Return t times the pulls as a Solution."""
        alpha, half_norm = np.minimum(t * self.alpha, C * self.bounds), t * t * self.half_norm
        theta, objective, dual = self.problem.proved(C, alpha, half_norm, t * self.scores)
        return Solution(t * self.beta, theta, alpha, objective, dual, 1, True)


class _PullsOfAll:
    """The same for all pairs, which are not listed."""

    least = 0

    def __init__(self, problem):
        self.loss, self.space = problem.rows, problem.space
        self.margin, cost = self.loss.margin, self.loss.cost
        slopes = self.loss.slopes(np.zeros(self.loss.n), 0.0)
        self.total, self.beta, self.of_zero = cost * slopes.total, cost * slopes.beta, slopes
        squared_norm, self.scores = primal_point(self.space, self.beta)
        self.half_norm = 0.5 * squared_norm

    def all_lack(self, C):
        # without a kink the slopes are not all at their bound
        return self.loss.loss.kinked and self.loss.slopes(C * self.scores, 0.0).total >= self.of_zero.total * (
            1.0 - ROUNDING
        )

    def objective(self, C, t):
        return t * t * self.half_norm + C * self.loss.cost * self.loss.value(t * self.scores)

    def solution(self, C, t):
        cost, half_norm = self.loss.cost, t * t * self.half_norm
        dual = t * self.margin * self.total - half_norm - t * t * cost * self.of_zero.conjugate / C
        w = t * self.space.weights(self.beta) if isinstance(self.space, LinearSpace) else None
        points = np.zeros((1, self.loss.n if w is None else len(w)))
        alpha = SlopesAt(points, 0.0, np.array([t * cost]))
        objective = self.objective(C, t)
        return Solution(t * self.beta, np.empty(0), alpha, objective, dual, 1, True, w)
