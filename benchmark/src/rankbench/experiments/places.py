"""Check that jobs can run in this checkout: only one run at a time, and one line for each problem that is found."""

import fcntl
from pathlib import Path
from tempfile import TemporaryFile

LOCK = ".snakemake/run.lock"  # Snakemake's own lock is off, because it outlives a killed run; this one does not


def hold(root="."):
    """Lock the checkout for one run; return the open lock file. The lock ends when the file is closed or the
    process ends.

    Raises
    ------
    ValueError
        When another run holds the lock.
    """
    path = Path(root, LOCK)
    path.parent.mkdir(parents=True, exist_ok=True)
    held = path.open("a", encoding="utf-8")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        held.close()
        raise ValueError("another run is active in this folder: wait until it ends, or stop it") from None
    return held


def unwritable(folders, size=1 << 16):
    """Yield one line for each folder in which no file of `size` bytes can be written: which folder, and why.

    On a full disk the logs stay empty, so that the reason would be seen nowhere else.
    """
    for folder in map(Path, folders):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder) as probe:
                probe.write(bytes(size))
        except OSError as error:
            yield f"{folder}: cannot be written: {error.strerror or error}"
