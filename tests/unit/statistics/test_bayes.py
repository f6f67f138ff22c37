"""The Bayesian signed-rank test and the table that shows it, on errors whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.statistics.bayes import bayes, probabilities

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
    assert set(frame["rope"]) == {0.005} and set(frame["n_datasets"]) == {8} and set(frame["n_missing"]) == {0}


def test_a_method_that_is_not_ranked_has_no_probabilities_and_one_set_tells_nothing(records):
    lost = records[~((records["method"] == "alike") & (records["dataset"] == "set_0"))]
    frame, whole = bayes(lost, EXPERIMENT).set_index("method"), bayes(records, EXPERIMENT).set_index("method")
    assert tuple(frame.loc["alike", ["n_datasets", "n_missing"]]) == (0, 8)
    assert frame.loc["alike", ["better", "alike", "worse"]].isna().all()
    others = ["clearly_better", "clearly_worse"]
    pd.testing.assert_frame_equal(frame.loc[others], whole.loc[others])
    one = bayes(records[records["dataset"] == "set_0"], EXPERIMENT)
    assert set(one["n_datasets"]) == {1} and one[["better", "alike", "worse"]].isna().all(axis=None)
    assert np.isnan(probabilities(np.array([0.1]), np.array([0.2]), 0.01)).all()
