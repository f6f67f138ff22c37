"""A program is shown only of the method that was compared; the ratings of battles are those of the library."""

from types import SimpleNamespace

import numpy as np
import pytest

from rankbench.compare.report import _is_usual, leaderboard
from rankbench.datasets.table import Table, save_table
from rankbench.experiments.experiment import Experiment
from rankmargin.ratings import bradley_terry

USUAL = {"scaling": "standard", "nominal": "onehot"}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"preprocess": {"scaling": "minmax", "nominal": "onehot"}},
        {"preprocess": USUAL | {"target": "standardised"}, "methods": {"svr": {"uses": "sklearn.svm.SVR"}}},
        {"conditions": {"all": {"params": {"C": 2}}}},
        {"datasets": {"wine": {"n_train": 8, "n_test": 4, "params": {"C": 2}}}},
        {"conditions": {"all": {"preprocess": {"scaling": "none"}}}},
        {"datasets": {"wine": {"n_train": 8, "n_test": 4, "attributes": ["a"]}}},
        {"methods": {"svr": {"uses": "sklearn.svm.SVR", "attributes": ["a"]}}},
    ],
    ids=str,
)
def test_there_is_a_program_only_where_it_is_what_was_compared(changed):
    usual = {
        "datasets": {"wine": {"n_train": 8, "n_test": 4}},
        "conditions": {"all": {}},
        "methods": {"svr": {"uses": "sklearn.svm.SVR", "preprocess": {"target": "standardised"}}},
        "preprocess": USUAL,
    }
    experiment = Experiment.of(usual | changed)
    row = SimpleNamespace(dataset="wine", method="svr")
    assert _is_usual(experiment, row, experiment.conditions["all"]) == (not changed)


@pytest.mark.parametrize("separated", [False, True])
def test_the_ratings_of_battles(separated, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.permuted(np.tile(np.arange(4.0), (200, 1)), axis=1)[:, :2]
    y = rng.choice([-1.0, 0.0, 1.0], 200)
    y[(X == 3).any(axis=1) & separated] = 0
    y = np.where(separated & (X[:, 0] == 3), -1.0, np.where(separated & (X[:, 1] == 3), 1.0, y))
    names = ("d", "c", "b", "a")
    save_table(tmp_path / "t.npz", Table(X, y, ("item",), (names,), kind="pairs", blocks=np.arange(200.0)))
    *_, said = leaderboard(tmp_path / "t.npz")
    players = np.array(names)[X.astype(int)]
    board = bradley_terry(players[:, 0], players[:, 1], (y == -1) + 0.5 * (y == 0), prior=float(separated))
    assert said == str(board) and said.splitlines()[1].startswith("a" if separated else str(board.table()["player"][0]))
