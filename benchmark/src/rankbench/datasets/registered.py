"""Compare the kept files and table of a data set with its row of the sheet, without reading the data again."""

from pathlib import Path

from rankbench.datasets.fetch import UNKNOWN
from rankbench.datasets.readers import readers_of
from rankbench.datasets.sheet import Row
from rankbench.experiments.files import Damaged, read_note
from rankbench.registry import READERS
from rankbench.sources import source_digest


def fault_of_files(row: Row, source: dict, folder: Path, table: Path) -> str:
    """Return why the bytes kept in `folder` are fetched again; the empty string if they are those of the row.

    Bytes that were accepted because of their values stay valid as long as the row registers the same values.

    Parameters
    ----------
    row : Row
    source : dict
        The note of the bytes, ``source.json`` of the folder.
    folder, table : Path
        Where the bytes are, and the note of the table that was read from them.
    """
    if "absent" in source:
        return "no source had it before"
    sizes = [Path(folder, "files", name).stat().st_size for name in row.names]
    known = zip(row.sha256, source["sha256"], sizes, strict=True)
    same_bytes = all(registered in (digest, f"bytes:{size}", UNKNOWN) for registered, digest, size in known)
    same_values = source["proof"] == "table_sha256" and _table_sha256(table) == row.table_sha256
    return "" if same_bytes or same_values else "the sheet registers different bytes"


def _table_sha256(note: Path):
    try:
        return read_note(note)["table_sha256"]
    except (FileNotFoundError, Damaged):
        return None


def fault_of_table(row: Row, note: dict) -> str:
    """Return why a table is read again: it has other values than the row registers, or was refused for what it
    registered then; the empty string if it is not."""
    refused = note["table_sha256"] is None
    same = note["registered"] == row.table_sha256 if refused else row.table_sha256 in ("", note["table_sha256"])
    return "" if same else "the sheet registers different values"


def reading_digest(row: Row) -> str:
    """Digest of the sources of the table of a row, for all readers that its file may need."""
    return source_digest("rankbench.datasets.build", *(READERS[name].module for name in readers_of(row)))
