"""The loss of listed rows at scores s, with the best value of each threshold.

Row t lacks v = sign (theta - kink_t) of its margin, where kink_t = (s_plus - s_minus) - sign margin_t, and its slope
rises along the ramp of its loss (:mod:`rankmargin.losses`), which is made longer by h / 2 at both ends if it has a cap.
At scores s the smoothed loss is smallest where the slopes of each threshold balance,

    sum_t cost_t sign_t slope_t = 0.

This is one increasing, piecewise linear equation per threshold. If an order is required, neighbours in the wrong order
become one threshold (pool adjacent violators). So the slopes are feasible dual variables, and only w is left to find.
"""

from typing import NamedTuple

import numpy as np

from rankmargin.compiled import njit
from rankmargin.problem.products import tiles, weighted_products

LONGEST_SEARCH = 200
ENTRIES = 1 << 21  # of rows times features that are held at a time
PAIRS = 1 << 12  # pairs whose differences are held at a time
ROUNDING, TINY = 1e-15, 1e-300


class RowSlopes(NamedTuple):
    """The slopes of the rows at some scores.

    Attributes
    ----------
    beta : (n,) sum of the slopes of the rows in which example i should be higher, minus those in which it should be
        lower
    reward : float, sum of the slopes times their margins
    loss, conjugate : float, sums of the losses and of their conjugates, not smoothed, at the thresholds of the smoothed
        loss
    steepness : float, derivative of a slope inside the window; 0 if the window is narrower than rounding
    in_window : float, twice the cost of the rows inside the window
    slope : (N,) slopes times their costs, in the order of the thresholds
    inside : (m,) rows inside the window, in the same order
    pool : (n_thresholds,) int, equal for thresholds that have become one
    """

    beta: np.ndarray
    reward: float
    loss: float
    conjugate: float
    steepness: float
    in_window: np.float64
    slope: np.ndarray
    inside: np.ndarray
    pool: np.ndarray


