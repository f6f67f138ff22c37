"""A small experiment, a table, and methods that work or fail."""

from types import SimpleNamespace

import numpy as np
import pytest

from rankbench.configuration.task import Task
from rankbench.datasets.table import Table, save_table
from rankbench.experiments import job, tune
from rankbench.experiments.draw import draw
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.split import save_split


@pytest.fixture
def yaml():
    """The yaml of `small`, to be changed at will."""
    return {
        "name": "small",
        "title": "Small",
        "datasets": {"one": {"n_train": 12, "n_test": 8}, "two": {"n_train": 12, "n_test": 8}},
        "conditions": {"default": {}},
        "seeds": 3,
        "seeds_per_job": 2,
        "preprocess": {"scaling": "standard", "nominal": "onehot"},
        "tuning": {"folds": 3, "metric": "swapped_pairs"},
        "methods": {
            "good": {"uses": "SwappedPairsSVM", "label": "Good", "params": {}, "grid": {"C": [1, 2]}},
            "bad": {"uses": "SVOR", "label": "Bad", "params": {}, "grid": {"C": [1]}},
        },
        "metrics": ["swapped_pairs"],
        "limits": {"seconds": 60, "megabytes": 2000},
        "reference_method": "good",
        "studies": {},
        "outputs": {"statistics": ["summary"], "tables": ["table1"], "figures": []},
    }


@pytest.fixture
def small(yaml):
    """An experiment of 2 data sets, 2 methods and 3 seeds, in jobs of 2 seeds."""
    return Experiment.of(yaml)


@pytest.fixture
def files(tmp_path):
    """A table of 20 rows and its splits for seeds 0 to 2."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal(20), rng.integers(0, 2, 20)])
    table = Table(X, X[:, 0] + X[:, 1], ("a", "b"), ((), ("no", "yes")))
    save_table(tmp_path / "table.npz", table)
    for seed in range(3):
        split = draw(table, seed=seed, names=("small", "one"), n_train=12, n_test=8, n_folds=3)
        save_split(tmp_path / f"split{seed}.npz", split)
    return tmp_path


@pytest.fixture
def task():
    """A task whose method is set by `use`."""
    identity = {"experiment": "small", "dataset": "one", "condition": "default", "method": "good"}
    return Task(
        **identity,
        uses="made",
        params={},
        grid={"C": [1, 2]},
        preprocess={"scaling": "standard", "nominal": "onehot"},
        metric="swapped_pairs",
        limits={"seconds": 60, "megabytes": 2000},
        source_digest="0123",
    )


@pytest.fixture
def use(monkeypatch):
    """Make every job use a method with the given ``fit(X, y, C) -> scores function``; seeds come along as `seed`."""

    def set_method(fit):
        def fit_method(uses, X, y, values, **options):
            return [SimpleNamespace(scores=fit(X, y, C), solution=None) for C in values]

        monkeypatch.setattr(tune, "fit_method", fit_method)
        monkeypatch.setattr(tune, "path_of", lambda uses: "C")
        monkeypatch.setattr(job, "input_of", lambda uses: "rows")

    return set_method
