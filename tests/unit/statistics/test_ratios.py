"""Ratios of means, paired over the seeds."""

import numpy as np
import pytest
from scipy import stats

from rankbench.statistics.ratios import ratio_of_means, ratios


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


def test_a_run_that_one_method_lacks_is_left_out_of_its_ratio(records, experiment):
    lost = (records["dataset"] == "servo") & (records["method"] == "svor5") & (records["seed"] == 3)
    records.loc[lost, ["status", "swapped_pairs"]] = "failed", np.nan
    row = ratios(records, experiment).set_index(["dataset", "method"]).loc[("servo", "svor5")]
    wide = records[(records["dataset"] == "servo") & (records["seed"] != 3)].pivot(
        index="seed", columns="method", values="swapped_pairs"
    )
    assert row["n_pairs"] == 19 and row["n_missing"] == 1
    assert row["ratio"] == pytest.approx(wide["svor5"].mean() / wide["svm_multi_sp"].mean())


def test_the_interval_of_a_negative_reference_is_not_upside_down():
    ratio, low, high = ratio_of_means(np.array([1.0, 2.0, 3.0]), np.array([-4.0, -4.0, -4.0]))
    half = stats.t.ppf(0.975, 2) * 1 / 3**0.5 / 4
    assert (ratio, low, high) == pytest.approx((-0.5, -0.5 - half, -0.5 + half))
