"""`numba.njit` with a cache on disk that never runs stale machine code.

numba only compares the file of a function with its cached machine code. If a function calls a compiled function in
another file and that file is edited, numba would go on using the old code. Here all machine code is in one folder,
whose name is the digest of all files with compiled functions: an edit of one of them leads to another folder, and
undoing the edit leads back to the old one. Constants that compiled functions use are defined in such files too.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import time
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

DAYS_KEPT = 7  # a folder that no process has used for this time is removed
_edited: list[Path] = []  # files that changed before they were imported: from then on nothing is kept


def njit(**options):
    """Return the decorator ``numba.njit(**options)``; with ``cache=True`` its cache depends on all sources.

    If no cache folder can be written, functions are compiled again in each process, with one RuntimeWarning.
    """
    import numba
    from numba import config

    def compile_lazily(function):
        if not options.get("cache") or config.DISABLE_JIT:
            return numba.njit(**options)(function)
        if Locator.from_function(function, None) is None:
            return numba.njit(**{**options, "cache": False})(function)
        before, config.CACHE_LOCATOR_CLASSES = config.CACHE_LOCATOR_CLASSES, f"{__name__}.Locator"
        try:
            return numba.njit(**options)(function)
        finally:
            config.CACHE_LOCATOR_CLASSES = before

    return compile_lazily


class Locator:
    """Shows numba where the machine code of a function is (a class for NUMBA_CACHE_LOCATOR_CLASSES)."""

    def __init__(self, function, folder):
        self.function, self.folder = function, folder
        self._py_file = function.__code__.co_filename  # numba names it where code cannot be cached (NUMBA_OPT=0)

    @classmethod
    def from_function(cls, function, file):
        """Return the locator of a function, or None if its code must not or cannot be cached.

        A process that runs during an edit must not leave its old code in the cache for later processes.
        """
        file, sources = Path(function.__code__.co_filename).resolve(), _sources(function.__module__.partition(".")[0])
        if file not in sources:
            return None
        if file.read_bytes() != sources[file]:
            _edited.append(file)
        folder = None if _edited else _cache_folder(function.__module__.partition(".")[0])
        return folder and cls(function, folder)

    def ensure_cache_path(self):
        self.folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self):
        return str(self.folder)

    def get_source_stamp(self):
        return self.folder.name

    def get_disambiguator(self):
        return f"{self.function.__module__}-{self.function.__code__.co_firstlineno}"


def _sources(package):
    """Return the files with compiled functions of this package and of another one, with their bytes."""
    return {**_files_of(__package__), **_files_of(package)}


@cache
def _files_of(package):
    """Return the files of a package, or of a module, that name this one, with their bytes when they were first read.

    Their names are no part of a digest: numba names the code after the module.
    """
    module = sys.modules[package]
    files = [file for folder in getattr(module, "__path__", ()) for file in sorted(Path(folder).rglob("*.py"))]
    read = {
        file.resolve(): file.read_bytes() for file in files or [Path(getattr(module, "__file__", None) or __file__)]
    }
    return {file: content for file, content in read.items() if b"rankmargin.compiled import" in content}


@cache
def _cache_folder(package):
    """Return the first writable folder for compiled code, and create it if necessary; None if there is none."""
    from numba import config

    roots = cache_roots(config.CACHE_DIR)
    digest = hashlib.sha256(b"\0".join(_sources(package).values())).hexdigest()[:16]
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
    roots, users = [Path(__file__).with_name("__pycache__")], os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # neither HOME nor an entry of the user, as in a container with a bare user id
        roots.append(Path(users or Path.home() / ".cache", "numba"))
    return roots
