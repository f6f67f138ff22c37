"""Studies that replace weak evidence: an independent norm, samplers as printed, cited methods, seconds."""

import time

import numpy as np
import pytest

from rankbench.datasets.table import Table
from rankbench.experiments.seconds import least_seconds
from rankbench.papers.herbrich.studies import cited_methods
from rankbench.papers.ranksvr.seconds import sampling_as_printed
from rankbench.papers.shashua_levin.studies import _ranked, relaxed, relaxed_norm
from rankmargin import SumOfMarginsSVM
from rankmargin.estimators.path import fit_path


def test_the_cone_program_finds_the_optimum_of_the_library():
    """The library's f of norm one has the objective that the relaxed problem has."""
    X, y = _ranked(40, 3, "equal", 0)
    C = 0.08
    value, norm = relaxed(X, y, C)
    (model,) = fit_path(SumOfMarginsSVM(kernel="linear", tol=1e-8), X, y, (C,))
    s, theta = model.scores(X), model.solution.theta
    ranks = np.unique(y, return_inverse=True)[1]
    short = sum(max(0.0, s[i] - theta[2 * r]) for i, r in enumerate(ranks) if r < 2)
    short += sum(max(0.0, theta[2 * r - 1] - s[i]) for i, r in enumerate(ranks) if r > 0)
    assert value == pytest.approx(theta[1] - theta[0] + theta[3] - theta[2] - C * short, rel=1e-4)
    assert value > 0.1 and norm == pytest.approx(1, abs=1e-7)


def test_the_norm_is_told_for_each_problem():
    frame = relaxed_norm({}, {}, size=20, ranks=[2, 3], samples=2)
    assert len(frame) == 2 * 2 * 3 and frame["norm"].between(0, 1 + 1e-6).all()


def test_samplers_are_timed_on_each_table():
    table = Table(np.random.default_rng(0).standard_normal((30, 2)), np.arange(30.0), ("a", "b"), ((), ()))
    frame = sampling_as_printed({"one": (table, None)}, {}, n_pairs=3, draws=2)
    assert len(frame) == 2 * 5 and (frame["n_pool"] == 30).all() and (frame["seconds"] >= 0).all()
    assert "close_pair_as_printed" in set(frame["sampler"])


def test_cited_methods_are_tested_on_hold_outs():
    frame = cited_methods({}, {}, draws=2, trees=3)
    assert len(frame) == 6 and frame[["tree", "boosted_tree", "svm", "nearest"]].to_numpy().max() < 0.5
    assert frame.groupby("dataset")["svm"].mean()["digits"] < 0.05


def test_the_fewest_of_three_processor_times_counts():
    waits = iter([0.05, 0.0, 0.03])

    def work(value, *, slept):
        until = time.process_time() + next(waits)
        while time.process_time() < until:
            pass
        time.sleep(slept)
        return value

    seconds, result = least_seconds(work, 7, slept=0.02)
    assert result == 7 and seconds < 0.015 and next(waits, None) is None
