"""A pool of rows of which only the order of some pairs is known, and the unit in which targets are fitted."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from rankbench.datasets.table import load_table
from rankbench.experiments.collect import read_run
from rankbench.experiments.draw import draw
from rankbench.experiments.job import run_job
from rankbench.experiments.pool import ask_pairs, turn
from rankbench.experiments.split import save_split
from rankbench.records.record import Record


@pytest.fixture
def told(task):
    """The task of `conftest`, with the order of 6 pairs of its pool."""
    grid = {"C": [1, 10], "C_rank": [0.1, 1]}
    told = {"uses": "RankSVR", "params": {"gamma": 0.5}, "grid": grid, "sampler": "random", "n_pairs": 6}
    return replace(task, metric="absolute_error", **told)


@pytest.fixture
def record(task):
    return Record("small", "one", "default", "good", 0, 3, 8, 2)


def run(task, files):
    """Run the task on 3 training rows, 8 test rows and a pool of 9 and return its records and seed -> scores."""
    table, asked = load_table(files / "table.npz"), []
    for seed in range(3):
        asked.append([files / name for name in (f"split{seed}.npz", f"s{seed}.npz")])
        sizes = {"n_train": 3, "n_test": 8, "n_folds": 3, "n_pool": "rest"}
        save_split(asked[-1][0], draw(table, seed=seed, names=("small", "one"), **sizes))
    run_job(task, files / "table.npz", asked)
    runs = [read_run(scores, ["absolute_error"]) for _, scores in asked]
    return [run.record for run in runs], [run.arrays for run in runs]


def test_a_run_with_pairs_is_recorded_whole(files, told):
    records, arrays = run(told, files)
    for record in records:
        assert (record.status, record.n_pool, record.n_pairs) == ("ok", 9, 6), record.reason
        assert record.sample_seconds >= 0 and record.gap < 1e-2
        error = np.mean(np.abs(arrays[record.seed]["y"] - arrays[record.seed]["scores"]))
        assert record.metrics["absolute_error"] == pytest.approx(error)


def test_best_on_test_is_never_above_any_grid_point(files, told):
    told = replace(told, params={**told.params, "tol": 1e-7})  # warm starts and cold ones end at one place
    best, _ = run(replace(told, tune_on="test"), files)
    for C in (1, 10):
        for C_rank in (0.1, 1):
            fixed, _ = run(replace(told, grid={"C": [C], "C_rank": [C_rank]}), files)
            for one, other in zip(best, fixed, strict=True):
                assert one.metrics["absolute_error"] <= other.metrics["absolute_error"] + 1e-4
    assert all(r.inner_score == pytest.approx(r.metrics["absolute_error"], abs=1e-4) for r in best)


def test_pairs_are_ordered_by_the_hidden_targets_and_inputs_scaled_with_the_pool(told, record):
    rng = np.random.default_rng(1)
    X, y, train, pool = rng.normal(5, 3, (20, 2)), rng.normal(size=20), np.arange(3), np.arange(8, 20)
    split = SimpleNamespace(train=train, pool=pool)
    task, scaled, given = ask_pairs(record, told, X, y, split)
    known = np.r_[train, pool]
    np.testing.assert_allclose([scaled[known].mean(axis=0), scaled[known].std(axis=0)], [[0, 0], [1, 1]], atol=1e-12)
    assert task.preprocess["scaling"] == "none" and told.preprocess["scaling"] == "standard"
    rows = [int(np.flatnonzero((scaled == z).all(axis=1))[0]) for z in given["Z"]]
    above, below = np.array(rows)[given["pairs"]].T
    assert len(above) == 6 and np.all(y[above] > y[below]) and set(rows) <= set(pool.tolist())
    assert set(given["pairs"].ravel().tolist()) == set(range(len(rows)))
    again = ask_pairs(record, replace(told, uses="other"), X, y, split)[2]
    assert np.array_equal(again["pairs"], given["pairs"])


def test_a_share_of_the_pairs_is_turned_round():
    pairs = np.arange(20).reshape(10, 2)
    turned = turn(pairs, 0.3, 7)
    assert np.sum((turned == pairs).all(axis=1)) == 7 and np.sum((turned == pairs[:, ::-1]).all(axis=1)) == 3
    assert np.array_equal(turn(pairs, 0.0, 7), pairs) and np.array_equal(turn(pairs, 1.0, 7), pairs[:, ::-1])


def test_a_shift_and_scale_of_the_table_does_not_move_standardised_fits(files, told):
    told = replace(told, params={**told.params, "tol": 1e-7}, preprocess={**told.preprocess, "target": "standardised"})
    before, _ = run(told, files)
    with np.load(files / "table.npz") as arrays:
        changed = {name: 100 + 7 * array if name == "y" else array for name, array in arrays.items()}
    np.savez(files / "table.npz", **changed)
    after, _ = run(told, files)
    for one, other in zip(before, after, strict=True):
        assert other.metrics["absolute_error"] == pytest.approx(7 * one.metrics["absolute_error"], rel=1e-3)


@pytest.mark.parametrize(("target", "moves"), [("standardised", True), ("standardised_train", False)])
def test_targets_outside_the_training_part_move_no_fit_whose_unit_is_that_of_its_training_part(
    files, told, target, moves
):
    """`rankbench compare` took the unit of the whole table for SVR, so that test targets decided the width of its tube;
    with one huge target all others were inside, wherever it was."""
    told = replace(told, sampler="", n_pairs=0, grid={"C": [1, 10]}, preprocess={**told.preprocess, "target": target})
    before = run(told, files)[1][0]["scores"]
    with np.load(files / "split0.npz") as split, np.load(files / "table.npz") as table:
        arrays = {**table, "y": table["y"].copy()}
        arrays["y"][np.setdiff1d(np.arange(len(arrays["y"])), split["train"])] = 1000.0
    np.savez(files / "table.npz", **arrays)
    after = run(told, files)[1][0]["scores"]
    assert np.array_equal(before, after) != moves
