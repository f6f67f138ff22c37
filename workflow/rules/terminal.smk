# Around a run: one at a time in a folder, its progress in few lines, a summary at the end.
import atexit
import fcntl
import logging
import os
import subprocess
import sys
import time

from rankbench.experiments.files import marked, no_numba_cache, set_aside, unwritable
from snakemake.logging import LogEvent, logger


class Progress(logging.Filter):
    """Jobs done and time left every few seconds, in the place of a paragraph for each job."""

    def __init__(self):
        super().__init__()
        self.started = self.shown = time.monotonic()

    def filter(self, record):
        event = getattr(record, "event", None)
        if event == LogEvent.PROGRESS:
            return self.progress(record)
        chatter = str(record.msg).startswith(("Select jobs to execute", "Execute "))
        return not chatter and event not in (LogEvent.JOB_INFO, LogEvent.JOB_FINISHED)

    def progress(self, record):
        now = time.monotonic()
        if now < self.shown + 3 and record.done < record.total:
            return False
        self.shown = now
        seconds = (now - self.started) / record.done * (record.total - record.done)
        left = f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"
        record.event, record.msg = None, f"{record.done} of {record.total} jobs done, about {left} left"
        return True


if not workflow.dryrun:
    logger.addFilter(Progress())


def summarise():
    """Print what ran and what is missing, where everything was asked for; return whether nothing broke."""
    if workflow.dag_settings.targets:
        return True
    from rankbench import summary  # imported here: planning needs no pandas

    return summary.summarise([*EXPERIMENTS])


# Each may lie on a disk of its own.
FOLDERS = ["resources", "results", *(f"results/{name}" for name in EXPERIMENTS)]


def heal():
    """Make anew what this run found damaged, by the same command; its exit code is that of this one.

    Called at the very end: Snakemake may give up without a word to onerror when a file of its plan has gone.
    """
    if set_aside(FOLDERS):
        print(
            "Damaged files were found: they are set aside (*.damaged) and made anew now.", file=sys.stderr, flush=True
        )
        os._exit(subprocess.run(sys.argv, env={**os.environ, "RANKBENCH_HEALING": "1"}).returncode)


if workflow.is_main_process and not workflow.dryrun:
    set_aside(FOLDERS)  # what the summary or the report found damaged after the last run
    if not HEALING:
        atexit.register(heal)


# Snakemake's own lock (off in the profile) outlives a killed run; this one ends with its process.
onstart:
    global run_lock  # held until the process ends
    run_lock = open(".snakemake/run.lock", "a")
    try:
        if not HEALING:  # a second pass is inside the first, which holds it
            fcntl.flock(run_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WorkflowError("another run is going on in this folder: wait for its end or stop it") from None
    if lines := [*unwritable(FOLDERS), *no_numba_cache()]:
        raise WorkflowError("\n".join(lines))
    # With a limit of jobs in a second, Snakemake 9 looks for free jobs again one second after each look: after 700 jobs,
    # 700 times a second. Here cores are the limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    if not summarise():
        sys.exit(1)


onerror:
    if lines := list(unwritable(FOLDERS)):
        logger.error("\n".join(lines))
    elif not HEALING and any(marked(FOLDERS)):
        pass  # see heal
    else:
        summarise()
        logger.error("Not all jobs ended; the same command goes on where it was.")
