"""Check that jobs can run in this checkout: only one run at a time, and one line for each problem that is found."""

import fcntl
import os
import platform
import re
import sys
import time
from pathlib import Path

from rankmargin.compiled import cache_roots

LOCK = ".snakemake/run.lock"  # Snakemake's own lock is off, because it outlives a killed run; this one does not


def hold(root="."):
    """Lock the checkout for one run; return the open lock file, which says who holds it since when. The lock ends when
    the file is closed or the process ends.

    Raises
    ------
    ValueError
        When another run holds the lock.
    """
    path = Path(root, LOCK)
    path.parent.mkdir(parents=True, exist_ok=True)
    held = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.seek(0)
        who = held.read().strip()
        held.close()
        raise ValueError(
            f"another run is active in this folder{who and f' ({who})'}: wait until it ends, or stop it"
        ) from None
    held.truncate(0)
    held.write(f"process {os.getpid()} on {platform.node()}, since {time.strftime('%Y-%m-%d %H:%M:%S')}\n")
    held.flush()
    return held


def unwritable(folders, size=1 << 16):
    """Yield one line for each folder in which no file of `size` bytes can be written: which folder, and why.

    On a full disk the logs stay empty, so that the reason would be seen nowhere else.
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
            yield f"{folder}: cannot be written: {error.strerror or error}"


def no_numba_cache():
    """Yield a line if the compiled functions can be cached nowhere: every job would compile them again."""
    roots = cache_roots(os.environ.get("NUMBA_CACHE_DIR"))
    faults = [line for root in roots for line in unwritable([root], 1)]
    if len(faults) == len(roots):
        yield f"numba has no cache: {'; '.join(faults)}; set NUMBA_CACHE_DIR to a writable folder"


def no_path_for_a_shell(python=sys.executable):
    """Yield a line if a shell splits the path of Python: Snakemake passes it to a shell without quotes for each job."""
    if re.search(r"[^A-Za-z0-9_./@%+=:,~\x80-\U0010ffff-]", python):
        what = "a blank, a bracket, a quote or the like"
        yield f"the path of this Python, {python}, holds {what}, which jobs cannot handle: move it"
