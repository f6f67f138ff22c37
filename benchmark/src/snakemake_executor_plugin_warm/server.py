"""A tree of warm processes, from which jobs are forked. It is started with the number of a socket for requests.

A request names a Python file and the steps that prepare its process. A process passes a request with a step on to a
branch: a fork of itself that has made this step. When no step is left, it forks the job. So a branch has loaded what
the jobs of one kind need and nothing else, and a job does not depend on the jobs before it.

Every process of the tree has one thread, so that a fork inherits no lock that another thread holds. No job outlives
whoever asked for it, and no process whoever started it. Only the standard library is imported here.
"""

import ctypes
import gc
import os
import signal
import sys
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path

from .job import kill_with_descendants, run_file
from .sources import Edited, Sources
from .steps import make_step


class Forked(BaseException):
    """Leaves the server in the fork of a job; holds its request."""


class Branch:
    """A forked process that has made one more step, or is making it.

    Attributes
    ----------
    control : Connection
        Takes requests to it. It says once how the step ended.
    waiting : list of (Connection, dict)
        Requests that came before that.
    ready : bool
    ends : float
        When it is killed if it is not ready.
    """

    def __init__(self, pid, control, ends):
        self.pid, self.control, self.ends, self.waiting, self.ready = pid, control, ends, [], False


