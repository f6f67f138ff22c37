"""Studies of the two ordinal papers: values by hand, and what must hold on every sample."""

import math

import numpy as np
import pytest
import shipped
from sklearn.svm import SVC

from rankbench.datasets.table import Table
from rankbench.experiments.split import seed_of
from rankbench.papers.herbrich.margin_bound import margin_bound
from rankbench.papers.herbrich.rank_maps import losses, margin_bounds, pair_error, pair_loss, rank_noise, svr_tube
from rankbench.papers.herbrich.studies import leave_one_out, perceptron_updates, qp_growth
from rankbench.papers.shashua_levin.studies import (
    pair_growth,
    problem_sizes,
    sum_of_margins_sweep,
    threshold_recovery,
    two_rank_equalities,
)

SQUARE = {"herbrich_utility": (shipped.made("herbrich_utility"), None)}


def test_noise_by_hand():
    """Utilities 0 (0.1 from a threshold) and 1.6 (0.6 from one); the second has another rank than its 5."""
    X = np.array([[0.5, 0.9], [0.9, 0.9], [0.5, 0.2], [0.9, 0.9]])
    table = Table(X, np.array([3.0, 4.0, 3.0, 4.0]), ("x1", "x2"), ((), ()))
    frame = rank_noise({"hand": (table, None)}, {})
    np.testing.assert_allclose(frame["distance"], [0.6, 0.1])
    np.testing.assert_allclose(frame["share"], [0.5, 0.5])


