"""Data with groups: no group has rows in two parts, and pairs are learned and judged inside groups only."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold

from rankbench.datasets.table import Table, save_table
from rankbench.experiments.collect import read_run
from rankbench.experiments.draw import draw
from rankbench.experiments.job import run_job
from rankbench.experiments.preprocess import learn_scaling
from rankbench.experiments.split import save_split
from rankmargin import RankSearchCV
from rankmargin.metrics import swapped_pairs

GROUPS = np.repeat(np.arange(12.0), 5)


@pytest.fixture
def table():
    """Inside a group y grows with x, between groups it falls: without groups a method learns the wrong direction."""
    rng = np.random.default_rng(0)
    inside, level = rng.standard_normal(60), 100 * rng.standard_normal(12)[GROUPS.astype(int)]
    return Table((inside - level)[:, None], inside + level, ("x",), ((),), groups=GROUPS)


def drawn(table, seed=0, **changes):
    return draw(
        table, seed=seed, names=("e", "d"), split="groups", **{"n_train": 30, "n_test": "rest", "n_folds": 3} | changes
    )


def test_no_group_lies_in_two_parts_or_folds(table):
    for seed in range(5):
        split = drawn(table, seed)
        assert (len(split.train), split.absent) == (30, "")
        assert not {*GROUPS[split.train]} & {*GROUPS[split.test]}
        for inside, outside in split.inner:
            assert not {*GROUPS[inside]} & {*GROUPS[outside]}
            assert len(outside) == 10 and sorted([*inside, *outside]) == sorted(split.train)


def test_a_part_may_end_inside_a_group_whose_other_rows_are_left_out(table):
    split = drawn(table, n_train=32, n_test=8)
    assert (len(split.train), len(split.test)) == (32, 8) and not {*GROUPS[split.train]} & {*GROUPS[split.test]}
    assert set(drawn(table, n_train=20).train) < set(split.train)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_train": 58}, "n_train must leave whole groups of e/d for the test part, got 58 of 60 rows"),
        ({"n_train": 10}, "folds must be <= the 2 groups in the training part of e/d, got 3"),
    ],
)
def test_too_few_groups_are_said(table, changes, message):
    assert message in drawn(table, **changes).absent


def test_a_job_learns_and_judges_inside_groups(table, task, tmp_path):
    save_split(tmp_path / "split.npz", drawn(table))
    task = replace(task, uses="SwappedPairsSVM", params={"kernel": "linear"}, grid={"C": [0.01, 1]})
    errors = []
    for groups in (GROUPS, None):
        save_table(tmp_path / "table.npz", replace(table, groups=groups))
        run_job(task, tmp_path / "table.npz", [[tmp_path / name for name in ("split.npz", "s.npz")]])
        record = read_run(tmp_path / "s.npz", ["swapped_pairs"]).record
        assert record.status == "ok", record.reason
        with np.load(tmp_path / "s.npz") as arrays:
            inside = swapped_pairs(arrays["y"], arrays["scores"], GROUPS[arrays["test"]])
        errors.append((record.metrics["swapped_pairs"], inside))
    (told, inside), (_, inside_without) = errors
    assert told == inside == 0.0 and inside_without == 1.0


@pytest.mark.slow
def test_a_search_with_folds_of_its_own_keeps_rows_with_the_same_inputs_in_one_fold(task, tmp_path):
    """Of rows that were there three times it learned two and judged the third: a narrow kernel looked best."""
    rng = np.random.default_rng(0)
    X, level, blocks = rng.standard_normal((40, 6)), rng.standard_normal(40), np.repeat(np.arange(40.0), 3)
    X, y = np.repeat(X, 3, axis=0), np.repeat(X[:, 0] + level, 3) + 0.2 * rng.standard_normal(120)
    table = Table(X, y, tuple("abcdef"), ((),) * 6, blocks=blocks)
    split = drawn(table, n_train=84)
    save_table(tmp_path / "table.npz", table)
    save_split(tmp_path / "split.npz", split)
    asked = replace(task, uses="rankbench.papers.today.methods.self_tuning.SelfTuning", grid={})
    asked = replace(asked, limits={"seconds": 60, "megabytes": 8000})  # of the process of all tests
    run_job(asked, tmp_path / "table.npz", [(tmp_path / "split.npz", tmp_path / "run.npz")])
    run = read_run(tmp_path / "run.npz", ["swapped_pairs"])
    train, scale = split.train, learn_scaling(X[split.train], "standard")
    folds = GroupKFold(5, shuffle=True, random_state=0).split(train, groups=blocks[train])
    searches = [RankSearchCV(cv=cv).fit(scale(X[train]), y[train]) for cv in (list(folds), 5)]
    errors = [swapped_pairs(y[split.test], one.score_samples(scale(X[split.test]))) for one in searches]
    assert run.record.metrics["swapped_pairs"] == errors[0] != errors[1], run.record.reason
    assert searches[1].best_score_ > 0.85 > searches[0].best_score_
