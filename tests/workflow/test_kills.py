"""SIGKILL of a run and its jobs at a random moment: while it goes on no other run may begin, and the next one finishes
to the same records. Of a job, of Snakemake and of the warm process alone: executor/test_faults.py."""

import os
import random
import shutil
import signal
import time

import pytest
from checkout import job_counts
from fault_cases import how_many

from rankbench.experiments.places import hold
from rankbench.records.diff import compare

pytestmark = pytest.mark.workflow
TARGET = ["results/smoke/records.parquet", "--config", "experiments=[smoke]", "seeds_per_job=2"]
N_JOBS, N_CORES, N_SEEDS = 9, 2, 2  # seeds of a job


@pytest.fixture
def undisturbed(after_smoke, tmp_path):
    """A checkout with tables, splits and compiled code, and the results of a run to its end."""
    return after_smoke, (after_smoke.path / "results").rename(tmp_path / "reference")


def finished(checkout):
    """Return the record files that are there, with the time at which they were written."""
    return {file: file.stat().st_mtime_ns for file in checkout.path.glob("results/smoke/jobs/*/*/*/*.json")}


@pytest.mark.parametrize("number", range(how_many(1, 50)))
def test_the_next_run_finishes_to_the_same_records(undisturbed, number):
    checkout, reference = undisturbed
    moments = random.Random(number)
    shutil.rmtree(checkout.path / "results", ignore_errors=True)
    process = checkout.start(*TARGET)
    awaited = moments.randrange(N_JOBS * N_SEEDS - 3)  # runs that have ended before
    while process.poll() is None and len(finished(checkout)) < awaited:
        time.sleep(0.05)
    if awaited and process.poll() is None:
        with pytest.raises(ValueError, match="another run is active in this folder"):
            hold(checkout.path)
    time.sleep(moments.uniform(0, 0.5))
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=240)
    kept = finished(checkout)
    code, text = checkout.snakemake(*TARGET)
    assert code == 0, text
    assert compare(reference, checkout.path / "results")
    again = sum(file.stat().st_mtime_ns != then for file, then in kept.items())
    planned = job_counts(text).get("run_smoke_0_1", 0) if "Job stats" in text else 0
    assert again <= N_CORES * N_SEEDS and planned <= N_JOBS - len(kept) // N_SEEDS + N_CORES, text
