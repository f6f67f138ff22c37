"""One file per source format; `rankbench.room.Reader` says what it has, and `rankbench.registry.READERS` knows all."""

from pathlib import Path

from rankbench.registry import READERS


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
