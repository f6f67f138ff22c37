"""`numba.njit` with a cache on disk that never runs stale machine code.

numba only compares the file of a function with its cached machine code. If a function calls a compiled function in
another file and that file is edited, numba would go on using the old code. Here the cache of a module is in a folder
whose name contains the digest of all source files that the module uses: an edit leads to another folder, and undoing
the edit leads back to the old folder.
"""

import os
import shutil
import tempfile
import time
import warnings
from functools import cache

import numba
from numba import config

from rankmargin.sources import PACKAGES, cache_roots, closure, content_of, source_digest, source_of

DAYS_KEPT = 7  # a folder that no process has used for this time is removed
_edited: set[str] = set()  # modules whose source changed before they were imported: no code that uses them is cached


def njit(**options):
    """Return the decorator ``numba.njit(**options)``; with ``cache=True`` its cache depends on all sources.

    If no cache folder can be written, functions are compiled again in each process, with one RuntimeWarning.
    """

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
        """Return the locator of a function, or None if its code must not or cannot be cached."""
        module = function.__module__
        if not is_as_on_disk(module):
            return None
        folder = _cache_folder(module)
        return folder and cls(function, folder)

    def ensure_cache_path(self):
        self.folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self):
        return str(self.folder)

    def get_source_stamp(self):
        return self.folder.name

    def get_disambiguator(self):
        return str(self.function.__code__.co_firstlineno)


def is_as_on_disk(module):
    """Return whether the files of a module that was just imported, and of all modules that it uses, are unchanged.

    A process that runs during an edit must not leave its old code in the cache for later processes.
    """
    if module.split(".")[0] not in PACKAGES or source_of(module) is None:
        return False
    if source_of(module).read_bytes() != content_of(module):
        _edited.add(module)
    return _edited.isdisjoint(closure([module]))


@cache
def _cache_folder(module):
    """Return the first writable folder for the code of a module, and create it if necessary; None if there is none."""
    roots = cache_roots(config.CACHE_DIR)
    for root in roots:
        folder = root / f"{module}-{source_digest(module)}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _tidy(folder, module)
        return folder
    _warn_once(" or ".join(map(str, roots)))
    return None


@cache
def _warn_once(roots):
    warnings.warn(
        f"compiled code cannot be cached in {roots}, so that functions are compiled again in each process; "
        "set NUMBA_CACHE_DIR to a writable folder",
        RuntimeWarning,
        stacklevel=5,
    )


def _tidy(folder, module):
    """Mark a folder as used today, and remove folders of the same module that were not used for `DAYS_KEPT` days."""
    try:
        os.utime(folder)
        old = [f for f in folder.parent.glob(f"{module}-*") if time.time() - f.stat().st_mtime > DAYS_KEPT * 86400]
    except OSError:  # it belongs to another user, or another process has removed it
        return
    for other in old:
        shutil.rmtree(other, ignore_errors=True)
