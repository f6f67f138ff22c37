"""`numba.njit` with a cache on disk that never runs stale machine code.

numba only compares the file of a function with its cached machine code. If a function calls a compiled function in
another file and that file is edited, numba would go on using the old code. Here all machine code is in one folder,
whose name is the digest of all files with compiled functions: an edit of one of them leads to another folder, and
undoing the edit leads back to the old one. Constants that compiled functions use are defined in such files too.
"""

import hashlib
import os
import shutil
import tempfile
import time
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

DAYS_KEPT = 7  # a folder that no process has used for this time is removed
HERE = Path(__file__).parent


def njit(function):
    """Return a function that numba compiles when it is called; the cache of its machine code depends on all sources.

    If no cache folder can be written, functions are compiled again in each process, with one RuntimeWarning.
    """
    import numba
    from numba import config

    if config.DISABLE_JIT or Locator.from_function(function, None) is None:
        return numba.njit(function)
    before, config.CACHE_LOCATOR_CLASSES = config.CACHE_LOCATOR_CLASSES, f"{__name__}.Locator"
    try:
        return numba.njit(cache=True)(function)
    finally:
        config.CACHE_LOCATOR_CLASSES = before


class Locator:
    """Shows numba where the machine code of a function is (a class for NUMBA_CACHE_LOCATOR_CLASSES)."""

    def __init__(self, function, folder):
        self.function, self.folder = function, folder
        self._py_file = function.__code__.co_filename  # numba names it where code cannot be cached (NUMBA_OPT=0)

    @classmethod
    def from_function(cls, function, file):
        """Return the locator of a function, or None if its code cannot be cached."""
        file = Path(function.__code__.co_filename)
        folder = _cache_folder(function.__module__.partition(".")[0], None if HERE in file.parents else file)
        return folder and cls(function, folder)

    def ensure_cache_path(self):
        self.folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self):
        return str(self.folder)

    def get_source_stamp(self):
        return self.folder.name

    def get_disambiguator(self):
        return f"{self.function.__module__}-{self.function.__code__.co_firstlineno}"


@cache
def _sources():
    """Return the contents of all files of this package with compiled functions."""
    contents = (file.read_bytes() for file in sorted(HERE.rglob("*.py")))
    return b"\0".join(content for content in contents if b"rankmargin.compiled import" in content)


@cache
def _cache_folder(package, other):
    """Return the first writable folder for compiled code, and create it if necessary; None if there is none. The code
    depends on this package, and on the file of a function of an ``other`` package, or None."""
    from numba import config

    roots = cache_roots(config.CACHE_DIR)
    digest = hashlib.sha256(_sources() + (other.read_bytes() if other else b"")).hexdigest()[:16]
    for root in roots:
        folder = root / f"{package}-{digest}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _tidy(folder, package)
        return folder
    warnings.warn(
        f"compiled code cannot be cached in {' or '.join(map(str, roots))}, so that functions are compiled again in "
        "each process; set NUMBA_CACHE_DIR to a writable folder",
        RuntimeWarning,
        stacklevel=4,
    )
    return None


def _tidy(folder, package):
    """Mark a folder as used today, and remove folders of the package that were not used for `DAYS_KEPT` days."""
    with suppress(OSError):  # it belongs to another user, or another process has removed it
        os.utime(folder)
        for other in folder.parent.glob(f"{package}-*"):
            if time.time() - other.stat().st_mtime > DAYS_KEPT * 86400:
                shutil.rmtree(other, ignore_errors=True)


def cache_roots(named=None):
    """Return the folders that may hold compiled code, the preferred one first.

    If `named`, the value of NUMBA_CACHE_DIR, is set, it is the only one; else ``__pycache__`` of this package and the
    cache of the user, if the user has a home.
    """
    if named:
        return [Path(named)]
    roots, users = [HERE / "__pycache__"], os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # neither HOME nor an entry of the user, as in a container with a bare user id
        roots.append(Path(users or Path.home() / ".cache", "numba"))
    return roots
