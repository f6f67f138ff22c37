"""Run work in a second process that the first one watches: a run that never ends or crashes does not end the job.

A second process is needed because a compiled function does not see the signal of a time limit, and because a crash
ends the whole process.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
import time
import warnings
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

# A run may take this many times its limit of processor time by the clock.
FAR = 20.0
# Seconds beyond its limit that a run gets to end by itself before it is killed.
GRACE = 5.0
# Signals by which compiled code ends its own process.
CRASHES = (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)


@dataclass(frozen=True)
class Fault:
    """Why a run gave no result.

    Attributes
    ----------
    status : {"failed", "timeout"}
    reason : str
    """

    status: str
    reason: str


def watched(prepare, work, items, seconds):
    """Do `work` on one item after the other in a forked process; after a fault continue in a new process.

    Parameters
    ----------
    prepare : function
        Called without arguments at the start of each process; not called any more after a process has died in it.
    work : function
        Called with one item; its result is sent through a pipe.
    items : iterable
    seconds : float
        Limit of processor time per item. An item that takes longer than this plus `GRACE` gives a Fault.

    Yields
    ------
    (item, result of `work`, or a Fault)

    Raises
    ------
    ChildProcessError
        When something else killed the process: that says nothing about the item.
    """
    waiting, prepare = list(items), [prepare]
    while waiting:
        with worker([*prepare, *(lambda item=item: work(item) for item in waiting)]) as answer:
            if prepare and isinstance(answer(seconds), Fault):
                prepare = []
                continue
            while waiting:
                result = answer(seconds)
                yield waiting.pop(0), result
                if isinstance(result, Fault):
                    break


def wait_for(receiver, process, seconds):
    """Wait for an answer until the process has used its seconds of processor time.

    Return None when the answer is there, or the reason to stop waiting. By the clock, which
    stands while the machine sleeps, the wait is `FAR` times as long.
    """
    used, most = psutil.Process(process.pid).cpu_times, seconds + GRACE
    started, ends = sum(used()[:2]), time.monotonic() + FAR * most
    while time.monotonic() < ends:
        if receiver.poll(min(0.5, most / 10)):
            return None
        if sum(used()[:2]) - started > most:
            return f"more than the limit of {seconds} s of processor time, and killed after {GRACE:g} s more"
    return f"not finished after {FAR * most:g} s, {FAR:g} times its limit of processor time"


@contextmanager
def worker(calls):
    """Start a process that makes the calls one by one; yield a function that waits for the next result.

    That function takes a limit in seconds of processor time. The process ends with the block, and on Linux also when
    this process ends.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    arguments = (calls, receiver, sender, os.getpid())
    process = multiprocessing.get_context("fork").Process(target=_make, args=arguments, daemon=True)
    with warnings.catch_warnings():
        # Python 3.12 warns that threads are not forked; nothing below waits for a thread.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()

    def answer(seconds):
        if (why := wait_for(receiver, process, seconds)) is not None:
            return Fault("timeout", why)
        try:
            return receiver.recv()
        except EOFError:
            process.join()
            return Fault("failed", f"its process ended: {_ending(process.exitcode)}")

    try:
        yield answer
    finally:
        process.kill()
        process.join()
        receiver.close()


def _make(calls, receiver, sender, parent):
    receiver.close()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        return
    for call in calls:
        sender.send(call())


def _ending(code):
    """Return how a process ended that gave no answer; raise if something else has killed it."""
    if code >= 0:
        return f"exit code {code}"
    if -code not in CRASHES:
        name = signal.Signals(-code).name
        raise ChildProcessError(f"the process of the runs was killed by {name}: by a person, or because memory ran out")
    return signal.Signals(-code).name
