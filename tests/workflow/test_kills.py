"""SIGKILL of a run at a random moment, in the long version of some of its processes too: while it goes on no other run
may begin, and the next one finishes to the same records."""

import contextlib
import os
import random
import shutil
import signal
import time
from pathlib import Path

import psutil
import pytest
from checkout import job_counts
from fault_cases import how_many

from rankbench.experiments.places import hold
from rankbench.records.diff import compare

pytestmark = pytest.mark.workflow
ROUNDS = how_many(1, 50)
VICTIMS = ("Snakemake and its jobs", "a job", "Snakemake", "half the jobs")
TARGET = ["results/smoke/records.parquet", "--config", "experiments=[smoke]", "seeds_per_job=2"]
N_JOBS, N_CORES, N_SEEDS = 9, 2, 2  # seeds of a job


@pytest.fixture
def undisturbed(after_smoke, tmp_path):
    """A checkout with tables, splits and compiled code, and the results of a run to its end."""
    return after_smoke, (after_smoke.path / "results").rename(tmp_path / "reference")


def jobs_of(process):
    """Return the processes that make a job at this moment, the watched processes of their runs among them."""
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(process.pid).children(recursive=True)
        return [child for child in children if name_of(child) == "run_job"]
    return []


def name_of(process):
    """Return the name of a process; the executor gives a job that of its script."""
    with contextlib.suppress(psutil.Error, OSError):
        return Path(f"/proc/{process.pid}/comm").read_text().strip()
    return ""


def kill(process, victim, moments):
    """Kill the victim; jobs that are none yet are waited for."""
    if victim == "Snakemake":
        os.kill(process.pid, signal.SIGKILL)
    elif victim == "Snakemake and its jobs":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        while process.poll() is None and not (jobs := jobs_of(process)):
            time.sleep(0.02)
        if process.poll() is None:
            for job in moments.sample(jobs, 1 if victim == "a job" else -(-len(jobs) // 2)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    job.kill()


def finished(checkout):
    """Return the record files that are there, with the time at which they were written."""
    return {file: file.stat().st_mtime_ns for file in checkout.path.glob("results/smoke/jobs/*/*/*/*.json")}


def disturbed_run(undisturbed, number):
    """Kill one run and let the next go on; return what is wrong with the outcome, or the empty string."""
    checkout, reference = undisturbed
    moments, victim = random.Random(number), VICTIMS[number % len(VICTIMS)]
    shutil.rmtree(checkout.path / "results", ignore_errors=True)
    process = checkout.start(*TARGET)
    awaited = moments.randrange(N_JOBS * N_SEEDS - 3)  # runs that have ended before
    while process.poll() is None and len(finished(checkout)) < awaited:
        time.sleep(0.05)
    if awaited and process.poll() is None:
        with pytest.raises(ValueError, match="another run is active in this folder"):
            hold(checkout.path)
    time.sleep(moments.uniform(0, 0.5))
    kill(process, victim, moments)
    if victim == "Snakemake":
        process.wait()
        process.stdout.close()  # jobs go on and would keep it open
    else:
        process.communicate(timeout=240)
    kept = finished(checkout)
    code, text = checkout.snakemake(*TARGET)
    if code != 0:
        return f"{victim}: exit code {code}: {text[-2000:]}"
    if not compare(reference, checkout.path / "results"):
        return f"{victim}: other records"
    again = sum(file.stat().st_mtime_ns != then for file, then in kept.items())
    planned = job_counts(text).get("run_smoke_0_1", 0) if "Job stats" in text else 0
    if again > N_CORES * N_SEEDS or planned > N_JOBS - len(kept) // N_SEEDS + N_CORES:
        return f"{victim}: {len(kept)} runs were finished, {planned} jobs ran again, {again} finished runs among them"
    print(f"round {number}: {victim}, {len(kept)} runs finished, {planned} jobs of the next")
    return ""


def test_the_next_run_finishes_to_the_same_records(undisturbed):
    faults = [fault for number in range(ROUNDS) if (fault := disturbed_run(undisturbed, number))]
    assert not faults, "\n\n".join(faults)
