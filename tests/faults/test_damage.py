"""Damaged files of a finished run are named, renamed and made again.

Every kind of file in every way where it is read; and many in one finished experiment at once, each found only when the
file that hid it has been made again: one command mends them all, to the same records.
"""

import os
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from checkout import Checkout

from rankbench.compare_records import compare
from rankbench.datasets.table import Table, load_table, save_table
from rankbench.experiments.collect import read_runs
from rankbench.experiments.draw import draw
from rankbench.experiments.files import Damaged, set_aside, write_arrays, write_text
from rankbench.experiments.frames import read_frame, read_statistic, write_frame, write_statistic
from rankbench.experiments.record import Record, from_line, to_line
from rankbench.experiments.split import load_split, save_split

WAYS = {
    "empty": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "no text": lambda content: b"\xff\xfe\x00" * 50,
    "noise": lambda content: bytes(byte ^ (at % 16 == 7) for at, byte in enumerate(content)),
}
TABLE = Table(np.arange(40.0).reshape(20, 2), np.arange(20.0), ("a", "b"), ((), ()))
SPLIT = draw(TABLE, seed=0, names=("small", "one"), n_train=12, n_test=8, n_folds=3)
RECORD = Record("small", "one", "default", "good", 0, 12, 8, 2, source_digest="01", metrics={"swapped_pairs": 1 / 3})
ARRAYS = {"test": np.arange(3), "y": np.arange(3.0), "scores": np.array([0.0, 2.0, 1.0])}
FRAME = pd.DataFrame({"seed": np.arange(50), "error": np.linspace(0, 1, 50)})


def read_run(folder):
    return read_runs([folder / "0.json"], [folder / "0.npz"], ["swapped_pairs"])


def write_run(folder):
    write_text(folder / "0.json", to_line(RECORD) + "\n")
    write_arrays(folder / "0.npz", **ARRAYS)


KINDS = {  # the file, how it is written, how it is read
    "record": ("0.json", write_run, read_run),
    "scores": ("0.npz", write_run, read_run),
    "split": ("split.npz", lambda f: save_split(f / "split.npz", SPLIT), lambda f: load_split(f / "split.npz")),
    "table": ("table.npz", lambda f: save_table(f / "table.npz", TABLE), lambda f: load_table(f / "table.npz")),
    "records": ("r.parquet", lambda f: write_frame(f / "r.parquet", FRAME), lambda f: read_frame(f / "r.parquet")),
    "statistic": ("s.csv", lambda f: write_statistic(f / "s.csv", FRAME), lambda f: read_statistic(f / "s.csv")),
}


@pytest.mark.fault("files of a finished run: six kinds damaged in four ways")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_damaged_is_named_and_renamed(kind, way, tmp_path):
    name, write, read = KINDS[kind]
    file = tmp_path / name
    write(tmp_path)
    before = repr(read(tmp_path))
    file.write_bytes(WAYS[way](file.read_bytes()))
    with pytest.raises(Damaged, match=rf"{name}: damaged \(.*\); the same command makes it again"):
        read(tmp_path)
    assert str(file) in set_aside([tmp_path])
    assert not file.exists() and file.with_name(f"{name}.damaged").exists()
    write(tmp_path)
    assert repr(read(tmp_path)) == before


PROTOCOL = """
title: Two methods and four seeds
datasets:
  friedman1: {n_train: 40, n_test: 40}
conditions:
  default: {}
seeds: 4
seeds_per_job: 4
preprocess: {scaling: standard, nominal: onehot}
tuning: {folds: 3, metric: swapped_pairs}
methods:
  svor: {uses: svor, label: SVOR, params: {kernel: rbf, n_bins: 5}, grid: {C: [1], gamma: [0.1]}}
  all_pairs: {uses: swapped_pairs, label: All pairs, params: {kernel: rbf}, grid: {C: [1], gamma: [0.1]}}
metrics: [swapped_pairs]
limits: {seconds: 60, megabytes: 2000}
reference_method: all_pairs
outputs:
  statistics: [overall]
  tables: [multiverse]
  figures: []
"""
COMMAND = ("reproduce", "EXPERIMENTS=chain", "CORES=2")
RUNS = "results/chain/jobs/friedman1/default"
HIDDEN = {  # in the order in which they are found: the file, the way of its damage
    "results/chain/statistics/overall.csv": "cut",
    "results/chain/records.parquet": "no text",
    **{f"{RUNS}/svor/{seed}.json": way for seed, way in enumerate(WAYS)},
    **{f"{RUNS}/all_pairs/{seed}.npz": way for seed, way in enumerate(WAYS)},
    "resources/splits/chain/friedman1/default/0.npz": "empty",
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A checkout after a run to its end, and a copy of its results."""
    checkout = Checkout(tmp_path_factory.mktemp("damage") / "checkout")
    (checkout.path / "config/experiments/chain.yaml").write_text(PROTOCOL)
    code, text = checkout.make(*COMMAND)
    assert code == 0, text
    reference = checkout.path.parent / "reference"
    shutil.copytree(checkout.path / "results", reference)
    return checkout, reference


def damage(file, way, looks_newer):
    """Damage a file; if it looked newer, Snakemake would begin anew from there, before anything else is found."""
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_bytes(WAYS[way](file.read_bytes()))
    if not looks_newer:
        os.utime(file, ns=times)


@pytest.mark.workflow
@pytest.mark.fault("files of a finished run: damaged on every level at once, one more run")
def test_one_more_run_mends_a_chain_of_damage(finished, record_property):
    checkout, reference = finished
    for name, way in HIDDEN.items():
        damage(checkout.path / name, way, looks_newer=name.endswith("overall.csv"))
    code, text = checkout.make(*COMMAND)
    assert code == 0, text[-4000:]
    told = [line for line in text.splitlines() if "renamed to *.damaged" in line]
    passes = [next(at for at, line in enumerate(told) if name in line) for name in HIDDEN]
    assert passes == [0, 0, *[1] * 8, 2], told  # the summary of the first pass reads the records
    assert all((checkout.path / f"{name}.damaged").exists() for name in HIDDEN)
    assert compare(reference, checkout.path / "results")
    for path in [*reference.glob("chain/statistics/*.csv"), *reference.glob("chain/tables/[!.]*")]:
        assert path.read_bytes() == (checkout.path / "results" / path.relative_to(reference)).read_bytes()
    assert not list(checkout.path.glob("re*/**/*.is-damaged"))
    record_property("tried", len(HIDDEN))
    record_property("survived", len(HIDDEN))


@pytest.mark.workflow
@pytest.mark.fault("runs that failed, tried again by one command")
def test_runs_that_failed_are_tried_again_by_one_command_also_with_a_damaged_table(finished):
    """A record of a run that failed, as it would be left by a fault that has gone since; what it read is damaged."""
    checkout, reference = finished
    damage(checkout.path / "resources/tables/friedman1.npz", "noise", looks_newer=False)
    file = checkout.path / f"{RUNS}/svor/0.json"
    record = replace(from_line(file.read_text()), status="timeout", reason="made up", metrics={})
    file.write_text(to_line(record) + "\n")
    code, text = checkout.make(*COMMAND, "RETRY=timeout")
    assert code == 0 and "1 runs with status timeout will be tried again" in text and "8 of 8 ok" in text, text
    assert text.count("renamed to *.damaged and made again: resources/tables/friedman1.npz\n") == 1
    assert compare(reference, checkout.path / "results")