class RowLoss:
    """The loss of rows with thresholds; see :class:`rankmargin.oracles.pair_losses.PairLoss`.

    Parameters
    ----------
    rows : Rows without a slope
    """

    listed, cost = True, 1.0

    def __init__(self, rows):
        self.rows, self.n, self.loss, self.smoothed = rows, rows.n_samples, rows.loss, rows.loss.capped
        ascending = np.all(rows.threshold[1:] >= rows.threshold[:-1])  # then nothing is copied
        self.order = slice(None) if ascending else np.argsort(rows.threshold, kind="stable")
        self.sign, self.plus, self.minus, self.threshold, self.row_margin, self.row_cost = (
            column[self.order] for column in (rows.sign, rows.plus, rows.minus, rows.threshold, rows.margin, rows.cost)
        )
        if self.smoothed and self.loss.cap != 1.0:
            self.row_cost = self.row_cost * self.loss.cap  # so that the cap is 1
        self.starts = np.searchsorted(self.threshold, np.arange(-1, rows.n_thresholds + 1))
        self.margin = float(np.abs(rows.margin).max(initial=0.0)) or 1.0
        self.sees_means = rows.sees_means
        self._theta = np.zeros(rows.n_thresholds)  # where the next search begins; its end does not depend on it

    @property
    def total_weight(self):
        """The cost of all rows."""
        return float(self.row_cost.sum())

    def sample(self, size, rng):
        """Return the loss of all rows among the examples of ``size`` random rows, and these examples."""
        rows = rng.choice(len(self.rows), min(size, len(self.rows)), replace=False)
        chosen = np.union1d(self.rows.plus[rows], self.rows.minus[rows])
        chosen = chosen[chosen >= 0]
        return RowLoss(self.rows.among(chosen)), chosen

    def reward(self, slopes):
        """Return the sum of the slopes times their margins, or 0 if margins below 0 make it negative: then no multiple
        of the slopes proves more than 0."""
        return max(slopes.reward, 0.0)

    def slopes(self, s, h):
        """Return the RowSlopes at scores s, smoothed over the width h, which is > 0 for a loss with a kink."""
        rows, ramp = self.rows, self._ramp(h)
        kink, pool = self._kinks(s), np.arange(rows.n_thresholds)
        _balance(kink, self.sign, self.row_cost, self.starts, ramp, rows.ordered, self._theta, pool)
        slope, beta, inside = np.empty(len(rows)), np.zeros(self.n + 1), np.empty(len(rows), dtype=np.int32)
        columns = kink, self.sign, self.plus, self.minus, self.row_margin, self.row_cost
        loss, conjugate, reward, found = _slopes(columns, self.starts, ramp, self._theta, pool, slope, beta, inside)
        steepness = 1.0 / ramp[0] if ramp[0] > 1e-14 * (np.abs(s).max(initial=0.0) + self.margin) else 0.0
        inside = inside[:found].copy()  # most often few
        in_window = 2.0 * self.row_cost[inside].sum()
        return RowSlopes(beta[:-1], reward, loss, conjugate, steepness, in_window, slope, inside, pool)

    def narrowed(self, slopes, s, h):
        """Return the slopes at scores s with ``beta`` and ``steepness`` for the width h if the same rows stay in the
        window, and thresholds follow."""
        (width, shift, _, _), rows = self._ramp(h), slopes.inside
        sign, cost, theta = self.sign[rows], self.row_cost[rows], np.append(self._theta, 0.0)[self.threshold[rows]]
        change = cost * (sign * (theta - self._kinks(s, rows)) / width + shift) - slopes.slope[rows]
        of_pool, n_pools = np.append(slopes.pool, -1)[self.threshold[rows]] + 1, len(slopes.pool) + 1
        moved, total = np.bincount(of_pool, sign * change, n_pools), np.bincount(of_pool, cost, n_pools)
        mean = np.divide(moved, total, out=np.zeros(n_pools), where=total > 0.0)
        mean[0] = 0.0  # of rows without a threshold
        change = sign * change - cost * mean[of_pool]
        beta = np.bincount(self.plus[rows] + 1, change, self.n + 1)[1:]
        beta -= np.bincount(self.minus[rows] + 1, change, self.n + 1)[1:]
        return slopes._replace(beta=slopes.beta + beta, steepness=1.0 / width)

    def thresholds(self, s):
        """Return the best thresholds (n_thresholds,) of a loss without a kink at scores s."""
        theta = self._theta.copy()
        pool = np.arange(len(theta))
        _balance(self._kinks(s), self.sign, self.row_cost, self.starts, self._ramp(0.0), self.rows.ordered, theta, pool)
        return theta

    def _kinks(self, s, rows=slice(None)):
        columns = (column[rows] for column in (self.plus, self.minus, self.sign, self.row_margin))
        return _kinks(np.append(s, 0.0), *columns)

    def _ramp(self, h):
        """Return width, shift and top of a slope clip(v / width + shift, 0, top), and the steepness without h."""
        if not self.smoothed:
            return 1.0 / self.loss.steepness, 0.0, np.inf, self.loss.steepness
        length = self.loss.cap / self.loss.steepness
        return length + h, 0.5 * h / (length + h), 1.0, self.loss.steepness / self.loss.cap

    def curvature_times(self, slopes, u):
        """Return the second derivative of the smoothed loss times u, for (n,) or (n, c)."""
        u = u.reshape(self.n, -1)
        found = np.zeros((self.n + 1, u.shape[1]))
        padded = np.vstack([u, np.zeros(u.shape[1])])
        of_pool = np.append(slopes.pool, -1)[self.threshold[slopes.inside]] if len(slopes.pool) else slopes.inside
        _curvature(self.plus, self.minus, self.row_cost, slopes.inside, of_pool, len(slopes.pool), padded, found)
        return slopes.steepness * found[:-1]

    def add_curvature(self, slopes, factor, out):
        """Add the second derivative of the smoothed loss times ``factor`` to the lower triangle of ``out`` (n, n)."""
        cost = factor * slopes.steepness * self.row_cost
        _add(self.plus, self.minus, cost, slopes.inside, out)
        of_pool = np.append(slopes.pool, -1)[self.threshold[slopes.inside]]
        for pool in np.unique(of_pool[of_pool >= 0]):
            rows = slopes.inside[of_pool == pool]
            pull = np.bincount(self.plus[rows] + 1, cost[rows], self.n + 1)
            pull = (pull - np.bincount(self.minus[rows] + 1, cost[rows], self.n + 1))[1:].astype(out.dtype)
            out -= np.outer(pull, pull / cost[rows].sum())

    def hessian(self, slopes, products):
        """Return the second derivative of the smoothed loss by the weights of s = X w, (d, d); ``products`` are those
        with X.

        It is X^T D X minus one outer product per threshold, because the thresholds follow the scores.
        """
        of_pairs = (self.plus[slopes.inside] >= 0) & (self.minus[slopes.inside] >= 0)
        if np.count_nonzero(of_pairs) > self.n:  # then sums over pairs first
            columns = (products.times(np.eye(products.d)[:, few]) for few in tiles(products.d, 1 + ENTRIES // self.n))
            return np.hstack([products.transposed(self.curvature_times(slopes, each)) for each in columns])
        singles, pairs = slopes.inside[~of_pairs], slopes.inside[of_pairs]
        H = products.weighted(np.bincount(self.end(singles), self.row_cost[singles], self.n))
        for first in range(0, len(pairs), PAIRS):
            few = pairs[first : first + PAIRS]
            H += weighted_products(products.difference(self.plus[few], self.minus[few]), self.row_cost[few])
        of_pool = np.append(slopes.pool, -1)[self.threshold[slopes.inside]]
        for pool in np.unique(of_pool[of_pool >= 0]):
            rows = slopes.inside[of_pool == pool]
            pull = np.bincount(self.end(rows), np.where(self.plus[rows] < 0, -1.0, 1.0) * self.row_cost[rows], self.n)
            pull = products.transposed(pull)
            H -= np.outer(pull, pull) / self.row_cost[rows].sum()
        return slopes.steepness * H

    def end(self, rows):
        """Return the example of each row, for rows with one example."""
        return np.maximum(self.plus[rows], self.minus[rows])

    def stretched(self, slopes, s, factor):
        """Return the loss if the scores s and the thresholds are multiplied by factor > 0, and its derivative by the
        factor."""
        theta = np.append(self._theta, 0.0)[self.threshold]
        padded = np.append(s, 0.0)
        value = self.sign * (padded[self.plus] - padded[self.minus] - theta)
        short = self.row_margin - factor * value
        cost = self.row_cost * (short > 0.0)
        return float(cost @ short), -float(cost @ value)

    def dual_variables(self, slope, scale):
        """Return the dual variables (N,), which are the slopes (N,) times ``scale`` in the order of the rows, and their
        beta (n,)."""
        alpha = np.empty(len(self.rows))
        alpha[self.order] = scale * slope
        return alpha, self.rows.coefficients(alpha)


@njit
def _kinks(s, plus, minus, sign, margin):
    kinks = np.empty(plus.size)
    for t in range(plus.size):
        kinks[t] = s[plus[t]] - s[minus[t]] - sign[t] * margin[t]
    return kinks


@njit
def _balance(kink, sign, cost, starts, ramp, ordered, theta, pool):
    """Move each threshold, in place, to the value at which its slopes balance; starts[k + 1] is the first row of
    threshold k."""
    for k in range(theta.size):
        theta[k] = _root(kink, sign, cost, starts[k + 1], starts[k + 2], ramp, theta[k])
        if not ordered:
            continue
        first = k
        while first > 0 and theta[first - 1] > theta[k]:  # all thresholds that become equal to this one form a pool
            first -= 1
            while first > 0 and pool[first - 1] == pool[first]:
                first -= 1
            found = _root(kink, sign, cost, starts[first + 1], starts[k + 2], ramp, theta[k])
            for j in range(first, k + 1):
                pool[j], theta[j] = first, found


@njit
def _root(kink, sign, cost, first, last, ramp, start):
    """Return the theta at which the sum of sign cost clip(sign (theta - kink) / width + shift, 0, top) is 0."""
    width, shift, top, _ = ramp
    low, high, pulled, total = np.inf, -np.inf, 0.0, 0.0
    for t in range(first, last):
        low, high = min(low, kink[t]), max(high, kink[t])
        total += cost[t]
        if sign[t] < 0:
            pulled += cost[t]
    if first == last:
        return start
    low, high = low - shift * width, high + shift * width
    if pulled <= 0.0:
        return low
    if pulled >= total:
        return high
    theta = min(max(start, low), high)
    for _ in range(LONGEST_SEARCH):
        value, rise = 0.0, 0.0
        for t in range(first, last):
            part = sign[t] * (theta - kink[t]) / width + shift
            if part >= top:
                value += sign[t] * cost[t]
            elif part > 0.0:
                value += sign[t] * cost[t] * part
                rise += cost[t]
        if abs(value) <= ROUNDING * total:
            break
        if value < 0.0:
            low = theta
        else:
            high = theta
        ahead = theta - value * width / rise if rise > 0.0 else low
        theta = ahead if low < ahead < high else 0.5 * (low + high)
        if not low < theta < high:
            break
    return theta


@njit
def _slopes(columns, starts, ramp, theta, pool, slope, beta, inside):
    """Fill in the slopes, their sums and the rows inside the window; return the loss, the sum of its conjugates, the
    reward and the number of rows inside."""
    kink, sign, plus, minus, margin, cost = columns
    width, shift, top, steepness = ramp
    knee = top / steepness
    # without branches, because the processor cannot predict on which side of its margin a row is
    rise, flat = (steepness if knee > 0.0 else 0.0), (top if knee < np.inf else 0.0)
    loss, conjugate, reward, found = 0.0, 0.0, 0.0, 0
    k = -1
    while k < theta.size:
        end = k + 1
        while k >= 0 and end < theta.size and pool[end] == pool[k]:
            end += 1
        first, last = starts[k + 1], starts[end + 1] if k >= 0 else starts[1]
        threshold, up, down = theta[k] if k >= 0 else 0.0, 0.0, 0.0
        # 1. slopes: of the rows that pull the threshold up, and of those that pull it down
        for t in range(first, last):
            short = sign[t] * (threshold - kink[t])
            part = min(max(short / width + shift, 0.0), top)
            short = max(short, 0.0)
            on_ramp = min(short, knee)
            loss += cost[t] * (0.5 * rise * on_ramp * on_ramp + flat * (short - on_ramp))
            inside[found] = t
            found += (part > 0.0) & (part < top)
            slope[t] = cost[t] * part
            up += slope[t] * (sign[t] > 0)
            down += slope[t] * (sign[t] < 0)
        # 2. balance the threshold exactly, despite rounding
        even = k >= 0 and up > 0.0 and down > 0.0
        to_up, to_down = min(down / up, 1.0) if even else 1.0, min(up / down, 1.0) if even else 1.0
        if k >= 0 and not even:
            to_up = to_down = 0.0
        i, of_plus = -1, 0.0  # neighbours often have the same plus: their sum stays in a register
        for t in range(first, last):
            if plus[t] != i:
                beta[i] += of_plus
                i, of_plus = plus[t], 0.0
            slope[t] *= to_up if sign[t] > 0 else to_down
            reward += margin[t] * slope[t]
            if rise > 0.0:
                conjugate += 0.5 * slope[t] * slope[t] / (rise * max(cost[t], TINY))
            of_plus += sign[t] * slope[t]
            beta[minus[t]] -= sign[t] * slope[t]
        beta[i] += of_plus
        k = end
    return loss, conjugate, reward, found


@njit
def _add(plus, minus, cost, inside, out):
    """Add cost (e_plus - e_minus)^2 of the rows inside to the lower triangle of ``out``; e_-1 is 0."""
    for t in inside:
        i, j = plus[t], minus[t]
        if i >= 0:
            out[i, i] += cost[t]
        if j >= 0:
            out[j, j] += cost[t]
        if i >= 0 and j >= 0:
            out[max(i, j), min(i, j)] -= cost[t]


@njit
def _curvature(plus, minus, cost, inside, of_pool, n_pools, u, found):
    """Add to ``found`` (n + 1, c) the sum of cost (u_plus - u_minus - its mean over the pool) over the rows inside."""
    c = u.shape[1]
    means, weight = np.zeros((n_pools + 1, c)), np.zeros(n_pools + 1)
    for p in range(inside.size if n_pools else 0):
        t, b = inside[p], of_pool[p]
        if b >= 0:
            weight[b] += cost[t]
            for q in range(c):
                means[b, q] += cost[t] * (u[plus[t], q] - u[minus[t], q])
    for b in range(n_pools):
        if weight[b] > 0.0:
            for q in range(c):
                means[b, q] /= weight[b]
    for p in range(inside.size):
        t, b = inside[p], (of_pool[p] if n_pools else 0)
        for q in range(c):
            change = cost[t] * (u[plus[t], q] - u[minus[t], q] - means[b, q])
            found[plus[t], q] += change
            found[minus[t], q] -= change
