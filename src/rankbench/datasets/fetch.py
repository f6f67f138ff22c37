"""Raw bytes of a data set: from a mirror, else from upstream; kept only if they are the registered ones."""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import quote

from rankbench.datasets.build import read_checked
from rankbench.datasets.download import BoundedDownloader, Refused, download
from rankbench.datasets.sheet import Row

VARIABLE = "RANKBENCH_MIRROR"
BOUNDS = BoundedDownloader(max_bytes=32 * 2**20, max_seconds=300, timeout=20)
RETRIES = 2


class FetchError(Exception):
    """No source gave the registered data; the message lists every source with its reason and says what to do."""


@dataclass(frozen=True)
class Source:
    """What was kept, written beside it as ``source.json``: place, reader of its format, sha256 and what proved it."""

    place: str
    reader: str
    sha256: str
    proof: str


def mirrors_from(configured: Sequence[str], environment: Mapping[str, str] = os.environ) -> list[str]:
    """Mirrors in the order they are tried: those of the variable RANKBENCH_MIRROR, then the configured ones.

    Several in the variable are separated by ``;`` on every system: ``:`` is part of every URL.
    """
    named = [part.strip() for part in environment.get(VARIABLE, "").split(";")]
    return [mirror for mirror in (*named, *configured) if mirror]


def missing(row: Row) -> str:
    """Say where the set comes from and how to provide it by hand."""
    return (
        f"{row.name} ({row.title}): put the file into a folder as {row.file} and name that folder in the variable "
        f"{VARIABLE} or under data.mirrors of config/config.yaml; upstream: {' '.join(row.urls) or 'no URL is known'}"
    )


def fetch(row: Row, mirrors: Sequence[str], destination: Path, *, bounds=BOUNDS, retries: int = RETRIES) -> Source:
    """Put the registered bytes into the folder `destination` as ``data``, and where they came from as ``source.json``.

    A set that is made or bundled (no `file` in the sheet) needs no bytes: its ``data`` is empty.

    Parameters
    ----------
    row : Row
        The set.
    mirrors : sequence of str
        Folders or http(s) URLs under which ``row.file`` may lie; tried in order, before ``row.urls``.
    destination : Path
        Folder, made if absent. A failed fetch leaves what it holds as it was.
    bounds : BoundedDownloader
        Size and time a source may take.
    retries : int
        Further tries after a failed connection.

    Returns
    -------
    Source

    Raises
    ------
    FetchError
        If no source gave bytes with the registered sha256 or the registered values.
    """
    destination = Path(destination)
    destination.mkdir(parents=True, exist_ok=True)
    reasons = []
    with tempfile.TemporaryDirectory(dir=destination.parent, prefix=f".{row.name}-") as aside:
        for number, (place, reader) in enumerate(_places(row, mirrors)):
            path = Path(aside, str(number), "data")
            path.parent.mkdir()
            try:
                _obtain(place, path, bounds, retries)
                source = _prove(replace(row, reader=reader), place, path)
            except (OSError, ValueError, Refused) as error:
                reasons.append(f"  {place}: {error}")
                continue
            (path.parent / "source.json").write_text(json.dumps(asdict(source), indent=2) + "\n", encoding="utf-8")
            for name in ("data", "source.json"):
                os.replace(path.parent / name, destination / name)
            return source
    tried = "\n".join(reasons or ["  no mirror is named and the sheet has no URL"])
    raise FetchError(f"{row.name}: no source gave the registered data\n{tried}\n{missing(row)}")


def _places(row: Row, mirrors: Sequence[str]) -> list[tuple[str, str]]:
    """(place, reader) in the order of trial; ``arff+https://...`` in the sheet names the reader of another format."""
    if not row.file:
        return [("", row.reader)]
    places = []
    for mirror in mirrors:
        file = quote(row.file) if _is_url(mirror) else row.file
        places.append((f"{mirror.rstrip('/')}/{file}", row.reader))
    for url in row.urls:
        reader, url = re.fullmatch(r"(?:([a-z0-9_]+)\+)?(.*)", url).groups()
        places.append((url, reader or row.reader))
    return places


def _is_url(place: str) -> bool:
    return place.startswith(("http://", "https://"))


def _obtain(place: str, path: Path, bounds: BoundedDownloader, retries: int) -> None:
    """Copy or download `place` to `path`."""
    if not place:
        path.touch()
    elif _is_url(place):
        download(place, path, bounds, retries)
    elif not Path(place).is_file():
        raise ValueError("no such file")
    elif (size := Path(place).stat().st_size) > bounds.max_bytes:
        raise ValueError(f"{size} bytes, more than {bounds.max_bytes}")
    else:
        shutil.copyfile(place, path)


def _prove(row: Row, place: str, path: Path) -> Source:
    """Accept the bytes at `path` by their sha256 or, in another format or dress, by the digest of their values."""
    content = path.read_bytes()
    came = hashlib.sha256(content).hexdigest()
    if not row.file or came == row.sha256:
        return Source(place, row.reader, came, "sha256" if row.file else "no file needed")
    wrong = f"expected sha256 {row.sha256}, got {came} ({len(content)} bytes that begin with {content[:40]!r})"
    if not row.table_sha256:
        raise ValueError(f"{wrong}; no table_sha256 is registered to compare values")
    try:
        read_checked(path, row)
    except ValueError as error:
        raise ValueError(f"{wrong}; its values differ too: {str(error).replace(str(path), place)}") from error
    return Source(place, row.reader, came, "table_sha256")
