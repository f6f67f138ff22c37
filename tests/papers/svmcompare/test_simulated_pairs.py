"""R's random numbers against numbers that R prints, and the simulations of Venuto et al. against their figures."""

import numpy as np
import pandas as pd
import pytest

from rankbench.datasets.r_random import RRandom
from rankbench.papers.svmcompare.simulated_pairs import draw_sets, make_pools
from rankbench.registry import PUBLISHED


@pytest.fixture(scope="module")
def pools():
    return make_pools()


@pytest.fixture(scope="module")
def labels(pools):
    return {name: pool.y for name, pool in pools.items()}


def test_numbers_are_those_that_r_prints():
    """set.seed(42): runif(3); set.seed(1): rnorm(3); R < 3.6, set.seed(1): sample(10, 5) and set.seed(123): runif."""
    np.testing.assert_allclose(RRandom(42).uniform(3), [0.9148060, 0.9370754, 0.2861395], atol=5e-8)
    np.testing.assert_allclose(RRandom(123).uniform(2), [0.2875775, 0.7883051], atol=5e-8)
    np.testing.assert_allclose(RRandom(1).normal(3), [-0.6264538, 0.1836433, -0.8356286], atol=5e-8)
    np.testing.assert_array_equal(RRandom(1).sample(np.arange(1, 11), 5), [3, 4, 5, 7, 2])


def test_the_stream_goes_on_past_its_state():
    whole, parts = RRandom(7).uniform(2000), RRandom(7)
    np.testing.assert_array_equal(np.concatenate([parts.uniform(k) for k in (1, 623, 1, 1375)]), whole)
    assert whole.min() > 0
    assert whole.max() < 1


def test_a_sample_larger_than_its_items_is_refused():
    with pytest.raises(ValueError, match="size must be <= the number of items 3, got 4"):
        RRandom(1).sample(np.arange(3), 4)


def test_pools_have_the_class_counts_of_the_protocol(labels):
    counts = {name: np.bincount(y + 1).tolist() for name, y in labels.items()}
    assert counts == {"l2": [1707, 4889, 3404], "l1": [2102, 4984, 2914], "linf": [1560, 4770, 3670]}


def test_figure_3_is_met_in_all_100_pairs(pools, labels):
    """The figure shows equality pairs, then pairs of label -1 with their items exchanged, then pairs of label 1."""
    printed = pd.read_csv(PUBLISHED["svmcompare_fig3_train_pairs.csv"])
    pool, rows = pools["l1"], draw_sets(labels, 50, 50, seed=2)["l1"]["train"]
    rows = np.concatenate([rows[pool.y[rows] == label] for label in (0, -1, 1)])
    down = (pool.y[rows] == -1)[:, None]
    np.testing.assert_array_equal(np.abs(pool.y[rows]), printed["label"])
    for columns, items in ((["x1", "x2"], (pool.X2, pool.X)), (["xp1", "xp2"], (pool.X, pool.X2))):
        made = np.where(down, items[0][rows], items[1][rows])
        np.testing.assert_allclose(made, printed[columns].to_numpy(), atol=5.1e-4)


def test_figure_4_is_met_in_all_truth_cells(pools, labels):
    printed = pd.read_csv(PUBLISHED["svmcompare_fig4.csv"])
    printed = printed[printed["model"] == "truth"]
    assert len(printed) == 15
    for n in (50, 100, 200, 400, 800):
        errors = {name: [] for name in pools}
        for seed in (1, 2, 3, 4):
            for name, parts in draw_sets(labels, n // 2, n // 2, seed).items():
                pool, test = pools[name], parts["test"]
                predicted = np.sign(pool.latent[test]) * (np.abs(pool.latent[test]) > 1)
                errors[name].append(100 * np.mean(predicted != pool.y[test]))
        for name, percent in errors.items():
            cell = printed[(printed["function"] == name) & (printed["n_train_pairs"] == n)].iloc[0]
            assert np.mean(percent) == pytest.approx(cell["mean_error_pct"], abs=1e-9)
            assert np.std(percent, ddof=1) == pytest.approx(cell["sd_error_pct"], abs=5e-3)  # read from a drawing
