"""Limits of time and memory for a run, and the memory that a process has used."""

import resource
import signal
from contextlib import contextmanager
from pathlib import Path

AGAIN = 0.1  # seconds of processor time until the signal of a time limit comes again


class TimeLimitError(Exception):
    """A run took more processor time than its limit."""


@contextmanager
def limited(limits):
    """Limit the block to ``limits["seconds"]`` and ``limits["megabytes"]``."""
    with memory_limit(limits["megabytes"]), time_limit(limits["seconds"]):
        yield


@contextmanager
def time_limit(seconds):
    """Raise TimeLimitError in the block once the process has used `seconds` of processor time in it.

    Time in which the machine sleeps or does something else does not count. The signal is handled between two Python
    instructions: a compiled function is not interrupted, it ends first; see `watched` for functions that do not end.
    While numba calls a function, it may clear the error or turn it into a SystemError: so the signal comes again, and
    the block is over its limit also if it ends.
    """
    errors = []

    def stop(signum, frame):
        errors.append(TimeLimitError(f"more than the limit of {seconds} s of processor time"))
        raise errors[0]

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    except SystemError:
        if not errors:
            raise
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    if errors:
        raise errors[0] from None


@contextmanager
def memory_limit(megabytes):
    """Let allocations in the block fail with MemoryError if the process would exceed the limit (on Linux)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(megabytes * 1e6)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def peak_megabytes():
    """Return the largest resident set of this process so far, in 10**6 bytes.

    Linux passes ``ru_maxrss`` on through fork and exec, so a job would have the value of Snakemake; ``VmHWM`` starts at
    0.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # macOS: in bytes
