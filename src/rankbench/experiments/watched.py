"""Runs in a process of their own beside one that watches them: what never ends there or kills it costs one run, not the
job.

A limit of time that is a signal is not seen inside a compiled function, and nothing in a process outlives its crash.
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

# How many times its limit of processor time a run may last by the clock.
FAR = 20.0
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
        An item that uses more processor time than these and `GRACE` is lost.

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
        with worker([*prepare, *(lambda item=item: work(item) for item in waiting)], processor_time) as answer:
            if prepare and isinstance(answer(seconds), Fault):
                prepare = []
                continue
            while waiting:
                result = answer(seconds)
                yield waiting.pop(0), result
                if isinstance(result, Fault):
                    break


def clock_time(receiver, process, seconds, grace):
    """Wait until an answer is there, by the clock; return None, or why the wait is over."""
    return None if receiver.poll(seconds + grace) else f"no end after {seconds:g} s"


def processor_time(receiver, process, seconds, grace):
    """Wait until an answer is there, or the process has used its seconds; return None, or why the wait is over.

    By the clock it is `FAR` times as long, in which a look at it counts for no more than it takes: while the machine
    sleeps or this process is stopped, no time passes.
    """
    used, most = psutil.Process(process.pid).cpu_times, seconds + grace
    started, waited, look = sum(used()[:2]), 0.0, min(0.5, most / 10)
    while waited < FAR * most:
        before = time.monotonic()
        if receiver.poll(look):
            return None
        if sum(used()[:2]) - started > most:
            return f"more than the limit of {seconds} s of processor time, and killed after {grace:g} s more"
        waited += min(time.monotonic() - before, 2 * look)
    return f"no end after {FAR * most:g} s, {FAR:g} times its limit of processor time"


@contextmanager
def worker(calls, wait=clock_time, grace=None):
    """Start a process that makes the calls one by one; give the block a function that waits for the next result,
    `grace` seconds (by default `GRACE`) longer than it is told, by the clock or by `processor_time`.

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
        if (why := wait(receiver, process, seconds, grace)) is not None:
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
    """Say how a process ended that gave no answer; refuse an ending that is not its own doing."""
    if code >= 0:
        return f"exit code {code}"
    if -code not in CRASHES:
        name = signal.Signals(-code).name
        raise ChildProcessError(f"the process of the runs was killed by {name}: by hand, or for want of memory")
    return signal.Signals(-code).name
