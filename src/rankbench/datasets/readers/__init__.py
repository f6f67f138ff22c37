"""One file per source format, each with ``read(path, row) -> Table``; the folder is the registry.

A reader returns a :class:`~rankbench.datasets.table.Table`, or raises a ValueError that names the file, the line and
the column, what came and what is accepted. The reader of a set that is made or bundled does not use `path`.
"""

import importlib
import pkgutil
import re
from pathlib import Path


def reader_names() -> list[str]:
    """Return the names that the column ``reader`` of the sheet accepts."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def reader_and_url(named: str) -> tuple[str, str]:
    """Return the reader that a URL of the sheet names (``arff+https://...``; else ``""``), and the URL."""
    reader, url = re.fullmatch(r"(?:([a-z0-9_]+)\+)?(.*)", named).groups("")
    return reader, url


def readers_of(row) -> list[str]:
    """Return the names of all readers that a row of the sheet names: its own and those of its URLs."""
    return sorted({row.reader, *(reader_and_url(url)[0] or row.reader for url in row.urls)})


def read(path: Path, row):
    """Read the file at `path` with the reader that the row names.

    Parameters
    ----------
    path : Path
        The raw file.
    row : rankbench.datasets.sheet.Row
        Its row of the sheet.

    Returns
    -------
    rankbench.datasets.table.Table

    Raises
    ------
    ValueError
        If the file is not what the row says, or the row names no reader of this folder.
    """
    if row.reader not in reader_names():
        raise ValueError(f"{row.name}: no reader {row.reader!r}; there are {', '.join(reader_names())}")
    return importlib.import_module(f"{__name__}.{row.reader}").read(path, row)
