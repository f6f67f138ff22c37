"""Compare the kept files and table of a data set with its row of the sheet, without reading the data again."""

from pathlib import Path

from rankbench.datasets.fetch import UNKNOWN
from rankbench.datasets.readers import readers_of
from rankbench.datasets.sheet import Row
from rankbench.experiments.files import Damaged, read_note
from rankbench.registry import READERS
from rankmargin.sources import source_digest


def outdated_files(row: Row, source: dict, folder: Path, table: Path) -> bool:
    """Return whether the bytes kept in `folder` differ from those that the row registers.

    Bytes that were accepted because of their values stay valid as long as the row registers the same values.

    Parameters
    ----------
    row : Row
    source : dict
        The note of the bytes, ``source.json`` of the folder.
    folder, table : Path
        Where the bytes are, and the note of the table that was read from them.
    """
    if "absent" in source:  # the next run tries an absent set again in any case
        return False
    sizes = [Path(folder, "files", name).stat().st_size for name in row.names]
    known = zip(row.sha256, source["sha256"], sizes, strict=True)
    if all(registered in (digest, f"bytes:{size}", UNKNOWN) for registered, digest, size in known):
        return False
    return source["proof"] != "table_sha256" or _table_sha256(table) != row.table_sha256


def _table_sha256(note: Path):
    try:
        return read_note(note)["table_sha256"]
    except (FileNotFoundError, Damaged):
        return None


def outdated_table(row: Row, note: dict) -> bool:
    """Return whether a table has other values than the row registers, or was refused for what it registered then."""
    if note["table_sha256"] is None:
        return note["registered"] != row.table_sha256
    return row.table_sha256 not in ("", note["table_sha256"])


def reading_digest(row: Row) -> str:
    """Digest of the sources of the table of a row, for all readers that its file may need."""
    return source_digest("rankbench.datasets.build", *(READERS[name].module for name in readers_of(row)))
