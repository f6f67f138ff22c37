"""The cluster, once for all tests of this folder."""

import os

import pytest
from slurm import Slurm, missing


@pytest.fixture(scope="session")
def slurm():
    """A running cluster. If none can be started, the tests are skipped, or fail with RANKBENCH_SLURM=required."""
    reason = missing()
    if reason and os.environ.get("RANKBENCH_SLURM") != "required":
        pytest.skip(f"no Slurm: {reason}")
    assert not reason, reason
    with Slurm() as cluster:
        yield cluster
