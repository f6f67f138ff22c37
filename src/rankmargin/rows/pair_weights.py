"""Weights of pairs, in addition to the weights of their rows: gains, and orders whose top matters most; and the
meaning of C: the weight of a row, which also suits more rows, or the weight of a pair, as in the papers."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array
from rankmargin.rows.pairs import (
    NoPairError,
    all_pairs,
    check_listed,
    count_pairs,
    group_codes,
    groups_and_cells,
    random_partners,
)
from rankmargin.rows.places import discount_sums, repetitions
from rankmargin.rows.rows import Rows

NAMED = ("ndcg",)


class PairWeights:
    """The weight of each pair of rows.

    Parameters
    ----------
    weigh : callable (i, j) -> (p,) array
        The weights of pairs; ``i`` and ``j`` are (p,) arrays of row numbers, and row i[k] is ahead of row j[k].
    rows : (m,) array of integers
        The numbers that ``weigh`` uses for the rows 0, 1, ... of this problem.
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
        if given not in NAMED:
            raise ValueError(f"pair_weight must be {', '.join(NAMED)}, a callable or an (n, n) array, got {given!r}")
        weigh = _lost_ndcg(y, group_codes(groups, len(y)), np.ones(len(y)) if sample_weight is None else sample_weight)
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
    """Return pair rows with each cost multiplied by the weight of its pair; pairs of weight 0 are left out.

    Parameters
    ----------
    rows : Rows
    weights : PairWeights or None
    """
    if weights is None:
        return rows
    weight = weights(rows.plus, rows.minus)
    if not np.any(weight > 0):
        raise NoPairError("pair_weight must be > 0 for some pair, got zeros only")
    return rows.times(weight)


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


def pair_scale(
    y: Array,
    groups: Array | None = None,
    sample_weight: Array | None = None,
    n_partners: int | Literal["all"] = "all",
    pair_weight: PairWeights | None = None,
    seed: int = 0,
    lower: Array | None = None,
) -> float:
    """Return the weight of all rows divided by the weight of all pairs: n / n_pairs if all weights are 1.

    If the weight of a pair is C times this number, the weight of all pairs together is C n, like that of n hinge losses
    in a support vector machine. With random partners, the expected weight of the pairs is used; with weights of pairs,
    or censored times the weight of the pairs that are drawn.

    Parameters
    ----------
    y : (n,) array of numbers
    groups : (n,) int array or None
    sample_weight : (n,) array > 0 or None
    n_partners : int or "all", see :class:`rankmargin.PairwiseRankSVM`
    pair_weight : PairWeights or None
    seed : int, seed of the partners
    lower : (n,) array or None, what a row brings as the lower one of a pair; its weight if it is None

    Returns
    -------
    float > 0; 1 if there is no pair
    """
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    if pair_weight is not None or (lower is not None and n_partners != "all"):
        return _scale_of_listed(y, groups, weight, n_partners, pair_weight, seed, lower)
    if n_partners == "all":
        pairs = count_pairs(y, groups, weight, lower)
    elif isinstance(n_partners, (int, np.integer)):
        group, cell = groups_and_cells(y, groups)
        others = np.bincount(group)[group] - np.bincount(cell)[cell]
        weight_of_others = np.bincount(group, weight)[group] - np.bincount(cell, weight)[cell]
        pairs = float(np.sum(np.minimum(n_partners, others) / np.maximum(others, 1) * weight * weight_of_others))
    else:
        return 1.0  # the method refuses such a value
    return float(weight.sum()) / pairs if pairs > 0 else 1.0


def _scale_of_listed(y, groups, weight, n_partners, pair_weight, seed, lower):
    if n_partners == "all":
        check_listed(y, groups)
        rows = all_pairs(y, groups)
    elif isinstance(n_partners, (int, np.integer)) and n_partners >= 1:
        rows = random_partners(y, n_partners, np.random.default_rng(seed), groups)
    else:
        return 1.0  # the method refuses such a value
    pairs = float(weigh_pairs(rows.weighted(weight, lower), pair_weight).cost.sum())
    return float(weight.sum()) / pairs if pairs > 0 else 1.0
