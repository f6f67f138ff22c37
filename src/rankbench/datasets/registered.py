"""Compare the kept files and table of a data set with its row of the sheet, without reading the data again."""

from pathlib import Path

from rankbench.datasets.fetch import UNKNOWN
from rankbench.datasets.readers import readers_of
from rankbench.datasets.sheet import Row
from rankbench.experiments.files import read_note
from rankmargin.sources import source_digest


def outdated_files(row: Row, folder: Path, digests: Path) -> bool:
    """Return whether the bytes kept in `folder` differ from those that the row registers.

    Bytes that were accepted because of their values stay valid as long as the row registers the same values, whose
    digest is in `digests`.
    """
    kept = _note(Path(folder, "source.json"))
    if kept is None or "absent" in kept:  # the next run tries an absent set again in any case
        return False
    sizes = [Path(folder, "files", name).stat().st_size for name in row.names]
    known = zip(row.sha256, kept["sha256"], sizes, strict=True)
    if all(registered in (digest, f"bytes:{size}", UNKNOWN) for registered, digest, size in known):
        return False
    return kept["proof"] != "table_sha256" or (_note(digests) or {}).get("table_sha256") != row.table_sha256


def outdated_table(row: Row, digests: Path) -> bool:
    """Return whether a table has other values than the row registers, or was refused for what it registered then."""
    kept = _note(digests)
    if kept is None:
        return False
    if kept["table_sha256"] is None:
        return kept["registered"] != row.table_sha256
    return row.table_sha256 not in ("", kept["table_sha256"])


def reading_digest(row: Row) -> str:
    """Digest of the sources of the table of a row, for all readers that its file may need."""
    return source_digest(
        "rankbench.datasets.build", *(f"rankbench.datasets.readers.{name}" for name in readers_of(row))
    )


def _note(path: Path):
    """Return what `write_note` wrote; None if there is no such file."""
    return read_note(path) if Path(path).exists() else None
