"""Newton's method on a smoothed hinge with a kernel matrix, for problems that take coordinate descent hundreds of
sweeps.

    min over beta:   1/2 beta K beta + sum_t u_t phi_h(z_t),   z_t = margin_t - sign_t (s_plus - s_minus),  s = K beta

phi_h is the hinge max(0, z), smoothed to a parabola for |z| < h / 2.  Its slopes alpha_t = u_t clip(z_t / h + 1/2, 0,
1) lie in the box, so any beta yields a dual feasible alpha, and the two prove a gap of the problem *without* smoothing.
A Newton step solves

    (I + L K) d = sum_t alpha_t sign_t (e_plus - e_minus) - beta

with the Laplacian L of the rows inside the smoothed zone: these are n equations for any number of rows.  The gap is

    1/2 ||f - f_alpha||^2  +  the cost of smoothing,

so the width h is reduced as soon as the second part is the larger one.  The first width has every row inside at f = 0,
where a step is least squares.
"""

import numpy as np

from rankmargin.compiled import njit
from rankmargin.solvers.progress import current
from rankmargin.solvers.solution import relative_gap

FIRST_WIDTH, LEAST_WIDTH = 4.0, 1e-7  # in units of the margin
MOST_STEPS = 40  # for one width; if more are needed, coordinate descent is better
ENOUGH = 0.5  # share of the required gap that smoothing may cost
ROUGH = 0.01  # share of the right side that a step in single precision may leave
PART = 0.2  # a line search reduces the slope to this share
SPARSE = 0.1  # share of entries of L from which on a product of dense matrices is faster
COLUMNS = 128  # columns of K handled at a time, so that they stay in the cache


@np.errstate(over="ignore", invalid="ignore")  # a step that is not finite is not taken
def approach(K, rows, bounds, beta, tol):
    """Minimise until the relative gap is at most ``tol``, or until the limits of steps or time are reached.

    Parameters
    ----------
    K : (n, n) kernel matrix
    rows : Rows without thresholds; passes over them are fast if neighbours have similar scores, as in the order in
        which they are built
    bounds : (N,) array, their boxes C cost
    beta : (n,) array, coefficients to start from

    Returns
    -------
    beta, objective, alpha, dual bound
        The best primal and the best dual point that were found.
    """
    columns, progress = (rows.sign, rows.plus, rows.minus, rows.margin, bounds), current()
    unit = float(np.abs(rows.margin).max())
    scores, width, matrix = K @ beta, FIRST_WIDTH * unit, K.astype(np.float32)
    best = beta, np.inf, None, -np.inf
    while width > LEAST_WIDTH * unit:
        for _ in range(MOST_STEPS):
            # 1. the slopes, the bounds that they and beta prove, and the gradient
            alpha, pull = np.empty(len(rows)), np.empty(len(beta))
            loss, reward = _slopes(*columns, scores, width, alpha, pull)
            pulled = K @ pull
            objective, dual = 0.5 * float(beta @ scores) + loss, reward - 0.5 * float(pull @ pulled)
            best = (*((beta, objective) if objective < best[1] else best[:2]), *best[2:])
            best = (*best[:2], *((alpha, dual) if dual > best[3] else best[2:]))
            if relative_gap(best[1], best[3]) <= tol or progress.expired:
                return best
            missing, enough = pull - beta, ENOUGH * tol * best[1]
            residual = 0.5 * float(missing @ (pulled - scores))
            smoothing = objective - dual - residual
            if residual <= smoothing > enough:
                width *= min(max((enough / smoothing) ** 0.5, 0.1), 0.5)
                break
            # 2. the Newton step and its length
            laplacian = _laplacian(*columns, scores, width)
            step, along, left = _newton(matrix, K, laplacian, missing)
            if matrix is not K and not left <= ROUGH:
                matrix = K
                step, along, left = _newton(matrix, K, laplacian, missing)
            if not np.isfinite(left):
                return best
            part = _line_search(columns, beta, scores, step, along, width)
            beta, scores = beta + part * step, scores + part * along
        else:
            return best
    return best


def _system(K, diagonal, starts, columns, values):
    """Return I + L K, shape (n, n), in the precision of K."""
    dense = len(columns) > SPARSE * K.size
    L = diagonal.astype(K.dtype), starts, columns, values
    system = _dense(*L) @ K if dense else _sparse_times(K, *L)
    system[np.diag_indices_from(system)] += 1.0
    return system


def _newton(matrix, K, laplacian, missing):
    """Return the Newton step, its scores, and the share of the right side that it leaves, which is not finite if there
    is no step.

    The system is made and solved in the precision of ``matrix``: single precision takes half the time and memory.
    """
    try:
        step = np.linalg.solve(_system(matrix, *laplacian), missing.astype(matrix.dtype)).astype(np.float64)
    except np.linalg.LinAlgError:
        return missing, missing, np.inf
    along = K @ step
    left = missing - step - _times(*laplacian, along)
    return step, along, float(np.linalg.norm(left) / np.linalg.norm(missing))


