"""Paired tests by hand values."""

import numpy as np
import pytest

from rankbench.statistics.significance import average_ranks, friedman, mark, t_test


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


@pytest.mark.parametrize(
    ("p", "expected"), [(0.0099, "0.01"), (0.01, "0.05"), (0.0499, "0.05"), (0.05, ""), (1.0, ""), (np.nan, "untested")]
)
def test_mark(p, expected):
    assert mark(p) == expected


def test_differences_that_differ_by_rounding_are_equal():
    """0.3 - 0.2 is not 0.1 in the computer."""
    assert t_test(np.array([0.3 - 0.2, 0.2 - 0.1, 0.5 - 0.4])) == (0.0, np.inf, 0.0)
    assert average_ranks([[0.1 + 0.2, 0.3, 0.9]] * 3).tolist() == [1.5, 1.5, 3.0]
    assert friedman([[0.1 + 0.2, 0.3, 0.9], [0.3, 0.1 + 0.2, 0.9]]) == friedman([[0.3, 0.3, 0.9]] * 2)
    for huge in (1e20, 1e300, np.inf):  # of a method that failed
        assert average_ranks([[huge, 0.1 + 0.2, 0.3, 0.4]]).tolist() == [4.0, 1.5, 1.5, 3.0]
    assert average_ranks([[1e-300, 0.0, -1e-300], [0.0, 0.0, 0.0]]).tolist() == [2.5, 2.0, 1.5]
