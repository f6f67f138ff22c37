"""Rows: the constraints in which the methods differ.

Row t requires

    sign_t * (s[plus_t] - s[minus_t] - theta[threshold_t]) >= margin_t

and costs ``C * cost_t`` for each unit that is missing; an index of -1 leaves its term out.  Pairs, ordinal
thresholds, regression tubes and comparisons are all rows of this form (see :mod:`rankmargin`).
"""

from dataclasses import dataclass, replace

import numpy as np

from rankmargin.problem.losses import HINGE, Loss

PART = 1 << 16  # rows of a list that are read at a time: half a megabyte


@dataclass(frozen=True)
class Rows:
    """N rows over n scores and some thresholds.

    Attributes
    ----------
    sign : (N,) int8, +1 or -1
    plus, minus, threshold : (N,) int32, -1 if the row has no such term
    margin, cost : (N,) float64; ``cost`` is relative to the method's C
    n_samples, n_thresholds : int
    ordered : bool, whether theta_0 <= theta_1 <= ... is required too
    slope : (n_thresholds,) float64 or None, cost of one unit of each threshold (sum of margins only)
    loss : Loss of what a row lacks of its margin
    """

    sign: np.ndarray
    plus: np.ndarray
    minus: np.ndarray
    threshold: np.ndarray
    margin: np.ndarray
    cost: np.ndarray
    n_samples: int
    n_thresholds: int
    ordered: bool = False
    slope: np.ndarray | None = None
    loss: Loss = HINGE

    @classmethod
    def build(
        cls,
        n_samples,
        n_thresholds=0,
        *,
        plus,
        minus=-1,
        threshold=-1,
        sign=1,
        margin=1.0,
        cost=1.0,
        ordered=False,
        slope=None,
    ):
        """Return Rows from these columns: absent terms are filled in, and every array gets its type."""
        size = len(plus)

        def column(values, dtype):
            return np.ascontiguousarray(np.broadcast_to(np.asarray(values, dtype=dtype), (size,)))

        return cls(
            sign=column(sign, np.int8),
            plus=column(plus, np.int32),
            minus=column(minus, np.int32),
            threshold=column(threshold, np.int32),
            margin=column(margin, np.float64),
            cost=column(cost, np.float64),
            n_samples=n_samples,
            n_thresholds=n_thresholds,
            ordered=ordered,
            slope=slope,
        )

    def __len__(self):
        return len(self.plus)

    def weighted(self, sample_weight, lower=None):
        """Return the rows with each cost multiplied by the weights of the row's examples: a weight of 2 is an example
        given twice.

        Parameters
        ----------
        sample_weight : (n_samples,) array > 0, or None for these rows
        lower : (n_samples,) array >= 0, the factor of the example that should be lower; its weight if it is None
            Rows with the factor 0 are left out.
        """
        if sample_weight is None:
            return self
        upper = np.append(np.asarray(sample_weight, dtype=np.float64), 1.0)
        below = upper if lower is None else np.append(lower, 1.0)
        return self.times(upper[self.plus] * below[self.minus])

    def times(self, factors):
        """Return the rows with their costs times factors (N,); rows with the factor 0 are left out."""
        if np.all(factors > 0):
            return replace(self, cost=self.cost * factors)
        used = factors > 0
        columns = {name: getattr(self, name)[used] for name in ("sign", "plus", "minus", "threshold", "margin")}
        return replace(self, cost=(self.cost * factors)[used], **columns)

    @property
    def sees_means(self):
        """Return whether the problem changes, apart from its thresholds, if a constant is added to all scores."""
        return bool(np.any((self.plus < 0) | (self.minus < 0) & (self.threshold < 0)))

    def among(self, examples):
        """Return the rows whose examples are all among the given ones, which get the numbers 0, 1, ...

        Parameters
        ----------
        examples : (m,) int array, ascending
        """
        place = np.full(self.n_samples + 1, -2)
        place[examples], place[-1] = np.arange(len(examples)), -1
        inside = np.flatnonzero((place[self.plus] > -2) & (place[self.minus] > -2))
        columns = {name: getattr(self, name)[inside] for name in ("sign", "threshold", "margin", "cost")}
        ends = {name: place[getattr(self, name)[inside]] for name in ("plus", "minus")}
        rows = Rows.build(len(examples), self.n_thresholds, **ends, **columns, ordered=self.ordered, slope=self.slope)
        return replace(rows, loss=self.loss)

    def differences(self, s, part=slice(None)):
        """Return s[plus] - s[minus] for each row, or for some, shape (N,)."""
        padded = np.append(s, 0.0)
        found = padded[self.plus[part]]
        found -= padded[self.minus[part]]  # in place: a list of pairs may be as large as X
        return found

    def values(self, s, theta, part=slice(None)):
        """Return the value that each row, or some of them, compares with its margin, shape (N,)."""
        found = self.differences(s, part)
        found -= np.append(theta, 0.0)[self.threshold[part]]
        found *= self.sign[part]
        return found

    def coefficients(self, alpha):
        """Return beta = sum_t alpha_t sign_t (e_plus - e_minus), shape (n_samples,)."""

        def pull(part):
            signed, size = self.sign[part] * alpha[part], self.n_samples + 1
            return np.bincount(self.plus[part] + 1, signed, size) - np.bincount(self.minus[part] + 1, signed, size)

        return sum(map(pull, self.parts()))[1:]

    def parts(self):
        """Return slices of at most as many rows as there are examples, or `PART`: lists may be as large as X."""
        size = max(self.n_samples, PART)
        return [slice(start, start + size) for start in range(0, max(len(self), 1), size)]

    def penalty(self, C, alpha):
        """Return what the conjugate of the loss takes from the dual: C times the sum of cost conjugate(alpha / (C
        cost)), 0 for a loss with a kink."""
        if self.loss.kinked:
            return 0.0
        bounds = np.where(self.cost > 0.0, C * self.cost, np.inf)
        return float(alpha @ (alpha / bounds)) / (2.0 * self.loss.steepness)

    def balance(self, alpha):
        """Return the sum of sign_t alpha_t over the rows of each threshold, shape (n_thresholds,)."""
        return np.bincount(self.threshold + 1, self.sign * alpha, self.n_thresholds + 1)[1:]

    def order_multipliers(self, alpha):
        """Return the multiplier eta_k of each theta_k <= theta_{k+1} that balances the thresholds up to k, shape
        (n_thresholds - 1,).

        Stationarity in theta_k requires slope_k + balance_k + eta_k - eta_{k-1} = 0, so eta_k is minus the sum of slope
        and balance up to k.
        """
        return -np.cumsum(self._pull(alpha))[:-1]

    def _pull(self, alpha):
        return self.balance(alpha) if self.slope is None else self.balance(alpha) + self.slope

    def imbalance(self, alpha):
        """Return the largest violation of stationarity in the thresholds; 0 if alpha is dual feasible."""
        if not self.ordered:
            return float(np.abs(self._pull(alpha)).max(initial=0.0))
        negative = float(np.max(-self.order_multipliers(alpha), initial=0.0))
        return max(negative, float(np.abs(self._pull(alpha).sum())))
