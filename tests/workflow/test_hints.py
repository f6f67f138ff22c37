"""A hint of our own estimators never makes a run fail; which of their warnings are hints is decided for each."""

import ast
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

HINT, FAULT, NONE = "hint", "fault", "no run has it"
DECIDED = {  # class of a warning -> what it is for a run, and why
    "HintWarning": (HINT, "the fit is right"),
    "NoScalingWarning": (HINT, "a HintWarning"),
    "ManyGradesWarning": (HINT, "a HintWarning"),
    "ThresholdOrderWarning": (HINT, "a HintWarning"),
    "UndefinedMetricWarning": (HINT, "folds without pairs do not count; `HINTS` has its text"),
    "RuntimeWarning": (HINT, "code that cannot be cached is compiled again; `HINTS` has its text"),
    "ConvergenceWarning": (FAULT, "the fit is not the optimum"),
    "SeparationWarning": (FAULT, "the weights are not those of a maximum"),
    "SmallerCWarning": (FAULT, "the fit is of another C"),
    "UnknownGradeWarning": (NONE, "a run gives no weights of grades"),
    "FitFailedWarning": (NONE, "of a display"),
}


def test_every_warning_of_the_library_is_decided():
    given = {}
    for file in (ROOT / "src/rankmargin").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("warn_caller", "warnings.warn"):
                given[ast.unparse(node.args[-1])] = file.name
    given.pop("category")  # warn_caller itself
    given = {name if name != "message" else "RuntimeWarning": file for name, file in given.items()}
    assert {*given} - {*DECIDED} == set(), "say in DECIDED whether it makes a run fail"
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
