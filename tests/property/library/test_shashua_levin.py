"""Fixed margin and sum of margins: against scikit-learn's SVC and NuSVC, a conic solver, and each other."""

import warnings

import numpy as np
import pytest
from made_problems import noisy
from reference_qp import largest_sum_of_margins, optimum

from rankmargin import SVOR, FixedMarginSVM, SumOfMarginsSVM
from rankmargin.certificates import judge
from rankmargin.certificates.models import rank_scores
from rankmargin.estimators.ordinal_base import ThresholdOrderWarning
from rankmargin.estimators.path import fit_path
from rankmargin.estimators.sum_of_margins import SmallerCWarning, range_of_C
from rankmargin.kernels import Kernel
from rankmargin.problem.rows import thresholds
from rankmargin.solvers import interior_point


def data(n_ranks, n=60, noise=0.5, seed=0, d=3):
    X, f = noisy(n, d, noise, lambda X: X[:, 0] + 0.5 * X[:, 1] ** 2, seed)
    return X, np.searchsorted(np.quantile(f, np.arange(1, n_ranks) / n_ranks), f) + 1.0


@pytest.mark.parametrize(("seed", "steps"), [*((s, 1000) for s in range(16)), *((s, 1) for s in range(8))])
def test_sum_of_margins_reaches_the_conic_optimum(seed, steps, monkeypatch):
    """By steps on pairs, and by the interior point method almost from the start."""
    monkeypatch.setattr(interior_point, "ENOUGH_IN_ORDER", steps)
    rng = np.random.default_rng(seed)
    n_ranks = int(rng.integers(2, 6))
    X, y = data(n_ranks, int(rng.integers(12, 40)), seed=seed)
    low, high = range_of_C(y.astype(int) - 1)
    C = [low, 1.5 * low, np.sqrt(low * high), high][seed % 4]
    model = fit_path(SumOfMarginsSVM(gamma=1.0, tol=1e-7), X, y, [C])[0]
    certificate = judge(model)
    best = largest_sum_of_margins(model.problem.rows, Kernel("rbf", 1.0).gram(X, X), C)
    assert best > 1e-3
    assert certificate.objective == pytest.approx(best, rel=1e-6)
    assert certificate.dual_bound == pytest.approx(best, rel=1e-6)
    assert certificate.infeasibility <= 1e-9
    assert np.all(np.diff(model.solution.theta) >= 0)
    assert model.solution.beta @ model.problem.space.scores(model.solution.beta) == pytest.approx(
        1.0
    )  # eq. 17 is tight


@pytest.mark.parametrize("kernel", ["linear", "poly"])
@pytest.mark.parametrize("seed", range(4))
def test_columns_of_any_scale_and_offset_end_soon_and_truly(seed, kernel):
    """Ten million steps on pairs did not end these. A refusal is true: no direction is worth more than rounding."""
    X, y = data(3, 30, seed=seed)
    X = X * [0.1, 1.0, 10.0] if seed % 2 else X + 100.0
    given = {"kernel": kernel, "gamma": 0.5, "degree": 2, "coef0": 1.0}
    low, _ = range_of_C(y.astype(int) - 1)
    items = X - X.mean(axis=0) if kernel == "linear" else X
    K = Kernel(kernel, 0.5, 2, 1.0).gram(items, items)
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    left_out = 1e-5 * np.sqrt(np.trace(K))  # by the reference, whose directions end at 1e-10 of the largest eigenvalue
    for C in (low, 1.5 * low, 4.0 * low):
        try:
            model = fit_path(SumOfMarginsSVM(**given), X, y, [C])[0]
        except SmallerCWarning:
            rows = thresholds.sandwiched(y.astype(int) - 1, 3)
            assert largest_sum_of_margins(rows, K, C) <= left_out
            continue
        best = largest_sum_of_margins(model.problem.rows, K, C)
        certificate = judge(model)
        assert certificate.gap <= 1e-3 and certificate.infeasibility <= 1e-9
        assert model.solution.n_iter <= 30 * 1000 + 200
        assert certificate.objective == pytest.approx(best, rel=2e-3, abs=left_out)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_ordered_fixed_margin_is_the_general_qp_and_a_free_one_warns_if_it_differs(kernel):
    """They are equal if the free thresholds are ordered; otherwise the objective is larger. Both happen."""
    ordered = crossed = 0
    for seed in range(12):
        X, y = data(4, 40, noise=3.0, seed=seed)
        given = {"C": 0.02 if seed % 2 else 1.0, "kernel": kernel, "gamma": 0.1, "tol": 1e-8}
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            free = FixedMarginSVM(**given).fit(X, y)
        explicit = FixedMarginSVM(ordered=True, **given).fit(X, y)
        rows = thresholds.explicit(np.unique(y, return_inverse=True)[1], 4, ordered=True)
        assert explicit.objective_ == pytest.approx(optimum(rows, Kernel(kernel, 0.1).gram(X, X), given["C"]), rel=1e-6)
        assert judge(explicit.model_, X).gap <= 1.1e-8
        assert explicit.objective_ == SVOR(constraints="explicit", **given).fit(X, y).objective_
        assert [one.category for one in told] == [ThresholdOrderWarning] * int(np.any(np.diff(free.thresholds_) < 0))
        if not told:
            ordered += 1
            assert free.objective_ == pytest.approx(explicit.objective_, rel=1e-6)
            np.testing.assert_allclose(free.score_samples(X), explicit.score_samples(X), atol=3e-3)
        else:
            crossed += free.objective_ < explicit.objective_ - 1e-6
            assert free.objective_ <= explicit.objective_ + 1e-6
            assert np.all(np.diff(explicit.thresholds_) >= 0)
            never = set(str(told[0].message).split("never returns ")[1].split(":")[0].split(", "))
            reached = rank_scores(np.linspace(-9, 9, 100_000), free.thresholds_, free.grades_)
            assert never == {str(grade) for grade in set(y) - set(reached)}
            assert told[0].filename == __file__
    assert min(ordered, crossed) >= 1


