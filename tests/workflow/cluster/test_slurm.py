"""A part of the smoke experiment on a real Slurm, through the profile a user takes; its records are local ones."""

import os
import sys

import pandas as pd
import pytest
import yaml
from checkout import Checkout
from slurm import Slurm, missing

from rankbench.records.diff import differences

pytestmark = pytest.mark.workflow
METHOD = "svm_multi_sp"
PLACE = ["slurm_account=lab", "slurm_partition=short"]
GROUPS = ["--group-components", "compilation=8", "fits=2"]
PROFILE = ["--profile", "workflow/profiles/slurm", "--default-resources", *PLACE, *GROUPS, "--latency-wait=5"]
# The plugin looks at the jobs ever less often, and has no option for a cluster that nobody else uses.
EVERY_SECOND = """
from snakemake.cli import main
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor

RemoteExecutor.next_seconds_between_status_checks = property(lambda self: 1, lambda self, seconds: None)
main()
"""
# Without a start, sacct tells nothing of jobs that ended before midnight.
ACCOUNT = ["sacct", "-S", "now-1days", "-X", "-n", "-P", "-o"]


class Submitted:
    """A checkout whose jobs run on Slurm: one method on two of the three data sets."""

    def __init__(self, folder, slurm):
        self.checkout, self.slurm = Checkout(folder), slurm
        file = folder / "config/experiments/smoke.yaml"
        document = yaml.safe_load(file.read_text())
        document["methods"] = {METHOD: document["methods"][METHOD]}
        del document["datasets"]["sklearn_diabetes"]
        file.write_text(yaml.safe_dump(document, sort_keys=False))

    def run(self, *targets):
        """Run Snakemake; return the state, memory and minutes of each Slurm job so far."""
        words = [*targets, *PROFILE, "--slurm-init-seconds-before-status-checks=1", "--configfile", "config/smoke.yaml"]
        program = [sys.executable, "-c", EVERY_SECOND]
        more = {"cores": None, "program": program, **self.slurm.variables}
        code, text = self.checkout.snakemake(*words, "--config", "seeds_per_job=2", **more)
        assert code == 0, f"{text}\n{self.slurm.logs()}"
        jobs = self.slurm.command(*ACCOUNT, "State,ReqMem,TimelimitRaw,Account,Partition,AllocCPUS").splitlines()
        assert all(job.endswith("|lab|short|1") for job in jobs), "of the user's account and partition, one core each"
        return [job.split("|")[:3] for job in jobs]


@pytest.fixture(scope="module")
def slurm():
    """A running cluster. If none can be started, the tests are skipped, or fail with RANKBENCH_SLURM=required."""
    reason = missing()
    if reason and os.environ.get("RANKBENCH_SLURM") != "required":
        pytest.skip(f"no Slurm: {reason}")
    assert not reason, reason
    with Slurm() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def submitted(slurm, tmp_path_factory):
    return Submitted(tmp_path_factory.mktemp("cluster") / "a checkout in Zürich", slurm)


def test_a_job_that_fails_runs_again_with_more_memory_and_time(submitted):
    """The warm-up of the method, which fails once, as the first job of the cluster."""
    submitted.slurm.fail_next_step()
    assert submitted.run("--until", "warm_up") == [["FAILED", "1500M", "5"], ["COMPLETED", "3000M", "10"]]


def test_records_from_slurm_are_those_of_a_local_run(submitted, smoke):
    """Four runs in two blocks, which are one Slurm job."""
    jobs = [job for job in submitted.run("results/smoke/records.parquet") if job[1] == "2000M"]
    assert jobs == [["COMPLETED", "2000M", "10"]], "five minutes for each block"
    local, ours = (pd.read_parquet(each.path / "results/smoke/records.parquet") for each in (smoke, submitted.checkout))
    local = local.query(f"method == '{METHOD}' and dataset != 'sklearn_diabetes'").reset_index(drop=True)
    assert len(ours) == 4 and not differences(local, ours)
