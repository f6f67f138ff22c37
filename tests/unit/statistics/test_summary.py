"""Means, sds and the count of what is missing."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.registry import STATISTICS
from rankbench.statistics.summary import summary

OF_RECORDS = [name for name, statistic in STATISTICS.items() if statistic.reads == "records"]

CELL = {"dataset": "servo", "condition": "default", "metric": "swapped_pairs", "method": "svor5"}


def one(frame, **identity):
    """The one row of a frame with this identity."""
    row = frame[(frame[list(identity)] == list(identity.values())).all(axis=1)]
    assert len(row) == 1
    return row.iloc[0]


def of(records, **identity):
    return (records[list(identity)] == list(identity.values())).all(axis=1)


def test_every_cell_has_the_printed_mean_and_sd(records, experiment, published, titles):
    cells = summary(records, experiment)
    assert len(cells) == 36
    assert (cells["n_runs"] == 20).all()
    assert (cells["n_missing"] == 0).all()
    for row in published.itertuples():
        cell = one(cells, dataset=row.dataset.lower(), method=row.method)
        assert (100 * cell["mean"], 100 * cell["sd"]) == pytest.approx((row.mean_swapped_pct, row.sd_swapped_pct))


def test_order_is_the_experiments(records, experiment):
    cells = summary(records, experiment)
    assert list(cells["dataset"].unique()) == list(experiment.datasets)
    assert list(cells["method"][:3]) == list(experiment.methods)


def test_missing_runs_are_counted_with_their_reasons(records, experiment):
    experiment = Experiment.of(experiment.document, seeds=50)
    records = pd.concat([records, *(records.assign(seed=records["seed"] + more) for more in (20, 40))])
    records = records[records["seed"] < 50].reset_index(drop=True)
    servo = of(records, dataset="servo", method="svor5")
    records.loc[servo & (records["seed"] < 2), ["status", "reason", "swapped_pairs"]] = [
        "timeout",
        "over 600 s",
        np.nan,
    ]
    records.loc[servo & (records["seed"] == 2), ["status", "reason"]] = ["failed", "gap 0.1"]
    records.loc[servo & (records["seed"] == 3), "swapped_pairs"] = np.nan
    records = records[~(servo & (records["seed"] == 4))]
    cell = one(summary(records, experiment), **CELL)
    kept = records[of(records, dataset="servo", method="svor5") & (records["seed"] > 4)]["swapped_pairs"]
    assert (cell["n_runs"], cell["n_missing"]) == (45, 5)
    assert cell["shortfall"] == "45 of 50 runs, 2 timeouts, 1 absent, 1 failed, 1 without a value"
    assert cell["reasons"] == "1 x absent, 1 x failed (gap 0.1), 2 x timeout (over 600 s), 1 x without a value"
    assert cell["mean"] == pytest.approx(np.mean(kept))
    assert cell["sd"] == pytest.approx(np.std(kept, ddof=1))


def test_a_cell_without_any_record_is_a_row(records, experiment):
    cell = one(summary(records[~of(records, dataset="servo")], experiment), **CELL)
    assert (cell["n_runs"], cell["n_missing"], cell["reasons"]) == (0, 20, "20 x absent")
    assert np.isnan(cell["mean"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda r: r.assign(dataset="iris"), "records.dataset must be one of"),
        (lambda r: r.assign(method="elo"), "records.method must be one of"),
        (lambda r: r.assign(condition="rho"), "records.condition must be one of"),
        (lambda r: r.assign(seed=0), "must hold a run once"),
    ],
)
def test_records_of_another_experiment_are_refused(records, experiment, change, message):
    with pytest.raises(ValueError, match=message):
        summary(change(records), experiment)


def test_more_runs_than_seeds_are_refused(records, experiment):
    with pytest.raises(ValueError, match="at most seeds = 19 runs a cell, got 20"):
        summary(records, Experiment.of(experiment.document, seeds=19))


@pytest.mark.parametrize("name", OF_RECORDS)
def test_order_of_records_does_not_matter(records, experiment, name):
    shuffled = records.sample(frac=1, random_state=0)
    expected = STATISTICS[name](records, experiment)
    assert STATISTICS[name](shuffled, experiment).equals(expected)


@pytest.mark.parametrize("name", sorted({*OF_RECORDS} - {"baselines", "searches"}))  # no rows here
def test_nothing_came_back(records, experiment, name):
    assert len(STATISTICS[name](records[:0], experiment))