def test_rank_of_a_score_is_the_first_threshold_above_it():
    """min {r : s < theta_r} (eq. 1), also if thresholds cross; a score equal to a threshold counts as above it."""
    ranks = np.array([1, 2, 3, 4])
    scores = np.array([-2.0, -1.0, 0.2, 0.6, 3.0])
    np.testing.assert_array_equal(rank_scores(scores, np.array([-1.0, 0.5, 1.0]), ranks), [1, 2, 2, 3, 4])
    np.testing.assert_array_equal(rank_scores(scores, np.array([-1.0, 0.5, 0.0]), ranks), [1, 2, 2, 4, 4])


def test_a_C_without_a_margin_gives_way_to_a_smaller_one():
    """Overlapping grades: at the first C no direction has a positive sum of margins, at the smaller one some has."""
    X, u = noisy(60, 4, 0.3)
    y = np.digitize(u, [-1.0, 1.0])
    with pytest.warns(SmallerCWarning, match="C=2 leaves no positive sum of margins: fitted with C="):
        fitted = SumOfMarginsSVM(C=2.0, kernel="linear").fit(X, y)
    assert fitted.C_ < 2.0
    assert fitted.dual_bound_ > 0
    assert np.sum(fitted.upper_ - fitted.lower_) > fitted.dual_bound_


def test_grades_without_a_direction_are_a_constant_fit():
    """Opposite rows of one grade: no linear function tells the grades apart, whatever C. The middle grade is left."""
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]] * 3)
    y = np.repeat([0, 1, 2], 4)
    with pytest.warns(SmallerCWarning, match="no C leaves a positive sum of margins: all scores are 0, and the middle"):
        fitted = SumOfMarginsSVM(kernel="linear").fit(X, y)
    assert fitted.score_samples(X).tolist() == [0.0] * 12 and fitted.coef_.tolist() == [0.0, 0.0]
    assert fitted.predict(X).tolist() == [1] * 12
    assert fitted.gap_ == 0.0 and pytest.approx(range_of_C(y)[0]) == fitted.C_
    with pytest.warns(SmallerCWarning, match="no C leaves"):
        heavy = fitted.fit(X, y, sample_weight=np.where(y == 2, 3.0, 1.0))
    assert heavy.predict(X).tolist() == [2] * 12


@pytest.mark.parametrize("seed", [17, 113, 631])
def test_where_hardly_any_margin_is_left_the_nearest_answer_is_returned(seed):
    """On columns of any scale with ties, SMO went on from the answer of the interior point for 10^7 rounds, to a gap of
    up to 300."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((18, 2)) if seed % 4 < 2 else rng.integers(-2, 3, (18, 2)).astype(float)
    X, y = X * 10.0 ** rng.uniform(-4, 6, 2), rng.integers(0, int(rng.integers(2, 6)), 18)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged, or a smaller C
        fitted = SumOfMarginsSVM(kernel=["linear", "rbf", "poly"][seed % 3], max_iter=50_000).fit(X, y)
    assert fitted.gap_ < 0.5
    if fitted.model_.solution is not None:
        assert judge(fitted.model_, X).gap == pytest.approx(fitted.gap_, abs=0.01)
