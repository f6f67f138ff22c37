"""Damaged files of a finished run: one more run of the same command names and remakes them, to the same records.

Six kinds of files, damaged in four ways: by default in two rounds, in each of which every kind is damaged in another
way; the long version takes all 24 one by one.
"""

import os
import shutil
from dataclasses import replace
from itertools import product

import pytest

from rankbench.compare_records import compare
from rankbench.experiments.record import from_line, to_line

LONG = os.environ.get("RANKBENCH_FAULTS") == "long"
pytestmark = [pytest.mark.workflow, pytest.mark.fault("files of a finished run damaged, one more run")]
COMMAND = ["reproduce", "EXPERIMENTS=smoke", "CORES=2"]
TINY = """
title: One data set, two methods
datasets:
  herbrich_utility: {n_train: 40, n_test: 40}
conditions:
  default: {}
seeds: 2
preprocess: {scaling: standard, nominal: onehot}
tuning: {folds: 3, metric: swapped_pairs}
methods:
  svor: {uses: svor, label: SVOR, params: {kernel: rbf, n_bins: 5}, grid: {C: [0.1, 1], gamma: [0.1]}}
  all_pairs: {uses: swapped_pairs, label: All pairs, params: {kernel: rbf}, grid: {C: [0.1, 1], gamma: [0.1]}}
metrics: [swapped_pairs]
limits: {seconds: 60, megabytes: 2000}
reference_method: all_pairs
outputs:
  statistics: [summary]
  tables: []
  figures: []
"""
KINDS = {
    "record": "results/smoke/jobs/*/*/svor/1.json",
    "scores": "results/smoke/jobs/*/*/all_pairs/1.npz",
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
ONE_BY_ONE = [[pair] for pair in product(KINDS, WAYS)]
TOGETHER = [[(kind, [*WAYS][(turn + at) % 4]) for at, kind in enumerate(KINDS)] for turn in (0, 2)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A checkout after a run to its end, and a copy of its results."""
    from checkout import Checkout

    checkout = Checkout(tmp_path_factory.mktemp("damage") / "checkout")
    (checkout.path / "config/experiments/smoke.yaml").write_text(TINY)
    code, text = checkout.make(*COMMAND)
    assert code == 0, text
    reference = checkout.path.parent / "reference"
    shutil.copytree(checkout.path / "results", reference)
    return checkout, reference


def same(checkout, reference):
    """Assert that records, scores and statistics are those of the run that nothing disturbed."""
    assert compare(reference, checkout.path / "results")
    for path in (reference / "smoke").glob("statistics/*.csv"):
        assert path.read_bytes() == (checkout.path / "results/smoke/statistics" / path.name).read_bytes()


@pytest.mark.parametrize("damage", ONE_BY_ONE if LONG else TOGETHER, ids=lambda pairs: "-".join(sum(pairs, ())))
def test_what_is_damaged_is_made_anew_by_one_more_run(finished, damage, record_property):
    checkout, reference = finished
    record_property("tried", len(damage))
    files = []
    for kind, way in damage:
        (file, *_) = sorted(checkout.path.glob(KINDS[kind]))
        file.write_bytes(WAYS[way](file.read_bytes()))
        files.append(str(file.relative_to(checkout.path)))
    code, text = checkout.make(*COMMAND)
    assert code == 0, text[-4000:]
    assert any(f"{file}: damaged (" in text for file in files) or [kind for kind, _ in damage] == ["table"], text
    same(checkout, reference)
    assert not list(checkout.path.glob("re*/**/*.is-damaged"))


def test_runs_that_failed_are_tried_again_by_one_command(finished):
    """A record of a run that failed, as it would be left by a fault that has gone since."""
    checkout, reference = finished
    file = next(checkout.path.glob(KINDS["record"]))
    record = replace(from_line(file.read_text()), status="timeout", reason="made up", metrics={})
    file.write_text(to_line(record) + "\n")
    code, text = checkout.make(*COMMAND, "RETRY=timeout")
    assert code == 0 and "1 runs with status timeout are tried again" in text and "4 of 4 ok" in text
    same(checkout, reference)
