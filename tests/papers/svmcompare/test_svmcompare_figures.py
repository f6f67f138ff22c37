"""The figures of comparisons: panels, printed points, labels inside the canvas."""

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.figures.nothing import NothingToDraw
from rankbench.registry import FIGURES, PUBLISHED

METHODS = {name: {"label": name} for name in ("rank", "rank2", "compare", "truth")}
CURVES = Experiment.of(
    {
        "datasets": {"sushi": {}, "squared_l2": {}},
        "conditions": {"n100": {"equality": 50, "inequality": 50}, "n050": {"equality": 25, "inequality": 25}},
        "methods": METHODS,
        "metrics": ["zero_one"],
        "seeds": 4,
        "reference_method": "compare",
    }
)
TITLES = {"sushi": "Sushi", "squared_l2": "Squared 2-norm", "chess": "Chess, one period"}


def summary(experiment, n_runs=4):
    rows = [
        (dataset, condition, metric, method, 0.1 + 0.02 * at + 0.1 * (condition == "n050"), 0.01)
        for dataset in experiment.datasets
        for condition in experiment.conditions
        for metric in experiment.metrics
        for at, method in enumerate(experiment.methods)
        if (dataset, method) != ("sushi", "truth")
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "condition", "metric", "method", "mean", "sd"])
    return frame.assign(n_runs=n_runs, n_missing=0, shortfall="")


def test_curves_run_along_the_sizes_with_bands_of_one_sd():
    frames = {"summary": summary(CURVES), "published": pd.read_csv(PUBLISHED["svmcompare_fig4.csv"])}
    figure = FIGURES["comparison_curves"].draw(frames, CURVES, TITLES)
    sushi, norm = figure.axes
    assert sushi.lines[0].get_xdata().tolist() == [50, 100]
    assert sushi.lines[0].get_ydata() == pytest.approx([0.2, 0.1])
    band = sushi.collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(0.21)
    assert len(norm.containers) == 4 and len(sushi.containers) == 3  # printed points with their bars
    diamonds = "open diamonds: printed means, their bars one standard deviation"
    assert figure.get_supxlabel() == f"bands: one standard deviation over the sets\n{diamonds}"
    text = FIGURES["comparison_curves"].describe(frames, CURVES, TITLES)
    assert text.endswith(f" Bands: one standard deviation over the sets; {diamonds}.")


@pytest.mark.parametrize(("n_runs", "quantile"), [(40, 2.0227), (9, 2.3060)])
def test_bands_of_many_sets_are_intervals_of_the_mean_also_where_runs_are_missing(n_runs, quantile):
    frames, experiment = {"summary": summary(CURVES, n_runs)}, Experiment.of(CURVES.document, seeds=40)
    figure = FIGURES["comparison_curves"].draw(frames, experiment, TITLES)
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(0.2 + quantile * 0.01 / n_runs**0.5, abs=1e-5)
    assert figure.get_supxlabel() == "bands: 95 percent intervals of the mean over the sets"
    text = FIGURES["comparison_curves"].describe(frames, experiment, TITLES)
    assert text.endswith(" Bands: 95 percent intervals of the mean over the sets.")


def test_shares_of_ties_are_the_axis_where_they_vary():
    conditions = {"rho10": {"equality": 40, "inequality": 360}, "rho70": {"equality": 280, "inequality": 119}}
    metrics = ["comparison_auc", "comparison_auc_any_direction"]
    experiment = Experiment.of(CURVES.document, conditions=conditions, metrics=metrics)
    frames = {"summary": summary(experiment), "published": pd.read_csv(PUBLISHED["svmcompare_fig5.csv"])}
    figure = FIGURES["comparison_curves"].draw(frames, experiment, TITLES)
    assert figure.axes[-1].get_xlabel() == "share of equality pairs"
    assert figure.axes[0].lines[0].get_xdata() == pytest.approx([0.1, 280 / 399])
    assert all(len(axis.containers) == 3 for axis in figure.axes)
    text = FIGURES["comparison_curves"].describe(frames, experiment, TITLES)
    assert "test AUC, right direction: 0 of 12; test AUC, any direction: 0 of 12" in text


def test_conditions_without_counts_and_frames_without_runs_are_refused():
    with pytest.raises(ValueError, match=r"conditions must set equality .* got none in \['default'\]"):
        FIGURES["comparison_curves"].draw(
            {"summary": summary(CURVES)}, Experiment.of(CURVES.document, conditions={"default": {}}), {}
        )
    with pytest.raises(NothingToDraw, match="no method has enough runs"):
        FIGURES["comparison_curves"].draw({"summary": summary(CURVES, 0)}, CURVES, {})
    with pytest.raises(ValueError, match="published must have a column out of n_train_pairs, rho"):
        FIGURES["comparison_curves"].draw(
            {"summary": summary(CURVES), "published": pd.DataFrame({"a": []})}, CURVES, {}
        )


