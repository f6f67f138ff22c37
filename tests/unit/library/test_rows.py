"""Rows by hand and by count, and the thresholds that minimise their loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankmargin.problem.rows import thresholds
from rankmargin.problem.rows.pairs import pair_indices, random_partners
from rankmargin.problem.rows.ranks import ranks_of
from rankmargin.problem.rows.rows import Rows


def test_pairs_of_four_points():
    i, j = pair_indices(np.array([2.0, 1.0, 2.0, 3.0]))
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == [(0, 1), (2, 1), (3, 0), (3, 1), (3, 2)]
    i, j = pair_indices(np.array([2.0, 1.0, 2.0, 3.0]), np.array([0, 0, 1, 1]))
    assert list(zip(i.tolist(), j.tolist(), strict=True)) == [(0, 1), (3, 2)]


@given(st.lists(st.tuples(st.integers(-4, 4), st.sampled_from([-1, 1]), st.integers(1, 3)), min_size=1, max_size=12))
def test_best_threshold_beats_a_grid(points):
    s, sign, cost = (np.array(v, dtype=float) for v in zip(*points, strict=True))
    n = len(s)
    rows = Rows.build(n, 1, plus=np.arange(n), threshold=np.zeros(n, int), sign=sign.astype(int), cost=cost)

    def loss(theta):
        return rows.cost @ np.maximum(rows.margin - rows.values(s, np.array([theta])), 0.0)

    best = loss(thresholds.best_thresholds(rows, s)[0])
    assert best <= min(loss(theta) for theta in np.arange(-7, 7.25, 0.25)) + 1e-9


def test_bins_of_equal_counts_split_ties_in_the_order_of_the_rows():
    rank, labels = ranks_of(np.array([2.0, 1.0, 1.0, 1.0, 1.0, 3.0]), 3, "split")
    np.testing.assert_array_equal(rank, [2, 0, 0, 1, 1, 2])
    np.testing.assert_array_equal(labels, [1, 2, 3])


@pytest.mark.slow
def test_partners_are_drawn_evenly_and_in_time_that_is_linear():
    """Each candidate in the group of a row is as likely as any other; 200,000 rows of two values have 10^10 pairs."""
    y, groups = np.array([1.0, 2.0, 3.0, 3.0, 5.0, 1.0, 2.0]), np.array([0, 0, 0, 0, 0, 1, 1])
    counts = np.zeros((7, 7))
    for seed in range(1000):
        rows = random_partners(y, 2, np.random.default_rng(seed), groups)
        assert len(rows) == 12
        assert len({*zip(rows.plus.tolist(), rows.minus.tolist(), strict=True)}) >= 6
        np.add.at(counts, (rows.plus, rows.minus), 1)
    # row 0 has 4 candidates and row 1 has 4: the pair (1, 0) is drawn from both ends, each with probability 2 / 4
    assert counts[1, 0] / 1000 == pytest.approx(1.0, abs=0.06)
    assert counts[2, 0] / 1000 == pytest.approx(2 / 4 + 2 / 3, abs=0.06)
    assert counts[6, 5] == 2000
    assert counts[6, :5].sum() == counts[:5, 5].sum() == counts[2, 3] == counts[3, 2] == 0
    many = random_partners(np.arange(200_000) % 2, 5, np.random.default_rng(0))
    assert len(many) == 1_000_000


@pytest.mark.parametrize("scale", [1e-300, 1e-16, 1e12, 1e200])
def test_the_best_threshold_does_not_depend_on_the_unit_of_the_costs(scale):
    s, sign, n = np.array([0.0, 1.0, 2.0, 3.0, 4.0]), np.array([-1, 1, -1, -1, 1]), 5
    rows = Rows.build(n, 1, plus=np.arange(n), threshold=np.zeros(n, int), sign=sign, cost=np.arange(1.0, 6.0))
    scaled = Rows.build(
        n, 1, plus=np.arange(n), threshold=np.zeros(n, int), sign=sign, cost=scale * np.arange(1.0, 6.0)
    )
    found = thresholds.best_thresholds(scaled, s)
    np.testing.assert_array_equal(found, thresholds.best_thresholds(rows, s))
    assert rows.margin.max() > 0
