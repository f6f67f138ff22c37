"""Paired comparisons on each data set."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.experiments.experiment import Experiment
from rankbench.registry import STATISTICS
from rankbench.statistics.overall import overall
from rankbench.statistics.per_dataset import per_dataset
from rankbench.statistics.ratios import ratios
from rankbench.statistics.significance import adjusted


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


def test_corrected_test_widens_by_the_sizes_of_the_splits(records, experiment):
    test = row(per_dataset(records, experiment), "triazines", "herbrich5")  # 100 train, 86 test
    assert test["corrected_standard_error"] / test["standard_error"] == pytest.approx(((1 / 20 + 86 / 100) * 20) ** 0.5)
    assert test["corrected_p"] > test["t_p"] and test["overlap"] == 0.86


@pytest.mark.parametrize(("n_test", "tested"), [(200, True), (201, False)])
def test_the_correction_is_for_training_parts_at_least_as_large_as_the_test_part(records, experiment, n_test, tested):
    records.loc[records["dataset"] == "stock", "n_test"] = n_test
    test = row(per_dataset(records, experiment), "stock", "herbrich5")
    assert np.isfinite(test["corrected_p"]) == tested and (test["corrected_mark"] == "untested") != tested


def test_p_values_are_adjusted_for_their_number(records, experiment):
    tests = per_dataset(records, experiment)
    p = np.sort(tests["t_p"])
    assert len(p) == 24
    holm = np.maximum.accumulate(np.minimum(1, (24 - np.arange(24)) * p))
    bh = np.minimum.accumulate((24 * p / np.arange(1, 25))[::-1])[::-1]
    ordered = tests.sort_values("t_p")
    np.testing.assert_allclose(ordered["holm_p"], holm)
    np.testing.assert_allclose(ordered["bh_p"], np.minimum(bh, 1))


def test_a_missing_test_does_not_count_in_its_family():
    np.testing.assert_allclose(adjusted([0.01, np.nan, 0.04], "holm"), [0.02, np.nan, 0.04])
    np.testing.assert_allclose(adjusted([0.03, np.nan, 0.04], "holm"), [0.06, np.nan, 0.06])
    np.testing.assert_allclose(adjusted([0.03, np.nan, 0.04], "bh"), [0.04, np.nan, 0.04])
    assert np.isnan(adjusted([np.nan], "bh")).all()


def test_a_constant_answer_competes_with_nobody(records, experiment):
    blind = records[records["method"] == "svor5"].assign(method="constant", swapped_pairs=0.5)
    more = pd.concat([records, blind], ignore_index=True)
    asked = Experiment.of(
        experiment.document, methods={**experiment.methods, "constant": {"label": "Constant", "baseline": True}}
    )
    for name in ("summary", "per_dataset", "overall", "ranks", "ratios", "best"):
        pd.testing.assert_frame_equal(STATISTICS[name](more, asked), STATISTICS[name](records, experiment))
    alone = STATISTICS["baselines"](more, asked)
    assert set(alone["method"]) == {"constant"} and len(alone) == 12 and (alone["mean"] == 0.5).all()
    assert STATISTICS["baselines"](records, experiment).empty


def test_halves_are_summaries_of_even_and_odd_seeds(records, experiment):
    frame = STATISTICS["halves"](records, experiment)
    for half, keep in {"all": [0, 1], "even": [0], "odd": [1]}.items():
        part = frame[(frame["half"] == half) & (frame["dataset"] == "stock") & (frame["method"] == "svor5")].iloc[0]
        mine = values(records, "stock", "svor5")
        mine = mine[mine.index.to_series().mod(2).isin(keep)]
        assert (part["mean"], part["sd"], part["n_runs"]) == pytest.approx((mine.mean(), mine.std(), len(mine)))
        assert part["n_missing"] == 0


def test_draws_are_counted_apart(records, experiment):
    again = records.assign(seed=records["seed"] + 20)
    again["swapped_pairs"] = np.where(again["method"] == "svm_multi_sp", 0.9, again["swapped_pairs"])
    frame = STATISTICS["draws"](pd.concat([records, again]), Experiment.of(experiment.document, seeds=40))
    first, second = (frame[frame["draw"] == draw].drop(columns="draw").reset_index(drop=True) for draw in (1, 2))
    pd.testing.assert_frame_equal(first, STATISTICS["overall"](records, experiment))
    assert second["wins"].eq(0).all() and second["losses"].eq(12).all()


def test_splits_of_several_sizes_are_not_tested_with_the_correction(records, experiment):
    """Whole groups have several sizes; the statistic ended in an error after all runs."""
    whole = per_dataset(records, experiment)
    records.loc[0, "n_train"] = 7
    tests, here = per_dataset(records, experiment), whole["dataset"] == records["dataset"][0]
    corrected = ["overlap", "corrected_standard_error", "corrected_t", "corrected_p"]
    assert tests.loc[here, corrected].isna().all(axis=None) and (tests.loc[here, "corrected_mark"] == "untested").all()
    pd.testing.assert_frame_equal(tests[~here], whole[~here])
    assert tests["t"].equals(whole["t"])


@pytest.mark.parametrize("statistic", [per_dataset, overall, ratios])
def test_an_experiment_of_one_method_has_no_rows_but_columns(statistic, records, experiment):
    alone = Experiment.of(experiment.document, methods={"svm_multi_sp": experiment.methods["svm_multi_sp"]})
    found = statistic(records[records["method"] == "svm_multi_sp"], alone)
    assert found.empty and list(found.columns) == list(statistic(records, experiment).columns)
