"""Snakemake's logger ``rankbench``: one line every ten seconds instead of the paragraphs for each job.

A line says how many jobs are done, and how long the rest takes at the pace of this run, if that is known. Snakemake
shows other messages as ever.
"""

import logging
import math
import sys
import time

from snakemake_interface_logger_plugins.base import LogHandlerBase

BETWEEN = 10.0  # seconds between two lines
FEWEST = 10  # runs that have ended before a pace is known
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


class Pace:
    """How fast the runs of experiments end. Their compilation, and the short jobs before and after them, do not count.

    Attributes
    ----------
    work : dict
        Number of a job -> what it is estimated to take, in any unit, for each that is still to end.
    """

    def __init__(self, work):
        self.work, self.began = dict(work), None

    def end(self, job, now):
        """A job has ended; the pace counts from the end of the first run."""
        if self.work.pop(job, None) is not None and self.began is None:
            self.began, self.total = now, self._sums()

    def _sums(self):
        return len(self.work), sum(self.work.values())

    def left(self, now):
        """Return the seconds that the remaining runs take, or None if they are not known within a factor of two.

        By their number they take too long if the long ones run first, as here; by the estimates too short if these
        say too much about the long ones. Where the two agree, the seconds are between them.
        """
        if not self.work or self.began is None or self.total[0] - len(self.work) < FEWEST:
            return None
        parts = zip(self._sums(), self.total, strict=True)
        guesses = [(now - self.began) * left / (total - left) for left, total in parts]
        return math.sqrt(math.prod(guesses)) if max(guesses) <= 2 * min(guesses) else None


class LogHandler(LogHandlerBase):
    """What writes the log to the terminal. A record whose event is "plan" has the ``work`` of a `Pace`."""

    writes_to_stream = True
    writes_to_file = False
    has_filter = False
    has_formatter = False
    needs_rulegraph = False

    def __post_init__(self, clock=time.monotonic):
        from snakemake.logging import ColorizingTextHandler  # which imports this module

        stream = sys.stdout if self.common_settings.stdout else sys.stderr
        self.terminal = ColorizingTextHandler(nocolor=self.common_settings.nocolor, stream=stream)
        self.clock, self.pace = clock, Pace({})
        self.begun = self.shown = clock()

    def setFormatter(self, fmt):
        """Write records in a format."""
        self.terminal.setFormatter(fmt)

    def emit(self, record):
        """Show a record; that of a progress becomes our line."""
        event, now = getattr(record, "event", None), self.clock()
        if event == "plan":
            self.pace = Pace(record.work)
            return
        if event == "job_finished":
            self.pace.end(record.job_id, now)
        if event == "progress":
            if now - self.shown < BETWEEN and record.done < record.total:
                return
            self.shown, left = now, self.pace.left(now)
            line = f"{record.done} of {record.total} jobs, {in_words(now - self.begun)}"
            line += "" if left is None else f", about {in_words(left)} left"
            record = logging.makeLogRecord({"msg": line, "levelno": logging.INFO, "levelname": "INFO"})
        elif not self.common_settings.dryrun and (event in QUIET or str(record.msg).startswith(CHATTER)):
            return
        elif record.msg == "None":  # a queue of records makes this of a message that there is not
            record.msg = None
        self.terminal.emit(record)


def in_words(seconds):
    """Return a time as one would say it.

    >>> in_words(40), in_words(600), in_words(9000)
    ('40 s', '10 min', '2.5 h')
    """
    if seconds <= 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
