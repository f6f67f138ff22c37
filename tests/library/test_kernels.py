"""Kernels against scikit-learn's, and the two spaces against each other."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics.pairwise import pairwise_kernels

from rankmargin.kernels import ColumnSpace, KernelSpace, LinearSpace, check_kernel, gram, make_space, squared_norms

RNG = np.random.default_rng(0)
X, Z = RNG.standard_normal((7, 3)), RNG.standard_normal((5, 3))


@pytest.mark.parametrize(
    ("kernel", "parameters"),
    [("linear", {}), ("rbf", {"gamma": 0.3}), ("poly", {"gamma": 0.5, "degree": 2, "coef0": 1.0})],
)
def test_values_are_scikit_learns(kernel, parameters):
    expected = pairwise_kernels(X, Z, metric=kernel, **parameters)
    np.testing.assert_allclose(gram(X, Z, kernel, **parameters), expected, rtol=1e-12)
    np.testing.assert_allclose(gram(csr_matrix(X), csr_matrix(Z), kernel, **parameters), expected, rtol=1e-12)


def test_rbf_of_a_point_with_itself_is_one_even_far_out():
    far = 1e6 + RNG.standard_normal((4, 2))
    np.testing.assert_array_equal(np.diag(gram(far, far, "rbf", 1.0)), 1.0)


def test_spaces_agree_on_scores():
    beta = RNG.standard_normal(7)
    expected = X @ X.T @ beta
    for space in (KernelSpace(X @ X.T), LinearSpace(X), LinearSpace(csr_matrix(X)), make_space(X, "linear")):
        np.testing.assert_allclose(space.scores(beta), expected, rtol=1e-12)
    np.testing.assert_allclose(squared_norms(csr_matrix(X)), (X**2).sum(axis=1))


def test_a_linear_space_never_forms_a_kernel_matrix():
    space = LinearSpace(csr_matrix((np.ones(3), ([0, 1, 99_999], [0, 1, 2])), shape=(100_000, 3)))
    assert space.scores(np.ones(100_000)).shape == (100_000,)


def test_a_kernel_that_overflows_is_refused():
    with pytest.raises(ValueError, match=r"poly kernel must be finite, got inf or nan for X up to .*: scale X"):
        make_space(1e200 * X, "poly", 1.0, 3, 1.0)


def test_the_gaussian_kernel_does_not_care_where_the_origin_is():
    """Coordinates near 1e8 have eight digits left for distances."""
    far = make_space(X + 1e8, "rbf", 0.5).K
    np.testing.assert_allclose(far, make_space(X, "rbf", 0.5).K, rtol=1e-6)
    assert np.linalg.eigvalsh(far)[0] > -1e-12


def test_a_block_of_columns_is_that_of_the_whole_matrix():
    """Also where gamma is so large that a distance of 0 must be 0 to the last digit."""
    i = np.array([0, 3, 4])
    block = ColumnSpace(X, {"kernel": "rbf", "gamma": 1e15}).block(i)
    np.testing.assert_array_equal(block, np.eye(3))


@pytest.mark.parametrize(("name", "value"), [("gamma", None), ("gamma", "wide"), ("degree", "3"), ("coef0", np.nan)])
def test_kernel_parameters_must_be_numbers(name, value):
    with pytest.raises(ValueError, match=f"{name} must be a number, got {value!r}"):
        check_kernel(**{"kernel": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0, name: value})
