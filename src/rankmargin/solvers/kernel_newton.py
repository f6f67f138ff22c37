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
CORRECTED = 3  # solves with the same factors, each for what the last one left
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
    best, proof = (beta, np.inf), (scores, width, -np.inf)  # alpha follows from scores and width
    while width > LEAST_WIDTH * unit:
        for _ in range(MOST_STEPS):
            # 1. the bounds that beta and the slopes prove, and the gradient
            pull = np.empty(len(beta))
            loss, reward = _pull(*columns, scores, width, pull)
            pulled = K @ pull
            objective, dual = 0.5 * float(beta @ scores) + loss, reward - 0.5 * float(pull @ pulled)
            best = (beta, objective) if objective < best[1] else best
            proof = (scores, width, dual) if dual > proof[2] else proof
            if relative_gap(best[1], proof[2]) <= tol or progress.expired:
                return _proved(columns, best, proof)
            missing, enough = pull - beta, ENOUGH * tol * best[1]
            residual = 0.5 * float(missing @ (pulled - scores))
            smoothing = objective - dual - residual
            if residual <= smoothing > enough:
                width *= min(max((enough / smoothing) ** 0.5, 0.1), 0.5)
                break
            # 2. the Newton step and its length
            L = _laplacian(*columns, scores, width)
            step, along, left = _newton(_system(matrix, L), K, L, missing)
            if matrix is not K and not left <= ROUGH:
                matrix = K
                step, along, left = _newton(_system(matrix, L), K, L, missing)
            if not np.isfinite(left):
                return _proved(columns, best, proof)
            part = _line_search(columns, beta, scores, step, along, width)
            beta, scores = beta + part * step, scores + part * along
        else:
            break
    return _proved(columns, best, proof)


def _proved(columns, best, proof):
    """Return beta and its objective, alpha and its dual bound."""
    return *best, _slopes(*columns, *proof[:2]) if proof[2] > -np.inf else None, proof[2]


def _newton(system, K, L, missing):
    """Return the Newton step, its scores, and the share of the right side that it leaves, which is not finite if there
    is no step. The system of :func:`_system` is solved in its precision; single takes half the time and memory."""
    from scipy.linalg import lapack  # 2.6 times faster than numpy's solve; most jobs do not need it

    double = system.dtype == np.float64
    factor, solve = (lapack.dgetrf, lapack.dgetrs) if double else (lapack.sgetrf, lapack.sgetrs)
    *factors, singular = factor(system.T, overwrite_a=True)
    if singular:
        return missing, missing, np.inf
    step, left = np.zeros(len(missing)), missing
    for _ in range(CORRECTED):
        step = step + solve(*factors, left)[0]
        along = K @ step
        product = L @ along.astype(L.dtype) if isinstance(L, np.ndarray) else _times(*L, along)
        left = missing - step - product
        share = float(np.linalg.norm(left) / np.linalg.norm(missing))
        if share <= ROUGH:
            break
    return step, along, share


def _system(K, L):
    """Return I + K L, shape (n, n), in the precision of K. It is the transpose of the system: LAPACK reads columns."""
    system = K @ L.astype(K.dtype, copy=False) if isinstance(L, np.ndarray) else _times_sparse(K, *L)
    system.flat[:: len(system) + 1] += 1.0
    return system


def _line_search(rows, beta, scores, step, along, width):
    """Return the part of the step, in (0, 1], at which the slope of the smoothed objective is nearly 0."""
    linear, quadratic = float(beta @ along), float(step @ along)
    short, turn = _short_and_turn(*rows[:4], scores, along)
    enough = PART * abs(linear - _slope(rows[4], short, turn, 0.0, width))
    low, high, part = 0.0, 1.0, 1.0
    for _ in range(12):
        here = linear + part * quadratic - _slope(rows[4], short, turn, part, width)
        if abs(here) <= enough or (part == 1.0 and here < 0.0):
            break
        low, high = (part, high) if here < 0.0 else (low, part)
        part = 0.5 * (low + high)
    return part


def _laplacian(*inside):
    """Return L, shape (n, n): a matrix if many entries differ from 0, or its diagonal and the rest of it as CSR."""
    diagonal, starts = _degrees(*inside)
    n, size = len(diagonal), starts[-1]
    if size > SPARSE * n * n:
        L = np.diag(diagonal.astype(np.float32))
        _fill(*inside, L)
        return L
    columns, values = np.empty(size, dtype=np.int32), np.empty(size, dtype=np.float32)
    _list(*inside, starts[:-1].copy(), columns, values)
    return diagonal, starts, columns, values


@njit(cache=True)
def _share(short, width):
    """Return the slope of the smoothed hinge."""
    return min(max(short / width + 0.5, 0.0), 1.0)


