"""Which of two targets is ahead, and the pair rows s_i - s_j >= margin for y_i > y_j (Diez et al. eq. 3; Herbrich et
al.; Joachims).

Targets are numbers, grades with an order of their own, or times, some of which are censored. The event of a censored
row comes after its time, so the row is later than every event before: it brings the weight 0 as the lower row of a
pair.

Pairs are formed only inside a group. The rows of one group with the same target are a *cell*: they form no pair with
each other.
"""

import reprlib
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.problem.rows.rows import Rows

MOST_LISTED_PAIRS = 20_000_000


class NoPairError(ValueError):
    """No comparable pair: y is constant (in every group), or all weights are zero.

    A fold of a cross-validation may be like that, so callers can tell this from other errors.
    """


def group_codes(groups: ArrayLike | None, n: int) -> Array:
    """Return the code 0, 1, ... of the group of each row, shape (n,); all are 0 if there are no groups."""
    return np.zeros(n, dtype=np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]


def check_groups(X: Any, groups: ArrayLike | None) -> Array | None:
    """Return the group of each row as a number, shape (n,), or None.

    Raises
    ------
    ValueError
        If ``groups`` does not have one name for each row of X, all of one type and none missing.
    """
    if groups is None:
        return None
    groups, n = np.asarray(groups), X.shape[0]
    if groups.ndim != 1:
        raise ValueError(f"groups must be a 1d array with the group of each row, got shape {groups.shape}")
    if len(groups) != n and groups.dtype.kind in "iu" and groups.sum() == n:
        raise ValueError(
            f"groups must name the group of each of the {n} rows, got {len(groups)} sizes that sum to {n}: "
            "use np.repeat(np.arange(len(sizes)), sizes)"
        )
    if len(groups) != n:
        raise ValueError(f"groups must name the group of each of the {n} rows, got {len(groups)} names")
    if groups.dtype.kind == "O":
        types = {type(name).__name__ for name in groups.tolist()}
        if len(types) > 1 or any(map(is_missing, groups.tolist())):
            raise ValueError(f"groups must hold names of one type and none missing, got {', '.join(sorted(types))}")
    elif np.any(missing := groups != groups):  # nan and NaT
        row = int(np.argmax(missing))
        raise ValueError(f"groups must name the group of each row, got {groups[row]} at row {row}")
    return np.unique(groups, return_inverse=True)[1]


