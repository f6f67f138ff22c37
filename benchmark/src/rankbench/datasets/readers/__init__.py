"""One file per source format; `rankbench.room.Reader` says what it has, and `rankbench.registry.READERS` knows all."""

import re
from pathlib import Path

from rankbench.registry import READERS


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
        If the file is not what the row says.
    """
    try:
        return READERS[row.reader].load().read(path, row)
    except Exception as error:  # what a package raises on damaged bytes has no common class
        if isinstance(error, ValueError) and str(path) in str(error):
            raise
        raise ValueError(f"{path}: {type(error).__name__}: {error}") from error
