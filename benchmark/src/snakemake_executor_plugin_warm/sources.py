"""The source files that a warm process has loaded: a job must not run with code that has been edited since."""

import hashlib
import os
import signal
import sysconfig
import time
from contextlib import suppress
from importlib.machinery import SourceFileLoader


class Edited(ImportError):
    """A source file was edited, so that it no longer fits the plan of the run or the code that is loaded."""

    def __init__(self, path):
        super().__init__(f"{path} was edited after this run began; the same command again runs what the edit concerns")


class Sources:
    """The source files that this process has loaded, and their digests. Installed packages are left out.

    Attributes
    ----------
    planned : tuple of str
        Folders whose files the plan of the run rests on.
    began : float
        When the run began.
    strict : bool
        Whether the process ends when it would load an edited file. An exception could be taken for a result.
    """

    def __init__(self, planned, began):
        self.planned, self.began, self.loaded, self.strict = tuple(planned), began, {}, False
        self.installed = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "purelib", "platlib")})
        load = SourceFileLoader.exec_module

        def load_checked(loader, module):
            self.add(loader.path)
            load(loader, module)

        SourceFileLoader.exec_module = load_checked

    def add(self, path):
        """Keep the digest of a file that is about to be loaded; refuse it if the plan does not fit it.

        Nobody can set the time of the last change; one in the future is that of another clock and says nothing.
        """
        if path.startswith(self.installed):
            return
        state = state_of(path)
        if path.startswith(self.planned) and self.began <= state[0] / 1e9 <= time.time():
            if self.strict:
                os.write(2, f"{Edited(path)}\n".encode())
                os.kill(os.getpid(), signal.SIGKILL)
            raise Edited(path)
        self.loaded[path] = state, digest_of(path)

    def check(self):
        """Raise `Edited` if a file is no longer what was loaded."""
        for path, (state, digest) in self.loaded.items():
            if (now := state_of(path)) != state:
                if digest_of(path) != digest:
                    raise Edited(path)
                self.loaded[path] = now, digest


def state_of(path):
    """Return numbers that differ after each change of a file."""
    with suppress(OSError):
        seen = os.stat(path)
        return seen.st_ctime_ns, seen.st_mtime_ns, seen.st_size, seen.st_ino
    return 0, 0, 0, 0


def digest_of(path):
    with suppress(OSError), open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
    return ""
