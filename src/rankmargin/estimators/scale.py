"""The meaning of C: the weight of a row, which also suits more rows, or the weight of a pair, as in the papers."""

from typing import Literal

import numpy as np

from rankmargin.annotations import Array
from rankmargin.methods.swapped_pairs import check_listed
from rankmargin.rows.groups import groups_and_cells
from rankmargin.rows.pair_weights import PairWeights, weigh_pairs
from rankmargin.rows.pairs import all_pairs, random_partners

C_SCALES = ("rows", "pairs")


def pair_scale(
    y: Array,
    groups: Array | None = None,
    sample_weight: Array | None = None,
    n_partners: int | Literal["all"] = "all",
    pair_weight: PairWeights | None = None,
    seed: int = 0,
) -> float:
    """Return the weight of all rows divided by the weight of all pairs: n / n_pairs if all weights are 1.

    If the weight of a pair is C times this number, the weight of all pairs together is C n, like that of n hinge losses
    in a support vector machine. With random partners, the expected weight of the pairs is used; with weights of pairs,
    the weight of the pairs that are drawn.

    Parameters
    ----------
    y : (n,) array of numbers
    groups : (n,) int array or None
    sample_weight : (n,) array > 0 or None
    n_partners : int or "all", see :class:`rankmargin.PairwiseRankSVM`
    pair_weight : PairWeights or None
    seed : int, seed of the partners

    Returns
    -------
    float > 0; 1 if there is no pair
    """
    weight = np.ones(len(y)) if sample_weight is None else sample_weight
    if pair_weight is not None:
        return _scale_of_listed(y, groups, weight, n_partners, pair_weight, seed)
    group, cell = groups_and_cells(y, groups)
    others = np.bincount(group)[group] - np.bincount(cell)[cell]
    weight_of_others = np.bincount(group, weight)[group] - np.bincount(cell, weight)[cell]
    if n_partners == "all":
        share = 0.5
    elif isinstance(n_partners, (int, np.integer)):
        share = np.minimum(n_partners, others) / np.maximum(others, 1)
    else:
        return 1.0  # the method refuses such a value
    pairs = float(np.sum(share * weight * weight_of_others))
    return float(weight.sum()) / pairs if pairs > 0 else 1.0


def _scale_of_listed(y, groups, weight, n_partners, pair_weight, seed):
    if n_partners == "all":
        check_listed(y, groups)
        rows = all_pairs(y, groups)
    elif isinstance(n_partners, (int, np.integer)) and n_partners >= 1:
        rows = random_partners(y, n_partners, np.random.default_rng(seed), groups)
    else:
        return 1.0  # the method refuses such a value
    return float(weight.sum() / weigh_pairs(rows.weighted(weight), pair_weight).cost.sum())
