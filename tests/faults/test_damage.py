"""Damaged files of a finished run: one more run of the same command names and remakes them, to the same records.

Six kinds of files, each damaged in four ways, all in one more run: experiments of their own keep one damage from being
mended before another one is found.
"""

import os
import shutil
from dataclasses import replace

import pytest

from rankbench.compare_records import compare
from rankbench.experiments.record import from_line, to_line

pytestmark = [pytest.mark.workflow, pytest.mark.fault("files of a finished run damaged, one more run")]
PROTOCOL = """
title: Two methods and one seed
datasets:
  {dataset}: {{n_train: 40, n_test: 40}}
conditions:
  default: {{}}
seeds: 1
preprocess: {{scaling: standard, nominal: onehot}}
tuning: {{folds: 3, metric: swapped_pairs}}
methods:
  svor: {{uses: svor, label: SVOR, params: {{kernel: rbf, n_bins: 5}}, grid: {{C: [1], gamma: [0.1]}}}}
  all_pairs: {{uses: swapped_pairs, label: All pairs, params: {{kernel: rbf}}, grid: {{C: [1], gamma: [0.1]}}}}
metrics: [swapped_pairs]
limits: {{seconds: 60, megabytes: 2000}}
reference_method: all_pairs
outputs:
  statistics: [{statistics}]
  tables: [{tables}]
  figures: []
"""
WAYS = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "no text": lambda content: b"\xff\xfe\x00" * 50,
    "noise": lambda content: bytes(byte ^ (at % 16 == 7) for at, byte in enumerate(content)),
}
STATISTICS, TABLES = ("best", "overall", "summary", "ranks"), ("best", "multiverse", "table1", "ranking")
SETS = ("friedman1", "herbrich_utility", "sklearn_diabetes", "yu_linear_d02")
FIRST = "yu_linear_d05"
EXPERIMENTS = {  # of each way of damage: its runs, its records and data; and one with a statistic of each way
    **{f"runs_{at}": {"dataset": FIRST, "statistics": "summary", "tables": ""} for at in range(4)},
    **{f"records_{at}": {"dataset": name, "statistics": "summary", "tables": ""} for at, name in enumerate(SETS)},
    "statistics": {
        "dataset": FIRST,
        "statistics": ", ".join((*STATISTICS, "per_dataset", "bayes")),
        "tables": ", ".join(TABLES),
    },
}
COMMAND = ["reproduce", f"EXPERIMENTS={' '.join(EXPERIMENTS)}", "CORES=2"]


def damaged(at):
    """Yield the file of each kind that is damaged in a way, and whether it looks newer then.

    A split or a table that looks newer would make Snakemake begin anew from there, before anything else is found.
    """
    yield f"results/runs_{at}/jobs/{FIRST}/default/svor/0.json", True
    yield f"results/runs_{at}/jobs/{FIRST}/default/all_pairs/0.npz", True
    yield f"resources/splits/runs_{at}/{FIRST}/default/0.npz", False
    yield f"resources/tables/{SETS[at]}.npz", False
    yield f"results/records_{at}/records.parquet", True
    yield f"results/statistics/statistics/{STATISTICS[at]}.csv", True


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A checkout after a run to its end, and a copy of its results."""
    from checkout import Checkout

    checkout = Checkout(tmp_path_factory.mktemp("damage") / "checkout")
    for name, given in EXPERIMENTS.items():
        (checkout.path / f"config/experiments/{name}.yaml").write_text(PROTOCOL.format(**given))
    code, text = checkout.make(*COMMAND)
    assert code == 0, text
    reference = checkout.path.parent / "reference"
    shutil.copytree(checkout.path / "results", reference)
    return checkout, reference


def same(checkout, reference):
    """Assert that records, scores, statistics and tables are those of the run that nothing disturbed."""
    assert compare(reference, checkout.path / "results")
    made = [*reference.glob("*/statistics/*.csv"), *reference.glob("*/tables/[!.]*")]
    assert len(made) == 8 + 6 + 16
    for path in made:
        assert path.read_bytes() == (checkout.path / "results" / path.relative_to(reference)).read_bytes()


def test_what_is_damaged_is_made_anew_by_one_more_run(finished, record_property):
    checkout, reference = finished
    files = []
    for at, damage in enumerate(WAYS.values()):
        for name, newer in damaged(at):
            file = checkout.path / name
            times = file.stat().st_atime_ns, file.stat().st_mtime_ns
            file.write_bytes(damage(file.read_bytes()))
            if not newer:
                os.utime(file, ns=times)
            files.append(name)
    record_property("tried", len(files))
    code, text = checkout.make(*COMMAND)
    assert code == 0, text[-4000:]
    told = [line for line in text.splitlines() if "damaged" in line]
    aside = [name for name in files if any(name in line for line in told)]
    aside = [name for name in aside if (checkout.path / f"{name}.damaged").exists()]
    assert len(files) == 24 and aside == files, text[-4000:]
    same(checkout, reference)
    assert not list(checkout.path.glob("re*/**/*.is-damaged"))


def test_runs_that_failed_are_tried_again_by_one_command(finished):
    """A record of a run that failed, as it would be left by a fault that has gone since."""
    checkout, reference = finished
    file = checkout.path / f"results/runs_0/jobs/{FIRST}/default/svor/0.json"
    record = replace(from_line(file.read_text()), status="timeout", reason="made up", metrics={})
    file.write_text(to_line(record) + "\n")
    code, text = checkout.make(*COMMAND, "RETRY=timeout")
    assert code == 0 and "1 runs with status timeout will be tried again" in text and text.count("2 of 2 ok") == 9
    same(checkout, reference)
