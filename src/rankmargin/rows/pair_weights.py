"""Weights of pairs beside those of their rows: gains, and orders whose top matters most."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array
from rankmargin.rows import Rows
from rankmargin.rows.groups import groups_and_cells

NAMED = ("ndcg",)


class PairWeights:
    """The weight of each pair of rows, whatever it was told by.

    Parameters
    ----------
    weigh : callable (i, j) -> (p,) array
        Of rows i, each ahead of the row j beside it.
    rows : (m,) array of integers
        What ``weigh`` calls the rows 0, 1, ... of this problem.
    """

    def __init__(self, weigh: Callable[[Array, Array], ArrayLike], rows: Array) -> None:
        self.weigh, self.rows = weigh, rows

    def __call__(self, i: Array, j: Array) -> Array:
        """Return the weights of the pairs of rows i ahead of rows j, shape (p,)."""
        weight = np.asarray(self.weigh(self.rows[i], self.rows[j]), dtype=np.float64)
        if weight.shape != i.shape:
            raise ValueError(f"pair_weight must give one number for each of {len(i)} pairs, got shape {weight.shape}")
        if not np.isfinite(weight).all() or not np.all(weight >= 0):
            strange = weight[~(np.isfinite(weight) & (weight >= 0))][0]
            raise ValueError(f"pair_weight must be a finite number >= 0 for each pair, got {strange:g}")
        return weight

    def take(self, rows: Array) -> "PairWeights":
        """Return the weights of the pairs of these rows."""
        return PairWeights(self.weigh, self.rows[rows])


def pair_weights(given: Any, y: Array, groups: ArrayLike | None = None) -> PairWeights | None:
    """Return what is given as PairWeights.

    Parameters
    ----------
    given : callable, "ndcg", (n, n) array, PairWeights or None
        A callable gets the targets of rows that are ahead and of those behind, two (p,) arrays. An array has the weight
        of the pair in which row i is ahead of row j at [i, j]. ``ndcg`` is what NDCG loses when the two rows change
        places in the right order.
    y : (n,) array
    groups : (n,) array or None

    Returns
    -------
    PairWeights or None

    Raises
    ------
    ValueError
        When it is something else, or y are no gains for ``ndcg``.
    """
    if given is None or isinstance(given, PairWeights):
        return given
    y = np.asarray(y)
    if isinstance(given, str):
        if given not in NAMED:
            raise ValueError(f"pair_weight must be {', '.join(NAMED)}, a callable or an (n, n) array, got {given!r}")
        weigh = _lost_ndcg(y, groups)
    elif callable(given):

        def weigh(i, j):
            return given(y[i], y[j])
    else:
        table = np.asarray(given, dtype=np.float64)
        if table.shape != (len(y), len(y)):
            raise ValueError(f"pair_weight must have shape {(len(y), len(y))}, one row per row of X, got {table.shape}")

        def weigh(i, j):
            return table[i, j]

    return PairWeights(weigh, np.arange(len(y)))


def weigh_pairs(rows: Rows, weights: PairWeights | None) -> Rows:
    """Return pair rows with each cost times the weight of its pair, without the pairs of weight 0.

    Parameters
    ----------
    rows : Rows
    weights : PairWeights or None
    """
    if weights is None:
        return rows
    weight = weights(rows.plus, rows.minus)
    kept = weight > 0
    if not kept.any():
        raise ValueError("pair_weight must be > 0 for some pair, got zeros only")
    columns = ("sign", "plus", "minus", "threshold", "margin")
    return replace(rows, cost=(rows.cost * weight)[kept], **{name: getattr(rows, name)[kept] for name in columns})


def _lost_ndcg(y, groups):
    """Return a function that tells the loss of NDCG when rows i and j change places in the right order.

    That is (y_i - y_j) (discount_i - discount_j) / DCG of the right order. Rows of one target share their discounts.
    """
    y = y.astype(np.float64)
    if not np.all(y >= 0):
        raise ValueError(f'y must hold gains >= 0 with pair_weight="ndcg", got {y.min():g}')
    groups, cells = groups_and_cells(y, groups)
    order = np.lexsort((-y, groups))
    sizes = np.bincount(groups)
    first = np.cumsum(sizes) - sizes
    discount = np.empty(len(y))
    discount[order] = 1.0 / np.log2(np.arange(len(y)) - np.repeat(first, sizes) + 2.0)
    discount = (np.bincount(cells, discount) / np.bincount(cells))[cells]
    best = np.bincount(groups, y * discount)[groups]

    def weigh(i, j):
        return (y[i] - y[j]) * (discount[i] - discount[j]) / best[i]

    return weigh
