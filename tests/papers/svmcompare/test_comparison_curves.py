"""Curves of errors against the size: bands of one standard deviation, or intervals of the mean over many sets."""

import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
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


@pytest.mark.parametrize(("n_runs", "quantile"), [(40, 2.0227), (9, 2.3060)])
def test_bands_of_many_sets_are_intervals_of_the_mean_also_where_runs_are_missing(n_runs, quantile):
    frames, experiment = {"summary": summary(CURVES, n_runs)}, Experiment.of(CURVES.document, seeds=40)
    figure = FIGURES["comparison_curves"].draw(frames, experiment, TITLES)
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(0.2 + quantile * 0.01 / n_runs**0.5, abs=1e-5)
    assert figure.get_supxlabel() == "bands: 95 percent intervals of the mean over the sets"
