"""A copy of the project for tests that run Snakemake, and helpers that read the output of such a run."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree

import psutil

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
CACHE = str(ROOT / "src/rankmargin/__pycache__")


def hears_signals():
    """Let a command hear Ctrl-C and a hangup, which children of a shell's background and of nohup ignore."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def left(mark, seconds=60):
    """Return the processes whose variable MARK is this, zombies left out, after they had so many seconds to end."""
    ends = time.monotonic() + seconds
    while (found := [one for one in psutil.process_iter() if is_marked(one, mark)]) and time.monotonic() < ends:
        time.sleep(0.02)
    return found


def is_marked(process, mark):
    """Return whether a process is there and has this mark."""
    with suppress(psutil.Error):
        return process.environ().get("MARK") == str(mark) and process.status() != psutil.STATUS_ZOMBIE


def words_of(page):
    """Return the text of a page of the project on one line, so that a sentence is found wherever it is broken."""
    return " ".join((ROOT / page).read_text("utf-8").split())


def rows_of(page):
    """Return the cells of each line of the tables of a page of the project."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    return [tuple(cell.strip() for cell in line.split("|")[1:-1]) for line in lines if line.startswith("|")]


def once(tmp_path_factory, name, make):
    """Return a folder that the first process of pytest makes by ``make(folder)`` and the others only read."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, made = base / name, base / f"{name}.made"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            rmtree(folder, ignore_errors=True)
            make(folder)
            made.touch()
    return folder


class Checkout:
    """A copy of the project, at first without data and results, with the commands of a user as methods."""

    def __init__(self, path):
        self.path = path
        if path.exists():
            return
        for name in ("config", "workflow", "src", "benchmark"):
            copytree(ROOT / name, path / name, symlinks=True, ignore=ignore_patterns("*.egg-info", "*.nb[ci]"))
        for name in ("Snakefile", "Makefile"):
            (path / name).write_bytes((ROOT / name).read_bytes())
        (path / "profiles").symlink_to("workflow/profiles")

    def environment(self, **variables):
        """Return the environment of a command: sources of this copy, no mirror except a given one, no outer make, and
        one cache of compiled code for all copies, whose folders are named after the sources."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("RANKBENCH", "MAKE", "SNAKEMAKE"))}
        return {
            **kept,
            "NUMBA_CACHE_DIR": CACHE,
            "MARK": str(self.path),
            "PYTHONPATH": f"{self.path}/src:{self.path}/benchmark/src",
            **variables,
        }

    def make(self, *arguments):
        """Run make in an environment that is there already; return exit code and everything it printed."""
        return ended(self.start_make(*arguments))

    def start_make(self, *arguments):
        """Start make in a process group of its own."""
        (self.path / ".venv").mkdir(exist_ok=True)
        (self.path / ".venv/installed").touch()
        # Older than the environment: nothing is installed again.
        for name in ("run.lock", "pyproject.toml", "benchmark/pyproject.toml"):
            (self.path / name).touch()
            os.utime(self.path / name, (0, 0))
        return self._popen(["make", f"BIN={BIN}", *arguments])

    def start(self, *arguments, cores=2, program=(BIN / "snakemake",), **variables):
        """Start Snakemake in its own process group, with this number of cores (None: that of the profile)."""
        return self._popen([*program, *(["--cores", str(cores)] if cores else []), *arguments], **variables)

    def _popen(self, command, **variables):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
        options["preexec_fn"] = hears_signals
        return subprocess.Popen(command, cwd=self.path, env=self.environment(**variables), **options)

    def snakemake(self, *arguments, **variables):
        """Run Snakemake to its end; return exit code and everything it printed."""
        return ended(self.start(*arguments, **variables))


def ended(process):
    """Return the exit code of a command and everything it printed; one that does not end is killed with its group."""
    try:
        text, _ = process.communicate(timeout=900)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        raise AssertionError(f"{process.args} took more than 900 s:\n{text}") from None
    return process.returncode, text


def job_counts(text):
    """Return the table ``Job stats`` of Snakemake's output as a dict."""
    rows = text.split("Job stats:")[1].split("\n\n")[0].splitlines()[3:]
    return {name: int(count) for name, count in (row.split() for row in rows)}
