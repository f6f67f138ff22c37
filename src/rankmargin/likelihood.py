"""Cumulative link models (McCullagh and Nelder; Herbrich et al., section 2.2 and Table 2.1), by maximum likelihood.

    P(y <= r_j | x) = F(theta_j - w.x)

F is the logistic distribution (``logit``), the normal one (``probit``) or 1 - exp(-exp(eta)) (``cloglog``).  All three
have log-concave densities, so minus the log-likelihood is convex in (w, theta) and Newton's method with a line search
finds its minimum.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankmargin.annotations import Array
from rankmargin.caller import warn_caller
from rankmargin.model import ThresholdModel
from rankmargin.rows.ranks import ranks_of
from rankmargin.solvers.solution import convergence_warning

MEDIANS = {"logit": 0.0, "probit": 0.0, "cloglog": float(np.log(np.log(2.0)))}  # F(median) = 1/2
TOLERANCE = 1e-6  # Newton decrement per unit of weight below which the step is the last: the next is about its square
STILL = 0.02  # largest change of a score in the last step; where the maximum is infinite each step changes some by 1
FLAT, COLLINEAR = 1e-10, 1e-10  # smallest curvature of a maximum, and variance of a combination of columns, relative
SHARE = 0.1  # of the largest growth of a weight: columns that are named
PATIENCE = 10  # steps after the decrement is small that change scores by more: then the maximum is infinite
LARGEST = 300.0  # a larger difference theta - s has the probability 0 or 1 to the last digit, with all three links


class SeparationWarning(UserWarning):
    """A linear function separates the ranks, so the likelihood has no maximum."""


def most_likely(X, y, link="logit", penalty=0.0, max_iter=100, sample_weight=None):
    """Return the model of the largest likelihood.

    Parameters
    ----------
    X : (n, d) array or CSR matrix, which is made dense; constant columns get the weight 0
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
    X = X.toarray() if hasattr(X, "toarray") else np.asarray(X, dtype=np.float64)
    used, centre, scale = _varying(X)
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
    weight = np.ones(len(rank)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    order = np.argsort(rank, kind="stable")
    columns = (X[order] - centre)[:, used] / scale[used]
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        of_columns = penalty[used] / scale[used] ** 2
    if not np.isfinite(of_columns).all():
        raise ValueError(f"columns of X must have a deviation far above 0, got {scale[used].min():.3g}: scale X")
    problem = _Likelihood(columns, rank[order], weight[order], link, of_columns)
    weights, theta, endless, n_iter = _maximise(problem, max_iter)
    if free:
        weights = _shortest(columns, weights)
    w = np.zeros(X.shape[1])
    w[used] = weights / scale[used]
    boundaries = theta - MEDIANS[link]
    if endless is not None:
        at = np.flatnonzero(used)[np.abs(endless) > SHARE * np.abs(endless).max()]
        warn_caller(
            f"the likelihood has no maximum: the ranks can be separated by X, in part or all, and the weights of the "
            f"columns {', '.join(map(str, at[:5]))} grow without end; use a margin method or a penalty",
            SeparationWarning,
        )
    return CumulativeLinkModel(w, boundaries, ranks, mean=centre, link=link, n_iter=n_iter)


def _shortest(X, w):
    """Return the shortest weights with the scores X w: if columns depend on each other, other weights have them too."""
    shortest, _, rank, _ = np.linalg.lstsq(X, X @ w)
    return shortest if rank < len(w) else w


def _varying(X):
    """Return which columns vary, and the mean and the standard deviation of each, three arrays (d,)."""
    with np.errstate(over="ignore", invalid="ignore"):
        centre, scale = X.mean(axis=0), X.std(axis=0)
    if not np.isfinite(scale).all():
        raise ValueError(f"columns of X must have a finite deviation, got entries up to {np.abs(X).max():.3g}: scale X")
    return (X.max(axis=0) > X.min(axis=0)) & (scale > 0.0), centre, scale


class _Likelihood:
    """Minus the log-likelihood of rows sorted by rank, plus sum_c penalty_c w_c^2 / 2, with its derivatives."""

    def __init__(self, X, rank, weight, link, penalty):
        self.X, self.rank, self.weight, self.penalty = X, rank, weight, penalty
        self.log_and_slopes = INTERVALS[link]
        self.k, self.starts = rank[-1] + 1, np.flatnonzero(np.diff(rank, prepend=-1))

    def start(self):
        """Return w = 0 and its best thresholds."""
        shares = np.cumsum(np.bincount(self.rank, self.weight))[:-1] / self.weight.sum()
        inverse = {_logit: lambda p: np.log(p / (1 - p)), _cloglog: lambda p: np.log(-np.log1p(-p))}
        if self.log_and_slopes in inverse:
            theta = inverse[self.log_and_slopes](shares)
        else:
            from scipy.special import ndtri

            theta = ndtri(shares)
        return np.zeros(self.X.shape[1]), theta

    def at(self, w, theta):
        """Return the function at w (d,) and ascending theta (k - 1,), and log p of each row with its slopes."""
        edges = np.concatenate([[-np.inf], theta, [np.inf]])
        s = self.X @ w
        log_p, slopes = self.log_and_slopes(edges[self.rank + 1] - s, edges[self.rank] - s)
        return float(0.5 * self.penalty @ (w * w) - self.weight @ log_p), log_p, slopes

    def derivatives(self, w, slopes):
        """Return the gradient (d + k - 1,) and the Hessian (d + k - 1, d + k - 1) at w; the rows have these slopes."""
        up, low, up_up, low_low, both = (-self.weight * slope for slope in slopes)
        d, k = len(w), self.k
        gradient, hessian = np.empty(d + k - 1), np.zeros((d + k - 1, d + k - 1))
        gradient[:d] = self.penalty * w - self.X.T @ (up + low)
        gradient[d:] = self._of_ranks(up)[:-1] + self._of_ranks(low)[1:]
        hessian[:d, :d] = (self.X.T * (up_up + 2.0 * both + low_low)) @ self.X + np.diag(self.penalty)
        of_up, of_low = (self._of_ranks(self.X * own[:, None]) for own in (up_up + both, low_low + both))
        cross = of_up[:-1] + of_low[1:]
        hessian[d:, :d], hessian[:d, d:] = -cross, -cross.T
        j = np.arange(d, d + k - 1)
        hessian[j, j] = self._of_ranks(up_up)[:-1] + self._of_ranks(low_low)[1:]
        hessian[j[1:], j[:-1]] = hessian[j[:-1], j[1:]] = self._of_ranks(both)[1:-1]
        return gradient, hessian

    def _of_ranks(self, values):
        """Return the sum over the rows of each rank, shape (k, ...)."""
        return np.add.reduceat(values, self.starts, axis=0)


def _maximise(problem, max_iter):
    """Return the weights and the ascending thresholds of the largest likelihood; the direction (d,) in which it grows
    without end, or None; and the number of Newton steps that were tried."""
    (w, theta), n_iter, beyond, moves = problem.start(), 0, 0, False
    free = not np.any(problem.penalty)
    d, total, decrement = len(w), problem.weight.sum(), np.inf
    value, _, slopes = problem.at(w, theta)
    for _ in range(max_iter):
        n_iter += 1
        # 1. the Newton step, with a ridge: if the ranks are nearly separable, the Hessian has no inverse
        gradient, hessian = problem.derivatives(w, slopes)
        ridge = 1e-14 * np.trace(hessian) / len(hessian)
        step = -np.linalg.solve(hessian + ridge * np.eye(len(hessian)), gradient)
        decrement = -float(gradient @ step)
        # 2. the part of the step that keeps the thresholds in order and lowers the function
        for halvings in range(60):
            part = 0.5**halvings
            moved = w + part * step[:d], theta + part * step[d:]
            if np.all(np.diff(moved[1]) > 0):
                found = problem.at(*moved)
                if found[0] <= value - 1e-4 * part * decrement:
                    break
        else:
            break  # there is no lower value, because of rounding
        (w, theta), (value, _, slopes) = moved, found
        moves = free and bool(np.abs(problem.X @ step[:d]).max() > STILL)
        if decrement <= TOLERANCE * total:
            beyond += 1
            if not moves or beyond > PATIENCE:
                break
    endless = step[:d] if moves and n_iter < max_iter else _flat(problem, w, slopes) if free else None
    if decrement > 1e-3 * total or (moves and endless is None):
        warn_caller(
            f"cumulative link: Newton's method stopped after max_iter={max_iter} at a decrement of {decrement:.1e}; "
            "the ranks may be nearly separable by X: scale X, or set a penalty",
            convergence_warning(),
        )
    return w, theta, endless, n_iter


def _flat(problem, w, slopes):
    """Return a direction (d,) along which the likelihood has no curvature at all, so that it has no maximum; None if
    there is none. Columns that depend on each other do not count."""
    d, (_, hessian) = len(w), problem.derivatives(w, slopes)
    of_thresholds = np.linalg.lstsq(hessian[d:, d:], hessian[d:, :d])[0]
    values, vectors = np.linalg.eigh(problem.X.T @ (problem.weight[:, None] * problem.X))
    kept = values > COLLINEAR * values[-1]
    basis = vectors[:, kept] / np.sqrt(values[kept])
    curvatures, directions = np.linalg.eigh(basis.T @ (hessian[:d, :d] - hessian[:d, d:] @ of_thresholds) @ basis)
    return basis @ directions[:, 0] if curvatures[0] < FLAT * curvatures[-1] else None


def _logit(up, low):
    """Return log (F(up) - F(low)) and its derivatives by up, low, up twice, low twice and both, for up > low.

    log p = log F(up) + log F(-low) + log(1 - exp(low - up)), in which nothing cancels.
    """
    up, low = np.clip(up, -LARGEST, LARGEST), np.clip(low, -LARGEST, LARGEST)
    below, above = np.exp(-np.abs(up)), np.exp(-np.abs(low))
    log_p = np.minimum(up, 0.0) - np.log1p(below) - np.maximum(low, 0.0) - np.log1p(above)
    width = -np.expm1(low - up)
    log_p += np.log(width)
    odds = (1.0 - width) / width  # 1 / (exp(up - low) - 1)
    curve = odds / width
    right, left = np.where(up > 0, below, 1.0) / (1.0 + below), np.where(low < 0, above, 1.0) / (1.0 + above)
    slopes = right + odds, -left - odds, -right * (1.0 - right) - curve, -left * (1.0 - left) - curve, curve
    return log_p, slopes


def _probit(up, low):
    """Return the same for the normal distribution; if both ends are positive, the other tail is used."""
    from scipy.special import log_ndtr

    flipped = low > 0
    far, near = np.where(flipped, -low, up), np.where(flipped, -up, low)
    log_far, log_near = log_ndtr(far), log_ndtr(near)
    log_p = log_far + np.log(-np.expm1(np.minimum(log_near - log_far, -1e-300)))
    finite_up, finite_low = np.clip(up, -1e100, 1e100), np.clip(low, -1e100, 1e100)
    half = 0.5 * np.log(2.0 * np.pi) + log_p
    up_slope, low_slope = np.exp(-0.5 * finite_up**2 - half), np.exp(-0.5 * finite_low**2 - half)
    slopes = (
        up_slope,
        -low_slope,
        -up_slope * (finite_up + up_slope),
        low_slope * (finite_low - low_slope),
        up_slope * low_slope,
    )
    return log_p, slopes


def _cloglog(up, low):
    """Return the same for F = 1 - exp(-exp(eta)): p = exp(-a) (1 - exp(a - b)) with a = exp(low), b = exp(up)."""
    a, b = np.exp(np.minimum(low, LARGEST)), np.exp(np.minimum(up, LARGEST))
    with np.errstate(over="ignore"):
        odds = 1.0 / np.expm1(b - a)
    log_p = -a + np.log(-np.expm1(a - b))
    more = 1.0 + odds
    slopes = b * odds, -a * more, b * odds * (1.0 - b * more), -a * more * (1.0 + a * odds), a * b * odds * more
    return log_p, slopes


# log (F(up) - F(low)) and its derivatives by up, low, up twice, low twice and both, for up > low
INTERVALS: dict[str, Any] = {"logit": _logit, "probit": _probit, "cloglog": _cloglog}


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
        from scipy.special import expit, ndtr

        eta = self.theta[None, :] - self.scores(X)[:, None]
        cumulative = {"logit": expit, "probit": ndtr, "cloglog": _cloglog_cdf}[self.link](eta)
        return np.diff(np.pad(cumulative, ((0, 0), (1, 1)), constant_values=((0, 0), (0.0, 1.0))), axis=1)


def _cloglog_cdf(eta):
    return -np.expm1(-np.exp(np.minimum(eta, 700.0)))
