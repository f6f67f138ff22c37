"""Sets of labelled pairs with set numbers of ties."""

from types import SimpleNamespace

import numpy as np
import pytest

from rankbench.experiments.comparison_sets import draw
from rankbench.experiments.split import load_split, save_split
from rankbench.papers.svmcompare.simulated_pairs import draw_sets, make_pools

NAMES = ("experiment", "dataset")
Y = np.tile([0.0, 1.0, -1.0], 40)


def sets(equality, inequality, seed, y=Y, **options):
    """Draw the three sets of a seed."""
    return draw(SimpleNamespace(y=y), seed=seed, names=NAMES, equality=equality, inequality=inequality, **options)


def test_parts_are_disjoint_and_have_the_numbers_asked_for(tmp_path):
    for seed in range(5):
        save_split(tmp_path / "s.npz", sets(7, 12, seed))
        split = load_split(tmp_path / "s.npz")
        ((learned, judged),) = split.inner
        np.testing.assert_array_equal(split.train, learned)
        assert len({*split.train, *judged, *split.test}) == 3 * 19
        assert all((Y[part] == 0).sum() == 7 for part in (split.train, judged, split.test))


def test_a_test_set_of_its_own_size_is_the_same_for_all_sizes():
    small, large = (sets(n, n, 3, test={"equality": 8, "inequality": 20}) for n in (4, 9))
    np.testing.assert_array_equal(small.test, large.test)
    assert small.test.shape == (28,) and large.train.shape == (18,)


def test_the_authors_sets_are_met_at_every_place_of_the_stream():
    labels = {name: pool.y for name, pool in make_pools(300).items()}
    for place, name in enumerate(labels):
        for seed in (0, 1):
            split, drawn = sets(10, 15, seed, labels[name], place=place), draw_sets(labels, 10, 15, seed + 1)[name]
            ((_, judged),) = split.inner
            for ours, part in zip((split.train, split.test, judged), ("train", "test", "validation"), strict=True):
                np.testing.assert_array_equal(ours, drawn[part])


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match=r"equality must leave three sets of .*dataset, got 2 x 14 \+ 14 of 40"):
        sets(14, 5, 0)
    with pytest.raises(ValueError, match="test must be None with place"):
        sets(4, 5, 0, place=0, test={"equality": 1, "inequality": 1})
