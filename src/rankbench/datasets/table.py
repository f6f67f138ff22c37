"""The one form every data set takes: numbers, names and level names."""

import hashlib
import json
import os
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True, eq=False)
class Table:
    """Inputs and target of a data set, without missing values.

    Parameters
    ----------
    X : (n, d) float64 array
        Inputs in the units of the source; a nominal column holds the codes 0..L-1 of its levels.
    y : (n,) float64 array
        Target in the units of the source; higher means preferred.
    attributes : tuple of d str
        Column names, all different.
    levels : tuple of d tuples of str
        ``()`` for a numeric column, else the names of its L levels in the order of their codes.
    partitions : (P, n) bool array, optional
        Hold-outs published with the set, a row each: true where an example is for training.

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

    def __post_init__(self):
        for name, array, ndim in (("X", self.X, 2), ("y", self.y, 1)):
            if array.dtype != np.float64 or array.ndim != ndim:
                raise ValueError(f"{name} must be a float64 array with {ndim} axes, got {array.dtype} {array.shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite, got {array[~np.isfinite(array)][0]}")
        n, d = self.X.shape
        if self.y.shape != (n,) or len(self.attributes) != d or len(self.levels) != d:
            raise ValueError(
                f"X of shape {self.X.shape} needs {n} targets, {d} attributes and {d} level tuples, "
                f"got {len(self.y)}, {len(self.attributes)} and {len(self.levels)}"
            )
        if self.partitions is not None and (self.partitions.dtype != bool or self.partitions.shape[1:] != (n,)):
            came = f"{self.partitions.dtype} {self.partitions.shape}"
            raise ValueError(f"partitions must be a bool array of shape (P, {n}), got {came}")
        if len(set(self.attributes)) != d:
            raise ValueError(f"attributes must be different from each other, got {self.attributes}")
        for name, levels, codes in zip(self.attributes, self.levels, self.X.T):
            if levels and not np.isin(codes, np.arange(len(levels))).all():
                raise ValueError(f"column {name!r} must hold level codes 0..{len(levels) - 1}")


def save_table(path: str | os.PathLike, table: Table) -> None:
    """Write `table` as one ``.npz`` without pickles; the file appears whole or not at all."""
    path = Path(path)
    names = json.dumps({"attributes": table.attributes, "levels": table.levels})
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(aside, "wb") as file:
            published = {} if table.partitions is None else {"partitions": table.partitions}
            np.savez(file, X=table.X, y=table.y, names=np.array(names), **published)
        os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def load_table(path: str | os.PathLike) -> Table:
    """Read what :func:`save_table` wrote.

    Raises
    ------
    ValueError
        If the file is not such a table; the message names the file.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            names = json.loads(str(file["names"]))
            levels = tuple(tuple(column) for column in names["levels"])
            partitions = file.get("partitions", None)
            return Table(file["X"], file["y"], tuple(names["attributes"]), levels, partitions)
    except (ValueError, KeyError, EOFError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: not a table written by save_table: {error}") from error


def table_digest(table: Table) -> str:
    """sha256 (hex) of the values: the same for every file format that holds the same rows in the same order.

    Hashed are the shape, the level names, the numbers as little-endian float64 with -0 as 0 and the published
    hold-outs, if any; the attribute names are not, because formats spell them differently.
    """
    digest = hashlib.sha256(json.dumps([table.X.shape, table.levels]).encode())
    for values in (table.X, table.y):
        digest.update((values + 0.0).astype("<f8").tobytes())
    if table.partitions is not None:
        digest.update(np.packbits(table.partitions, axis=1).tobytes())
    return digest.hexdigest()
