"""Rows with the same inputs are in the same part of every hold-out; how many there are is said."""

import numpy as np
import pytest

from rankbench.compare.repeated import blocks_of
from rankbench.datasets.table import Table
from rankbench.experiments.draw import draw


def test_rows_with_the_same_inputs_are_one_block():
    X = np.array([[1, np.nan], [2, 0.0], [1, np.nan], [3, 1], [2, -0.0], [2, 1]] + [[k, k] for k in range(10, 40)])
    y = np.arange(36.0)
    y[2] = y[0]
    blocks, notes = blocks_of(X, y)
    assert blocks[0] == blocks[2] and blocks[1] == blocks[4] and len({*blocks}) == 34
    told = "rows with the inputs of an earlier row: 2 of 36 (1 of them with its target too); "
    assert notes == [told + "rows with the same inputs are in the same part of each hold-out"]


def test_inputs_of_few_values_have_to_recur():
    """Two colours and two sizes: a hold-out that kept equal rows in one part would have nothing to learn from."""
    X = np.array([[k % 2, k // 2 % 2] for k in range(100)], dtype=float)
    blocks, notes = blocks_of(X, np.arange(100.0))
    assert len({*blocks}) == 100
    told = "rows with the inputs of an earlier row: 96 of 100 (0 of them with its target too); 25 rows have the same "
    assert notes == [told + "inputs, so that equal rows are in both parts of a hold-out"]


def test_two_items_in_the_other_order_are_the_same_pair():
    a, b, c = [1.0, 5.0], [1.0, 7.0], [2.0, 0.0]
    X = np.array([a + b, b + a, a + c, c + a, b + c, a + a] + [[k, k, 0, 1] for k in range(20, 50)])
    y = np.array([1.0, -1, 1, 1, 0, 0] + [1] * 30)
    blocks, notes = blocks_of(X, y, items=2)
    assert blocks[0] == blocks[1] and blocks[2] == blocks[3] and len({*blocks}) == 34
    assert notes[0].startswith("rows with the inputs of an earlier row: 2 of 36 (2 of them with its target too)")


def test_groups_are_the_blocks():
    X, y = np.repeat(np.arange(20.0), 2)[:, None], np.repeat(np.arange(20.0), 2)
    for groups, notes in ((np.repeat(np.arange(4.0), 10), 0), (np.tile([0.0, 1.0], 20), 1)):
        blocks, said = blocks_of(X, y, groups=groups)
        assert blocks is groups and len(said) == notes
    assert said[0].startswith("rows with the inputs and the target of a row in another group: 40 of 40")
    swapped = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 2.0]])  # as a win and as a loss: the same comparison
    said = blocks_of(swapped, np.array([1.0, -1.0, 1.0]), groups=np.arange(3.0), items=2)[1]
    assert said[0].startswith("rows with the inputs and the target of a row in another group: 2 of 3")


@pytest.mark.parametrize("times", [2, 3])
def test_of_repeated_noise_nothing_can_be_remembered(times):
    """Every row of pure noise occurs several times: the nearest neighbour would know its target."""
    rng = np.random.default_rng(0)
    X, y = np.tile(rng.standard_normal((60, 3)), (times, 1)), np.tile(rng.standard_normal(60), times)
    table = Table(X, y, ("a", "b", "c"), ((),) * 3, blocks=blocks_of(X, y)[0])
    for seed in range(20):
        split = draw(
            table, seed=seed, names=("e", "d"), split="groups", n_train=42 * times, n_test=18 * times, n_folds=3
        )
        assert (len(split.train), len(split.test)) == (42 * times, 18 * times)
        for one, other in [(split.train, split.test), *split.inner]:
            assert not {*map(tuple, X[one])} & {*map(tuple, X[other])}
