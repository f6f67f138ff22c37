"""PRank: by hand, its invariant, and its two forms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from rankmargin import KernelPRank, PRank
from rankmargin.estimators.path import fit_path
from rankmargin.problem.spaces import LinearSpace
from rankmargin.solvers.perceptron import learn


def test_three_steps_by_hand():
    """Start w = 0, b = (0, 0); all scores 0, so the highest rank 2 is predicted.

    x = 1, rank 0: both thresholds are to be above the score: tau = (-1, -1), w = -2, b = (1, 1).
    x = -1, rank 2: score 2 >= b: right, nothing moves.
    x = -1, rank 1: score 2; threshold 0 is right, threshold 1 must be above 2: tau = (0, -1), w = -1, b = (1, 2).
    """
    X = np.array([[1.0], [-1.0], [-1.0]])
    w, b = np.zeros(1), np.zeros(2)
    for step, expected in enumerate([(-2.0, [1.0, 1.0]), (-2.0, [1.0, 1.0]), (-1.0, [1.0, 2.0])]):
        learn(LinearSpace(X), np.array([0, 2, 1]), w, b, np.array([step]))
        assert w[0] == expected[0]
        np.testing.assert_array_equal(b, expected[1])


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 3)), min_size=1, max_size=40))
def test_thresholds_stay_in_order(stream):
    """Lemma 1 of Crammer and Singer, after each of a stream of lattice points with many ties."""
    X = np.array([row[:2] for row in stream], dtype=float) / 2
    rank = np.array([row[2] for row in stream])
    w, b = np.zeros(2), np.zeros(3)
    for i in range(len(rank)):
        learn(LinearSpace(X), rank, w, b, np.array([i]))
        assert np.all(np.diff(b) >= 0)


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4), st.integers(0, 3)), min_size=4, max_size=25))
def test_the_kernel_form_takes_the_same_steps(stream):
    X = np.array([row[:2] for row in stream], dtype=float) / 2
    y = np.array([row[2] for row in stream])
    y[:2] = 0, 3
    plain = fit_path(PRank(epochs=3), X, y, [None], seed=1)[0]
    kernel = fit_path(KernelPRank(epochs=3, kernel="linear"), X, y, [None], seed=1)[0]
    np.testing.assert_array_equal(plain.boundaries, kernel.boundaries)
    np.testing.assert_allclose(plain.scores(X), kernel.scores(X), atol=1e-12)


@pytest.mark.parametrize("estimator", [PRank(), KernelPRank(gamma=0.5)])
def test_two_fits_are_equal(estimator):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 3)), rng.integers(0, 3, 60)
    first, second, third = (clone(estimator).set_params(random_state=state).fit(X, y) for state in (None, None, 1))
    np.testing.assert_array_equal(first.score_samples(X), second.score_samples(X))
    assert np.any(first.score_samples(X) != third.score_samples(X))
