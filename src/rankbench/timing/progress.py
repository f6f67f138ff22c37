"""What the terminal shows of a run: how many jobs are done, how much time is left, and for which job the run waits."""

import csv
import logging
import threading
import time

from .forecast import Forecast
from .keep import COLUMNS

LEAST, MOST = 3.0, 30.0  # seconds between two lines: a fiftieth of the time so far, within these bounds
QUIET = ("job_info", "job_finished", "job_started")  # events of Snakemake that print a paragraph for each job
CHATTER = ("Select jobs to execute", "Execute ")


class Progress(logging.Filter):
    """A filter of Snakemake's log: it turns the paragraphs for each job into a line every few seconds.

    Parameters
    ----------
    logger : logging.Logger
        Where lines go that no event brings, because one job runs for a long time.
    """

    def __init__(self, logger, clock=time.monotonic):
        super().__init__()
        self.logger, self.clock = logger, clock
        self.begun = self.shown = clock()
        self.forecast, self.timeline, self.done, self.total = None, None, 0, 0
        self.lock = threading.Lock()

    def begin(self, dag, expected, cores, file, planned=0.0):
        """All jobs are known, and the first one starts soon.

        Parameters
        ----------
        dag : object
            See `Expected.jobs`.
        expected : Expected
        cores : int or None
            See `Forecast`.
        file : path
            The timeline, see `rankbench.timing.keep`; it is written anew.
        planned : float
            Seconds since the process started.
        """
        self.forecast, self.zero = Forecast(expected.jobs(dag), cores, self.clock()), self.clock() - planned
        self.total, self.timeline = len(self.forecast.jobs), file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        self._write(COLUMNS)
        self._write(("plan", "", "", "", "", 0, "0.00", f"{planned:.2f}"))
        threading.Thread(target=self._watch, daemon=True).start()

    def filter(self, record):
        """Return whether a record is shown; the record of a progress becomes our line."""
        event = getattr(record, "event", None)
        with self.lock:
            if self.forecast:
                self._note(event, record)
            if event != "progress":
                return event not in QUIET and not str(record.msg).startswith(CHATTER)
            self.done, self.total = record.done, record.total
            if not self._due() and self.done < self.total:
                return False
            record.event, record.msg = None, self._line()
            return True

    def _note(self, event, record):
        now = self.clock()
        if event == "job_started":
            self.forecast.start(record.jobs, now)
        elif event == "job_finished":
            started = self.forecast.end(record.job_id, now)
            if started is not None:
                job, times = (
                    self.forecast.jobs[record.job_id],
                    (f"{moment - self.zero:.2f}" for moment in (started, now)),
                )
                self._write((*job.kind, job.runs, *times))
        elif event == "job_error":
            self.forecast.fail(record.jobid, now)

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
        awaited = self.forecast.awaited
        return f"{line}, about {in_words(left)} left{f'; waiting for {awaited.name}' if awaited else ''}"

    def _watch(self):
        while self.done < self.total:
            time.sleep(LEAST)
            self.look()

    def look(self):
        """Show a line if no event has brought one for some time."""
        with self.lock:
            line = self._line() if self.forecast.running and self._due() else None
        if line:
            self.logger.info(line)


def in_words(seconds):
    """Return a time as one would say it.

    >>> in_words(40), in_words(600), in_words(9000)
    ('40 s', '10 min', '2.5 h')
    """
    if seconds <= 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
