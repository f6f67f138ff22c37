"""Probes of a whole run, with methods of the library: results must not depend on the test part or on other seeds."""

import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from rankbench.datasets.table import Table, save_table
from rankbench.experiments import job, tune
from rankbench.experiments.collect import read_run
from rankbench.experiments.draw import draw
from rankbench.experiments.job import run_job
from rankbench.experiments.methods import fit_method
from rankbench.experiments.split import save_split

N_TRAIN, N_TEST = 40, 20
SIZES = {"names": ("small", "one"), "n_train": N_TRAIN, "n_test": N_TEST, "n_folds": 3}


@pytest.fixture
def table():
    """Sixty rows of two numbers on different scales, a name, and noise enough that partners and folds matter."""
    rng = np.random.default_rng(5)
    X = np.column_stack([rng.standard_normal(60), 10 + 5 * rng.standard_normal(60), rng.integers(0, 2, 60)])
    y = X[:, 0] + 0.2 * X[:, 1] + rng.standard_normal(60)
    masks = np.arange(60) < N_TRAIN
    return Table(X, y, ("a", "b", "c"), ((), (), ("no", "yes")), partitions=np.array([masks, masks, masks]))


@pytest.fixture
def result_of(tmp_path):
    """Function (task, table, split) -> record and test scores of one run."""

    def run(task, table, split):
        paths = [tmp_path / name for name in ("table.npz", "split.npz", "scores.npz")]
        save_table(paths[0], table)
        save_split(paths[1], split)
        run_job(task, paths[0], [paths[1:]])
        made = read_run(paths[2], ["swapped_pairs"])
        assert (made.record.status, made.record.reason) == ("ok", "")
        return made.record, made.arrays["scores"]

    return run


@pytest.fixture
def of_library(task):
    """Function uses -> task with that method of the library and a grid of four points."""
    grid = {"C": [0.1, 1], "gamma": [0.1, 1]}
    return lambda uses, **params: replace(task, uses=uses, params=params, grid=grid)


def chosen(record):
    return record.params, record.inner_score, record.objective, record.dual_bound


@pytest.mark.parametrize("scaling", ["standard", "standard_sample", "minmax", "none"])
def test_shifted_test_rows_change_no_score(table, of_library, result_of, scaling):
    """All test rows except the first are moved far away; the model and the score of the first must not change."""
    split = draw(table, seed=0, **SIZES)
    moved = replace(table, X=table.X.copy())
    moved.X[split.test[1:], :2] = 1000 - 50 * moved.X[split.test[1:], :2]
    task = replace(of_library("SwappedPairsSVM"), preprocess={"scaling": scaling, "nominal": "onehot"})
    (record, scores), (again, changed) = (result_of(task, data, split) for data in (table, moved))
    assert chosen(record) == chosen(again)
    assert scores[0] == pytest.approx(changed[0], rel=1e-9) and not np.allclose(scores[1:], changed[1:])


def test_the_targets_of_the_test_part_change_no_score(table, of_library, result_of):
    split = draw(table, seed=0, **SIZES)
    other = replace(table, y=table.y.copy())
    other.y[split.test] = -other.y[split.test]
    (record, scores), (again, same) = (result_of(of_library("PairwiseRankSVM"), data, split) for data in (table, other))
    assert chosen(record) == chosen(again) and np.array_equal(scores, same)
    assert record.metrics["swapped_pairs"] == pytest.approx(1 - again.metrics["swapped_pairs"])


def test_two_seeds_have_different_partners(table, of_library, result_of):
    """The same rows and folds with another seed: folds and final fit have other random partners."""
    task, split = of_library("PairwiseRankSVM", n_partners=1), draw(table, seed=0, **SIZES)
    task = replace(task, grid={"C": [1], "gamma": [0.1, 1]})
    (one, scores), (same, again), (two, others) = (
        result_of(task, table, replace(split, seed=seed)) for seed in (0, 0, 1)
    )
    assert chosen(one) == chosen(same) and np.array_equal(scores, again)
    assert one.inner_score != two.inner_score and one.objective != two.objective
    assert not np.array_equal(scores, others)


def lying(change):
    """A method that solves nothing but changes an honest solution and says that it is optimal."""

    def fit(*data, **options):
        return [replace(model, solution=change(model.solution)) for model in fit_method(*data, **options)]

    return fit


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda s: replace(s, objective=s.objective / 2, dual_bound=s.objective / 2), "the honest numbers"),
        (lambda s: replace(s, dual_bound=s.objective, alpha=s.alpha / 2), "a gap"),
        (lambda s: replace(s, dual_bound=s.objective, alpha=3 * s.alpha), "infeasible"),
    ],
)
def test_a_solver_that_lies_is_found_out_by_the_record(table, of_library, result_of, monkeypatch, change, found):
    split = draw(table, seed=0, **SIZES)
    task = replace(of_library("SwappedPairsSVM"), grid={"C": [1]}, params={"solver": "dual_cd"})  # alpha is an array
    honest, _ = result_of(task, table, split)
    assert 0 <= honest.gap <= 1e-3 and honest.infeasibility <= 1e-9
    monkeypatch.setattr(tune, "fit_method", lying(change))
    record, _ = result_of(task, table, split)
    if found == "the honest numbers":
        assert (record.objective, record.dual_bound, record.gap) == (honest.objective, honest.dual_bound, honest.gap)
    else:
        assert record.gap > 0.05 if found == "a gap" else record.infeasibility > 0.1


def test_the_seconds_of_the_fit_are_not_those_of_the_grid_search(table, task, result_of, use, monkeypatch):
    """Three folds of two values of C and one final fit, each 100 seconds on the clock."""
    late = [0.0]

    def slow(X, y, C):
        late[0] += 100
        return lambda Z: Z[:, 0]

    clock = SimpleNamespace(time=time.time, perf_counter=lambda: time.perf_counter() + late[0])
    monkeypatch.setattr(job, "time", clock)
    use(slow)
    record, _ = result_of(task, table, draw(table, seed=0, **SIZES))
    assert (record.fit_seconds // 100, record.tune_seconds // 100) == (1, 6)
