"""Which method is best and which are not clearly worse, on examples that were computed by hand."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.compare.report import answers
from rankbench.experiments.experiment import Experiment
from rankbench.registry import FIGURES
from rankbench.statistics.best import best

EXPERIMENT = Experiment.of(
    {
        "datasets": {"wine": {"n_train": 100, "n_test": 50}},
        "conditions": {"n_100": {"n_train": 100}},
        "methods": {name: {"label": name.title()} for name in ("good", "near", "bad", "lost")},
        "metrics": ["swapped_pairs"],
        "seeds": 4,
    }
)
ERROR = "with 100 training rows it puts 11.5 % of the pairs in the wrong order."
ERRORS = {"good": [0.10, 0.12, 0.11, 0.13], "near": [0.11, 0.11, 0.13, 0.12], "bad": [0.30, 0.33, 0.31, 0.34]}


@pytest.fixture
def records():
    rows = [
        {"dataset": "wine", "condition": "n_100", "method": method, "seed": seed, "status": "ok", "reason": ""}
        | {"n_train": 100, "n_test": 50, "swapped_pairs": error, "tune_seconds": seed, "fit_seconds": 1.0}
        | {"peak_megabytes": 100.0 + seed, "params": json.dumps({"C": 1 if seed else 10})}
        for method, errors in ERRORS.items()
        for seed, error in enumerate(errors)
    ]
    lost = {**rows[0], "method": "lost", "status": "failed", "swapped_pairs": np.nan}
    return pd.DataFrame([*rows, lost])


def half_width(differences, overlap, comparisons):
    """Half of the interval, by hand: one of so many, those of all pairs of methods, that hold together."""
    error = np.sqrt((1 / len(differences) + overlap) * np.var(differences, ddof=1))
    return stats.t.ppf(1 - 0.025 / comparisons, len(differences) - 1) * error


def test_verdicts_and_intervals_by_hand(records):
    frame = best(records, EXPERIMENT).set_index("method")
    assert dict(frame["verdict"]) == {"good": "best", "near": "not clearly worse", "bad": "worse", "lost": "incomplete"}
    differences = np.subtract(ERRORS["near"], ERRORS["good"])
    near = frame.loc["near"]
    assert near["difference"] == pytest.approx(0.0025) and near["best"] == "good"
    assert near["high"] - near["difference"] == pytest.approx(half_width(differences, 50 / 100, 3))
    assert near["difference"] - near["low"] == pytest.approx(half_width(differences, 50 / 100, 3))
    assert tuple(frame.loc["lost", ["n_runs", "n_missing"]]) == (0, 4)


def test_hold_outs_from_a_larger_table_overlap_less(records):
    """Two test parts of 50 of N rows share a part of 50 / N: that is the correlation r, and r / (1 - r) the overlap."""
    differences = np.subtract(ERRORS["near"], ERRORS["good"])
    for n_rows, overlap in ((150, 50 / 100), (500, 50 / 450), (50_000, 50 / 49_950)):
        near = best(records, Experiment.of(EXPERIMENT.document, rows={"wine": n_rows})).set_index("method").loc["near"]
        assert near["high"] - near["difference"] == pytest.approx(half_width(differences, overlap, 3))
        error = np.sqrt((1 / 4 + overlap) * differences.var(ddof=1))
        assert near["p"] == pytest.approx(min(1, 3 * 2 * stats.t.sf(0.0025 / error, 3)))


def test_costs_and_parameters_of_a_method(records):
    good = best(records, EXPERIMENT).set_index("method").loc["good"]
    assert (good["seconds"], good["megabytes"], json.loads(good["params"])) == (2.5, 103.0, {"C": 1})


def test_differences_by_rounding_are_no_differences():
    """Two methods with the same errors, one of them computed as 0.1 + 0.2: neither is worse."""
    values = {"good": [0.1 + 0.2] * 4, "near": [0.3] * 4}
    rows = [
        {"dataset": "wine", "condition": "n_100", "method": method, "seed": seed, "status": "ok", "reason": ""}
        | {"n_train": 100, "n_test": 50, "swapped_pairs": error}
        | {"tune_seconds": 1.0, "fit_seconds": 1.0, "peak_megabytes": 1.0, "params": "{}"}
        for method, errors in values.items()
        for seed, error in enumerate(errors)
    ]
    frame = best(pd.DataFrame(rows), EXPERIMENT).set_index("method")
    assert dict(frame["verdict"])["good"] == "best" and dict(frame["verdict"])["near"] == "not clearly worse"


def test_of_a_gain_the_highest_is_best(records):
    """The same numbers as errors and, subtracted from 1, as gains give the same verdicts and distances."""
    gains = records.assign(concordance_index=1 - records["swapped_pairs"])
    errors = best(records, EXPERIMENT).set_index("method")
    frame = best(gains, Experiment.of(EXPERIMENT.document, metrics=["concordance_index"])).set_index("method")
    assert frame.loc["good", "mean"] == pytest.approx(1 - errors.loc["good", "mean"])
    pd.testing.assert_frame_equal(
        frame[["best", "difference", "low", "high", "p", "verdict"]],
        errors[["best", "difference", "low", "high", "p", "verdict"]],
    )


def test_the_answer_is_said_in_words(records):
    cells = best(records, EXPERIMENT)
    near = cells.set_index("method").loc["near"]
    (told,) = answers(cells, EXPERIMENT).values()
    assert told[0] == f"Good comes first: {ERROR}"
    interval = f"{100 * near['low']:.1f} to {100 * near['high']:.1f}".replace("-", "−")
    assert told[1] == f"Not clearly worse: Near (by 0.25 points, 95 % interval {interval})."
    assert told[2].startswith("Worse: Bad (by 20.5 points, 95 % interval 1")
    assert told[3].startswith("The intervals of all 3 pairs of methods hold together (Bonferroni)")
    assert told[4] == "Incomplete and not compared: Lost (0 of 4 runs, 3 absent, 1 failed)."
    assert told[5] == "Good takes 2.5 seconds and 103 megabytes for one grid search and fit."
    (axis,) = FIGURES["best"].draw({"best": cells}, EXPERIMENT, {"wine": "my_wines.csv: y"}).axes
    assert axis.get_title(loc="left") == "my_wines.csv: y: swapped pairs (fraction)"  # no subscript
    assert "incomplete: 0 of 4 runs, 3 absent, 1 failed" in [text.get_text() for text in axis.texts]


def test_a_first_place_that_may_be_chance_is_no_victory(records):
    near = records[records["method"] != "bad"]
    (told,) = answers(best(near, EXPERIMENT), EXPERIMENT).values()
    first = "No method is clearly the best. Good comes first, but the other is not clearly worse"
    assert told[0] == f"{first}: {ERROR}"
    far = records[records["method"] != "near"]
    (told,) = answers(best(far, EXPERIMENT), EXPERIMENT).values()
    assert told[0] == f"Good is best: {ERROR}"
    assert told[1].startswith("Worse: Bad (by ")
    (told,) = answers(best(records[records["method"] == "good"], EXPERIMENT), EXPERIMENT).values()
    assert told[0] == f"Only Good has enough runs: {ERROR}"


def test_the_answer_says_what_would_settle_it(records):
    """By hand: the smallest number of hold-outs whose interval, of the same spread, would lie above 0."""
    wide = records.assign(swapped_pairs=records["swapped_pairs"] + 0.04 * (records["method"] == "near"))
    wide = wide[wide["method"] != "lost"]
    cells = best(wide, EXPERIMENT)
    near = cells.set_index("method").loc["near"]
    spread = (near["high"] - near["difference"]) / half_width([0.0, 1.0, 0.0, 1.0], 0.5, 3)
    shape = np.sqrt(np.var([0.0, 1.0, 0.0, 1.0], ddof=1))

    def half(runs):
        return spread * shape * stats.t.ppf(1 - 0.025 / 3, runs - 1) * np.sqrt(1 / runs + 0.5)

    assert near["verdict"] == "not clearly worse"
    needed = next(runs for runs in range(5, 51) if half(runs) < near["difference"])
    told = next(iter(answers(cells, EXPERIMENT, {"wine": SimpleNamespace(budget=10, groups="")}).values()))
    said = f"about --budget={-(-10 * needed // 4)} ({needed} hold-outs instead of 4) would show that Near is worse."
    assert any(text.endswith(said) for text in told), told
    close = best(records, EXPERIMENT)
    told = next(iter(answers(close, EXPERIMENT, {"wine": SimpleNamespace(budget=10, groups="")}).values()))
    assert "More hold-outs of this table would not settle what is open; more rows could." in told


@pytest.mark.parametrize(("scale", "warned"), [(0.01, True), (0.1, False)])
def test_an_error_below_half_a_percent_is_doubted(records, scale, warned):
    """A column that holds the target gives such errors."""
    small = records.assign(swapped_pairs=scale * records["swapped_pairs"])
    (told,) = answers(best(small, EXPERIMENT), EXPERIMENT).values()
    assert told[1].startswith("An error so small is rare. Does a column hold the target") == warned


def test_the_overlap_is_that_of_the_mean_sizes(records):
    """Where whole groups are drawn, the sizes differ between seeds; the first one says little."""
    uneven = records.assign(n_test=records["seed"].map({0: 10, 1: 60, 2: 60, 3: 70}))  # mean 50
    even = best(records, Experiment.of(EXPERIMENT.document, rows={"wine": 150}))
    frame = best(uneven.query("status == 'ok'"), Experiment.of(EXPERIMENT.document, rows={"wine": 150}))
    numbers = ["method", "low", "high", "p", "verdict"]
    known = even["method"] != "lost"
    pd.testing.assert_frame_equal(frame.loc[known, numbers], even.loc[known, numbers])
