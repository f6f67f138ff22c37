"""Write files so that they appear whole or not at all, and notice when a file is no longer what was written."""

import hashlib
import json
import os
import zipfile
import zlib
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

MARK = ".is-damaged"


class Damaged(ValueError):
    """A file is not what was written; the message names it."""


def damaged(path, why, *others):
    """Mark a damaged file and the files that were made together with it; return the error to raise.

    The file stays in its place, because other jobs may be waiting for it: `set_aside` renames it before the next run.
    """
    for file in map(Path, (path, *others)):
        with suppress(OSError):
            file.with_name(file.name + MARK).touch()
    return Damaged(f"{path}: damaged ({' '.join(str(why).split())}); the same command makes it again")


def marked(folders):
    """Return the marks of damaged files in these folders and their subfolders."""
    return sorted({mark for folder in map(Path, folders) for mark in folder.rglob(f"*{MARK}")})


def set_aside(folders):
    """Rename the files in these folders that are marked as damaged; return their names."""
    found = marked(folders)
    for mark in found:
        file = mark.with_name(mark.name.removesuffix(MARK))
        if file.exists():
            file.replace(file.with_name(f"{file.name}.damaged"))
        mark.unlink()
    return [str(mark).removesuffix(MARK) for mark in found]


@contextmanager
def aside(path):
    """Yield a temporary path in the same folder; at the end of the block it is renamed to `path`, or removed after an
    error."""
    path = Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        with beside.open("rb") as file:  # if it were renamed before its bytes are on the disk, a power cut empties it
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_bytes(path, content):
    """Write bytes."""
    with aside(path) as beside:
        beside.write_bytes(content)


def write_text(path, text):
    """Write UTF-8 text."""
    write_bytes(path, text.encode("utf-8"))


def write_sealed(path, content):
    """Write bytes and their :func:`seal`; the old sha256 goes first, so that nobody holds it against the new bytes."""
    _seal_of(path).unlink(missing_ok=True)
    write_bytes(path, content)
    seal(path)


def seal(path):
    """Flush a written file to the disk, and write the sha256 of its bytes to a hidden file in the same folder."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        content = file.read()
    write_text(_seal_of(path), hashlib.sha256(content).hexdigest() + "\n")


def read_sealed(path):
    """Return the bytes of a sealed file; a file that was copied without its sha256 is not checked.

    A run may write the file at the same time: then the bytes are read again.

    Raises
    ------
    Damaged
    """
    beside, before = _seal_of(path), None
    try:
        while (content := Path(path).read_bytes()) != before:
            if _matches(beside, content):
                return content
            before = content
    except FileNotFoundError:
        raise
    except OSError as error:
        raise damaged(path, error.strerror, beside) from error
    raise damaged(path, "other bytes than were written", beside)


def _matches(beside, content):
    """Return whether bytes have the sha256 in a file, or there is no such file."""
    try:
        return beside.read_text(errors="replace").strip() == hashlib.sha256(content).hexdigest()
    except FileNotFoundError:
        return True


def is_sealed(path):
    """Return whether a file has its sha256 in the same folder."""
    return _seal_of(path).exists()


def _seal_of(path):
    return Path(path).with_name(f".{Path(path).name}.sha256")


def write_note(path, values):
    """Write a dict as JSON, with the sha256 of all other entries under ``digest``."""
    write_text(path, json.dumps({**values, "digest": _digest(values)}, indent=2) + "\n")


def read_note(path, *others):
    """Return the dict that `write_note` wrote; one without a digest is not checked.

    Raises
    ------
    Damaged
        When it is not what was written. The files `others`, which were made together with it, are marked too.
    """
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (ValueError, OSError) as error:
        raise damaged(path, f"no note: {type(error).__name__}", *others) from error
    if not isinstance(values, dict) or not values:
        raise damaged(path, "no note", *others)
    if values.pop("digest", digest := _digest(values)) != digest:
        raise damaged(path, "other values than were written", *others)
    return values


def _digest(values):
    told = {name: value for name, value in values.items() if name != "digest"}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def write_arrays(path, **arrays):
    """Write arrays to one compressed .npz file."""
    with aside(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, **arrays)


def read_arrays(path):
    """Return all arrays of an .npz file as a dict; the CRC-32 of each array is checked.

    Raises
    ------
    Damaged
    """
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as arrays:
            return dict(arrays)
    except FileNotFoundError:
        raise
    except (ValueError, KeyError, EOFError, OSError, RuntimeError, zipfile.BadZipFile, zlib.error) as error:
        told = error if isinstance(error, zipfile.BadZipFile | zlib.error) else f"no arrays: {type(error).__name__}"
        raise damaged(path, told) from error
