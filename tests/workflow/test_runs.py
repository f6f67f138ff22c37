"""Snakemake as a user runs it: the planned jobs, the state after a killed run, and records that do not depend on it."""

import base64
import json
import os
import shutil
import signal
import time

import pandas as pd
import pytest
from checkout import job_counts

from rankbench.command.why import rule_of

pytestmark = pytest.mark.workflow
RECORDS = "results/smoke/records.parquet"


def test_what_table_1_plans(checkout):
    code, text = checkout.snakemake("-n", "--config", "experiments=[diez_table1]", "seeds_per_job=20")
    counts = job_counts(text)
    assert code == 0
    assert (counts["fetch_dataset"], counts["build_table"], counts["split_table"]) == (12, 12, 24)
    assert (counts["warm_up"], counts["collect_records"]) == (3, 1)
    assert {key: n for key, n in counts.items() if key.startswith("run_")} == {"run_diez_table1_0_19": 36}


def test_one_run_at_a_time_and_a_killed_one_goes_on_to_the_same_records(after_smoke):
    checkout = after_smoke
    shutil.rmtree(checkout.path / "results")
    first = ["--config", "experiments=[smoke]", "seeds_per_job=1"]
    process = checkout.start(RECORDS, *first)
    done = checkout.path / "results/smoke/jobs"
    while len(list(done.glob("*/*/*/*.json"))) < 2 and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGSTOP)  # it would have ended before the second one is refused
    code, text = checkout.snakemake(RECORDS, *first)
    assert code != 0 and "another run is active in this folder" in text
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = {file: file.stat().st_mtime_ns for file in done.glob("*/*/*/*.json")}
    code, text = checkout.snakemake(RECORDS, *first)
    assert code == 0, text
    assert 2 <= len(kept) < 18 and job_counts(text)["run_job"] <= 18 - len(kept) + 2  # two were being finished
    assert sum(file.stat().st_mtime_ns == then for file, then in kept.items()) >= len(kept) - 2
    one_by_one = pd.read_parquet(checkout.path / RECORDS)
    assert set(one_by_one["status"]) == {"ok"} and (one_by_one["gap"].abs() <= 1e-2).all()

    blocks = ["--config", "experiments=[smoke]", "seeds_per_job=2"]
    code, text = checkout.snakemake("-n", RECORDS, *blocks)
    assert code == 0 and "Nothing to be done" in text, "a run does not depend on the jobs that it was made in"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("CORES=abc EXPERIMENTS=smoke", "--cores: must be a whole number > 0, or all, got 'abc'"),
        ("EXPERIMENTS=smoke,smok", "command line or overlay: experiments: unknown name 'smok'; did you mean 'smoke'?"),
        ("EXPERIMENT=smoke", "did you mean EXPERIMENTS=smoke?"),
    ],
)
def test_a_refused_command_line_is_the_last_word(checkout, asked, told):
    code, text = checkout.make("reproduce", *asked.split())
    assert code != 0 and len(text.splitlines()) <= 2 and told in text


def test_why_names_the_rule_that_snakemake_remembers(smoke):
    """Of every file that a finished run has made."""
    kept = smoke.path / ".snakemake/metadata"
    rules = {base64.b64decode(file.name).decode(): json.loads(file.read_text())["rule"] for file in kept.iterdir()}
    files = {path: rule for path, rule in rules.items() if not path.endswith("/files")}
    assert (
        len(files) > 100 and {rule_of(path)[0]: rule for path, rule in files.items() if rule_of(path)[0] != rule} == {}
    )
