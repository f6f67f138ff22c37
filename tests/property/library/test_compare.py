"""SVMcompare and its baselines: by hand, against SVC and an independent QP, invariances, the scikit-learn faces."""

import numpy as np
import pandas as pd
import pytest
from fault_cases import SHARE
from reference_qp import optimum
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, PolynomialFeatures, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import _check_feature_names_in, validate_data

from rankbench.papers.svmcompare.methods.rank_as_programmed import authors_threshold, choice
from rankmargin import ComparisonLink, ComparisonSVM, PairTransformer, RankThreshold, stack_pairs
from rankmargin.certificates.models import compare
from rankmargin.estimators.pairs_base import NoScalingWarning
from rankmargin.estimators.path import fit_path
from rankmargin.estimators.rank_threshold import best_threshold, threshold_errors
from rankmargin.kernels import Kernel
from rankmargin.ratings import Ratings, elo

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


def test_the_kernel_of_differences_in_blocks(data, monkeypatch):
    pairs = np.hstack(data[:2])
    whole = Kernel("rbf", 0.3).pair_gram(pairs, pairs[:7])
    monkeypatch.setattr("rankmargin.problem.kernels.PAIR_BLOCK", 13)
    np.testing.assert_allclose(Kernel("rbf", 0.3).pair_gram(pairs, pairs[:7]), whole, rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
@pytest.mark.parametrize("C", [0.05, 1.0, 50.0])
def test_the_dual_is_that_of_a_binary_svm(kernel, C, data):
    """Equation (18): SVC with the precomputed kernel M^T K M on the flipped data has the same optimum (claim S33)."""
    X, X2, y = data
    up, down, equal = y == 1, y == -1, y == 0
    low = np.vstack([X[up], X2[down], X[equal], X2[equal]])
    high = np.vstack([X2[up], X[down], X2[equal], X[equal]])
    labels = np.repeat([1, -1], [np.sum(y != 0), 2 * np.sum(equal)])
    K = Kernel(*kernel.values()).pair_gram(np.hstack([low, high]), np.hstack([low, high]))
    other = SVC(C=C, kernel="precomputed", tol=1e-5).fit(K, labels)
    v = np.zeros(len(labels))
    v[other.support_] = other.dual_coef_[0]
    dual = np.abs(v).sum() - 0.5 * v @ K @ v
    ours = fit_path(ComparisonSVM(tol=1e-7, **kernel), np.hstack([X, X2]), y, [C])[0]
    assert ours.solution.objective == pytest.approx(dual, rel=1e-5)
    assert -ours.solution.theta[0] == pytest.approx(other.intercept_[0], abs=2e-3)
    decision = other.decision_function(K) - other.intercept_
    np.testing.assert_allclose(
        ours.problem.space.scores(ours.solution.beta)[np.flatnonzero(up)], decision[: up.sum()], atol=5e-3
    )


@pytest.mark.parametrize("estimator", [ComparisonSVM(C=5.0), RankThreshold(C=5.0, equality="oppose", random_state=0)])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k["kernel"])
def test_predictions_are_thresholded_differences_of_ranks(estimator, kernel, data):
    X, X2, y = data
    pairs = stack_pairs(X2, X)  # the label is that of the first item
    fitted = estimator.set_params(**{"gamma": 1.0, "coef0": 0.0, "degree": 3, **kernel}).fit(pairs, y)
    difference = fitted.rank(X2) - fitted.rank(X)
    np.testing.assert_allclose(fitted.score_samples(pairs), difference, atol=1e-9)
    np.testing.assert_array_equal(fitted.predict(pairs), compare(difference))
    np.testing.assert_array_equal(fitted.predict(csr_matrix(pairs)), fitted.predict(pairs))
    np.testing.assert_array_equal(fitted.predict(np.stack([X2, X], axis=1)), fitted.predict(pairs))
    assert fitted.score(pairs, y) == np.mean(fitted.predict(pairs) == y)
    if kernel["kernel"] == "linear":
        np.testing.assert_allclose((X2 - X) @ fitted.coef_, difference, atol=1e-9)
    else:
        assert fitted.score(pairs, y) > 0.7
        differences = fitted.model_.kernel.pair_gram(pairs, pairs) @ fitted.dual_coef_  # phi(first) - phi(second)
        np.testing.assert_allclose(differences, fitted.model_.threshold * difference, atol=1e-9)


