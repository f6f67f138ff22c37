"""Coding and scaling."""

import numpy as np
import pytest

from rankbench.experiments.preprocess import Categories, encode, learn_scaling

X = np.array([[1.0, 0.0], [3.0, 2.0], [5.0, 0.0]])
LEVELS = ((), ("a", "b", "c"))


@pytest.mark.parametrize(
    ("nominal", "rows", "coded"),
    [
        ("onehot", X, [[1, 1, 0, 0], [3, 0, 0, 1], [5, 1, 0, 0]]),
        ("appearance", np.array([[5.0, 2], [1, 0], [2, 2], [3, 1]]), [[5, 0], [1, 1], [2, 0], [3, 2]]),
        ("ordinal", X, X),
    ],
)
def test_names_of_levels_become_numbers_and_the_input_stays(nominal, rows, coded):
    found = encode(rows, LEVELS, nominal)
    np.testing.assert_array_equal(found, coded)
    found[0, 0] = 9
    assert rows[0, 0] != 9


def test_native_columns_are_categories_with_all_levels_and_missing_cells():
    rows = Categories(LEVELS)(encode(np.array([[np.nan, 2.0], [3.0, 2.0]]), LEVELS, "native"))
    assert list(rows["column_1"]) == [2, 2] and list(rows["column_1"].cat.categories) == [0, 1, 2]
    assert list(rows["column_0"].isna()) == [True, False] and rows["column_0"][1] == 3, "not scaled, not filled"


TENTHS = np.full((7, 1), 0.1)  # the mean of seven 0.1 is not 0.1


@pytest.mark.parametrize(
    ("scaling", "options", "train", "rows", "expected"),
    [
        ("standard", {}, [[0], [2]], [[-1], [3]], [[-2], [2]]),
        ("minmax", {}, [[0], [2]], [[-1], [3]], [[-0.5], [1.5]]),
        ("none", {}, [[0], [2]], [[-1], [3]], [[-1], [3]]),
        *((scaling, {}, TENTHS, [[0.1], [5]], [[0], [0]]) for scaling in ("standard", "minmax", "none")),
        ("unit", {}, [[9, 9]], [[3, 4], [0, 0], [-2, 0]], [[0.6, 0.8], [0, 0], [-1, 0]]),
        ("unit", {"items": 2}, np.ones((1, 4)), [[3, 4, 0, 5]], [[0.6, 0.8, 0, 1]]),
        ("none", {"fill": True}, [[1], [3]], [[np.nan]], [[2]]),
    ],
)
def test_scaling_is_learned_on_the_training_part(scaling, options, train, rows, expected):
    scaler = learn_scaling(np.array(train, dtype=float), scaling, **options)
    np.testing.assert_allclose(scaler(np.array(rows, dtype=float)), expected, atol=0)


def test_items_of_a_pair_are_scaled_alike():
    pairs = np.array([[0.0, 10.0, 2.0, 30.0], [4.0, 10.0, 6.0, 30.0]])
    scaled = learn_scaling(pairs, "standard_sample", items=2)(pairs).reshape(4, 2)
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(scaled.std(axis=0, ddof=1), 1)
    np.testing.assert_allclose(scaled[:, 0], (np.array([0, 2, 4, 6]) - 3) / np.std([0, 2, 4, 6], ddof=1))


def test_missing_cells_become_the_training_mean_and_are_marked():
    train = np.array([[1.0, 0.0], [3.0, np.nan], [np.nan, 2.0], [5.0, 4.0]])
    fill = learn_scaling(train, "none", fill=True)
    assert np.allclose(fill(np.array([[np.nan, np.nan], [7.0, 1.0]])), [[3, 2, 1, 1], [7, 1, 0, 0]])
    scaled = learn_scaling(train, "standard", fill=True)(train)
    assert np.allclose(scaled.mean(axis=0), 0) and np.allclose(scaled.std(axis=0), 1)
