"""Landmarks: the problem on them is solved, and what is proved about the kernel without them is below its optimum."""

import numpy as np
import pytest
from crossed import QUIET
from reference_qp import optimum
from scipy.sparse import csr_matrix

import rankmargin.problem.landmarks
import rankmargin.problem.spaces
from rankmargin import SVOR, ComparisonSVM, FixedMarginSVM, RankSVR, SumOfMarginsSVM, SwappedPairsSVM
from rankmargin.certificates import exact_bound, judge
from rankmargin.problem.landmarks import kernel_of
from rankmargin.problem.rows import thresholds
from rankmargin.problem.spaces import kernel_matrix

pytestmark = QUIET
N = 60


def data(seed=0, n=N):
    """Return raw rows far from 0, some of them repeated, and three grades."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) * [1.0, 5.0, 0.2] + [0.0, 900.0, -40.0]
    X[: n // 6] = X[n // 6 : 2 * (n // 6)]
    s = X[:, 0] + np.sin(X[:, 1]) + 0.3 * rng.standard_normal(n)
    return X, np.digitize(s, [-0.7, 0.7])


@pytest.mark.parametrize("C", [0.1, 10.0, 1e4])
@pytest.mark.parametrize("cls", [SwappedPairsSVM, SVOR, FixedMarginSVM, RankSVR, SumOfMarginsSVM])
def test_all_rows_as_landmarks_are_no_landmarks(cls, C):
    X, y = data()
    C = None if cls is SumOfMarginsSVM else C
    exact = cls(C=C, tol=1e-6).fit(X, y)
    own = cls(C=C, tol=1e-6, landmarks=N).fit(X, y)
    assert 3 < len(own.landmarks_) <= N - N // 6  # a repeated row is no landmark twice
    assert own.objective_ == pytest.approx(exact.objective_, rel=1e-2 if cls is SumOfMarginsSVM else 1e-4)
    proved, found = exact_bound(own.model_, X), judge(own.model_, X)
    assert found.gap <= 2e-6
    assert proved.gap <= (1e-2 if cls is SumOfMarginsSVM else 1e-3)
    assert proved.infeasibility <= 1e-9


@pytest.mark.parametrize("landmarks", [5, 20])
@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_the_bound_is_below_the_optimum_of_another_solver(C, landmarks):
    """Of cvxopt, for the threshold rows of two estimators, on raw data far from 0."""
    X, y = data(1)
    for own, rows in [
        (SVOR(C=C), thresholds.implicit(y, 3)),
        (FixedMarginSVM(C=C), thresholds.explicit(y, 3, ordered=False)),
    ]:
        best = optimum(rows, kernel_matrix(X, kernel_of(own, X)), C)
        fit = own.set_params(landmarks=landmarks).fit(X, y)
        proved = exact_bound(fit.model_, X)
        assert proved.dual_bound <= best * (1 + 1e-9) <= proved.objective * (1 + 1e-8)
        assert proved.dual_bound >= 0.2 * best or landmarks == 5  # it says something
        assert proved.gap >= fit.gap_ - 1e-9


@pytest.mark.parametrize("kernel", ["rbf", "laplacian", "matern32", "poly"])
def test_more_landmarks_prove_more(kernel):
    """For pairs that are not listed, in groups and with weights, and for pairs of items."""
    X, y = data(2, 300)
    X, groups, weight = X - X.mean(axis=0), np.arange(300) % 4, 1.0 + np.arange(300) % 3
    gaps = []
    for landmarks in (10, 60, 250):
        own = SwappedPairsSVM(kernel=kernel, landmarks=landmarks, solver="smoothed_newton", coef0=1.0)
        gaps.append(exact_bound(own.fit(X, y, groups=groups, sample_weight=weight).model_, X).gap)
    assert gaps[0] > gaps[1] >= gaps[2] - 1e-6 and gaps[2] < (0.2 if kernel == "laplacian" else 0.02)
    pairs = np.hstack([X[:150], X[150:]])
    labels = np.sign(y[:150] - y[150:])
    few, many = (ComparisonSVM(kernel=kernel, landmarks=m, coef0=1.0).fit(pairs, labels) for m in (10, 290))
    assert exact_bound(few.model_, pairs).gap > exact_bound(many.model_, pairs).gap
    np.testing.assert_allclose(few.rank(X[:150]) - few.rank(X[150:]), few.score_samples(pairs), atol=1e-9)


def test_too_many_features_are_refused_before_the_fit(monkeypatch):
    X, y = data()
    with pytest.raises(ValueError, match="landmarks must be at most the 60 rows of the fit, got 61"):
        SwappedPairsSVM(landmarks=61).fit(X, y)
    monkeypatch.setattr(rankmargin.problem.spaces, "_memory_limit", lambda: 4 * 8 * 60 * 2.0)
    with pytest.raises(MemoryError, match="features of 60 rows take 0"):
        SwappedPairsSVM(landmarks=10).fit(X, y)
    assert rankmargin.problem.spaces.most_features(60) == 4 and rankmargin.problem.spaces.most_features(2) == 2


def test_single_precision_is_that_of_features_alone(monkeypatch):
    """Predictions are in double precision, and certified; sparse rows are as good."""
    X, y = data(3, 400)
    X = X - X.mean(axis=0)
    double = SwappedPairsSVM(landmarks=50, C=10.0).fit(X, y)
    monkeypatch.setattr(rankmargin.problem.landmarks, "IN_DOUBLE", 0)
    single = SwappedPairsSVM(landmarks=50, C=10.0).fit(csr_matrix(X), y)
    np.testing.assert_allclose(single.predict(X), double.predict(X), atol=1e-2)
    assert judge(single.model_, X).gap <= 1e-3
