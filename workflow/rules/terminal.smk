# The terminal: only one run at a time in a folder, progress in a few lines, a summary at the end.
import logging
import sys
import time

from rankbench.experiments.files import marked, set_aside
from rankbench.experiments.places import hold, no_numba_cache, no_path_for_a_shell, unwritable
from snakemake.logging import LogEvent, logger


class Progress(logging.Filter):
    """Show the number of finished jobs and the time left every few seconds, instead of a paragraph per job."""

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
    """Print what ran and what is missing, unless single files were requested; return whether nothing broke."""
    if workflow.dag_settings.targets:
        return True
    from rankbench import summary  # imported here: planning needs no pandas

    return summary.summarise([*EXPERIMENTS])


# Each of these folders may be on a different disk.
FOLDERS = ["resources", "results", *(f"results/{name}" for name in EXPERIMENTS)]


# Files that the last run found damaged are renamed before the jobs are planned, so that this run makes them again.
if workflow.is_main_process and not workflow.dryrun and (aside := set_aside(FOLDERS)):
    logger.warning(
        f"the last run found damaged files; they are renamed to *.damaged and made again: {', '.join(aside)}"
    )


onstart:
    global run_lock  # held until the process ends
    try:
        run_lock = hold()
    except ValueError as error:
        raise WorkflowError(str(error)) from None
    if lines := [*no_path_for_a_shell(), *unwritable(FOLDERS), *no_numba_cache()]:
        raise WorkflowError("\n".join(lines))
    # With a limit of jobs per second, Snakemake 9 looks for free jobs again one second after each look, and the looks add
    # up: after 700 jobs there are 700 per second. Here the cores are the limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    if not summarise() or marked(FOLDERS):  # the report may have found a damaged table or figure
        sys.exit(1)


onerror:
    if lines := list(unwritable(FOLDERS)):
        logger.error("\n".join(lines))
    else:
        summarise()
        logger.error("Not all jobs ended; the same command continues where this run stopped.")
