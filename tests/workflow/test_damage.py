"""Files of a finished run that are damaged, exchanged, copied or of another task are named, and made again by one run.

Every kind of file in every way where it is read; every file in the place of every other of its kind; and many at once
in one finished run: one command mends them all, to the same records.
"""

import itertools
import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from checkout import Checkout, once

from rankbench.compare_records import compare
from rankbench.datasets.table import Table, load_table, save_table
from rankbench.experiments.collect import read_run
from rankbench.experiments.draw import draw
from rankbench.experiments.files import Damaged, note_of, read_note, write_arrays, write_note
from rankbench.experiments.frames import read_frame, read_statistic, write_frame, write_statistic
from rankbench.experiments.protocol import load_asked
from rankbench.experiments.record import Record, values_of
from rankbench.experiments.split import load_split, save_split
from rankbench.experiments.tasks import misfits

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
KINDS = {  # the file, how it is written, how it is read
    "scores": ("0.npz", lambda file: write_arrays(file, **ARRAYS), lambda file: read_run(file, ["swapped_pairs"])),
    "split": ("split.npz", lambda file: save_split(file, SPLIT), load_split),
    "table": ("table.npz", lambda file: save_table(file, TABLE), load_table),
    "records": ("r.parquet", lambda file: write_frame(file, FRAME), read_frame),
    "statistic": ("s.csv", lambda file: write_statistic(file, FRAME), read_statistic),
}


def written(kind, folder):
    """Write a file of this kind with its note; return its path and the function that reads it."""
    name, write, read = KINDS[kind]
    write(folder / name)
    write_note(note_of(folder / name), [folder / name], task={}, record=values_of(RECORD))
    return folder / name, read


@pytest.mark.parametrize("kind", KINDS)
def test_every_damage_and_every_flipped_bit_is_named(kind, tmp_path):
    file, read = written(kind, tmp_path)
    before = repr(read(file))
    for hurt in (file, note_of(file)):
        content = hurt.read_bytes()
        bits = np.random.default_rng(0).choice(8 * len(content.rstrip()), 70, replace=False)
        for way in (*WAYS.values(), *(flipped(bit) for bit in bits)):
            hurt.write_bytes(way(content))
            with pytest.raises(Damaged, match=rf"{hurt.name}: damaged \(.*\); the same command makes it again"):
                read(file)
        hurt.write_bytes(content)
        assert repr(read(file)) == before


