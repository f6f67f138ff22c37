"""The form that every data set gets: numbers, names of columns and names of levels."""

import hashlib
import json
import os
from dataclasses import dataclass, replace

import numpy as np

from rankbench.records.files import read_arrays, write_arrays

KINDS = {"rows": 1, "pairs": 2}  # kind of example -> number of items in it
OPTIONAL = ("partitions", "periods", "groups", "blocks", "weights")


@dataclass(frozen=True, eq=False)
class Table:
    """Inputs and target of a data set.

    Parameters
    ----------
    X : (n, d) float64 array
        Inputs in the units of the source. A nominal column holds the codes 0..L-1 of its levels. A numeric column holds
        nan for a missing cell, if the sheet keeps such cells. For pairs (n, 2 d): the attributes of x, then of x'.
    y : (n,) float64 array
        Target in the units of the source; higher means preferred. For pairs -1 (x is better), 0 or 1 (x' is better).
    attributes : tuple of d str
        Column names, all different.
    levels : tuple of d tuples of str
        ``()`` for a numeric column, else the names of its L levels in the order of their codes.
    partitions : (P, n) bool array, optional
        Hold-outs that were published with the set, one row each; true: the example is for training.
    kind : {"rows", "pairs"}
        What an example is: an item with its target, or two items of which one may be better.
    periods : (n,) float64 array, optional
        When each example happened, ascending.
    groups : (n,) float64 array, optional
        Code 0..G-1 of the group of each row: only rows of one group are compared with each other.
    blocks : (n,) float64 array, optional
        Code 0..B-1 of what no split may cut, such as rows that occur twice; without it, these are the groups.
    weights : (n,) float64 array > 0, optional
        A row of weight 2 counts as two rows, for fits and metrics.

    Raises
    ------
    ValueError
        If shapes, codes or names contradict each other or a number is not finite.
    """

    X: np.ndarray
    y: np.ndarray
    attributes: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    partitions: np.ndarray | None = None
    kind: str = "rows"
    periods: np.ndarray | None = None
    groups: np.ndarray | None = None
    blocks: np.ndarray | None = None
    weights: np.ndarray | None = None

    @property
    def items(self) -> int:
        """Number of items in a row of X."""
        return KINDS[self.kind]

    @property
    def column_levels(self) -> tuple[tuple[str, ...], ...]:
        """``levels`` of every column of X."""
        return self.levels * self.items

    def only(self, attributes) -> "Table":
        """Return the table with only these attributes, in their order; the table itself if none are named."""
        if not attributes:
            return self
        if unknown := [name for name in attributes if name not in self.attributes]:
            raise ValueError(f"attributes must be among {', '.join(self.attributes)}, got {', '.join(unknown)}")
        at = [self.attributes.index(name) for name in attributes]
        d = len(self.attributes)
        columns = [item * d + j for item in range(self.items) for j in at]
        levels = tuple(self.levels[j] for j in at)
        return replace(self, X=np.ascontiguousarray(self.X[:, columns]), attributes=tuple(attributes), levels=levels)

    def __post_init__(self):
        optional = [(name, a) for name in OPTIONAL[1:] if (a := getattr(self, name)) is not None]
        for name, array in (("X", self.X), ("y", self.y), *optional):
            bad = array[np.isinf(array)] if name == "X" and self.kind == "rows" else array[~np.isfinite(array)]
            if bad.size:
                raise ValueError(f"{name} must be finite, got {bad[0]}")
        n, d = len(self.X), self.X.shape[1] / self.items
        if self.y.shape != (n,) or len(self.attributes) != d or len(self.levels) != d:
            raise ValueError(
                f"X of shape {self.X.shape} needs {n} targets, {d:g} attributes and {d:g} level tuples, "
                f"got {len(self.y)}, {len(self.attributes)} and {len(self.levels)}"
            )
        if self.kind == "pairs" and not np.isin(self.y, (-1.0, 0.0, 1.0)).all():
            raise ValueError(f"y of pairs must be -1, 0 or 1, got {self.y[~np.isin(self.y, (-1.0, 0.0, 1.0))][0]:g}")
        for name in OPTIONAL:
            if (rows := getattr(self, name)) is not None and rows.shape[-1] != n:
                raise ValueError(f"{name} must be of {n} rows, got {rows.shape}")
        for name, levels, codes in zip(self.attributes * self.items, self.column_levels, self.X.T):
            if levels and not np.isin(codes, np.arange(len(levels))).all():
                raise ValueError(f"column {name!r} must hold level codes 0..{len(levels) - 1}")


class AbsentError(Exception):
    """There is no table; the message says why."""


def save_table(path: str | os.PathLike, table: Table) -> None:
    """Write `table` as one ``.npz`` without pickles; the file appears whole or not at all."""
    names = json.dumps({"attributes": table.attributes, "levels": table.levels, "kind": table.kind})
    optional = {name: a for name in OPTIONAL if (a := getattr(table, name)) is not None}
    write_arrays(path, X=table.X, y=table.y, names=np.array(names), **optional)


def save_absence(path: str | os.PathLike, reason: str) -> None:
    """Write the reason why there is no table instead of the table."""
    write_arrays(path, absent=np.array(reason))


def absence(path: str | os.PathLike) -> str:
    """Return the reason why there is no table; empty if there is one."""
    return str(read_arrays(path).get("absent", ""))


def load_table(path: str | os.PathLike) -> Table:
    """Read what :func:`save_table` wrote.

    Raises
    ------
    AbsentError
        If the file says why there is no table.
    rankbench.records.files.Damaged
        If the file is not what was written.
    """
    arrays = read_arrays(path)
    if "absent" in arrays:
        raise AbsentError(str(arrays["absent"]))
    names = json.loads(str(arrays["names"]))
    levels = tuple(tuple(column) for column in names["levels"])
    optional = {name: arrays[name] for name in OPTIONAL if name in arrays}
    return Table(arrays["X"], arrays["y"], tuple(names["attributes"]), levels, kind=names["kind"], **optional)


def table_digest(table: Table) -> str:
    """Return the sha256 (hex) of the values: the same for every file format with the same rows in the same order.

    It covers the shape, the level names, the numbers as little-endian float64 with -0 as 0, and periods, groups,
    blocks, weights and published hold-outs if there are any. It does not cover the attribute names, because formats
    spell them differently.
    """
    digest = hashlib.sha256(json.dumps([table.X.shape, table.levels]).encode())
    for values in (table.X, table.y, table.periods, table.groups, table.blocks, table.weights):
        if values is not None:
            digest.update((values + 0.0).astype("<f8").tobytes())
    if table.partitions is not None:
        digest.update(np.packbits(table.partitions, axis=1).tobytes())
    return digest.hexdigest()
