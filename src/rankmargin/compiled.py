"""`numba.njit` with a cache on disk that never runs stale machine code.

numba asks only the file of a function whether its cached machine code is still good.  A function that calls a compiled
function of another file would run the old code of that one after an edit.  Here the cache of a module lies in a folder
whose name holds the digest of every source that the module stands on: an edit leads to another folder, and undoing it
leads back to the old one.
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

DAYS_KEPT = 7  # a folder that no process has used for so long is removed
_edited: set[str] = set()  # modules imported after their source had changed: nothing that calls them is cached


def njit(**options):
    """Return the decorator ``numba.njit(**options)``; with ``cache=True`` its cache follows all sources.

    Where nothing can be written, a function is compiled anew in each process, and a RuntimeWarning says so once.
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
    """Tells numba where the machine code of a function lies (what NUMBA_CACHE_LOCATOR_CLASSES names)."""

    def __init__(self, function, folder):
        self.function, self.folder = function, folder

    @classmethod
    def from_function(cls, function, file):
        """Return the locator of a function; None where its code may not, or cannot, be kept."""
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
    """Return whether a module, just imported, and all that it stands on are what the files still say.

    A process that outlives an edit must leave nothing to those that start after it.
    """
    if module.split(".")[0] not in PACKAGES or source_of(module) is None:
        return False
    if source_of(module).read_bytes() != content_of(module):
        _edited.add(module)
    return _edited.isdisjoint(closure([module]))


@cache
def _cache_folder(module):
    """Return the first folder for the code of a module that can be written, made if need be; None if there is none."""
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
        f"no compiled code can be kept in {roots}: set NUMBA_CACHE_DIR to a folder that can be written, "
        "or functions are compiled anew in each process",
        RuntimeWarning,
        stacklevel=5,
    )


def _tidy(folder, module):
    """Mark a folder as used today, and remove those of the same module that nobody used for `DAYS_KEPT` days."""
    try:
        os.utime(folder)
        old = [f for f in folder.parent.glob(f"{module}-*") if time.time() - f.stat().st_mtime > DAYS_KEPT * 86400]
    except OSError:  # of another user, or removed by another process meanwhile
        return
    for other in old:
        shutil.rmtree(other, ignore_errors=True)