def flipped(bit):
    return lambda content: bytes(byte ^ (at == bit // 8) << bit % 8 for at, byte in enumerate(content))


CHAIN = """
title: Two of everything
datasets:
  friedman1: {n_train: 40, n_test: 40}
  herbrich_utility: {n_train: 40, n_test: 40}
conditions:
  long: {n_train: 40}
  short: {n_train: 30}
seeds: 2
seeds_per_job: 2
preprocess: {scaling: standard, nominal: onehot}
tuning: {folds: 3, metric: swapped_pairs}
methods:
  svor: {uses: SVOR, label: SVOR, params: {kernel: rbf, n_bins: 5}, grid: {C: [1], gamma: [0.1]}}
  all_pairs: {uses: SwappedPairsSVM, label: All pairs, params: {kernel: rbf}, grid: {C: [1], gamma: [0.1]}}
metrics: [swapped_pairs]
limits: {seconds: 60, megabytes: 2000}
reference_method: all_pairs
studies:
  two_rank_equalities: {size: 60, samples: 5}
outputs:
  statistics: [best, overall, summary]
  tables: [best]
  figures: [best]
"""
SHORT = CHAIN.partition("  herbrich")[0] + "conditions:\n  long: {n_train: 40}\n" + CHAIN[CHAIN.index("seeds: 2") :]
OTHER = re.sub(r"studies:\n.*?(?=outputs)", "", SHORT, flags=re.DOTALL).replace("Two of everything", "A part of it")
NAMES = ["chain", "other"]
RUNS = "results/chain/jobs/friedman1/long"


def results_of(checkout, *more):
    """Run Snakemake for all results but the report; return exit code and text."""
    asked = [file for one in load_asked(NAMES, checkout.path)[0].values() for file in one.result_files]
    return checkout.snakemake(*asked, "--config", f"experiments=[{','.join(NAMES)}]", *more)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """A checkout after a run to its end, which nothing may change."""

    def make(folder):
        for name, text in zip(NAMES, (CHAIN, OTHER), strict=True):
            (Checkout(folder).path / f"config/experiments/{name}.yaml").write_text(text)
        code, text = results_of(Checkout(folder))
        assert code == 0, text

    return once(tmp_path_factory, "damage", make)


@pytest.fixture
def finished(reference, tmp_path):
    """A copy of that checkout."""
    return Checkout(shutil.copytree(reference, tmp_path / "checkout", symlinks=True))


def of_today(folder):
    """Return path of the note -> why its files are not what is asked for."""
    experiments, sheet = load_asked(NAMES, folder)
    return misfits(experiments, sheet, folder)


def put(file, content):
    """Write bytes in place of others, with their times: Snakemake sees no change."""
    times = file.stat().st_atime_ns, file.stat().st_mtime_ns
    file.write_bytes(content)
    os.utime(file, ns=times)


def by_kind(folder):
    """Return kind -> files of a finished run that have a note, such as all scores of runs."""
    files = []
    for top in ("results", "resources/splits", "resources/tables"):
        files += [file for file in (folder / top).rglob("*.*") if file.suffix != ".json" and note_of(file).exists()]
    files = [file for file in files if "splits" not in file.parts or int(file.stem) < 2]  # ten are drawn, two are read

    def kind(file):
        top, *parts = file.relative_to(folder).parts
        return (parts[0] if top == "resources" else parts[1] if len(parts) > 2 else Path(parts[-1]).stem) + file.suffix

    return {name: sorted(group) for name, group in itertools.groupby(sorted(files, key=kind), key=kind)}


def at_once(kinds):
    """Yield lists of files that share no note, such as the html of tables and the svg of figures."""
    by_notes = {}
    for files in kinds:
        by_notes.setdefault(tuple(map(note_of, files)), []).append(files)
    for lists in itertools.zip_longest(*by_notes.values()):
        yield [files for files in lists if files]


@contextmanager
def shifted(lists, half=False):
    """Put each file of some lists in the place of the next one of its list, or of one that comes half a list later;
    yield the notes concerned, and put all back. A misfit is found whether or not what it was made from is one."""
    contents = {file: file.read_bytes() for files in lists for file in files}
    for files in lists:
        by = len(files) // 2 if half else 1
        for file, other in zip(files, files[-by:] + files[:-by], strict=True):
            put(file, contents[other])
    yield {note_of(file) for file, content in contents.items() if file.read_bytes() != content}
    for file, content in contents.items():
        put(file, content)


@pytest.mark.workflow
def test_no_file_counts_in_the_place_of_another(finished):
    """Files of other methods, seeds, data sets, conditions, experiments; tables, figures, statistics of others."""
    assert of_today(finished.path) == {}
    kinds = by_kind(finished.path)
    several = {name: files for name, files in kinds.items() if len(files) > 1}
    assert {*several} >= {"jobs.npz", "splits.npz", "tables.npz", "statistics.csv", "records.parquet", "figures.svg"}
    assert {*several} >= {"test_scores.parquet", "tables.html", "tables.csv", "tables.md", "figures.pdf", "figures.png"}
    assert (len(several["jobs.npz"]), len(several["splits.npz"])) == (20, 10)
    for lists in at_once(several.values()):
        notes = [[note_of(file) for file in files] for files in lists]
        for half, moved in itertools.product((False, True), (lists, notes, lists + notes)):
            with shifted(moved, half) as concerned:
                reasons = of_today(finished.path)
            assert concerned and not [note for note in concerned if str(note.relative_to(finished.path)) not in reasons]
    assert of_today(finished.path) == {}


def noted(file, **changes):
    """Write the note of a run anew with another record, so that its digest fits."""
    note = read_note(note_of(file))
    write_note(note_of(file), [file], task=note["task"], read=note["read"], record={**note["record"], **changes})


HURT = {  # files of every level, so that some hide others, and the way of their damage
    "results/chain/statistics/overall.csv": "cut",
    "results/chain/records.parquet": "no text",
    **{f"{RUNS}/svor/{seed}.{ending}": "cut" for seed, ending in enumerate(("json", "npz"))},
    "results/chain/jobs/friedman1/short/all_pairs/0.json": "noise",
    "resources/tables/herbrich_utility.npz": "noise",
    "resources/splits/chain/friedman1/long/0.npz": "empty",
    "results/other/statistics/best.json": "empty",
    "results/other/figures/best.svg": "noise",
}
EXCHANGED = [  # also with their notes
    [f"results/chain/jobs/{run}.npz" for run in ("friedman1/short/svor/1", "friedman1/long/all_pairs/1")],
    [f"results/{name}/tables/best.html" for name in NAMES],
    [f"results/{name}/statistics/summary.csv" for name in NAMES],
]


@pytest.fixture
def mended(finished):
    """A checkout with damage after one more run, and what that says. One record is that of a run that failed, as it
    would be left by a fault that has gone since."""
    noted(finished.path / f"{RUNS}/all_pairs/0.npz", status="timeout", reason="made up")
    for name, way in HURT.items():
        put(finished.path / name, WAYS[way]((finished.path / name).read_bytes()))
    swapped = [[finished.path / name for name in names] for names in EXCHANGED]
    with shifted([*swapped, *([note_of(file) for file in files] for files in swapped)]):
        code, text = results_of(finished, "retry=[timeout]")
        assert code == 0 and "made again: " in text and "Traceback" not in text, text[-4000:]
        yield finished.path, text


@pytest.mark.workflow
def test_one_more_run_mends_everything_and_tries_again_what_failed(reference, mended):
    folder, text = mended
    assert "(tried again: timeout before)" in text, text
    assert of_today(folder) == {}
    for name in NAMES:
        assert compare(reference / f"results/{name}", folder / f"results/{name}")
        for kind in ("statistics", "tables"):
            for path in (reference / f"results/{name}/{kind}").glob("*.[!j]*"):
                made = folder / path.relative_to(reference)
                assert made.read_bytes() == path.read_bytes() or "best" in path.name, path  # `best` has seconds


@pytest.mark.workflow
def test_records_of_another_protocol_are_made_again_although_snakemake_has_forgotten_it(finished):
    """A copy without dotfiles, with another grid, other folds and one seed more."""
    shutil.rmtree(finished.path / ".snakemake")
    (finished.path / "results/chain/records.parquet").unlink()
    yaml = finished.path / "config/experiments/chain.yaml"
    times = yaml.stat().st_mtime_ns
    text = CHAIN.replace("folds: 3", "folds: 2").replace("C: [1]", "C: [5]", 1).replace("seeds: 2", "seeds: 3", 1)
    yaml.write_text(text)
    os.utime(yaml, ns=(times, times))
    code, text = finished.snakemake("results/chain/records.parquet", "--config", "experiments=[chain]")
    assert code == 0, text[-4000:]
    assert (
        "made again: " in text and "and 13 more (made for a different task: grid, split)" in text
    ) or "task: split" in text
    records = read_frame(finished.path / "results/chain/records.parquet")[0]
    assert list(records["status"]) == ["ok"] * 24 and set(records.loc[records["method"] == "svor", "params"]) == {
        '{"C": 5, "gamma": 0.1}'
    }
    notes = [read_note(note) for note in finished.path.glob("results/chain/jobs/*/*/*/*.json")]
    assert len(notes) == 24 and {note["task"]["split"]["n_folds"] for note in notes} == {2}
