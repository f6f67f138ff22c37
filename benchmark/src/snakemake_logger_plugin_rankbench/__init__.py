"""Snakemake's logger ``rankbench``: how many jobs are done, how much time is left, and for which job the run waits.

It writes a line every few seconds instead of the paragraphs for each job; other messages are shown as Snakemake does.
"""

import csv
import logging
import sys
import threading
import time

from snakemake_interface_logger_plugins.base import LogHandlerBase

from rankbench.timing.expected import COLUMNS
from rankbench.timing.forecast import Forecast, in_words

LEAST, MOST = 3.0, 30.0  # seconds between two lines: a fiftieth of the time so far, within these bounds
QUIET = ("job_info", "job_finished", "job_started")  # events of Snakemake that print a paragraph for each job
CHATTER = (
    "Select jobs to execute",
    "Execute ",
    # What Snakemake says of itself before each run, whatever is run.
    "Assuming unrestricted shared filesystem",
    "Using shell:",
    "Rules claiming more threads",
    "Conda environments: ignored",
)


class LogHandler(LogHandlerBase):
    """What writes the log to the terminal.

    The workflow begins the count of jobs with a record whose ``event`` is "plan" (`begin`); without it, only done and
    planned jobs are told.
    """

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self, clock=time.monotonic):
        from snakemake.logging import ColorizingTextHandler  # which imports this module

        stream = sys.stdout if self.common_settings.stdout else sys.stderr
        self.terminal = ColorizingTextHandler(nocolor=self.common_settings.nocolor, stream=stream)
        self.clock = clock
        self.begun = self.shown = clock()
        self.forecast = None
        self.done = self.total = 0
        self.line = ""  # the last one: the same line again says nothing

    def setFormatter(self, fmt):
        """Write records in a format."""
        self.terminal.setFormatter(fmt)

    def begin(self, jobs, cores, file, planned):
        """All jobs are known, and the first one starts soon.

        Parameters
        ----------
        jobs, cores
            See `Forecast`.
        file : path
            The timeline, see `rankbench.timing.keep`; it is written anew.
        planned : float
            Seconds since the process started.
        """
        self.forecast = Forecast(jobs, cores, self.clock())
        self.zero = self.clock() - planned
        self.total = len(jobs)
        self.timeline = file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        self._write(COLUMNS)
        self._write(("plan", "", "", "", "", 0, "0.00", f"{planned:.2f}"))
        threading.Thread(target=self._watch, daemon=True).start()

    def emit(self, record):
        """Show a record; that of a progress becomes our line."""
        event = getattr(record, "event", None)
        if event == "plan":
            self.begin(**record.plan)
            return
        if self.forecast:
            self._note(event, record)
        if event == "progress":
            self.done, self.total = record.done, record.total
            if not self._due() and self.done < self.total:
                return
            if (line := self._line()) == self.line:
                return
            record.event, record.msg, self.line = None, line, line
        elif not self.common_settings.dryrun and (event in QUIET or str(record.msg).startswith(CHATTER)):
            return
        elif record.msg == "None":  # a queue of records makes this of a message that there is not
            record.msg = None
        self.terminal.emit(record)

    def _note(self, event, record):
        now = self.clock()
        if event == "job_started":
            self.forecast.start(record.jobs, now)
        elif event == "job_finished":
            started = self.forecast.end(record.job_id, now)
            if started is not None:
                job = self.forecast.jobs[record.job_id]
                self._write((*job.kind, job.runs, f"{started - self.zero:.2f}", f"{now - self.zero:.2f}"))
        elif event == "job_error":
            self.forecast.fail(record.jobid)

    def _write(self, row):
        with self.timeline.open("a", encoding="utf-8", newline="") as lines:
            csv.writer(lines, lineterminator="\n").writerow(row)

    def _due(self):
        now = self.clock()
        return now - self.shown >= min(max((now - self.begun) / 50, LEAST), MOST)

    def _line(self):
        self.shown = self.clock()
        line, left = f"{self.done} of {self.total} jobs done", self.forecast and self.forecast.left(self.shown)
        if left is None or self.done == self.total:
            return line
        awaited = self.forecast.awaited(self.shown)
        return f"{line}, about {in_words(left)} left{f'; waiting for {awaited.name}' if awaited else ''}"

    def _watch(self):
        while self.done < self.total:
            time.sleep(LEAST)
            self.look()

    def look(self):
        """Show a line if no event has brought one for some time."""
        with self.lock:
            if self.forecast.running and self._due() and (line := self._line()) != self.line:
                self.line = line
                self.terminal.emit(logging.makeLogRecord({"msg": line, "levelno": logging.INFO, "levelname": "INFO"}))
