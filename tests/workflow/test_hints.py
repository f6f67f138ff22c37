"""A hint of our own estimators never makes a run fail."""

import re

import numpy as np
import pandas as pd
from checkout import ROOT

from rankbench.command.doors import run
from rankbench.datasets.table import load_table
from rankbench.experiments.draw import draw_from
from rankbench.experiments.job import HINTS, Data, run_seed
from rankbench.experiments.preprocess import encode
from rankbench.experiments.protocol import load_asked
from rankbench.records.record import Record


def test_texts_of_hints_are_those_of_the_library():
    texts = " ".join(file.read_text(encoding="utf-8") for file in (ROOT / "src/rankmargin").rglob("*.py"))
    assert all(re.search(hint.removeprefix(".*"), texts) for hint in HINTS)


def test_folds_without_pairs_are_no_failure(tmp_path, capsys):
    """24 queries, of which five have different labels: most folds of the search have nothing to order."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"query": np.arange(120) // 5, "a": rng.normal(size=120), "b": rng.normal(size=120)})
    frame["label"] = np.where(frame["query"] < 5, (2 * frame["a"] - frame["b"]).round(), 0)
    frame.to_csv(tmp_path / "few.csv", index=False)
    asked = ["compare", str(tmp_path / "few.csv"), "label", "--groups", "query", "--folder", str(tmp_path / "f")]
    assert run([*asked, "--prepare"]) == 0
    (experiment,), path = load_asked(root=tmp_path / "f")[0].values(), tmp_path / "f/resources/tables/few_label.npz"
    (condition,), table, name = experiment.conditions, load_table(path), experiment.name
    X = encode(table.X, table.column_levels, "onehot")
    for split in draw_from(path, range(3), names=(name, name), **experiment.split_arguments(name, condition)):
        record = Record(name, name, condition, "self_tuning", split.seed, len(split.train), len(split.test), 2)
        run_seed(record, experiment.task(name, condition, "self_tuning"), Data(table, X, split))
        assert record.status == "ok", record.reason
