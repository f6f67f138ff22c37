"""Ctrl-C, SIGTERM and a closed terminal: the first one ends the command and all its processes with one line.

Imports little, because a signal that comes before `heed` ends Python in its own way.
"""

import os
import signal
import sys

STOPPED = "stopped; the same command resumes it\n"
ENDING = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
# In seconds. With a limit of time subprocess looks every 50 ms. Without one it waits in the kernel, and a signal that
# comes just before that is not obeyed until the process ends.
FOREVER = 1e9


class Stop:
    """What a signal does, at any moment of the command.

    The process that the command starts has a session of its own. So Ctrl-C on the terminal reaches only the command,
    and one call ends that process and everything that it has started, whatever they are doing.
    """

    def __init__(self):
        self.session = None  # the number of the process
        self.starting, self.late = False, None

    def heed(self):
        """Obey the signals from now on, except those that the caller wants ignored, as ``nohup`` does."""
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self)

    def __call__(self, number, _frame):
        """End everything."""
        if self.starting:  # the number of the process is not known yet
            self.late = number
            return
        for other in ENDING:
            signal.signal(other, signal.SIG_IGN)
        os.write(sys.stderr.fileno(), STOPPED.encode())
        if self.session:
            os.killpg(self.session, signal.SIGKILL)
            os.waitpid(self.session, 0)
        os._exit(128 + number)

    def run(self, command):
        """Run a process to its end and return its exit code; if this process is killed, it ends too (on Linux)."""
        import subprocess

        self.starting = True
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with(os.getpid())
        )
        self.session, self.starting = process.pid, False
        if self.late:
            self(self.late, None)
        code = process.wait(timeout=FOREVER)
        self.session = None
        if code < 0:
            print(f"Snakemake was killed by signal {-code}: the same command resumes it", file=sys.stderr)
        return code if code >= 0 else 128 - code


def die_with(parent):
    """Return a function that a child calls before its program starts, so that it ends when process `parent` ends."""
    import ctypes

    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl

    def tie():
        prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)

    return tie


stop = Stop()
