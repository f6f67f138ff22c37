"""A job: the Python file that a fork runs, and how it is killed."""

import gc
import os
import signal
import sys
import tempfile
import types
from contextlib import suppress


def run_file(request):
    """Run the Python file of a request as ``python file`` would."""
    file = request["file"]
    with suppress(OSError), open("/proc/self/comm", "w") as name:  # for `ps` and `top`
        name.write(request["name"][:15])
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    tempfile.tempdir = None  # it may depend on the environment
    if "numpy.random" in sys.modules:  # the module `random` takes a new seed in each fork, numpy does not
        sys.modules["numpy.random"].seed()
    sys.argv, sys.path[0:0] = [file], [os.path.dirname(os.path.abspath(file))]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = file
    with open(file, "rb") as source:
        code = compile(source.read(), file, "exec")
    gc.enable()
    exec(code, vars(main))


def kill_with_descendants(pid):
    """Kill a process and, if psutil is installed, the processes that it has started."""
    pids = [pid]
    with suppress(Exception):
        import psutil

        pids += [child.pid for child in psutil.Process(pid).children(recursive=True)]
    for one in pids:
        with suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
