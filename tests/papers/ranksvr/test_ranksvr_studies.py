"""Studies of the statements of Yu et al.: small runs with answers known by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from rankbench.datasets.table import Table
from rankbench.experiments.draw import draw
from rankbench.experiments.experiment import Experiment
from rankbench.papers.ranksvr import seconds
from rankbench.papers.ranksvr.seconds import norm_seconds, sampler_growth, training_seconds
from rankbench.papers.ranksvr.studies import close_draws, cost_sweep, expansion, slope_range
from rankmargin.kernels import Kernel
from rankmargin.sampling import close_pair


def test_slopes_lie_above_margin_over_distance():
    frame = slope_range({}, {}, distances=[0.5, 2.0], margins=[1.0, 30.0], largest_slope=10.0)
    assert frame["lowest"][:2].tolist() == pytest.approx([2.0, 0.5]) and frame["highest"][:2].tolist() == [10, 10]
    assert frame["width"][:2].tolist() == pytest.approx([8.0, 9.5])
    assert frame["width"].isna().tolist() == [False, False, True, True]


def test_the_rule_of_59():
    (row,) = close_draws({}, {}, p=0.05, q=0.95, n=60, trials=200).itertuples()
    assert row.draws == 59 and row.exact == pytest.approx(58.404, abs=1e-3) and 0.88 <= row.share <= 1


def test_the_expansion_is_the_primal():
    frame = expansion({}, {}, seeds=2, params={"C": 2, "C_rank": 0.5, "epsilon": 0.1, "margin": 1})
    assert frame["kernel"].tolist() == ["linear", "linear", "poly", "poly", "rbf", "rbf"]
    assert frame["largest_difference"].max() < 1e-6
    np.testing.assert_allclose(frame["svr_share"] + frame["rank_share"], 1)
    assert frame[["svr_share", "rank_share"]].min().min() > 0.05


def test_the_one_norm_program_is_feasible_and_no_worse_than_nothing():
    X, y, pairs = seconds._ring(12, 0)
    alpha, b = seconds.one_norm(X, y, pairs, 5.0, 2.0)

    def objective(alpha, b):
        f = Kernel("rbf", seconds.NORM_GAMMA).gram(X, X) @ alpha + b
        outside = np.maximum(np.abs(y - f) - seconds.EPSILON, 0).sum()
        short = np.maximum(seconds.MARGIN - (f[pairs[:, 0]] - f[pairs[:, 1]]), 0).sum()
        return np.abs(alpha).sum() + 5.0 * outside + 2.0 * short

    best, rng = objective(alpha, b), np.random.default_rng(0)
    assert best < objective(np.zeros(12), np.median(y))
    for _ in range(50):
        assert best <= objective(alpha + 0.01 * rng.standard_normal(12), b + 0.01 * rng.standard_normal()) + 1e-9


def test_seconds_of_every_size_and_form():
    norms = norm_seconds({}, {}, sizes=[10, 20, 30], seeds=1, C=1, C_rank=1)
    assert norms["form"].tolist() == ["1-norm", "2-norm"] * 3 and norms["n"].tolist() == [10, 10, 20, 20, 30, 30]
    arguments = {"sizes": [10, 20, 40], "C": 1, "C_rank": 1, "margins": [1]}
    frame = training_seconds({}, {}, **arguments, seeds=2, points=15)
    assert frame["n_pairs"].tolist() == [10, 10, 20, 20, 40, 40] * 2 and (frame["gap"] <= 1e-3).all()
    assert frame["points"].tolist() == [10, 15, 20, 15, 40, 15] * 2 and frame["seed"].tolist() == [0] * 6 + [1] * 6
    assert (frame["seconds"] >= 0).all()


def test_close_pair_as_printed_is_close_pair():
    Z = np.random.default_rng(3).standard_normal((50, 2))
    arguments = (Z, 6, Z[:, 0], {"kernel": "rbf", "gamma": 1.0}, 0)
    np.testing.assert_array_equal(seconds.close_pair_as_printed(*arguments), close_pair(*arguments))
    frame = sampler_growth({}, {}, sizes=[10, 20, 40], d=2, n_pairs=3, seeds=1)
    assert len(frame) == 3 * 5 and (frame["seconds"] >= 0).all()
    assert set(frame["sampler"]) == {"random", "close_pair", "p_close_pair", "sample_mst", "close_pair_as_printed"}


@pytest.fixture
def sweep():
    """A cost sweep over a straight line, told 10 pairs."""
    X = np.random.default_rng(0).uniform(size=(80, 2))
    table = Table(X, X[:, 0] + X[:, 1], ("a", "b"), ((), ()))
    options = {"uses": "RankSVR", "params": {"C": 1, "C_rank": 1}, "grid": {}, "sampler": "random"}
    experiment = Experiment.of(
        {
            "name": "cost_sweep",
            "datasets": {"line": {"n_train": 3, "n_test": "rest", "n_pool": 30, "params": {"kernel": "linear"}}},
            "conditions": {"k10": {"n_pairs": 10, "params": {"margin": 0.1}}},
            "methods": {"told": options},
            "seeds": 2,
            "preprocess": {"scaling": "none", "nominal": "onehot", "target": "standardised"},
            "tuning": {"folds": 3, "metric": "absolute_error"},
            "metrics": ["absolute_error"],
            "limits": {"seconds": 60, "megabytes": 4000},
        }
    )
    sizes = {"n_train": 3, "n_test": "rest", "n_folds": 3, "n_pool": 30}
    splits = [draw(table, seed=seed, names=("made", "line"), **sizes) for seed in range(2)]
    return {"line": (table, splits)}, experiment


def test_high_costs_fit_a_line(sweep):
    frame = cost_sweep(*sweep, method="told", condition="k10", seeds=2, C=[0.01, 100], C_rank=[0.01, 100])
    errors = frame.groupby(["C", "C_rank"])["error"].mean()
    assert len(frame) == 8 and errors.idxmin() == (100, 100) and errors.min() < 0.5 * errors.max()
    assert isinstance(frame, pd.DataFrame) and frame["seed"].tolist() == [0, 1] * 4


def test_a_run_of_the_sweep_that_fails_is_named(sweep):
    data, experiment = sweep
    many = {"k10": replace(experiment.conditions["k10"], n_pairs=10**6)}
    with pytest.raises(ValueError, match=r"line, C 1, C_rank 1, seed 0: ValueError: n_pairs must be at most"):
        asked = {"method": "told", "condition": "k10", "seeds": 1, "C": [1], "C_rank": [1]}
        cost_sweep(data, replace(experiment, conditions=many), **asked)
