"""Records do not depend on the executor: those of every method, of single runs and blocks, and those of its limits."""

import shutil
from importlib.util import find_spec

import pandas as pd
import pytest
import yaml
from fault_cases import SHARE

from rankbench.experiments.methods import input_of, path_of
from rankbench.experiments.solved import method_names
from rankbench.records.diff import compare

pytestmark = pytest.mark.workflow
COMMON = {
    "conditions": {"default": {}},
    "seeds": 2,
    "preprocess": {"scaling": "standard", "nominal": "onehot"},
    "metrics": ["swapped_pairs"],
    "limits": {"seconds": 60, "megabytes": 2000},
    "outputs": {"statistics": ["summary"], "tables": [], "figures": []},
}
# A path over C with random numbers of our own, and a sampler; every method and sampler with `SHARE`.
NAMES = [*method_names(), "rankbench.baselines.multiclass_svm.MulticlassSVM"] if SHARE else ["PairwiseRankSVM"]
OTHERS = ["rankbench.baselines.lightgbm.LightGBM"] if SHARE and find_spec("lightgbm") else []
SAMPLERS = ("random", "close_pair", "p_close_pair", "sample_mst") if SHARE else ("sample_mst",)


def used(uses, **more):
    """Return the entry of a method with a grid of two points, if it has a path."""
    path = path_of(uses)
    return {"uses": uses, "label": str(uses), "params": {}, "grid": {path: [0.5, 0.4]} if path else {}, **more}


def experiments():
    """Return the yaml of experiments: methods and samplers on rows, and with `SHARE` on pairs too."""
    names = [*NAMES, *OTHERS]
    rows = {name.rpartition(".")[2].lower(): used(name) for name in names if input_of(name) != "pairs"}
    rows |= {name: used("RankSVR", sampler=name, n_pairs=5) for name in SAMPLERS}
    of_rows = {
        "datasets": {"yu_linear_d02": {"n_train": 40, "n_test": 50, "n_pool": 100}},
        "methods": rows,
        "tuning": {"folds": 3, "metric": "swapped_pairs"},
    }
    of_pairs = {
        "datasets": {"squared_l2": {"split": "comparisons", "attributes": ["x1", "x2"]}},
        "conditions": {"n40": {"equality": 20, "inequality": 20}},
        "preprocess": {"scaling": "standard_sample", "nominal": "ordinal"},
        "methods": {name.lower(): used(name) for name in names if input_of(name) != "rows"},
        "tuning": {"metric": "zero_one"},
        "metrics": ["zero_one"],
    }
    return {"rows": COMMON | of_rows} | ({"pairs": COMMON | of_pairs} if SHARE else {})


def records(checkout, documents, *config, options=()):
    """Write experiments and run them; return the folder of their results, and what Snakemake printed."""
    for name, document in documents.items():
        text = yaml.safe_dump({"title": name, "reference_method": next(iter(document["methods"])), **document})
        (checkout.path / f"config/experiments/{name}.yaml").write_text(text)
    targets = [f"results/{name}/records.parquet" for name in documents]
    code, text = checkout.snakemake(*targets, *options, "--config", f"experiments=[{','.join(documents)}]", *config)
    assert code == 0, text
    kept = checkout.path / "kept" / str(len([*(checkout.path / "kept").glob("*")]))
    kept.parent.mkdir(exist_ok=True)
    shutil.move(checkout.path / "results", kept)
    return kept, text


def test_records_are_equal_to_the_bit(checkout):
    """Single runs in forks, and blocks of which each is a new process."""
    documents = experiments()
    single, text = records(checkout, documents)
    assert "executor warm" not in text
    cold, text = records(checkout, documents, "seeds_per_job=2", options=["--executor", "local"])
    assert "run_rows_0_1" in text and compare(cold, single)
    frames = {name: pd.read_parquet(cold / name / "records.parquet") for name in documents}
    assert {name: set(frame["method"]) for name, frame in frames.items()} == {
        name: set(document["methods"]) for name, document in documents.items()
    }
    ok = pd.concat(frames.values()).query("status == 'ok'")
    assert len(ok) >= 4, "and these are results, not failures"
