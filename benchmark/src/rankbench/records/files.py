"""Files appear whole or not at all, and a note beside a file says what it is.

The note of ``summary.csv`` is ``summary.json``. It describes all files of that stem, which one job made: their place
in the checkout, the task of the job, the stamps of what it read (`rankbench.experiments.stamps`), the sha256 of every
file that it made, the commit, the machine and the versions. Whoever reads a file refuses one that is damaged or was
made for another task, and names the command that removes it.
"""

import hashlib
import io
import json
import os
import re
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .provenance import made_by

ROOTS = ("results", "resources")  # the folders of a checkout in which files have notes


def cure(names):
    """Return what to do about files of these experiments that are refused."""
    return f"`rankbench tidy {' '.join(names)}` removes it, and the same command makes it again"


class Damaged(ValueError):
    """A file is not what was written, or not what is asked for now; the message names it, ``why`` says why."""

    def __init__(self, path, why):
        of = re.findall("(?:^|/)results/([a-z0-9_]+)/", str(path))[-1:]
        super().__init__(f"{path}: {why}; {cure(of or ['EXPERIMENT'])}")
        self.why = why


def damaged(path, why):
    """Return the error to raise when a file is not what was written."""
    return Damaged(path, f"damaged ({' '.join(str(why).split())})")


# Writing


@contextmanager
def aside(path):
    """Yield a temporary path in the same folder; at the end of the block it is renamed to `path`, or removed after an
    error. The note of the old file is removed first, so that nobody compares it with the new bytes.

    Nothing waits for the disk: a file that a power cut empties does not fit its note, and is made again.
    """
    path = Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        if (note := note_of(path)) != path:
            note.unlink(missing_ok=True)
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


def write_arrays(path, **arrays):
    """Write arrays to one compressed .npz file."""
    with aside(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, **arrays)


# Notes


def note_of(path):
    """Return the path of the note of a file."""
    return Path(path).with_suffix(".json")


def place_of(path):
    """Return the place of a file below ``results`` or ``resources`` of a checkout, without its ending; the empty string
    for a file that lies elsewhere."""
    parts = Path(path).with_suffix("").parts
    last = max((at for at, part in enumerate(parts[:-1]) if part in ROOTS), default=len(parts))
    return "/".join(parts[last + 1 :])


def write_note(path, files, *, task, read=None, packages=(), **values):
    """Write the note of what a job made; it comes after the files themselves.

    Parameters
    ----------
    path : path
        Of the note; it ends in ``.json``.
    files : sequence of path
        What the job made, in the folder of the note or below it.
    task : dict
        What the job was asked to do, in plain values.
    read : dict of str to str, optional
        Name -> stamp of each file that the job read, see `rankbench.experiments.stamps`.
    packages : sequence of str
        Packages whose versions matter, see `rankbench.records.provenance.versions`.
    **values : JSON
        Further values that the note keeps.
    """
    folder = Path(path).parent
    note = {
        "place": place_of(path),
        "task": task,
        "read": read or {},
        "files": {Path(file).relative_to(folder).as_posix(): sha256_of(file) for file in files},
        "made_by": made_by(packages),
        **values,
    }
    write_values(path, note)


def read_note(path):
    """Return the note that `write_note` wrote.

    Raises
    ------
    Damaged
        If it is not what was written, or lies in another place than it was written for.
    """
    note = read_values(path)
    if (place := place_of(path)) and place != note["place"]:
        raise damaged(path, f"it describes {note['place']}")
    return note


def write_values(path, values):
    """Write a dict as JSON, with the sha256 of all other entries as the last one, ``digest``."""
    write_text(path, json.dumps({**values, "digest": _digest(values)}, ensure_ascii=False, allow_nan=False) + "\n")


def read_values(path):
    """Return the dict that `write_values` wrote, with its ``digest``.

    Raises
    ------
    Damaged
    """
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))
        digest = values.pop("digest")
    except FileNotFoundError:
        raise
    except (ValueError, OSError, KeyError, TypeError, AttributeError) as error:
        raise damaged(path, f"no note: {type(error).__name__}") from error
    if digest != _digest(values):
        raise damaged(path, "its values changed since it was written")
    return {**values, "digest": digest}


def _digest(values):
    return sha256(json.dumps(values, ensure_ascii=False).encode())


def sha256(content):
    """Return the sha256 of bytes, as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def sha256_of(path):
    """Return the sha256 of the bytes of a file."""
    return sha256(Path(path).read_bytes())


def digests(paths, root="."):
    """Return path from the checkout `root` -> sha256 for those of some files that exist."""
    return {os.path.relpath(path, root): sha256_of(path) for path in paths if Path(path).is_file()}


def stamp(task, read):
    """Return the digest of what a job is asked to do and of the stamps of what it reads, 16 hexadecimal digits."""
    return sha256(json.dumps([task, read], sort_keys=True).encode())[:16]


def stamp_of(path):
    """Return the stamp with which a file was made; of a file without a note, such as a user's own table or a printed
    number, the digest of its bytes; an empty text if there is no file."""
    try:
        note = read_note(note_of(path))
        return stamp(note["task"], note["read"])
    except FileNotFoundError:
        return sha256_of(path)[:16] if Path(path).exists() else ""


def require(wanted):
    """Refuse files that were made for another task than they are asked for now: path -> stamp.

    Raises
    ------
    Damaged
    """
    for path, asked in wanted.items():
        if stamp_of(path) != asked:
            raise Damaged(path, "made for a different task or from other versions of its files")


def changed(path, note):
    """Return which of the files that a note at `path` describes is not as it was written; one that is not there is
    left to Snakemake."""
    files = {Path(path).parent / name: digest for name, digest in note["files"].items()}
    wrong = [file.name for file, digest in files.items() if file.exists() and sha256_of(file) != digest]
    return f"damaged ({', '.join(wrong)} changed since it was written)" if wrong else ""


def remove(note):
    """Remove a note and the files beside it that it describes."""
    for file in Path(note).parent.glob(f"{Path(note).stem}.*"):
        file.unlink(missing_ok=True)


# Reading


def read_bytes(path):
    """Return the bytes of a file, which must be those of its note; a file without a note is not checked.

    Raises
    ------
    Damaged
    """
    content, note = Path(path).read_bytes(), note_of(path)
    if note.exists() and read_note(note)["files"].get(Path(path).name) != sha256(content):
        raise damaged(path, "changed since it was written")
    return content


def read_arrays(path):
    """Return all arrays of an .npz file as a dict.

    Raises
    ------
    Damaged
    """
    with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as arrays:
        return dict(arrays)
