"""A full disk, folders that cannot be written: a clear error, and no half file that is taken for a result later."""

import json
import subprocess

import pytest
from fault_cases import how_many

from rankbench.experiments.places import unwritable
from rankbench.records.diff import compare

pytestmark = pytest.mark.workflow
TARGET = ["results/smoke/records.parquet", "--config", "experiments=[smoke]", "seeds_per_job=2"]


def mount(*arguments):
    return subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True, check=False)


@pytest.fixture(params=[64, 128][: how_many(1, 2)])
def full(request, after_smoke, tmp_path):
    """A checkout whose results are full, in the midst of the jobs or when they are collected, and those of before."""
    results = after_smoke.path / "results"
    reference = results.rename(tmp_path / "reference")
    results.mkdir()
    done = mount("-t", "tmpfs", "-o", f"size={request.param}k", "tmpfs", results)
    if done.returncode:
        pytest.skip(f"mount: {done.stderr.strip()}")
    try:
        code, text = after_smoke.snakemake(*TARGET)
        assert code != 0 and ": cannot be written: No space left on device" in text, text
        yield after_smoke, reference
    finally:
        subprocess.run(["umount", "--lazy", results], check=True)


def test_a_results_folder_that_is_full_or_read_only(full):
    checkout, reference = full
    results = checkout.path / "results"
    for file in results.glob("smoke/jobs/*/*/*/*.json"):
        assert json.loads(file.read_text())["record"]["status"] == "ok"
    mount("-o", "remount,size=50m,ro", results)
    assert [*unwritable([results])] == [f"{results}: cannot be written: Read-only file system"]
    mount("-o", "remount,rw", results)
    code, text = checkout.snakemake(*TARGET)
    assert code == 0, text
    assert compare(reference, results)
