"""Hold-outs and folds."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from rankbench.datasets.table import Table
from rankbench.experiments import hold_outs, published_hold_outs
from rankbench.experiments.draw import draw
from rankbench.experiments.split import Split, load_split, save_split, seed_of

NAMES = ("experiment", "dataset")
Y = np.arange(43) % 5.0
SIZES = {"n_train": 30, "n_test": 13, "n_folds": 4}


def hold_out(seed=0, y=Y, **sizes):
    """Draw a hold-out of these sizes."""
    return hold_outs.draw(SimpleNamespace(y=y), seed=seed, names=NAMES, **{**SIZES, **sizes})


def test_parts_are_disjoint_and_folds_balanced():
    for seed in range(5):
        split = hold_out(seed)
        assert sorted([*split.train, *split.test]) == list(range(43))
        assert sorted(len(judged) for _, judged in split.inner) == [7, 7, 8, 8]
        assert all(sorted([*learned, *judged]) == sorted(split.train) for learned, judged in split.inner)


def test_the_draw_is_pinned():
    assert seed_of("a", "b", 0) == 11441589721609213995
    assert hold_out().test.tolist() == [13, 32, 30, 14, 9, 18, 25, 6, 4, 19, 1, 38, 12]


def test_a_smaller_training_part_is_the_beginning_of_a_larger_one():
    for seed in range(5):
        small = hold_out(seed, n_train=10, n_test="rest")
        assert small.train.tolist() == hold_out(seed).train[:10].tolist()
        assert sorted([*small.train, *small.test]) == list(range(43))


def test_every_rank_is_in_the_training_part_where_that_is_asked_for():
    sizes = {"n_test": "rest", "n_folds": 2, "every_rank": True}
    assert all(sorted(Y[hold_out(seed, n_train=5, **sizes).train]) == [0, 1, 2, 3, 4] for seed in range(20))
    larger = [hold_out(seed, n_train=10, **sizes).train[:5].tolist() for seed in range(20)]
    same = [hold_out(seed, n_train=5, **sizes).train.tolist() == part for seed, part in enumerate(larger)]
    assert not all(same), "a part that lacks a rank is drawn again, so that it need not begin the larger one"


@pytest.mark.parametrize("split", [hold_out(n_pool=3, n_test=10), Split.build(4, absent="why")])
def test_a_saved_split_comes_back(tmp_path, split):
    save_split(tmp_path / "split.npz", split)
    assert [p.name for p in tmp_path.iterdir()] == ["split.npz"]
    back = vars(load_split(tmp_path / "split.npz"))
    assert (back["seed"], back["absent"]) == (split.seed, split.absent)
    assert all(np.array_equal(back[name], value) for name, value in vars(split).items())


IMPOSSIBLE = [
    ({"n_test": 14}, r"must be <= the 43 rows of experiment/dataset, got 30 \+ 14 \+ 0"),
    ({"n_folds": 1}, r"n_folds must be in 2..30, got 1"),
    ({"n_folds": 31}, r"n_folds must be in 2..30, got 31"),
    (
        {"n_test": 10, "n_pool": 4},
        r"n_train \+ n_test \+ n_pool must be <= the 43 rows of experiment/dataset, got 30 \+ 10 \+ 4",
    ),
]


@pytest.mark.parametrize(("sizes", "message"), IMPOSSIBLE)
def test_impossible_sizes_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        hold_out(**sizes)


def test_a_split_that_cannot_be_drawn_says_why():
    split = draw(SimpleNamespace(y=Y), seed=3, names=NAMES, **{**SIZES, "n_folds": 1})
    assert (split.seed, split.absent) == (3, "no split of seed 3: n_folds must be in 2..30, got 1")
    assert not any(part.size for part in (split.train, split.test, split.tuning, split.folds, split.pool))
    assert split.inner == []
    assert draw(SimpleNamespace(y=Y), seed=3, names=NAMES, **SIZES).absent == ""


def test_the_pool_holds_rows_of_neither_part_and_leaves_the_others_as_they_are():
    for seed in range(5):
        sizes = {"n_train": 3, "n_test": 10, "n_folds": 3}
        some, rest = hold_out(seed, **sizes, n_pool=20), hold_out(seed, **sizes, n_pool="rest")
        assert some.pool.shape == (20,) and rest.pool.shape == (30,)
        assert sorted([*rest.train, *rest.test, *rest.pool]) == list(range(43))
        assert some.test.tolist() == hold_out(seed, **sizes).test.tolist()
    assert hold_out().pool.size == 0
    assert hold_out(n_train=3, n_test="rest", n_folds=3, n_pool=20).test.size == 20


def publishing(masks, periods=None):
    """A table that comes with hold-outs."""
    n = masks.shape[1]
    periods = None if periods is None else np.array(periods, dtype=float)
    return Table(np.arange(float(n))[:, None], np.arange(float(n)), ("a",), ((),), partitions=masks, periods=periods)


def test_published_hold_outs_are_taken_as_they_are():
    masks = np.array([[1, 1, 0, 0, 1], [0, 1, 1, 1, 0], [1, 0, 1, 0, 1]], dtype=bool)
    published = partial(published_hold_outs.draw, names=NAMES, n_folds=3)
    splits = [published(publishing(masks), seed=seed) for seed in (0, 2)]
    assert [split.train.tolist() for split in splits] == [[0, 1, 4], [0, 2, 4]]
    assert [split.test.tolist() for split in splits] == [[2, 3], [1, 3]]
    assert [np.sort(split.folds).tolist() for split in splits] == [[[0, 1, 2]]] * 2
    season = publishing(np.array([[0, 1, 1, 1, 0, 0, 0]], dtype=bool))
    later = [published(season, seed=0, n_test=size).test.tolist() for size in (2, "rest")]
    assert later == [[4, 5], [4, 5, 6]], "what was before the training part predicts nothing of it"
    with pytest.raises(ValueError, match=r"seeds must be <= the 3 published hold-outs of .*, got 4"):
        published(publishing(masks), seed=3)
    with pytest.raises(ValueError, match="seeds must be <= the 0 published hold-outs"):
        published(Table(np.eye(2), np.arange(2.0), ("a", "b"), ((), ())), seed=0)


def test_shares_cut_the_training_part_in_its_order():
    masks = np.array([[1, 1, 1, 1, 1, 1, 0, 0]], dtype=bool)
    published = partial(draw, names=NAMES, split="published", seed=0)
    split = published(publishing(masks), shares=[0.5, 0.85])
    cuts = [(learned.tolist(), judged.tolist()) for learned, judged in split.inner]
    assert cuts == [([0, 1, 2], [3, 4, 5]), ([0, 1, 2, 3, 4], [5])]
    early = publishing(masks, [1, 1, 2, 2, 3, 3, 4, 4])
    split = published(early, shares=[0.5], first_periods=2)
    assert [part.tolist() for part in split.inner[0]] == [[0, 1], [2, 3]]
    assert split.train.tolist() == [0, 1, 2, 3, 4, 5]


def test_training_parts_without_a_common_row():
    parts = {"n_train": 10, "n_folds": 2, "disjoint_training": True, "y": np.arange(50.0)}
    splits = [hold_out(seed, n_test="rest", **parts) for seed in range(5)]
    assert sorted(np.concatenate([split.train for split in splits])) == list(range(50))
    for split in splits:
        assert sorted([*split.train, *split.test]) == list(range(50))
    np.testing.assert_array_equal(hold_out(3, n_test=20, **parts).test, splits[3].test[:20])
    with pytest.raises(ValueError, match="seed 5 of experiment/dataset needs rows up to 60 to learn from, got 50"):
        hold_out(5, n_test=20, **parts)