def groups_and_cells(y: Array, groups: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the code of the group and of the cell of each row, two arrays (n,); cells are ordered by group, then by
    target."""
    group, rank = group_codes(groups, len(y)), np.unique(y, return_inverse=True)[1]
    return group, rank if groups is None else np.unique(group * len(y) + rank, return_inverse=True)[1]


def members(codes: Array) -> list[Array]:
    """Return the row numbers of each group, in ascending order."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])


def check_pairs(y, groups=None):
    """Refuse targets from which no pair can be learned.

    Raises
    ------
    ValueError
        If y has only one distinct value, or no group has two.
    """
    if len(y) == 0 or np.all(y == y[0]):
        raise NoPairError(
            "y must hold at least two distinct values (no pair to learn from), got one distinct value or 1 class"
        )
    if groups is not None:
        order = np.lexsort((y, groups))
        same = groups[order][1:] == groups[order][:-1]
        if not np.any(same & (y[order][1:] != y[order][:-1])):
            raise NoPairError(
                "groups must hold at least one group with two distinct values of y, got none (no pair to learn from)"
            )


def count_pairs(y, groups=None, weight=None, lower=None):
    """Return the number of pairs with y_i > y_j in the same group (Diez et al. eq. 10); with weights, the sum of
    weight_i lower_j, where ``lower`` is ``weight`` if it is None."""
    groups, cells = groups_and_cells(y, groups)
    if weight is None:
        tied, sizes = np.bincount(cells), np.bincount(groups)
        return int(sizes @ sizes - tied @ tied) // 2
    of_cell = np.empty(cells.max() + 1, dtype=np.int64)
    of_cell[cells] = groups
    up_to = np.cumsum(np.bincount(cells, weight))  # cells stand in the order of their groups and targets
    of_group = up_to[np.searchsorted(of_cell, of_cell, side="right") - 1]
    return float(np.bincount(cells, weight if lower is None else lower) @ (of_group - up_to))


def check_listed(y, groups=None, n_pairs=None):
    """Refuse weights of single pairs if there are too many pairs to list; ``n_pairs`` is their number, if it is
    known."""
    n_pairs = count_pairs(y, groups) if n_pairs is None else n_pairs
    if n_pairs > MOST_LISTED_PAIRS:
        raise ValueError(
            f"pair_weight needs a list of all pairs, of at most {MOST_LISTED_PAIRS:,}, got {n_pairs:,}: "
            "PairwiseRankSVM(n_partners=5) lists a few pairs for each row"
        )


def pair_indices(y, groups=None):
    """Return every (i, j) with y_i > y_j in the same group, sorted by i then j: two int32 arrays of shape (N,)."""
    above, below = [], []
    for rows in members(group_codes(groups, len(y))):
        i, j = np.nonzero(y[rows][:, None] > y[rows][None, :])
        above.append(rows[i])
        below.append(rows[j])
    above, below = np.concatenate(above), np.concatenate(below)
    if not len(above):
        check_pairs(y, groups)
    if groups is not None:
        order = np.lexsort((below, above))
        above, below = above[order], below[order]
    return above.astype(np.int32), below.astype(np.int32)


def all_pairs(y, groups=None, margin=1.0, cost=1.0):
    """Return one row for every comparable pair (eq. 3).

    Parameters
    ----------
    y : (n,) array
    groups : (n,) array or None
        Pairs are formed only inside a group. This is the partial order in the introduction of Diez et al., and the
        query id of SVMrank.
    """
    i, j = pair_indices(y, groups)
    return Rows.build(len(y), plus=i, minus=j, margin=margin, cost=cost)


def random_partners(y, n_partners, rng, groups=None, margin=1.0):
    """Pair each example with ``n_partners`` random ones of another rank (Diez et al., section 4, "Herbrich_5").

    Partners are drawn without replacement from the examples of the same group with another y. An example that has fewer
    such partners takes them all. A pair that is drawn from both of its ends is kept as two rows.
    """
    check_pairs(y, groups)
    n = len(y)
    group, cell = groups_and_cells(y, groups)
    in_group, in_cell = np.bincount(group), np.bincount(cell)
    candidates = in_group[group] - in_cell[cell]
    # 1. numbers of candidates, counted in the order of the rows
    taken = np.minimum(candidates, n_partners)
    i, k, end = np.repeat(np.arange(n, dtype=np.int32), taken), np.empty(taken.sum(), dtype=np.int32), 0
    for m, size in zip(candidates.tolist(), taken.tolist(), strict=True):
        k[end : end + size] = rng.choice(m, size=size, replace=False)
        end += size
    # 2. candidate k of a row is row k of its group after the rows of its own cell are left out
    by_group, by_cell = np.argsort(group, kind="stable"), np.argsort(cell, kind="stable")
    start, place = np.cumsum(in_group) - in_group, np.empty(n, dtype=np.int64)
    place[by_group] = np.arange(n) - np.repeat(start, in_group)
    first = np.cumsum(in_cell) - in_cell
    before = place[by_cell] - (np.arange(n) - np.repeat(first, in_cell))  # candidates before each row of a cell
    cells = np.repeat(np.arange(len(in_cell)), in_cell)
    skipped = np.searchsorted(cells * (n + 1) + before, cell[i] * (n + 1) + k, side="right") - first[cell[i]]
    j = by_group[start[group[i]] + k + skipped]
    up = y[i] > y[j]
    return Rows.build(n, plus=np.where(up, i, j), minus=np.where(up, j, i), margin=margin)


def own_order(y: Any) -> list[Any] | None:
    """Return the grades of an ordered categorical (pandas) or Enum (polars) from the lowest to the highest; None for
    anything that is not a categorical.

    Raises
    ------
    ValueError
        If y is a categorical without an order.
    """
    dtype = getattr(y, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None:
        return None
    if not getattr(dtype, "ordered", type(dtype).__name__ == "Enum"):
        example = next(iter(np.asarray(y, dtype=object).tolist()), None)
        raise ValueError(
            f"y must be a categorical with an order, got one without and values like {example!r}: "
            "pd.Categorical(y, [lowest, ..., highest], ordered=True), or categories=[...] of an ordinal estimator"
        )
    return list(categories)


def places(y: ArrayLike, order: Sequence[Any], name: str = "y") -> Array:
    """Return the place of each grade in ``order``, an (n,) array of integers.

    Parameters
    ----------
    y : (n,) array of grades
    order : sequence of all grades, from the lowest to the highest
    name : str, name of y in messages

    Raises
    ------
    ValueError
        If grades of ``order`` repeat, or y has a missing value or a grade that is not in ``order``.
    """
    order = list(order)
    place = {grade: i for i, grade in enumerate(order)}
    if len(place) != len(order):
        raise ValueError(f"categories must be distinct, got {order!r}")
    grades = np.asarray(y, dtype=object).tolist()
    for grade in grades:
        if grade not in place:
            raise ValueError(f"{name} must hold grades of categories {order!r}, got {grade!r}")
    return np.array([place[grade] for grade in grades], dtype=np.int64)


def whole_numbers(values: ArrayLike) -> Array:
    """Return values as an array that keeps their order: dates become whole numbers of their unit, and objects that are
    whole numbers an int64; a missing value among them becomes nan. Everything else stays."""
    array = np.asarray(values)
    if array.dtype.kind == "O" and array.ndim == 1:
        objects = array.tolist()
        if all(isinstance(value, Integral) or is_missing(value) for value in objects):
            return np.array([np.nan if is_missing(value) else value for value in objects])
    if array.dtype.kind in "mM":
        missing, array = np.isnat(array), array.astype(np.int64)
        return np.where(missing, np.nan, array) if missing.any() else array
    return array


def is_missing(value: Any) -> bool:
    """Return whether a value is None, nan, NaT or ``pd.NA``, of which the last is neither equal nor unequal to
    itself."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def is_censored(y: ArrayLike, event: ArrayLike | None = None) -> bool:
    """Return whether the targets are times of which some may be censored."""
    return event is not None or getattr(getattr(y, "dtype", None), "names", None) is not None


def with_events(y: Any, event: ArrayLike | None) -> Any:
    """Return the targets, with their events as a structured array (event, time) if there are any."""
    if event is None:
        return y
    time, event = split_times(y, event)
    time = time if time.dtype.kind in "iuf" else time.astype(np.float64)
    table = np.empty(len(time), dtype=[("event", bool), ("time", time.dtype)])
    table["event"], table["time"] = event, time
    return table


def split_times(y: ArrayLike, event: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the times (n,) and whether each is an event (n,), as a structured array or two arrays say them.

    Raises
    ------
    ValueError
        If the structured array has not one field of bool and one of numbers, an event is not 0 or 1, or both ways are
        used at once.
    """
    if event is not None and is_censored(y):
        raise ValueError("event must be None if y is a structured array (event, time), which holds the events")
    if event is None:
        table = np.asarray(y)
        names = table.dtype.names or ()
        kinds = [table.dtype[name].kind for name in names]
        if table.ndim != 1 or len(kinds) != 2 or kinds[0] != "b" or kinds[1] not in "iuf":
            raise ValueError(f"y must have a field of bool, the event, and one of numbers, the time, got {table.dtype}")
        y, event = table[names[1]], table[names[0]]
    time, event = np.asarray(y), np.asarray(event)
    strange = [value for value in event.ravel().tolist() if is_missing(value) or value not in (0, 1)]
    if strange or event.shape != time.shape:
        came = repr(strange[0]) if strange else f"shape {event.shape}"
        raise ValueError(f"event must hold 0 or 1, or a bool, for each of {time.size} rows of y, got {came}")
    return time, event.astype(bool)


def order_of_times(time: Array, event: Array) -> Array:
    """Return integers (n,) in the order of times; of equal times an event is before a censored one, which lasted
    longer."""
    return 2 * np.unique(time, return_inverse=True)[1] + ~event


def expected_weight(y: Array, groups: Array | None, weight: Array, n_partners: int) -> float:
    """Return the expected weight of the pairs of :func:`random_partners`, the product of the weights (n,) of both
    rows."""
    group, cell = groups_and_cells(y, groups)
    others = np.bincount(group)[group] - np.bincount(cell)[cell]
    weight_of_others = np.bincount(group, weight)[group] - np.bincount(cell, weight)[cell]
    return float(np.sum(np.minimum(n_partners, others) / np.maximum(others, 1) * weight * weight_of_others))


def floats(name: str, values: Any) -> Array:
    """Return numbers as a float64 array; refuse others."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number or hold numbers, got {reprlib.repr(values)}") from None
