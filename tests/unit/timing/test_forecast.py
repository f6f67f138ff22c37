"""The time that is left, by hand."""

import pytest

from rankbench.timing.forecast import LATE, Forecast, Job


def job(seconds, kind=("run", "method"), **named):
    return Job(named.pop("name", "job"), kind, seconds, **named)


def test_before_anything_has_ended_the_kept_seconds_count():
    """All cores are busy to the end, and no job ends before it can."""
    forecast = Forecast({1: job(10), 2: job(20), 3: job(6)}, 2, now=100.0)
    assert forecast.left(100.0) == 20 and Forecast({1: job(10), 2: job(20)}, 1, now=0.0).left(0.0) == 30
    chain = {1: job(10), 2: job(20, needs=(1,)), 3: job(6, needs=(2, "made before"))}
    assert Forecast(chain, 2, now=0.0).left(0.0) == 36


def test_what_has_ended_corrects_the_rest():
    """Two jobs took twice what was expected: rates (2 * 2 + 1) / 3 for all, (2 * 2 + 5 / 3) / 3 for the kind; another
    kind has the general one; 8 of 48 s no job ran; what needs a failed job is not waited for."""
    jobs = {key: job(10, ("run",)) for key in range(3)} | {3: job(10, ("other",)), 4: job(99, needs=(5,)), 5: job(7)}
    forecast = Forecast(jobs, 1, now=100.0)
    for key, started in ((0, 104.0), (1, 128.0)):
        forecast.start([key], started)
        assert forecast.awaited(started) is None
        forecast.end(key, started + 20.0)
    forecast.fail(5)
    general = (2 * 2 + 1) / 3
    of_run = (2 * 2 + general) / 3
    assert {*forecast.unfinished(148.0)} == {2, 3}
    assert forecast.left(148.0) == pytest.approx((10 * of_run + 10 * general) * 48 / 40)
    forecast.start([3], 152.0)
    assert forecast.awaited(152.0) is None  # another job could start
    forecast.end(3, 162.0)
    forecast.start([2], 166.0)
    assert forecast.awaited(166.0) is jobs[2]


def test_jobs_elsewhere_by_their_share_of_the_work():
    forecast = Forecast({key: job(10) for key in range(4)}, None, now=100.0)
    assert forecast.left(150.0) is None
    forecast.start(range(4), 100.0)
    assert forecast.awaited(100.0) is None
    forecast.end(0, 110.0)
    assert forecast.left(130.0) == pytest.approx(LATE * 30.0), "each of three runs 30 s, the time of all"


def test_a_job_that_is_late_is_still_waited_for():
    forecast = Forecast({1: job(10)}, 1, now=0.0)
    forecast.start([1], 0.0)
    assert forecast.left(4.0) == 6 and forecast.left(100.0) == 100 * LATE


def test_a_job_that_starts_again_has_not_failed():
    forecast = Forecast({1: job(10), 2: job(5, needs=(1,))}, 1, now=0.0)
    forecast.start([1], 0.0)
    forecast.fail(1)
    assert forecast.left(1.0) == 0
    forecast.start([1], 1.0)
    assert forecast.left(1.0) == 15
