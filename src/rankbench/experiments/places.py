"""Whether jobs can run where a checkout lies: one run at a time, and a line for each thing that is in the way."""

import fcntl
import os
import re
import sys
from pathlib import Path

from rankmargin.sources import cache_roots

LOCK = ".snakemake/run.lock"  # Snakemake's own, which is off, outlives a killed run; this one ends with its process


def hold(root="."):
    """Take the checkout for a run of its own; return the open lock, which ends with its file or process.

    Raises
    ------
    ValueError
        When another run has it.
    """
    path = Path(root, LOCK)
    path.parent.mkdir(exist_ok=True)
    held = path.open("a")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        raise ValueError("another run is going on in this folder: wait for its end or stop it") from None
    return held


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


def no_path_for_a_shell(python=sys.executable):
    """Yield a line if a shell takes the path of Python apart: Snakemake hands it to one as it is, for each job."""
    if re.search(r"[^A-Za-z0-9_./@%+=:,~\x80-\U0010ffff-]", python):
        what = "a blank, a bracket, a quote or the like"
        yield f"the path of this Python, {python}, holds {what}, with which no job could run: move it"
