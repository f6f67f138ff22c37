"""Studies of comparisons: programs, level curves, the baseline."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from rankbench.datasets.table import Table
from rankbench.experiments.comparison_sets import draw
from rankbench.experiments.experiment import Experiment
from rankbench.papers.svmcompare.methods.compare_as_programmed import CompareAsProgrammed
from rankbench.papers.svmcompare.simulated_pairs import make_pools, squared_l2
from rankbench.papers.svmcompare.studies import (
    comparison_baseline,
    comparison_counts,
    comparison_dual,
    level_curves,
    max_margin_panels,
    recovery,
    separable_pairs,
    separable_programs,
    without_scaling,
)

METHODS = {
    "compare": {"uses": "ComparisonSVM", "params": {"kernel": "poly", "degree": 2, "gamma": 1}, "grid": {"C": [1, 10]}}
}
EXPERIMENT = Experiment.of(
    {
        "name": "level_curves",
        "datasets": {"norm": {"split": "comparisons", "attributes": ["x1", "x2"]}},
        "conditions": {"n120": {"equality": 60, "inequality": 60}},
        "seeds": 2,
        "methods": METHODS,
        "preprocess": {"scaling": "standard_sample", "nominal": "ordinal"},
        "tuning": {"metric": "zero_one"},
        "metrics": ["zero_one"],
        "limits": {"seconds": 60, "megabytes": 2000},
    }
)


@pytest.fixture(scope="module")
def data():
    pool = make_pools(600)["l2"]
    X = np.column_stack([pool.X, squared_l2(pool.X), pool.X2, squared_l2(pool.X2)])
    table = Table(X, pool.y.astype(float), ("x1", "x2", "r"), ((),) * 3, kind="pairs")
    return {"norm": (table, [draw(table, seed=s, names=("e", "norm"), equality=60, inequality=60) for s in (0, 1)])}


def test_a_quadratic_kernel_learns_the_level_curves_of_the_squared_norm(data):
    frame = level_curves(data, EXPERIMENT, box=2, steps=9, truth="l2", shown=[0, 1])
    assert len(frame) == 3 * 81 and set(frame["seed"]) == {-1, 0, 1}
    assert frame.groupby(["method", "seed"])["r"].mean().abs().max() < 1e-9
    wide = frame.assign(key=frame["method"] + frame["seed"].astype(str)).pivot(
        index=["x1", "x2"], columns="key", values="r"
    )
    assert wide.corr("spearman")["truth-1"].drop("truth-1").min() > 0.97
    found = recovery(data, EXPERIMENT, box=2, steps=9, truth="l2").set_index("seed")["correlation"]
    assert found.to_dict() == pytest.approx(
        {seed: wide.corr("spearman").loc["truth-1", f"compare{seed}"] for seed in (0, 1)}
    )
    assert set(level_curves(data, EXPERIMENT, box=2, steps=9, truth="l2", shown=[1])["seed"]) == {-1, 1}
    spread = wide.std() / wide["truth-1"].std()
    assert spread.between(0.5, 2.0).all(), "a learned difference of 1 is about a true one of 1"


def test_level_curves_are_those_of_the_methods_as_data_set_condition_and_method_change_them(data):
    arguments = {"box": 2, "steps": 5, "truth": "l2", "shown": [0, 1]}
    compare = {**METHODS["compare"], "grid": {"C": [10]}}
    plain = Experiment.of(EXPERIMENT.document, methods={"compare": compare})
    (dataset,), conditions = EXPERIMENT.datasets.values(), EXPERIMENT.conditions
    quartic = {"compare": {**compare, "params": {**compare["params"], "degree": 4}}}
    wanted = level_curves(data, Experiment.of(plain.document, methods=quartic), **arguments)
    for experiment in (
        Experiment.of(plain.document, datasets={"norm": replace(dataset, params={"degree": 4})}),
        Experiment.of(plain.document, conditions={"n120": replace(conditions["n120"], params={"degree": 4})}),
    ):
        pd.testing.assert_frame_equal(level_curves(data, experiment, **arguments), wanted)
    before = level_curves(data, plain, **arguments)
    assert (wanted["r"] - before["r"]).abs().max() > 0.01
    with pytest.raises(ValueError, match=r"attributes must be x1, x2 for level curves, got \('x2',\) of compare"):
        level_curves(
            data, Experiment.of(plain.document, methods={"compare": {**compare, "attributes": ["x2"]}}), **arguments
        )


RULED = "rankbench.papers.svmcompare.methods.compare_as_programmed.CompareAsProgrammed"


def test_a_model_without_scaling_is_counted_and_judged_by_three_rules(data):
    """With a tiny C and few equality pairs no difference is called equal: beta >= 0."""
    table, _ = data["norm"]
    splits = [draw(table, seed=s, names=("e", "norm"), equality=12, inequality=108) for s in (0, 1)]
    found = {}
    for C in (1e-5, 10.0):
        method = {"compare": {"uses": RULED, "params": METHODS["compare"]["params"], "grid": {"C": [C]}}}
        experiment = Experiment.of(EXPERIMENT.document, methods=method)
        only = {"norm": (table.only(("x1", "x2")), splits)}
        found[C] = without_scaling(only, experiment, method="compare").set_index(["seed", "rule"])
    none, scaled = found[1e-5].loc[0], found[10.0].loc[0]
    assert none["unscaled"].all() and not scaled["unscaled"].any() and scaled["zero_one"].nunique() == 1
    assert none.loc["sign", "comparison_auc"] > 0.5 > none.loc["program", "comparison_auc"]
    assert none.loc[["program", "neither"], "zero_one"].tolist() == [0.9, 0.9] and none.loc["sign", "zero_one"] < 0.9
    with pytest.raises(ValueError, match="rule must be one of program, sign, neither, got 'any'"):
        CompareAsProgrammed(rule="any").fit(table.X[:40, [0, 1, 3, 4]], table.y[:40])


def test_the_baseline_counts_both_parts(data):
    frame = comparison_baseline(data, {})
    table, splits = data["norm"]
    y = table.y[splits[1].test]
    assert frame["equality_test"].tolist() == [0.5, 0.5] and frame["n_train"].tolist() == [120, 120]
    assert frame["auc"][1] == pytest.approx(0.5 * max((y == 1).sum(), (y == -1).sum()) / 60)


def test_labels_are_counted(data):
    (row,) = comparison_counts(data, {}).to_dict("records")
    y = data["norm"][0].y
    assert row["n_equality"] + row["n_inequality"] == 600 and row["n_first_better"] == (y == -1).sum()


def test_panels_hold_the_flipped_data_and_feasible_programs():
    frame = max_margin_panels({}, {}, n=12, spread=8, seed=3)
    X, X2, y = separable_pairs(3, 12, (1.0, 8.0))
    counts = frame[frame["what"] == "difference"].groupby("panel").size()
    assert counts.to_dict() == {"original": 12, "flipped": 12 + (y == 0).sum(), "scaled": 12 + (y == 0).sum()}
    margins = frame[frame["what"] != "difference"].set_index(["panel", "what"])["margin"]
    assert margins["original", "lp"] == pytest.approx(margins["flipped", "lp"])
    assert margins["flipped", "qp"] < margins["flipped", "lp"] - 0.1
    assert margins["scaled", "qp"] == pytest.approx(margins["scaled", "lp"], abs=1e-4)
    lp = frame[(frame["panel"] == "original") & (frame["what"] == "lp")].iloc[0]
    rank = (X2 - X) @ [lp["x1"], lp["x2"]]
    inside, outside = 1 - np.abs(rank[y == 0]), (rank * y)[y != 0] - 1
    assert min(inside.min(), outside.min()) == pytest.approx(lp["margin"], abs=1e-6)


def test_lemma_1_holds_on_every_separable_set():
    frame = separable_programs({}, {}, sets=12, n=10, spread=8)
    assert frame["violation"].max() < 1e-6
    assert (frame["lp"] >= frame["qp"] - 1e-6).all() and frame["qp"].min() > 0
    gap = frame["lp"] - frame["qp"]
    assert (gap[~frame["scaled"]] > 1e-3).any() and (gap[frame["scaled"]] > 1e-3).any()


def test_the_dual_reaches_the_primal_and_rows_are_those_of_table_2(data):
    frame = comparison_dual(data, {}, sizes=[20, 40], C=1, gamma=0.5, primal_up_to=20)
    small, large = frame.iloc[0], frame.iloc[1]
    assert small[["rows_rank", "rows_rank2", "rows_compare"]].tolist() == [10, 40, 30]
    assert small["primal"] == pytest.approx(small["objective"], rel=1e-5) and np.isnan(large["primal"])
    assert small["dual_bound"] <= small["primal"] + 1e-9
    assert (frame[["fpr_at_0", "fnr_at_infinity"]] == 1).all(axis=None)
    assert frame["support_share"].between(0.1, 1).all()
