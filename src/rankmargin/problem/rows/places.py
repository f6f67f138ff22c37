"""Places in an order, which rows of weight 2 take twice, and their discounts in NDCG."""

import numpy as np

from rankmargin.annotations import Array


def repetitions(weight: Array) -> Array:
    """Return how often each row is given, shape (n,): its weight if all weights are whole numbers, and otherwise its
    weight divided by their mean, because such weights say only how much a row counts beside the others.

    Parameters
    ----------
    weight : (n,) array >= 0
    """
    return weight if np.all(weight == np.floor(weight)) else weight / weight[weight > 0].mean()


def discount_sums(starts: Array, ends: Array, k: int | None = None) -> Array:
    """Return the sum of the discounts 1 / log2(p + 1) of the places between each start and its end.

    The first place lies between 0 and 1, and a part of a place has this part of its discount.

    Parameters
    ----------
    starts, ends : (m,) arrays, 0 <= start <= end
    k : int or None
        Number of places that count; None means all.
    """
    last = int(np.ceil(ends.max()))
    discounts = 1.0 / np.log2(np.arange(last) + 2.0)
    discounts[last if k is None else k :] = 0.0
    until, places = np.append(0.0, np.cumsum(discounts)), np.arange(last + 1)
    return np.interp(ends, places, until) - np.interp(starts, places, until)