def test_no_valid_scaling_is_said():
    """Few equality pairs and a small C: the binary SVM calls everything different, beta = 1."""
    X, X2, y = pairs_data(40, 1)
    kept = np.concatenate([np.flatnonzero(y != 0), np.flatnonzero(y == 0)[:2]])
    with pytest.warns(NoScalingWarning, match=r"with C=0\.001 every difference .* returns 0 .* A larger C, or"):
        fitted = ComparisonSVM(C=0.001, gamma=1.0).fit(np.hstack([X2, X])[kept], y[kept])
    assert fitted.intercept_ >= 0 and not fitted.model_.scaled
    difference = fitted.score_samples(np.hstack([X2, X]))
    np.testing.assert_array_equal(fitted.predict(np.hstack([X2, X])), np.sign(difference))
    np.testing.assert_array_equal(fitted.score_samples(np.hstack([X, X2])), -difference)
    assert not fitted.predict(np.hstack([X, X])).any(), "an item is not better than itself"
    scaled = fit_path(ComparisonSVM(gamma=1.0), np.hstack([X, X2]), y, [10.0])[0]
    assert scaled.scaled and scaled.threshold == pytest.approx(scaled.solution.theta[0])


@pytest.mark.parametrize(("equality", "kernel"), [("drop", KERNELS[0]), ("oppose", KERNELS[2]), ("oppose", KERNELS[1])])
@pytest.mark.parametrize("seed", range(5))
def test_ranking_baselines_reach_the_optimum(equality, kernel, seed):
    X, X2, y = pairs_data(9, seed)
    y[:3] = 1, -1, 0
    pairs = np.hstack([X, X2])
    model = fit_path(RankThreshold(equality=equality, tol=1e-7, **kernel), pairs, y, [0.7])[0]
    assert model.solution.objective == pytest.approx(
        optimum(model.problem.rows, Kernel(*kernel.values()).pair_gram(pairs, pairs), 0.7), 1e-5
    )
    by_hand = 0.5 * model.solution.beta @ Kernel(*kernel.values()).pair_gram(pairs, pairs) @ model.solution.beta
    f = model.threshold * model.scores(pairs)
    for label, difference in zip(y, f, strict=True):
        if label != 0:
            by_hand += 0.7 * (2 if equality == "oppose" else 1) * max(0.0, 1 - label * difference)
        elif equality == "oppose":
            by_hand += 0.7 * (max(0.0, 1 - difference) + max(0.0, 1 + difference))
    assert model.solution.objective == pytest.approx(by_hand)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("rule", (best_threshold, authors_threshold))
def test_no_threshold_makes_fewer_errors(seed, rule):
    """On a lattice of differences, with many ties and zeros; every threshold that can matter is tried.

    The authors' candidates do not go below the smallest difference.
    """
    rng = np.random.default_rng(seed)
    difference, y = rng.integers(-4, 5, 15) / 2.0, rng.integers(-1, 2, 15)
    tau = rule(y, difference)
    grid = np.arange(0.0, 4.0, 0.25)
    errors = [int(np.sum(compare(difference, t) != y)) for t in grid]
    np.testing.assert_array_equal(threshold_errors(y, difference, grid), errors)
    smallest = np.abs(difference).min() if rule is authors_threshold else 0.0
    assert tau > 0
    assert np.sum(compare(difference, tau) != y) == min(e for t, e in zip(grid, errors, strict=True) if t >= smallest)


