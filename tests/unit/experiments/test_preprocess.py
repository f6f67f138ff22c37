"""Coding and scaling."""

import numpy as np
import pytest

from rankbench.experiments.preprocess import Categories, encode, learn_scaling

X = np.array([[1.0, 0.0], [3.0, 2.0], [5.0, 0.0]])
LEVELS = ((), ("a", "b", "c"))


def test_onehot_gives_every_level_a_column():
    np.testing.assert_array_equal(encode(X, LEVELS, "onehot"), [[1, 1, 0, 0], [3, 0, 0, 1], [5, 1, 0, 0]])


def test_appearance_numbers_levels_by_their_first_row():
    coded = encode(np.array([[5.0, 2.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]]), LEVELS, "appearance")
    np.testing.assert_array_equal(coded, [[5, 0], [1, 1], [2, 0], [3, 2]])


def test_ordinal_keeps_the_codes_and_the_input():
    coded = encode(X, LEVELS, "ordinal")
    coded[0, 0] = 9
    assert X[0, 0] == 1


def test_native_columns_are_categories_with_all_levels_and_missing_cells():
    rows = Categories(LEVELS)(encode(np.array([[np.nan, 2.0], [3.0, 2.0]]), LEVELS, "native"))
    assert list(rows["column_1"]) == [2, 2] and list(rows["column_1"].cat.categories) == [0, 1, 2]
    assert list(rows["column_0"].isna()) == [True, False] and rows["column_0"][1] == 3, "not scaled, not filled"


@pytest.mark.parametrize(
    ("scaling", "expected"),
    [("standard", [[-2.0], [2.0]]), ("minmax", [[-0.5], [1.5]]), ("none", [[-1.0], [3.0]])],
)
def test_scaling_is_learned_on_the_training_part(scaling, expected):
    scaler = learn_scaling(np.array([[0.0], [2.0]]), scaling)
    np.testing.assert_allclose(scaler(np.array([[-1.0], [3.0]])), expected)


@pytest.mark.parametrize("scaling", ["standard", "minmax", "none"])
def test_a_column_that_is_constant_in_training_becomes_zero(scaling):
    scaler = learn_scaling(np.full((7, 1), 0.1), scaling)  # the mean of seven 0.1 is not 0.1
    np.testing.assert_array_equal(scaler(np.array([[0.1], [5.0]])), [[0.0], [0.0]])


def test_items_of_a_pair_are_scaled_alike():
    pairs = np.array([[0.0, 10.0, 2.0, 30.0], [4.0, 10.0, 6.0, 30.0]])
    scaled = learn_scaling(pairs, "standard_sample", items=2)(pairs).reshape(4, 2)
    np.testing.assert_allclose(scaled.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(scaled.std(axis=0, ddof=1), 1)
    np.testing.assert_allclose(scaled[:, 0], (np.array([0, 2, 4, 6]) - 3) / np.std([0, 2, 4, 6], ddof=1))


def test_rows_of_length_one():
    scaler = learn_scaling(np.array([[9.0, 9.0]]), "unit")
    np.testing.assert_allclose(scaler(np.array([[3.0, 4.0], [0.0, 0.0], [-2.0, 0.0]])), [[0.6, 0.8], [0, 0], [-1, 0]])
    pairs = learn_scaling(np.ones((1, 4)), "unit", items=2)
    np.testing.assert_allclose(pairs(np.array([[3.0, 4.0, 0.0, 5.0]])), [[0.6, 0.8, 0.0, 1.0]])


def test_missing_cells_become_the_training_mean_and_are_marked():
    train = np.array([[1.0, 0.0], [3.0, np.nan], [np.nan, 2.0], [5.0, 4.0]])
    fill = learn_scaling(train, "none", fill=True)
    assert np.allclose(fill(np.array([[np.nan, np.nan], [7.0, 1.0]])), [[3, 2, 1, 1], [7, 1, 0, 0]])
    scaled = learn_scaling(train, "standard", fill=True)(train)
    assert np.allclose(scaled.mean(axis=0), 0) and np.allclose(scaled.std(axis=0), 1)


def test_a_column_that_lacks_cells_in_the_test_part_only_is_filled_too():
    fill = learn_scaling(np.array([[1.0], [3.0]]), "none", fill=True)
    assert fill(np.array([[np.nan]])).tolist() == [[2.0]]
