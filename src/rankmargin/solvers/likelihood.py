"""Cumulative link models (McCullagh and Nelder; Herbrich et al., section 2.2 and Table 2.1), by maximum likelihood.

    P(y <= r_j | x) = F(theta_j - w.x)

F is the logistic distribution (``logit``), the normal one (``probit``) or 1 - exp(-exp(eta)) (``cloglog``).  All three
have log-concave densities, so minus the log-likelihood is convex in (w, theta) and Newton's method with a line search
finds its minimum.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rankmargin.annotations import Array
from rankmargin.caller import warn_caller
from rankmargin.certificates.models import ThresholdModel
from rankmargin.certificates.solution import ConvergenceWarning
from rankmargin.problem.links import INTERVALS, MEDIANS, distribution
from rankmargin.problem.products import CentredRows, column_means, inverse_of
from rankmargin.problem.rows.ranks import ranks_of

TOLERANCE = 3e-6  # Newton decrement per unit of weight below which the step is the last: the next is about its square
STILL = 0.02  # largest change of a score in the last step; where the maximum is infinite each step changes some by 1
FLAT, COLLINEAR = 1e-10, 1e-10  # smallest curvature of a maximum, and variance of a combination of columns, relative
NEARLY = 1e-12  # deviation of a column, beside its mean, that may be rounding
CURVED = 1e-6  # least eigenvalue of a Hessian from which on nothing is flat and no columns depend on each other
SHARE = 0.1  # of the largest growth of a weight: columns that are named
PATIENCE = 10  # steps after the decrement is small that change scores by more: then the maximum is infinite
ROUGH, SHARP = 0.1, 0.03  # most and least part of a residual that conjugate gradients leave
CHEAP, FEW = 28, 3  # columns whose Hessian takes the time of one of them; so many take longer than the Hessian
MOST_FORMED = 2000  # columns with a Hessian, if there is a penalty
RIDGE = 1e-14  # of a Hessian with a diagonal of 1: if the ranks are nearly separable, it has no inverse
SHOWN = 2  # rows for each parameter whose Hessian may show that nothing is flat


class SeparationWarning(UserWarning):
    """A linear function separates the ranks, so the likelihood has no maximum."""


def most_likely(X, y, link="logit", penalty=0.0, max_iter=100, sample_weight=None):
    """Return the model of the largest likelihood.

    Parameters
    ----------
    X : (n, d) array or CSR matrix; constant columns get the weight 0
    y : (n,) array, each distinct value is a rank
    link : {"logit", "probit", "cloglog"}
    penalty : float >= 0, or (d,) array
        Weight of 1/2 ||w||^2, or of 1/2 w_k^2 for each column, which is added to minus the log-likelihood.
    max_iter : int >= 1, largest number of Newton steps
    sample_weight : (n,) array > 0 or None, a weight of 2 is a row given twice

    Returns
    -------
    CumulativeLinkModel

    Raises
    ------
    ValueError
        If there is no penalty and there are not more rows than parameters, or if no column of X varies.

    Warns
    -----
    SeparationWarning
        If the ranks can be separated, so that the likelihood has no maximum. The weights are those at which Newton's
        method stopped.
    """
    rank, ranks = ranks_of(y)
    X = X if hasattr(X, "tocsr") else np.asarray(X)
    X = X if X.dtype in (np.float64, np.float32) else X.astype(np.float64)
    rows, scale = _varying(X)
    used = scale > 0.0
    n_parameters = int(used.sum()) + len(ranks) - 1
    penalty = np.broadcast_to(np.asarray(penalty, dtype=np.float64), scale.shape)
    free = not penalty.any()
    if free and len(rank) <= n_parameters:
        raise ValueError(
            f"X must have more rows than the model has parameters ({n_parameters}: weights and thresholds), "
            f"got {len(rank)} rows"
        )
    if not used.any():
        raise ValueError("X must have a column that is not constant, got none")
    weight = np.ones(1) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    unit = np.divide(1.0, scale, out=np.zeros_like(scale), where=used)
    with np.errstate(over="ignore", invalid="ignore"):
        of_columns = np.where(used, penalty * unit**2, 0.0)
    if not np.isfinite(of_columns).all():
        raise ValueError(f"columns of X must have a deviation far above 0, got {scale[used].min():.3g}: scale X")
    problem = _Likelihood(rows, unit, rank, len(ranks), np.broadcast_to(weight, len(rank)), link, of_columns)
    point, endless, n_iter = _maximise(problem, free, max_iter)
    boundaries = point.theta - MEDIANS[link]
    if endless is not None:
        endless_columns = np.flatnonzero(np.abs(endless) > SHARE * np.abs(endless).max())
        warn_caller(
            f"the likelihood has no maximum: the ranks can be separated by X, in part or all, and the weights of the "
            f"columns {', '.join(map(str, endless_columns[:5]))} grow without end; use a margin method or a penalty",
            SeparationWarning,
        )
    return CumulativeLinkModel(point.w * unit, boundaries, ranks, mean=rows.centre, link=link, n_iter=n_iter)


def _varying(X):
    """Return the products with X minus the means of its columns, and the deviation of each column, (d,), 0 of one that
    does not vary."""
    with np.errstate(over="ignore", invalid="ignore"):
        rows = CentredRows(X, column_means(X))
        scale = np.sqrt(rows.variance)
    if not np.isfinite(scale).all():
        raise ValueError(f"columns of X must have a finite deviation, got entries up to {abs(X).max():.3g}: scale X")
    still = np.flatnonzero(scale <= NEARLY * np.abs(rows.centre))  # a mean is rounded
    low, high = (
        ends.toarray().ravel() if hasattr(ends, "toarray") else ends
        for ends in (X[:, still].min(0), X[:, still].max(0))
    )
    scale[still] *= high > low
    return rows, scale


class _Point(NamedTuple):
    """Weights (d,) and ascending thresholds (k - 1,); minus the log-likelihood there, with its penalty, and its
    gradient (d + k - 1,); scores (n,).

    The second derivatives of a row by its score and the upper end of its interval are minus ``up``, by the lower end
    minus ``low``, (n,) each; ``curve`` is the Hessian of the thresholds.
    """

    w: Array
    theta: Array
    value: float
    gradient: Array
    s: Array
    up: Array
    low: Array
    curve: Array


class _Likelihood:
    """Minus the log-likelihood of rows, plus sum_c penalty_c w_c^2 / 2, with its derivatives; the scores are (X - mean)
    (unit w)."""

    def __init__(self, rows, unit, rank, k, weight, link, penalty):
        self.rows, self.unit, self.rank, self.weight, self.penalty = rows, unit, rank, weight, penalty
        self.link, self.k, self.total = link, k, float(weight.sum())

    def start(self):
        """Return the point w = 0 with its best thresholds."""
        shares = np.cumsum(np.bincount(self.rank, self.weight))[:-1] / self.total
        if self.link == "probit":
            from scipy.special import ndtri

            theta = ndtri(shares)
        else:
            theta = np.log(shares / (1 - shares)) if self.link == "logit" else np.log(-np.log1p(-shares))
        return self.at(np.zeros(len(self.unit)), theta)

    def at(self, w, theta):
        """Return the point with these weights and thresholds."""
        edges, k, n = np.concatenate([[-np.inf], theta, [np.inf]]), self.k, self.rows.n
        value, (s, up, low), sums = [0.5 * float(self.penalty @ (w * w))], np.empty((3, n)), np.zeros((5, k))

        def slope(part, scores):
            rank, weight = self.rank[part], self.weight[part]
            log_p, slopes = INTERVALS[self.link](edges[rank + 1] - scores, edges[rank] - scores)
            value[0] -= float(weight @ log_p)
            by_up, by_low, up_up, low_low, both = slopes = [-weight * each for each in slopes]
            s[part], up[part], low[part] = scores, up_up + both, low_low + both
            sums[:] += [np.bincount(rank, each, k) for each in slopes]
            return -by_up - by_low

        of_w = self.penalty * w + self.unit * self.rows.through(self.unit * w, slope)
        by_up, by_low, up_up, low_low, both = sums
        curve = np.diag(up_up[:-1] + low_low[1:])
        j = np.arange(k - 2)
        curve[j, j + 1] = curve[j + 1, j] = both[1:-1]
        return _Point(w, theta, value[0], np.concatenate([of_w, by_up[:-1] + by_low[1:]]), s, up, low, curve)

    def hessian_times(self, point, step):
        """Return the product of the Hessian and a step (d + k - 1,)."""
        d, ends, pull = len(self.unit), np.pad(step[len(self.unit) :], 1), np.zeros(self.k - 1)

        def change(part, moved):
            rank = self.rank[part]
            up, low = point.up[part], point.low[part]
            pull[:] += np.bincount(rank, up * moved, self.k)[:-1] + np.bincount(rank, low * moved, self.k)[1:]
            return up * (moved - ends[rank + 1]) + low * (moved - ends[rank])

        of_w = self.penalty * step[:d] + self.unit * self.rows.through(self.unit * step[:d], change)
        return np.concatenate([of_w, point.curve @ ends[1:-1] - pull])

    def hessian(self, point):
        """Return the Hessian, (d + k - 1, d + k - 1)."""
        d, k = len(self.unit), self.k

        def ends(part, scores):
            columns, row, rank = np.zeros((len(scores), k + 1)), np.arange(len(scores)), self.rank[part]
            columns[row, rank], columns[row, rank + 1] = point.low[part], point.up[part]
            return columns[:, 1:-1]

        H = np.zeros((d + k - 1, d + k - 1))
        H[:d, :d] = self.rows.weighted(np.maximum(point.up + point.low, 0.0)) * self.unit * self.unit[:, None]
        H[range(d), range(d)] += self.penalty + (self.unit == 0.0)
        H[:d, d:] = -self.unit[:, None] * self.rows.through(np.zeros(d), ends)
        H[d:, :d], H[d:, d:] = H[:d, d:].T, point.curve
        return H

    def diagonal(self, point):
        """Return r -> M^-1 r for the Hessian M without the products of different columns, nearly."""
        d = len(self.unit)
        of_w = self.penalty + float(np.sum(point.up + point.low))
        of_theta, _ = inverse_of(point.curve)
        return lambda r: np.concatenate([r[:d] / of_w, of_theta(r[d:])])

    def sample(self, size, point):
        """Return the likelihood of some rows, and its point with the same weights and thresholds."""
        chosen = np.random.default_rng(0).choice(self.rows.n, size, replace=False)
        rank, weight = self.rank[chosen], self.weight[chosen]
        some = _Likelihood(self.rows.take(chosen), self.unit, rank, self.k, weight, self.link, self.penalty)
        return some, some.at(point.w, point.theta)


def _maximise(problem, free, max_iter):
    """Return the point of the largest likelihood; the direction (d,) in which it grows without end, or None; and the
    number of Newton steps that were tried. Without a penalty it is ``free`` to do so."""
    point, n_iter, beyond, moves, decrement = problem.start(), 0, 0, False, np.inf
    d, total = len(problem.unit), problem.total
    solver = _Steps(problem, free)
    for _ in range(max_iter):
        n_iter += 1
        # 1. the Newton step
        step = -solver.solve(point)
        decrement = -float(point.gradient @ step)
        # 2. the part of the step that keeps the thresholds in order and lowers the function
        for halvings in range(60):
            part = 0.5**halvings
            theta = point.theta + part * step[d:]
            if np.all(np.diff(theta) > 0):
                found = problem.at(point.w + part * step[:d], theta)
                if found.value <= point.value - 1e-4 * part * decrement:
                    break
        else:
            break  # there is no lower value, because of rounding
        moves = free and float(np.abs(found.s - point.s).max()) > part * STILL
        point = found
        if decrement <= TOLERANCE * total:
            beyond += 1
            if not moves or beyond > PATIENCE:
                break
    endless = step[:d] if moves and n_iter < max_iter else None
    if free and endless is None:
        weights, endless = _unique(problem, point)
        point = point._replace(w=weights)
    if decrement > 1e-3 * total or (moves and endless is None):
        warn_caller(
            f"cumulative link: Newton's method stopped after max_iter={max_iter} at a decrement of {decrement:.1e}; "
            "the ranks may be nearly separable by X: scale X, or set a penalty",
            ConvergenceWarning,
        )
    return point, endless, n_iter


class _Steps:
    """Newton steps by conjugate gradients, preconditioned by a diagonal, and where they take longer than the Hessian,
    by this."""

    def __init__(self, problem, free):
        self.problem, d = problem, len(problem.unit)
        self.formed = free or d <= MOST_FORMED
        self.patience = 2 + d // CHEAP if self.formed else d + problem.k
        self.formed_last = None

    def solve(self, point):
        """Return H^-1 g, nearly, for the gradient g."""
        gradient = point.gradient
        if self.patience <= FEW:
            return self.anew(point)(gradient)
        precondition = self.formed_last or self.problem.diagonal(point)
        z = precondition(gradient)
        rz = float(gradient @ z)
        if not rz > 0.0:
            return 0.0 * gradient
        least = min(max((rz / self.problem.total) ** 0.5, SHARP), ROUGH) ** 2 * rz
        x, r, p = np.zeros_like(gradient), gradient.copy(), z
        for _ in range(self.patience):
            product = self.problem.hessian_times(point, p)
            a = rz / float(p @ product)
            x += a * p
            r -= a * product
            z = precondition(r)
            before, rz = rz, float(r @ z)
            if rz <= least:
                return x
            p = z + (rz / before) * p
        return self.anew(point)(gradient) if self.formed else x

    def anew(self, point):
        """Return r -> H^-1 r, which preconditions from now on."""
        self.formed_last, _ = inverse_of(self.problem.hessian(point), RIDGE)
        return self.formed_last


def _unique(problem, point):
    """Return the shortest of the weights that have the same scores, if columns depend on each other; and a direction
    (d,) along which the likelihood has no curvature at all, so that it has no maximum, or None. Combinations of columns
    that do not vary do not count. What the Hessian of a few rows shows is true of that of all rows."""
    n, d, H, size = problem.rows.n, len(problem.unit), None, SHOWN * (len(problem.unit) + problem.k)
    for part in (size, n) if size < n else (n,):
        H = problem.hessian(point) if part == n else _Likelihood.hessian(*problem.sample(part, point))
        _, least = inverse_of(H)
        sizes = np.diag(H)[:d][problem.unit > 0.0]
        if least * sizes.min() * part > CURVED * sizes.max() * n:
            return point.w, None
    of_thresholds = np.linalg.lstsq(H[d:, d:], H[d:, :d])[0]
    values, vectors = np.linalg.eigh(problem.rows.weighted(problem.weight) * problem.unit * problem.unit[:, None])
    kept = values > COLLINEAR * values[-1]
    basis = vectors[:, kept] / np.sqrt(values[kept])
    curvatures, directions = np.linalg.eigh(basis.T @ (H[:d, :d] - H[:d, d:] @ of_thresholds) @ basis)
    endless = basis @ directions[:, 0] if curvatures[0] < FLAT * curvatures[-1] else None
    if np.all(kept[problem.unit > 0.0]):
        return point.w, endless
    shortest, _, rank, _ = np.linalg.lstsq(problem.rows.dense(slice(None)) * problem.unit, point.s)
    return shortest if rank < np.count_nonzero(problem.unit) else point.w, endless


@dataclass(frozen=True)
class CumulativeLinkModel(ThresholdModel):
    """A ThresholdModel with ascending boundaries whose scores w.x are latent utilities.

    The boundaries are the scores at which the median rank changes, theta - F^-1(1/2).

    Attributes
    ----------
    link : {"logit", "probit", "cloglog"}
    n_iter : int, Newton steps
    """

    link: str = "logit"
    n_iter: int = 0

    @property
    def theta(self) -> Array:
        """Return the r - 1 ascending thresholds of the likelihood."""
        return self.boundaries + MEDIANS[self.link]

    def probabilities(self, X: Any) -> Array:
        """Return P(y = r_j | x), shape (m, k)."""
        cumulative = distribution(self.link, self.theta[None, :] - self.scores(X)[:, None])
        return np.diff(np.pad(cumulative, ((0, 0), (1, 1)), constant_values=((0, 0), (0.0, 1.0))), axis=1)
