"""Time against gap of the solvers."""

import numpy as np
import pandas as pd
import pytest

from rankbench.datasets.table import load_table
from rankbench.experiments.solver_gaps import measure_gaps, primal_objective
from rankmargin.certificates import judge
from rankmargin.methods.swapped_pairs import fit_path


def test_every_solver_comes_within_its_tolerance(files):
    spec = {"uses": "swapped_pairs", "params": {"C": 1, "gamma": 0.5}, "tolerances": [0.1, 0.001]}
    preprocess = {"scaling": "standard", "nominal": "onehot"}
    rows = measure_gaps(
        "one", load_table(files / "table.npz"), np.arange(15), preprocess, solvers=["dual_cd", "cutting_plane"], **spec
    )
    frame = pd.DataFrame(rows)
    assert list(zip(frame["solver"], frame["n"])) == [("dual_cd", 15)] * 2 + [("cutting_plane", 15)] * 2
    assert (frame["gap"] <= [0.1, 0.001] * 2).all() and (frame["gap"] > -1e-6).all() and (frame["seconds"] > 0).all()


def test_the_objective_is_the_judges(files):
    table = load_table(files / "table.npz")
    (model,) = fit_path(table.X, table.y, (1.0,))
    assert primal_objective(model.rows, model, table.X) == pytest.approx(judge(model).objective, rel=1e-12)
