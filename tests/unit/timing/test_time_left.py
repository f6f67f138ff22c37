"""The lines on the terminal, from the events of Snakemake's log, and the time that is left, by hand."""

import logging
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_rankbench import LogHandler, Pace


@pytest.fixture
def terminal():
    """Return a log with our handler, of which `lines` holds what is shown."""
    logger = logging.Logger("snakemake")
    terminal = SimpleNamespace(lines=[], now=100.0)
    handler = LogHandler(SimpleNamespace(stdout=False, nocolor=True, dryrun=False), None)
    handler.__post_init__(lambda: terminal.now)
    handler.terminal.emit = lambda record: terminal.lines.append(record.getMessage())
    logger.addHandler(handler)

    def tell(event=None, message=None, seconds=0.0, **fields):
        terminal.now += seconds
        logger.info(message, extra={"event": event, **fields} if event else {})

    terminal.tell = tell
    return terminal


def test_paragraphs_of_jobs_are_not_shown_and_other_messages_are(terminal):
    terminal.tell("plan", "", work={})
    terminal.tell(LogEvent.JOB_INFO, "rule run_job: ...", jobid=0)
    terminal.tell(None, "Select jobs to execute...")
    terminal.tell(None, "Conda environments: ignored")
    terminal.tell(LogEvent.JOB_STARTED, "Execute 1 jobs...", jobs=[0])
    terminal.tell(LogEvent.JOB_FINISHED, "Finished jobid: 0", job_id=0)
    assert terminal.lines == []
    terminal.tell(LogEvent.JOB_ERROR, "Error in rule run_job", jobid=0)
    terminal.tell(None, "Complete log")
    assert terminal.lines == ["Error in rule run_job", "Complete log"]


def test_a_line_at_most_every_ten_seconds_and_one_at_the_end(terminal):
    """Two seconds a run, and four at the end whose job makes no run; the pace begins with the end of the first run."""
    terminal.tell("plan", "", work=dict.fromkeys(range(100), 5))
    for job in range(100):
        terminal.tell(LogEvent.JOB_FINISHED, "", seconds=2, job_id=job)
        terminal.tell(LogEvent.PROGRESS, done=job + 1, total=101)
    terminal.tell(LogEvent.JOB_FINISHED, "", seconds=4, job_id=100)
    terminal.tell(LogEvent.PROGRESS, done=101, total=101)
    assert terminal.lines[:3] == [
        "5 of 101 jobs, 10 s",
        "10 of 101 jobs, 20 s",
        "15 of 101 jobs, 30 s, about 3 min left",
    ]
    assert terminal.lines[-3:] == [
        "95 of 101 jobs, 3 min, about 10 s left",
        "100 of 101 jobs, 3 min",
        "101 of 101 jobs, 3 min",
    ]
    assert len(terminal.lines) == 21


@pytest.mark.parametrize(("short", "left"), [(4.9, None), (5, 5000**0.5), (20, 20000**0.5), (20.1, None)])
def test_no_number_while_it_is_not_known_within_a_factor_of_two(short, left):
    """After 20 runs, estimated at 10 and a second each, 100 are left, so 100 s by their number; by the estimates 10 s
    times `short`."""
    pace = Pace({**dict.fromkeys(range(21), 10), **dict.fromkeys(range(21, 121), short)})
    for job in range(21):
        pace.end(job, 1.0 + job)
    assert pace.left(21.0) == (left and pytest.approx(left))
