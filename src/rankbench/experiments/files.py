"""Files that appear whole or not at all."""

import os
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from rankmargin.sources import cache_roots


@contextmanager
def aside(path):
    """Give the block a path beside `path` to write to; at its end that file is renamed, after an error removed."""
    path = Path(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def unwritable(folders, size=1 << 16):
    """Yield a line for each folder in which no file of `size` bytes can be written now: which one, and why.

    A log on a full disk stays empty, so that nobody else would tell.
    """
    for folder in map(Path, folders):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe.{os.getpid()}"
            try:
                probe.write_bytes(bytes(size))
            finally:
                probe.unlink(missing_ok=True)
        except OSError as error:
            yield f"{folder}: nothing can be written there: {error.strerror or error}"


def no_numba_cache():
    """Yield a line if no place can keep the compiled functions: each job would compile its own."""
    roots = cache_roots(os.environ.get("NUMBA_CACHE_DIR"))
    faults = [line for root in roots for line in unwritable([root], 1)]
    if len(faults) == len(roots):
        yield f"numba has no cache: {'; '.join(faults)}; set NUMBA_CACHE_DIR to a folder that can be written"


def write_text(path, text):
    """Write UTF-8 text."""
    with aside(path) as beside:
        beside.write_text(text, encoding="utf-8")


def write_arrays(path, **arrays):
    """Write arrays as one compressed .npz."""
    with aside(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, **arrays)


def read_arrays(path):
    """Return all arrays of an .npz as a dict."""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)
