"""SVMcompare and its baselines: by hand, against SVC and an independent QP, invariances, the scikit-learn faces."""

import pickle

import numpy as np
import pytest
from reference_qp import optimum
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from rankmargin import ComparisonSVM, RankThreshold
from rankmargin.certificates import judge
from rankmargin.comparison_model import compare
from rankmargin.estimators.pairs_base import NoScalingWarning
from rankmargin.kernels import KernelSpace, gram, pair_gram
from rankmargin.methods import compare as method
from rankmargin.methods import rank_threshold
from rankmargin.methods.rank_threshold import best_threshold, threshold_errors
from rankmargin.rows import Rows
from rankmargin.rows.comparisons import flipped, inequalities, opposed
from rankmargin.solvers.smo import smo

KERNELS = [
    {"kernel": "rbf", "gamma": 0.5},
    {"kernel": "linear"},
    {"kernel": "poly", "gamma": 0.5, "degree": 2, "coef0": 1.0},
]


def pairs_data(n=60, seed=0, d=2):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, d))
    X2 = X + rng.uniform(-1, 1, (n, d))
    difference = (X2**2).sum(axis=1) - (X**2).sum(axis=1) + 0.2 * rng.standard_normal(n)
    return X, X2, compare(difference)


@pytest.fixture(scope="module")
def data():
    return pairs_data()


def test_flipped_data_by_hand():
    """Equation (8) on one pair of each label: values of the rows are yt (beta + f(xt') - f(xt))."""
    rows = flipped(np.array([1, -1, 0]))
    s, beta = np.array([2.0, -3.0, 0.5]), -1.25
    np.testing.assert_allclose(rows.values(s, np.array([-beta])), [0.75, 1.75, 0.75, 1.75])


def test_pair_counts_of_table_2():
    y = np.array([1, 1, -1, 0, 0, 0, 0])
    assert len(flipped(y)) == len(y) + 4
    assert len(inequalities(y)) == 3
    assert opposed(y).cost.sum() == 2 * len(y)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
def test_the_kernel_of_differences_is_by_definition(kernel, data):
    X, X2, _ = data
    pairs = np.hstack([X, X2])
    stacked = gram(np.vstack([X, X2]), np.vstack([X, X2]), **kernel)
    M = np.vstack([-np.eye(60), np.eye(60)])
    np.testing.assert_allclose(pair_gram(pairs, pairs, **kernel), M.T @ stacked @ M, atol=1e-12)


