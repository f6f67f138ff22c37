"""The records of this project's jobs do not depend on the executor: every method, single runs and blocks, limits."""

import shutil
from importlib.util import find_spec

import pandas as pd
import pytest
import yaml

from rankbench.compare_records import compare
from rankbench.experiments.methods import input_of, method_names, path_of

pytestmark = pytest.mark.workflow
COMMON = {
    "conditions": {"default": {}},
    "seeds": 2,
    "preprocess": {"scaling": "standard", "nominal": "onehot"},
    "metrics": ["swapped_pairs"],
    "limits": {"seconds": 60, "megabytes": 2000},
    "outputs": {"statistics": ["summary"], "tables": [], "figures": []},
}
EXTRAS = {"lightgbm", "mord", "skordinal", "xgboost"}
SAMPLERS = ("random", "close_pair", "p_close_pair", "sample_mst")


def used(uses, **more):
    """Return the entry of a method with a grid of two points, if it has a path."""
    path = isinstance(uses, str) and "." not in uses and path_of(uses)
    return {"uses": uses, "label": str(uses), "params": {}, "grid": {path: [0.5, 0.4]} if path else {}, **more}


def experiments():
    """Return the yaml of three experiments that have every method: those on rows, those on pairs, and samplers."""
    names = [name for name in method_names() if name not in EXTRAS or find_spec(name)]
    rows = {name: used(name) for name in names if input_of(name) != "pairs"}
    rows |= {"estimator": used("sklearn.linear_model.Ridge"), "no_such": used("sklearn.linear_model.Lasso")}
    pairs = {name: used(name) for name in names if input_of(name) != "rows"}
    samplers = {name: used("ranksvr", sampler=name, n_pairs=5) for name in SAMPLERS}
    tuning = {"folds": 3, "metric": "swapped_pairs"}
    return {
        "rows": {**COMMON, "datasets": {"friedman1": {"n_train": 40, "n_test": 30}}, "methods": rows, "tuning": tuning},
        "pool": {
            **COMMON,
            "datasets": {"yu_linear_d02": {"n_train": 20, "n_test": 50, "n_pool": 100}},
            "methods": samplers,
            "tuning": tuning,
        },
        "pairs": {
            **COMMON,
            "datasets": {"squared_l2": {"split": "comparisons", "attributes": ["x1", "x2"]}},
            "conditions": {"n40": {"equality": 20, "inequality": 20}},
            "preprocess": {"scaling": "standard_sample", "nominal": "ordinal"},
            "methods": pairs,
            "tuning": {"validation_set": True, "metric": "zero_one"},
            "metrics": ["zero_one"],
        },
    }


def write(checkout, documents):
    """Write experiments into a checkout; return the targets and the configuration by which Snakemake runs them."""
    for name, document in documents.items():
        text = yaml.safe_dump({"title": name, "reference_method": next(iter(document["methods"])), **document})
        (checkout.path / f"config/experiments/{name}.yaml").write_text(text)
    targets = [f"results/{name}/records.parquet" for name in documents]
    return targets, ["--config", f"experiments=[{','.join(documents)}]"]


def records(checkout, documents, *arguments, **more):
    """Run the experiments; return the folder of their results, and what Snakemake printed."""
    targets, config = write(checkout, documents)
    code, text = checkout.snakemake(*targets, *arguments, *config, *more.get("config", []))
    assert code == 0, text
    kept = checkout.path / "kept" / str(len([*(checkout.path / "kept").glob("*")]))
    kept.parent.mkdir(exist_ok=True)
    shutil.move(checkout.path / "results", kept)
    return kept, text


def test_records_of_every_method_are_equal_to_the_bit(checkout):
    documents = experiments()
    single, text = records(checkout, documents)
    assert "executor warm" not in text
    cold, _ = records(checkout, documents, "--executor", "local")
    blocks, text = records(checkout, documents, config=["seeds_per_job=2"])
    assert "run_rows_0_1" in text
    assert compare(cold, single) and compare(cold, blocks)
    frames = {name: pd.read_parquet(cold / name / "records.parquet") for name in documents}
    assert {name: set(frame["method"]) for name, frame in frames.items()} == {
        name: set(document["methods"]) for name, document in documents.items()
    }
    ok = pd.concat(frames.values()).query("status == 'ok'")
    assert len(ok) > 40, "and these are results, not failures"


def test_limits_of_time_and_memory_hold_inside_a_fork(checkout):
    """A search that takes a second has 0.2 s; a matrix of 7,000 x 7,000 numbers, 392 MB, has to fit into 350 MB."""
    method = used("swapped_pairs", params={"kernel": "rbf"})
    tuning = {"folds": 3, "metric": "swapped_pairs"}
    slow = {"datasets": {"abalone": {"n_train": 1500, "n_test": 100}}, "limits": {"seconds": 0.2, "megabytes": 2000}}
    large = {"datasets": {"bank8": {"n_train": 7000, "n_test": 100}}, "limits": {"seconds": 60, "megabytes": 350}}
    documents = {
        "slow": {**COMMON, **slow, "tuning": tuning, "methods": {"svm": {**method, "grid": {"C": [1e-4, 1e-3, 1e-2]}}}},
        "large": {**COMMON, **large, "methods": {"svm": {**method, "grid": {}}}},
    }
    for arguments in ((), ("--executor", "local")):
        results, text = records(checkout, documents, *arguments)
        assert "executor warm" not in text
        frames = {name: pd.read_parquet(results / name / "records.parquet") for name in documents}
        told = {name: [*frame[["status", "reason"]].itertuples(index=False)] for name, frame in frames.items()}
        assert told["slow"] == [("timeout", "more than the limit of 0.2 s of processor time")] * 2
        assert all(status == "memory" and reason.startswith("limit of 350 MB") for status, reason in told["large"])
