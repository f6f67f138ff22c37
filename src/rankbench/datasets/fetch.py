"""Raw bytes of a data set: from a mirror, else from upstream; kept only if they are the registered ones."""

import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import quote

from rankbench.datasets.archive import read_members
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
    """What was kept, written beside it as ``source.json``: place, reader of its format, sha256 and what proved it.

    ``sha256`` of a set of several files is that of each, separated by blanks.
    """

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
        f"{row.name} ({row.title}): put the file into a folder as {' and '.join(row.files)} and name that folder in "
        f"the variable {VARIABLE} or under data.mirrors of config/config.yaml; upstream: "
        f"{' '.join(row.urls) or 'no URL is known'}"
    )


def fetch(row: Row, mirrors: Sequence[str], destination: Path, *, bounds=BOUNDS, retries: int = RETRIES) -> Source:
    """Put the registered bytes into the folder `destination` as ``data``, and where they came from as ``source.json``.

    A set that is made or bundled (no `file` in the sheet) needs no bytes: its ``data`` is empty. One of several files
    is kept as a zip archive; a mirror has the files one by one, a URL the archive.

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
        for number, (parts, reader) in enumerate(_places(row, mirrors)):
            path, place = Path(aside, str(number), "data"), " ".join(parts)
            path.parent.mkdir()
            try:
                _obtain_all(parts, path, bounds, retries)
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


def _places(row: Row, mirrors: Sequence[str]) -> list[tuple[list[str], str]]:
    """(places, reader) in the order of trial: of each file in a mirror, or of the whole at a URL.

    ``arff+https://...`` in the sheet names the reader of another format.
    """
    if not row.file:
        return [([""], row.reader)]
    places = []
    for mirror in mirrors:
        files = map(quote, row.files) if _is_url(mirror) else row.files
        places.append(([f"{mirror.rstrip('/')}/{file}" for file in files], row.reader))
    for url in row.urls:
        reader, url = re.fullmatch(r"(?:([a-z0-9_]+)\+)?(.*)", url).groups()
        places.append(([url], reader or row.reader))
    return places


def _is_url(place: str) -> bool:
    return place.startswith(("http://", "https://"))


def _obtain_all(places: Sequence[str], path: Path, bounds: BoundedDownloader, retries: int) -> None:
    """Put one place's file at `path`, or a zip archive of those of several places."""
    if len(places) == 1:
        _obtain(places[0], path, bounds, retries)
        return
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, place in enumerate(places):
            part = path.with_name(f"part{number}")
            try:
                _obtain(place, part, bounds, retries)
            except ValueError as error:
                raise ValueError(f"{place}: {error}") from error
            archive.write(part, place.rpartition("/")[2])


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
    came, size, head = _digests(row, path), path.stat().st_size, path.read_bytes()[:40]
    if not row.file or came == row.sha256:
        return Source(place, row.reader, came, "sha256" if row.file else "no file needed")
    wrong = f"expected sha256 {row.sha256}, got {came} ({size} bytes that begin with {head!r})"
    if not row.table_sha256:
        raise ValueError(f"{wrong}; no table_sha256 is registered to compare values")
    try:
        read_checked(path, row)
    except ValueError as error:
        raise ValueError(f"{wrong}; its values differ too: {str(error).replace(str(path), place)}") from error
    return Source(place, row.reader, came, "table_sha256")


def _digests(row: Row, path: Path) -> str:
    """sha256 of the bytes at `path`, or of each file of the row in the archive there, separated by blanks."""
    if len(row.files) <= 1:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    members = read_members(path, [file.rpartition("/")[2] for file in row.files])
    return " ".join(hashlib.sha256(content).hexdigest() for content in members.values())
