"""Statistics over data sets: section 4 of the paper from its printed numbers, and Friedman tests computed by hand."""

import numpy as np
import pandas as pd
import pytest
from scikit_posthocs import posthoc_nemenyi_friedman

from rankbench.registry import PUBLISHED
from rankbench.statistics.overall import compare_means, count_marks, overall
from rankbench.statistics.significance import average_ranks, critical_difference, friedman


@pytest.fixture
def printed(published):
    """Printed means as fractions, one column per method."""
    return published.pivot(index="dataset", columns="method", values="mean_swapped_pct") / 100


@pytest.mark.parametrize("opponent", ["svor5", "herbrich5"])
def test_published_counts_and_p_values(printed, opponent):
    section4 = pd.read_csv(PUBLISHED["diez_overall.csv"]).set_index("opponent").loc[opponent]
    result = compare_means(printed["svm_multi_sp"], printed[opponent])
    for count in ("n_datasets", "wins", "ties", "losses"):
        assert result[count] == section4[count]
    assert round(result["p_one_sided"], 5) == section4["ttest_p_recomputed_one_sided_paired"]
    assert result["p_one_sided"] == pytest.approx(section4["ttest_p_published"], abs=2e-4)


def test_records_with_the_printed_means_give_the_same(records, experiment, printed):
    result = overall(records, experiment).set_index("opponent")
    for opponent in ("svor5", "herbrich5"):
        expected = compare_means(printed["svm_multi_sp"], printed[opponent])
        assert {key: result.loc[opponent, key] for key in expected} == pytest.approx(expected)
    assert tuple(result.loc["svor5", ["wins", "ties", "losses"]]) == (8, 1, 3)


def test_a_p_of_exactly_five_percent_is_not_significant():
    """In all four tests p = 0.05 is not significant, and one ulp less is."""
    p = [0.05, np.nextafter(0.05, 0), 0.05, np.nextafter(0.05, 0)]
    tests = pd.DataFrame({"mean_difference": [1.0, 1.0, -1.0, -1.0], "t_mark": ["", "0.05", "", "0.05"]})
    counted = count_marks(tests.assign(t_p=p, corrected_p=p, holm_p=p, bh_p=p))
    assert counted.pop("n_sig_0.05") == 2 and counted.pop("n_sig_0.01") == 0 and counted.pop("n_correctable") == 4
    assert set(counted.values()) == {1} and len(counted) == 6


def test_ties_are_those_of_the_printed_decimals():
    reference = pd.Series([0.10001, 0.2, 0.3])
    result = compare_means(reference, pd.Series([0.10004, 0.2001, np.nan]))
    assert (result["wins"], result["ties"], result["losses"], result["n_missing"]) == (1, 1, 0, 1)


def test_friedman_by_hand():
    # ranks 1 2 3 on four data sets: 12 / (4 * 3 * 4) * (4^2 + 8^2 + 12^2) - 3 * 4 * 4 = 8; chi2, two degrees: exp(-8/2)
    means = pd.DataFrame([[1, 2, 3]] * 4, columns=list("abc"), dtype=float)
    assert friedman(means) == pytest.approx((8, np.exp(-4)))
    assert np.isnan(friedman(means[["a", "b"]])).all()


def test_critical_difference_of_demsar():
    # his table 5(a): q = 2.343 for three and 2.569 for four classifiers; his example: k = 4, N = 14 gives CD = 1.25
    assert critical_difference(3, 12) == pytest.approx(2.343 * (12 / 72) ** 0.5, abs=1e-3)
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=5e-3)


def test_the_critical_difference_agrees_with_the_p_values_of_another_program():
    table = np.random.default_rng(0).standard_normal((20, 6)) + np.linspace(0, 2, 6)
    gaps = np.abs(np.subtract.outer(average_ranks(table), average_ranks(table)))
    p = posthoc_nemenyi_friedman(table).to_numpy()
    assert ((p < 0.05) == (gaps > critical_difference(6, 20))).all() and 0 < (p < 0.05).sum() < p.size - 6


def test_differences_that_are_alike_up_to_rounding_have_no_test():
    """0.3 - 0.1 and 0.4 - 0.2 differ in the last bit; t was 1e16."""
    result = compare_means(pd.Series([0.1, 0.2]), pd.Series([0.3, 0.4]))
    assert np.isnan(result["t"]) and np.isnan(result["p_one_sided"]) and result["mean_difference"] == 0.2
