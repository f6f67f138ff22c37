"""What is expected of jobs."""

from types import SimpleNamespace

import pytest

from rankbench.timing.expected import UNKNOWN, Expected
from rankbench.timing.forecast import Forecast
from rankbench.timing.keep import KIND, keep, read_kept, read_timeline, seconds_by_kind, write_kept

RUN = ("run_job", "smoke", "svor5", "friedman1", "default")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "seconds.csv.gz"


def cell(method, dataset):
    return {"experiment": "smoke", "dataset": dataset, "condition": "default", "method": method, "seed": "1"}


def test_a_kind_that_is_not_kept_takes_as_long_as_the_nearest_that_is(file):
    """By hand: the cell itself, the method on other data sets, the experiment, the method elsewhere, the rule, and
    nothing."""
    others = [("run_job", "smoke", "svor5", "servo", "default"), ("run_job", "smoke", "herbrich5", "servo", "default")]
    write_kept({RUN: 2.0, others[0]: 4.0, others[1]: 9.0, ("run_job", "toys", "x", "y", "z"): 25.0}, file)
    seconds = Expected(file=file).seconds
    assert seconds("run_job", cell("svor5", "friedman1")) == 2
    assert seconds("run_job", cell("svor5", "herbrich_utility")) == 3
    assert seconds("run_job", cell("svm_multi_sp", "friedman1")) == 5
    assert seconds("run_job", {**cell("svor5", "b"), "experiment": "new"}) == 3
    assert seconds("run_job", {**cell("a", "b"), "experiment": "new"}) == 10
    assert seconds("run_study", {"experiment": "smoke", "study": "pair_loss"}) == UNKNOWN


class Planned:
    """A job of Snakemake."""

    rule = SimpleNamespace(name="run_job")

    def __init__(self, method):
        self.wildcards_dict = cell(method, "friedman1")


class Plan:
    """What Snakemake gives its schedulers: jobs of these methods, without dependencies."""

    def __init__(self, methods):
        self.planned = [Planned(method) for method in methods]

    def needrun_jobs(self):
        return self.planned

    def jobid(self, job):
        return self.planned.index(job)

    def job_dependencies(self, job):
        return ()


def test_jobs_of_no_time_do_not_make_the_forecast_of_long_ones_absurd(file):
    """A hundred jobs that are expected to take 2 ms take half a second each, because starting them does. Ten jobs of a
    minute are left."""
    write_kept({RUN: 60.0, (*RUN[:2], "constant", *RUN[3:]): 0.002}, file)
    forecast = Forecast(Expected(file=file).jobs(Plan(["constant"] * 100 + ["svor5"] * 10)), cores=1, now=0.0)
    for number in range(100):
        forecast.start([number], 0.5 * number)
        forecast.end(number, 0.5 * (number + 1))
    assert forecast.left(50.0) == pytest.approx(600)


def test_what_a_run_took_is_kept_and_the_rest_stays(tmp_path, file):
    """By hand: ten runs in 5 s and thirty in 7 s are 0.3 s a run."""
    timeline = tmp_path / "timeline.csv"
    lines = [
        [*KIND, "runs", "start", "end"],
        ["plan", "", "", "", "", 0, "0.00", "3.00"],
        [*RUN, 10, "3.00", "8.00"],
        [*RUN, 30, "4.00", "11.00"],
        ["write_report", "", "", "", "", 1, "12.00", "12.50"],
    ]
    timeline.write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    write_kept({RUN: 99.0, ("warm_up", "", "", "", ""): 4.0}, file)
    keep(timeline, file)
    assert read_kept(file) == {RUN: 0.3, ("warm_up", "", "", "", ""): 4.0, ("write_report", "", "", "", ""): 0.5}
    assert seconds_by_kind(read_timeline(timeline)).keys() == read_kept(file).keys() - {("warm_up", "", "", "", "")}
    before = file.read_bytes()
    keep(timeline, file)
    assert file.read_bytes() == before, "the same seconds make the same bytes"