@njit(cache=True)
def _slopes(sign, plus, minus, margin, bounds, scores, width):
    """Return alpha, shape (N,)."""
    alpha = np.empty(plus.size)
    for t in range(plus.size):
        short = margin[t] - sign[t] * (scores[plus[t]] - (scores[minus[t]] if minus[t] >= 0 else 0.0))
        alpha[t] = bounds[t] * _share(short, width)
    return alpha


@njit(cache=True)
def _pull(sign, plus, minus, margin, bounds, scores, width, pull):
    """Fill in the coefficients ``pull`` (n,) that belong to alpha; return the hinge loss, not smoothed, and sum_t
    margin_t alpha_t."""
    loss, reward = 0.0, 0.0
    pull[:] = 0.0
    for t in range(plus.size):
        short = margin[t] - sign[t] * (scores[plus[t]] - (scores[minus[t]] if minus[t] >= 0 else 0.0))
        if short <= -0.5 * width:
            continue
        alpha = bounds[t] * _share(short, width)
        if short > 0.0:
            loss += bounds[t] * short
        reward += margin[t] * alpha
        pull[plus[t]] += sign[t] * alpha
        if minus[t] >= 0:
            pull[minus[t]] -= sign[t] * alpha
    return loss, reward


@njit(cache=True)
def _short_and_turn(sign, plus, minus, margin, scores, along):
    """Return what each row lacks of its margin, and how much less it lacks after a step ``along``, each shape (N,)."""
    short, turn = np.empty(plus.size), np.empty(plus.size)
    for t in range(plus.size):
        turn[t] = sign[t] * (along[plus[t]] - (along[minus[t]] if minus[t] >= 0 else 0.0))
        short[t] = margin[t] - sign[t] * (scores[plus[t]] - (scores[minus[t]] if minus[t] >= 0 else 0.0))
    return short, turn


@njit(cache=True)
def _slope(bounds, short, turn, part, width):
    """Return minus the derivative of the smoothed loss after a part of the step, in the direction of the step."""
    total = 0.0
    for t in range(short.size):
        total += bounds[t] * _share(short[t] - part * turn[t], width) * turn[t]
    return total


@njit(cache=True)
def _degrees(sign, plus, minus, margin, bounds, scores, width):
    """Return the diagonal of L, and where each row of the rest of it starts in a list, shape (n + 1,)."""
    diagonal, starts = np.zeros(scores.size), np.zeros(scores.size + 1, dtype=np.int64)
    for t in range(plus.size):
        short = margin[t] - sign[t] * (scores[plus[t]] - (scores[minus[t]] if minus[t] >= 0 else 0.0))
        if abs(short) < 0.5 * width:
            diagonal[plus[t]] += bounds[t] / width
            if minus[t] >= 0:
                diagonal[minus[t]] += bounds[t] / width
                starts[plus[t] + 1] += 1
                starts[minus[t] + 1] += 1
    return diagonal, np.cumsum(starts)


@njit(cache=True)
def _fill(sign, plus, minus, margin, bounds, scores, width, L):
    """Add the entries outside the diagonal to L."""
    for t in range(plus.size):
        i, j = plus[t], minus[t]
        if j >= 0 and abs(margin[t] - sign[t] * (scores[i] - scores[j])) < 0.5 * width:
            L[i, j] -= bounds[t] / width
            L[j, i] -= bounds[t] / width


@njit(cache=True)
def _list(sign, plus, minus, margin, bounds, scores, width, place, columns, values):
    """List the entries outside the diagonal, those of row i from ``place[i]`` on."""
    for t in range(plus.size):
        i, j = plus[t], minus[t]
        if j >= 0 and abs(margin[t] - sign[t] * (scores[i] - scores[j])) < 0.5 * width:
            columns[place[i]], columns[place[j]] = j, i
            values[place[i]] = values[place[j]] = -bounds[t] / width
            place[i] += 1
            place[j] += 1


@njit(cache=True)
def _times(diagonal, starts, columns, values, v):
    """Return L v, shape (n,)."""
    product = diagonal * v
    for i in range(v.size):
        for p in range(starts[i], starts[i + 1]):
            product[i] += values[p] * v[columns[p]]
    return product


@njit(cache=True)
def _times_sparse(K, diagonal, starts, columns, values):
    """Return K L, shape (n, n), in the precision of K.

    Loops, because numba compiles an assignment to a part of an array for 3 s: it may have to tell both shapes.
    """
    n = diagonal.size
    product = np.empty_like(K)
    for first in range(0, n, COLUMNS):
        last = min(n, first + COLUMNS)
        part = K[:, first:last].copy()
        out = np.empty_like(part)
        for i in range(n):
            for c in range(last - first):
                out[i, c] = diagonal[i] * part[i, c]
            for p in range(starts[i], starts[i + 1]):
                j, value = columns[p], values[p]
                for c in range(last - first):
                    out[i, c] += value * part[j, c]
        for c in range(last - first):
            for i in range(n):
                product[first + c, i] = out[i, c]
    return product