class Server:
    """One process of the tree.

    Attributes
    ----------
    control : Connection or None
        Where requests come from; None once nobody can ask any more.
    jobs : dict of Connection to [int, int or None]
        Who asked -> process id of the job, and the pipe that lets it begin, or None once it has.
    branches : OrderedDict of step to Branch
        The one that was asked last is last.
    failed : dict of step to (str, str)
        Steps that cannot be made: what becomes of a request (``refused``, or ``skipped`` if only the step is left out),
        and why.
    leaving : list of int
        Process ids of branches and jobs that only have to be waited for.
    """

    def __init__(self, control, settings):
        self.seconds, self.most = settings["seconds"], settings["most"]
        self.sources = Sources(settings["planned"], settings["began"])
        self.inherited = signal.getsignal(signal.SIGINT)
        self.begin(control)

    def begin(self, control):
        """Begin to serve, in a fork too."""
        self.control, self.jobs, self.branches, self.failed, self.leaving = control, {}, OrderedDict(), {}, []
        self.ended, self.wakes = os.pipe()
        os.set_blocking(self.ended, False)
        os.set_blocking(self.wakes, False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(self.wakes, warn_on_full_buffer=False)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])

    def serve(self):
        """Serve until nobody can ask any more and everything that was begun has ended."""
        while self.control or self.jobs or self.branches or self.leaving:
            sources = [self.ended, *self.jobs, *(branch.control for branch in self.branches.values())]
            ends = [branch.ends for branch in self.branches.values() if not branch.ready]
            patience = max(0.0, min(ends) - time.monotonic()) if ends else None
            for source in wait(sources + ([self.control] if self.control else []), patience):
                self.hear(source)
            for step, branch in [*self.branches.items()]:
                if not branch.ready and time.monotonic() > branch.ends:
                    self.fail(step, "skipped", f"not finished after {self.seconds:g} s")

    def hear(self, source):
        """Do what one source asks for."""
        if source == self.ended:
            self.reap()
        elif source is self.control:
            self.receive()
        elif source in self.jobs:
            self.begin_or_kill(source)
        else:
            for step, branch in [*self.branches.items()]:
                if branch.control is source:
                    self.hear_branch(step, branch)

    def receive(self):
        """Take one request, or notice that nobody can ask any more."""
        try:
            asker = Connection(recv_handle(self.control))
            request = self.control.recv()
        except (EOFError, OSError):
            self.control.close()
            self.control = None
            for step in [*self.branches]:
                self.retire(step)
        else:
            self.take(asker, request)

    def take(self, asker, request):
        """Pass a request on, or fork its job."""
        if not request["steps"]:
            self.fork_job(asker, request)
            return
        step = request["steps"].pop(0)
        outcome, why = self.failed.get(step, ("", ""))
        if outcome == "refused":
            refuse(asker, "refused", why)
        elif outcome == "skipped":
            request.setdefault("notes", []).append(f"{step[0]} {step[1]}: {why}")
            self.take(asker, request)
        else:
            branch = self.branches.get(step) or self.grow(step, request)
            self.branches.move_to_end(step)
            branch.waiting.append((asker, request))
            if branch.ready:
                self.pass_on(branch)

    def pass_on(self, branch):
        """Send a branch the requests that wait for it. If it has died, whoever asked notices and asks again."""
        for asker, request in branch.waiting:
            with suppress(OSError):
                send_handle(branch.control, asker.fileno(), branch.pid)
                branch.control.send(request)
            asker.close()
        branch.waiting = []

    def grow(self, step, request):
        """Fork a branch that makes a step; the branch that was not asked for longest ends if there are too many."""
        ours, theirs = Pipe()
        pid = self.fork()
        if not pid:
            ours.close()
            self.begin(theirs)
            self.prepare(step, request)
            self.serve()
            os._exit(0)
        theirs.close()
        self.branches[step] = Branch(pid, ours, time.monotonic() + self.seconds)
        idle = [other for other, branch in self.branches.items() if branch.ready]
        for other in idle[: max(0, len(self.branches) - self.most)]:
            self.retire(other)
        return self.branches[step]

    def prepare(self, step, request):
        """Make a step, and say how it ended."""
        outcome = "ready", ""
        try:
            make_step(*step, request)
            self.sources.check()
        except Edited as error:
            outcome = "refused", str(error)
        except BaseException as error:
            outcome = "skipped", f"{type(error).__name__}: {error}"
        gc.collect()
        gc.freeze()  # the collector of a job must not touch what it shares with this process
        with suppress(OSError):
            self.control.send(outcome)
        if outcome[0] != "ready":
            os._exit(1)

    def hear_branch(self, step, branch):
        """Learn how the step of a branch ended, or that the branch has died: the next request grows it again."""
        try:
            outcome, why = branch.control.recv()
        except (EOFError, OSError):
            if branch.ready:
                self.retire(step)
            else:
                self.fail(step, "skipped", "the process ended")
        else:
            if outcome == "ready":
                branch.ready = True
                self.pass_on(branch)
            else:
                self.fail(step, outcome, why)

    def fail(self, step, outcome, why):
        """Give up a step, and take the requests that waited for it again."""
        self.failed[step] = outcome, why
        branch = self.branches[step]
        os.kill(branch.pid, signal.SIGKILL)
        self.retire(step)
        for asker, request in branch.waiting:
            request["steps"].insert(0, step)
            self.take(asker, request)

    def retire(self, step):
        """Let a branch end once its jobs have ended."""
        branch = self.branches.pop(step)
        branch.control.close()
        self.leaving.append(branch.pid)

    def fork_job(self, asker, request):
        """Fork a job, which begins when its asker says so: then the asker knows its process id."""
        try:
            self.sources.check()
        except Edited as error:
            refuse(asker, "refused", str(error))
            return
        if has_threads():
            refuse(asker, "unfit", "scripts whose imports start threads")
            return
        begins, gate = os.pipe()
        pid = self.fork()
        if not pid:
            asker.close()
            os.close(gate)
            if not os.read(begins, 1):
                os._exit(1)
            os.close(begins)
            signal.signal(signal.SIGINT, self.inherited)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.sources.strict = True
            raise Forked(request)
        os.close(begins)
        self.jobs[asker] = [pid, gate]
        with suppress(OSError):  # it has gone, which is heard later
            asker.send(("started", pid, request.get("notes", [])))

    def begin_or_kill(self, asker):
        """Let a job begin, or end it because its asker has gone."""
        pid, gate = self.jobs[asker]
        try:
            asker.recv()
            os.write(gate, b"1")
            os.close(gate)
            self.jobs[asker] = [pid, None]
        except (EOFError, OSError):
            kill_with_descendants(pid)
            self.forget(asker)
            self.leaving.append(pid)

    def reap(self):
        """Say which jobs have ended and how."""
        with suppress(BlockingIOError):
            os.read(self.ended, 4096)
        for asker, (pid, _) in [*self.jobs.items()]:
            code = exit_code(pid)
            if code is not None:
                with suppress(OSError):
                    asker.send(("ended", code))
                self.forget(asker)
        self.leaving = [pid for pid in self.leaving if exit_code(pid) is None]

    def forget(self, asker):
        """Close what belongs to a job."""
        _, gate = self.jobs.pop(asker)
        asker.close()
        if gate is not None:
            os.close(gate)

    def fork(self):
        """Fork; the child has none of this process's sockets and pipes, and ends with this process (on Linux)."""
        parent, pid = os.getpid(), os.fork()
        if not pid:
            if sys.platform == "linux":
                ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            if os.getppid() != parent:
                os._exit(1)
            signal.set_wakeup_fd(-1)
            os.close(self.ended)
            os.close(self.wakes)
            for branch in self.branches.values():
                branch.control.close()
            for asker in [*self.jobs]:
                self.forget(asker)
            self.control.close()
        return pid


def refuse(asker, outcome, why):
    with suppress(OSError):
        asker.send((outcome, why))
    asker.close()


def has_threads():
    """Return whether other threads may hold a lock that a fork would inherit; jemalloc takes care of its own."""
    try:
        names = [Path(task, "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]
    except OSError:  # no Linux
        return threading.active_count() > 1
    return len(names) - names.count("jemalloc_bg_thd") > 1


def exit_code(pid):
    """Return how a child process ended, None if it has not."""
    with suppress(ChildProcessError):
        ended, status = os.waitpid(pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if ended else None
    return 0


if __name__ == "__main__":
    gc.disable()
    if not sys.flags.safe_path:
        del sys.path[0]  # the folder of Snakemake, which is not on the path of a script
    control = Connection(int(sys.argv[1]))
    try:
        Server(control, control.recv()).serve()
        os._exit(0)
    except Forked as fork:
        (request,) = fork.args
    run_file(request)
