"""The table of a comparison: what its formats hold, by hand."""

import re

import pandas as pd
import pytest

from rankbench.compare.report import answers
from rankbench.configuration.labels import shown
from rankbench.datasets.own import OwnTable
from rankbench.experiments.experiment import Experiment
from rankbench.statistics.best import best
from rankbench.tables.best import best as table

EXPERIMENT = Experiment.of(
    {
        "datasets": {"wine": {"n_train": 100, "n_test": 50}},
        "conditions": {"n_100": {"n_train": 100}},
        "methods": {name: {"label": f"{name} 5 %"} for name in ("good", "bad", "lost")},
        "metrics": ["swapped_pairs", "kendall_tau"],
        "seeds": 3,
    }
)


def frames(scale=1.0):
    """The statistics of two methods: errors of 0.11 and 0.31 times a scale."""
    errors = {"good": [0.10, 0.12, 0.11], "bad": [0.30, 0.33, 0.30]}
    rows = [
        {"dataset": "wine", "condition": "n_100", "method": method, "seed": seed, "status": "ok", "reason": ""}
        | {"n_train": 100, "n_test": 50, "swapped_pairs": scale * error, "kendall_tau": 1 - 2 * scale * error}
        | {"tune_seconds": 1.0, "fit_seconds": 1.0, "peak_megabytes": 100.0, "params": "{}"}
        for method, of_seeds in errors.items()
        for seed, error in enumerate(of_seeds)
    ]
    return {"best": best(pd.DataFrame(rows), EXPERIMENT)}


def test_a_percent_sign_comments_out_no_rest_of_a_line():
    """The heading of the intervals holds one, and so may labels and titles."""
    texts = table(frames(), EXPERIMENT, {"wine": "12 % wine"})
    lines = texts["tex"].splitlines()
    assert [line for line in lines if r"95 \% interval" in line and line.endswith(r"\\")]
    assert not [line for line in lines if re.search(r"(^|[^\\])%", line)]
    assert all("95 % interval" in texts[ending] for ending in ("md", "html"))


def verdicts(cells):
    return [line.split("|")[2].strip() for line in table({"best": cells}, EXPERIMENT, {})["md"].splitlines()[2:4]]


def test_a_method_is_best_only_if_all_others_are_worse():
    cells = frames()["best"]
    assert verdicts(cells) == ["best", "worse"]
    near = cells["verdict"].replace("worse", "not clearly worse")
    assert verdicts(cells.assign(verdict=near)) == ["first", "not clearly worse"]


def test_digits_follow_the_size_of_small_numbers():
    """Of a gain the distance to 1 is small."""
    for scale, means in ((1.0, ["0.1100", "0.3100", "0.7800", "0.3800"]), (0.001, ["0.00011", "0.00031", "0.99978"])):
        rows = table(frames(scale), EXPERIMENT, {})["md"]
        assert all(mean in rows for mean in means), rows
    assert shown(float("nan")) == "nan" and shown(-1e-12) == "0.0000" and shown(1.0, "kendall_tau") == "1.0000"
    assert [shown(value) for value in (0.00123, 0.0999999, 1e-8, -3.25)] == [
        "0.0012",
        "0.1000",
        "0.00000001",
        "−3.2500",
    ]


@pytest.mark.parametrize(("share", "told"), [(0.49, True), (0.51, False)])
def test_a_method_that_is_not_clearly_worse_is_named_if_it_takes_less_than_half_of_the_seconds(share, told):
    cells = frames()["best"].query("method != 'lost'")
    good = cells["method"] == "good"
    cells = cells.assign(
        verdict=good.map({True: "best", False: "not clearly worse"}),
        seconds=good.map({True: 10.0, False: 10.0 * share}),
        megabytes=100.0,
    )
    (paragraphs,) = answers(cells, EXPERIMENT).values()
    said = [text for text in paragraphs if "for one grid search and fit." in text]
    assert len(said) == 1 and ("which is not clearly worse, takes" in said[0]) == told


@pytest.mark.parametrize("budget", [0.0, 10.0])
def test_only_a_comparison_is_told_what_a_larger_budget_would_settle(budget):
    """A table of `rankbench add` has none."""
    cells = frames()["best"].query("method != 'lost'")
    cells = cells.assign(verdict=cells["verdict"].replace("worse", "not clearly worse"))
    (paragraphs,) = answers(cells, EXPERIMENT, {"wine": OwnTable(budget=budget, groups="")}).values()
    assert any("--budget=" in text or "More hold-outs" in text for text in paragraphs) == bool(budget)
