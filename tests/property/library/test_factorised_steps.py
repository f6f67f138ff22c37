"""Newton steps with a Cholesky factor of all rows: the system, its solver, and fits against an independent QP."""

import numpy as np
import pytest
from reference_qp import optimum, squared_hinge_optimum
from test_open_losses import KINDS, random_problem
from test_smoothed_newton import LOSSES, made

from rankmargin import RankSVR, SwappedPairsSVM
from rankmargin.certificates import certify, judge
from rankmargin.kernels import Kernel
from rankmargin.losses import Loss
from rankmargin.oracles.objective import Problem
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.oracles.row_losses import RowLoss
from rankmargin.problem import kernel_rows
from rankmargin.problem import spaces as spaces_module
from rankmargin.problem.kernel_rows import KernelRows
from rankmargin.problem.rows.pairs import all_pairs
from rankmargin.problem.spaces import KernelSpace
from rankmargin.solvers.smoothed_newton import smoothed_newton


def grouped(seed, n=125):
    """Return X with equal rows, y with ties, groups of five rows and weights."""
    rng = np.random.default_rng([seed, 31])
    X = 0.5 * rng.integers(-2, 3, (n, 3))
    weight = rng.integers(1, 4, n) if seed % 2 else None
    return X, rng.integers(0, 4, n).astype(float), rng.permutation(np.repeat(np.arange(n // 5), 5)), weight


def assert_is_the_curvature(loss, slopes):
    out = np.full((loss.n, loss.n), 7.0)
    loss.add_curvature(slopes, 3.0, out)
    added = np.tril(out - 7.0)
    L = 3.0 * loss.curvature_times(slopes, np.eye(loss.n))
    assert np.any(L)
    np.testing.assert_allclose(added, np.tril(L), atol=1e-9)


@pytest.mark.parametrize("loss", [*LOSSES, Loss("smooth", steepness=3.0)], ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_added_is_the_second_derivative_of_all_pairs(seed, loss):
    X, y, groups, weight = grouped(seed, 40)
    lower = None if weight is None else weight * (np.arange(40) % 3 > 0)
    pairs = PairLoss(y, groups if seed else None, 0.5, 2.0, loss, weight, lower)
    assert_is_the_curvature(pairs, pairs.slopes(X[:, 0] + 0.1 * X[:, 1], 0.7))


@pytest.mark.parametrize("loss", [Loss("hinge"), Loss("smooth", steepness=3.0, cap=0.8)], ids=lambda loss: loss.name)
@pytest.mark.parametrize("seed", range(2))
def test_a_narrower_window_with_the_same_pairs_has_the_slopes_of_a_list(seed, loss):
    X, y, groups, weight = grouped(seed, 40)
    lower = None if weight is None else weight * (np.arange(40) % 3 > 0)
    pairs, s = PairLoss(y, groups if seed else None, 0.5, 2.0, loss, weight, lower), X[:, 0] + 0.1 * X[:, 1]
    lack = 0.5 - (s[:, None] - s)
    ordered = (y[:, None] > y) & (groups[:, None] == groups if seed else True)
    weights = ordered * np.outer(pairs.weight, pairs.lower)
    length = loss.cap / loss.steepness
    inside = (lack > -0.35) & (lack < length + 0.35)
    listed = weights * np.where(inside, loss.cap * (lack + 0.05) / (length + 0.1), loss.cap * (lack > 0.0))
    found = pairs.narrowed(pairs.slopes(s, 0.7), s, 0.1)
    assert np.any(weights * inside) and np.any(weights * ~inside * (lack > 0.0))
    assert found.steepness == pytest.approx(loss.cap / (length + 0.1))
    np.testing.assert_allclose(found.beta, listed.sum(axis=1) - listed.sum(axis=0), atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_added_is_the_second_derivative_of_listed_rows(seed, kind):
    X, rows, _ = random_problem(kind, seed)
    loss = RowLoss(rows)
    assert_is_the_curvature(loss, loss.slopes(X[:, 0], 3.0))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_a_little_narrower_no_listed_row_leaves_the_window(seed, kind):
    X, rows, _ = random_problem(kind, seed)
    s = X[:, 0] + 0.1 * np.random.default_rng(seed).standard_normal(rows.n_samples)
    wide, narrow = RowLoss(rows).slopes(s, 3.0), RowLoss(rows).slopes(s, 2.9999)
    assert np.array_equal(wide.inside, narrow.inside) and np.abs(wide.beta - narrow.beta).max() > 1e-6
    loss = RowLoss(rows)
    found = loss.narrowed(loss.slopes(s, 3.0), s, 2.9999)
    np.testing.assert_allclose(found.beta, narrow.beta, atol=1e-10)
    assert found.steepness == pytest.approx(narrow.steepness)


@pytest.mark.parametrize(("precision", "left"), [(np.float32, 1e-2), (np.float64, 1e-8)])
def test_a_factor_solves_the_system_and_keeps_it_self_adjoint(precision, left):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((150, 10)), rng.integers(0, 5, 150)
    K, r = Kernel("rbf", 0.1).gram(X, X), rng.standard_normal(150)
    rows, loss = KernelRows(KernelSpace(K), K.astype(precision)), PairLoss(y)
    slopes = loss.slopes(X[:, 0], 0.1)
    L = 0.1 * loss.curvature_times(slopes, np.eye(150))
    solve = rows.solver(loss, slopes, 0.1)
    found = solve(r)
    assert np.linalg.norm(found + L @ K @ found - r) <= left * np.linalg.norm(r)
    P = K @ np.column_stack([solve(e) for e in np.eye(150)])
    np.testing.assert_allclose(P, P.T, atol=left * np.abs(P).max())


@pytest.mark.parametrize("in_double", [1000, 0])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", range(8))
def test_steps_with_factors_reach_the_optimum(seed, loss, in_double, monkeypatch):
    """Ties, equal rows, groups, weights; C from 1e-3 to 1e4; K in single and in double precision."""
    monkeypatch.setattr(spaces_module, "IN_DOUBLE", in_double)
    X, y, groups, weight = grouped(seed)
    C = 10.0 ** (seed - 3)
    K = Kernel("rbf", 0.5).gram(X, X)
    pairs, rows = PairLoss(y, groups, 0.5, 2.0, loss, weight), all_pairs(y, groups, 0.5, 2.0).weighted(weight)
    best = (optimum if loss == "hinge" else squared_hinge_optimum)(rows, K, C)
    (solution,) = smoothed_newton(Problem(pairs, KernelSpace(K)), [C], tol=2e-5)
    certificate = certify(Problem(pairs, KernelSpace(K)), C, solution)
    assert certificate.infeasibility == 0.0 and certificate.gap <= 2.1e-5
    assert best * (1 - 1e-7) <= certificate.objective <= best * (1 + 3e-5)
    assert best * (1 - 3e-5) <= certificate.dual_bound <= best * (1 + 1e-6)


def test_all_pairs_of_many_rows_have_no_factor_in_single_precision(monkeypatch):
    """With C = 1,000 such a factor cost 4,000 rows a second and a half and was of no use."""
    monkeypatch.setattr(spaces_module, "IN_DOUBLE", 0)
    monkeypatch.setattr(kernel_rows, "DIRECT", 0)
    monkeypatch.setattr(kernel_rows, "PATIENCE", 5)
    used, inverse = [], KernelRows.inverse.func
    monkeypatch.setattr(KernelRows, "inverse", property(lambda self: used.append(self.K.dtype) or inverse(self)))
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 10))
    y = np.searchsorted([-0.5, 0.5], X[:, 0] + rng.standard_normal(150))
    ranker = SwappedPairsSVM(kernel="rbf", gamma=0.1, C=1000.0, solver="smoothed_newton").fit(X, y)
    assert set(used) == {np.dtype(np.float64)}
    assert judge(ranker.model_).gap <= 1e-3


@pytest.mark.parametrize(("n", "C", "steps"), [(300, 1000.0, 14), (600, 1e-3, 80), (600, 1.0, 80), (600, 1000.0, 80)])
def test_grades_need_few_steps_whatever_the_cost(n, C, steps):
    """With steps from the pairs in the smaller window 300 rows took 29, and with a weight of 2 for each pair 600 rows
    took hundreds, each of many conjugate gradients."""
    X, y, _ = made(n)
    ranker = SwappedPairsSVM(kernel="rbf", gamma=0.1, C=C, solver="smoothed_newton").fit(X, y)
    assert ranker.n_iter_ <= steps and ranker.gap_ <= 1e-3 and judge(ranker.model_).gap <= 1e-3


def of_categories(n, seed, levels=(3, 2, 5, 10, 3)):
    """Return five columns of categories, each level with a column of its own, and counts that depend on three."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(k, size=n) for k in levels]
    X = np.hstack([np.sqrt(k) * np.eye(k)[code] for k, code in zip(levels, codes, strict=True)])
    return X, rng.poisson(np.exp(0.5 * codes[0] + 0.3 * codes[1] + 0.1 * codes[2]))


@pytest.mark.parametrize("C", [1e2, 1e4, 1e6])
@pytest.mark.parametrize(("n", "gamma"), [(160, 0.05), (160, 0.5), (400, 0.005), (400, 0.05)])
def test_equal_rows_of_categories_need_few_steps(n, gamma, C):
    """K has no inverse; a factor of one that rounding had made was of no use, and 300 steps ended at gaps up to 0.7."""
    X, y = of_categories(n, n)
    assert len(np.unique(X, axis=0)) < n
    ranker = SwappedPairsSVM(gamma=gamma, C=C, solver="smoothed_newton").fit(X, y)
    assert ranker.n_iter_ <= 90 and ranker.gap_ <= 1e-3 and judge(ranker.model_).gap <= 1e-3


@pytest.mark.parametrize("dear", [1500, np.inf])
def test_functions_that_span_all_make_steps_as_sharp_as_factors_do(dear, monkeypatch):
    """600 rows with 64 inputs, in single precision at first; with the rough steps of before the gap was 0.0026 after
    300 of them. No matrix of all rows is inverted."""
    monkeypatch.setattr(spaces_module, "IN_DOUBLE", 0)
    monkeypatch.setattr(kernel_rows, "DIRECT", 50)
    monkeypatch.setattr(kernel_rows, "DEAR", dear)
    rng = np.random.default_rng(0)
    X = rng.integers(4, size=(600, 3)).astype(float)
    y = rng.poisson(np.exp(0.3 * X[:, 0] + 0.2 * np.sin(X[:, 1])))
    used, inverse = [], KernelRows.inverse.func
    monkeypatch.setattr(KernelRows, "inverse", property(lambda self: used.append(self.n) or inverse(self)))
    ranker = SwappedPairsSVM(gamma=0.1, C=1000.0, solver="smoothed_newton", max_iter=300).fit(X, y)
    assert ranker.n_iter_ <= 60 and not used
    assert ranker.gap_ <= 1e-3 and judge(ranker.model_).gap <= 1e-3


@pytest.mark.parametrize(
    ("kind", "wide", "loss"),
    [
        ("distinct", 2, "hinge"),
        ("distinct", 2, "squared_hinge"),
        ("distinct", 4, "squared_hinge"),
        *(("categories", wide, loss) for wide in (2, 4) for loss in LOSSES),
    ],
)
def test_weights_of_very_different_sizes(kind, wide, loss):
    """A shift that equal rows need would spoil the factors of other rows: 1,000 steps ended at a gap of 1. Those of
    equal rows are spoiled by such weights too, and then all eigenvectors of K are features."""
    rng = np.random.default_rng(1)
    X, y = of_categories(150, 1)
    if kind == "distinct":
        X = rng.standard_normal((150, 5))
        y = X[:, 0] + 0.3 * rng.standard_normal(150)
    weight = 10.0 ** rng.uniform(-wide, wide, 150)
    ranker = SwappedPairsSVM(kernel="laplacian", gamma=0.1, loss=loss, C=1e5, solver="smoothed_newton", max_iter=200)
    ranker.fit(X, y, sample_weight=weight)
    assert ranker.gap_ <= 1e-3 and judge(ranker.model_).gap <= 1e-3


def test_steps_in_double_precision_are_sharpened_by_other_products():
    """The products were changed in place, with a hundred features of before, which were taken for a span of all."""
    rng = np.random.default_rng(0)
    K = Kernel("rbf", 0.2).gram(*2 * (rng.standard_normal((1010, 6)),))
    rows = KernelRows(KernelSpace(K), K)
    rows.K = rows.space.held
    assert rows.features.shape == (1010, kernel_rows.FEW)
    sharp = rows.sharpened()
    assert sharp is not rows and sharp.sharp and sharp.factorised and not sharp.spanned and not rows.sharp
    assert sharp.sharpened() is sharp


@pytest.mark.parametrize("seed", range(4))
def test_rows_with_few_inputs_leave_single_precision_where_it_stalls(seed):
    """1,141 rows with five inputs: half of such fits ended at a gap of 1, because gains made of rounding were taken for
    steps forward, and because listed rows never came to double precision."""
    rng = np.random.default_rng([seed, 5])
    X = rng.standard_normal((5, 3))[rng.integers(0, 5, 1141)]
    y = X @ rng.standard_normal(3) + 0.3 * rng.standard_normal(1141)
    ranker = RankSVR(kernel="poly", degree=3, C=500.0, loss="squared_hinge").fit(X, y)
    assert ranker.gap_ <= 1e-3 and judge(ranker.model_).gap <= 1e-3 and ranker.n_iter_ <= 60