def test_threshold_ties_by_hand():
    """|differences| 1, 2, 6, 7: everything from 2 to below 6 is right, so 4 is in the middle."""
    y, difference = np.array([0, 0, 1, -1]), np.array([1.0, -2.0, 6.0, -7.0])
    assert best_threshold(y, difference) == 4.0
    # the authors' candidates: 100 from 1 to 7 on a log scale, and the differences; the median of those in [2, 6) wins
    candidates = np.sort(np.concatenate([np.geomspace(1, 7, 100), [1, 2, 6, 7]]))
    inside = candidates[(candidates >= 2) & (candidates < 6)]
    assert authors_threshold(y, difference) == pytest.approx(inside[(len(inside) - 1) // 2])
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
    assert choice(np.array(errors)) == chosen


class OnRows:
    """scikit-learn's checks pass rows and any y: each row is paired with its sine, and y becomes -1, 0 or 1."""

    def _checked_pairs(self, X, reset=False):
        rows = super()._checked_pairs(X, reset)
        return np.hstack([rows, np.sin(rows)])

    def _read_columns(self, n_columns):
        return None  # rows are no pairs

    def _checked_labels(self, y):
        return super()._checked_labels(self._labels_of(y))

    def score(self, X, y, sample_weight=None):
        return super().score(X, None if y is None else self._labels_of(y), sample_weight)

    def _labels_of(self, y):
        rank = np.unique(np.asarray(y), return_inverse=True)[1]
        return np.zeros(len(y)) if rank.max() == 0 else np.where(rank % 3 == 2, -1, rank % 3)


class ComparisonSVMOnRows(OnRows, ComparisonSVM):
    """ComparisonSVM on the checks' rows."""


class RankThresholdOnRows(OnRows, RankThreshold):
    """RankThreshold on the checks' rows."""


class ComparisonLinkOnRows(OnRows, ComparisonLink):
    """ComparisonLink on the checks' rows."""


class PairTransformerOnRows(PairTransformer):
    """PairTransformer on the checks' rows."""

    def _items(self, X, reset=False):
        rows = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=reset)
        return rows, rows * 0.5

    def get_feature_names_out(self, input_features=None):
        names = self.transformer_.get_feature_names_out(_check_feature_names_in(self, input_features))
        return np.concatenate([names, names + " of half"])


CHECKED = [{"kernel": "linear"}, *([{}, KERNELS[2]] if SHARE else [])]
LABELS_ARE_FIXED = "y must hold the labels of a comparison, and the check brings others"
BINARY = dict.fromkeys(
    (
        "check_classifiers_train",
        "check_classifiers_classes",
        "check_classifiers_regression_target",
    ),
    LABELS_ARE_FIXED,
)


def expected_failures(estimator):
    expected = dict(BINARY)
    if isinstance(estimator, ComparisonSVM):
        expected["check_classifiers_one_label_sample_weights"] = LABELS_ARE_FIXED
    if isinstance(estimator, ComparisonLink):  # its probabilities are always there, and have three columns
        return expected | dict.fromkeys(
            ("check_estimator_sparse_array", "check_estimator_sparse_matrix"), LABELS_ARE_FIXED
        )
    if not isinstance(estimator, RankThreshold) or estimator.kernel == "poly":
        for kind in ("dense", "sparse"):
            expected[f"check_sample_weight_equivalence_on_{kind}_data"] = "equal up to the tolerance of the solver"
    return expected


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
@parametrize_with_checks(
    [
        *(ComparisonSVMOnRows(labels="comparison", **kernel) for kernel in CHECKED),
        *(RankThresholdOnRows(random_state=0, labels="comparison", **kernel) for kernel in CHECKED),
        ComparisonLinkOnRows(labels="comparison"),
        PairTransformerOnRows(MaxAbsScaler()),
    ],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_the_first_item_is_better_where_y_is_1():
    """One direction for labels, predictions, differences, ranks, and Elo's scores."""
    rng = np.random.default_rng(0)
    strength = rng.standard_normal(30)
    games = rng.integers(30, size=(200, 2))
    games = games[games[:, 0] != games[:, 1]]
    gap = strength[games[:, 0]] - strength[games[:, 1]]
    y = np.sign(gap) * (np.abs(gap) > 0.3)
    pairs = stack_pairs(strength[:, None], rows=games)
    ratings = elo(*games.T, (y + 1) / 2, start=Ratings.start(np.arange(30), 1500.0)).ratings.rating
    assert np.corrcoef(ratings, strength)[0, 1] > 0.9
    for estimator in (ComparisonSVM(kernel="linear"), RankThreshold(kernel="linear", random_state=0), ComparisonLink()):
        fitted = estimator.fit(pairs, y)
        assert fitted.coef_[0] > 0
        assert np.corrcoef(fitted.rank(strength[:, None]), ratings)[0, 1] > 0.9
        assert np.all(fitted.predict(pairs)[gap > 1] == 1)
        assert np.all(fitted.predict(stack_pairs(strength[:, None], rows=games[:, ::-1]))[gap > 1] == -1)
        scored = clone(estimator).fit(pairs, (y + 1) / 2)
        np.testing.assert_array_equal(scored.classes_, [0, 0.5, 1])
        np.testing.assert_array_equal(scored.predict(pairs), (fitted.predict(pairs) + 1) / 2)


def test_equal_items_stay_equal_when_pairs_are_scaled():
    rng = np.random.default_rng(0)
    items = rng.standard_normal((40, 3)) * [1.0, 100.0, 0.01] + 5.0
    index = rng.integers(40, size=(150, 2))
    pairs = stack_pairs(items, rows=index)
    scaled = PairTransformer(StandardScaler()).fit(pairs)
    for given in (pairs, pairs.reshape(150, 2, 3)):
        first, second = np.hsplit(scaled.transform(given), 2)
        np.testing.assert_allclose(
            first[:, 0] - second[:, 0], np.subtract(*pairs[:, [0, 3]].T) / scaled.transformer_.scale_[0]
        )
    np.testing.assert_allclose(scaled.transformer_.mean_, np.vstack(np.hsplit(pairs, 2)).mean(axis=0))
    largest = PairTransformer(MaxAbsScaler()).fit(csr_matrix(pairs))
    np.testing.assert_allclose(
        largest.transform(csr_matrix(pairs)).toarray() * np.tile(np.abs(items).max(axis=0), 2), pairs
    )
    names = [f"{column} of {item}" for item in ("first", "second") for column in ("age", "size", "price")]
    framed = PairTransformer(StandardScaler()).set_output(transform="pandas").fit(pd.DataFrame(pairs, columns=names))
    assert framed.transform(pd.DataFrame(pairs, columns=names)).columns.tolist() == names
    wider = PairTransformer(PolynomialFeatures(2, include_bias=False, interaction_only=True)).fit(pairs[:, :4])
    assert wider.get_feature_names_out().tolist() == [
        f"{item}_{name}" for item in ("first", "second") for name in ("x0", "x1", "x0 x1")
    ]
    y = np.sign(np.subtract(*items[index, 0].T).round())
    model = make_pipeline(PairTransformer(StandardScaler()), ComparisonSVM())
    assert cross_val_score(model, pairs, y, cv=3).mean() > 0.7


def test_items_of_a_weighted_pair_both_weigh(data):
    pairs, weight = np.hstack(data[:2]), np.arange(60) % 3 + 1
    weighted = PairTransformer(StandardScaler()).fit(pairs, sample_weight=weight).transform(pairs)
    repeated = PairTransformer(StandardScaler()).fit(np.repeat(pairs, weight, axis=0)).transform(pairs)
    np.testing.assert_allclose(weighted, repeated)


def test_a_threshold_is_found_between_neighbouring_floats():
    one, two = np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)
    y, differences = np.array([0, 1]), np.array([one, two])
    tau = best_threshold(y, differences)
    np.testing.assert_array_equal(compare(differences, tau), y)
