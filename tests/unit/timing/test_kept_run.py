"""The time left that a user would have been shown during real runs, from their kept records, against the truth."""

import numpy as np
import pandas as pd
import pytest
from made_run import Plan

from rankbench.home import HOME
from rankbench.timing.forecast import Forecast
from rankbench.timing.keep import KEPT, read_kept, write_kept
from rankbench.timing.schedule import schedule

OVERHEAD, BETWEEN = 0.13, 0.07  # seconds of a job less its fits, and of Snakemake between two jobs
PARTS = ["tune_seconds", "fit_seconds"]


def seconds_of_runs(name):
    """Return (method, data set, condition) -> the measured seconds of its runs, by seed."""
    records = pd.read_parquet(HOME / "resources/today" / f"{name}.parquet").sort_values("seed")
    cells = records[PARTS].sum(axis=1).groupby([records[key].astype(str) for key in ("method", "dataset", "condition")])
    return {cell: runs.to_numpy() for cell, runs in cells}


def shown(name, file, speed, cores=2):
    """Replay a run whose jobs take the measured seconds times ``speed(method)``; return (seconds left as shown, seconds
    left in truth) at the end of every job from the first tenth of the run on."""
    jobs, measured = Plan([name], file).jobs(), seconds_of_runs(name)
    taken, seconds = dict.fromkeys(measured, 0), {}
    for key, job in jobs.items():
        rule, _, *cell = job.kind
        cell = tuple(cell)
        if rule == "run_job" and cell in measured:
            runs = measured[cell][taken[cell] : taken[cell] + job.runs]
            taken[cell] += job.runs
            seconds[key] = OVERHEAD + speed(cell[0]) * float(runs.sum())
        else:
            seconds[key] = job.seconds
    assert taken == {cell: len(runs) for cell, runs in measured.items()}, "each measured run has a job"
    times = schedule(jobs, cores, seconds, between=BETWEEN)
    forecast, last, came = Forecast(jobs, cores, 0.0), max(end for _, end in times.values()), []
    for moment, ends, key in sorted((times[key][ends], ends, key) for key in jobs for ends in (0, 1)):
        if ends:
            forecast.end(key, moment)
            if moment >= last / 10 and moment < last:
                came.append((forecast.left(moment), last - moment))
        else:
            forecast.start([key], moment)
    return last, np.array(came)


def as_kept(name):
    """Return what `rankbench.timing.keep` would keep of such a run."""
    cells = seconds_of_runs(name).items()
    return {("run_job", name, *cell): float(runs.mean()) for cell, runs in cells}


@pytest.mark.parametrize("name", ["today", "today_grades", "today_curves", "today_large"])
@pytest.mark.parametrize("machine", ["the same", "three times as slow, and each method by another factor"])
def test_from_the_first_tenth_on_it_is_off_by_at_most_a_third(name, machine):
    """In the last fiftieth a few seconds of statistics and figures decide."""
    rng, speeds = np.random.default_rng(0), {}
    same = machine == "the same"
    last, came = shown(name, KEPT, lambda method: 1.0 if same else speeds.setdefault(method, rng.uniform(2.25, 3.75)))
    told, truth = came[came[:, 1] > last / 50].T
    assert last > 600 and len(told) > 100
    assert np.max(np.abs(told - truth) / truth) < 1 / 3


def test_without_kept_seconds_of_its_runs_it_is_not(tmp_path):
    """What the test above has to see: the grades' slowest methods are a surprise if nothing is known of them."""
    others = {kind: seconds for kind, seconds in read_kept().items() if kind[1] != "today_grades"}
    write_kept(others, tmp_path / "kept.csv.gz")
    _, came = shown("today_grades", tmp_path / "kept.csv.gz", lambda method: 1.0)
    assert np.mean(np.abs(came[:, 0] - came[:, 1]) > came[:, 1] / 3) > 0.5


@pytest.mark.parametrize("name", ["today", "today_grades", "today_curves", "today_large"])
def test_the_kept_seconds_are_those_of_the_kept_records(name):
    kept = read_kept()
    for kind, seconds in as_kept(name).items():
        assert kept[kind] == pytest.approx(seconds, rel=6e-3)
