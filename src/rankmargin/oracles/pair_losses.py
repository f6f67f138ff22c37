"""Losses over all pairs at scores s: values, slopes and curvature, from sums over the pairs, which are not listed.

A pair (i, j) with y_i > y_j lacks v = margin - (s_i - s_j) of its margin and has the weight weight_i lower_j. The
slope of its loss (:mod:`rankmargin.losses`) rises from 0 to its cap along a ramp, which is made longer by h / 2 at both
ends. So a slope is ``steepness (far - (s_i - s_j))`` inside a window near <= s_i - s_j < far, and ``cap`` before the
window. A slope without a cap has no such end, and is not smoothed.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from rankmargin.compiled import njit
from rankmargin.oracles.all_pairs import AllPairs, Sorted
from rankmargin.problem.losses import loss_named
from rankmargin.problem.rows.pairs import count_pairs

MOST_WHOLE = 2.0**20  # largest sum of weights whose products with scores are summed exactly


class SlopesAt(NamedTuple):
    """Dual variables of all pairs without a list: sums of slopes of the loss at some points.

        alpha_ij = weight_i lower_j  sum_k  weights_k slope_h(margin - (s_i - s_j)),   s the scores of point k

    A slope lies between 0 and the cap of the loss at every point, so weights >= 0 whose sum is at most C cost are dual
    feasible, and anybody can check this by computing the slopes again. A loss without a kink has one point.

    Attributes
    ----------
    points : (k, d) weights w of linear functions, or (k, n) scores
    width : float, h; if it is 0 the slope is that of the hinge, which is 1 for a pair that lacks some of its margin
    weights : (k,) float
    """

    points: np.ndarray
    width: float
    weights: np.ndarray


class DualSums(NamedTuple):
    """Sums of the dual variables alpha_ij of all pairs.

    Attributes
    ----------
    beta : (n,) sum of alpha_ij over the pairs in which row i should be higher, minus that over those in which it should
        be lower
    total : float, sum of all alpha_ij
    penalty : float, sum of alpha_ij^2 / (2 steepness weight_i lower_j); divided by C cost it is subtracted in the
        dual; 0 for a loss with a kink
    """

    beta: np.ndarray
    total: float
    penalty: float


class Slopes(NamedTuple):
    """Sums of the slopes of all pairs at some scores.

    Attributes
    ----------
    beta : (n,) sum of the slopes of the pairs in which row i should be higher, minus those in which it should be lower
    total : float, sum of all slopes, each times the weight of its pair
    loss : float, sum of the losses, not smoothed
    conjugate : float, sum of the conjugates of the loss, not smoothed, at the slopes
    noise : float, a bound on the rounding error of ``total``; 0 if the weights are whole numbers
    steepness : float, derivative of a slope inside the window
    in_order : Sorted, and cuts (b, 2, n) int32, the ends of the window
    in_window : (n,) weight of the partners in the window of each row, in the order of ``in_order``
    """

    beta: np.ndarray
    total: float
    loss: float
    conjugate: float
    noise: float
    steepness: float
    in_order: Sorted
    cuts: np.ndarray
    in_window: np.ndarray


class PairLoss:
    """The loss of all pairs y_i > y_j of a group.

    Parameters
    ----------
    y : (n,) array
    groups : (n,) array or None
    margin : float > 0
    cost : float, factor of the loss in addition to C
    loss : Loss, or its name
    weight : (n,) array of numbers >= 0 or None
        Weights of the rows; the weight of a pair is their product. A row of weight 2 counts twice, one of weight 0 not
        at all.
    lower : (n,) array of numbers >= 0 or None
        What a row brings to the weight of a pair as its lower row, if that is not its weight: 0 for a censored time.
    """

    listed = sees_means = False  # a constant added to all scores changes nothing

    def __init__(self, y, groups=None, margin=1.0, cost=1.0, loss="hinge", weight=None, lower=None):
        self.y, self.groups, self.n = y, groups, len(y)
        self.pairs = AllPairs(y, groups)
        self.margin, self.cost, self.loss = margin, cost, loss_named(loss)
        # copies: a fitted model judges itself by them, whatever the caller does with his arrays
        self.weight = np.ones(self.n) if weight is None else np.array(weight, dtype=np.float64)
        self.lower = self.weight if lower is None else np.array(lower, dtype=np.float64)
        if weight is not None and max(self.weight.sum(), self.lower.sum()) > max(MOST_WHOLE, self.n):
            # the grid of :meth:`slopes` would be coarse beside the margin: the largest weight becomes about 1
            unit = 2.0 ** np.frexp(max(self.weight.max(), self.lower.max()))[1]
            symmetric, self.cost = self.lower is self.weight, self.cost * unit**2
            self.weight = self.weight / unit
            self.lower = self.weight if symmetric else self.lower / unit
        self.whole = all(np.all(weight == np.round(weight)) for weight in (self.weight, self.lower))
        self.even = all(np.all(weight == 1.0) for weight in (self.weight, self.lower))  # then nothing is multiplied

    @cached_property
    def total_weight(self):
        """The sum of the weights of all pairs."""
        return count_pairs(self.y, self.groups, self.weight, self.lower)

    def reward(self, slopes):
        """Return the sum of the slopes times the margin, rounded down by the possible error."""
        return self.margin * max(slopes.total - slopes.noise, 0.0)

    def take(self, rows):
        """Return the loss of the pairs of these rows."""
        groups = None if self.groups is None else self.groups[rows]
        weights = self.weight[rows], self.lower[rows]
        return PairLoss(self.y[rows], groups, self.margin, self.cost, self.loss, *weights)

    def sample(self, size, rng):
        """Return the loss of ``size`` random rows, or of about as many rows in random whole groups that have a pair,
        and these rows."""
        if self.groups is None:
            rows = np.sort(rng.choice(self.n, size, replace=False))
        else:
            group, sizes = self.pairs.group, np.diff(self.pairs.starts)
            with_pair = np.flatnonzero(np.bincount(group, self.pairs.rank) > 0)  # ranks of a group start at 0
            wanted = len(with_pair) * size // max(int(sizes[with_pair].sum()), 1)
            chosen = with_pair[rng.choice(len(with_pair), min(max(wanted, 1), len(with_pair)), replace=False)]
            rows = np.flatnonzero(np.isin(group, chosen))
        return self.take(rows), rows

    def value(self, s):
        """Return the loss at scores s, not smoothed."""
        return self.slopes(s, 0.0).loss

    def slopes(self, s, h):
        """Return the Slopes at scores s, rounded to a grid on which sums over all rows are exact.

        The slopes of a narrow window are differences of large sums, divided by h. Without the grid they would be noise,
        and a noisy slope is no dual variable. Slopes at any scores are dual feasible, so rounding the scores is exact.

        Parameters
        ----------
        s : (n,) array
        h : float, by which the ramp of a loss with a cap is longer; if all of the ramp is below the grid, a subgradient
            of the loss with a kink is returned
        """
        in_order = self.pairs.sort(s)
        weight, below = self._ordered(in_order)
        grid, cap = self._grid(in_order.s), self.loss.cap
        ends = (0.5 * h, -0.5 * h - cap / self.loss.steepness) if self.loss.capped else (0.0,)
        ends = [round((self.margin + end) / grid) * grid for end in ends]
        if self.loss.capped and ends[0] <= ends[1]:
            return self._counted(in_order)
        in_order = Sorted(in_order.order, np.round(in_order.s / grid) * grid, in_order.rank)
        kinks = [self.margin] if self.loss.kinked else []
        cuts = np.stack([self.pairs.cuts(in_order, end) for end in ends + kinks])
        found = self._sums(in_order, cuts, np.column_stack([np.ones(self.n), in_order.s]))
        # 1. the slopes of each row, with its partners of lower and of higher rank
        within = found[:, 0]
        if self.loss.capped:
            within -= found[:, 1]
        far, steepness = ends[0], cap / (ends[0] - ends[1]) if self.loss.capped else self.loss.steepness
        up = np.maximum(steepness * ((far - in_order.s) * within[0, :, 0] + within[0, :, 1]), 0.0)
        down = np.maximum(steepness * ((far + in_order.s) * within[1, :, 0] - within[1, :, 1]), 0.0)
        on_ramp = max(0.5 * (far * float(weight @ up) - float((weight * up - below * down) @ in_order.s)), 0.0)
        if self.loss.capped:
            up += cap * found[0, 1, :, 0]
            down += cap * found[1, 1, :, 0]
        total, pull = float(weight @ up), weight * up - below * down
        # 2. sum v = far count - sum count s; sum v^2 is that with the slopes on the ramp as counts
        in_window = weight * within[0, :, 0] + below * within[1, :, 0]
        conjugate = on_ramp * steepness / self.loss.steepness
        if self.loss.capped:
            conjugate += 0.5 * cap**2 / self.loss.steepness * float(weight @ found[0, 1, :, 0])
        if self.loss.kinked:
            short_up, short_down = weight * found[0, 2, :, 0], below * found[1, 2, :, 0]
        del found, within  # they are as large as X with 17 columns
        if self.loss.kinked:
            loss = cap * max(
                self.margin * float(short_up.sum()) - float(s[in_order.order] @ (short_up - short_down)), 0.0
            )
        elif self.loss.capped and h > 0.0:
            loss = self.value(s)
        else:
            loss = max(far * total - float(pull @ in_order.s) - conjugate, 0.0)
        noise = (
            0.0 if self.whole else self.n * np.finfo(float).eps * np.abs(in_order.s).max() * steepness * in_window.sum()
        )
        found = total, loss, conjugate, noise, steepness
        return Slopes(self._by_row(in_order, pull), *found, in_order, cuts[:2], in_window)

    def narrowed(self, slopes, s, h):
        """Return the slopes at scores s with ``beta`` and ``steepness`` for the width h if the same pairs stay in the
        window: the ramp of that width goes on as a line beyond its ends."""
        in_order, length = slopes.in_order, self.loss.cap / self.loss.steepness
        found = self._sums(in_order, slopes.cuts, np.ones((self.n, 1)))[..., 0]
        lower, higher = found[:, 0] - found[:, 1]
        pairs = self._by_row(in_order, self.weight[in_order.order] * lower - self.lower[in_order.order] * higher)
        # slopes in the window minus half of the cap; these grow as the ramp becomes steeper
        inner = slopes.steepness * (self.margin - 0.5 * length) * pairs - self.curvature_times(slopes, s)[:, 0]
        steepness = self.loss.cap / (length + h)
        return slopes._replace(beta=slopes.beta + (steepness / slopes.steepness - 1.0) * inner, steepness=steepness)

    def dual_sums(self, alpha, scores):
        """Return the DualSums of dual variables.

        Parameters
        ----------
        alpha : SlopesAt
        scores : iterable of (n,) arrays, the scores of its points
        """
        found = [self.slopes(s, alpha.width) for s in scores]
        beta, total, penalty = np.zeros(self.n), 0.0, 0.0
        for weight, slopes in zip(alpha.weights, found, strict=True):
            beta += weight * slopes.beta
            total += weight * max(slopes.total - slopes.noise, 0.0)
            penalty += weight**2 * slopes.conjugate
        return DualSums(beta, float(total), float(penalty))

    def stretched(self, slopes, s, factor):
        """Return a loss with a kink at the scores s times factor > 0, and its derivative by the factor; the order of
        the scores is known."""
        cap = self.loss.cap
        in_order = Sorted(slopes.in_order.order, s[slopes.in_order.order], slopes.in_order.rank)
        up, down = self._within(in_order, self.margin / factor)
        derivative = -float(in_order.s @ (up - down))
        return cap * max(self.margin * float(up.sum()) + factor * derivative, 0.0), cap * derivative

    def _sums(self, in_order, cuts, values):
        """Return the sums of values (n, c) times what the partners bring to the weight, as :meth:`AllPairs.sums`."""
        values = values.astype(np.float64, copy=False)  # a solver may hold them in single precision
        found = self.pairs.sums(in_order, cuts, values if self.even else self.lower[in_order.order, None] * values)
        if self.lower is not self.weight:
            found[1] = self.pairs.sums(in_order, cuts, self.weight[in_order.order, None] * values)[1]
        return found

    def _ordered(self, in_order):
        """Return what rows bring to the weight of a pair as the higher and as the lower one, in order of the scores."""
        return (self.weight, self.lower) if self.even else (self.weight[in_order.order], self.lower[in_order.order])

    def _within(self, in_order, far):
        """Return the weight of the pairs within reach in which each row is higher, and lower: (n,) and (n,)."""
        lower, higher = self._sums(in_order, self.pairs.cuts(in_order, far)[None], np.ones((self.n, 1)))[:, 0, :, 0]
        return self.weight[in_order.order] * lower, self.lower[in_order.order] * higher

    def _counted(self, in_order):
        """Return the slopes of a ramp without length: the cap for a pair that lacks some of its margin.

        A ramp that is shorter than the grid is such a one too. Its loss is not below the right one.
        """
        cap, cuts = self.loss.cap, self.pairs.cuts(in_order, self.margin)[None]
        up, down = self._within(in_order, self.margin)
        loss = cap * max(self.margin * float(up.sum()) - float(in_order.s @ (up - down)), 0.0)
        beta, total = self._by_row(in_order, cap * (up - down)), cap * float(up.sum())
        conjugate = 0.5 * cap / self.loss.steepness * total
        return Slopes(beta, total, loss, conjugate, 0.0, 0.0, in_order, cuts, np.zeros(self.n))

    def _by_row(self, in_order, values):
        found = np.empty(self.n)
        found[in_order.order] = values
        return found

    def _grid(self, s):
        """Return a power of two such that the sum of all scores, in units of it, is below 2^52."""
        largest = max(np.abs(s).max(), self.margin) * max(float(self.weight.sum()), float(self.lower.sum()), 1.0)
        return float(2.0 ** int(np.frexp(largest)[1] - 51))

    def add_curvature(self, slopes, factor, out):
        """Add the second derivative of the loss times ``factor`` to the lower triangle of ``out`` (n, n)."""
        in_order, sizes = slopes.in_order, np.diff(self.pairs.starts)
        starts = np.repeat(self.pairs.starts[:-1], sizes)
        ends = starts + (slopes.cuts[1, 0] if len(slopes.cuts) > 1 else np.repeat(sizes, sizes))
        weights = factor * slopes.steepness * self.weight[in_order.order], self.lower[in_order.order]
        _add(in_order.order, in_order.rank, weights, starts + slopes.cuts[0, 0], ends, out)

    def curvature_times(self, slopes, u):
        """Return the second derivative of the loss times u: sum over the window of u_i - u_j, for (n,) or (n, c)."""
        in_order, u = slopes.in_order, u.reshape(self.n, -1)[slopes.in_order.order]
        found, product = self._sums(in_order, slopes.cuts, u), np.empty_like(u)
        if not self.even:
            found *= np.stack(self._ordered(in_order))[:, None, :, None]
        found = found[0] + found[1]
        partners = found[0] - found[1] if len(found) > 1 else found[0]
        product[in_order.order] = slopes.steepness * (slopes.in_window[:, None] * u - partners)
        return product

    def hessian(self, slopes, X):
        """Return the second derivative of the loss by the weights of s = X w, (d, d), for a dense X."""
        in_order, sizes = slopes.in_order, np.diff(self.pairs.starts)
        end = slopes.cuts[1, 0] if len(slopes.cuts) > 1 else np.repeat(sizes, sizes).astype(np.int32)
        window, weights = np.stack([slopes.cuts[0, 0], end]), np.stack([self.weight, self.lower])[:, in_order.order]
        half = self.pairs.laplacian(in_order, window, weights, slopes.in_window, np.ascontiguousarray(X))
        half = slopes.steepness * (X.T @ half)
        return half + half.T


@njit
def _add(order, rank, weights, first, last, out):
    """Add the pairs in the window: each row with its partners of lower rank at the places first .. last."""
    weight, lower = weights
    for p in range(order.size):
        i, total = order[p], 0.0
        for q in range(first[p], last[p]):
            if rank[q] < rank[p]:
                j, value = order[q], weight[p] * lower[q]
                out[max(i, j), min(i, j)] -= value
                out[j, j] += value
                total += value
        out[i, i] += total
