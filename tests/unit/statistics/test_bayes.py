"""The Bayesian signed-rank test and the table that shows it, on errors whose answer is known."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.papers.today.elo import elo
from rankbench.papers.today.tables.ranking import gather, ranking
from rankbench.statistics.bayes import bayes, probabilities
from rankbench.statistics.best import best
from rankbench.statistics.ranks import ranks

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


def test_one_row_for_each_method(records):
    frames = {f.__name__: f(records, EXPERIMENT) for f in (ranks, bayes, best, elo)}
    rows = gather(frames, EXPERIMENT)
    assert list(rows["method"]) == ["clearly_better", "ours", "alike", "clearly_worse"]
    first = rows.iloc[0]
    assert (first["average_rank"], first["n_near"], first["n_datasets"], first["seconds"]) == (1.0, 8, 8, 1.5)
    assert rows["n_near"].tolist() == [8, 0, 0, 0] and np.isnan(rows["better"].iloc[1])
    text = ranking(frames, EXPERIMENT, {})["md"]
    assert "missing" not in text and "8 data sets" in text
    assert "above it by no more than a difference that does not matter (0.01 for swapped pairs" in text


def test_the_table_says_who_lacks_runs_and_who_is_not_ranked(records):
    """Two methods are compared on seven data sets; a third fails on half of the hold-outs of two."""
    asked = Experiment.of(EXPERIMENT.document, seeds=4, datasets={f"set_{i}": {} for i in range(8)})
    half = (records["method"] == "alike") & records["dataset"].isin(["set_0", "set_1"]) & (records["seed"] < 2)
    lost = records.assign(status=np.where(half, "timeout", "ok"))
    frames = {f.__name__: f(lost, asked) for f in (ranks, bayes, best, elo)}
    rows = gather(frames, asked).set_index("method")
    whole = {f.__name__: f(records[records["method"] != "alike"], without("alike")) for f in (ranks, bayes, best, elo)}
    expected = gather(whole, without("alike")).set_index("method")
    pd.testing.assert_frame_equal(rows.drop("alike"), expected, check_dtype=False)
    assert rows.index[-1] == "alike" and rows.drop(columns=["metric", "n_datasets"]).loc["alike"].isna().all()
    text = ranking(frames, asked, {"set_0": "First"})["md"]
    last = [line for line in text.splitlines() if line.startswith("| alike")]
    assert len(last) == 1 and "not ranked" in last[0] and "nan" not in text
    told = "alike on First (2 of 4 runs, 2 timeouts); alike on set_1 (2 of 4 runs, 2 timeouts)."
    assert f"Incomplete and not compared: {told}" in text


def without(method):
    return Experiment.of(EXPERIMENT.document, methods={m: EXPERIMENT.methods[m] for m in METHODS if m != method})


def test_an_error_that_is_a_rope_above_the_lowest_is_near():
    """0.31 - 0.3 is 0.01 and a bit as floats."""
    assert 0.31 - 0.3 > 0.01
    rows = [
        {"dataset": f"set_{i}", "method": method, "seed": seed, "swapped_pairs": error}
        for i in range(8)
        for method, error in {"ours": 0.3, "clearly_better": 0.31, "alike": 0.310001, "clearly_worse": 0.4}.items()
        for seed in range(4)
    ]
    costs = {"tune_seconds": 1.0, "fit_seconds": 0.5, "peak_megabytes": 100.0, "params": "{}"}
    made = pd.DataFrame(rows).assign(condition="default", status="ok", reason="", n_train=100, n_test=50, **costs)
    near = gather({f.__name__: f(made, EXPERIMENT) for f in (ranks, bayes, best, elo)}, EXPERIMENT).set_index("method")
    assert near["n_near"].to_dict() == {"ours": 8, "clearly_better": 8, "alike": 0, "clearly_worse": 0}
