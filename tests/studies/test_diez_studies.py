"""Studies of the statements of Diez et al.: small runs with answers known by hand."""

import numpy as np

from rankbench.datasets.table import Table
from rankbench.studies import (
    constraint_counts,
    counts_against_pairs,
    oracle_seconds,
    pair_costs,
    planes_added,
    slack_bound,
)


def test_counts_say_what_all_pairs_say():
    frame = counts_against_pairs.run({}, {}, sizes=[3, 12], seeds=8)
    assert set(frame["check"]) == {"argmax", "loss", "features", "auc"} and len(frame) == 2 * 8 * 4
    assert frame["difference"].max() < 1e-9


def test_a_wrong_count_is_seen(monkeypatch):
    right = counts_against_pairs.algorithm_2
    monkeypatch.setattr(counts_against_pairs, "algorithm_2", lambda rank, s: tuple(c + 2 for c in right(rank, s)))
    worst = counts_against_pairs.run({}, {}, sizes=[12], seeds=2).groupby("check")["difference"].max()
    assert worst["argmax"] == 2 and worst["loss"] == 12 and worst["auc"] < 1e-9


def test_both_oracles_are_timed():
    frame = oracle_seconds.run({}, {}, sizes=[20, 30, 40], ranks=[2, 3, 4], seeds=1)
    assert len(frame) == 18 and set(frame["oracle"]) == {"algorithm_2", "tree"} and (frame["seconds"] >= 0).all()


def test_constraints_are_counted():
    frame = constraint_counts.run({}, {}, sizes=[2, 5, 9]).pivot(index="n", columns="form", values="n_constraints")
    assert frame["implicit"].tolist() == [2, 20, 72] and frame["explicit"].tolist() == [2, 8, 16]
    assert frame["pairs"].tolist() == [1, 10, 36]


def test_all_pairs_hold_more_than_the_direct_method():
    frame = pair_costs.run({}, {}, sizes=[100, 200, 300], seeds=1, C=10)
    wide = frame.pivot(index="n", columns="method", values="megabytes")
    assert frame["n_rows"].tolist() == [4950, 100, 19900, 200, 44850, 300]
    assert wide.loc[300, "all_pairs"] > 2 * wide.loc[300, "direct"] and len(frame) == 6


def test_planes_are_those_of_the_gap():
    arguments = {"sizes": [20, 30, 40], "tolerances": [0.1, 0.01, 0.001], "seeds": 1, "C": 100, "gamma": 0.2}
    frame = planes_added.run({}, {}, **arguments, most=500)
    assert frame["ended"].all()
    for _, part in frame.groupby("n"):
        assert (np.diff(part["planes"]) >= 0).all() and part["planes"].min() >= 1
    few = planes_added.run({}, {}, **arguments, most=10)
    assert not few["ended"].all() and few.loc[~few["ended"], "planes"].eq(10).all()


def test_slacks_bound_the_deviation():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 2))
    table = Table(X, X[:, 0] + rng.standard_normal(60), ("a", "b"), ((), ()))
    frame = slack_bound.run({"noisy": (table, None)}, {}, n=40, seeds=2, n_bins=4, C=[0.1, 10], gamma=0.5)
    assert frame["n"].tolist() == [40] * 4 and frame["C"].tolist() == [0.1, 10] * 2
    assert (frame["absolute_deviation"] > 0).any() and (frame["least_difference"] >= -1e-9).all()
    assert (frame["slack_sum"] >= frame["absolute_deviation"]).all()
