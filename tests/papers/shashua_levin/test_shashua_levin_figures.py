"""The two figures of Shashua and Levin: what is drawn is the mean, its interval and what the paper prints."""

import itertools

import numpy as np
import pandas as pd
import pytest

from rankbench.experiments.experiment import Experiment
from rankbench.papers.shashua_levin.figures import with_printed
from rankbench.registry import FIGURES, PUBLISHED


@pytest.fixture
def printed():
    """The numbers of the paper."""
    return pd.read_csv(PUBLISHED["shashua_levin.csv"])


@pytest.fixture
def users():
    """Three users, two sizes: user k has an error of k tenths (fixed margin) and as much again (PRank)."""
    experiment = Experiment.of(
        {
            "datasets": {f"u{k}": {} for k in (1, 2, 3)},
            "conditions": {"n050": {"n_train": 50}, "n100": {"n_train": 100}},
            "methods": {"fixed_margin": {"label": "Fixed margin"}, "prank": {"label": "PRank"}},
            "metrics": ["mean_absolute_error"],
        }
    )
    rows = [
        {"dataset": u, "condition": c, "metric": "mean_absolute_error", "method": m, "mean": int(u[1]) / 10 * times}
        for u, c, (m, times) in itertools.product(
            experiment.datasets, experiment.conditions, {"fixed_margin": 1, "prank": 2}.items()
        )
    ]
    return {"summary": pd.DataFrame(rows).assign(sd=0.1, n_runs=10, n_missing=0, shortfall="")}, experiment


def test_users_are_averaged_and_the_printed_averages_stand_at_the_left(users, printed):
    frames, experiment = users
    figure = FIGURES["shashua_levin_users"].draw(
        frames | {"published": printed}, experiment, {"u1": "MovieLens user 1"}
    )
    mean, *small = figure.axes
    assert len(small) == 3
    curves = {tuple(line.get_ydata().round(6)) for line in mean.lines if len(line.get_xdata()) == 2}
    assert curves == {(0.2, 0.2), (0.4, 0.4)}
    diamonds = {float(line.get_ydata()[0]) for line in mean.lines if line.get_marker() == "D"}
    assert diamonds == {0.7, 1.25}
    half = mean.collections[0].get_paths()[0].vertices[:, 1].max() - 0.2
    assert half == pytest.approx(4.3027 * 0.1 / np.sqrt(3), rel=1e-3)
    text = FIGURES["shashua_levin_users"].describe(frames | {"published": printed}, experiment, {})
    assert "Fixed margin 0.20 (paper: about 0.7)" in text and "PRank 0.40 (paper: about 1.25)" in text
    note = "ands: 95 percent intervals of the mean over the users"
    assert text.endswith(f" B{note}.") and mean.get_xlabel().startswith(f"b{note}\nopen diamonds")
    unprinted = FIGURES["shashua_levin_users"].draw(frames, experiment, {"u1": "MovieLens user 1"})
    assert unprinted.axes[0].get_xlabel() == f"b{note}"


def test_users_need_a_size(users):
    frames, experiment = users
    with pytest.raises(ValueError, match=r"conditions must set n_train .* got none in \['default'\]"):
        FIGURES["shashua_levin_users"].draw(frames, Experiment.of(experiment.document, conditions={"default": {}}), {})


@pytest.fixture
def vehicle():
    """Two methods with an interval and one without a run."""
    methods = {"fixed_margin": "Fixed margin", "kernel_prank": "Kernel PRank", "prank": "PRank"}
    experiment = Experiment.of(
        {
            "datasets": {"v": {}},
            "conditions": {"default": {}},
            "methods": {method: {"label": label} for method, label in methods.items()},
            "metrics": ["zero_one", "mean_absolute_error"],
        }
    )
    rows = [
        {"dataset": "v", "condition": "default", "metric": metric, "method": method, "mean": 0.1, "sd": 0.02}
        for metric, method in itertools.product(experiment.metrics, methods)
    ]
    summary = pd.DataFrame(rows).assign(
        n_runs=[30, 30, 0] * 2, n_missing=[0, 0, 30] * 2, shortfall=["", "", "0 of 30 runs, 30 failed"] * 2
    )
    summary.loc[summary["method"] == "prank", ["mean", "sd"]] = np.nan
    return {"summary": summary}, experiment


def test_vehicle_draws_ours_and_the_printed(vehicle, printed):
    frames, experiment = vehicle
    figure = FIGURES["shashua_levin_vehicle"].draw(
        frames | {"published": printed}, experiment, {"v": "Vehicles (substitute)"}
    )
    marks = [
        {(line.get_marker(), round(float(line.get_xdata()[0]), 4)) for line in axis.lines if line.get_marker() in "oD"}
        for axis in figure.axes
    ]
    assert marks == [{("o", 0.1), ("D", 0.2)}, {("o", 0.1), ("D", 0.216), ("D", 1.408)}]
    assert [text.get_text() for text in figure.axes[0].texts] == ["incomplete: 0 of 30 runs, 30 failed"]
    assert "(substitute)" in figure.get_suptitle()
    cells = with_printed(frames)
    assert cells["published_mean"].isna().all()
    assert cells["ours_half"].iloc[0] == pytest.approx(2.0452 * 0.02 / np.sqrt(30), rel=1e-4)
    text = FIGURES["shashua_levin_vehicle"].describe(frames | {"published": printed}, experiment, {})
    assert "Kernel PRank 0.100 (1.408)" in text
