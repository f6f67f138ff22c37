"""Sets of labelled pairs with set numbers of ties."""

import numpy as np
import pytest

from rankbench.datasets.simulated_pairs import draw_sets, make_pools
from rankbench.experiments.comparison_sets import comparison_sets
from rankbench.experiments.split import load_splits, save_splits

NAMES = ("experiment", "dataset")
Y = np.tile([0.0, 1.0, -1.0], 40)


def test_parts_are_disjoint_and_have_the_numbers_asked_for(tmp_path):
    splits = comparison_sets(Y, 7, 12, range(5), NAMES)
    save_splits(tmp_path / "s.npz", splits)
    for seed in range(5):
        train, test = load_splits(tmp_path / "s.npz").of(seed)
        ((learned, judged),) = splits.inner_of(seed)
        np.testing.assert_array_equal(train, learned)
        assert len({*train, *judged, *test}) == 3 * 19
        assert all((Y[part] == 0).sum() == 7 for part in (train, judged, test))


def test_a_test_set_of_its_own_size_is_the_same_for_all_sizes():
    small, large = (comparison_sets(Y, n, n, [3], NAMES, test={"equality": 8, "inequality": 20}) for n in (4, 9))
    np.testing.assert_array_equal(small.test, large.test)
    assert small.test.shape == (1, 28) and large.train.shape == (1, 18)


def test_the_authors_sets_are_met_at_every_place_of_the_stream():
    labels = {name: pool.y for name, pool in make_pools(300).items()}
    for place, name in enumerate(labels):
        splits = comparison_sets(labels[name], 10, 15, [0, 1], NAMES, place=place)
        for seed in (0, 1):
            drawn = draw_sets(labels, 10, 15, seed + 1)[name]
            ((_, judged),) = splits.inner_of(seed)
            for ours, part in zip((*splits.of(seed), judged), ("train", "test", "validation"), strict=True):
                np.testing.assert_array_equal(ours, drawn[part])


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match=r"equality must leave three sets of .*dataset, got 2 x 14 \+ 14 of 40"):
        comparison_sets(Y, 14, 5, [0], NAMES)
    with pytest.raises(ValueError, match="test must be None with place"):
        comparison_sets(Y, 4, 5, [0], NAMES, place=0, test={"equality": 1, "inequality": 1})
