"""Time against gap of the solvers."""

import numpy as np
import pytest

from rankbench.datasets.table import Table
from rankbench.experiments.draw import draw
from rankbench.experiments.experiment import Experiment
from rankbench.papers.diez.studies import primal_objective, solver_gaps
from rankmargin import SwappedPairsSVM
from rankmargin.certificates import judge
from rankmargin.estimators.path import fit_path


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 2))
    table = Table(X, X[:, 0] + X[:, 1], ("a", "b"), ((), ()))
    return {"one": (table, [draw(table, seed=0, names=("small", "one"), n_train=12, n_test=8, n_folds=3)])}


def test_every_solver_comes_within_its_tolerance(data):
    arguments = {"uses": "SwappedPairsSVM", "params": {"C": 1, "gamma": 0.5}, "tolerances": [0.1, 0.001]}
    experiment = Experiment.of({"preprocess": {"scaling": "standard", "nominal": "onehot"}})
    frame = solver_gaps(data, experiment, solvers=["dual_cd", "cutting_plane"], **arguments)
    assert list(zip(frame["solver"], frame["n"])) == [("dual_cd", 12)] * 2 + [("cutting_plane", 12)] * 2
    assert (frame["gap"] <= [0.1, 0.001] * 2).all() and (frame["gap"] > -1e-6).all() and (frame["seconds"] > 0).all()


def test_the_objective_is_the_judges(data):
    table, _ = data["one"]
    (model,) = fit_path(SwappedPairsSVM(gamma=1.0), table.X, table.y, (1.0,))
    assert primal_objective(model.problem.rows, model, table.X) == pytest.approx(judge(model).objective, rel=1e-12)
