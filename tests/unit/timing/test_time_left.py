"""The lines on the terminal, from the events of Snakemake's log."""

import itertools
import logging
import threading
from types import SimpleNamespace

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from rankbench.timing.keep import KIND, read_timeline
from rankbench.timing.progress import Progress, in_words
from rankbench.timing.schedule import Job


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def terminal(tmp_path):
    """Return a log with our filter, of which `lines` holds what is shown."""
    logger = logging.Logger("snakemake")
    terminal = SimpleNamespace(logger=logger, clock=Clock(), lines=[], file=tmp_path / "logs" / "timeline.csv")
    terminal.progress = Progress(logger, terminal.clock)
    logger.addFilter(terminal.progress)
    handler = logging.Handler()
    handler.emit = lambda record: terminal.lines.append(record.getMessage())
    logger.addHandler(handler)

    def tell(event=None, message=None, seconds=0.0, **fields):
        terminal.clock.now += seconds
        logger.info(message, extra={"event": event, **fields} if event else {})

    terminal.tell = tell
    return terminal


def begin(terminal, jobs, cores=2, planned=2.5):
    expected = SimpleNamespace(jobs=lambda dag: jobs)
    terminal.progress._watch = lambda: None  # the thread is tested on its own
    terminal.progress.begin(None, expected, cores, terminal.file, planned)


def jobs_of(*seconds):
    return {key: Job(f"job {key}", ("run", "e", "m", "d", "c"), one, runs=3) for key, one in enumerate(seconds)}


def test_paragraphs_of_jobs_are_not_shown_and_other_messages_are(terminal):
    begin(terminal, jobs_of(5))
    terminal.tell(LogEvent.JOB_INFO, "rule run_job: ...", jobid=0)
    terminal.tell(None, "Select jobs to execute...")
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


def test_lines_are_few_and_the_last_one_is_always_there(terminal):
    """Never within 3 s of another; in an hour of one job a second the time between them grows to 30 s."""
    begin(terminal, jobs_of(*[1.0] * 3600), cores=1)
    for key in range(3600):
        terminal.tell(LogEvent.JOB_STARTED, "", jobs=[key])
        terminal.tell(LogEvent.JOB_FINISHED, "", seconds=1, job_id=key)
        terminal.tell(LogEvent.PROGRESS, done=key + 1, total=3600)
    done = [int(line.split()[0]) for line in terminal.lines]
    gaps = [after - before for before, after in itertools.pairwise(done)]
    assert min(gaps[:-1]) == 3 and max(gaps) == 30 and 150 < len(done) < 250 and done[-1] == 3600


def test_the_timeline_of_a_run(terminal):
    begin(terminal, jobs_of(5, 5), planned=2.5)
    terminal.tell(LogEvent.JOB_STARTED, "", seconds=0.5, jobs=[0, 1])
    terminal.tell(LogEvent.JOB_FINISHED, "", seconds=4, job_id=1)
    terminal.tell(LogEvent.JOB_ERROR, "", seconds=1, jobid=0)
    plan, row = read_timeline(terminal.file)
    assert (plan["rule"], plan["start"], plan["end"]) == ("plan", 0.0, 2.5)
    assert tuple(row[key] for key in KIND) == ("run", "e", "m", "d", "c")
    assert (row["runs"], row["start"], row["end"]) == (3, 3.0, 7.0)


def test_before_the_jobs_are_known_only_their_number_is_shown(terminal):
    """As in a module, which has no `onstart`."""
    terminal.tell(LogEvent.JOB_STARTED, "", jobs=[0])
    terminal.tell(LogEvent.PROGRESS, seconds=5, done=1, total=9)
    assert terminal.lines == ["1 of 9 jobs done"]


def test_while_one_job_runs_and_nothing_ends_there_are_lines_too(terminal):
    begin(terminal, jobs_of(500))
    terminal.progress.look()
    terminal.tell(LogEvent.JOB_STARTED, "", jobs=[0])
    for seconds in (20, 1, 40, 1000):
        terminal.clock.now += seconds
        terminal.progress.look()
    first, second, third = terminal.lines
    assert (first, second) == tuple(f"0 of 1 jobs done, about {n} min left; waiting for job 0" for n in (8, 7))
    assert int(third.split("about ")[1].split()[0]) >= 2, "twice the expected time, and still some minutes"


def test_a_thread_looks_now_and_then_until_all_is_done(terminal, monkeypatch):
    shown = threading.Event()
    monkeypatch.setattr("rankbench.timing.progress.time.sleep", lambda seconds: None)
    monkeypatch.setattr(terminal.progress, "look", shown.set)
    before = threading.active_count()
    terminal.progress.begin(None, SimpleNamespace(jobs=lambda dag: jobs_of(5)), 2, terminal.file)
    assert shown.wait(10)
    terminal.tell(LogEvent.PROGRESS, done=1, total=1)
    while threading.active_count() > before:
        pass


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (89.6, "90 s"), (91, "2 min"), (5370, "90 min"), (8940, "2.5 h")]
)
def test_times_in_words(seconds, words):
    assert in_words(seconds) == words
