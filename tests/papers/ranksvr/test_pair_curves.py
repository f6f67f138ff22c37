"""Error against the number of ordered pairs."""

import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.registry import FIGURES

FIGURE = FIGURES["pair_curves"]
EXPERIMENT = Experiment.of(
    {
        "datasets": {"boston": {}},
        "conditions": {"k50": {"n_pairs": 50}, "k05": {"n_pairs": 5}, "half": {"n_pairs": 5, "wrong_pairs": 0.5}},
        "methods": {"svr": {"label": "SVR"}, "random": {"label": "Random"}},
        "reference_method": "svr",
    }
)


def ratios(conditions):
    values = {"k05": 0.9, "k50": 0.8, "half": 1.1}
    rows = [("boston", c, "random", values[c], values[c] - 0.05, values[c] + 0.05) for c in conditions]
    frame = pd.DataFrame(rows, columns=["dataset", "condition", "method", "ratio", "low", "high"])
    return {"ratios": frame.assign(n_pairs=30, shortfall="")}


def test_a_panel_holds_the_conditions_of_one_share_in_the_order_of_pairs():
    figure = FIGURE.draw(ratios(["k50", "k05", "half"]), EXPERIMENT, {"boston": "Boston"})
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["Boston, 0% wrong", "Boston, 50% wrong"]
    curve = figure.axes[0].lines[1]
    assert list(curve.get_xdata()) == [5, 50] and list(curve.get_ydata()) == [0.9, 0.8]
    assert list(figure.axes[0].lines[0].get_ydata()) == [1, 1]


def test_without_wrong_pairs_the_title_does_not_speak_of_them():
    figure = FIGURE.draw(ratios(["k50", "k05"]), EXPERIMENT, {"boston": "Boston"})
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["Boston"]
    assert figure.get_supxlabel() == "bands: 95 percent intervals, paired over the seeds"


def test_the_sentence_has_the_values_at_the_most_pairs():
    text = FIGURE.describe(ratios(["k50", "k05"]), EXPERIMENT, {"boston": "Boston"})
    assert text == (
        "Error as a multiple of that of SVR, with 50 pairs. Boston: Random 0.800. "
        "Bands: 95 percent intervals, paired over the seeds."
    )


def test_conditions_without_pairs_are_refused():
    experiment = Experiment.of(EXPERIMENT.document, conditions={"k50": {"n_pairs": 50}, "default": {}})
    with pytest.raises(ValueError, match=r"conditions must set n_pairs .* got none in \['default'\]"):
        FIGURE.draw(ratios(["k50"]), experiment, {})


def test_each_margin_has_its_panels_and_many_are_counted():
    sets = {f"set{at}": {} for at in range(4)}
    margins = {"m01": 0.1, "m1": 1}
    conditions = {f"{m}_k{k}": {"n_pairs": k, "params": {"margin": margins[m]}} for m in margins for k in (5, 50)}
    methods = {**EXPERIMENT.methods, "close_pair": {"label": "ClosePair"}}
    experiment = Experiment.of(EXPERIMENT.document, datasets=sets, conditions=conditions, methods=methods)
    rows = [(d, c, m, 0.5, 0.4, 0.6) for d in sets for c in conditions for m in ("random", "close_pair")]
    frame = pd.DataFrame(rows, columns=["dataset", "condition", "method", "ratio", "low", "high"])
    frame = frame.assign(n_pairs=30, shortfall="")
    frame.loc[(frame["method"] == "close_pair") & (frame["condition"] == "m1_k50"), "ratio"] = 0.1
    figure = FIGURE.draw({"ratios": frame}, experiment, {})
    titles = [axis.get_title(loc="left") for axis in figure.axes]
    assert titles == [f"{d}, margin {m}" for m in (0.1, 1) for d in sets]
    assert {axis.get_yscale() for axis in figure.axes} == {"log"}
    text = FIGURE.describe({"ratios": frame}, experiment, {})
    assert "margin 0.1: the lowest of 4 data sets: Random on 4, ClosePair on 0" in text
    assert "margin 1: the lowest of 4 data sets: Random on 0, ClosePair on 4." in text
