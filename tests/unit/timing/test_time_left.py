"""The lines on the terminal, from the events of Snakemake's log."""

import logging
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from rankbench.timing.forecast import Job, in_words
from snakemake_logger_plugin_rankbench import LogHandler


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def terminal(tmp_path):
    """Return a log with our handler, of which `lines` holds what is shown."""
    logger = logging.Logger("snakemake")
    terminal = SimpleNamespace(logger=logger, clock=Clock(), lines=[], file=tmp_path / "logs" / "timeline.csv")
    terminal.progress = LogHandler(SimpleNamespace(stdout=False, nocolor=True, dryrun=False), None)
    terminal.progress.__post_init__(terminal.clock)
    terminal.progress.terminal.emit = lambda record: terminal.lines.append(record.getMessage())
    logger.addHandler(terminal.progress)

    def tell(event=None, message=None, seconds=0.0, **fields):
        terminal.clock.now += seconds
        logger.info(message, extra={"event": event, **fields} if event else {})

    terminal.tell = tell
    return terminal


def begin(terminal, jobs, cores=2, planned=2.5):
    terminal.progress._watch = lambda: None  # the thread is tested on its own
    plan = {"jobs": jobs, "cores": cores, "file": terminal.file, "planned": planned}
    terminal.tell("plan", plan=plan)


def jobs_of(*seconds):
    return {key: Job(f"job {key}", ("run", "e", "m", "d", "c"), one, runs=3) for key, one in enumerate(seconds)}


def test_paragraphs_of_jobs_are_not_shown_and_other_messages_are(terminal):
    begin(terminal, jobs_of(5))
    terminal.tell(LogEvent.JOB_INFO, "rule run_job: ...", jobid=0)
    terminal.tell(None, "Select jobs to execute...")
    terminal.tell(None, "Conda environments: ignored")
    terminal.tell(LogEvent.JOB_STARTED, "Execute 1 jobs...", jobs=[0])
    terminal.tell(LogEvent.JOB_FINISHED, "Finished jobid: 0", job_id=0)
    assert terminal.lines == []
    terminal.tell(LogEvent.JOB_ERROR, "Error in rule run_job", jobid=0)
    terminal.tell(None, "Complete log")
    assert terminal.lines == ["Error in rule run_job", "Complete log"]


def test_a_line_says_how_much_is_left_and_for_what_the_run_waits(terminal):
    begin(terminal, jobs_of(10, 10, 300))
    terminal.tell(LogEvent.JOB_STARTED, "", jobs=[0, 2])
    terminal.tell(LogEvent.JOB_FINISHED, "", seconds=10, job_id=0)
    terminal.tell(LogEvent.PROGRESS, done=1, total=3)
    terminal.tell(LogEvent.JOB_STARTED, "", jobs=[1])
    terminal.tell(LogEvent.JOB_FINISHED, "", seconds=10, job_id=1)
    terminal.tell(LogEvent.PROGRESS, done=2, total=3)
    assert terminal.lines == [
        "1 of 3 jobs done, about 5 min left",
        "2 of 3 jobs done, about 5 min left; waiting for job 2",
    ]
    terminal.tell(LogEvent.JOB_FINISHED, "", seconds=260, job_id=2)
    terminal.tell(LogEvent.PROGRESS, done=3, total=3)
    assert terminal.lines[2:] == ["3 of 3 jobs done"]


def test_a_line_is_not_shown_twice(terminal):
    begin(terminal, jobs_of(10, 600))
    terminal.tell(LogEvent.JOB_STARTED, "", jobs=[0, 1])
    for seconds in (5, 5, 5, 200):
        terminal.clock.now += seconds
        terminal.progress.look()
    assert len(terminal.lines) == len(set(terminal.lines)) >= 2


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (89.6, "90 s"), (91, "2 min"), (5370, "90 min"), (8940, "2.5 h")]
)
def test_times_in_words(seconds, words):
    assert in_words(seconds) == words
