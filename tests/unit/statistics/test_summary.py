"""Means, sds and the count of what is missing."""

import pytest

from rankbench.registry import STATISTICS
from rankbench.statistics.summary import summary

OF_RECORDS = [name for name, statistic in STATISTICS.items() if statistic.reads == "records"]


def test_every_cell_has_the_printed_mean_and_sd(records, experiment, published):
    cells = summary(records, experiment)
    by_name = cells.set_index(["dataset", "method"])
    assert len(cells) == 36
    assert (cells["n_runs"] == 20).all()
    assert (cells["n_missing"] == 0).all()
    for row in published.itertuples():
        cell = by_name.loc[row.dataset.lower(), row.method]
        assert (100 * cell["mean"], 100 * cell["sd"]) == pytest.approx((row.mean_swapped_pct, row.sd_swapped_pct))


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


@pytest.mark.parametrize("name", OF_RECORDS)
def test_order_of_records_does_not_matter(records, experiment, name):
    shuffled = records.sample(frac=1, random_state=0)
    expected = STATISTICS[name](records, experiment)
    assert STATISTICS[name](shuffled, experiment).equals(expected)
