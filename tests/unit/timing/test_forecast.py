"""The time that is left, by hand and against integrals."""

import math

import numpy as np
import pytest

from rankbench.timing.forecast import SPREAD, Forecast, more
from rankbench.timing.schedule import ALL, Job


def job(seconds, kind=("run", "method"), **named):
    return Job(named.pop("name", "job"), kind, seconds, **named)


def test_before_anything_has_ended_the_kept_seconds_count():
    forecast = Forecast({1: job(10), 2: job(20), 3: job(6)}, 2, now=100.0)
    assert forecast.left(100.0) == 20 and Forecast({1: job(10), 2: job(20)}, 1, now=0.0).left(0.0) == 30


def test_a_slower_machine_is_noticed_by_kind():
    """Rates by hand: all jobs (2 * 3 + 1) / 3, of the rule the mean of 2 times 3 and of that, and so on."""
    jobs = {key: job(10, ("run", "slow")) for key in range(4)} | {9: job(8, ("run", "other"))}
    forecast = Forecast(jobs, 1, now=0.0)
    for key in range(2):
        forecast.start([key], 30.0 * key)
        forecast.end(key, 30.0 * (key + 1))
    everything = (2 * 3 + 1) / 3
    rule = (2 * 3 + everything) / 3
    slow = (2 * 3 + rule) / 3
    assert forecast.rate(("run", "slow")) == pytest.approx(slow)
    assert forecast.rate(("run", "other")) == forecast.rate(("run",)) == pytest.approx(rule)
    assert forecast.rate(("table",)) == pytest.approx(everything)
    assert forecast.left(60.0) == pytest.approx(2 * 10 * slow + 8 * rule)


def test_what_snakemake_takes_between_jobs_is_part_of_what_is_left():
    forecast = Forecast({key: job(1, ()) for key in range(10)}, 1, now=0.0)
    for key in range(5):
        forecast.start([key], 3.0 * key + 2.0)
        forecast.end(key, 3.0 * key + 3.0)
    assert forecast.left(15.0) == pytest.approx(5 * (1 + 2))


def test_a_job_that_runs_alone_is_not_shared_by_the_cores():
    forecast = Forecast({1: job(30, cores=ALL), 2: job(10), 3: job(10)}, 2, now=0.0)
    assert forecast.left(0.0) == 40


def test_what_needs_a_failed_job_is_not_waited_for():
    jobs = {1: job(5), 2: job(50, needs=(1,)), 3: job(70, needs=(2,)), 4: job(9)}
    forecast = Forecast(jobs, 1, now=0.0)
    forecast.start([1], 0.0)
    forecast.fail(1, 0.0)
    assert forecast.left(0.0) == 9 and forecast.unfinished.keys() == {4}
    forecast.start([1], 0.0)  # Snakemake tries it again
    assert forecast.unfinished.keys() == {1, 2, 3, 4} and forecast.left(0.0) == pytest.approx(134)


def test_jobs_elsewhere_by_their_share_of_the_work():
    forecast = Forecast({key: job(seconds) for key, seconds in enumerate([10, 20, 30])}, None, now=0.0)
    assert forecast.left(5.0) is None
    forecast.start([1], 0.0)
    forecast.end(1, 20.0)
    assert forecast.left(40.0) == pytest.approx(40 / 20 * 40)


def test_jobs_that_are_not_known_change_nothing():
    forecast = Forecast({1: job(10)}, 1, now=0.0)
    forecast.start(["a group"], 0.0)
    assert forecast.end(7, 3.0) is None and not forecast.running and forecast.left(0.0) == 10


def test_what_the_run_waits_for():
    jobs = {1: job(1, name="short"), 2: job(9, name="long"), 3: job(1, needs=(2,))}
    forecast = Forecast(jobs, 2, now=0.0)
    assert forecast.awaited is None
    forecast.start([1, 2], 0.0)
    assert forecast.awaited is None
    forecast.end(1, 1.0)
    assert forecast.awaited.name == "long"


def test_a_run_on_one_core_does_not_wait_for_its_job_while_others_could_start():
    forecast = Forecast({1: job(1), 2: job(9)}, 1, now=0.0)
    forecast.start([1], 0.0)
    assert forecast.awaited is None


@pytest.mark.parametrize("elapsed", [0.1, 0.5, 1.0, 2.0, 5.0])
def test_how_much_longer_a_job_runs_is_the_mean_of_a_tail(elapsed):
    """The mean of a log-normal variable of mean 1 beyond what has elapsed, by the integral over its logarithm."""
    z = np.linspace((math.log(elapsed) + SPREAD**2 / 2) / SPREAD, 30, 2_000_001)
    weights = np.exp(-(z**2) / 2)
    seconds = np.exp(SPREAD * z - SPREAD**2 / 2)
    tail = (weights * (seconds - elapsed)).sum() / weights.sum()
    assert more(10.0, 10.0 * elapsed) == pytest.approx(10.0 * tail, rel=1e-3)


def test_a_job_that_has_just_started_runs_as_long_as_expected_and_none_ever_runs_a_negative_time():
    assert more(7.0, 0.0) == 7.0 and more(0.0, 3.0) == 0.0
    left = [more(1.0, elapsed) for elapsed in (0.5, 1, 2, 5, 8, 9, 10, 20, 1000)]
    assert all(seconds > 0 for seconds in left) and left[-1] < 1000
