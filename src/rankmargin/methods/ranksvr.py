"""RankSVR: regression on few targets and many orderings (Yu et al. 2010, Definitions 3 and 4).

    min 1/2 ||f||^2 + C sum_i (xi_i + xi*_i) + C_rank sum_{(i,j)} zeta_ij
    y_i - (f(x_i) + b) <= epsilon + xi_i,   (f(x_i) + b) - y_i <= epsilon + xi*_i,   f(z_i) - f(z_j) >= margin - zeta_ij

The solution is an expansion over the stacked rows [X; Z]: a part from the targets, as in SVR, and a part from the
orderings, as in a ranking SVM (Appendix A).  Without orderings the problem is epsilon-SVR.

The loss of a target is a :class:`rankmargin.losses.Loss` of two rows, above the tube and below it, one of which is 0:
with the hinge it is the epsilon-insensitive loss, with the squared hinge the squared one.
"""

import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from rankmargin.annotations import Array, PairLossName
from rankmargin.losses import loss_named
from rankmargin.model import KernelModel, of_length
from rankmargin.parameters import Certified, kernel_of
from rankmargin.path import Posed
from rankmargin.rows.orderings import CycleWarning, check_orderings, count_cyclic, tube_and_orderings
from rankmargin.spaces import check_kernel_matrix

LARGEST_LOSS, LEAST_SPREAD = 1e300, 1e-130  # squares of smaller targets are too close to the smallest float64


@dataclass(frozen=True)
class RankSVRModel(KernelModel):
    """f(x) + b with f = f_SVR + f_rank; ``X`` holds the stacked rows [X; Z] that occur in the problem.

    Attributes
    ----------
    kept : (n + q,) int array, which of the stacked rows these are: all of X, and the q rows of Z in some pair
    n_stacked : int, number of the stacked rows, n + m
    centre : float, which was subtracted from y before the rows were built: a large offset would cost digits
    n_cyclic_pairs : int, number of orderings that lie on a cycle
    """

    kept: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    n_stacked: int = 0
    centre: float = 0.0
    n_cyclic_pairs: int = 0

    @property
    def bias(self) -> float:
        """Return b, in units of y."""
        return self.centre - float(self.solution.theta[0])

    @cached_property
    def parts(self) -> tuple[Array, Array]:
        """Return the coefficients over the kept rows of the SVR part and of the ranking part, two arrays (n + q,).

        The function of a fit that was stopped early may not be that of its dual variables: the difference belongs to
        the ranking part, if there is one.
        """
        alpha, rows, beta = self.solution.alpha, self.problem.rows, self.solution.beta
        on_tube = rows.threshold >= 0
        svr, rank = rows.coefficients(alpha * on_tube), rows.coefficients(alpha * ~on_tube)
        if np.allclose(svr + rank, beta, rtol=1e-9, atol=1e-12 * np.abs(beta).max(initial=0.0)):
            return svr, rank
        return (beta, rank * 0.0) if on_tube.all() else (svr, beta - svr)

    def over_all_rows(self, coefficients: Array) -> Array:
        """Return coefficients over the kept rows as coefficients over [X; Z], shape (n + m,): 0 for the others."""
        spread = np.zeros(self.n_stacked)
        spread[self.kept] = coefficients
        return spread

    def part_scores(self, X: Any) -> tuple[Array, Array]:
        """Return the SVR part and the ranking part of f(X), two arrays of shape (q,); f(X) is their sum."""
        if self.part_weights is not None:
            first, second = (np.asarray(X @ w).ravel() for w in self.part_weights)
        else:
            first, second = self.kernel.expansion(self._of_kept(X), self.X, np.column_stack(self.parts)).T
        return first, second

    @cached_property
    def part_weights(self) -> tuple[Array, Array] | None:
        """Return the weights of the SVR part and of the ranking part, two arrays (d,); None if there are no weights.

        If rounding keeps the dual variables from giving w, the difference belongs to the ranking part, if there is one.
        """
        if self.w is None:
            return None
        svr = self.w if not np.any(self.parts[1]) else self.problem.space.weights(self.parts[0])
        return svr, self.w - svr

    def _instead_of_rows(self):
        return super()._instead_of_rows() | {"parts": self.parts, "part_weights": self.part_weights}

    def training_rows(self, X: Any) -> Any:
        """Return those of the stacked rows [X; Z] that occur in the problem."""
        return of_length(X, self.n_stacked)[self.kept]

    def __getstate__(self):
        """Return what predictions and their two parts need."""
        used = self._used()
        parts = tuple(part[used] for part in self.parts)
        return {**super().__getstate__(), "parts": parts, "part_weights": self.part_weights}

    def _used(self):
        used = super()._used()
        return used if isinstance(used, slice) else np.flatnonzero((self.parts[0] != 0) | (self.parts[1] != 0))

    def scores(self, X: Any) -> Array:
        """Return the predictions f(X) + b, shape (q,), in units of y."""
        return super().scores(self._of_kept(X)) + self.bias

    def _of_kept(self, X):
        """Return X, or the columns of the kept rows if X holds kernel values with all of [X; Z]."""
        return X[:, self.kept] if self.kernel.name == "precomputed" else X


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(Certified):
    """``C`` weighs one unit outside the tube, of which ``epsilon`` is half the width, and ``C_rank`` one unit that an
    ordering lacks of its ``margin``; both are in units of y. With ``C_rank`` = 0 the orderings are left out."""

    loss: PairLossName = "hinge"
    C_rank: float = 1.0
    epsilon: float = 0.1
    margin: float = 1.0


