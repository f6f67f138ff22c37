"""Paired comparisons a data set."""

import numpy as np
import pytest
from scipy import stats

from rankbench.statistics.overall import overall
from rankbench.statistics.per_dataset import per_dataset
from rankbench.statistics.ratios import ratios


def values(records, dataset, method):
    cell = records[(records["dataset"] == dataset) & (records["method"] == method)]
    return cell.set_index("seed")["swapped_pairs"]


def row(tests, dataset, method):
    return tests[(tests["dataset"] == dataset) & (tests["method"] == method)].iloc[0]


def test_tests_are_paired_over_seeds(records, experiment):
    test = row(per_dataset(records, experiment), "stock", "svor5")
    ours, theirs = values(records, "stock", "svm_multi_sp"), values(records, "stock", "svor5")
    expected = stats.ttest_rel(theirs, ours)
    assert (test["n_pairs"], test["n_missing"], test["reference"]) == (20, 0, "svm_multi_sp")
    assert 100 * test["mean_difference"] == pytest.approx(10.25 - 5.36)
    assert test["standard_error"] == pytest.approx(np.std(theirs - ours, ddof=1) / 20**0.5)
    assert (test["t"], test["t_p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert test["t_mark"] == "0.01"
    assert test["wilcoxon_p"] == pytest.approx(stats.wilcoxon(theirs, ours).pvalue)


def test_corrected_test_widens_by_the_sizes_of_the_splits(records, experiment):
    test = row(per_dataset(records, experiment), "stock", "herbrich5")  # 200 train, 750 test
    assert test["corrected_standard_error"] / test["standard_error"] == pytest.approx(
        ((1 / 20 + 750 / 200) * 20) ** 0.5
    )
    assert test["corrected_p"] > test["t_p"]


def test_pairs_that_lack_a_side_are_missing(records, experiment):
    servo = records["dataset"] == "servo"
    lost_here = servo & (records["method"] == "svor5") & (records["seed"] < 3)
    lost_there = servo & (records["method"] == "svm_multi_sp") & records["seed"].isin([2, 7])
    records.loc[lost_here | lost_there, ["status", "swapped_pairs"]] = ["failed", np.nan]
    tests = per_dataset(records, experiment)
    assert tuple(row(tests, "servo", "svor5")[["n_pairs", "n_missing"]]) == (16, 4)
    assert tuple(row(tests, "servo", "herbrich5")[["n_pairs", "n_missing"]]) == (18, 2)
    assert tests[tests["dataset"] != "servo"]["n_missing"].eq(0).all()


def test_equal_methods_and_one_run(records, experiment):
    ours = values(records, "servo", "svm_multi_sp")
    servo = records["dataset"] == "servo"
    records.loc[servo & (records["method"] == "svor5"), "swapped_pairs"] = ours.to_numpy()
    records = records[~(servo & (records["method"] == "herbrich5") & (records["seed"] > 0))]
    tests = per_dataset(records, experiment)
    equal, single = row(tests, "servo", "svor5"), row(tests, "servo", "herbrich5")
    assert tuple(equal[["t_p", "corrected_p", "wilcoxon_p", "t_mark"]]) == (1, 1, 1, "")
    assert tuple(single[["n_pairs", "n_missing", "t_mark", "corrected_mark"]]) == (1, 19, "untested", "untested")


def test_splits_of_several_sizes_are_refused(records, experiment):
    records.loc[0, "n_train"] = 7
    with pytest.raises(ValueError, match="n_train and n_test must be the same"):
        per_dataset(records, experiment)


@pytest.mark.parametrize("statistic", [per_dataset, overall, ratios])
def test_an_experiment_of_one_method_has_no_rows_but_columns(statistic, records, experiment):
    alone = {**experiment, "methods": {"svm_multi_sp": experiment["methods"]["svm_multi_sp"]}}
    found = statistic(records[records["method"] == "svm_multi_sp"], alone)
    assert found.empty and list(found.columns) == list(statistic(records, experiment).columns)
