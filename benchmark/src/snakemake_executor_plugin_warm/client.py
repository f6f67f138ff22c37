"""Snakemake's side: start the tree of warm processes, and run files in forks of it."""

import signal
import subprocess
import sys
import threading
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.reduction import send_handle

from .job import kill_with_descendants

ATTEMPTS = 3  # to reach a process that lives
PATIENCE = 10.0  # seconds for the tree to end


class Refused(Exception):
    """A job must not run, because a source file was edited."""


class Unfit(Exception):
    """A job cannot be forked; it has to start in the ordinary way."""


class Lost(Exception):
    """The process that a job was forked from has died, and the job with it."""


REASONS = {"refused": Refused, "unfit": Unfit}


class WarmProcesses:
    """The tree of warm processes of a run. It starts with the first job, and again after it has died.

    Parameters
    ----------
    settings : dict
        ``planned``, ``began``, ``seconds`` and ``most``: what the `Server` has to know.
    environment : dict of str to str
    """

    def __init__(self, settings, environment):
        self.settings, self.environment = settings, environment
        self.lock, self.root, self.control = threading.Lock(), None, None

    def run(self, request, watch):
        """Run the file of a request; return its exit code, which is negative if a signal ended it.

        Parameters
        ----------
        request : dict
            ``file``, ``name``, ``steps`` (list of (kind, value)), ``folder`` and ``environment``.
        watch : function
            Called with the process id of the job and a list of notes on steps that could not be made. It returns a
            context manager, in which the job runs.

        Raises
        ------
        Refused, Unfit, Lost
        """
        for _ in range(ATTEMPTS):
            with self.ask(request) as answers:
                outcome, *told = hear(answers)
                if outcome == "started":
                    return follow(answers, *told, watch)
            if outcome in REASONS:
                raise REASONS[outcome](*told)
        raise Unfit("their warm process died before they began")

    def ask(self, request):
        """Send a request to the tree; return the connection on which the answers come."""
        answers, theirs = Pipe()
        with theirs, self.lock:
            if self.root is None or self.root.poll() is not None:
                self.start()
            try:
                send_handle(self.control, theirs.fileno(), self.root.pid)
                self.control.send(request)
            except OSError:  # nobody will answer
                self.root.kill()
                self.root.wait()
        return answers

    def start(self):
        """Start the root of the tree: a process of its own, because Snakemake has threads."""
        if self.control:
            self.control.close()
        self.control, theirs = Pipe()
        with theirs:
            # It must not hear Ctrl-C until it can ignore it.
            before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                command = [sys.executable, "-m", f"{__package__}.server", str(theirs.fileno())]
                self.root = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=self.environment)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
        with suppress(OSError):
            self.control.send(self.settings)

    def close(self):
        """End the tree."""
        with self.lock:
            if self.root is None:
                return
            self.control.close()
            try:
                self.root.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.root.kill()
                self.root.wait()
            self.root = self.control = None


def hear(answers):
    """Return the next answer; ``("died",)`` if none can come."""
    try:
        return answers.recv()
    except (EOFError, OSError):
        return ("died",)


def follow(answers, pid, notes, watch):
    """Let a job begin, and return how it ended."""
    with watch(pid, notes):
        with suppress(OSError):
            answers.send("begin")
        outcome, *code = hear(answers)
    if outcome == "ended":
        return code[0]
    if sys.platform != "linux":  # there a job ends with the process that it was forked from
        kill_with_descendants(pid)
    raise Lost("the warm process that its process came from was killed")