def problem(own, X, y, *, Z=None, pairs=None, sample_weight=None, pair_weight=None):
    """Pose the problem.

    Parameters
    ----------
    own : Parameters
    X : (n, d) array or CSR matrix; (n, n + m) kernel values with [X; Z] for ``kernel="precomputed"``
    y : (n,) array of targets
    Z : (m, d) array or CSR matrix, (m, n + m) kernel values, or None: the pairs order the rows of X
    pairs : (p, 2) int array or None
        Row i of Z is above row j. A pair given twice costs twice; cycles are allowed and cause a warning.
    sample_weight : (n,) array > 0 or None, of the targets: a weight of 2 is a row of X and its target given twice
    pair_weight : (p,) array > 0 or None, of the pairs: a weight of 2 is a pair given twice

    Returns
    -------
    Posed, whose models are RankSVRModel: their ``scores`` are predictions of y

    Raises
    ------
    ValueError
        When a pair or the targets are not what is accepted.
    """
    y = np.asarray(y, dtype=np.float64)
    _check_loss(y, 1.0)
    items = X if Z is None else stack(X, Z)
    of_items = sample_weight
    if sample_weight is not None and Z is not None:
        of_items = np.append(sample_weight, np.ones(Z.shape[0]))
    kernel = kernel_of(own, items, of_items)
    pairs, n_cyclic = _orderings(X, Z, pairs)
    if own.C_rank == 0:
        pairs, pair_weight = pairs[:0], None
    _check_spread(y, max(own.epsilon, own.margin if len(pairs) else 0.0))
    points, kept = _named_rows(items, len(y), pairs, kernel)
    rows_of_pairs = np.searchsorted(kept, pairs)
    of_targets, of_pairs = _ones_or(sample_weight, len(y)), _ones_or(pair_weight, len(pairs))
    weight, centre = np.concatenate([of_targets, of_targets, of_pairs]), float(np.mean(y))

    def rows(C):
        _check_loss(y, C)
        cost = own.C_rank / C if own.C_rank > 0 else 1.0
        made = tube_and_orderings(y - centre, own.epsilon, rows_of_pairs, len(kept), own.margin, cost)
        return replace(made, cost=made.cost * weight, loss=loss_named(own.loss))

    parts = {"kept": kept, "n_stacked": items.shape[0], "centre": centre, "n_cyclic_pairs": n_cyclic}
    return Posed(points, rows, kernel, model=partial(RankSVRModel, **parts))


def _ones_or(weight, size):
    return np.ones(size) if weight is None else np.asarray(weight, dtype=np.float64)


def _check_loss(y, C):
    """Refuse targets whose loss at f = 0 overflows."""
    largest = float(np.abs(y).max())
    if largest > LARGEST_LOSS / (len(y) * max(C, 1.0)):
        raise ValueError(
            f"y must have a loss below {LARGEST_LOSS:g} with C={C:g}, got targets up to {largest:.3g}: scale y"
        )


def _check_spread(y, unit):
    """Refuse targets whose differences are tiny if neither the tube nor the margin is larger."""
    spread = float(np.ptp(y))
    if spread > 0 and max(spread, unit) < LEAST_SPREAD:
        came = f"got differences up to {spread:.3g}"
        raise ValueError(f"y must differ by {LEAST_SPREAD:g} or not at all, {came}: scale y")


def _orderings(X, Z, pairs):
    """Return the checked pairs as rows of [X; Z], and how many of them lie on a cycle."""
    if pairs is None:
        if Z is not None:
            raise ValueError("pairs must be given with Z, got Z alone: its rows have no targets")
        return np.empty((0, 2), dtype=np.int32), 0
    ordered, offset = (X, 0) if Z is None else (Z, X.shape[0])
    pairs = check_orderings(pairs, ordered.shape[0], "X" if Z is None else "Z")
    n_cyclic = count_cyclic(pairs, ordered.shape[0])
    if n_cyclic:
        warnings.warn(
            f"{n_cyclic} of {len(pairs)} pairs lie on a cycle (i above j above ... above i): no function agrees with"
            " all of them",
            CycleWarning,
            stacklevel=3,
        )
    return pairs + np.int32(offset), n_cyclic


def _named_rows(points, n, pairs, kernel):
    """Return the rows of [X; Z] that have a target or are in a pair, and their positions.

    If there are few pairs of many rows of Z, the kernel matrix of all rows is not needed.
    """
    kept = np.union1d(np.arange(n), pairs.ravel())
    if len(kept) == points.shape[0]:
        return points, kept
    if kernel.name == "precomputed":
        check_kernel_matrix(points)
        return points[np.ix_(kept, kept)], kept
    return points[kept], kept


def stack(X, Z):
    """Return the rows of X, then those of Z: an array, or a CSR matrix if one of them is sparse."""
    if X.shape[1] != Z.shape[1]:
        raise ValueError(f"Z must have as many columns as X, got {Z.shape[1]} and {X.shape[1]}")
    if hasattr(X, "tocsr") or hasattr(Z, "tocsr"):
        from scipy.sparse import vstack

        return vstack([X, Z], format="csr")
    return np.vstack([X, Z])
