"""Oracles and the swapped-pair metric: by hand, against the definition, and under changes that must have no effect."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rankbench.papers.diez.studies import algorithm_2
from rankmargin.metrics import swapped_pairs
from rankmargin.oracles import all_pairs
from rankmargin.oracles import swapped_pairs as fast
from rankmargin.oracles.pair_losses import PairLoss

LATTICE = st.sampled_from([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5])


@st.composite
def ranked(draw, most_ranks=5, with_groups=True):
    n = draw(st.integers(1, 25))
    y = draw(arrays(float, n, elements=st.integers(1, most_ranks).map(float)))
    s = draw(arrays(float, n, elements=LATTICE))
    groups = draw(st.one_of(st.none(), arrays(int, n, elements=st.integers(0, 2)))) if with_groups else None
    return y, s, groups


def comparable(y, groups):
    """Return which pairs (above, below) are compared, (n, n)."""
    return (y[:, None] > y) & (True if groups is None else groups[:, None] == groups)


def by_definition(y, s, margin=0.5, groups=None):
    """Return the violations by a look at every pair (Diez et al. eq. 21 with sign(0) = +1)."""
    violated = comparable(y, groups) & (s[:, None] - margin < s)
    return violated.sum(axis=1), violated.sum(axis=0)


def test_five_points_by_hand():
    """Pairs (above, below) and s_above - s_below: (1,0) 0.5, (2,0) 2, (2,1) 1.5, (2,3) 0.25, (3,0) 1.75, (3,1) 1.25,
    4 is a tie of 1."""
    y, s = np.array([1.0, 2.0, 4.0, 3.0, 2.0]), np.array([0.0, 0.5, 2.0, 1.75, -0.25])
    for oracle in (by_definition, fast.violations):
        np.testing.assert_array_equal(oracle(y, s, 0.5), [[0, 0, 1, 0, 1], [1, 0, 0, 1, 0]])
    assert PairLoss(y, margin=0.5).value(s) == pytest.approx(0.25 + 0.75)
    assert swapped_pairs(y, s) == pytest.approx(1 / 9)


@given(ranked(), st.sampled_from([0.0, 0.5, 1.0]))
def test_fast_is_the_definition(data, margin):
    y, s, groups = data
    np.testing.assert_array_equal(fast.violations(y, s, margin, groups), by_definition(y, s, margin, groups))


@given(ranked(with_groups=False))
def test_algorithm_2_as_printed_gives_c_and_d_of_eq_13(data):
    y, s, _ = data
    rank = y.astype(int)
    label = np.where(s[:, None] - 0.25 >= s[None, :] + 0.25, 1, -1) * (y[:, None] > y[None, :])
    c, d = algorithm_2(rank, s)
    np.testing.assert_array_equal(c, label.sum(axis=1))
    np.testing.assert_array_equal(d, label.sum(axis=0))


@given(ranked(most_ranks=100), st.sampled_from([0.0, 0.5, 1.0]))
def test_sums_over_partners_are_the_definition(data, margin):
    """Any values, several at once, with more ranks than one digit can code."""
    y, s, groups = data
    pairs = all_pairs.AllPairs(y, groups)
    at, values = pairs.sort(s), np.random.default_rng(0).standard_normal((len(y), 3))
    cuts = np.stack([pairs.cuts(at, margin), pairs.cuts(at, margin + 0.5)])
    found = pairs.sums(at, cuts, values[at.order])
    for b, far in enumerate((margin, margin + 0.5)):
        within = comparable(y, groups) & (s[:, None] - far < s)
        np.testing.assert_allclose(found[0, b], (within @ values)[at.order], atol=1e-12)
        np.testing.assert_allclose(found[1, b], (within.T @ values)[at.order], atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("whole", [True, False], ids=["whole weights", "weights with decimals"])
def test_the_noise_bounds_the_rounding_error_of_the_sum_of_slopes(seed, whole):
    """Against exact fractions: a reward above the exact one would be no bound of the dual."""
    rng = np.random.default_rng(seed)
    y, s = rng.integers(0, 5, 40), rng.integers(-80, 80, 40) / 8
    weight = rng.integers(0, 4, 40).astype(float) if whole else rng.uniform(0.1, 3.0, 40)
    loss = PairLoss(y, loss="squared_hinge", weight=weight)
    slopes = loss.slopes(s, 0.0)
    pairs = np.argwhere(np.greater.outer(y, y))
    exact = sum(Fraction(weight[i]) * Fraction(weight[j]) * max(Fraction(1.0 - s[i] + s[j]), 0) for i, j in pairs)
    exact *= Fraction(loss.loss.steepness)
    assert abs(Fraction(slopes.total) - exact) <= slopes.noise
    assert loss.reward(slopes) <= exact and (slopes.noise == 0) == whole
