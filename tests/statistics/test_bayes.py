"""The Bayesian signed-rank test and the table that shows it, on errors whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.statistics.bayes import bayes, probabilities
from rankbench.statistics.best import best
from rankbench.statistics.ranks import ranks
from rankbench.tables.ranking import gather, render

METHODS = ("ours", "clearly_better", "alike", "clearly_worse")
SHIFT = {"ours": 0.0, "clearly_better": -0.05, "alike": 0.001, "clearly_worse": 0.05}
EXPERIMENT = Experiment.of(
    {
        "datasets": {f"set_{i}": {} for i in range(8)},
        "conditions": {"default": {}},
        "methods": {name: {"label": name.replace("_", " ")} for name in METHODS},
        "metrics": ["swapped_pairs"],
        "seeds": 4,
        "reference_method": "ours",
    }
)


@pytest.fixture
def records():
    rng, rows = np.random.default_rng(0), []
    for at, dataset in enumerate(EXPERIMENT.datasets):
        for seed, noise in enumerate(0.004 * rng.standard_normal(4)):
            for method in METHODS:
                error = 0.2 + 0.02 * at + noise + SHIFT[method] + 1e-4 * rng.standard_normal()
                rows.append({"dataset": dataset, "method": method, "seed": seed, "swapped_pairs": error})
    costs = {"tune_seconds": 1.0, "fit_seconds": 0.5, "peak_megabytes": 100.0, "params": "{}"}
    return pd.DataFrame(rows).assign(condition="default", status="ok", reason="", n_train=100, n_test=50, **costs)


def test_what_is_known_is_said(records):
    frame = bayes(records, EXPERIMENT).set_index("method")
    assert list(frame.index) == ["clearly_better", "alike", "clearly_worse"]
    assert frame.loc["clearly_better", "better"] > 0.98 and frame.loc["clearly_worse", "worse"] > 0.98
    assert frame.loc["alike", "alike"] > 0.98
    np.testing.assert_allclose(frame[["better", "alike", "worse"]].sum(axis=1), 1.0)
    assert set(frame["rope"]) == {0.01} and set(frame["n_datasets"]) == {8} and set(frame["n_missing"]) == {0}


def test_a_set_without_a_mean_is_counted_and_one_set_tells_nothing(records):
    lost = records[~((records["method"] == "alike") & (records["dataset"] != "set_0"))]
    frame = bayes(lost, EXPERIMENT).set_index("method")
    assert tuple(frame.loc["alike", ["n_datasets", "n_missing"]]) == (1, 7)
    assert frame.loc["alike", ["better", "alike", "worse"]].isna().all()
    assert np.isnan(probabilities(np.array([0.1]), np.array([0.2]), 0.01)).all()


def test_one_row_for_each_method(records):
    frames = {f.__name__: f(records, EXPERIMENT) for f in (ranks, bayes, best)}
    rows = gather(frames, EXPERIMENT)
    assert list(rows["method"]) == ["clearly_better", "ours", "alike", "clearly_worse"]
    first = rows.iloc[0]
    assert (first["average_rank"], first["n_near"], first["n_datasets"], first["seconds"]) == (1.0, 8, 8, 1.5)
    assert rows["n_near"].tolist() == [8, 0, 0, 0] and np.isnan(rows["better"].iloc[1])
    text = render(frames, EXPERIMENT, {})["md"]
    assert "above it by no more than a difference that does not matter (0.01 for swapped pairs" in text
