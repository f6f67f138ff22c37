"""Runs in a process of their own beside one that watches them: what never ends there or kills it costs one run, not the
job.

A limit of time that is a signal is not seen inside a compiled function, and nothing in a process outlives its crash.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass

# Seconds beyond its limit that a run gets to end by itself before it is killed.
GRACE = 5.0
# How compiled code ends its process itself.
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
    """Do `work` on one item after the other in a forked process; where one is lost, go on in a new process.

    Parameters
    ----------
    prepare : function
        Called without arguments at the start of each process; left out once a process is lost in it.
    work : function
        Called with an item; its result is sent through a pipe.
    items : iterable
    seconds : float
        An item that takes longer than these and `GRACE` is lost.

    Yields
    ------
    (item, result of `work`, or a Fault)

    Raises
    ------
    ChildProcessError
        When somebody else killed the process: that is no result.
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


@contextmanager
def worker(calls, grace=None):
    """Start a process that makes the calls one by one; give the block a function that waits for the next result,
    `grace` seconds (by default `GRACE`) longer than it is told.

    The process ends with the block, and where the system can see to it (Linux) with this process.
    """
    grace = GRACE if grace is None else grace
    receiver, sender = multiprocessing.Pipe(duplex=False)
    arguments = (calls, receiver, sender, os.getpid())
    process = multiprocessing.get_context("fork").Process(target=_make, args=arguments, daemon=True)
    with warnings.catch_warnings():
        # Python 3.12 warns of threads that do not come along; nothing below waits for one.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    sender.close()

    def answer(seconds):
        if not receiver.poll(seconds + grace):
            return Fault("timeout", f"longer than the limit of {seconds} s, and killed after {grace:g} s more")
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
    """Say how a process ended that gave no answer; refuse an ending that is not its own doing."""
    if code >= 0:
        return f"exit code {code}"
    if -code not in CRASHES:
        name = signal.Signals(-code).name
        raise ChildProcessError(f"the process of the runs was killed by {name}: by hand, or for want of memory")
    return signal.Signals(-code).name