def test_the_kernel_of_differences_in_blocks(data, monkeypatch):
    pairs = np.hstack(data[:2])
    whole = pair_gram(pairs, pairs[:7], "rbf", 0.3)
    monkeypatch.setattr("rankmargin.kernels.PAIR_BLOCK", 13)
    np.testing.assert_allclose(pair_gram(pairs, pairs[:7], "rbf", 0.3), whole, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
@pytest.mark.parametrize("C", [0.05, 1.0, 50.0])
def test_the_dual_is_that_of_a_binary_svm(kernel, C, data):
    """Equation (18): SVC with the precomputed kernel M^T K M on the flipped data has the same optimum (claim S33)."""
    X, X2, y = data
    up, down, equal = y == 1, y == -1, y == 0
    low = np.vstack([X[up], X2[down], X[equal], X2[equal]])
    high = np.vstack([X2[up], X[down], X2[equal], X[equal]])
    labels = np.repeat([1, -1], [np.sum(y != 0), 2 * np.sum(equal)])
    K = pair_gram(np.hstack([low, high]), np.hstack([low, high]), **kernel)
    other = SVC(C=C, kernel="precomputed", tol=1e-5).fit(K, labels)
    v = np.zeros(len(labels))
    v[other.support_] = other.dual_coef_[0]
    dual = np.abs(v).sum() - 0.5 * v @ K @ v
    ours = method.fit_path(np.hstack([X, X2]), y, [C], tol=1e-7, **kernel)[0]
    assert ours.solution.objective == pytest.approx(dual, rel=1e-5)
    assert -ours.solution.theta[0] == pytest.approx(other.intercept_[0], abs=2e-3)
    decision = other.decision_function(K) - other.intercept_
    np.testing.assert_allclose(
        ours.space.scores(ours.solution.beta)[np.flatnonzero(up)], decision[: up.sum()], atol=5e-3
    )


@pytest.mark.parametrize("seed", range(12))
def test_stacked_items_and_pairs_are_one_problem(seed):
    """The problem (15) over 2 n items, by an independent QP, against ours over n pairs."""
    X, X2, y = pairs_data(8, seed)
    y[:3] = 1, -1, 0
    kernel, C = KERNELS[seed % 3], float(10.0 ** (seed % 5 - 2))
    rows = flipped(y)
    pair = np.where(rows.plus >= 0, rows.plus, rows.minus)
    upwards = rows.plus >= 0
    items = Rows.build(
        16,
        1,
        plus=np.where(upwards, 8 + pair, pair),
        minus=np.where(upwards, pair, 8 + pair),
        threshold=rows.threshold,
        sign=rows.sign,
    )
    stacked = np.vstack([X, X2])
    best = optimum(items, gram(stacked, stacked, **kernel), C)
    model = method.fit_path(np.hstack([X, X2]), y, [C], tol=1e-7, **kernel)[0]
    assert model.solution.objective == pytest.approx(best, rel=1e-5)
    assert judge(model).gap <= 1.01e-7
    general = smo(items, KernelSpace(gram(stacked, stacked, **kernel)), [C], tol=1e-6)[0]
    assert general.objective == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
def test_exchanging_items_exchanges_labels(kernel, data):
    X, X2, y = data
    kernel = {**kernel, "tol": 1e-8}
    ahead = method.fit_path(np.hstack([X, X2]), y, [1.0], **kernel)[0]
    turned = method.fit_path(np.hstack([X2, X]), -y, [1.0], **kernel)[0]
    assert turned.solution.objective == pytest.approx(ahead.solution.objective, rel=1e-7)
    np.testing.assert_allclose(turned.ranks(X), ahead.ranks(X), atol=2e-3)
    np.testing.assert_array_equal(ahead.labels(np.hstack([X2, X])), -ahead.labels(np.hstack([X, X2])))


@pytest.mark.parametrize("estimator", [ComparisonSVM(C=5.0), RankThreshold(C=5.0, equality="oppose", random_state=0)])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
def test_predictions_are_thresholded_differences_of_ranks(estimator, kernel, data):
    X, X2, y = data
    fitted = estimator.set_params(**{"gamma": 1.0, "coef0": 0.0, "degree": 3, **kernel}).fit(X, X2, y)
    difference = fitted.rank(X2) - fitted.rank(X)
    np.testing.assert_allclose(fitted.decision_function(X, X2), difference, atol=1e-9)
    np.testing.assert_array_equal(fitted.predict(X, X2), compare(difference))
    np.testing.assert_array_equal(fitted.predict(np.hstack([X, X2])), fitted.predict(X, X2))
    assert fitted.score(X, X2, y) == np.mean(fitted.predict(X, X2) == y)
    if kernel["kernel"] == "linear":
        np.testing.assert_allclose((X2 - X) @ fitted.coef_, difference, atol=1e-9)
    else:
        assert fitted.score(X, X2, y) > 0.7


def test_one_array_of_pairs_serves_cross_validation(data):
    X, X2, y = data
    pairs = np.hstack([X, X2])
    one, two = ComparisonSVM(gamma=0.5).fit(pairs, y), ComparisonSVM(gamma=0.5).fit(X, X2, y)
    np.testing.assert_array_equal(one.decision_function(pairs), two.decision_function(X, X2))
    assert two.fit(X=pairs, y=y).score(pairs, y) == one.score(pairs, y)
    search = GridSearchCV(ComparisonSVM(gamma=0.5), {"C": [0.5, 5.0]}, cv=3).fit(pairs, y)
    assert search.best_score_ > 0.5
    K = pair_gram(pairs, pairs, "rbf", 0.5)
    precomputed = cross_val_score(ComparisonSVM(kernel="precomputed"), K, y, cv=3)
    np.testing.assert_allclose(precomputed, cross_val_score(ComparisonSVM(gamma=0.5), pairs, y, cv=3))
    restored = pickle.loads(pickle.dumps(one))
    np.testing.assert_array_equal(restored.rank(X), one.rank(X))


def test_gamma_scale_reads_the_stacked_items(data):
    X, X2, y = data
    gamma = 1.0 / (2 * np.vstack([X, X2]).var())
    np.testing.assert_array_equal(
        ComparisonSVM().fit(X, X2, y).rank(X), ComparisonSVM(gamma=gamma).fit(X, X2, y).rank(X)
    )


def test_no_valid_scaling_is_said():
    """Few equality pairs and a small C: the binary SVM calls everything different, beta = 1."""
    X, X2, y = pairs_data(40, 1)
    kept = np.concatenate([np.flatnonzero(y != 0), np.flatnonzero(y == 0)[:2]])
    with pytest.warns(NoScalingWarning, match=r"beta = 1 >= 0 with C=0\.001: no scaling of the ranking function is"):
        fitted = ComparisonSVM(C=0.001, gamma=1.0).fit(X[kept], X2[kept], y[kept])
    assert fitted.beta_ >= 0
    assert not fitted.model_.scaled
    difference = fitted.decision_function(X, X2)
    np.testing.assert_array_equal(fitted.predict(X, X2), np.sign(difference))
    scaled = method.fit_path(np.hstack([X, X2]), y, [10.0], gamma=1.0)[0]
    assert scaled.scaled
    assert scaled.threshold == pytest.approx(scaled.solution.theta[0])


def test_training_order_and_label_types_do_not_matter(data):
    X, X2, y = data
    order = np.random.default_rng(3).permutation(60)
    straight = ComparisonSVM(gamma=0.5, tol=1e-8).fit(X, X2, y.astype(float))
    shuffled = ComparisonSVM(gamma=0.5, tol=1e-8).fit(X[order], X2[order], y[order])
    np.testing.assert_allclose(shuffled.rank(X), straight.rank(X), atol=1e-3)


@pytest.mark.parametrize(("equality", "kernel"), [("drop", KERNELS[0]), ("oppose", KERNELS[2]), ("oppose", KERNELS[1])])
@pytest.mark.parametrize("seed", range(5))
def test_ranking_baselines_reach_the_optimum(equality, kernel, seed):
    X, X2, y = pairs_data(9, seed)
    y[:3] = 1, -1, 0
    pairs = np.hstack([X, X2])
    model = rank_threshold.fit_path(pairs, y, [0.7], equality=equality, tol=1e-7, **kernel)[0]
    assert model.solution.objective == pytest.approx(optimum(model.rows, pair_gram(pairs, pairs, **kernel), 0.7), 1e-5)
    by_hand = 0.5 * model.solution.beta @ pair_gram(pairs, pairs, **kernel) @ model.solution.beta
    f = model.threshold * model.scores(pairs)
    for label, difference in zip(y, f, strict=True):
        if label != 0:
            by_hand += 0.7 * (2 if equality == "oppose" else 1) * max(0.0, 1 - label * difference)
        elif equality == "oppose":
            by_hand += 0.7 * (max(0.0, 1 - difference) + max(0.0, 1 + difference))
    assert model.solution.objective == pytest.approx(by_hand)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("ties", rank_threshold.TIES)
def test_no_threshold_makes_fewer_errors(seed, ties):
    """On a lattice of differences, where ties and zeros are common; every threshold that matters is tried.

    The authors' candidates do not go below the smallest difference.
    """
    rng = np.random.default_rng(seed)
    difference, y = rng.integers(-4, 5, 15) / 2.0, rng.integers(-1, 2, 15)
    tau = best_threshold(y, difference, ties)
    grid = np.arange(0.0, 4.0, 0.25)
    errors = [int(np.sum(compare(difference, t) != y)) for t in grid]
    np.testing.assert_array_equal(threshold_errors(y, difference, grid), errors)
    smallest = np.abs(difference).min() if ties == "authors" else 0.0
    assert tau > 0
    assert np.sum(compare(difference, tau) != y) == min(e for t, e in zip(grid, errors, strict=True) if t >= smallest)


def test_threshold_ties_by_hand():
    """|differences| 1, 2, 6, 7: everything from 2 to below 6 is right, so 4 is in the middle."""
    y, difference = np.array([0, 0, 1, -1]), np.array([1.0, -2.0, 6.0, -7.0])
    assert best_threshold(y, difference) == 4.0
    # the authors' candidates: 100 in log from 1 to 7 and the differences; the median one of those in [2, 6)
    candidates = np.sort(np.concatenate([np.geomspace(1, 7, 100), [1, 2, 6, 7]]))
    inside = candidates[(candidates >= 2) & (candidates < 6)]
    assert best_threshold(y, difference, "authors") == pytest.approx(inside[(len(inside) - 1) // 2])
    assert best_threshold(y, np.zeros(4)) == 1.0
    assert best_threshold(np.array([0, 0, 1]), np.array([2.0, -3.0, 1.0])) == 3.0
    assert best_threshold(np.array([1, -1, 0]), np.array([2.0, -3.0, 0.0])) == 1.0


@pytest.mark.parametrize(
    ("errors", "chosen"),
    [
        ([2, 2, 2, 2, 2], 2),
        ([1, 1, 2, 1, 1], 1),
        ([1, 1, 1, 2, 2], 2),
        ([2, 1, 2, 1, 1], 1),
        ([3, 1, 1, 1, 3], 2),
    ],
)
def test_the_authors_rule_among_minimisers(errors, chosen):
    assert rank_threshold._authors_choice(np.array(errors)) == chosen


class OnRows:
    """scikit-learn's checks bring rows and any y: a row stands beside its sine, its y becomes -1, 0 or 1."""

    def _checked(self, X, X2, y=None):
        checked = super()._checked(X, X2, y)
        if y is None:
            return np.hstack([checked, np.sin(checked)])
        rows, y = checked
        rank = np.unique(y, return_inverse=True)[1]
        labels = np.where(rank % 3 == 2, -1, rank % 3)
        if len(np.unique(rank)) == 1:
            labels = np.zeros(len(y))
        return np.hstack([rows, np.sin(rows)]), labels


class ComparisonSVMOnRows(OnRows, ComparisonSVM):
    """ComparisonSVM on the checks' rows."""


class RankThresholdOnRows(OnRows, RankThreshold):
    """RankThreshold on the checks' rows."""


def expected_failures(estimator):
    return {"check_fit_score_takes_y": "fit(X, X2, y): the second argument is the other item of each pair"}


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
@parametrize_with_checks(
    [ComparisonSVMOnRows(), ComparisonSVMOnRows(kernel="linear"), RankThresholdOnRows(random_state=0)],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


BAD = [
    (lambda X, X2, y: ComparisonSVM().fit(X, X2, y + 1), "y must hold labels -1, 0, 1 only, got 2"),
    (lambda X, X2, y: ComparisonSVM().fit(X, X2, 0 * y), "at least one label -1 or 1"),
    (lambda X, X2, y: ComparisonSVM().fit(X, X2, np.ones(60)), "at least one label 0 .* use RankThreshold"),
    (lambda X, X2, y: ComparisonSVM().fit(X, X2[:, :1], y), "same number of columns, got 2 and 1"),
    (lambda X, X2, y: ComparisonSVM().fit(X, X2[:-1], y), "inconsistent numbers of samples"),
    (lambda X, X2, y: ComparisonSVM().fit(X, X2, y[:-1]), "inconsistent numbers of samples"),
    (lambda X, X2, y: ComparisonSVM().fit(X), "requires y to be passed"),
    (lambda X, X2, y: ComparisonSVM().fit(np.hstack([X, X2[:, :1]]), y), "even number of columns.*got 3"),
    (lambda X, X2, y: ComparisonSVM(C=-1).fit(X, X2, y), "C must be a finite number > 0, got -1"),
    (lambda X, X2, y: ComparisonSVM(kernel="cosine").fit(X, X2, y), "kernel must be one of"),
    (lambda X, X2, y: ComparisonSVM(kernel="precomputed").fit(X, X2, y), "X2 must be None"),
    (lambda X, X2, y: ComparisonSVM().fit(X, X2, y).rank(np.hstack([X, X])), "2 features an item, got 4"),
    (lambda X, X2, y: ComparisonSVM().fit(X, X2, y).predict(X), "expecting 4 features"),
    (lambda X, X2, y: RankThreshold(equality="keep").fit(X, X2, y), "equality must be one of drop, oppose, got 'keep'"),
    (lambda X, X2, y: RankThreshold(ties="last").fit(X, X2, y), "ties must be one of widest, authors, got 'last'"),
    (lambda X, X2, y: RankThreshold().fit(X, X2, 0 * y), "at least one label -1 or 1"),
    (lambda X, X2, y: method.fit_path(np.hstack([X, X2]), y, [1.0], groups=y), "groups must be None"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=lambda v: v if isinstance(v, str) else "")
def test_bad_input_is_named(call, message, data):
    with pytest.raises(ValueError, match="(?s)" + message):
        call(*data)


def test_a_threshold_is_found_between_neighbouring_floats():
    one, two = np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)
    y, differences = np.array([0, 1]), np.array([one, two])
    tau = best_threshold(y, differences)
    np.testing.assert_array_equal(compare(differences, tau), y)


def test_pairs_with_endless_scores_are_refused_by_predict_too(data):
    fitted = ComparisonSVM(kernel="linear").fit(*data)
    far = np.array([[1e308, -1e308]])
    for method_ in (fitted.predict, fitted.decision_function):
        with pytest.raises(ValueError, match="X must have finite scores"):
            method_(far, -far)


def test_score_asks_for_y(data):
    fitted = ComparisonSVM().fit(*data)
    with pytest.raises(ValueError, match="y must be given"):
        fitted.score(np.hstack(data[:2]))


def test_a_refit_with_another_kernel_has_no_weights(data):
    estimator = ComparisonSVM(kernel="linear").fit(*data)
    assert estimator.coef_.shape == (2,)
    assert not hasattr(estimator.set_params(kernel="rbf").fit(*data), "coef_")
