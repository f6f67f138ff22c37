"""What searches did, counted by hand."""

import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.statistics.searches import searches

EXPERIMENT = Experiment.of(
    {
        "datasets": {"servo": {}},
        "conditions": {"default": {}},
        "methods": {
            name: {"uses": "m", "label": name, "params": {}, "grid": {}} | more
            for name, more in {"svm": {}, "trees": {}, "fixed": {}, "blind": {"baseline": True}}.items()
        },
        "seeds": 5,
        "metrics": ["swapped_pairs"],
    }
)


def run(method, seed, edges="", tried=60, drawn=60, status="ok", seconds=1.0):
    cell = {"dataset": "servo", "condition": "default", "method": method, "seed": seed, "status": status}
    return cell | {
        "edges": edges,
        "n_settings": tried - 1,
        "n_failed": 1,
        "n_drawn": drawn,
        "tune_seconds": seconds,
        "swapped_pairs": 0.1,
    }


def rows(*runs):
    return searches(pd.DataFrame(list(runs)), EXPERIMENT).set_index("method")


def test_shares_are_those_of_the_finished_searches():
    found = rows(
        run("svm", 0, "C high, gamma low"),
        run("svm", 1, "C high", tried=30, seconds=3.0),
        run("svm", 2),
        run("svm", 3),
        run("svm", 4, "C low", status="failed"),
        run("fixed", 0, tried=1, drawn=1),
        run("blind", 0, "C low"),
    )
    assert list(found.index) == ["svm"], "others had nothing to choose, or are no rivals"
    svm = found.loc["svm"]
    assert (svm["n_runs"], svm["settings"], svm["cut"], svm["seconds"]) == (4, 51.5, 0.25, 1.0)
    assert (svm["at_edge"], svm["edges"], svm["ready"]) == (0.5, "2 x C high, 1 x gamma low", False)


@pytest.mark.parametrize(("n_at_edge", "ready"), [(1, True), (2, False)])
def test_more_than_a_quarter_at_an_edge_is_not_ready(n_at_edge, ready):
    found = rows(*(run("trees", seed, "depth high" if seed < n_at_edge else "") for seed in range(4)))
    assert found.loc["trees", "ready"] == ready
