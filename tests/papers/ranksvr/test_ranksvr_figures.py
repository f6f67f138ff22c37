"""Figures of the studies: one dimension, costs, growth; and error against the share of wrong pairs."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.figures.growth import Panel, describe_growth, draw_growth
from rankbench.papers.ranksvr.studies import one_dimension_curves, one_dimension_errors
from rankbench.registry import FIGURES

PARAMS = {"C": 10, "C_rank": 1, "gamma": 30, "epsilon": 0.01}


def titles_of(figure):
    return [axis.get_title(loc="left") for axis in figure.axes]


@pytest.fixture(scope="module")
def one_dimension():
    frames = {
        "one_dimension_curves": one_dimension_curves({}, {}, draw=0, margin=0.1, params=PARAMS),
        "one_dimension_errors": one_dimension_errors({}, {}, draws=3, margins=[0.1], params=PARAMS),
    }
    return frames, Experiment.of({"studies": {"one_dimension_curves": {"draw": 0, "margin": 0.1}}})


def test_every_scene_has_its_panel_with_its_mean_error(one_dimension):
    frames, experiment = one_dimension
    figure = FIGURES["one_dimension"].draw(frames, experiment, {})
    axes = [axis for part in figure.subfigs for axis in part.axes]
    assert len(axes) == 6 and axes[1].get_title(loc="left").startswith("Figure 1b: 10 random pairs")
    assert len(axes[0].lines) == 3 + 3 + 1 and len(axes[1].lines) == 3 + 10 + 1
    few = frames["one_dimension_errors"].query("scene == 'fig1_few'")
    assert axes[0].texts[0].get_text() == (
        f"mean error of 3 draws: SVR {few['svr_error'].mean():.2f}, RankSVR {few['ranksvr_error'].mean():.2f}"
    )
    assert "Figure 2b: 3 short pairs: " in FIGURES["one_dimension"].describe(frames, experiment, {})


def test_errors_at_another_margin_than_the_curves_are_refused(one_dimension):
    frames, _ = one_dimension
    experiment = Experiment.of({"studies": {"one_dimension_curves": {"draw": 0, "margin": 0.5}}})
    with pytest.raises(ValueError, match=r"must hold scene fig1_few at the margin 0\.5 of the curves"):
        FIGURES["one_dimension"].draw(frames, experiment, {})


def test_a_cost_map_has_a_number_a_cell():
    rows = [(d, C, R, s, C * R + s) for d in ("a", "b") for C in (1, 2) for R in (0.1, 1, 10) for s in (0, 1)]
    frames = {"cost_sweep": pd.DataFrame(rows, columns=["dataset", "C", "C_rank", "seed", "error"])}
    figure = FIGURES["cost_map"].draw(frames, {}, {"a": "Linear"})
    assert titles_of(figure) == ["Linear", "b"]
    assert [text.get_text() for text in figure.axes[0].texts] == ["0.60", "1.50", "10.50", "0.70", "2.50", "20.50"]
    text = FIGURES["cost_map"].describe(frames, {}, {"a": "Linear"})
    assert "Linear: from 0.60 (C 1, C_rank 0.1) to 20.50 (C 2, C_rank 10)" in text


def test_growth_names_each_series_with_its_slope():
    sizes = np.array([10, 100, 1000])
    frame = pd.DataFrame(
        {
            "series": ["square"] * 3 + ["line"] * 3,
            "size": [*sizes, *sizes],
            "value": [*(sizes**2.0), *(3.0 * sizes)],
        }
    )
    panels = [Panel("examples", "seconds", frame)]
    (axis,) = draw_growth(panels).axes
    assert {text.get_text() for text in axis.texts} == {"square: slope 2.00", "line: slope 1.00"}
    assert axis.get_xlabel() == "examples" and axis.get_ylabel() == "seconds"
    assert "line, 3e+03 seconds at 1,000 examples: 1.00" in describe_growth(panels)


def test_the_growth_of_ranksvr_reads_its_studies():
    sizes = [10, 20, 40]
    frames = {
        "training_seconds": pd.DataFrame({"margin": 1.0, "n_pairs": sizes, "seconds": [1.0, 2, 4]}),
        "norm_seconds": pd.DataFrame({"form": "1-norm", "n": sizes, "seconds": [1.0, 4, 16]}),
    }
    text = FIGURES["ranksvr_growth"].describe(frames, {}, {})
    assert "margin 1, 4 processor seconds at 40 ordered pairs: 1.00" in text
    figure = FIGURES["ranksvr_growth"].draw(frames, {}, {})
    assert len(figure.axes) == 2


WRONG = Experiment.of(
    {
        "datasets": {"boston": {}},
        "conditions": {f"k{k}_w{w}": {"n_pairs": k, "wrong_pairs": w / 10} for k in (5, 500) for w in (0, 2, 5)},
        "methods": {"svr": {"label": "SVR"}, "narrow": {"label": "margin 0.1"}, "wide": {"label": "margin 1"}},
        "reference_method": "svr",
    }
)


def ratios():
    rows = []
    for name, condition in WRONG.conditions.items():
        ratio = 0.75 + condition.wrong_pairs * (1 if condition.n_pairs == 5 else 0.5)
        rows += [("boston", name, method, ratio, ratio - 0.1, ratio + 0.1) for method in ("narrow", "wide")]
    frame = pd.DataFrame(rows, columns=["dataset", "condition", "method", "ratio", "low", "high"])
    return {"ratios": frame.assign(n_pairs=30, shortfall="")}


def test_wrong_pairs_say_up_to_where_orderings_help():
    figure = FIGURES["wrong_pairs"].draw(ratios(), WRONG, {"boston": "Boston"})
    assert titles_of(figure) == ["Boston, margin 0.1", "Boston, margin 1"]
    assert list(figure.axes[0].lines[1].get_xdata()) == [0, 20, 50]
    assert {text.get_text() for text in figure.axes[1].texts} == {"5 pairs", "500 pairs"}
    text = FIGURES["wrong_pairs"].describe(ratios(), WRONG, {"boston": "Boston"})
    assert "Boston, margin 1: 5 pairs to 0 percent, 500 pairs to 20 percent" in text
    assert text.endswith(" Bands: 95 percent intervals, paired over the seeds.")
    assert figure.get_supxlabel() == "bands: 95 percent intervals, paired over the seeds"


def test_lines_are_named_where_the_last_method_has_none():
    experiment = Experiment.of(WRONG.document, datasets={"boston": {}, "other": {}})
    frame = ratios()["ratios"]
    frame = pd.concat([frame, frame[frame["method"] == "narrow"].assign(dataset="other")])
    *_, narrow, wide = FIGURES["wrong_pairs"].draw({"ratios": frame}, experiment, {}).axes
    assert {text.get_text() for text in narrow.texts} == {"5 pairs", "500 pairs"} and not wide.texts


def test_conditions_without_a_share_of_wrong_pairs_are_refused():
    experiment = Experiment.of(WRONG.document, conditions={**WRONG.conditions, "plain": {"n_pairs": 5}})
    with pytest.raises(ValueError, match=r"conditions must set wrong_pairs .* got none in \['plain'\]"):
        FIGURES["wrong_pairs"].draw(ratios(), experiment, {})


def test_error_ratios_stand_beside_the_printed_ones():
    experiment = Experiment.of(
        {
            "datasets": {"boston": {}, "bodyfat_fat": {}},
            "conditions": {"raw_validation": {}, "raw_best_on_test": {}},
            "methods": {"svr": {"label": "SVR"}, "random": {"label": "Random"}, "sample_mst": {"label": "SampleMST"}},
            "metrics": ["absolute_error"],
            "reference_method": "svr",
        }
    )
    cells = [(d, c, m) for d in experiment.datasets for c in experiment.conditions for m in experiment.methods]
    summary = pd.DataFrame(cells, columns=["dataset", "condition", "method"])
    summary = summary.assign(metric="absolute_error", mean=1.0, sd=0.1, n_runs=30, n_missing=0, shortfall="")
    ratios = summary[summary["method"] != "svr"].assign(ratio=0.8, low=0.7, high=0.9)
    ratios.loc[ratios["method"] == "random", ["ratio", "low", "high"]] = [1.2, 1.1, 1.3]
    printed = [("Housing", "SVR", 4), ("Housing", "Random", 3), ("Bodyfat", "SVR", 1), ("Bodyfat", "Random", 0.05)]
    published = pd.DataFrame(printed, columns=["dataset", "method", "mae"])
    frames = {"summary": summary, "ratios": ratios, "published": published}
    figure = FIGURES["error_ratios"].draw(frames, experiment, {"boston": "Boston", "bodyfat_fat": "Bodyfat (fat)"})
    axes = figure.subfigs[1].axes
    assert titles_of(figure.subfigs[1]) == ["raw targets: validation", "raw targets: best on test"]
    diamonds = [line.get_xdata()[0] for line in axes[0].lines if line.get_marker() == "D"]
    assert [x for x in diamonds if not np.isnan(x)] == [0.75, 0.05]
    assert [text.get_text() for text in axes[1].texts] == ["◂ 0.05"]
    text = FIGURES["error_ratios"].describe(frames, experiment, {})
    assert "raw validation: 2 below 1, 2 above, of 4" in text
