"""Only what depends on a change runs again: changes after a finished run, and the jobs that a dry run then plans."""

import os
from shutil import copytree

import pytest
from checkout import ROOT, Checkout, job_counts, once
from pandas import read_parquet

pytestmark = pytest.mark.workflow
EXPERIMENT = """
title: Again and again
datasets: {servo: {n_train: 100, n_test: 67}}
conditions: {default: {}}
seeds: 2
preprocess: {scaling: standard, nominal: onehot}
tuning: {folds: 2, metric: swapped_pairs}
methods:
  all_pairs: {uses: SwappedPairsSVM, label: All pairs, params: {kernel: rbf}, grid: {C: [1], gamma: [0.1]}}
metrics: [swapped_pairs]
limits: {seconds: SECONDS, megabytes: 2000}
reference_method: all_pairs
outputs: {statistics: [], tables: [], figures: []}
"""
YAML = "config/experiments/again.yaml"
TARGETS = [f"results/{name}/records.parquet" for name in ("again", "hasty")]
CONFIG = ["--config", "experiments=[again,hasty]"]
REPORT = "results/report.html"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A checkout after a run of two experiments, one with too little time."""

    def make(folder):
        checkout = Checkout(folder)
        (checkout.path / YAML).write_text(EXPERIMENT.replace("SECONDS", "60"))
        # The timer counts processor time in ticks of some milliseconds; a search over 40 values lasts many ticks.
        hasty = EXPERIMENT.replace("SECONDS", "0.0001").replace("C: [1]", f"C: {[2**k for k in range(40)]}")
        (checkout.path / "config/experiments/hasty.yaml").write_text(hasty.replace("seeds: 2", "seeds: 1"))
        copytree(ROOT / "resources/data", checkout.path / "resources/data")
        code, text = checkout.snakemake(*TARGETS, REPORT, *CONFIG)
        assert code == 0 and job_counts(text)["run_job"] == 3, text
        assert list(read_parquet(checkout.path / TARGETS[1]).status) == ["timeout"]

    made = once(tmp_path_factory, "reruns", make)
    return Checkout(copytree(made, tmp_path_factory.mktemp("reruns") / "checkout", symlinks=True))


def replaced(before, after):
    return lambda text: text.replace(before, after, 1)


METHOD = "src/rankmargin/estimators/swapped_pairs.py"
CHANGES = {  # file -> edit, and the jobs after all of them
    "one seed more, and a longer limit where a run was stopped": (
        {
            YAML: replaced("seeds: 2", "seeds: 3"),
            "config/experiments/hasty.yaml": replaced("seconds: 0.0001", "seconds: 60"),
        },
        {"run_job": 2, "collect_records": 2},
    ),
    "an edited method": (
        {METHOD: lambda text: text + "EDITED = 1\n"},
        {"warm_up": 2, "run_job": 3, "collect_records": 2},  # the two experiments have different grids
    ),
    "an edited script": (
        {"workflow/scripts/collect_records.py": lambda text: text + "EDITED = 1\n"},
        {"collect_records": 2},
    ),
    "nothing but a comment, and runs are made in other jobs": (
        {"workflow/scripts/run_job.py": lambda text: text + "# Newer than all results\n"},
        {},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_runs_again(finished, change):
    edits, jobs = CHANGES[change]
    assert planned(finished, edits, *TARGETS, *CONFIG if jobs else (REPORT, *CONFIG, "seeds_per_job=2")) == jobs


def planned(checkout, edits, *arguments):
    """Return the jobs that a dry run plans after edits of files, which are undone."""
    files = [checkout.path / name for name in edits]
    before = [(file.read_text(), file.stat().st_mtime_ns) for file in files]
    try:
        for file, edit, (text, _) in zip(files, edits.values(), before, strict=True):
            edited = edit(text)
            assert edited != text
            file.write_text(edited)
        code, told = checkout.snakemake("-n", *arguments)
    finally:
        for file, (text, times) in zip(files, before, strict=True):
            file.write_text(text)
            os.utime(file, ns=(times, times))
    assert code == 0, told
    counts = {} if "Nothing to be done" in told else job_counts(told)
    return {rule: count for rule, count in counts.items() if rule != "total"}