@pytest.fixture
def chess():
    experiment = Experiment.of(
        {
            "datasets": {"chess": {}},
            "conditions": {"default": {}},
            "methods": {"elo": {"label": "Elo"}, "linear_all": {"label": "linear, all"}},
            "metrics": ["comparison_auc"],
        }
    )
    baseline = pd.DataFrame({"dataset": ["chess"], "seed": [0], "auc": [0.29]})
    printed = pd.read_csv(PUBLISHED["svmcompare_fig6.csv"])
    return {"summary": summary(experiment), "comparison_baseline": baseline, "published": printed}, experiment


def test_chess_has_a_row_a_model_with_the_eight_printed_years(chess):
    frames, experiment = chess
    figure = FIGURES["chess_auc"].draw(frames, experiment, TITLES)
    (axis,) = figure.axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["Elo", "linear, all", "one direction for all"]
    assert [len(line.get_xdata()) for line in axis.lines[::3]] == [8, 8, 8]
    text = FIGURES["chess_auc"].describe(frames, experiment, TITLES)
    assert "Elo 0.100 (printed 0.365, 0.346 to 0.389)" in text
    frames["summary"] = frames["summary"].assign(n_runs=0)
    with pytest.raises(NothingToDraw, match="no model has enough runs"):
        FIGURES["chess_auc"].draw(frames, experiment, TITLES)


def test_level_curves_have_a_panel_a_function_and_one_of_pairs():
    grid = np.linspace(-2, 2, 5)
    x1, x2 = (axis.ravel() for axis in np.meshgrid(grid, grid))
    rows = [
        pd.DataFrame({"method": method, "seed": seed, "x1": x1, "x2": x2, "r": sign * (np.abs(x1) + np.abs(x2))})
        for method, seed, sign in (("truth", -1, 1), ("compare", 0, -1), ("compare", 1, 1))
    ]
    frames = {
        "level_curves": pd.concat(rows),
        "published": pd.read_csv(PUBLISHED["svmcompare_fig3_train_pairs.csv"]),
    }
    experiment = Experiment.of({"methods": {"compare": {"label": "compare"}}})
    figure = FIGURES["level_curves"].draw(frames, experiment, {})
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["100 training pairs", "truth", "compare"]
    text = FIGURES["level_curves"].describe(frames, experiment, {})
    assert text.endswith("compare 1.000 (mean of 2 sets 0.000).")


@pytest.mark.parametrize("seeds", [(), (0,)])
def test_a_function_that_was_not_learned_on_the_printed_set_is_said_so(seeds):
    """As with fewer seeds than the paper has, or a method that failed there; the others are drawn."""
    x1, x2 = (axis.ravel() for axis in np.meshgrid(np.linspace(-2, 2, 5), np.linspace(-2, 2, 5)))
    learned = [("truth", -1), ("rank", 1), *(("compare", seed) for seed in seeds)]
    curves = [pd.DataFrame({"method": m, "seed": seed, "x1": x1, "x2": x2, "r": x1**2 + x2**2}) for m, seed in learned]
    frames = {"level_curves": pd.concat(curves), "published": pd.read_csv(PUBLISHED["svmcompare_fig3_train_pairs.csv"])}
    experiment = Experiment.of({"methods": {"rank": {"label": "rank"}, "compare": {"label": "compare"}}})
    *_, rank, compare = FIGURES["level_curves"].draw(frames, experiment, {}).axes
    assert rank.collections and not compare.collections
    assert [text.get_text() for text in compare.texts] == ["not learned on the printed set"]
    mean = " (mean of 1 sets 1.000)" * len(seeds)
    text = FIGURES["level_curves"].describe(frames, experiment, {})
    assert text.endswith(f": rank 1.000 (mean of 1 sets 1.000); compare not learned on the printed set{mean}.")


def test_the_last_panel_with_lines_names_them():
    frame = summary(CURVES)
    frame.loc[frame["dataset"] == [*CURVES.datasets][-1], "n_runs"] = 0
    first, last = FIGURES["comparison_curves"].draw({"summary": frame}, CURVES, TITLES).axes
    assert len(first.texts) == len(first.lines) > 0 and not last.texts


def test_chess_is_drawn_if_its_first_period_has_no_runs(chess):
    frames, experiment = chess
    experiment = Experiment.of(experiment.document, datasets={"empty": {}, "chess": {}})
    (axis,) = FIGURES["chess_auc"].draw(frames, experiment, TITLES).axes
    assert [label.get_text() for label in axis.get_yticklabels()] == ["Elo", "linear, all", "one direction for all"]


def test_programs_have_a_panel_each_with_their_margins():
    frame = FRAME.assign(margin=[np.nan, np.nan, 0.5, 0.4] * 3)
    figure = FIGURES["max_margin_panels"].draw({"max_margin_panels": frame}, {}, {})
    assert figure.axes[0].get_title(loc="left") == "original data"
    text = FIGURES["max_margin_panels"].describe({"max_margin_panels": frame}, {}, {})
    assert text.endswith("flipped data, scaled: LP 0.500, QP 0.400.")


FRAME = pd.DataFrame(
    {
        "panel": np.repeat(["original", "flipped", "scaled"], 4),
        "what": ["difference", "difference", "lp", "qp"] * 3,
        "x1": [0.1, 2.0, 1.0, 0.9] * 3,
        "x2": [0.2, -1.0, 0.1, 0.2] * 3,
        "y": [0, 1, np.nan, np.nan] * 3,
    }
)
