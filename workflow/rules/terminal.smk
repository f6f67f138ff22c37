# Around a run: one at a time, few lines on the way, results of what is there when jobs fail, a summary at the end.
import fcntl
import logging
import shlex
import sys
import time

import rankmargin
from rankbench.experiments.files import no_numba_cache, unwritable
from snakemake.logging import LogEvent, logger

RESULT_RULES = ["all", "collect_records", "run_study", "compute_statistic", "write_table", "draw_figure"]

# Every choice of the scheduler, and the command of a failed script: its log comes in a message of its own.
CHATTER = ("Select jobs to execute", "Execute ", "RuleException:\nCalledProcessError", "Loading script code for rule")
# What Snakemake says when the user interrupts or terminates it, over and over, and of what that ended.
STOPPED = ("Terminating processes on user request", "Will exit after finishing currently running jobs")
OF_STOPPED = (*STOPPED, "Removing output files of failed job")
LAST = "WorkflowError:\nAt least one job did not complete successfully."
DATA_RULES = ("fetch_dataset", "build_table")


def log_of(record):
    """The lines that a failed job left in its log."""
    paths = [path for path in map(Path, record.log or ()) if path.exists()]
    return [line for path in paths for line in path.read_text(errors="replace").splitlines()]


class FewLines(logging.Filter):
    """Progress with the time left every few seconds, and failures, instead of every choice of the scheduler."""

    def __init__(self):
        super().__init__()
        self.started = self.shown = time.monotonic()
        self.stopped = False

    def filter(self, record):
        event, said = getattr(record, "event", None), str(record.msg)
        if event == LogEvent.PROGRESS:
            return self.progress(record)
        if event == LogEvent.JOB_ERROR:
            return self.failure(record)
        if self.stopped and said.startswith(LAST):
            record.msg = "Stopped: the same command goes on where it was."
        again = self.stopped and said.startswith(OF_STOPPED)
        self.stopped |= said.startswith(STOPPED)
        return not again and not said.startswith(CHATTER) and event not in (LogEvent.JOB_INFO, LogEvent.JOB_FINISHED)

    def progress(self, record):
        now = time.monotonic()
        if now < self.shown + 3 and record.done < record.total:
            return False
        self.shown = now
        seconds = (now - self.started) / record.done * (record.total - record.done)
        left = f"{seconds / 60:.0f} min" if seconds > 90 else f"{seconds:.0f} s"
        record.event, record.msg = None, f"{record.done} of {record.total} jobs done, about {left} left"
        return True

    def failure(self, record):
        """Drop what the user's stop ended; say in one line what a data set lacks."""
        lines = log_of(record)
        if self.stopped and (not lines or lines[-1] == "KeyboardInterrupt"):
            return False
        if record.rule_name in DATA_RULES and lines and not lines[0].startswith("Traceback"):
            more = f"; {len(lines) - 2} more lines" if len(lines) > 2 else ""
            reason = ": ".join(line.strip() for line in lines[:2])
            record.event, record.msg = None, f"{reason} ({', '.join(record.log)}{more})"
        return True


few_lines = FewLines()
if not workflow.dryrun:
    logger.addFilter(few_lines)


def summarise():
    """Print what ran and what is missing, make the report; `make reproduce` does it itself, as its last word."""
    if "MAKELEVEL" not in os.environ:
        for module in (["rankbench.summary", *EXPERIMENTS], ["rankbench.report"]):
            shell(shlex.join([sys.executable, "-m", *module]) + " || true")


# Each may lie on a disk of its own.
FOLDERS = ["resources", "results", *(f"results/{name}" for name in EXPERIMENTS)]


# Snakemake's own lock (off in the profile) outlives a killed run; this one ends with its process.
onstart:
    global run_lock  # held until the process ends
    if not PARTIAL:
        run_lock = open(".snakemake/run.lock", "a")
        try:
            fcntl.flock(run_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WorkflowError("another run is going on in this folder: wait for its end or stop it") from None
        if lines := [*unwritable(FOLDERS), *no_numba_cache()]:
            raise WorkflowError("\n".join(lines))
        # whose run this is: `make reproduce` tells a run by it from a refused start
        run_lock.truncate(0)
        run_lock.write(str(os.getppid()))
        run_lock.flush()


onsuccess:
    summarise()


onerror:
    if PARTIAL:
        summarise()
    elif lines := list(unwritable(FOLDERS)):
        logger.error("\n".join(lines))
    elif not few_lines.stopped:
        logger.info("Some jobs did not end: results are now made of what is there, the rest is counted as missing.")
        again = [*sys.argv, "--allowed-rules", *RESULT_RULES]
        shell(f"RANKBENCH_PARTIAL=1 {shlex.join(again)} || true")