def test_losses_of_pairs_by_hand():
    """Ranks 1, 2, 2 predicted 2, 2, 1: pairs (1, 2) a tie and (1, 3) turned round are wrong, each in both orders."""
    y, ranks = np.array([1.0, 2.0, 2.0]), np.array([2.0, 2.0, 1.0])
    np.testing.assert_array_equal(losses(y, ranks), [[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    assert pair_error(y, ranks) == (2, 1.0)
    assert pair_error(y, y) == (2, 0.0)


def test_the_risk_is_the_pair_error_up_to_a_constant():
    frame = pair_loss(SQUARE, {}, size=10, samples=2)
    assert len(frame) == 8 and (frame["risk"] > 0).any()
    np.testing.assert_allclose(frame["risk"], 2 * frame["pairs"] / 100 * frame["pair_error"])
    assert (frame["covariance"] >= 0).all() and (frame["correlation"] < 1).all()


def test_regression_and_boundaries_are_judged_on_the_same_samples():
    frame = svr_tube({}, {}, epsilons=[0.1, 0.5], spacings=[0.5, 1], size=15, samples=2)
    assert len(frame) == 8
    assert (frame.groupby(["spacing", "seed"])["ordinal"].nunique() == 1).all()
    assert frame[["ordinal", "svr"]].to_numpy().max() <= 1


def test_bound_is_theorem_2_2():
    """R = 1, margin 0.5, m = 100,001, delta = 0.05: k = (1 / (0.5 / 8))^2 = 256."""
    m = 100_000
    expected = 2 / m * (256 * math.log2(8 * math.e * m / 256) * math.log2(32 * m) + math.log2(8 * m / 0.05))
    assert margin_bound(0.5, 1.0, m + 1, 0.05) == pytest.approx(expected, rel=1e-12)


def test_the_bound_is_that_of_margin_and_radius_and_turns_with_the_line():
    frame = margin_bounds({}, {}, sizes=[10], samples=2, line=20_000, dimensions=[3])
    lines = frame[frame["case"] == "line"]
    for row in lines.itertuples():
        assert row.bound == margin_bound(row.margin, row.radius, 20_000, 0.05)
        assert row.margin >= 1.8 and row.radius <= 1 and row.risk == 0 and row.bound < 1
    turned = frame[frame["case"] == "rotated"]
    np.testing.assert_allclose(turned["margin"], lines["margin"])
    square = frame[frame["case"] == "square"]
    assert len(square) and (square["risk"] <= square["bound"]).all()


def test_the_share_is_that_of_the_support_vectors():
    """As in scikit-learn's SVM on the same rows: nearly all rows with a small C, fewer with a large one."""
    frame = leave_one_out(SQUARE, {}, costs=[0.01, 100], size=20, samples=2)
    [(name, (table, _))] = SQUARE.items()
    for row in frame.itertuples():
        at = np.random.default_rng(seed_of("leave one out", name, row.seed)).permutation(len(table.y))[:20]
        machine = SVC(C=row.C, gamma=5.0, tol=1e-8).fit(table.X[at], table.y[at] > np.median(table.y))
        assert row.share == pytest.approx(machine.n_support_.sum() / 20, abs=0.051)
    assert (frame.query("C == 0.01")["share"] > 0.8).all() and (frame.query("C == 100")["share"] < 0.8).all()


def test_both_programs_find_the_same_optimum():
    frame = qp_growth({}, {}, sizes=[50, 60, 70], runs=2)
    assert frame["n"].tolist() == [50, 50, 60, 60, 70, 70] * 2  # runs alternate
    wide = frame.pivot(index=["n", "run"], columns="solver", values="objective")
    np.testing.assert_allclose(wide["cvxopt"], wide["smo"], rtol=5e-3)
    assert (frame["seconds"] > 0).all()


def test_the_perceptron_stops():
    frame = perceptron_updates({}, {}, size=8, samples=3)
    assert frame["converged"].all() and (frame["updates"] <= frame["bound"]).all() and frame["updates"].max() > 0


def test_two_ranks_are_the_machines_of_scikit_learn():
    frame = two_rank_equalities({}, {}, size=40, samples=1)
    assert len(frame) == 12
    assert (frame["difference"] < 1e-3 * frame["range"]).all() and (frame["range"] > 0.5).all()


def test_variables_are_counted():
    """All examples have rank 1 except one of each other rank: the smallest count."""
    frame = problem_sizes({}, {}, sizes=[10, 40], ranks=[2, 4])
    assert (frame["fixed_margin"] == frame["formula"]).all() and (frame["sum_of_margins"] == frame["formula"]).all()
    assert (frame.query("k == 2")["formula"] == frame.query("k == 2")["n"]).all()
    assert (frame["multiclass"] == frame["n"] * frame["k"]).all()


def test_the_range_of_C_is_swept():
    frame = sum_of_margins_sweep({}, {}, size=40, ranks=[3], samples=1)
    assert (frame.query("place < 0 or place > 1")["status"] == "outside").all()
    solved = frame[frame["status"] == "ok"]
    np.testing.assert_allclose(solved["norm"], 1, atol=1e-9)
    assert (solved["errors"] <= 2 * 2 / solved["C"] + 1e-6).all()  # 2 (k - 1) / C
    rare = frame[(frame["shares"] == "rare") & (frame["place"] == 0)]
    assert rare["status"].tolist() == ["outside"]  # a first rank of two examples needs C >= 1/2


def test_thresholds_are_read_off():
    frame = threshold_recovery({}, {}, size=40, ranks=[3], samples=1)
    assert len(frame) == 2 * (2 + 4)
    read_off = frame[frame["free"] > 0]
    assert len(read_off) > 6 and (read_off["difference"] < 1e-4).all()


def test_pairs_are_timed_once_a_sample():
    rng = np.random.default_rng(0)
    table = Table(rng.standard_normal((60, 4)), rng.integers(1, 4, 60).astype(float), tuple("abcd"), ((),) * 4)
    frame = pair_growth({"one": (table, None), "two": (table, None)}, {}, sizes=[20, 30, 40], samples=2)
    counts = frame.groupby(["dataset", "n"]).size()
    assert (counts == 2).all() and len(counts) == 6
    assert (frame["gap"] <= 1e-3).all() and (frame["pairs"] < frame["n"] ** 2 / 2).all()
