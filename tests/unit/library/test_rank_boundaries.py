"""Herbrich's rank boundaries: by hand, both sources of a boundary, and both solvers."""

import numpy as np
import pytest

from rankmargin import RankBoundarySVM
from rankmargin.certificates import judge
from rankmargin.estimators.path import fit_path
from rankmargin.estimators.rank_boundaries import boundaries_of_listed, boundaries_on_the_margin
from rankmargin.metrics import get_scorer
from rankmargin.problem.rows.pairs import all_pairs


def test_four_points_on_a_line_by_hand():
    """x = 0, 1, 3, 4 of ranks 1, 1, 2, 3: f = x, since 4 - 3 = 1 is the tightest pair; boundaries 2 and 3.5.

    The pair (3, 1) is at distance 2 > 1, so its alpha is 0 and the first boundary comes from the cut with no error.
    """
    X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([1, 1, 2, 3])
    fitted = RankBoundarySVM(C=100.0, kernel="linear", tol=1e-9).fit(X, y)
    assert fitted.coef_[0] == pytest.approx(1.0)
    np.testing.assert_allclose(fitted.thresholds_, [2.0, 3.5], atol=1e-6)
    np.testing.assert_array_equal(fitted.predict(X), y)


def boundaries(rank, s):
    """Return the boundaries of pairs that are listed, the same as those of pairs that are not."""
    listed = boundaries_of_listed(rank, all_pairs(rank), s, None)
    np.testing.assert_allclose(boundaries_on_the_margin(rank, s, np.ones(len(rank))), listed)
    return listed


def test_boundary_is_the_middle_of_the_pairs_on_the_margin():
    """Ranks 0, 0, 1, 1 at 0, 0.4, 1.4, 2: only (2, 1) is at distance 1. With 1 instead of 2, (3, 0) is too; with 1.3
    instead of 1.4, no pair is, and the cut without an error lies between 0.4 and 1.3."""
    rank = np.array([0, 0, 1, 1])
    assert boundaries(rank, np.array([0.0, 0.4, 1.4, 2.0]))[0] == pytest.approx(0.9)
    assert boundaries(rank, np.array([0.0, 0.4, 1.4, 1.0]))[0] == pytest.approx((0.9 + 0.5) / 2)
    assert boundaries(rank, np.array([0.0, 0.4, 1.3, 2.0]))[0] == pytest.approx(0.85)


def test_pairs_of_ranks_further_apart_do_not_set_a_boundary():
    """The pair of the ranks 0 and 2 is at distance 1."""
    assert boundaries(np.array([0, 1, 2]), np.array([0.0, 0.4, 1.0])) == pytest.approx([0.2, 0.7])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.random((45, 2))
    utility = 10 * (X[:, 0] - 0.5) * (X[:, 1] - 0.5) + 0.125 * rng.standard_normal(45)
    return X, np.searchsorted([-1, -0.1, 0.25, 1], utility) + 1


def test_the_papers_setting(data):
    """(x.z + 1)^2 and C = 1,000,000 of section 2.5, whose utility is in the span of the kernel."""
    X, y = data
    fitted = RankBoundarySVM(C=1e6, C_scale="pairs", kernel="poly", gamma=1.0, degree=2, coef0=1.0).fit(X, y)
    assert fitted.gap_ <= 1e-5
    assert np.all(np.diff(fitted.thresholds_) > 0)
    assert get_scorer("concordance")(fitted, X, y) > 0.95
    assert np.mean(fitted.predict(X) == y) > 0.75


def test_the_papers_C_on_separable_examples_ends_where_double_precision_does():
    """24 examples in 45 inputs that go together and C = 1,000,000: the last Newton systems cannot be factorised."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = np.clip(rng.random((24, 1)) + 0.1 * rng.standard_normal((24, 45)), 0, 1)
        y = np.append([0, 1, 2], rng.choice(3, 21, p=[0.6, 0.2, 0.2]))
        model = fit_path(RankBoundarySVM(kernel="poly", gamma=1.0, degree=2, coef0=1.0, tol=1e-4), X, y, [1e6])[0]
        assert judge(model).gap <= 1e-3
        assert np.mean(model.labels(X) == y) == 1.0
