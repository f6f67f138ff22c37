"""Boosting stops early on the rows that judge it; each package has a process of its own, as in a run: their threads do
not survive the forks of other tests."""

import subprocess
import sys
from importlib import util

import pytest

PROGRAM = """
import sys
import numpy as np
from rankbench.experiments.methods import fit_method

uses, trees, quiet = sys.argv[1], sys.argv[2], eval(sys.argv[3])
rng = np.random.default_rng(0)
X = rng.standard_normal((120, 2))
y = np.sign(X[:, 0])  # a few trees say it, and more change nothing
params = {trees: 400, "learning_rate": 0.5, **quiet}
(model,) = fit_method(uses, X[:60], y[:60], [None], seed=0, params=params, held_out=(X[60:], y[60:]))
print("trees", model.n_trees)
"""


@pytest.mark.parametrize(
    ("uses", "trees", "quiet"),
    [
        ("lightgbm.LGBMRegressor", "n_estimators", {"n_jobs": 1, "min_child_samples": 2}),
        ("xgboost.XGBRegressor", "n_estimators", {"verbosity": 0, "n_jobs": 1}),
        ("catboost.CatBoostRegressor", "iterations", {"verbose": 0, "allow_writing_files": False, "thread_count": 1}),
    ],
)
def test_boosting_stops_on_the_held_out_rows(uses, trees, quiet):
    if not util.find_spec(uses.partition(".")[0]):
        pytest.skip(f"{uses} is not installed")
    command = [sys.executable, "-c", PROGRAM, uses, trees, repr(quiet)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert 1 <= int(ended.stdout.split("trees ")[-1]) < 200
