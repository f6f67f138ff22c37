"""No fit on rows with a pair to order is constant: small C or gamma, early stops; the limit order for C towards 0."""

import warnings

import numpy as np
import pytest
from brute_force import kernel_matrix
from fault_cases import SHARE
from made_problems import noisy

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
from rankmargin.metrics import concordance_index
from rankmargin.oracles.objective import HALF
from rankmargin.problem.losses import Loss, loss_named
from rankmargin.solvers.solution import AIM, ConvergenceWarning

SMALL = 10.0 ** (np.arange(-12, -5.0, 2) if SHARE else np.array([-12.0, -6.0]))
KERNELS = ("rbf", "linear", "poly", "precomputed") if SHARE else ("rbf", "linear")
GAMMA = 0.3


def data(seed=0, n=45):
    """Return X far from 0 on one side, noisy grades, groups and weights."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3)) + np.array([0.0, 0.0, 2.0])
    s = X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.7 * rng.standard_normal(n)
    return X, np.digitize(s, [-0.5, 0.3, 1.0]), rng.integers(0, 3, n), rng.integers(1, 4, n).astype(float)


def gram(kernel, X):
    return kernel_matrix(X, GAMMA, "rbf" if kernel == "precomputed" else kernel, 2, 1.0)


def inputs(kernel, X):
    """Return the parameters of a kernel, and what ``fit`` gets."""
    if kernel == "precomputed":
        return {"kernel": kernel}, gram(kernel, X)
    return {"kernel": kernel, "gamma": GAMMA, "degree": 2, "coef0": 1.0}, X


def limit_scores(K, y, groups, weight):
    """Return the scores of the sum of all pulls, weight_i weight_j (phi_i - phi_j), by brute force."""
    ahead = (y[:, None] > y[None]) & (groups[:, None] == groups[None])
    pulls = ahead * weight[:, None] * weight[None]
    return K @ (pulls.sum(axis=1) - pulls.sum(axis=0))


def same_order(scores, limit):
    """Return the share of clearly different pairs of the limit that the scores order alike."""
    clear = limit[:, None] - limit[None] > 1e-9 * np.ptp(limit)
    return np.mean((scores[:, None] > scores[None])[clear])


PAIRWISE = [(SwappedPairsSVM, kernel, {"solver": solver}) for kernel in KERNELS
            for solver in ("auto", "dual_cd", "cutting_plane", "interior_point")
            if SHARE or solver == "auto" or kernel in ("rbf", "linear")]  # fmt: skip
PAIRWISE += [(PairwiseRankSVM, kernel, {"n_partners": "all"}) for kernel in KERNELS]
PAIRWISE += [(RankBoundarySVM, kernel, {}) for kernel in KERNELS]
PAIRWISE += [(SwappedPairsSVM, "linear", {"loss": "squared_hinge"})]
PAIRWISE += [(PairwiseRankSVM, "linear", {"loss": "squared_hinge", "n_partners": "all"})]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("of", "kernel", "options"), PAIRWISE)
def test_a_small_C_gives_the_order_of_all_pulls(of, kernel, options, weighted):
    X, y, groups, weight = data()
    given = {}
    if weighted:
        given = {"sample_weight": weight} | ({} if of is RankBoundarySVM else {"groups": groups})
    limit = limit_scores(gram(kernel, X), y, given.get("groups", np.zeros(len(y))), weight if weighted else y * 0 + 1)
    named, X = inputs(kernel, X)
    for C in SMALL:
        ranker = of(C=C, **named, **options).fit(X, y, **given)
        assert same_order(ranker.score_samples(X), limit) == 1.0
        certificate = judge(ranker.model_, X)
        assert ranker.gap_ <= ranker.tol and certificate.gap <= ranker.tol and certificate.infeasibility <= 1e-9
        assert certificate.objective == pytest.approx(ranker.objective_, rel=1e-9)


@pytest.mark.parametrize(("of", "kernel", "options"), PAIRWISE)
def test_each_C_gives_an_order(of, kernel, options):
    X, y, _, _ = data(1, 20)
    K = gram(kernel, X)
    named, X = inputs(kernel, X)
    for C in 10.0 ** np.arange(-4, 13, 2):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            ranker = of(C=C, max_iter=2000, **named, **options).fit(X, y)
        scores = ranker.score_samples(X)
        assert concordance_index(y, scores) > 0.6 and np.isfinite(ranker.gap_)
        model = ranker.model_
        zero = model.C * model.problem.loss_of_zero()
        assert ranker.objective_ < zero and (model.solution.gains(zero) or not model.solution.converged)
    assert same_order(of(C=1e-12, **named, **options).fit(X, y).score_samples(X), limit_scores(
        K, y, np.zeros(20), np.ones(20))) == 1.0  # fmt: skip


@pytest.mark.parametrize("C", [1e-6, 1.0, 1e3])
@pytest.mark.parametrize("of", [SwappedPairsSVM, PairwiseRankSVM, RankBoundarySVM])
def test_a_small_gamma_gives_the_order_of_a_linear_function(of, C):
    """exp(-gamma d^2) is 1 - gamma d^2 then; of a gamma of 1e-12, four digits are left in double precision."""
    X, y, _, _ = data(2, 40)
    limit = limit_scores(X @ X.T, y, np.zeros(40), np.ones(40))
    options = {"n_partners": "all"} if of is PairwiseRankSVM else {}
    for gamma in 10.0 ** np.arange(-12, -9.0):
        assert same_order(of(C=C, gamma=gamma, **options).fit(X, y).score_samples(X), limit) > 0.995


THRESHOLDS = [(of, kernel, {}) for of in (SVOR, FixedMarginSVM, RankSVR, ComparisonSVM) for kernel in KERNELS]
THRESHOLDS += [(FixedMarginSVM, kernel, {"ordered": True}) for kernel in KERNELS]
THRESHOLDS = [case for case in THRESHOLDS if case[:2] != (ComparisonSVM, "precomputed")]


def fitted(of, kernel, options, C, seed=3, **given):
    """Return an estimator with thresholds that is fitted for this C, its scores of the training rows, y, and X."""
    X, y, _, _ = data(seed)
    named, X = inputs(kernel, X)
    target = y.astype(float)
    if of is ComparisonSVM:
        ends = np.random.default_rng(seed).integers(0, len(y), (60, 2))
        X, target = stack_pairs(X, rows=ends), np.sign(y[ends[:, 0]] - y[ends[:, 1]])
    with warnings.catch_warnings():
        for expected in (ThresholdOrderWarning, NoScalingWarning):
            warnings.simplefilter("ignore", expected)
        estimator = of(C=C, **named, **options, **given).fit(X, target)
    scores = {RankSVR: "predict", ComparisonSVM: "score_samples"}.get(of, "score_samples")
    return estimator, getattr(estimator, scores)(X), target, X


@pytest.mark.parametrize(("of", "kernel", "options"), THRESHOLDS)
def test_with_thresholds_a_small_C_gains_over_the_function_0(of, kernel, options):
    """Their limits are quadratic programs; the gap is a share of what a function can change."""
    found = []
    for C in (1e-8, 1e-6, 1e-5):
        estimator, scores, y, X = fitted(of, kernel, options, C)
        model = estimator.model_
        zero, certificate = model.C * model.problem.loss_of_zero(), judge(model, X)
        assert certificate.objective - certificate.dual_bound <= HALF * (zero - certificate.dual_bound) * (1 + 1e-3)
        assert concordance_index(y, scores) > 0.6
        found.append(scores)
    assert all(same_order(scores, found[0]) > 0.9 for scores in found)


@pytest.mark.parametrize("limit", [{"max_iter": 1}, {"max_seconds": 1e-9}])
@pytest.mark.parametrize(("of", "kernel", "options"), PAIRWISE + THRESHOLDS)
def test_a_fit_that_is_stopped_early_orders_its_rows(of, kernel, options, limit):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimator, scores, y, X = fitted(of, kernel, options, 1e3, **limit)
    assert concordance_index(y, scores) > 0.6
    certificate = judge(estimator.model_, X)
    assert certificate.objective == pytest.approx(estimator.objective_, rel=1e-6)
    assert certificate.dual_bound == pytest.approx(estimator.dual_bound_, rel=1e-6, abs=1e-6 * estimator.objective_)
    assert certificate.infeasibility <= 1e-6


@pytest.mark.parametrize("of", [SwappedPairsSVM, RankBoundarySVM])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly"])
def test_where_no_order_exists_the_function_is_constant(of, kernel):
    X = np.tile([0.3, 1.1, 2.7], (24, 1))
    for C in (1e-9, 1.0):
        ranker = of(C=C, kernel=kernel, gamma=GAMMA).fit(X, np.arange(24.0) % 3)
        assert np.ptp(ranker.score_samples(X)) == 0.0 and ranker.gap_ <= ranker.tol
        assert np.abs(ranker.score_samples(X + 1.0) - ranker.score_samples(X - 1.0)).max() < 1e-12


def test_a_gap_that_says_nothing_is_not_accepted():
    """At f = 0 of this problem the relative gap is below tol, and no pair is ordered."""
    X, y, _, _ = data(4, 60)
    ranker = SwappedPairsSVM(C=1e-3, gamma=1e-3, tol=0.01).fit(X, y)
    zero = ranker.model_.C * ranker.model_.problem.loss_of_zero()
    assert zero - ranker.dual_bound_ < ranker.tol * zero
    assert ranker.objective_ - ranker.dual_bound_ <= AIM * (zero - ranker.dual_bound_)
    assert ranker.score(X, y) > 0.6


@pytest.mark.parametrize("of", [FixedMarginSVM, SVOR, RankSVR, RankBoundarySVM, SwappedPairsSVM])
@pytest.mark.parametrize("seed", range(4))
def test_far_from_0_no_bound_is_above_an_objective(of, seed):
    """Kernel values of 3e36 have lost the differences between the rows. Bounds of 1e19 were told; f = 0 needs none of
    these values."""
    rng = np.random.default_rng(seed)
    X, y = 1e6 + rng.standard_normal((6, 3)), rng.permutation([0, 1, 2, 0, 1, 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = of(C=(1.0, 0.1)[seed % 2], kernel="poly", degree=3, gamma=0.5, coef0=1.0).fit(X, y)
    of_zero = fit.model_.C * fit.model_.problem.loss_of_zero()
    assert 0.0 <= fit.dual_bound_ <= min(fit.objective_, of_zero * (1 + 1e-9))
    assert judge(fit.model_).dual_bound <= of_zero


@pytest.mark.parametrize("C", [1.0, 1e2, 1e5, 1e12])
@pytest.mark.parametrize("scale", [1.0, 1e6])
@pytest.mark.parametrize("estimator", [SVOR, FixedMarginSVM])
def test_an_objective_above_zero_is_never_called_zero(estimator, scale, C):
    """Of separable grades the loss is nearly 0, and beside C times the margins so is the length of f. But f = 0 is no
    optimum: 1/2 ||f||^2 of the largest margin bounds every objective from below once C is large."""
    X, y = scale * np.array([[0.0], [1.0], [2.0], [5.0]]), [1, 1, 2, 2]
    model = estimator(kernel="linear", C=C, tol=1e-6).fit(X, y)
    least = 2.0 / scale**2 if C * scale**2 > 2 else 0.0
    half_norm = 0.5 * float(model.coef_ @ model.coef_)
    assert model.objective_ >= half_norm * (1 - 1e-12) > 0 and model.objective_ >= least * (1 - 1e-6)
    certificate = judge(model.model_, X)
    assert certificate.objective == pytest.approx(model.objective_, rel=1e-5)
    assert certificate.gap <= 1e-5 and certificate.dual_bound > 0.99 * certificate.objective


def test_rounding_is_no_objective_where_zero_is_the_optimum():
    """All targets lie inside the tube, which is as wide as they are far from 0."""
    X = np.random.default_rng(0).standard_normal((20, 2))
    model = RankSVR(epsilon=1e6, C=1e3).fit(X, 1e6 + X[:, 0])
    assert model.objective_ == model.dual_bound_ == judge(model.model_).objective == 0.0


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("estimator", [SwappedPairsSVM, RankBoundarySVM])
@pytest.mark.parametrize("factor", [1e9, 1e12, 1e15])
def test_the_unit_of_the_weights_does_not_matter(factor, estimator, kernel):
    X, y, _, weight = data(n=30)
    given = {"kernel": kernel, "loss": "squared_hinge", "tol": 1e-4, "C_scale": "pairs"}
    plain = estimator(C=1.0, **given).fit(X, y, sample_weight=weight)
    scaled = estimator(C=1.0 / factor**2, **given).fit(X, y, sample_weight=factor * weight)
    assert scaled.gap_ <= 1e-4
    assert scaled.objective_ == pytest.approx(plain.objective_, rel=1e-3)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", Loss("smooth", steepness=4.0)], ids=str)
@pytest.mark.parametrize("weight", [1e3, 4e6])
def test_the_objective_of_heavy_rows_is_that_of_all_their_pairs(weight, loss):
    """Scores were rounded to a grid of 1e-3 and more: objectives were up to a third too low, and bounds above them."""
    x = np.random.default_rng(0).standard_normal(1000)
    ranker = SwappedPairsSVM(C=3e4, kernel="linear", loss=loss).fit(x[:, None], x, sample_weight=np.full(1000, weight))
    lack = 0.5 - (np.sort(x)[:, None] - np.sort(x)) * ranker.coef_[0]
    losses = loss_named(loss).value(lack[np.tril_indices(1000, -1)])
    objective = 0.5 * ranker.coef_[0] ** 2 + 2 * 3e4 * 1000 * weight * losses.mean()
    assert ranker.objective_ == pytest.approx(objective, rel=1e-5) and ranker.gap_ <= 1e-3
    assert judge(ranker.model_, x[:, None]).gap <= 1e-3


def test_one_heavy_row_is_no_reason_for_a_zero_function():
    (X, y), weight = noisy(30, 2, 0.3), np.where(np.arange(30) == 0, 1e16, 1.0)
    with pytest.warns(ConvergenceWarning, match="at the limit of double precision"):
        model = SwappedPairsSVM(kernel="linear", loss="squared_hinge").fit(X, y, sample_weight=weight)
    assert np.abs(model.coef_).max() > 0.1 and model.objective_ > 0 and model.gap_ > 0.0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n", "ties"), [(800, 1), (800, 20), (60_000, 20), (60_000, 1_000)])
def test_where_hardly_a_pair_is_a_tie_few_steps_prove_that_f_0_is_best(n, ties, weighted):
    """A tie lacks 2 in both directions at f = 0, the others nothing. The function is as good, and orders the items."""
    rng = np.random.default_rng(ties)
    X = rng.standard_normal((n, 12)).astype(np.float32)
    difference = X[:, :6] - X[:, 6:]
    y = np.where(difference @ np.arange(6.0) + 8.0 * rng.standard_normal(n) > 0, 1, -1) * (np.arange(n) >= ties)
    weight = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    with pytest.warns(NoScalingWarning):
        fit = ComparisonSVM(kernel="linear", C=0.5).fit(X, y, sample_weight=weight)
    assert fit.objective_ == pytest.approx(0.5 * 4.0 * weight[y == 0].sum(), rel=1e-12)
    certificate = judge(fit.model_, X)
    assert max(fit.gap_, certificate.gap) < 1e-12 and certificate.infeasibility < 1e-12 and fit.n_iter_ <= 6
    assert np.mean(np.sign(difference @ fit.coef_) == y) > 0.7


@pytest.mark.parametrize("C", [1e-5, 1e-4, 1e-3])
def test_where_f_0_is_not_best_nothing_proves_that_it_is(C):
    """All items in order lie on one side, so dual variables whose pulls add up to 0 are outside their bounds."""
    rng = np.random.default_rng(0)
    X = np.hstack([np.abs(rng.standard_normal((60, 3))), np.zeros((60, 3))])
    y = (np.arange(60) >= 2).astype(int)
    with pytest.warns(NoScalingWarning):
        fit = ComparisonSVM(kernel="linear", C=C, labels="comparison").fit(X, y)
    certificate = judge(fit.model_, X)
    assert fit.objective_ < C * 8.0 * (1.0 - 1e-6) and certificate.infeasibility < 1e-12
    assert certificate.objective - certificate.dual_bound <= HALF * (C * 8.0 - certificate.dual_bound)
