"""Get the raw bytes of a data set from a mirror, the repository or the publisher, and keep only registered bytes."""

import logging
import lzma
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from urllib.parse import quote

import pooch

from rankbench.datasets.build import UNFIT
from rankbench.datasets.sheet import Row
from rankbench.records.files import sha256_of, write_note
from rankbench.records.home import DATA

VARIABLE = "RANKBENCH_MIRROR"
TIMEOUT = 20  # seconds to wait for the connection and for each piece
RETRIES = 2  # after a download that failed
pooch.get_logger().setLevel(logging.WARNING)  # otherwise it prints one line per try; the error has the last reason
UNKNOWN = "unknown"  # registered for a file that we have never had
PACKAGED = "package:"  # begins the URL of a file of an installed package
ARCHIVED = ".zip!"  # between the URL of an archive and the name of a file in it
PACKED = ".xz"  # ending of a packed file in a folder


class FetchError(Exception):
    """No source gave the registered data; the message lists every source with its reason and says what to do."""


@dataclass(frozen=True)
class Source:
    """Where the kept files came from, and their sha256.

    It is written as ``source.json`` beside the files.
    """

    places: tuple[str, ...]
    sha256: tuple[str, ...]

    def __str__(self) -> str:
        """Say where each file came from and its sha256."""
        files = [f"{place} sha256 {digest}" for place, digest in zip(self.places, self.sha256, strict=True)]
        return "; ".join(files or ["made here"])


def mirrors_from(configured: Sequence[str], environment: Mapping[str, str] = os.environ) -> list[str]:
    """Return the mirrors in the order of trial: of the variable RANKBENCH_MIRROR, of the configuration, the repository.

    In the variable several mirrors are separated by ``;`` on every system, because ``:`` is part of every URL.
    """
    named = [part.strip() for part in environment.get(VARIABLE, "").split(";")]
    return [mirror for mirror in (*named, *configured, str(DATA)) if mirror]


