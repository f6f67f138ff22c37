"""Averages of ranks with our method against a rival alone, ours alone, and two rivals, by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.compare.adding import adding
from rankbench.compare.answers import answers
from rankbench.experiments.experiment import Experiment
from rankbench.statistics.best import best

METHODS = {
    "all_pairs": "SwappedPairsSVM",
    "self_tuning": "rankbench.papers.today.methods.self_tuning.SelfTuning",
    "ridge": "sklearn.linear_model.Ridge",
    "forest": "sklearn.ensemble.RandomForestRegressor",
    "svr": "sklearn.svm.SVR",
}
EXPERIMENT = Experiment.of(
    {
        "datasets": {"wine": {"n_train": 8, "n_test": 4}},
        "conditions": {"all": {}},
        "methods": {name: {"label": name.title(), "uses": uses} for name, uses in METHODS.items()},
        "metrics": ["swapped_pairs"],
        "seeds": 3,
    }
)
# Scores of four rows with targets 1 to 4, of each hold-out; the rows are wrong where neighbours are exchanged.
RIGHT, ONE, OTHER, FAR = [1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 3.0, 4.0], [10.0, 20.0, 40.0, 30.0], [4.0, 2.0, 3.0, 1.0]
SCORES = {
    "all_pairs": [RIGHT, RIGHT, RIGHT],
    "self_tuning": [OTHER, RIGHT, OTHER],
    "ridge": [FAR, FAR, FAR],
    "forest": [ONE, ONE, RIGHT],
    "svr": [ONE, FAR, ONE],
}


def frame(scores):
    return pd.DataFrame(
        [
            ("wine", "all", method, seed, 10 * seed + row, row + 1.0, score)
            for method, holdouts in scores.items()
            for seed, of_rows in enumerate(holdouts)
            for row, score in enumerate(of_rows)
        ],
        columns=["dataset", "condition", "method", "seed", "row", "y", "score"],
    )


def swapped(scores):
    """The share of the six pairs that are swapped; equal scores count as swapped."""
    return np.mean([scores[i] >= scores[j] for j in range(4) for i in range(j)])


def averaged(*methods):
    """The errors of averages of ranks, of each hold-out."""
    return np.array([swapped(sum(stats.rankdata(SCORES[name][seed]) for name in methods)) for seed in range(3)])


def test_differences_and_intervals_by_hand():
    """The forest is the best rival, SVR the second; the SVM over all pairs is ours, however good it is."""
    cells = adding(frame(SCORES), EXPERIMENT)
    assert cells["methods"].tolist() == ["self_tuning + forest"] * 3
    assert cells["control"].tolist() == ["forest", "self_tuning", "forest + svr"]
    ours = averaged("self_tuning", "forest")
    assert ours.tolist() == [2 / 6, 1 / 6, 1 / 6]
    for cell, control in zip(cells.itertuples(), (("forest",), ("self_tuning",), ("forest", "svr"))):
        differences = ours - averaged(*control)
        error = np.sqrt((1 / 3 + 4 / 8) * np.var(differences, ddof=1))  # test parts of 4 of 12 rows
        assert cell.error == pytest.approx(ours.mean()) and cell.n_runs == 3
        assert cell.difference == pytest.approx(differences.mean())
        half = stats.t.ppf(1 - 0.025 / 3, 2) * error
        assert (cell.low, cell.high) == pytest.approx((differences.mean() - half, differences.mean() + half))


@pytest.mark.parametrize("lost", ["self_tuning", "forest"])
def test_a_method_without_a_hold_out_is_in_no_average(lost):
    scores = frame(SCORES)
    cells = adding(scores[(scores["method"] != lost) | (scores["seed"] != 1)], EXPERIMENT)
    assert cells["methods"].tolist() == ([] if lost == "self_tuning" else ["self_tuning + svr"] * 3)


def cells_of(scores, methods=METHODS):
    """The statistic ``best`` of these scores."""
    rows = [
        {"dataset": "wine", "condition": "all", "method": method, "seed": seed, "status": "ok", "reason": ""}
        | {"n_train": 8, "n_test": 4, "swapped_pairs": swapped(of_rows), "tune_seconds": 1.0, "fit_seconds": 1.0}
        | {"peak_megabytes": 100.0, "params": "{}"}
        for method, holdouts in scores.items()
        if method in methods
        for seed, of_rows in enumerate(holdouts)
    ]
    return best(pd.DataFrame(rows), EXPERIMENT)


def told_of(cells, added):
    """The paragraph on averages."""
    (paragraphs,) = answers(cells, EXPERIMENT, added).values()
    (told,) = [text for text in paragraphs if text.startswith("The average of the ranks")]
    return told


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.3, -0.1, "it is better"),
        (0.1, 0.3, "it is worse"),
        (-0.1, 0.3, "not clear"),
        (np.nan, np.nan, "with no interval"),  # of one hold-out
    ],
)
def test_the_answer_says_whether_the_average_is_better(low, high, said):
    told = told_of(cells_of(SCORES), adding(frame(SCORES), EXPERIMENT).assign(low=low, high=high))
    best_other = "Forest, the best method of another library that finished all hold-outs, has"
    assert told.startswith(f"The average of the ranks by Self_Tuning and by {best_other}")
    assert told.count(said) == 3 and "0.2222. Against Forest alone, " in told
    assert "; against Self_Tuning alone, " in told and "; against the average of Forest and Svr, " in told


def test_the_answer_names_the_best_of_averages_and_methods_alone():
    """An average that loses against a method alone is not left to stand as the last word."""
    all_pairs = told_of(cells_of(SCORES), adding(frame(SCORES), EXPERIMENT))
    assert all_pairs.endswith("Of these averages and all methods alone, All_Pairs alone comes first: 0.0000.")
    scores = SCORES | {"all_pairs": [FAR, FAR, FAR]}
    # Ours and the forest alone swap 1/6, 0, 1/6 and 1/6, 1/6, 0 of the pairs, so both 0.1111, their average 0.2222.
    told = told_of(cells_of(scores), adding(frame(scores), EXPERIMENT))
    assert told.endswith("Self_Tuning alone comes first: 0.1111.")
    # Where a method lacks a run, the means of methods alone are over other hold-outs than those of the averages.
    told = told_of(cells_of(SCORES).assign(n_runs=2), adding(frame(SCORES), EXPERIMENT))
    assert told.endswith("Of these averages and their methods alone, Forest alone comes first: 0.1111.")


def test_an_average_may_be_the_best():
    """Each member swaps one pair; where they disagree, the average of the ranks is right."""
    one, two = [1.0, 3.0, 2.0, 4.5], [1.0, 2.0, 4.0, 3.0]
    scores = {"self_tuning": [one] * 3, "ridge": [two] * 3, "forest": [FAR] * 3}
    added = adding(frame(scores), EXPERIMENT)
    pair = sum(stats.rankdata(row) for row in (one, two))
    assert added["error"].tolist() == pytest.approx([swapped(pair)] * 3)
    better = added.assign(error=0.1, difference=-0.05)
    told = told_of(cells_of(scores), better)
    assert told.endswith("the average of Self_Tuning and Ridge comes first: 0.1000.")
