"""The warm process: it loads what a job needs, unless an earlier job needed it too, and forks the job.

It has one thread, so that a fork inherits no lock that another thread holds. No job outlives it (on Linux), and it ends
with Snakemake. It runs as a file, with the number of a socket for requests, so that it imports nothing of Snakemake.
"""

import ast
import ctypes
import gc
import os
import signal
import sys
import tempfile
import threading
import types
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle
from pathlib import Path

FAULTS = Exception, SystemExit  # of what is loaded; they happen again in the job, which says more


def serve(control):
    """Fork a job for each request; return its request in the fork, and None once nobody can ask any more.

    A request is a socket for the answer, which is the exit code of the job, and a dict: ``file``, ``folder``,
    ``environment``, and ``job``, the argument of a function ``prepare_job`` that the file may import.
    """
    heard, jobs = signal.signal(signal.SIGINT, signal.SIG_IGN), {}
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    while True:
        for source in wait([control, *jobs]):
            if source is not control:
                answers, pid = jobs.pop(source)
                code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with suppress(OSError):  # Snakemake has ended, which is noticed below
                    answers.send(code)
            else:
                try:
                    answers, request = Connection(recv_handle(control)), control.recv()
                except (EOFError, OSError):
                    kill_descendants()
                    return None
                load(request)
                pid, ended = fork()
                if not pid:
                    signal.signal(signal.SIGINT, heard)
                    for other in [control, answers, *jobs, *(theirs for theirs, _ in jobs.values())]:
                        other.close()
                    return request
                jobs[ended] = answers, pid


def load(request):
    """Make the imports at the top of a file; if it imports a function ``prepare_job``, call it."""
    names = {}
    for node in ast.parse(Path(request["file"]).read_bytes()).body:
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and node.module != "__future__"):
            with suppress(*FAULTS):
                exec(compile(ast.Module([node], []), request["file"], "exec"), names)
    if "prepare_job" in names:
        with suppress(*FAULTS):
            names["prepare_job"](request["job"])
    gc.collect()
    gc.freeze()  # the collector of a job must not touch what it shares with this process


def fork():
    """Fork; return the process id, 0 in the fork, and a pipe that ends with the fork. The fork is killed when this
    process ends (on Linux)."""
    here, (reader, writer) = os.getpid(), os.pipe()
    if pid := os.fork():
        os.close(writer)
        return pid, Connection(reader, writable=False)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != here:
        os._exit(1)
    os.close(reader)
    return 0, None


def run_file(file, folder, environment, **_):
    """Run a Python file as ``python file`` would; in a new process if a thread may hold a lock that this one has."""
    os.chdir(folder)
    if has_threads(os.getppid()):
        os.execve(sys.executable, [sys.executable, file], environment)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None  # it may depend on the environment
    if "numpy.random" in sys.modules:  # the module `random` takes a new seed in each fork, numpy does not
        sys.modules["numpy.random"].seed()
    sys.argv, sys.path[0:0] = [file], [os.path.dirname(file)]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = file
    code = compile(Path(file).read_bytes(), file, "exec")
    gc.enable()
    exec(code, vars(main))


def has_threads(pid):
    """Return whether a process has more than one thread; those of jemalloc take care of forks."""
    if sys.platform != "linux":
        return threading.active_count() > 1
    names = [Path(task, "comm").read_text().strip() for task in Path(f"/proc/{pid}/task").iterdir()]
    return len(names) - names.count("jemalloc_bg_thd") > 1


def kill_descendants():
    """Kill the processes that this one has started, and those that they have started."""
    import psutil

    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            one.kill()


if __name__ == "__main__":
    gc.disable()
    sys.path[:] = sys.path[not sys.flags.safe_path :]  # without the folder of this file
    if request := serve(Connection(int(sys.argv[1]))):
        run_file(**request)
