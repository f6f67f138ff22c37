"""Damaged files of a finished run: a run names them and fails, the next one makes them anew, to the same records."""

import os
import shutil

import pytest

from rankbench.compare_records import compare

pytestmark = [pytest.mark.workflow, pytest.mark.fault("files of a finished run damaged, next run")]
LONG = os.environ.get("RANKBENCH_FAULTS") == "long"
TARGET = ["--config", "experiments=[smoke]", "seeds_per_job=2"]
KINDS = {
    "record": "results/smoke/jobs/*/*/*/*.json",
    "scores": "results/smoke/jobs/*/*/*/*.npz",
    "split": "resources/splits/smoke/*/*/0.npz",
    "table": "resources/tables/*.npz",
    "records": "results/smoke/records.parquet",
    "statistic": "results/smoke/statistics/summary.csv",
}
WAYS = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "no text": lambda content: b"\xff\xfe\x00" * 50,
    "noise": lambda content: content[: len(content) // 2] + b"?9?9?" + content[len(content) // 2 + 5 :],
}
ROUNDS = (
    [([kind], way) for kind in KINDS for way in WAYS]
    if LONG
    else [(["record", "scores"], "cut"), (["records", "statistic"], "no text")]
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A checkout after a run to its end, and a copy of its results."""
    from checkout import Checkout

    checkout = Checkout(tmp_path_factory.mktemp("damage") / "checkout")
    code, text = checkout.snakemake(*TARGET)
    assert code == 0, text
    reference = checkout.path.parent / "reference"
    shutil.copytree(checkout.path / "results", reference)
    return checkout, reference


@pytest.mark.parametrize(("kinds", "way"), ROUNDS, ids=lambda part: "-".join(part) if isinstance(part, list) else part)
def test_what_is_damaged_is_named_and_made_anew_by_the_same_command(finished, kinds, way):
    checkout, reference = finished
    damaged = []
    for kind in kinds:
        file = sorted(checkout.path.glob(KINDS[kind]))[0]
        file.write_bytes(WAYS[way](file.read_bytes()))
        damaged.append(file)
    code, text = checkout.snakemake(*TARGET)
    assert code != 0 or kinds == ["table"], text[-4000:]
    again, more = checkout.snakemake(*TARGET)
    assert again == 0, more[-4000:]
    if LONG:
        again, more = checkout.snakemake(*TARGET)
        assert again == 0 and "Nothing to be done" in more, text[-3000:] + more[-2000:]
    assert compare(reference, checkout.path / "results")
    assert any(f"{file.relative_to(checkout.path)}: damaged (" in text for file in damaged) or kinds == ["table"]
    for path in (reference / "smoke").glob("statistics/*.csv"):
        assert path.read_bytes() == (checkout.path / "results/smoke/statistics" / path.name).read_bytes()
