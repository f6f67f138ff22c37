"""Kernels against scikit-learn's, and the two spaces against each other."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from rankmargin import SVOR, ComparisonSVM, SwappedPairsSVM
from rankmargin.certificates import certify, judge
from rankmargin.estimators.path import fit_path
from rankmargin.problem.kernels import EXACT, Kernel
from rankmargin.problem.spaces import ColumnSpace

RNG = np.random.default_rng(0)
X, Z = RNG.standard_normal((7, 3)), RNG.standard_normal((5, 3))


def by_definition(X, Z, gamma):
    differences = X.astype(np.longdouble)[:, None] - Z.astype(np.longdouble)[None]
    return np.exp(-np.longdouble(gamma) * (differences**2).sum(axis=2)).astype(float)


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
@pytest.mark.parametrize("power", [0, 4, 6, 7, 8, 10, 12, 100, 160, 300])
@pytest.mark.parametrize("where", ["outlier", "all far", "two groups", "two outliers side by side"])
def test_entries_of_the_gaussian_kernel_are_exact_wherever_the_rows_lie(where, power, form):
    """The mean of all rows, or the origin, may be so far away that ordinary rows lose all digits of their distances."""
    rows = np.random.default_rng(power).standard_normal((31, 4))
    moved = {"outlier": [-1], "all far": slice(None), "two groups": slice(None, None, 2)}.get(where, [-2, -1])
    rows[moved] += 10.0**power
    expected = by_definition(rows, rows, 0.5)
    assert power > 8 or np.sum((expected > 0.01) & (expected < 0.99)) > 100
    np.testing.assert_array_equal(np.diag(Kernel("rbf", 0.5).gram(rows, rows)), 1.0)
    for other in (rows, rows[:9].copy()):
        np.testing.assert_allclose(
            Kernel("rbf", 0.5).gram(form(rows), form(other)), expected[:, : len(other)], rtol=0, atol=EXACT
        )


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
@pytest.mark.parametrize("power", [0, 6, 8, 9, 10, 12])
def test_an_outlier_leaves_the_objective_as_it_is(power, form):
    rng = np.random.default_rng(1)
    rows, y = rng.standard_normal((31, 4)), rng.integers(0, 3, 31).astype(float)
    rows[-1] = 10.0**power
    (model,) = fit_path(SwappedPairsSVM(kernel="rbf", gamma=0.5, tol=1e-6), form(rows), y, [1.0])
    K, beta, told = by_definition(rows, rows, 0.5), model.solution.beta, judge(model)
    scores = K @ beta
    hinges = [max(0, 1 - 2 * (scores[i] - scores[j])) for i in range(31) for j in range(31) if y[i] > y[j]]
    assert told.objective == pytest.approx(0.5 * beta @ scores + sum(hinges), rel=1e-9)
    assert told.objective == pytest.approx(model.solution.objective, rel=1e-8) and told.gap <= 1.01e-6


@pytest.mark.parametrize("estimator", [SVOR(kernel="rbf", gamma=0.5), ComparisonSVM(kernel="rbf", gamma=0.5)])
def test_the_judge_does_not_believe_the_matrix_of_the_solver(estimator):
    rows, y = RNG.standard_normal((20, 4)), np.arange(20) % 3 - 1
    (model,) = fit_path(estimator, rows, y, [1.0])
    told, honest = certify(model.problem, model.C, model.solution), judge(model).objective
    model.problem.space.K[3] += 0.1
    assert judge(model).objective == honest == pytest.approx(told.objective, rel=1e-12)


@pytest.mark.parametrize("gamma", [1e-200, 1e-3, 1e9, 1e200])
def test_a_scale_that_gamma_undoes(gamma):
    np.testing.assert_allclose(
        Kernel("rbf", gamma).gram(X / gamma**0.5, Z / gamma**0.5), by_definition(X, Z, 1.0), atol=EXACT
    )


def test_a_block_of_columns_is_that_of_the_whole_matrix():
    """Also where gamma is so large that a distance of 0 must be 0 to the last digit."""
    i = np.array([0, 3, 4])
    block = ColumnSpace(X, Kernel("rbf", 1e15)).block(i)
    np.testing.assert_array_equal(block, np.eye(3))


def test_a_kernel_with_no_rows_is_empty_however_far_the_others_lie():
    """A lean model may have no support rows at all."""
    assert Kernel("rbf", 1.0).gram(np.full((2, 2), 1e9), np.empty((0, 2))).shape == (2, 0)


@pytest.mark.parametrize("where", [0.0, 1e3, 1e8])
def test_rounding_bounds_the_error_of_an_entry(where):
    rows = where + np.random.default_rng(1).standard_normal((6, 3))
    exact = [[Fraction(0)] * 6 for _ in range(6)]
    for i, j in np.ndindex(6, 6):
        product = sum(Fraction(a) * Fraction(b) for a, b in zip(rows[i].tolist(), rows[j].tolist(), strict=True))
        exact[i][j] = (Fraction(0.3) * product + Fraction(0.7)) ** 3
    kernel = Kernel("poly", 0.3, 3, 0.7)
    K = kernel.gram(rows, rows)
    error = max(abs(Fraction(K[i, j]) - exact[i][j]) for i, j in np.ndindex(6, 6))
    assert 0 < error <= kernel.rounding(rows) <= 1e-14 * K.max()


@pytest.mark.parametrize("kernel", [Kernel("poly", 1.0), Kernel("rbf", 1e-9)])
def test_pairs_whose_kernel_values_agree_in_all_digits_are_refused_by_name(kernel):
    rng = np.random.default_rng(0)
    pairs = rng.standard_normal((20, 4)) * 1e-4 + (1e6 if kernel.name == "poly" else 0.0)
    message = rf"the {kernel.name} kernel of pairs must be positive semi-definite .* eigenvalue of -.*; scale X"
    with pytest.raises(ValueError, match=message):
        fit_path(ComparisonSVM(kernel=kernel.name, gamma=kernel.gamma), pairs, rng.integers(-1, 2, 20), [1.0])


@pytest.mark.parametrize("scale", [1e160, 1e300, 1e-170, 1e-300])
def test_directions_do_not_depend_on_the_length_of_a_row(scale):
    expected = Kernel("cosine", 1.0).gram(X, Z)
    np.testing.assert_allclose(Kernel("cosine", 1.0).gram(scale * X, Z / scale), expected, rtol=1e-12)
    y = np.arange(7.0)
    model = SwappedPairsSVM(kernel="cosine").fit(scale * X, y).model_
    assert judge(model).objective == pytest.approx(model.solution.objective, rel=1e-9) and model.solution.objective > 0


def test_a_variance_that_leaves_the_range_is_refused_on_both_sides():
    y = np.arange(7.0)
    for scale, seen in ((1e-165, "0.0"), (1e160, "inf")):
        with pytest.raises(ValueError, match=f"X must have a variance in the range of float64, got {seen}: scale X"):
            SwappedPairsSVM().fit(scale * X, y)
    assert SwappedPairsSVM().fit(np.full((7, 2), 1e-165), y).model_.kernel.gamma == 1.0  # no variance at all
    weight = np.r_[1.0, 1.0, np.zeros(5)]
    assert (
        SwappedPairsSVM().fit(np.vstack([np.full((2, 3), 0.5), X[2:]]), y, sample_weight=weight).model_.kernel.gamma
        == 1.0
    )
