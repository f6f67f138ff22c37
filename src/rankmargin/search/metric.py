"""A metric that is learned: which columns a kernel should count, by ridge regression on landmarks.

The function is fitted, each column is weighted by the root mean square of the function's partial derivatives along it,
and the function is fitted again, up to five times: the recursive feature machine of Radhakrishnan, Beaglehole, Pandit,
Belkin, "Mechanism for feature learning in neural networks and backpropagation-free machine learning models" (Science,
2024), here with a diagonal metric, on the centred ranks of the targets.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotrs
from scipy.spatial.distance import cdist
from scipy.stats import rankdata

from rankmargin.annotations import Array
from rankmargin.compiled import njit
from rankmargin.problem.rows.pairs import group_codes, members
from rankmargin.solvers.progress import one_thread

LANDMARKS = 200  # training rows on which functions are supported
PENALTIES = 10.0 ** np.arange(-4.0, 2.0)
# kernel -> values of gamma times the median distance of rows; of all but the first the distance is squared
WIDTHS = {
    "laplacian": 10.0 ** np.linspace(-1.2, 0.4, 3),
    **dict.fromkeys(("rbf", "matern12", "matern32", "matern52"), 10.0 ** np.linspace(-1.4, 0.4, 4)),
}
STARTS = "curve", "any", "somers"
TRIED = 3  # values of gamma after the start
STEPS = 5  # of the metric, after its start
BETTER = 1e-3  # share of pairs by which a step has to lower the error, or the next is the last
FLOOR = 0.02  # added to squared weights whose mean is 1: no column is lost for good
JITTER = 1e-8
BINS = {"curve": 8, "any": 6}


@dataclass(frozen=True)
class Metric:
    """A kernel whose columns are weighted, and what it led to.

    Attributes
    ----------
    kernel, gamma
    weights : (q,) array, those that all rows lead to; the mean of their squares is 1
    of_folds : list of pairs, the weights and the gamma that the training rows of each fold lead to
    start : str, ``step`` : int, where they come from
    error : float, mean share of swapped pairs in the held-out rows
    landmarks : int or None, of the fit on all rows
    """

    kernel: str
    gamma: float
    weights: Array
    of_folds: list[tuple[Array, float]]
    start: str
    step: int
    error: float = np.nan
    landmarks: int | None = None

    @property
    def params(self) -> dict[str, Any]:
        """The parameters of an estimator."""
        if self.kernel == "linear":
            return {"kernel": self.kernel}
        limit = {} if self.landmarks is None else {"landmarks": self.landmarks}
        return {"kernel": self.kernel, "gamma": self.gamma, **limit}


@dataclass(eq=False)
class Rows:
    """Rows for a ridge regression: columns of variance 1, numbers of targets, groups or None, weights or None."""

    columns: Array
    y: Array
    groups: Array | None = None
    weight: Array | None = None
    limit: int | None = LANDMARKS
    somers: Array = field(default_factory=lambda: np.empty(0))  # the weights of ColumnScaler

    @cached_property
    def shares(self) -> Array:
        """The weight of each row, with mean 1."""
        weight = np.ones(len(self.y)) if self.weight is None else self.weight
        return weight / (weight.mean() or 1.0)  # held-out rows may weigh nothing

    @cached_property
    def codes(self) -> Array:
        """The number of the group of each row."""
        return group_codes(self.groups, len(self.y))

    @cached_property
    def landmarks(self) -> Array:
        """The numbers of some rows that weigh something."""
        return some_rows(self.shares, self.limit)

    @cached_property
    def targets(self) -> Array:
        """The share of the rows of a group that lie below each row, centred in groups, with variance 1."""
        ranks = np.empty(len(self.y))
        for rows in members(self.codes):
            ranks[rows] = (rankdata(self.y[rows]) - 0.5) / len(rows)
        ranks = self.centred(ranks[:, None])[:, 0]
        return ranks / (np.sqrt(np.mean(self.shares * ranks**2)) or 1.0)

    def centred(self, table: Array) -> Array:
        """Take the mean of each group from a table (n, m), in place: rows are compared inside groups only."""
        if self.groups is None:
            table -= self.shares @ table / len(table)
            return table
        sums = np.zeros((self.codes.max() + 1, table.shape[1]))
        np.add.at(sums, self.codes, self.shares[:, None] * table)
        total = np.bincount(self.codes, self.shares)
        table -= (sums / np.where(total > 0, total, 1.0)[:, None])[self.codes]
        return table


@dataclass(eq=False)
class Pairs:
    """The pairs of the held-out rows of a fold that can be compared, and the share of each in the error."""

    columns: Array
    ahead: Array
    behind: Array
    share: Array

    @classmethod
    def of(cls, rows: Rows) -> "Pairs":
        """Return all pairs with different targets in a group."""
        comparable = (rows.y[:, None] > rows.y) & (rows.codes[:, None] == rows.codes)
        ahead, behind = np.nonzero(comparable)
        share = rows.shares[ahead] * rows.shares[behind]
        return cls(rows.columns, ahead, behind, share / (share.sum() or 1.0))

    def swapped(self, scores: Array) -> Array:
        """Return the share of swapped pairs for each column of scores (m, k); tied scores count half."""
        return _swapped(self.ahead, self.behind, self.share, np.ascontiguousarray(scores))


@njit
def _swapped(ahead, behind, share, scores):
    errors = np.zeros(scores.shape[1])
    for pair in range(len(ahead)):
        i, j, weight = ahead[pair], behind[pair], share[pair]
        for k in range(scores.shape[1]):
            if scores[i, k] < scores[j, k]:
                errors[k] += weight
            elif scores[i, k] == scores[j, k]:
                errors[k] += 0.5 * weight
    return errors


@njit
def _sign_sums(products, rows, landmarks):
    """Return sum_j products[i, j] sign(rows[i, k] - landmarks[j, k]), shape (n, d)."""
    sums = np.zeros(rows.shape)
    for i in range(rows.shape[0]):
        for j in range(landmarks.shape[0]):
            product = products[i, j]
            for k in range(rows.shape[1]):
                sums[i, k] += product * np.sign(rows[i, k] - landmarks[j, k])
    return sums


def distances(kernel: str, rows: Array, landmarks: Array) -> Array:
    """Return the distances of weighted rows (n, q) from landmarks (m, q) that a kernel is a function of, (n, m)."""
    return cdist(rows, landmarks, "cityblock" if kernel == "laplacian" else "sqeuclidean")


def values(kernel: str, gamma: float, apart: Array) -> Array:
    """Return the values of a kernel at some distances."""
    if kernel in ("rbf", "laplacian"):
        scaled = -gamma * apart
        return np.exp(scaled, out=scaled)
    degree = int(kernel[-2:]) // 10  # 1, 3 or 5
    t = np.sqrt(degree * gamma * apart)
    return (1.0 + (degree > 1) * t + (degree > 3) * t * t / 3.0) * np.exp(-t)


def rates(kernel: str, gamma: float, apart: Array) -> Array:
    """Return minus the derivatives of a kernel by the distance of rows; for squares of distances, twice that."""
    if kernel in ("rbf", "laplacian"):
        return gamma * np.exp(-gamma * apart) * (1.0 + (kernel == "rbf"))
    t = np.sqrt(int(kernel[-2:]) // 10 * gamma * apart)
    if kernel == "matern12":
        return gamma * np.divide(np.exp(-t), t, out=np.zeros_like(t), where=t > 0)
    return gamma * np.exp(-t) * (3.0 if kernel == "matern32" else 5.0 / 3.0 * (1.0 + t))


def slopes(kernel: str, products: Array, rows: Array, landmarks: Array) -> Array:
    """Return minus the derivatives along the columns of rows (n, q), from coefficients times :func:`rates` (n, m)."""
    if kernel == "laplacian":
        return _sign_sums(products, rows, landmarks)
    return rows * products.sum(axis=1)[:, None] - products @ landmarks


class Ridge:
    """Functions on landmarks, one for each penalty, fitted to the targets of rows by weighted least squares.

    The coordinates are those in which the norm of the kernel's space is Euclidean, so that a penalty means the same
    for each gamma. ``near`` (n, q) are weighted columns, ``apart`` (n, m) their distances from the landmarks.
    """

    def __init__(self, rows: Rows, near: Array, apart: Array, kernel: str, gamma: float) -> None:
        self.kernel, self.gamma, self.near, self.apart = kernel, gamma, near, apart
        self.landmarks = near[rows.landmarks]
        products = values(kernel, gamma, apart)
        of_landmarks = products[rows.landmarks] + JITTER * np.eye(len(rows.landmarks))
        root = cholesky(of_landmarks, check_finite=False)
        centred = rows.centred(products) * np.sqrt(rows.shares)[:, None]
        features = solve_triangular(root, centred.T, trans=1, check_finite=False, overwrite_b=True)
        normal, right = dsyrk(1.0, features), features @ (np.sqrt(rows.shares) * rows.targets)  # above the diagonal
        solved = [_solved(normal, penalty, right) for penalty in PENALTIES]
        self.coefficients = solve_triangular(root, np.array(solved).T, check_finite=False)  # (m, penalties)

    def scores(self, apart: Array) -> Array:
        """Return the scores of rows, from their distances to the landmarks, for each penalty."""
        return values(self.kernel, self.gamma, apart) @ self.coefficients

    def slopes(self, penalty: int) -> Array:
        """Return the root mean square of the partial derivatives over the rows, with a penalty."""
        products = rates(self.kernel, self.gamma, self.apart) * self.coefficients[:, penalty]
        return np.sqrt(np.mean(slopes(self.kernel, products, self.near, self.landmarks) ** 2, axis=0))


def _solved(normal, penalty, right):
    with_penalty = normal.copy(order="F")
    with_penalty[np.diag_indices(len(normal))] += penalty
    root, _ = dpotrf(with_penalty, overwrite_a=1)
    return dpotrs(root, right)[0]


def some_rows(shares: Array, limit: int | None) -> Array:
    """Return the numbers of at most ``limit`` rows that weigh something, drawn with a fixed seed."""
    return np.sort(np.random.default_rng(0).permutation(np.flatnonzero(shares))[:limit])


@one_thread(0)
def learned_metrics(
    kernel: str, start: str, whole: Rows, folds: Sequence[tuple[Rows, Pairs]], end: float
) -> list[Metric]:
    """Return the metrics of each step and gamma from a start, and their errors in the held-out rows of folds.

    No held-out row of a fold takes part in its metric. A step weighs the columns by the function with the penalty and
    the gamma whose error is smallest. After the start only gammas beside the best are tried.
    """
    parts = [whole, *(rows for rows, _ in folds)]
    weights = [first_weights(start, rows) for rows in parts]
    found: list[Metric] = []
    last, first = np.inf, 0
    for step in range(STEPS + 1):
        if time.monotonic() >= end:
            break
        tried = slice(first, first + TRIED if step else None)
        gammas = [gammas_of_metric(kernel, rows.columns * scale)[tried] for rows, scale in zip(parts, weights)]
        errors, fits = np.zeros((len(gammas[0]), len(PENALTIES))), {}
        for place, (rows, held_out) in enumerate(folds, 1):
            fits[place], swapped = fits_of(kernel, gammas[place], weights[place], rows, held_out)
            errors += swapped / len(folds)
        for (gamma, *others), error in zip(zip(*gammas), errors.min(axis=1)):
            found.append(Metric(kernel, gamma, weights[0], [*zip(weights[1:], others)], start, step, error))
        if step == STEPS or errors.min() > last - BETTER:
            break
        last, (best, penalty) = errors.min(), divmod(int(errors.argmin()), len(PENALTIES))
        near = whole.columns * weights[0]
        of_whole = Ridge(whole, near, distances(kernel, near, near[whole.landmarks]), kernel, gammas[0][best])
        slopes = [fit.slopes(penalty) for fit in (of_whole, *(of_fold[best] for of_fold in fits.values()))]
        weights = [with_floor((old * slope) ** 2) for old, slope in zip(weights, slopes)]
        first = max(0, first + best - TRIED // 2)
    return found


def fits_of(kernel, gammas, weights, rows, held_out):
    """Return the functions of a fold for some gammas, and their shares of swapped pairs (gammas, penalties)."""
    near = rows.columns * weights
    apart = distances(kernel, near, near[rows.landmarks])
    others = distances(kernel, held_out.columns * weights, near[rows.landmarks])
    fits = [Ridge(rows, near, apart, kernel, gamma) for gamma in gammas]
    return fits, np.array([held_out.swapped(fit.scores(others)) for fit in fits])


@one_thread(0)
def errors_of(kernel: str, gammas: Sequence[float], folds: Sequence[tuple[Rows, Pairs]]) -> Array:
    """Return the error of each gamma with the weights of Somers' D and the best penalty."""
    errors = sum(fits_of(kernel, gammas, rows.somers, rows, held_out)[1] for rows, held_out in folds)
    return errors.min(axis=1) / len(folds)


