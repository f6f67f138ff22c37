"""Figures of the studies: one dimension, and Table 2 as ratios."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
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
