"""Snakemake's executor ``warm``: its local one, but a Python script runs in a fork of a warm process (`server`)."""

import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.reduction import send_handle
from pathlib import Path

import snakemake.script
from snakemake.exceptions import WorkflowError
from snakemake.executors import local

common_settings = local.common_settings
BEGAN = time.time()  # Snakemake imports the plugins before it reads a workflow
INSTALLED = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "purelib", "platlib")})
PATIENCE = 10.0  # seconds for the warm process to end
THREADS = [f"{name}_NUM_THREADS" for name in ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")]
THREADS += ["VECLIB_MAXIMUM_THREADS"]


class Executor(local.Executor):
    """Snakemake's local executor, but Python scripts run in forks of a warm process.

    Snakemake prepares a script as ever and writes the file that it would start; only that start is another one. Scripts
    that need another environment, more threads or a benchmark start in the ordinary way, as do all other jobs.
    """

    def __post_init__(self):
        super().__post_init__()
        self.warm, self.cold, self.planned = WarmProcess(), snakemake.script.PythonScript, sources()
        executor = self

        class WarmScript(self.cold):
            def execute_script(self, fname, edit=False):
                own = self.conda_env or self.env_modules or self.container_img or self.resources.get("shell_exec")
                if own or self.threads != 1 or self.bench_record:
                    super().execute_script(fname, edit=edit)
                    return
                request = {
                    "file": os.path.abspath(fname),
                    "folder": os.getcwd(),
                    "environment": environment(self.resources.get("tmpdir")),
                    "job": {"params": dict(self.params.items()), "resources": dict(self.resources.items())},
                }
                script = [self.local_path] if self.is_local else []
                executor.refuse_edited(script)
                if code := executor.warm.run(request):
                    raise subprocess.CalledProcessError(code, f"{sys.executable} {fname}")
                executor.refuse_edited(script)

        snakemake.script.PythonScript = WarmScript

    def refuse_edited(self, script):
        """Fail a job before or after it runs, if a source file is not what its plan rests on.

        Nobody can set the time of the last change; one in the future is that of another clock and says nothing.
        """
        for file in [*self.planned, *script]:
            if not os.path.exists(file) or BEGAN <= os.stat(file).st_ctime <= time.time():
                again = "the same command again runs what the edit concerns"
                raise WorkflowError(f"{file} was edited after this run began; {again}")

    def shutdown(self):
        super().shutdown()
        self.cool()

    def cancel(self):
        super().cancel()
        self.cool()

    def cool(self):
        """End the warm process."""
        snakemake.script.PythonScript = self.cold
        self.warm.close()


class WarmProcess:
    """The warm process. It starts with the first job, and again if somebody kills it."""

    def __init__(self):
        self.lock, self.process, self.control = threading.Lock(), None, None

    def run(self, request):
        """Run the file of a request, see `server.serve`; return its exit code, negative if a signal ended it."""
        with self.ask(request) as answers:
            try:
                return answers.recv()
            except (EOFError, OSError):
                raise WorkflowError("the warm process that its process came from was killed") from None

    def ask(self, request):
        """Send a request; return the connection on which the answer comes."""
        answers, theirs = Pipe()
        with theirs, self.lock:
            if self.process is None or self.process.poll() is not None:
                self.start()
            with suppress(OSError):  # nobody will answer
                send_handle(self.control, theirs.fileno(), self.process.pid)
                self.control.send(request)
        return answers

    def start(self):
        """Start it: a process of its own, because Snakemake has threads."""
        self.control, theirs = Pipe()
        with theirs:
            # It must not hear Ctrl-C until it can ignore it.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                command = [sys.executable, Path(__file__).with_name("server.py"), str(theirs.fileno())]
                self.process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment())
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def close(self):
        """End it, and what it still runs."""
        with self.lock, suppress(AttributeError):  # it never began
            self.control.close()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def environment(folder=None):
    """Return the variables that Snakemake sets for a script with one thread, and this folder for temporary files."""
    folders = dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), str(folder)) if folder else {}
    return {**os.environ, **dict.fromkeys(THREADS, "1"), **folders}


def sources():
    """Return the Python files of what this process has loaded, on which the plan of a run rests; none is installed."""
    loaded = [vars(module) for name, module in sys.modules.items() if "." not in name]
    places = {place for names in loaded for place in names.get("__path__") or [names.get("__file__")] if place}
    ours = [Path(place) for place in places if not place.startswith(INSTALLED)]
    return [str(file) for place in ours for file in [place, *place.rglob("*.py")] if file.suffix == ".py"]