def absolute(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variable RANKBENCH_MIRROR, if it is set, with whole paths of folders, for a run in another folder."""
    named = [part.strip() for part in environment.get(VARIABLE, "").split(";") if part.strip()]
    return {VARIABLE: ";".join(map(whole, named))} if named else {}


def whole(mirror: str, root: str | Path = ".") -> str:
    """Return a mirror with the whole path if it is a folder, which may be named from ``root``."""
    return mirror if _is_url(mirror) else os.path.abspath(os.path.join(root, mirror))


def how_to_provide(row: Row) -> str:
    """Say where the set comes from and how to provide it by hand."""
    what = f"the file into a folder as {row.file[0]}" if len(row.file) == 1 else f"into a folder {', '.join(row.file)}"
    return (
        f"{row.name} ({row.title}): put {what} and name that folder in the variable "
        f"{VARIABLE} or under data.mirrors of config/config.yaml; upstream: {' '.join(row.urls) or 'no URL is known'}"
    )


def keep_absence(row: Row, destination: Path, reason: str) -> None:
    """Write into the folder of a set that no source has it, with the reason."""
    shutil.rmtree(Path(destination, "files"), ignore_errors=True)
    Path(destination, "files").mkdir(parents=True)
    write_note(Path(destination, "source.json"), [], task=row.pins, absent=reason)


def fetch(row: Row, mirrors: Sequence[str], destination: Path) -> Source:
    """Put the registered bytes into ``files`` of the folder `destination`, and their origin into ``source.json``.

    All files of a set come from the same source. A set that is made or bundled (no `file` in the sheet) needs no bytes:
    its folder ``files`` is empty.

    Parameters
    ----------
    row : Row
        The set.
    mirrors : sequence of str
        Folders or http(s) URLs that may hold ``row.file``. They are tried in this order, before ``row.urls``. A folder
        may hold the file packed, as ``{file}.xz``.
    destination : Path
        Folder; it is made if it does not exist. If nothing can be fetched, its content stays as it was.

    Returns
    -------
    Source

    Raises
    ------
    FetchError
        If no source gave bytes with the registered sha256.
    """
    destination = Path(destination)
    destination.mkdir(parents=True, exist_ok=True)
    reasons = []
    with tempfile.TemporaryDirectory(dir=destination.parent, prefix=f".{row.name}-") as aside:
        for number, places in enumerate(_sources(row, mirrors)):
            files = Path(aside, str(number), "files")
            files.mkdir(parents=True)
            try:
                for place, name in zip(places, row.names, strict=True):
                    _obtain(place, files / name)
                source = Source(places, _proven(row, places, files))
            except (OSError, ValueError) as error:
                reasons.append(f"  {error}")
                continue
            _keep(row, files, source, destination)
            return source
    tried = "\n".join(reasons or ["  no mirror is configured and the sheet has no URL"])
    raise FetchError(f"{row.name}: no source gave the registered data\n{tried}\n{how_to_provide(row)}")


def _sources(row: Row, mirrors: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the places of all files for each source, in the order of trial.

    A URL that ends in ``/`` is that of a folder. If a set has several files, a URL that ends in ``.zip`` is that of an
    archive: ``{url}!{name}``.
    """
    if not row.file:
        return [()]
    of_mirrors = [tuple(_in_mirror(mirror.rstrip("/"), file) for file in row.file) for mirror in mirrors]
    return [*of_mirrors, *(tuple(_place(url, name, len(row.names)) for name in row.names) for url in row.urls)]


def _in_mirror(mirror: str, file: str) -> str:
    """Return the URL of a file, its path in a folder, or the path of the packed file if only that exists."""
    if _is_url(mirror):
        return f"{mirror}/{quote(file)}"
    plain = f"{mirror}/{file}"
    return plain + PACKED if os.path.isfile(plain + PACKED) and not os.path.isfile(plain) else plain


def _place(url: str, name: str, n_files: int) -> str:
    if url.endswith("/"):
        return url + quote(name)
    return f"{url}!{name}" if n_files > 1 else url


def _in_package(place: str) -> Path:
    """Return the path of a file of an installed package, which is not imported."""
    package, _, file = place.removeprefix(PACKAGED).partition("/")
    name, _, version = package.partition("==")
    try:
        installed = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise ValueError(f"{name} is not installed: pip install {package}") from None
    if installed.version != version:
        raise ValueError(f"{name} {installed.version} is installed: pip install {package}")
    return Path(installed.locate_file(file))


def _is_url(place: str) -> bool:
    return place.startswith(("http://", "https://"))


def _obtain(place: str, path: Path) -> None:
    """Copy or download `place` to `path`; errors name the place."""
    try:
        if _is_url(place) and ARCHIVED in place:
            url, _, member = place.rpartition("!")
            archive = path.with_name(f".{path.name}.zip")
            _obtain(url, archive)
            _extract(archive, member, path)
            archive.unlink()
        elif _is_url(place):
            registry = pooch.Pooch(path.parent, "", {path.name: None}, {path.name: place}, retry_if_failed=RETRIES)
            registry.fetch(path.name, downloader=pooch.HTTPDownloader(timeout=TIMEOUT))
        elif place.startswith(PACKAGED):
            shutil.copyfile(_in_package(place), path)
        elif Path(place).name == path.name + PACKED:
            path.write_bytes(lzma.decompress(Path(place).read_bytes()))
        else:
            shutil.copyfile(place, path)
    except (OSError, ValueError, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise ValueError(f"{place}: {error}") from error


def _extract(archive: Path, name: str, path: Path) -> None:
    """Write the only file of that name, from any folder of the archive, to `path`."""
    with zipfile.ZipFile(archive) as opened:
        members = [member for member in opened.namelist() if member.rpartition("/")[2] == name]
        if len(members) != 1:
            raise ValueError(f"expected one file {name} in the archive, got {len(members)}")
        path.write_bytes(opened.read(members[0]))


def _proven(row: Row, places: tuple[str, ...], files: Path) -> tuple[str, ...]:
    """Return the sha256 of the files; refuse one whose sha256 is not registered."""
    came = tuple(sha256_of(files / name) for name in row.names)
    for place, name, digest, registered in zip(places, row.names, came, row.sha256, strict=True):
        if registered not in (digest, UNKNOWN):
            content = (files / name).read_bytes()
            begin = f"({len(content)} bytes that begin with {content[:40]!r})"
            unfit = "" if _is_url(place) else f"{UNFIT}, "
            raise ValueError(f"{place}: {unfit}expected sha256 {registered}, got {digest} {begin}")
    return came


def _keep(row: Row, files: Path, source: Source, destination: Path) -> None:
    """Move proven files to their destination, replace what is there, and write their ``source.json``."""
    note = destination / "source.json"
    note.unlink(missing_ok=True)
    shutil.rmtree(destination / "files", ignore_errors=True)
    os.replace(files, destination / "files")
    write_note(note, [destination / "files" / name for name in row.names], task=row.pins, **asdict(source))
