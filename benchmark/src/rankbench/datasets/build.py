"""Make a table from fetched bytes and check it against the sheet."""

import hashlib
from pathlib import Path

from rankbench.datasets.readers import read
from rankbench.datasets.sheet import Row
from rankbench.datasets.table import AbsentError, Table, table_digest
from rankbench.records.files import damaged, read_note

KEPT = "kept: "  # first word of the last line of a log of kept bytes, or of a table
REFUSED = "refused by its reader: "  # first word of the reason why fetched bytes gave no table
UNFIT = "does not fit the sheet"  # part of the reason if a file of a mirror on this machine has other bytes


def build_table(folder: Path, row: Row) -> Table:
    """Read what :func:`rankbench.datasets.fetch.fetch` left in `folder` and check it against the sheet.

    Raises
    ------
    AbsentError
        If the set could not be fetched.
    Damaged
        If the files are not those that were fetched.
    ValueError
        If the table is not what the sheet says.
    """
    files, source = Path(folder, "files"), read_note(Path(folder, "source.json"))
    if "absent" in source:
        reasons = source["absent"].splitlines()
        raise AbsentError(f"not fetched: {next((line.strip() for line in reasons if UNFIT in line), reasons[0])}")
    for name, registered in zip(row.names, source["sha256"], strict=True):
        if not (files / name).is_file() or hashlib.sha256((files / name).read_bytes()).hexdigest() != registered:
            raise damaged(files / name, "changed since it was fetched")
    return read_checked(files / row.names[0] if len(row.names) == 1 else files, row)


def read_checked(path: Path, row: Row) -> Table:
    """Read the file at `path` and compare counts and values with the sheet.

    Parameters
    ----------
    path : Path
        The raw file, or the folder of several files. Readers that make their data do not use it.
    row : Row
        The table must have its rows and attributes (0: not known), as many nominal columns, and its table_sha256 (if
        it is given).

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If the table differs from the sheet; the message names the set and the column of the sheet, what was expected
        and what came.
    """
    table = read(path, row)
    n, d = len(table.X), len(table.attributes)
    promises = [("rows", row.rows or n, n), ("attributes", row.attributes or d, d)]
    promises.append(("nominal", len(row.nominal), sum(map(bool, table.levels))))
    if row.table_sha256:
        promises.append(("table_sha256", row.table_sha256, table_digest(table)))
    for column, expected, came in promises:
        if came != expected:
            raise ValueError(f"{row.name} ({path}), {column}: expected {expected}, got {came}")
    return table
