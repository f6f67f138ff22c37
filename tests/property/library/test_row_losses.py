"""Newton on the smoothed loss of rows with thresholds: against the QP, by the judge, growth by counting, far from 0."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from made_problems import noisy
from reference_qp import optimum
from scipy.sparse import csr_matrix

from rankbench.papers.diez.studies import algorithm_2
from rankbench.papers.herbrich.methods.svr_on_ranks import SVROnRanks
from rankmargin import SVOR, ComparisonSVM, FixedMarginSVM, RankSVR
from rankmargin.certificates import certify, judge
from rankmargin.kernels import Kernel
from rankmargin.metrics import swapped_pairs
from rankmargin.oracles import all_pairs
from rankmargin.oracles import swapped_pairs as fast
from rankmargin.oracles.objective import Problem
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.oracles.row_losses import RowLoss
from rankmargin.problem import products
from rankmargin.problem.rows import thresholds
from rankmargin.problem.rows.comparisons import flipped, inequalities
from rankmargin.problem.rows.orderings import tube_and_orderings
from rankmargin.problem.spaces import KernelSpace
from rankmargin.solvers.smo import smo

KINDS = ("implicit", "explicit", "ordered", "flipped", "tube and orderings", "inequalities")


def random_problem(kind, seed):
    """Return X with duplicate rows, rows with ties and weights, and a C from 1e-4 to 1e4."""
    rng = np.random.default_rng([seed, KINDS.index(kind), 14])
    n, d, r = int(rng.integers(4, 15)), int(rng.integers(1, 4)), int(rng.integers(2, 6))
    X = rng.integers(-2, 3, (n, d)) * 0.5
    X = X + (seed % 3 == 0) * rng.standard_normal((n, d))
    rank, labels = np.append(np.arange(min(r, n)), rng.integers(0, r, max(n - r, 0))), rng.integers(-1, 2, n)
    r, labels[:2] = rank.max() + 1, (1, 0)
    if kind == "flipped":
        rows = flipped(labels)
    elif kind == "inequalities":
        rows = inequalities(labels)
    elif kind == "tube and orderings":
        i, j = rng.integers(0, n, (2, 10))
        keys = {"margin": float(rng.uniform(0.1, 1)), "cost": float(10 ** rng.uniform(-1, 1))}
        y = rng.integers(-2, 3, n // 2).astype(float)
        rows = tube_and_orderings(y, 0.1, np.column_stack([i, j])[i != j], n, **keys)
    else:
        rows = thresholds.implicit(rank, r) if kind == "implicit" else thresholds.explicit(rank, r, kind == "ordered")
    return X, rows.weighted(rng.integers(1, 4, n) if seed % 5 == 0 else None), float(10 ** rng.uniform(-4, 4))


@pytest.mark.parametrize("kind", KINDS)
def test_smo_takes_every_kind_of_row(kind):
    """Ties, duplicates, weights, C from 1e-4 to 1e4, three kernels: 204 problems in all."""
    for seed in range(34):
        X, rows, C = random_problem(kind, seed)
        kernel = (Kernel("rbf", 0.5), Kernel("linear"), Kernel("poly", 0.5, 2, 1.0))[seed % 3]
        K = kernel.gram(X, X)
        (solution,) = smo(Problem(rows, KernelSpace(K)), [C], tol=1e-7)
        best, certificate = optimum(rows, K, C), certify(Problem(rows, KernelSpace(K)), C, solution)
        assert certificate.infeasibility <= 1e-8
        for value in (certificate.objective, certificate.dual_bound, solution.objective, solution.dual_bound):
            assert value == pytest.approx(best, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_slopes_are_the_definition_and_curvature_is_their_derivative(kind):
    X, rows, _ = random_problem(kind, 3)
    loss, rng, h = RowLoss(rows), np.random.default_rng(0), 3.0
    s, u = rng.standard_normal((2, rows.n_samples))
    found = loss.slopes(s, h)
    alpha, beta = loss.dual_variables(found.slope, 1.0)
    np.testing.assert_allclose(beta, found.beta, atol=1e-12)
    assert rows.imbalance(alpha) <= 1e-12
    assert np.all((alpha >= 0) & (alpha <= rows.cost))
    assert found.reward == pytest.approx(rows.margin @ alpha)
    up, down = (loss.slopes(s + end * u, h).beta for end in (1e-7, -1e-7))
    np.testing.assert_allclose(loss.curvature_times(found, u)[:, 0], (down - up) / 2e-7, atol=1e-5)
    H, mean = X.T @ loss.curvature_times(found, X), np.zeros(X.shape[1])
    pairs = np.hstack([X[::-1], X + X[::-1]])
    for of in (
        products.CentredRows(X, mean),
        products.CentredRows(csr_matrix(X), mean),
        products.CentredRows(pairs, mean, pairs=True),
    ):
        np.testing.assert_allclose(loss.hessian(found, of), H, atol=1e-9)


def test_ill_scaled_columns_and_extreme_costs_converge():
    X, u = noisy(300, 4, 0.5, lambda X: X @ [0.1, -0.1, 0.6, 0.1])
    X = X * 10.0 ** np.arange(-3, 5, 2)
    for C in (1e-4, 1.0, 1e4):
        for machine, y in ((SVOR, np.digitize(u, [-1, 1])), (RankSVR, u)):
            model = machine(kernel="linear", C=C).fit(X, y)
            assert judge(model.model_, X).gap <= 1.01e-3
        pairs = np.hstack([np.zeros_like(X), X])
        assert ComparisonSVM(kernel="linear", C=C).fit(pairs, np.digitize(u, [-1, 1]) - 1).gap_ <= 1e-3


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("epsilon", [2.0, 2.0 - 1e-13, 2.5])
@pytest.mark.parametrize("n", [40, 700])
def test_targets_inside_the_tube_are_an_optimum_of_zero(n, epsilon, kernel):
    """Tubes that share only one constant leave rounding errors as objective: it counts as 0, not as a gap of 1."""
    rng = np.random.default_rng(n)
    X, y = rng.standard_normal((n, 3)), np.append([1.0, 5.0], rng.integers(1, 6, n - 2))
    for estimator, unit in ((RankSVR, 1.0), (RankSVR, 0.1), (SVROnRanks, 1.0)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = estimator(C=1.0, kernel=kernel, epsilon=unit * epsilon).fit(X, unit * y).model_
        found = model.solution
        assert found.converged and found.gap == 0.0 and abs(found.objective) <= 1e-9
        assert judge(model, X if kernel == "linear" else None).gap == 0.0


def test_a_hessian_that_no_ridge_repairs_leaves_its_diagonal(monkeypatch):
    monkeypatch.setattr(products, "RIDGES", ())
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3))
    model = FixedMarginSVM(kernel="linear").fit(X, np.digitize(X[:, 0], [-1, 0, 1])).model_
    assert judge(model, X).gap <= 1e-3


# All pairs


LATTICE = st.sampled_from([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5])


@st.composite
def ranked(draw, most_ranks=5, with_groups=True):
    n = draw(st.integers(1, 25))
    y = draw(arrays(float, n, elements=st.integers(1, most_ranks).map(float)))
    s = draw(arrays(float, n, elements=LATTICE))
    groups = draw(st.one_of(st.none(), arrays(int, n, elements=st.integers(0, 2)))) if with_groups else None
    return y, s, groups


def comparable(y, groups):
    """Return which pairs (above, below) are compared, (n, n)."""
    return (y[:, None] > y) & (True if groups is None else groups[:, None] == groups)


def by_definition(y, s, margin=0.5, groups=None):
    """Return the violations by a look at every pair (Diez et al. eq. 21 with sign(0) = +1)."""
    violated = comparable(y, groups) & (s[:, None] - margin < s)
    return violated.sum(axis=1), violated.sum(axis=0)


def test_five_points_by_hand():
    """Pairs (above, below) and s_above - s_below: (1,0) 0.5, (2,0) 2, (2,1) 1.5, (2,3) 0.25, (3,0) 1.75, (3,1) 1.25,
    4 is a tie of 1."""
    y, s = np.array([1.0, 2.0, 4.0, 3.0, 2.0]), np.array([0.0, 0.5, 2.0, 1.75, -0.25])
    for oracle in (by_definition, fast.violations):
        np.testing.assert_array_equal(oracle(y, s, 0.5), [[0, 0, 1, 0, 1], [1, 0, 0, 1, 0]])
    assert PairLoss(y, margin=0.5).value(s) == pytest.approx(0.25 + 0.75)
    assert swapped_pairs(y, s) == pytest.approx(1 / 9)


@given(ranked(), st.sampled_from([0.0, 0.5, 1.0]))
def test_fast_is_the_definition(data, margin):
    y, s, groups = data
    np.testing.assert_array_equal(fast.violations(y, s, margin, groups), by_definition(y, s, margin, groups))


@given(ranked(with_groups=False))
def test_algorithm_2_as_printed_gives_c_and_d_of_eq_13(data):
    y, s, _ = data
    rank = y.astype(int)
    label = np.where(s[:, None] - 0.25 >= s[None, :] + 0.25, 1, -1) * (y[:, None] > y[None, :])
    c, d = algorithm_2(rank, s)
    np.testing.assert_array_equal(c, label.sum(axis=1))
    np.testing.assert_array_equal(d, label.sum(axis=0))


@given(ranked(most_ranks=100), st.sampled_from([0.0, 0.5, 1.0]))
def test_sums_over_partners_are_the_definition(data, margin):
    """Any values, several at once, with more ranks than one digit can code."""
    y, s, groups = data
    pairs = all_pairs.AllPairs(y, groups)
    at, values = pairs.sort(s), np.random.default_rng(0).standard_normal((len(y), 3))
    cuts = np.stack([pairs.cuts(at, margin), pairs.cuts(at, margin + 0.5)])
    found = pairs.sums(at, cuts, values[at.order])
    for b, far in enumerate((margin, margin + 0.5)):
        within = comparable(y, groups) & (s[:, None] - far < s)
        np.testing.assert_allclose(found[0, b], (within @ values)[at.order], atol=1e-12)
        np.testing.assert_allclose(found[1, b], (within.T @ values)[at.order], atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("whole", [True, False], ids=["whole weights", "weights with decimals"])
def test_the_noise_bounds_the_rounding_error_of_the_sum_of_slopes(seed, whole):
    """Against exact fractions: a reward above the exact one would be no bound of the dual."""
    rng = np.random.default_rng(seed)
    y, s = rng.integers(0, 5, 40), rng.integers(-80, 80, 40) / 8
    weight = rng.integers(0, 4, 40).astype(float) if whole else rng.uniform(0.1, 3.0, 40)
    loss = PairLoss(y, loss="squared_hinge", weight=weight)
    slopes = loss.slopes(s, 0.0)
    pairs = np.argwhere(np.greater.outer(y, y))
    exact = sum(Fraction(weight[i]) * Fraction(weight[j]) * max(Fraction(1.0 - s[i] + s[j]), 0) for i, j in pairs)
    exact *= Fraction(loss.loss.steepness)
    assert abs(Fraction(slopes.total) - exact) <= slopes.noise
    assert loss.reward(slopes) <= exact and (slopes.noise == 0) == whole
