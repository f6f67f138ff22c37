"""Which method is best and which are not clearly worse, on examples that were computed by hand."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.answers import answers
from rankbench.experiments.experiment import Experiment
from rankbench.figures.best import describe, draw
from rankbench.statistics.best import best
from rankbench.tables.best import render

EXPERIMENT = Experiment.of(
    {
        "datasets": {"wine": {"n_train": 100, "n_test": 50}},
        "conditions": {"n_100": {"n_train": 100}},
        "methods": {name: {"label": name.title()} for name in ("good", "near", "bad", "lost")},
        "metrics": ["swapped_pairs"],
        "seeds": 4,
    }
)
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


def test_verdicts_and_intervals_by_hand(records):
    frame = best(records, EXPERIMENT).set_index("method")
    assert dict(frame["verdict"]) == {"good": "best", "near": "not clearly worse", "bad": "worse", "lost": "no run"}
    differences = np.subtract(ERRORS["near"], ERRORS["good"])
    error = np.sqrt((1 / 4 + 50 / 100) * differences.var(ddof=1))
    near = frame.loc["near"]
    assert near["difference"] == pytest.approx(0.0025) and near["best"] == "good"
    assert near["high"] - near["difference"] == pytest.approx(stats.t.ppf(0.975, 3) * error)
    assert near["p"] == pytest.approx(2 * stats.t.sf(0.0025 / error, 3))
    assert tuple(frame.loc["lost", ["n_runs", "n_missing"]]) == (0, 4)


def test_hold_outs_from_a_larger_table_overlap_less(records):
    """Two test parts of 50 of N rows share a part of 50 / N: that is the correlation r, and r / (1 - r) the overlap."""
    differences = np.subtract(ERRORS["near"], ERRORS["good"])
    for n_rows, overlap in ((150, 50 / 100), (500, 50 / 450), (50_000, 50 / 49_950)):
        datasets = {"wine": {"n_train": 100, "n_test": 50, "n_rows": n_rows}}
        near = best(records, Experiment.of(EXPERIMENT.document, datasets=datasets)).set_index("method").loc["near"]
        error = np.sqrt((1 / 4 + overlap) * differences.var(ddof=1))
        assert near["high"] - near["difference"] == pytest.approx(stats.t.ppf(0.975, 3) * error)
        assert near["p"] == pytest.approx(2 * stats.t.sf(0.0025 / error, 3))


def test_costs_and_parameters_of_a_method(records):
    good = best(records, EXPERIMENT).set_index("method").loc["good"]
    assert (good["seconds"], good["megabytes"], json.loads(good["params"])) == (2.5, 103.0, {"C": 1})


def test_p_values_are_adjusted_by_holm(records):
    frame = best(records, EXPERIMENT).set_index("method")
    differences = np.subtract(ERRORS["bad"], ERRORS["good"])
    error = np.sqrt((1 / 4 + 50 / 100) * differences.var(ddof=1))
    assert frame.loc["bad", "p"] == pytest.approx(2 * 2 * stats.t.sf(differences.mean() / error, 3))
    assert frame.loc[["good", "lost"], "p"].isna().all()


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
    assert told[0] == "Good is best: swapped pairs (fraction) 0.1150."
    interval = f"{near['low']:.4f} to {near['high']:.4f}".replace("-", "−")
    assert told[1] == f"Not clearly worse: Near (by 0.0025, 95 % interval {interval})."
    assert told[2].startswith("Worse: Bad (by 0.2050, 95 % interval 0.1") and told[3].endswith("run: Lost.")
    assert told[4] == "Good takes 2.5 seconds and 103 megabytes for one grid search and fit."
    frames = {"best": cells}
    drawn = "Wine: how far each method is behind the best, Good; not clearly worse: Near."
    assert describe(frames, EXPERIMENT, {"wine": "Wine"}) == drawn
    (axis,) = draw(frames, EXPERIMENT, {"wine": "my_wines.csv: y"}).axes
    assert axis.get_title(loc="left") == "my_wines.csv: y: swapped pairs (fraction)"  # no subscript


def test_a_first_place_that_may_be_chance_is_no_victory(records):
    near = records[records["method"] != "bad"]
    (told,) = answers(best(near, EXPERIMENT), EXPERIMENT).values()
    first = "No method is clearly the best. Good comes first (swapped pairs (fraction) 0.1150)"
    assert told[0] == f"{first}, but none of the others is clearly worse."
    (told,) = answers(best(records[records["method"] == "good"], EXPERIMENT), EXPERIMENT).values()
    assert told[0] == "Good is best: swapped pairs (fraction) 0.1150."


def test_a_far_cheaper_one_and_other_metrics_have_a_sentence(records):
    cheap = records["method"] == "near"
    records = records.assign(concordance_index=1 - records["swapped_pairs"])
    for seconds in ("tune_seconds", "fit_seconds"):
        records[seconds] = records[seconds].where(~cheap, 0.1)
    asked = Experiment.of(EXPERIMENT.document, metrics=["swapped_pairs", "concordance_index"])
    (told,) = answers(best(records, asked), asked).values()
    assert "Near, which is not clearly worse, takes 0.2 seconds" in told[-2]
    assert told[-1] == "By concordance index: Good (0.8850); not clearly worse: Near."


def test_many_that_are_alike_are_not_listed_twice(records):
    alike = records.assign(status="ok", swapped_pairs=0.1 + 0.01 * (records["seed"] % 2)).fillna(0.1)
    rows = [alike[alike["method"] == "good"].assign(method=method) for method in EXPERIMENT.methods]
    gains = pd.concat(rows).assign(concordance_index=0.9)
    asked = Experiment.of(EXPERIMENT.document, metrics=["swapped_pairs", "concordance_index"])
    (told,) = answers(best(gains, asked), asked).values()
    assert told[-1] == "By concordance index: Good (0.9000); not clearly worse: all others."


def test_the_table_has_one_row_for_each_method(records):
    records = records.assign(concordance_index=1 - records["swapped_pairs"])
    asked = Experiment.of(EXPERIMENT.document, metrics=["swapped_pairs", "concordance_index"])
    texts = render({"best": best(records, asked)}, asked, {})
    heads = [line for line in texts["html"].splitlines() if line.startswith("<tr><th") and "rowspan" in line]
    assert heads[0].index("Method") < heads[0].index("Verdict") < heads[0].index("Swapped pairs")
    rows = texts["md"].splitlines()
    assert [row.split("|")[1].strip() for row in rows[2:6]] == ["Good", "Near", "Bad", "Lost"]
    assert "**0.1150**" in rows[2] and "**0.8850**" in rows[2] and "no run" in rows[5]


def test_no_run_is_said(records):
    frames = {"best": best(records.assign(status="failed", swapped_pairs=np.nan), EXPERIMENT)}
    assert answers(frames["best"], EXPERIMENT) == {"wine": ["No run succeeded."]}
    assert "no run" in render(frames, EXPERIMENT, {})["md"]
