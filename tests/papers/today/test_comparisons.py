"""Comparisons in the contest: readers of games and choices, the methods, and what is measured."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import shipped
from packed_frame import packed

from rankbench.experiments.measures import METRICS, measure
from rankbench.experiments.methods import fit_method
from rankbench.papers.today.readers.comparisons import read
from rankmargin.metrics import concordance_index

pytestmark = pytest.mark.filterwarnings("ignore::rankmargin.caller.HintWarning")  # as in a run
TEAMS = [f"team {letter}" for letter in "abcdefghijklmnopqr"]
CHOICES = {
    "id": [7, 7, 5],
    "price.tea": [3.0, 2.0, 1.0],
    "price.milk": [2.0, 2.5, 4.0],
    "price.water": [0.0, 0.0, 0.5],
    "ad.tea": [1, 0, 0],
    "age": [30, 30, 60],
    "choice": ["water", "milk", "tea"],
}


@pytest.fixture
def made(tmp_path):
    """A table of a data frame, by the reader of comparisons."""

    def to(columns, target, groups=""):
        frame = pd.DataFrame({name: pd.Series(of, dtype=object) for name, of in columns.items()}).infer_objects()
        frame = frame.astype({name: object for name in frame if frame[name].dtype.kind not in "if"})
        frame.columns = pd.Index(list(frame.columns), dtype=object)
        (tmp_path / "toy.pkl.compress").write_bytes(packed(frame))
        row = shipped.sheet()["r_train_choice"]
        return read(tmp_path / "toy.pkl.compress", replace(row, target=target, groups=groups))

    return to


def test_a_choice_is_compared_with_each_other_option(made):
    table = made(CHOICES, "choice", groups="id")
    assert table.attributes == ("name", "price") and table.levels == (("milk", "tea", "water"), ())
    expected = [  # milk and water, tea and water; milk and tea, milk and water; milk and tea, tea and water
        [0, 2.0, 2, 0.0, 1],
        [1, 3.0, 2, 0.0, 1],
        [0, 2.5, 1, 2.0, -1],
        [0, 2.5, 2, 0.0, -1],
        [0, 4.0, 1, 1.0, 1],
        [1, 1.0, 2, 0.5, -1],
    ]
    np.testing.assert_array_equal(np.column_stack([table.X, table.y]), expected)
    assert table.blocks.tolist() == [1, 1, 1, 1, 0, 0]


def test_hold_outs_of_games_are_the_last_whole_seasons_in_the_order_of_time(made):
    pairs = [(home, away) for home in TEAMS for away in TEAMS if home != away]
    rows = [(2000 + season, home, away) for season in range(3) for home, away in pairs]
    rows = [row for row in rows if row[0] != 2001 or row[1] != "team a"]  # no whole season
    games = pd.DataFrame(rows, columns=["Year", "HomeTeam", "AwayTeam"])
    games["Date"] = [f"{year}-{at:04d}" for at, year in enumerate(games["Year"])]
    games["HomeGoals"], games["AwayGoals"] = np.arange(len(games)) % 3, 1
    backwards = games.iloc[::-1].to_dict("list")
    table = made(backwards, "HomeGoals")
    assert table.attributes == ("name", "home") and table.levels == (tuple(TEAMS), ())
    np.testing.assert_array_equal(table.X[:2], [[0, 1, 1, 0], [0, 1, 2, 0]])
    np.testing.assert_array_equal(table.y[:3], [1, 0, -1])
    before = len(games) - 306
    assert [np.flatnonzero(of).tolist() for of in table.partitions] == [[*range(before, before + 230)], [*range(230)]]


RNG = np.random.default_rng(0)
FEATURES = np.hstack([RNG.standard_normal((160, 2)), RNG.standard_normal((160, 2))])
SCORE = (FEATURES[:, 2:] - FEATURES[:, :2]) @ [2.0, -1.0] + RNG.logistic(size=160)
Y = {"ties": np.sign(SCORE) * (abs(SCORE) > 0.7), "no ties": np.sign(SCORE)}
SKILL = np.linspace(-2, 2, 8)
GAMES = np.array([RNG.permutation(8)[:2] for _ in range(400)])
LEAD = SKILL[GAMES[:, 1]] - SKILL[GAMES[:, 0]] + RNG.logistic(size=400)
RIVALS = {"LightGBM": "lightgbm", "CatBoost": "catboost"}
LEARNERS = {
    "Margins": {"kernel": "linear"},
    "BradleyTerry": {},
    "Logistic": {},
    "LightGBM": {},
    "CatBoost": {"iterations": 50},
}


def loss_and_model(name, X, y, **params):
    """The log loss on the second half of the pairs, and the model that learned from the first."""
    pytest.importorskip(RIVALS.get(name, "numpy"))
    half = len(y) // 2
    uses = f"rankbench.papers.today.methods.comparisons.{name}"
    (model,) = fit_method(uses, X[:half], y[:half], [None], seed=3, params=params)
    return measure(METRICS["comparison_log_loss"], y[half:], model, X[half:]), model


@pytest.mark.parametrize("ties", Y)
@pytest.mark.parametrize("name", LEARNERS)
def test_who_is_named_first_does_not_matter_and_something_is_learned(name, ties):
    loss, model = loss_and_model(name, FEATURES, Y[ties], **LEARNERS[name])
    said = model.probabilities(FEATURES)
    turned = model.probabilities(np.hstack(np.hsplit(FEATURES, 2)[::-1]))
    np.testing.assert_allclose(said, turned[:, ::-1], atol=1e-4)
    np.testing.assert_allclose(said.sum(axis=1), 1)
    assert np.all(said[:, 1] == 0) == (ties == "no ties")
    assert loss < loss_and_model("Shares", FEATURES, Y[ties])[0] - 0.1
    assert np.mean(model.labels(FEATURES) == Y[ties]) > 0.6
    assert concordance_index(Y[ties], model.scores(FEATURES)) > 0.75


@pytest.mark.parametrize("ties", Y)
def test_a_search_of_ours_says_probabilities_of_comparisons_with_and_without_ties(ties):
    loss, _ = loss_and_model("Margins", FEATURES, Y[ties], search=True)
    assert loss < loss_and_model("Shares", FEATURES, Y[ties])[0] - 0.1


@pytest.mark.parametrize("name", ["Elo", "Glicko"])
def test_ratings_know_who_they_have_seen_and_where(name):
    X, y = GAMES.astype(float), np.sign(LEAD - 1.0) * (abs(LEAD - 1.0) > 0.5)  # the first is at home
    loss, model = loss_and_model(name, X, y, advantage=100.0)
    assert loss < loss_and_model("Shares", X, y)[0] - 0.05
    unknown = model.probabilities(np.array([[90.0, 91.0], [91.0, 90.0]]))
    np.testing.assert_allclose(unknown[0], unknown[1])
    assert unknown[0, 0] > unknown[0, 2], "nothing is known but the place"
    assert np.argmax(model.scores(np.column_stack([np.zeros(8), np.arange(8)]))) >= 6


def test_the_constant_answer_is_the_share_of_each_outcome():
    loss, model = loss_and_model("Shares", np.zeros((8, 2)), np.array([1, 1, 0, -1, 1, 0, 0, -1.0]))
    assert model.probabilities(np.zeros((1, 2))).tolist() == [[2 / 7, 2 / 7, 3 / 7]]
    assert loss == pytest.approx(-np.mean(np.log([3 / 7, 2 / 7, 2 / 7, 2 / 7])))


def test_a_log_loss_is_finite():
    said = np.array([[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]])
    assert METRICS["comparison_log_loss"]([1, 0], said) == pytest.approx(-np.mean(np.log([1e-6, 0.25])))
