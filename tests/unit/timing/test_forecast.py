"""The time that is left, by hand."""

import numpy as np
import pytest
from scipy import stats

from rankbench.timing.forecast import SPREAD, Forecast, more
from rankbench.timing.schedule import ALL, Job, schedule


def job(seconds, kind=("run", "method"), **named):
    return Job(named.pop("name", "job"), kind, seconds, **named)


def test_before_anything_has_ended_the_kept_seconds_count():
    forecast = Forecast({1: job(10), 2: job(20), 3: job(6)}, 2, now=100.0)
    assert forecast.left(100.0) == 20 and Forecast({1: job(10), 2: job(20)}, 1, now=0.0).left(0.0) == 30


def test_what_has_ended_corrects_the_rest():
    """Two jobs took twice what was expected: rates (2 + 1) / 2 for all, (2 * 2 + 5 / 3) / 3 for the kind; another kind
    has the general one; Snakemake took 4 s before each start; what needs a failed job is not waited for."""
    jobs = {key: job(10, ("run",)) for key in range(3)} | {3: job(10, ("other",)), 4: job(99, needs=(5,)), 5: job(7)}
    forecast = Forecast(jobs, 1, now=100.0)
    for key in (0, 1):
        forecast.start([key], forecast.last_end + 4.0)
        assert forecast.awaited is None
        forecast.end(key, forecast.last_end or 104.0 + 24.0 * key + 20.0)
    forecast.fail(5, 148.0)
    general = (2 * 2 + 1) / 3
    of_run = (2 * 2 + general) / 3
    assert {*forecast.unfinished} == {2, 3}
    assert forecast.left(148.0) == pytest.approx(10 * of_run + 10 * general + 2 * 4.0)
    forecast.start([3], 152.0)
    assert forecast.awaited is None  # another job could start
    forecast.end(3, 162.0)
    forecast.start([2], 166.0)
    assert forecast.awaited is jobs[2]


def test_jobs_elsewhere_by_their_share_of_the_work():
    forecast = Forecast({key: job(10) for key in range(4)}, None, now=100.0)
    assert forecast.left(150.0) is None
    forecast.start(range(4), 100.0)
    assert forecast.awaited is None
    forecast.end(0, 130.0)
    assert forecast.left(130.0) == pytest.approx(3 * 30.0)


def test_how_much_longer_a_job_runs_is_the_mean_of_a_tail():
    seconds = stats.lognorm(SPREAD, scale=10.0 * np.exp(-(SPREAD**2) / 2))
    for elapsed in (4.0, 10.0, 25.0):
        assert more(10.0, elapsed) == pytest.approx(seconds.expect(lb=elapsed, conditional=True) - elapsed, rel=1e-4)
    assert more(10.0, 0.0) == 10.0 and 0 < more(10.0, 1e9) < 1e9


def test_priority_cores_and_the_time_between_jobs():
    """The higher priority first; one that asks for all cores waits for them; one job starts after the other."""
    jobs = {"low": job(5), "high": job(3, priority=1.0), "all": job(2, cores=ALL, priority=0.5)}
    seconds = {key: one.seconds for key, one in jobs.items()}
    assert schedule(jobs, 1, seconds) == {"high": (0, 3), "all": (3, 5), "low": (5, 10)}
    assert schedule(jobs, 2, seconds, between=1.0)["low"] == (2, 7)
    assert schedule(jobs, 2, seconds, running={"high": 8.0}) == {"high": (0, 8), "low": (0, 5), "all": (8, 10)}
