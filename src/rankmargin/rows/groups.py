"""Groups of rows, and their cells: the rows of one group with the same target, which form no pair with each other."""

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array


def group_codes(groups: ArrayLike | None, n: int) -> Array:
    """Return the code 0, 1, ... of the group of each row, shape (n,); all are 0 if there are no groups."""
    return np.zeros(n, dtype=np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]


def groups_and_cells(y: Array, groups: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the code of the group and of the cell of each row, two arrays (n,); cells are ordered by group, then by
    target."""
    group = group_codes(groups, len(y))
    return group, np.unique(group * len(y) + np.unique(y, return_inverse=True)[1], return_inverse=True)[1]


def members(codes: Array) -> list[Array]:
    """Return the row numbers of each group, in ascending order."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
