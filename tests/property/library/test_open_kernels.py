"""Kernels: every one with every estimator and loss against the judge, and a stranger's kernel in one file."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.gaussian_process.kernels import RBF, DotProduct, RationalQuadratic
from sklearn.metrics import pairwise

from rankmargin import (
    SVOR,
    ComparisonSVM,
    FixedMarginSVM,
    PairwiseRankSVM,
    RankBoundarySVM,
    RankSVR,
    SwappedPairsSVM,
    stack_pairs,
)
from rankmargin.certificates import judge
from rankmargin.estimators.ordinal_base import ThresholdOrderWarning
from rankmargin.estimators.pairs_base import NoScalingWarning
from rankmargin.kernels import Kernel
from rankmargin.losses import Loss
from rankmargin.problem.kernel_functions import FUNCTIONS

GIVEN = [RBF(0.8), RationalQuadratic(1.0, 0.5) + DotProduct(0.1), pairwise.laplacian_kernel]
ESTIMATORS = [
    *(SwappedPairsSVM(C=C) for C in (1e-3, 1.0, 100.0)),
    PairwiseRankSVM(),
    RankBoundarySVM(),
    SVOR(),
    FixedMarginSVM(ordered=True),
    RankSVR(),
    ComparisonSVM(C=10.0),
]
ALL = ["rbf", "linear", "poly", *FUNCTIONS, *GIVEN]


def named(kernel):
    return getattr(kernel, "__name__", str(kernel))


def made(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(0.0, 2.0, (n, 3))
    X[1] = X[0]
    return X, np.digitize(X[:, 0] + np.sin(3 * X[:, 1]) + 0.2 * rng.standard_normal(n), [0.5, 1.0, 1.7, 2.2])


@pytest.mark.parametrize("name", ["linear", "rbf", "poly", *FUNCTIONS])
def test_values_are_those_of_scikit_learn(name):
    X, gamma = made()[0], 0.7
    length = gamma**-0.5
    theirs = {
        "linear": lambda: pairwise.linear_kernel(X, X[:7]),
        "rbf": lambda: pairwise.rbf_kernel(X, X[:7], gamma),
        "poly": lambda: pairwise.polynomial_kernel(X, X[:7], 2, gamma, 1.0),
        "laplacian": lambda: pairwise.laplacian_kernel(X, X[:7], gamma),
        "chi2": lambda: pairwise.chi2_kernel(X, X[:7], gamma),
        "cosine": lambda: pairwise.cosine_similarity(X, X[:7]),
    }
    if name.startswith("matern"):
        from sklearn.gaussian_process.kernels import Matern

        theirs[name] = lambda: Matern(length, nu={"12": 0.5, "32": 1.5, "52": 2.5}[name[-2:]])(X, X[:7])
    kernel = Kernel(name, gamma, 2, 1.0)
    if name in ("linear", "rbf", "poly"):
        np.testing.assert_allclose(kernel.gram(csr_matrix(X), csr_matrix(X[:7])), theirs[name](), atol=1e-12)
    np.testing.assert_allclose(kernel.gram(X, X[:7]), theirs[name](), atol=1e-13)
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(kernel.gram(X, X)), atol=1e-15)


@pytest.mark.parametrize("kernel", ALL, ids=named)
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_the_judge_confirms_every_estimator(estimator, kernel):
    """Each with a loss that takes its turn."""
    (X, y), turn = made(), ALL.index(kernel) + ESTIMATORS.index(estimator)
    loss = ["hinge", "squared_hinge", Loss("smooth_hinge", steepness=4.0)][turn % 3]
    if isinstance(estimator, ComparisonSVM):
        X, y = stack_pairs(X[:30], X[30:]), np.sign(y[30:] - y[:30])
    with warnings.catch_warnings():
        for of_the_model in (ThresholdOrderWarning, NoScalingWarning):
            warnings.simplefilter("ignore", of_the_model)
        options = {"loss": loss} if "loss" in estimator.get_params() else {}  # RankSVR has the hinge alone
        fitted = clone(estimator).set_params(kernel=kernel, **options).fit(X, y)
    found = judge(fitted.model_, X)
    assert found.gap <= max(1e-3, 1.01 * fitted.gap_) and found.infeasibility <= 1e-8
    assert found.objective == pytest.approx(fitted.objective_, rel=1e-7)
