"""Ratios of means, paired over the seeds."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.statistics.ratios import ratio_of_means, ratios


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


def test_the_interval_covers_the_ratio_about_as_often_as_it_says():
    rng, n = np.random.default_rng(5), 400
    reference = rng.gamma(9, size=(n, 30))
    values = 0.8 * reference + rng.normal(0.8, 0.5, size=(n, 30)) - 0.8
    inside = [low <= 0.8 <= high for _, low, high in map(ratio_of_means, values, reference)]
    assert 0.92 < np.mean(inside) < 0.98


def test_only_pairs_count(records, experiment):
    servo = records["dataset"] == "servo"
    lost = servo & (records["method"] == "svor5") & (records["seed"] < 2)
    records.loc[lost, ["status", "swapped_pairs"]] = ["failed", np.nan]
    frame = ratios(records, experiment)
    assert len(frame) == 12 * 2 and tuple(row(frame, "servo", "svor5")[["n_pairs", "n_missing"]]) == (18, 2)
    assert row(frame, "servo", "svor5")["shortfall"] == "18 of 20 runs, 2 failed"
    wide = records[servo].pivot(index="seed", columns="method", values="swapped_pairs").dropna()
    assert row(frame, "servo", "svor5")["ratio"] == pytest.approx(wide["svor5"].mean() / wide["svm_multi_sp"].mean())
    assert row(frame, "stock", "svor5")["ratio"] == pytest.approx(10.25 / 5.36)


def test_a_method_without_runs_has_a_row(records, experiment):
    frame = ratios(records[records["method"] != "svor5"], experiment)
    assert len(frame) == 24 and np.isnan(row(frame, "stock", "svor5")["ratio"])
    assert isinstance(frame, pd.DataFrame) and row(frame, "stock", "svor5")["n_pairs"] == 0
