"""Elo of methods on tables, and the columns of the table of methods, on numbers that are known."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.papers.today.elo import elo, ratings_of
from rankbench.papers.today.tables.ranking import gather
from rankbench.registry import STATISTICS

CONCORDANCE = {"good": [0.9, 0.8, 0.7], "fair": [0.8, 0.85, 0.7], "poor": [0.7, 0.6, 0.5]}


def records_of(values, metric="concordance_index"):
    rows = [
        {"dataset": f"d{at}", "method": method, "seed": 0, metric: value}
        for method, column in values.items()
        for at, value in enumerate(column)
    ]
    rest = {"condition": "default", "status": "ok", "reason": "", "n_train": 100, "n_test": 50, "params": "{}"}
    return pd.DataFrame(rows).assign(**rest, tune_seconds=2.0, fit_seconds=1.0, peak_megabytes=1.0)


def experiment_of(values, metric="concordance_index"):
    return Experiment.of(
        {
            "datasets": {f"d{at}": {} for at in range(len(values["good"]))},
            "conditions": {"default": {}},
            "methods": {name: {"label": name} for name in values},
            "seeds": 1,
            "metrics": [metric],
            "reference_method": "good",
        }
    )


def test_ratings_say_how_often_a_method_wins():
    errors = np.array([[0.1, 0.2]] * 7 + [[0.2, 0.1]] * 2)
    here = ratings_of(errors)[0]
    won = (7 + 0.5) / 10  # one draw is added
    assert here[0] - here[1] == pytest.approx(400 * np.log10(won / (1 - won)), abs=0.01)
    assert here.mean() == pytest.approx(1500)
    always = np.tile(np.arange(12.0), (150, 1)) / 12  # each wins against all behind it
    spread = ratings_of(always)[0]
    won = (150 + 0.5) / 151
    expected = [(11 - at) * won + at * (1 - won) for at in range(12)]
    found = 1 / (1 + 10 ** ((spread - spread[:, None]) / 400))
    np.testing.assert_allclose(found.sum(axis=1) - 0.5, expected, atol=1e-6)
    assert ratings_of(np.ones((9, 3)))[0] == pytest.approx(1500)


def test_the_order_of_the_tables_does_not_matter_and_an_interval_is_over_tables():
    errors = np.random.default_rng(3).random((20, 4)) + np.array([0, 0.2, 0.4, 0.6])
    ratings = ratings_of(errors)
    assert ratings_of(errors[::-1])[0] == pytest.approx(ratings[0])
    assert list(np.argsort(-ratings[0])) == [0, 1, 2, 3]
    low, high = np.quantile(ratings[1:], (0.025, 0.975), axis=0)
    assert ((low < ratings[0]) & (ratings[0] < high)).all()
    assert np.ptp(ratings_of(np.tile([[0.1, 0.2]], (20, 1))), axis=0) == pytest.approx(0)  # the same on every draw


def test_higher_is_better_where_the_metric_says_so():
    for metric, best in (("concordance_index", "good"), ("swapped_pairs", "poor")):
        found = elo(records_of(CONCORDANCE, metric), experiment_of(CONCORDANCE, metric)).set_index("method")["elo"]
        assert found.idxmax() == best
    nothing = records_of(CONCORDANCE).assign(status="failed")
    assert elo(nothing, experiment_of(CONCORDANCE))[["elo", "low", "high"]].isna().all(axis=None)


def test_a_gap_is_to_the_lowest_error_of_each_table_and_a_concordance_becomes_an_error():
    records, experiment = records_of(CONCORDANCE), experiment_of(CONCORDANCE)
    frames = {name: STATISTICS[name](records, experiment) for name in ("ranks", "bayes", "best", "elo")}
    rows = gather(frames, experiment).set_index("method")
    assert rows["error"].round(4).to_dict() == {"good": 0.2, "fair": 0.2167, "poor": 0.4}
    gaps = {"good": (0 + 25 + 0) / 3, "fair": (50 + 0 + 0) / 3, "poor": (200 / 3 + 62.5 + 40) / 3}
    assert rows["gap"].to_dict() == pytest.approx(gaps)


def test_a_table_without_an_error_has_no_gap():
    perfect = {name: [1.0, 1.0, 1.0] for name in CONCORDANCE}
    records, experiment = records_of(perfect), experiment_of(perfect)
    frames = {name: STATISTICS[name](records, experiment) for name in ("ranks", "bayes", "best", "elo")}
    assert gather(frames, experiment)["gap"].tolist() == [0, 0, 0]
