"""Weights of pairs, in addition to the weights of their rows: gains, and orders whose top matters most."""

from collections.abc import Callable
from typing import Any

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.problem.rows.pairs import (
    NoPairError,
    floats,
    group_codes,
    groups_and_cells,
)
from rankmargin.problem.rows.places import discount_sums, repetitions
from rankmargin.problem.rows.rows import Rows


class PairWeights:
    """The weight of each pair of rows.

    Parameters
    ----------
    weight_of : callable (i, j) -> (p,) array
        The weights of pairs; ``i`` and ``j`` are (p,) arrays of row numbers, and row i[k] is ahead of row j[k].
    rows : (m,) array of integers
        The numbers that ``weight_of`` uses for the rows 0, 1, ... of this problem.
    """

    def __init__(self, weight_of: Callable[[Array, Array], ArrayLike], rows: Array) -> None:
        self.weight_of, self.rows = weight_of, rows

    def __call__(self, i: Array, j: Array) -> Array:
        """Return the weights of the pairs of rows i ahead of rows j, shape (p,)."""
        weight = np.asarray(self.weight_of(self.rows[i], self.rows[j]), dtype=np.float64)
        if weight.shape != i.shape:
            raise ValueError(f"pair_weight must give one number for each of {len(i)} pairs, got shape {weight.shape}")
        if not np.isfinite(weight).all() or not np.all(weight >= 0):
            strange = weight[~(np.isfinite(weight) & (weight >= 0))][0]
            raise ValueError(f"pair_weight must be a finite number >= 0 for each pair, got {strange:g}")
        return weight

    def take(self, rows: Array) -> "PairWeights":
        """Return the weights of the pairs of these rows."""
        return PairWeights(self.weight_of, self.rows[rows])

    def weigh(self, rows: Rows) -> Rows:
        """Return pair rows with each cost multiplied by the weight of its pair; pairs of weight 0 are left out."""
        weight = self(rows.plus, rows.minus)
        if not np.any(weight > 0):
            raise NoPairError("pair_weight must be > 0 for some pair, got zeros only")
        return rows.times(weight)


def pair_weights(
    given: Any, y: Array, groups: ArrayLike | None = None, sample_weight: Array | None = None
) -> PairWeights | None:
    """Return the argument ``pair_weight`` of an estimator as PairWeights.

    Parameters
    ----------
    given : callable, "ndcg", (n, n) array, PairWeights or None
        A callable gets two (p,) arrays: the targets of the rows that are ahead, and of the rows behind. In an array,
        [i, j] is the weight of the pair in which row i is ahead of row j. With ``ndcg`` the weight is the loss of NDCG
        if the two rows exchange their places in the right order.
    y : (n,) array
    groups : (n,) array or None
    sample_weight : (n,) array >= 0 or None
        With ``ndcg``, a row of weight 2 takes two places; rows of weight 0 take none, and have no weights.

    Returns
    -------
    PairWeights or None

    Raises
    ------
    ValueError
        If ``given`` is something else, or y has negative gains with ``ndcg``.
    """
    if given is None or isinstance(given, PairWeights):
        return given
    y = np.asarray(y)
    if isinstance(given, str):
        if given != "ndcg":
            raise ValueError(f"pair_weight must be ndcg, a callable or an (n, n) array, got {given!r}")
        weigh = _lost_ndcg(y, group_codes(groups, len(y)), np.ones(len(y)) if sample_weight is None else sample_weight)
    elif callable(given):

        def weigh(i, j):
            return given(y[i], y[j])
    else:
        table = floats("pair_weight", given)
        if table.shape != (len(y), len(y)):
            raise ValueError(f"pair_weight must have shape {(len(y), len(y))}, one row per row of X, got {table.shape}")

        def weigh(i, j):
            return table[i, j]

    return PairWeights(weigh, np.arange(len(y)))


def _lost_ndcg(y, groups, weight):
    """Return a function of the rows i and j: the loss of NDCG if they exchange their places in the right order.

    This is (y_i - y_j) (discount_i - discount_j) / DCG of the right order. Rows with the same target share their
    discounts.
    """
    kept, gains = np.flatnonzero(weight > 0), y.astype(np.float64)
    if not np.all(gains[kept] >= 0):
        raise ValueError(f'y must hold gains >= 0 with pair_weight="ndcg", got {gains[kept].min():g}')
    weight = repetitions(weight[kept])
    groups, cells = groups_and_cells(-gains[kept], groups[kept])  # cells from the top of each group downwards
    sizes = np.bincount(cells, weight)
    ends = np.cumsum(sizes)
    of_cell = np.empty(len(sizes), dtype=np.int64)
    of_cell[cells] = groups
    before = np.append(0.0, np.cumsum(np.bincount(groups, weight)))[of_cell]  # places of the groups before
    discount, best = np.full(len(y), np.nan), np.full(len(y), np.nan)
    discount[kept] = (discount_sums(ends - sizes - before, ends - before) / sizes)[cells]
    best[kept] = np.bincount(groups, weight * gains[kept] * discount[kept])[groups]

    def weigh(i, j):
        return (gains[i] - gains[j]) * (discount[i] - discount[j]) / best[i]

    return weigh
