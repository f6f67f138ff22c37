"""The report of a comparison opens with the answer and ends with a program; no claim of a paper is in it."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
import yaml

from rankbench.command.doors import run
from rankbench.compare.plan import print_answer
from rankbench.configuration.labels import sign_of
from rankbench.experiments.experiment import Experiment
from rankbench.records.files import note_of, read_note
from rankbench.records.frames import write_statistic
from rankbench.report import write_report
from rankbench.statistics.best import best


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    pd.DataFrame({"a": rng.random(100), "y": rng.random(100)}).to_csv(tmp_path / "wines.csv", index=False)
    assert run(["compare", str(tmp_path / "wines.csv"), "y", "--folder", str(tmp_path / "f"), "--prepare"]) == 0
    return tmp_path / "f"


def answered(folder):
    """Return the answer of made records, as the report keeps it, in one line."""
    experiment = Experiment.of(yaml.safe_load((folder / "config/experiments/wines_y.yaml").read_text()))
    path = folder / "results/wines_y/statistics/best.csv"
    path.parent.mkdir(parents=True)
    write_statistic(path, best(records_of(experiment), experiment))
    write_report(folder)
    (paragraphs,) = read_note(note_of(folder / "results/report.html"))["answers"].values()
    return " ".join(paragraphs)


@pytest.mark.parametrize("groups", ["", "person"])
def test_with_groups_the_answer_says_who_does_not_see_them(groups, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.random(100), "person": np.arange(100) % 25, "y": rng.random(100)})
    frame.to_csv(tmp_path / "wines.csv", index=False)
    more = ["--groups", groups, "--folder", str(tmp_path / "f"), "--prepare"]
    assert run(["compare", str(tmp_path / "wines.csv"), "y", *more]) == 0
    sentence = "do not see the groups (person), so differences between groups count against them."
    assert (f"Regressions and forests {sentence}" in answered(tmp_path / "f")) == bool(groups)


def records_of(experiment):
    """Return records in which the ridge regression is best by far, and needs an alpha of 10."""
    rows = []
    for condition, method, seed in itertools.product(
        experiment.conditions, experiment.methods, range(experiment.seeds)
    ):
        value = 0.1 + 0.001 * seed + 0.2 * (method != "ridge")
        chosen = {name: values[2 % len(values)] for name, values in experiment.methods[method].grid.items()}
        rows.append({"condition": condition, "method": method, "seed": seed, "params": json.dumps(chosen)})
        rows[-1] |= {metric: value if sign_of(metric) > 0 else 1 - value for metric in experiment.metrics}
    costs = {"tune_seconds": 1.0, "fit_seconds": 0.5, "peak_megabytes": 100.0}
    return pd.DataFrame(rows).assign(dataset="wines_y", status="ok", reason="", n_train=70, n_test=30, **costs)


def test_the_answer_comes_first_and_the_program_last(folder, capsys):
    answered(folder)
    page = (folder / "results/report.html").read_text(encoding="utf-8")
    capsys.readouterr()
    print_answer(folder)
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("Ridge regression is best: with 70 training rows it puts 1")
    assert told[1].endswith(" % of the pairs in the wrong order.") and max(map(len, told[:-1])) <= 110
    assert any(line.startswith("By Kendall's tau-b: Ridge regression (0.8") for line in told)
    assert told[-1] == f"report    {folder / 'results/report.html'}"
    said = [
        "Which method orders wines.csv: y best?",
        "The answer",
        "Ridge regression is best: with 70",
        "Worse: ",
    ]
    said += ["Ridge regression takes 1.5 seconds and 100 megabytes", "By Kendall&#39;s tau-b: Ridge regression (0.8"]
    said += ["Use the best method", "Ridge(alpha=", "How your table was read", "rows      100"]
    places = [page.index(text) for text in said]
    assert places == sorted(places)
    assert not any(word in page for word in ("Scoreboard", "Venuto", "claims", "make reproduce"))
    assert page.count("<h1>") == 1 and "0 of" in page


def test_without_results_it_says_so(folder):
    page = write_report(folder).read_text(encoding="utf-8")
    assert "There is no result yet" in page and "not made: <code>results/wines_y/records.parquet</code>" in page
    assert "Use the best method" not in page
