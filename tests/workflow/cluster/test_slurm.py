"""The smoke experiment on a real Slurm, through the profile a user takes, and its records against a local run."""

import pytest

from rankbench.records.diff import compare

pytestmark = pytest.mark.workflow
PLACE = ["slurm_account=lab", "slurm_partition=short"]
PROFILE = ["--profile", "workflow/profiles/slurm", "--default-resources", *PLACE]
# On a cluster that nobody else uses, Snakemake may ask for the state of jobs more often than on a shared one.
QUICK = ["--slurm-init-seconds-before-status-checks=2", "--seconds-between-status-checks=1", "--latency-wait=5"]


def test_records_from_slurm_are_those_of_a_local_run(checkout, slurm, smoke):
    """18 runs in nine blocks and two Slurm jobs; the very first Slurm job fails once."""
    slurm.fail_next_step()
    groups = ["--group-components", "compilation=8", "fits=5"]
    submitted = [*PROFILE, *QUICK, *groups, "--configfile", "config/smoke.yaml", "--config", "seeds_per_job=2"]
    code, text = checkout.snakemake("results/smoke/records.parquet", *submitted, cores=None, **slurm.variables)
    assert code == 0, f"{text}\n{slurm.logs()}"
    # Without a start, sacct tells nothing of jobs that ended before midnight.
    account = ["sacct", "-S", "now-1days", "-X", "-n", "-P"]
    account += ["-o", "State,ReqMem,TimelimitRaw,Account,Partition,AllocCPUS"]
    jobs = [line.split("|") for line in slurm.command(*account).splitlines()]
    assert all(job[3:] == ["lab", "short", "1"] for job in jobs), "of the user's account and partition, one core each"
    compilation, again, *fits = [job[:3] for job in jobs]
    assert compilation == ["FAILED", "1500M", "15"], "the memory of a warm-up, the minutes of three"
    assert again == ["COMPLETED", "3000M", "30"], "more of both for the second attempt"
    assert sorted(fits) == [["COMPLETED", "2000M", "20"], ["COMPLETED", "2000M", "25"]], "five minutes for each block"

    assert compare(smoke.path / "results", checkout.path / "results")
