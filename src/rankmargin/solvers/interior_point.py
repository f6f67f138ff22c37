"""A primal-dual interior point method for rows (Mehrotra 1992; Ferris and Munson 2002 for SVMs).

    min 1/2 ||v||^2 + slope theta + sum_t u_t xi_t   with   B (v, theta) + xi - slack = margin, xi, slack >= 0

u_t = C cost_t, v are coordinates of f (scores = Phi v, K = Phi Phi^T), and B (v, theta) are the values that the rows
compare with their margins.  The dual variables alpha (of the rows) and u - alpha (of xi) stay inside the box.  A Newton
step solves (P + B^T D^-1 B) x = r with diagonal D; P is 1 for v and 0 for theta.  B is never formed: for the part of v,
B^T D^-1 B = Phi^T L Phi, where L is the Laplacian of the pairs with the weights 1 / D.

Ordered thresholds are further rows, the *links* theta_{k+1} - theta_k >= 0, whose u is larger than any multiplier.

The number of iterations, 10 to 40, hardly depends on C.  Coordinate descent needs a number of sweeps in proportion to C
if examples of different rank cannot be separated (C = 1,000,000 in Herbrich et al., section 2.5).  An iteration takes
O(N + n^3), so the method is for a few hundred examples.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rankmargin.oracles.objective import Solution, relative_gap
from rankmargin.problem.spaces import KernelSpace, LinearSpace
from rankmargin.solvers.progress import current
from rankmargin.solvers.solver import solver

TO_BOUNDARY = 0.995
LEAST_GAP, BALANCED = 1e-9, 1e-10
MOST_EXAMPLES, MOST_STEPS = 512, 200
ENOUGH_STEPS, ENOUGH_IN_ORDER = 500_000, 1_000  # the latter for each example, if thresholds are ordered


def takes(space):
    """Return whether the problem of this space is small enough."""
    return isinstance(space, KernelSpace | LinearSpace) and space.n <= MOST_EXAMPLES


def steps_before(problem, max_iter):
    """Return after how many steps another solver should pass a problem on to this one, or ``max_iter`` if this one
    cannot solve it.

    With unscaled columns, or a kernel with very different values, the other solver would need millions of steps.
    """
    enough = ENOUGH_IN_ORDER * problem.space.n if problem.rows.ordered else ENOUGH_STEPS
    return min(enough, max_iter) if takes(problem.space) else max_iter


@solver(most_steps=MOST_STEPS)
def interior_point(problem, C_values, tol, max_iter, seed, start):
    """Solve for each C separately; alpha is exactly 0 or C cost for the rows at a bound."""
    Phi = _coordinates(problem)
    for C in C_values:
        best, n_iter = _solve(_System(problem, Phi, C), C, tol, max_iter)
        # the certificate by the kernel: coordinates leave out directions that are not positive in double precision
        scores = problem.space.scores(best.beta)
        theta, objective, dual = problem.proved(C, best.alpha, 0.5 * float(best.beta @ scores), scores)
        converged = max(best.gap, relative_gap(objective, dual)) <= tol
        yield Solution(best.beta, theta, best.alpha, objective, dual, n_iter, converged)


def ended_exactly(problem, C, tol, gap, steps, few, max_iter):
    """End the solve of another solver that has not reached ``tol`` after ``few`` steps.

    Returns
    -------
    Solution or None
        None if the other solver has ended by itself, or if double precision ends before its ``gap`` is improved. The
        other solver goes on from a Solution that has not converged.
    int
        ``steps`` and those taken here.
    """
    if gap <= tol or not few <= steps < max_iter or current().expired:
        return None, steps
    found = next(interior_point.run(problem, [C], tol, MOST_STEPS, 0, None))
    steps += found.n_iter
    return (replace(found, n_iter=steps) if found.gap < gap else None), steps


def _coordinates(problem):
    """Return Phi of shape (n, r) with K = Phi Phi^T; if the rows do not see means, Phi minus its means."""
    space = problem.space
    if isinstance(space, LinearSpace) and space.d <= space.n:
        return space.products.dense(slice(None))
    values, vectors = np.linalg.eigh(space.as_kernel.K)
    kept = values > 1e-14 * max(values[-1], 0.0)
    Phi = vectors[:, kept] * np.sqrt(values[kept])
    return Phi if problem.rows.sees_means else Phi - Phi.mean(axis=0)


class _System:
    """The linear maps and the box of one C. The links of ordered thresholds follow the rows in all arrays (M,)."""

    def __init__(self, problem, Phi, C):
        self.problem, self.rows, self.Phi, self.C = problem, problem.rows, Phi, C
        rows, self.N, self.d = problem.rows, len(problem.rows), Phi.shape[1]
        links, slope = (rows.n_thresholds - 1) * rows.ordered, rows.slope
        self.linear = np.zeros(self.d + rows.n_thresholds)
        self.linear[self.d :] = 0.0 if slope is None else slope
        caps = C * rows.cost
        beyond = 2.0 * (caps.sum() + np.abs(self.linear).sum())  # no multiplier of a link is that large
        self.margin, self.bounds = np.append(rows.margin, np.zeros(links)), np.append(caps, np.full(links, beyond))
        self.curvature = _curvature(rows, Phi)
        self.curvature = np.append(self.curvature, np.full(links, self.curvature.mean()))

    def compare(self, x):
        """Return B x, shape (M,), for x = (v, theta)."""
        theta = x[self.d :]
        values = self.rows.values(self.Phi @ x[: self.d], theta)
        return np.append(values, np.diff(theta)) if self.rows.ordered else values

    def transpose(self, alpha):
        """Return B^T alpha."""
        of_rows, links = alpha[: self.N], alpha[self.N :]
        pull = -self.rows.balance(of_rows)
        if self.rows.ordered:
            pull -= np.diff(links, prepend=0.0, append=0.0)
        return np.append(self.Phi.T @ self.rows.coefficients(of_rows), pull)

    def normal(self, weight):
        """Return B^T diag(weight) B, shape (d + n_thresholds, d + n_thresholds)."""
        matrix, d = _normal(self.rows, self.Phi, weight[: self.N]), self.d
        if self.rows.ordered:
            links, k = weight[self.N :], np.arange(d, len(matrix))
            matrix[k, k] += np.append(links, 0.0) + np.append(0.0, links)
            matrix[k[1:], k[:-1]] -= links
            matrix[k[:-1], k[1:]] -= links
        return matrix

    def start(self):
        """Return x, alpha, slack and xi inside: f = 0, alpha in the middle of its box; slack - xi is what rows lack."""
        alpha, x, unit = 0.5 * self.bounds, np.zeros(len(self.linear)), 1.0
        if self.rows.slope is not None:  # no margin says how large the scores are
            x[: self.d] = self.transpose(alpha)[: self.d]
            unit = float(np.abs(self.compare(x)).max()) or 1.0
            x[:] = 0.0
        return x, alpha, np.maximum(-self.margin, 0.0) + unit, np.maximum(self.margin, 0.0) + unit


@np.errstate(divide="ignore", over="ignore", invalid="ignore")  # values that are not finite end the iteration
def _solve(system, C, tol, max_iter):
    """Return the best point and the number of Newton steps."""
    bounds = system.bounds
    # 1. a start inside
    x, alpha, slack, xi = system.start()
    best, step, progress = None, 0, current()
    while step < max_iter and not (best is not None and progress.expired):
        step += 1
        # 2. the certificate of alpha; if it is good, also with the rows that are nearly at a bound set to it
        found = _point(system, alpha)
        if found.gap <= tol:
            vertex = _best_vertex(system, alpha, slack, xi)
            found = vertex if vertex.gap <= tol else found
        if best is None or found.gap < best.gap:
            best = found
        progress.report("interior_point", C, step, best.objective, best.gap)
        if best.gap <= tol and (found is not best or found.on_bounds or found.gap <= LEAST_GAP):
            break
        # 3. the predictor goes straight to the optimum; the corrector goes towards the centre, with the predictor's
        # second-order terms
        try:
            newton = _Newton(system, x, alpha, slack, xi)
        except (np.linalg.LinAlgError, FloatingPointError):
            # double precision allows no further step, but rows can still be set to their bounds
            vertex = _best_vertex(system, alpha, slack, xi)
            best = vertex if vertex.gap < best.gap else best
            break
        mu = (alpha @ slack + (bounds - alpha) @ xi) / (2 * len(alpha))
        _, d_alpha, d_slack, d_xi = newton.direction(0.0, 0.0, 0.0)
        reach = _reach(alpha, bounds, slack, xi, d_alpha, d_slack, d_xi)
        aimed = (alpha + reach * d_alpha) @ (slack + reach * d_slack)
        aimed += (bounds - alpha - reach * d_alpha) @ (xi + reach * d_xi)
        centre = (aimed / (2 * len(alpha)) / mu) ** 3 * mu
        change = newton.direction(centre, d_alpha * d_slack, -d_alpha * d_xi)
        # 4. the step, which ends before the boundary
        reach = TO_BOUNDARY * _reach(alpha, bounds, slack, xi, *change[1:])
        moved = [a + reach * d for a, d in zip((x, alpha, slack, xi), change, strict=True)]
        if not all(np.isfinite(part).all() for part in moved):
            break
        x, alpha, slack, xi = moved
    return best, step


class _Newton:
    """The linear system of one iterate; it is factorised once, for predictor and corrector."""

    def __init__(self, system, x, alpha, slack, xi):
        self.system, self.state = system, (alpha, system.bounds - alpha, slack, xi)
        d = system.d
        self.missing = system.margin - system.compare(x) - xi + slack
        self.dual = np.append(x[:d], np.zeros(len(x) - d)) + system.linear - system.transpose(alpha)
        self.weight = 1.0 / (xi / (system.bounds - alpha) + slack / alpha)
        matrix = system.normal(self.weight)
        matrix[np.arange(d), np.arange(d)] += 1.0
        if not np.isfinite(matrix).all():
            raise FloatingPointError("a weight is not finite")
        self.inverse = np.linalg.inv(np.linalg.cholesky(matrix))

    def direction(self, centre, slack_terms, xi_terms):
        """Return the change of x, alpha, slack and xi that aims at alpha slack = (bounds - alpha) xi = centre."""
        alpha, rest, slack, xi = self.state
        to_slack, to_xi = (centre - slack_terms) / alpha - slack, (centre - xi_terms) / rest - xi
        right = self.missing - to_xi + to_slack
        d_x = self.inverse.T @ (self.inverse @ (self.system.transpose(self.weight * right) - self.dual))
        d_alpha = self.weight * (right - self.system.compare(d_x))
        return d_x, d_alpha, to_slack - slack / alpha * d_alpha, to_xi + xi / rest * d_alpha


def _normal(rows, Phi, weight):
    """Return B^T diag(weight) B of the rows, shape (d + n_thresholds, d + n_thresholds)."""
    d = Phi.shape[1]
    matrix = np.empty((d + rows.n_thresholds, d + rows.n_thresholds))
    matrix[:d, :d] = Phi.T @ _laplacian(rows, weight) @ Phi
    matrix[d:, :d] = -_at_thresholds(rows, weight).T @ Phi
    matrix[:d, d:] = matrix[d:, :d].T
    matrix[d:, d:] = np.diag(np.bincount(rows.threshold + 1, weight, rows.n_thresholds + 1)[1:])
    return matrix


def _laplacian(rows, weight):
    """Return sum_t weight_t (e_plus - e_minus)(e_plus - e_minus)^T, shape (n, n)."""
    n = rows.n_samples
    plus, minus = rows.plus.astype(np.int64), rows.minus.astype(np.int64)
    paired = (plus >= 0) & (minus >= 0)
    cross = np.bincount(plus[paired] * n + minus[paired], weight[paired], n * n).reshape(n, n)
    diagonal = np.bincount(plus + 1, weight, n + 1)[1:] + np.bincount(minus + 1, weight, n + 1)[1:]
    return np.diag(diagonal) - cross - cross.T


def _at_thresholds(rows, weight):
    """Return sum_t weight_t (e_plus - e_minus) e_threshold^T, shape (n, n_thresholds)."""
    shape = rows.n_samples + 1, rows.n_thresholds + 1

    def counts(index):
        return np.bincount((index + 1) * shape[1] + rows.threshold + 1, weight, shape[0] * shape[1]).reshape(shape)

    return (counts(rows.plus.astype(np.int64)) - counts(rows.minus.astype(np.int64)))[1:, 1:]


def _curvature(rows, Phi):
    """Return ||phi_plus - phi_minus||^2 of each row, shape (N,)."""
    padded = np.vstack([Phi, np.zeros(Phi.shape[1])])
    products, norms = padded @ padded.T, np.sum(padded * padded, axis=1)
    sums = norms[rows.plus] + norms[rows.minus]
    return np.maximum(sums - 2.0 * products[rows.plus, rows.minus], np.maximum(1e-12 * sums, np.finfo(float).tiny))


def _reach(alpha, bounds, slack, xi, d_alpha, d_slack, d_xi):
    """Return the largest step <= 1 that keeps everything positive."""
    largest = 1.0
    for value, change in ((alpha, d_alpha), (bounds - alpha, -d_alpha), (slack, d_slack), (xi, d_xi)):
        falling = change < 0.0
        largest = min(largest, float(np.min(value[falling] / -change[falling], initial=1.0)))
    return largest


class _Point(NamedTuple):
    """Dual variables, the quantities that follow from them, and whether rows at a bound are exactly there."""

    beta: np.ndarray
    alpha: np.ndarray
    objective: float
    gap: float
    on_bounds: bool


def _point(system, alpha, on_bounds=False):
    rows, of_rows = system.rows, alpha[: system.N]
    beta = rows.coefficients(of_rows)
    v = system.Phi.T @ beta
    _, objective, dual = system.problem.proved(system.C, of_rows, 0.5 * float(v @ v), system.Phi @ v)
    balanced = rows.imbalance(of_rows) <= BALANCED * of_rows.sum()
    gap = relative_gap(objective, dual) if balanced and np.isfinite([objective, dual]).all() else np.inf
    return _Point(beta, of_rows, objective, gap, on_bounds)


def _best_vertex(system, alpha, slack, xi):
    """Return the :func:`_vertex` with the smaller gap, for two choices of the unit."""
    units = system.curvature, 1.0 / system.bounds
    return min((_vertex(system, alpha, slack, xi, scale) for scale in units), key=lambda point: point.gap)


def _vertex(system, alpha, slack, xi, scale):
    """Set each row to a bound if it is nearer to the bound, in units of 1 / scale, than to its margin; set all other
    rows to their margins.

    Either alpha or the slack of a row goes to 0. Which one is clear only near the end, and in suitable units: with the
    curvature, how far alpha moves its own row; with 1 / bounds, the share of its box.
    """
    bounds, d = system.bounds, system.d
    at_zero, at_bound = scale * alpha < slack, scale * (bounds - alpha) < xi
    alpha = np.where(at_zero, 0.0, np.where(at_bound, bounds, alpha))
    free = ~at_zero & ~at_bound
    # The smallest change that puts the free rows on their margin is B G^+ (z, balance), where G = B^T B over the free
    # rows and (z, theta) = G^+ B^T (what they lack). No matrix with one row per pair is needed.
    inverse = np.linalg.pinv(system.normal(free.astype(np.float64)), rcond=1e-13, hermitian=True)
    for _ in range(2):  # the second time corrects rounding errors
        pull = system.transpose(alpha)
        v = np.append(pull[:d], np.zeros(len(pull) - d))
        missing = np.where(free, system.margin - system.compare(v), 0.0)
        wanted = inverse @ system.transpose(missing)
        wanted[d:] = (system.linear - pull)[d:]
        alpha = alpha + np.where(free, system.compare(inverse @ wanted), 0.0)
    return _point(system, np.clip(alpha, 0.0, bounds), True)
