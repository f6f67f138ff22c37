"""The average of two methods, counted by hand."""

import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.papers.today.averages import averages

PROTOCOL = {
    "datasets": {"servo": {}},
    "conditions": {"default": {}},
    "methods": {
        name: {"uses": "m", "label": name, "params": {}, "grid": {}} | more
        for name, more in {"svm": {}, "trees": {}, "blind": {"baseline": True}}.items()
    },
    "seeds": 2,
    "metrics": ["concordance_index", "swapped_pairs"],
    "outputs": {"statistics": ["averages", "summary"], "tables": [], "figures": []},
}
Y = [1.0, 2.0, 3.0]
SCORES = {"svm": [0.1, 0.3, 0.2], "trees": [-5.0, -6.0, 900.0], "blind": [0.0, 0.0, 0.0]}


def scores(*runs):
    rows = [
        {
            "dataset": "servo",
            "condition": "default",
            "method": method,
            "seed": seed,
            "row": 9 - at,
            "y": y,
            "score": score,
        }
        for method, seed in runs
        for at, (y, score) in enumerate(zip(Y, SCORES[method], strict=True))
    ]
    frame = pd.DataFrame(rows)
    return frame.astype({"dataset": "category", "condition": "category", "method": "category"})


def judged(*runs):
    found = averages(scores(*runs), Experiment.of(PROTOCOL))
    assert set(found["metric"]) == {"concordance_index"}, "the one by which parameters were chosen"
    return found.set_index(["method", "other", "seed"])["value"].to_dict()


def test_ranks_are_averaged_and_not_scores():
    """Ranks 1 3 2 and 2 1 3 are 1.5, 2 and 2.5 on average, in the right order. Scores would give 2 of 3 pairs."""
    found = judged(("svm", 0), ("trees", 0))
    assert found == {
        ("svm", "svm", 0): pytest.approx(2 / 3),
        ("svm", "trees", 0): 1.0,
        ("trees", "trees", 0): pytest.approx(2 / 3),
    }


def test_a_hold_out_that_one_has_not_finished_is_left_out_for_the_pair():
    found = judged(("svm", 0), ("trees", 0), ("svm", 1), ("blind", 1))
    assert [pair for pair in found if pair[2] == 1] == [("svm", "svm", 1)]


def test_ranks_of_different_groups_are_not_averaged():
    grouped = Experiment.of({**PROTOCOL, "datasets": {"servo": {"split": "groups"}}})
    with pytest.raises(ValueError, match="servo with split: groups"):
        averages(scores(("svm", 0)), grouped)
