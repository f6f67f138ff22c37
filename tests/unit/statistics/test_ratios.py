"""Ratios of means, paired over the seeds."""

import numpy as np
import pytest
from scipy import stats

from rankbench.statistics.ratios import ratio_of_means


def row(frame, dataset, method):
    return frame[(frame["dataset"] == dataset) & (frame["method"] == method)].iloc[0]


def test_hand_values():
    ratio, low, high = ratio_of_means(np.array([1.0, 2.0, 3.0]), np.array([4.0, 4.0, 4.0]))
    half = stats.t.ppf(0.975, 2) * 1 / 3**0.5 / 4
    assert (ratio, low, high) == pytest.approx((0.5, 0.5 - half, 0.5 + half))


def test_proportional_runs_have_no_width_and_few_runs_no_interval():
    reference = np.array([1.0, 5.0, 2.0])
    assert ratio_of_means(3 * reference, reference) == pytest.approx((3, 3, 3))
    one = ratio_of_means(np.array([1.0]), np.array([2.0]))
    assert one[0] == 0.5 and np.isnan(one[1:]).all()
    assert np.isnan(ratio_of_means(np.empty(0), np.empty(0))).all()
    assert np.isnan(ratio_of_means(np.ones(2), np.zeros(2))).all()
