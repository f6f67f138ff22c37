"""The time that is left, by hand and against integrals."""

from rankbench.timing.forecast import Forecast
from rankbench.timing.schedule import Job


def job(seconds, kind=("run", "method"), **named):
    return Job(named.pop("name", "job"), kind, seconds, **named)


def test_before_anything_has_ended_the_kept_seconds_count():
    forecast = Forecast({1: job(10), 2: job(20), 3: job(6)}, 2, now=100.0)
    assert forecast.left(100.0) == 20 and Forecast({1: job(10), 2: job(20)}, 1, now=0.0).left(0.0) == 30
