"""The figure of ours against a rival, on numbers that are known."""

import pandas as pd
import pytest
from checkout import ROOT

from rankbench.figures import draw_or_say
from rankbench.papers.today.kept import Kept
from rankbench.registry import FIGURES

CONCORDANCE = {"self_tuning": [0.9, 0.8], "catboost": [0.95, 0.7], "svr": [0.9, float("nan")]}


@pytest.fixture(scope="module")
def experiment():
    return Kept("contest_known_200", ROOT).experiment


def drawn(experiment, values):
    rows = [
        (table, "concordance_index", method, value)
        for method, column in values.items()
        for table, value in zip(("servo", "concrete"), column)
    ]
    frames = {"summary": pd.DataFrame(rows, columns=["dataset", "metric", "method", "mean"])}
    return draw_or_say(FIGURES["contest_duels"], frames, experiment, {"servo": "Servo", "concrete": "Concrete"})


def test_points_and_words(experiment):
    figure, text = drawn(experiment, CONCORDANCE)
    left, right = figure.axes
    assert left.get_title(loc="left") == right.get_title(loc="left") == "better on 1 of 2 tables"
    assert left.lines[1].get_xydata().round(6).tolist() == [[5, 10], [30, 20]]
    assert right.lines[1].get_xydata().round(6).tolist() == [[10, 10], [50, 20]]  # a failed run is the constant answer
    assert sorted(note.get_text() for note in left.texts) == ["Concrete", "Servo"]
    assert text.startswith("RankSearchCV is better than CatBoost on 1 of 2 tables; RankSearchCV is better than SVR")
    assert "Servo 10.0, 5.0, 10.0; Concrete 20.0, 30.0, 50.0" in text


def test_without_a_rival(experiment):
    assert drawn(experiment, {"self_tuning": [0.9, 0.8]})[1] == "Nothing to draw: no run of catboost, svr is ok."


def test_a_method_on_the_line_is_beaten_in_neither_error_nor_seconds(experiment):
    seconds = {"self_tuning": 1.0, "catboost": 10.0, "svr": 3.0}
    means = {"self_tuning": [0.9, 0.8], "catboost": [0.95, 0.85], "svr": [0.9, 0.7]}
    rows = [
        ("default", table, "concordance_index", method, mean, seconds[method])
        for method, column in means.items()
        for table, mean in zip(("servo", "concrete"), column)
    ]
    columns = ["condition", "dataset", "metric", "method", "mean", "seconds"]
    frames = {"best": pd.DataFrame(rows, columns=columns)}
    figure, text = draw_or_say(FIGURES["contest_trade"], frames, experiment, {})
    assert text.startswith(
        "On the line: RankSearchCV, CatBoost. Percent of the test pairs in the wrong order, ties half: "
    )
    assert "RankSearchCV 15.00 in 1 s; SVR, RBF 20.00 in 3 s; CatBoost 10.00 in 10 s" in text
    line = figure.axes[0].lines[0]
    assert [list(line.get_xdata()), list(line.get_ydata())] == [[1, 10], [pytest.approx(15), pytest.approx(10)]]


def test_a_trade_of_no_table(experiment):
    columns = ["condition", "dataset", "metric", "method", "mean", "seconds"]
    frames = {"best": pd.DataFrame(columns=columns)}
    assert (
        draw_or_say(FIGURES["contest_trade"], frames, experiment, {})[1]
        == "Nothing to draw: no table has runs of all methods."
    )
