"""Hold-outs and folds."""

import numpy as np
import pytest

from rankbench.datasets.table import Table
from rankbench.experiments.split import load_splits, make_splits, published_splits, save_splits, seed_of, splits_of

NAMES = ("experiment", "dataset")
Y = np.arange(43) % 5.0


def splits(seeds=range(5)):
    return make_splits(Y, n_train=30, n_test=13, n_folds=4, seeds=seeds, names=NAMES)


def test_parts_are_disjoint_and_folds_balanced():
    for seed in range(5):
        train, test = splits().of(seed)
        assert sorted([*train, *test]) == list(range(43))
        inner = splits().inner_of(seed)
        assert sorted(len(judged) for _, judged in inner) == [7, 7, 8, 8]
        assert all(sorted([*learned, *judged]) == sorted(train) for learned, judged in inner)


def test_a_seed_does_not_depend_on_the_others():
    alone, among = ((*s.of(3), *s.inner_of(3)[1]) for s in (splits([3]), splits()))
    assert all(np.array_equal(a, b) for a, b in zip(alone, among, strict=True))
    assert not np.array_equal(splits().of(3)[0], splits().of(4)[0])


def test_the_draw_is_pinned():
    assert seed_of("a", "b", 0) == 11441589721609213995
    assert splits([0]).of(0)[1].tolist() == [13, 32, 30, 14, 9, 18, 25, 6, 4, 19, 1, 38, 12]


def test_a_smaller_training_part_is_the_beginning_of_a_larger_one():
    small = make_splits(Y, 10, "rest", 4, range(5), NAMES)
    for seed in range(5):
        assert small.of(seed)[0].tolist() == splits().of(seed)[0][:10].tolist()
        assert sorted([*small.of(seed)[0], *small.of(seed)[1]]) == list(range(43))


def test_every_rank_is_in_the_training_part_where_that_is_asked_for():
    drawn = make_splits(Y, 5, "rest", 2, range(20), NAMES, every_rank=True)
    assert all(sorted(Y[rows]) == [0.0, 1.0, 2.0, 3.0, 4.0] for rows in drawn.train)
    with pytest.raises(ValueError, match="n_train must be >= the 5 ranks of experiment/dataset/0, got 4"):
        make_splits(Y, 4, "rest", 2, [0], NAMES, every_rank=True)
    larger = make_splits(Y, 10, "rest", 2, range(20), NAMES, every_rank=True)
    same = [part.tolist() == other[:5].tolist() for part, other in zip(drawn.train, larger.train, strict=True)]
    assert not all(same), "a part that lacks a rank is drawn again, so that it need not begin the larger one"


def test_saved_splits_come_back(tmp_path):
    save_splits(tmp_path / "splits.npz", splits())
    assert [p.name for p in tmp_path.iterdir()] == ["splits.npz"]
    back = load_splits(tmp_path / "splits.npz")
    assert all(np.array_equal(getattr(back, name), getattr(splits(), name)) for name in vars(back))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"n_test": 14}, r"n_train \+ n_test must be <= the 43 rows of experiment/dataset, got 30 \+ 14"),
        ({"n_folds": 1}, r"n_folds must be in 2..30, got 1"),
        ({"n_folds": 31}, r"n_folds must be in 2..30, got 31"),
    ],
)
def test_impossible_sizes_are_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        make_splits(**{"y": Y, "n_train": 30, "n_test": 13, "n_folds": 4, "seeds": [0], "names": NAMES, **sizes})


def test_the_pool_holds_rows_of_neither_part_and_leaves_the_others_as_they_are(tmp_path):
    some = make_splits(Y, 3, 10, 3, range(5), NAMES, n_pool=20)
    rest = make_splits(Y, 3, 10, 3, range(5), NAMES, n_pool="rest")
    assert some.pool.shape == (5, 20) and rest.pool.shape == (5, 30)
    for seed in range(5):
        assert sorted([*rest.of(seed)[0], *rest.of(seed)[1], *rest.pool_of(seed)]) == list(range(43))
        assert some.of(seed)[1].tolist() == make_splits(Y, 3, 10, 3, range(5), NAMES).of(seed)[1].tolist()
    assert splits().pool_of(0).size == 0
    save_splits(tmp_path / "splits.npz", rest)
    assert np.array_equal(load_splits(tmp_path / "splits.npz").pool_of(3), rest.pool_of(3))
    assert make_splits(Y, 3, "rest", 3, [0], NAMES, n_pool=20).of(0)[1].size == 20


def test_a_pool_that_does_not_fit_is_refused():
    with pytest.raises(
        ValueError, match=r"n_train \+ n_test \+ n_pool must be <= the 43 rows of .*, got 30 \+ 10 \+ 4"
    ):
        make_splits(Y, 30, 10, 4, [0], NAMES, n_pool=4)


def test_a_seed_without_a_split_is_refused():
    with pytest.raises(ValueError, match="seed must be one of the 5 seeds of the splits, got 9"):
        splits().of(9)


def publishing(masks, periods=None):
    """A table that comes with hold-outs."""
    n = masks.shape[1]
    periods = None if periods is None else np.array(periods, dtype=float)
    return Table(np.arange(float(n))[:, None], np.arange(float(n)), ("a",), ((),), partitions=masks, periods=periods)


def test_published_hold_outs_are_taken_as_they_are():
    masks = np.array([[1, 1, 0, 0, 1], [0, 1, 1, 1, 0], [1, 0, 1, 0, 1]], dtype=bool)
    splits = published_splits(publishing(masks), [0, 2], NAMES, 3)
    np.testing.assert_array_equal(splits.train, [[0, 1, 4], [0, 2, 4]])
    np.testing.assert_array_equal(splits.test, [[2, 3], [1, 3]])
    np.testing.assert_array_equal(np.sort(splits.folds, axis=2), [[[0, 1, 2]], [[0, 1, 2]]])
    with pytest.raises(ValueError, match=r"seeds must be <= the 3 published hold-outs of .*, got 4"):
        published_splits(publishing(masks), range(4), NAMES, 3)
    with pytest.raises(ValueError, match="seeds must be <= the 0 published hold-outs"):
        published_splits(Table(np.eye(2), np.arange(2.0), ("a", "b"), ((), ())), [0], NAMES, 3)
    with pytest.raises(ValueError, match=r"must be of one size, got n_train \[2, 3\]"):
        published_splits(publishing(masks & [True, True, True, True, False]), [0, 1], NAMES, 2)


def test_shares_cut_the_training_part_in_its_order():
    masks = np.array([[1, 1, 1, 1, 1, 1, 0, 0]], dtype=bool)
    splits = splits_of(publishing(masks), NAMES, split="published", seeds=[0], shares=[0.5, 0.85])
    cuts = [(learned.tolist(), judged.tolist()) for learned, judged in splits.inner_of(0)]
    assert cuts == [([0, 1, 2], [3, 4, 5]), ([0, 1, 2, 3, 4], [5])]
    early = publishing(masks, [1, 1, 2, 2, 3, 3, 4, 4])
    splits = splits_of(early, NAMES, split="published", seeds=[0], shares=[0.5], first_periods=2)
    assert [part.tolist() for part in splits.inner_of(0)[0]] == [[0, 1], [2, 3]]
    assert splits.of(0)[0].tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="first_periods needs a table with periods, experiment/dataset has none"):
        published_splits(publishing(masks), [0], NAMES, shares=[0.5], first_periods=2)