def gammas_of_metric(kernel: str, near: Array) -> list[float]:
    """Return values of gamma that suit the distances of some weighted rows."""
    some = near[some_rows(np.ones(len(near)), LANDMARKS)]
    apart = distances(kernel, some, some)[np.triu_indices(len(some), 1)]
    median = float(np.median(apart[apart > 0])) if np.any(apart > 0) else 1.0
    return [float(f"{width / median:.3g}") for width in WIDTHS[kernel]]


def with_floor(squares: Array) -> Array:
    """Return roots of squared weights, with a floor, so that the mean of their squares is 1."""
    mean = float(squares.mean())
    squares = (squares / mean if mean > 0 else np.ones(len(squares))) + FLOOR
    return np.sqrt(squares / squares.mean())


def first_weights(start: str, rows: Rows) -> Array:
    """Return the weights of a start.

    ``somers`` are those of :class:`ColumnScaler`: columns with a monotone effect. ``curve`` is the root of the
    correlation ratio of the ranks of y on bins of the column: any curve. ``any`` is the root of chi squared of bins of
    the column and of y over its degrees of freedom: also a column that changes only the spread of y.
    """
    if start == "somers":
        return rows.somers
    binned = (_binned(column, BINS[start]) for column in rows.columns.T)
    if start == "curve":
        squares = [_correlation_ratio(of_column, rows.targets) for of_column in binned]
    else:
        of_rank = _binned(rows.targets, BINS[start])
        squares = [_chi_squared(of_column, of_rank) for of_column in binned]
    return with_floor(np.array(squares))


def _binned(column, bins):
    """Return the number of the bin of each value: one for each value if there are few, otherwise of equal counts."""
    values = np.unique(column)
    edges = values if len(values) <= bins else np.unique(np.quantile(column, np.linspace(0, 1, bins + 1)[1:-1]))
    return np.unique(np.searchsorted(edges, column), return_inverse=True)[1]


def _correlation_ratio(of_column, targets):
    """Return the share of the variance of centred targets between bins, adjusted for their number; at least 0."""
    n, count = len(targets), np.bincount(of_column)
    between = (np.bincount(of_column, targets) ** 2 / count).sum() / ((targets**2).sum() or 1.0)
    return max(0.0, 1.0 - (1.0 - between) * (n - 1) / max(1, n - len(count)))


def _chi_squared(of_column, of_target):
    """Return chi squared of two numbers of bins beyond its degrees of freedom, over the number of rows; at least 0."""
    shape = of_column.max() + 1, of_target.max() + 1
    seen = np.bincount(of_column * shape[1] + of_target, minlength=shape[0] * shape[1]).reshape(shape)
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / len(of_column)
    free = (shape[0] - 1) * (shape[1] - 1)
    return max(0.0, float(((seen - expected) ** 2 / expected).sum() - free) / len(of_column))