def _line_search(rows, beta, scores, step, along, width):
    """Return the part of the step, in (0, 1], at which the slope of the smoothed objective is nearly 0."""
    linear, quadratic = float(beta @ along), float(step @ along)

    def slope(part):
        return linear + part * quadratic - _slope(*rows, scores, along, part, width)

    enough = PART * abs(slope(0.0))
    low, high, part = 0.0, 1.0, 1.0
    for _ in range(12):
        here = slope(part)
        if abs(here) <= enough or (part == 1.0 and here < 0.0):
            break
        low, high = (part, high) if here < 0.0 else (low, part)
        part = 0.5 * (low + high)
    return part


@njit(cache=True)
def _slopes(sign, plus, minus, margin, bounds, scores, width, alpha, pull):
    """Fill in alpha (N,) and the coefficients ``pull`` (n,) that belong to it; return the hinge loss, not smoothed, and
    sum_t margin_t alpha_t."""
    loss, reward = 0.0, 0.0
    pull[:] = 0.0
    for t in range(plus.size):
        short = margin[t] - sign[t] * (scores[plus[t]] - (scores[minus[t]] if minus[t] >= 0 else 0.0))
        if short <= -0.5 * width:
            alpha[t] = 0.0
            continue
        alpha[t] = bounds[t] if short >= 0.5 * width else bounds[t] * (short / width + 0.5)
        if short > 0.0:
            loss += bounds[t] * short
        reward += margin[t] * alpha[t]
        pull[plus[t]] += sign[t] * alpha[t]
        if minus[t] >= 0:
            pull[minus[t]] -= sign[t] * alpha[t]
    return loss, reward


@njit(cache=True)
def _slope(sign, plus, minus, margin, bounds, scores, along, part, width):
    """Return minus the derivative of the smoothed loss at scores + part along, in the direction ``along``."""
    total = 0.0
    for t in range(plus.size):
        turn = sign[t] * (along[plus[t]] - (along[minus[t]] if minus[t] >= 0 else 0.0))
        short = margin[t] - sign[t] * (scores[plus[t]] - (scores[minus[t]] if minus[t] >= 0 else 0.0))
        short -= part * turn
        if short >= 0.5 * width:
            total += bounds[t] * turn
        elif short > -0.5 * width:
            total += bounds[t] * (short / width + 0.5) * turn
    return total


@njit(cache=True)
def _laplacian(sign, plus, minus, margin, bounds, scores, width):
    """Return the diagonal of L and the rest of it as CSR: starts (n + 1,), columns and values.

    The rows are read twice, because a list of those inside could be as long as the rows.
    """
    n = scores.size
    diagonal, starts = np.zeros(n), np.zeros(n + 1, dtype=np.int64)
    for t in range(plus.size):
        short = margin[t] - sign[t] * (scores[plus[t]] - (scores[minus[t]] if minus[t] >= 0 else 0.0))
        if abs(short) < 0.5 * width:
            diagonal[plus[t]] += bounds[t] / width
            if minus[t] >= 0:
                diagonal[minus[t]] += bounds[t] / width
                starts[plus[t] + 1] += 1
                starts[minus[t] + 1] += 1
    starts = np.cumsum(starts)
    place = starts[:-1].copy()
    columns, values = np.empty(starts[n], dtype=np.int32), np.empty(starts[n], dtype=np.float32)
    for t in range(plus.size):
        i, j = plus[t], minus[t]
        if j >= 0 and abs(margin[t] - sign[t] * (scores[i] - scores[j])) < 0.5 * width:
            columns[place[i]], columns[place[j]] = j, i
            values[place[i]] = values[place[j]] = -bounds[t] / width
            place[i] += 1
            place[j] += 1
    return diagonal, starts, columns, values


@njit(cache=True)
def _times(diagonal, starts, columns, values, v):
    """Return L v, shape (n,)."""
    product = diagonal * v
    for i in range(v.size):
        for p in range(starts[i], starts[i + 1]):
            product[i] += values[p] * v[columns[p]]
    return product


@njit(cache=True)
def _dense(diagonal, starts, columns, values):
    """Return L, shape (n, n)."""
    L = np.diag(diagonal)
    for i in range(diagonal.size):
        for p in range(starts[i], starts[i + 1]):
            L[i, columns[p]] += values[p]
    return L


@njit(cache=True)
def _sparse_times(K, diagonal, starts, columns, values):
    """Return L K, shape (n, n), in the precision of K."""
    n = diagonal.size
    product = np.empty_like(K)
    for first in range(0, n, COLUMNS):
        last = min(n, first + COLUMNS)
        part = K[:, first:last].copy()
        for i in range(n):
            out = diagonal[i] * part[i]
            for p in range(starts[i], starts[i + 1]):
                j, value = columns[p], values[p]
                for c in range(out.size):
                    out[c] += value * part[j, c]
            product[i, first:last] = out
    return product
