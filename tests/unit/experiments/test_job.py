"""Jobs: what a run becomes when it goes well and when it does not."""

import json
import subprocess
import sys
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest
import sklearn

from rankbench.experiments.collect import read_run
from rankbench.experiments.job import run_job
from rankbench.experiments.split import Split, save_split
from rankbench.records.files import note_of, read_note, sha256_of
from rankbench.records.provenance import version_of
from rankmargin.metrics import swapped_pairs


def first_column(X, y, C):
    return lambda Z: Z[:, 0] * C


def run(files, task, seeds=(0, 1, 2)):
    """Run a job of these seeds; return its records, and seed -> score arrays of those that have some."""
    runs = runs_of(files, task, seeds)
    return [run.record for run in runs], {run.record.seed: run.arrays for run in runs if run.arrays}


def runs_of(files, task, seeds):
    """Run a job of these seeds and read what it leaves."""
    asked = [[files / f"{name}{seed}.npz" for name in ("split", "s")] for seed in seeds]
    before = {*files.iterdir()}
    run_job(task, files / "table.npz", asked)
    made = [file for _, scores in asked for file in (scores, note_of(scores))]
    assert {*files.iterdir()} == before | {*made}
    return [read_run(scores, ["swapped_pairs"]) for _, scores in asked]


def test_a_good_run_is_recorded_whole(files, task, use):
    use(first_column)
    started = time.perf_counter()
    records, scores = run(files, task)
    assert [r.seed for r in records] == [0, 1, 2] and {r.status for r in records} == {"ok"}
    assert records[0].job_seconds < records[1].job_seconds < records[2].job_seconds < time.perf_counter() - started
    for r in records:
        assert (r.n_train, r.n_test, r.n_attributes, r.source_digest) == (12, 8, 2, "0123")
        assert r.params == {"C": 1} and 0 <= r.inner_score < 0.5
        assert min(r.tune_seconds, r.fit_seconds, r.predict_seconds) > 0 and r.job_seconds > r.tune_seconds
        assert r.peak_megabytes > 10
        again = swapped_pairs(scores[r.seed]["y"], scores[r.seed]["scores"])
        assert r.metrics == {"swapped_pairs": again}


def test_a_record_names_the_versions_that_its_method_fits_with_and_no_others(files, task, use):
    use(first_column)
    (plain,) = runs_of(files, task, [0])
    versions = plain.made_by["versions"]
    assert set(versions) == {"python", "numpy", "numba", "llvmlite"} and versions["numpy"] == np.__version__
    (forest,) = runs_of(files, replace(task, packages=("sklearn", "catboost")), [1])
    expected = {**versions, "sklearn": sklearn.__version__, "catboost": version_of("catboost")}
    assert forest.made_by == {**plain.made_by, "versions": expected} and plain.made_by["machine"]


def test_the_note_of_a_run_says_what_it_was_asked(files, task, use):
    use(first_column)
    task = replace(task, split={"n_train": 12, "n_folds": 3})
    runs_of(files, task, [2])
    note = read_note(files / "s2.json")
    asked = {name: value for name, value in vars(task).items() if name != "limits"}
    assert note["task"] == json.loads(json.dumps(asked)) and note["record"]["limits"] == task.limits
    assert note["files"] == {"s2.npz": sha256_of(files / "s2.npz")}


def raises(X, y, C):
    raise ZeroDivisionError("two\nlines")


def warns(X, y, C):
    warnings.warn("did not converge", RuntimeWarning, stacklevel=2)
    return first_column(X, y, C)


def nan(X, y, C):
    return lambda Z: np.full(len(Z), np.nan)


def endless(X, y, C):
    ends = time.process_time() + 30
    while time.process_time() < ends:
        pass


def huge(X, y, C):
    return np.ones(2_000_000_000)


@pytest.mark.parametrize(
    ("fit", "status", "reason"),
    [
        (raises, "failed", "ZeroDivisionError: two lines"),
        (warns, "failed", "RuntimeWarning: did not converge"),
        (nan, "failed", "FloatingPointError: 4 of 4 scores are not finite"),
        (endless, "timeout", "more than the limit of 0.3 s of processor time"),
        (huge, "memory", "limit of 2000 MB: Unable to allocate 14.9 GiB"),
    ],
)
def test_a_failure_is_a_record_and_the_rest_goes_on(files, task, use, fit, status, reason):
    use(fit)
    limits = {"seconds": 0.3 if fit is endless else 60, "megabytes": 2000}
    records, scores = run(files, replace(task, limits=limits))
    assert [(r.status, r.reason[: len(reason)], r.metrics) for r in records] == [(status, reason, {})] * 3
    assert not scores and np.empty(300_000_000).size, "the limit of memory ends with the run"


def test_one_bad_seed_does_not_touch_the_others(files, task, use):
    calls = []

    def third(X, y, C):
        calls.append(C)
        # four of the warm-up, then per seed 3 folds x 2 values and a final fit: the 14th is inside the second seed
        if len(calls) == 14:
            raise ValueError("once")
        return first_column(X, y, C)

    use(third)
    records, scores = run(files, task)
    assert [r.status for r in records] == ["ok", "failed", "ok"]
    assert {seed: sorted(arrays) for seed, arrays in scores.items()} == {
        seed: ["scores", "test", "y"] for seed in (0, 2)
    }


def test_a_seed_without_a_split_is_missing_and_the_others_go_on(files, task, use):
    use(first_column)
    save_split(files / "split1.npz", Split.build(1, absent="no split of seed 1: why"))
    records, scores = run(files, task)
    assert [(r.seed, r.status, r.reason) for r in records][1] == (1, "missing", "no split of seed 1: why")
    assert [r.status for r in records] == ["ok", "missing", "ok"] and sorted(scores) == [0, 2]


def test_peak_memory_grows_with_what_is_used():
    """In a new process, because the peak of this one may be above anything that is allocated here."""
    code = (
        "from rankbench.experiments.limits import peak_megabytes; import numpy as np; "
        "before = peak_megabytes(); np.ones(30_000_000); print(peak_megabytes() - before)"
    )
    grown = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert float(grown) >= 200
