"""Oracles and the swapped-pair metric: by hand, against the definition, and under changes that must have no effect."""

import numpy as np
import pytest
import reference_pairs
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import roc_auc_score

from rankbench.papers.diez.studies import algorithm_2
from rankmargin.metrics import swapped_pairs
from rankmargin.oracles import all_pairs
from rankmargin.oracles import swapped_pairs as fast
from rankmargin.rows.pairs import count_pairs

LATTICE = st.sampled_from([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5])


@st.composite
def ranked(draw, most_ranks=5, with_groups=True):
    n = draw(st.integers(1, 25))
    y = draw(arrays(float, n, elements=st.integers(1, most_ranks).map(float)))
    s = draw(arrays(float, n, elements=LATTICE))
    groups = draw(st.one_of(st.none(), arrays(int, n, elements=st.integers(0, 2)))) if with_groups else None
    return y, s, groups


def test_five_points_by_hand():
    """Pairs (above, below) and s_above - s_below: (1,0) 0.5, (2,0) 2, (2,1) 1.5, (2,3) 0.25, (3,0) 1.75, (3,1) 1.25,
    4 is a tie of 1."""
    y, s = np.array([1.0, 2.0, 4.0, 3.0, 2.0]), np.array([0.0, 0.5, 2.0, 1.75, -0.25])
    for oracle in (reference_pairs.violations, fast.violations):
        found = oracle(y, s, 0.5)
        np.testing.assert_array_equal(found.above, [0, 0, 1, 0, 1])
        np.testing.assert_array_equal(found.below, [1, 0, 0, 1, 0])
        assert found.loss == pytest.approx(0.25 + 0.75)
        assert found.count == 2
    assert swapped_pairs(y, s) == pytest.approx(1 / 9)


@given(ranked(), st.sampled_from([0.0, 0.5, 1.0]))
def test_fast_is_the_definition(data, margin):
    y, s, groups = data
    expected, found = reference_pairs.violations(y, s, margin, groups), fast.violations(y, s, margin, groups)
    np.testing.assert_array_equal(found.above, expected.above)
    np.testing.assert_array_equal(found.below, expected.below)
    assert found.loss == pytest.approx(expected.loss)


@given(ranked(with_groups=False))
def test_algorithm_2_as_printed_gives_c_and_d_of_eq_13(data):
    y, s, _ = data
    rank = y.astype(int)
    label = np.where(s[:, None] - 0.25 >= s[None, :] + 0.25, 1, -1) * (y[:, None] > y[None, :])
    c, d = algorithm_2(rank, s)
    np.testing.assert_array_equal(c, label.sum(axis=1))
    np.testing.assert_array_equal(d, label.sum(axis=0))


@given(ranked(with_groups=False))
def test_loss_and_features_follow_from_the_counts(data):
    """Eq. 15-19: the swapped-pair loss and Psi of a labelling from c and d alone."""
    y, s, _ = data
    comparable = y[:, None] > y[None, :]
    label = np.where(s[:, None] - 0.25 >= s[None, :] + 0.25, 1, -1)
    c, d = algorithm_2(y.astype(int), s)
    n_lower, n_higher = comparable.sum(axis=1), comparable.sum(axis=0)
    assert 0.5 * np.sum((1 - label) * comparable) == 0.25 * np.sum(n_lower + n_higher - c - d)
    X = np.column_stack([s, y, s * y])
    psi = np.einsum("ij,ijk->k", label * comparable, X[:, None, :] - X[None, :, :])
    np.testing.assert_allclose((c - d) @ X, psi, atol=1e-9)


@given(ranked(), ranked())
def test_counts_are_a_subgradient(data, other):
    """L(s') >= L(s) - (above - below).(s' - s), with ties and exact margins common."""
    y, s, groups = data
    moved = np.resize(other[1], len(s))
    found = fast.violations(y, s, 0.5, groups)
    bound = found.loss - (found.above - found.below) @ (moved - s)
    assert fast.violations(y, moved, 0.5, groups).loss >= bound - 1e-9


@given(ranked(), st.randoms(use_true_random=False))
def test_order_and_shift_do_not_matter(data, random):
    y, s, groups = data
    p = np.array(random.sample(range(len(y)), len(y)))
    expected = fast.violations(y, s, 0.5, groups)
    found = fast.violations(y[p], s[p] + 4.0, 0.5, None if groups is None else groups[p])
    np.testing.assert_array_equal(found.above, expected.above[p])
    np.testing.assert_array_equal(found.below, expected.below[p])


@given(ranked(most_ranks=100), st.sampled_from([0.0, 0.5, 1.0]))
def test_compiled_is_the_python_function(data, margin):
    y, s, groups = data
    pairs = all_pairs.AllPairs(y, groups)
    at = pairs.sort(s)
    cuts, found = np.empty((2, 2, len(y)), dtype=np.int32), np.zeros((2, 2, 1, len(y), 2))
    values = np.column_stack([np.ones(len(y)), at.s])
    for k, (cut, add) in enumerate(
        ((all_pairs._cuts, all_pairs._sums), (all_pairs._cuts.py_func, all_pairs._sums.py_func))
    ):
        cut(at.s, pairs.starts, margin, cuts[k, 0], cuts[k, 1])
        add(at.rank, pairs.starts, values, cuts[k][None], found[k], (0, 0))
    np.testing.assert_array_equal(cuts[0], cuts[1])
    np.testing.assert_array_equal(found[0], found[1])


@given(ranked(most_ranks=100), st.sampled_from([0.0, 0.5, 1.0]))
def test_sums_over_partners_are_the_definition(data, margin):
    """Any values, several at once, with more ranks than one digit can code."""
    y, s, groups = data
    pairs = all_pairs.AllPairs(y, groups)
    at, values = pairs.sort(s), np.random.default_rng(0).standard_normal((len(y), 3))
    cuts = np.stack([pairs.cuts(at, margin), pairs.cuts(at, margin + 0.5)])
    found = pairs.sums(at, cuts, values[at.order])
    comparable = y[:, None] > y[None, :]
    if groups is not None:
        comparable &= groups[:, None] == groups[None, :]
    for b, far in enumerate((margin, margin + 0.5)):
        within = comparable & (s[:, None] - far < s[None, :])
        np.testing.assert_allclose(found[0, b], (within @ values)[at.order], atol=1e-12)
        np.testing.assert_allclose(found[1, b], (within.T @ values)[at.order], atol=1e-12)


def test_two_classes_without_ties_are_one_minus_auc():
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, 500).astype(float), rng.standard_normal(500)
    assert swapped_pairs(y, s) == pytest.approx(1 - roc_auc_score(y, s))


def test_ties_of_the_score_count_as_swapped():
    assert swapped_pairs(np.array([1.0, 2.0, 3.0]), np.zeros(3)) == 1.0
    assert swapped_pairs(np.array([1.0, 2.0, 2.0]), np.array([0.0, 0.0, 1.0])) == 0.5


def test_groups_are_problems_of_their_own():
    y, s = np.array([1.0, 2.0, 1.0, 2.0]), np.array([5.0, 6.0, 1.0, 0.0])
    assert swapped_pairs(y, s, np.array([0, 0, 1, 1])) == 0.5
    assert swapped_pairs(y, s) == 0.5
    assert count_pairs(y, np.array([0, 0, 1, 1])) == 2
    assert count_pairs(y) == 4
