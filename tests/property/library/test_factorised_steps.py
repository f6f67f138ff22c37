"""Newton steps with a Cholesky factor of all rows: the system, its solver, and fits against an independent QP."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from made_problems import noisy
from reference_qp import optimum, squared_hinge_optimum
from test_open_losses import KINDS, random_problem
from test_smoothed_newton import LOSSES, made

from rankmargin import SVOR, RankSVR, SwappedPairsSVM
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


def of_numbers(rng, n):
    X = rng.standard_normal((n, 5))
    return X, X[:, 0] + 0.3 * rng.standard_normal(n)


def of_categories(n, seed, levels=(3, 2, 5, 10, 3)):
    """Return five columns of categories, each level with a column of its own, and counts that depend on three."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(k, size=n) for k in levels]
    X = np.hstack([np.sqrt(k) * np.eye(k)[code] for k, code in zip(levels, codes, strict=True)])
    return X, rng.poisson(np.exp(0.5 * codes[0] + 0.3 * codes[1] + 0.1 * codes[2]))


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


def hard():
    """Yield why, a ranker, its rows and targets, weights, and the steps that are enough: fits that once took hundreds
    of steps, or ended with a large gap."""
    newton = partial(SwappedPairsSVM, solver="smoothed_newton")
    for n, C, steps in ((300, 1000.0, 14), (600, 1e-3, 80), (600, 1.0, 80), (600, 1000.0, 80)):
        X, y, _ = made(n)
        yield "grades, whose pairs in the smaller window are few", newton(gamma=0.1, C=C), X, y, None, steps
    for levels, C in product((0, 5), (1e3, 1e5, 1e7)):
        X, y, _ = made(200, 10, levels)
        yield "most pairs free, and a width that shrank too fast", newton(gamma=0.1, C=C), X, y, None, 200
    X, y = noisy(1100, 3, 0.3, lambda X: X[:, 0] + X[:, 1] ** 2)
    steep = SwappedPairsSVM(gamma=0.3, C=700.0, loss=Loss("steep", cap=30.0))
    yield "a steep loss, which is as dear as a large cost", steep, X, y, None, 100
    for n, gamma in ((160, 0.05), (160, 0.5), (400, 0.005), (400, 0.05)):
        X, y = of_categories(n, n)  # K has no inverse
        for C in (1e2, 1e4, 1e6):
            yield "equal rows of categories", newton(gamma=gamma, C=C), X, y, None, 90
    for n, d, gamma, levels, C in (
        (1000, 60, "scale", 0, 1e4),
        (1100, 2, 0.005, 3, 1e4),
        (1100, 2, 0.005, 0, 1e4),
        (1100, 10, "scale", 0, 1e6),
    ):
        X, y = noisy(n, d, 0.3, lambda X: X[:, 0] + np.sin(2 * X[:, 1]), seed=1)
        y = np.digitize(y, np.linspace(-1, 1, levels - 1)) if levels else y
        ranker = SwappedPairsSVM(gamma=gamma, C=C)
        yield "a first step that went too far, or factors that came too late", ranker, X, y, None, np.inf
    for seed in range(4):
        rng = np.random.default_rng([seed, 5])
        X = rng.standard_normal((5, 3))[rng.integers(0, 5, 1141)]
        y = X @ rng.standard_normal(3) + 0.3 * rng.standard_normal(1141)
        ranker = RankSVR(kernel="poly", degree=3, C=500.0, loss="squared_hinge")
        yield "five distinct rows in single precision, where gains are rounding", ranker, X, y, None, 60
    for wide, loss in product((2, 4), LOSSES):
        rng = np.random.default_rng(1)
        for kind, (X, y) in {"categories": of_categories(150, 1), "distinct": of_numbers(rng, 150)}.items():
            weight = 10.0 ** rng.uniform(-wide, wide, 150)
            if (kind, wide, loss) != ("distinct", 4, "hinge"):
                ranker = newton(kernel="laplacian", gamma=0.1, loss=loss, C=1e5, max_iter=200)
                yield f"weights of very different sizes, rows that are {kind}", ranker, X, y, weight, 200
    for loss in LOSSES:
        rng = np.random.default_rng(0)
        X, y = rng.standard_normal((9000, 4)) * [1.0, 30.0, 0.1, 1.0], np.zeros(9000)
        y[rng.choice(9000, 2)] = 1.0
        yield "a sample of rows without a pair", SwappedPairsSVM(kernel="linear", loss=loss), X, y, None, np.inf
    X = (np.random.default_rng(0).random((110, 1500)) < 0.15).astype(float)
    y = X[:, :5].sum(axis=1) + np.random.default_rng(1).standard_normal(110)
    for C in (1.0, 1000.0):
        yield "few rows of many columns", SwappedPairsSVM(kernel="linear", C=C), X, y, None, np.inf
    for ranker, (n, d) in product((RankSVR(kernel="linear"), SVOR(kernel="linear")), ((10, 3), (100, 10), (200, 3))):
        y = np.clip(np.round(np.random.default_rng(1).standard_normal(n)), -1, 1)
        yield (
            "columns that are not scaled",
            ranker,
            1e3 * np.random.default_rng(7).standard_normal((n, d)),
            y,
            None,
            500,
        )


HARD = [*hard()]


@pytest.mark.parametrize(("why", "ranker", "X", "y", "weight", "steps"), HARD, ids=[why for why, *_ in HARD])
def test_hard_fits_converge_in_few_steps(why, ranker, X, y, weight, steps):
    fitted = ranker.fit(X, y, sample_weight=weight)
    certificate = judge(fitted.model_, X)
    assert max(fitted.gap_, certificate.gap) <= 1e-3 and certificate.infeasibility <= 1e-9
    assert fitted.n_iter_ <= steps
