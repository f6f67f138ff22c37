"""Paired tests by hand values, against scipy's two-sample forms and against baycomp."""

import numpy as np
import pytest
from scipy import stats

from rankbench.statistics.significance import average_ranks, friedman, mark, nemenyi, signed_rank_test, t_test


def test_corrected_t_test_by_hand():
    # the factor 1/3 becomes 1/3 + 1/2
    standard_error, t, _ = t_test(np.array([1.0, 2.0, 3.0]), overlap=0.5)
    assert standard_error == pytest.approx((5 / 6) ** 0.5)
    assert t == pytest.approx(2 / (5 / 6) ** 0.5)


@pytest.mark.parametrize(
    ("differences", "t", "p"),
    [
        ([0.0, 0.0, 0.0], 0, 1),
        ([0.1] * 20, np.inf, 0),
        ([-0.1] * 20, -np.inf, 0),
        ([0.3], np.nan, np.nan),
        ([], np.nan, np.nan),
    ],
)
def test_t_test_without_spread(differences, t, p):
    assert t_test(np.array(differences))[1:] == pytest.approx((t, p), nan_ok=True)


def test_signed_rank_test_by_hand():
    # ranks 1 (negative), 2, 3, 4: the smaller sum is 1; of 16 sign patterns 2 have a sum of at most 1, on both sides 4
    assert signed_rank_test(np.array([-0.1, 0.2, 0.3, 0.4])) == pytest.approx((1, 4 / 16))


def test_signed_rank_test_keeps_the_ranks_of_zeros():
    # |d|: two zeros take ranks 1 and 2, ties 0.1 and 0.1 rank 3.5 each, 0.2 rank 5; the negative ranks sum to 3.5,
    # and of the 8 sign patterns those with a sum of at most 3.5 are {}, {3.5}, {3.5'}: 3, on both sides 6
    assert signed_rank_test(np.array([0, 0, 0.1, -0.1, 0.2])) == pytest.approx((3.5, 6 / 8))


@pytest.mark.parametrize(("n", "exact"), [(50, True), (51, False)])
def test_signed_rank_test_is_exact_up_to_50_differences(n, exact):
    differences = np.random.default_rng(0).standard_normal(n) + 0.3
    p = {method: stats.wilcoxon(differences, method=method).pvalue for method in ("exact", "asymptotic")}
    assert p["exact"] != p["asymptotic"]
    assert signed_rank_test(differences)[1] == p["exact" if exact else "asymptotic"]


def test_signed_rank_test_with_nothing_to_rank():
    assert signed_rank_test(np.zeros(20)) == (0, 1)
    assert np.isnan(signed_rank_test(np.zeros(0))).all()


@pytest.mark.parametrize(
    ("p", "expected"), [(0.0099, "0.01"), (0.01, "0.05"), (0.0499, "0.05"), (0.05, ""), (1.0, ""), (np.nan, "untested")]
)
def test_mark(p, expected):
    assert mark(p) == expected


def test_differences_that_differ_by_rounding_are_equal():
    """0.3 - 0.2 is not 0.1 in the computer; by hand: four equal ones, one of them negative, have p = 2 (1 + 4) / 16."""
    tenths = np.array([0.3, 0.1, 0.5, 0.2]) - np.array([0.2, 0.2, 0.4, 0.1])
    assert signed_rank_test(tenths) == signed_rank_test(1e9 * tenths) == (2.5, 0.625)
    assert signed_rank_test([0.3 - 0.2 - 0.1, 0.5, 0.2]) == signed_rank_test([0.0, 0.5, 0.2])
    assert t_test(np.array([0.3 - 0.2, 0.2 - 0.1, 0.5 - 0.4])) == (0.0, np.inf, 0.0)
    assert average_ranks([[0.1 + 0.2, 0.3, 0.9]] * 3).tolist() == [1.5, 1.5, 3.0]
    assert friedman([[0.1 + 0.2, 0.3, 0.9], [0.3, 0.1 + 0.2, 0.9]]) == friedman([[0.3, 0.3, 0.9]] * 2)
    assert nemenyi([[0.1 + 0.2, 0.3]] * 5)[0, 1] == 1.0
    for huge in (1e20, 1e300, np.inf):  # of a method that failed
        assert average_ranks([[huge, 0.1 + 0.2, 0.3, 0.4]]).tolist() == [4.0, 1.5, 1.5, 3.0]
    assert average_ranks([[1e-300, 0.0, -1e-300], [0.0, 0.0, 0.0]]).tolist() == [2.5, 2.0, 1.5]
