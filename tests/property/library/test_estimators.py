"""The scikit-learn faces: scikit-learn's own checks, and what our users do with them."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

import rankmargin
from rankmargin import (
    SVOR,
    CumulativeLink,
    FixedMarginSVM,
    KernelPRank,
    PairwiseRankSVM,
    PRank,
    RankBoundarySVM,
    SumOfMarginsSVM,
    SwappedPairsSVM,
    ThresholdedRanker,
)

RANKERS = [SwappedPairsSVM(C=3.0), PairwiseRankSVM(C=3.0, random_state=0), SVOR(n_bins=3)]


MACHINES = [
    SwappedPairsSVM(),
    PairwiseRankSVM(random_state=0),
    rankmargin.RankSVR(),
    SVOR(),
    FixedMarginSVM(),
    SumOfMarginsSVM(),
    RankBoundarySVM(),
    KernelPRank(random_state=0),
]
POLY = {"kernel": "poly", "degree": 2, "coef0": 1.0}
KERNELS = [{"kernel": "rbf"}, {"kernel": "linear"}, POLY, {"kernel": "precomputed"}]
CHECKED = [
    *(clone(machine).set_params(**kernel) for machine in MACHINES for kernel in KERNELS),
    PairwiseRankSVM(kernel="linear", n_partners="all", random_state=0),
    SVOR(kernel="linear", constraints="explicit"),
    PRank(random_state=0),
    ThresholdedRanker(Ridge()),
    CumulativeLink(),
    SVOR(probability=True),
    SVOR(probability=True, prediction="most_probable"),
    CumulativeLink(prediction="most_probable"),
    rankmargin.RankPathCV(SwappedPairsSVM(), Cs=(0.1, 1.0), cv=KFold(2, shuffle=True, random_state=0)),
]
BY_PAIRS = {"ComparisonSVM", "RankThreshold", "PairTransformer"}  # test_compare.py checks them on rows
WEIGHTS = dict.fromkeys(
    [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")],
    "equal up to the tolerance of the solver; tests/property/library/test_weights.py has the exact ones",
)


NO_KERNEL = dict.fromkeys(
    ("check_positive_only_tag_during_fit", "check_estimators_dtypes"),
    "the check brings a matrix that is not positive semi-definite, and a kernel matrix is",
)

NO_PARTIAL_FIT = dict.fromkeys(
    (
        "check_fit_score_takes_y",
        "check_n_features_in_after_fitting",
        "check_estimators_partial_fit_n_features",
    ),
    "partial_fit needs the kernel of new examples with the old ones, and is refused",
)


# Kernels with which a solver meets repeated rows to the digits of scikit-learn's check.
EXACT = {"SwappedPairsSVM": ("linear",), "SVOR": ("poly",), "FixedMarginSVM": ("poly",), "ThresholdedRanker": (None,)}
EXACT["RankBoundarySVM"] = ("rbf", "linear", "poly")


def expected_failures(estimator):
    """The checks that a sound estimator of ours fails, each with its reason."""
    expected = {}
    exact = getattr(estimator, "kernel", None) in EXACT.get(type(estimator).__name__, ())
    if has_fit_parameter(estimator, "sample_weight") and not exact and getattr(estimator, "n_partners", 0) != "all":
        expected |= WEIGHTS
    if getattr(estimator, "kernel", None) == "precomputed":
        expected |= NO_KERNEL
    if isinstance(estimator, KernelPRank) and estimator.kernel == "precomputed":
        expected |= NO_PARTIAL_FIT
    if isinstance(estimator, PRank | KernelPRank):
        expected |= dict.fromkeys(WEIGHTS, "rows in another order are another run of an online learner")
    if is_classifier(estimator):
        expected["check_classifiers_classes"] = "names without an order are refused, see categories"
    if isinstance(estimator, SumOfMarginsSVM):
        expected["check_class_weight_classifiers"] = "weights of 1e-4 leave no C (13)"
    thresholds = getattr(estimator, "prediction", None) == "thresholds"
    if getattr(estimator, "probability", False) and thresholds:
        expected["check_classifiers_train"] = "the most probable grade need not be the predicted one, as with SVC"
    if isinstance(estimator, CumulativeLink) and thresholds:
        expected["check_classifiers_train"] = "predict gives the median grade (2.19), not the most probable one"
    return expected


@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures, xfail_strict=True)
@pytest.mark.filterwarnings("ignore::rankmargin.methods.cumulative_link.SeparationWarning")
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.sum_of_margins.SmallerCWarning")
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.ordinal_base.ThresholdOrderWarning")
def test_scikit_learn_checks(estimator, check):
    """The checks give CumulativeLink separable data: it warns and continues."""
    check(estimator)


def test_no_estimator_goes_unchecked():
    exported = [getattr(rankmargin, name) for name in rankmargin.__all__]
    estimators = {one.__name__ for one in exported if isinstance(one, type) and issubclass(one, BaseEstimator)}
    assert {type(one).__name__ for one in CHECKED} | BY_PAIRS == estimators


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4))
    return X, np.round(3 * (X[:, 0] + np.sin(2 * X[:, 1]))) / 3


@pytest.mark.parametrize("ranker", RANKERS, ids=lambda r: type(r).__name__)
def test_attributes_hold_a_certificate(ranker, data):
    fitted = clone(ranker).fit(*data)
    assert fitted.dual_coef_.shape == (60,)
    assert np.any(fitted.dual_coef_ != 0)
    assert fitted.dual_bound_ <= fitted.objective_
    assert fitted.gap_ == pytest.approx(1 - fitted.dual_bound_ / fitted.objective_)
    assert fitted.gap_ <= fitted.tol
    assert fitted.score(*data) > 0.8


@pytest.mark.parametrize("ranker", RANKERS, ids=lambda r: type(r).__name__)
def test_other_containers_give_the_same_model(ranker, data, tmp_path):
    X, y = data
    expected = clone(ranker).set_params(gamma=0.5, tol=1e-8).fit(X, y).score_samples(X)
    path = tmp_path / "X.npy"
    np.save(path, X)
    frozen = np.load(path, mmap_mode="r")
    frame = pd.DataFrame(X, columns=list("abcd"))
    for other in (frozen, frame, csr_matrix(X)):
        again = clone(ranker).set_params(gamma=0.5, tol=1e-8).fit(other, y).score_samples(other)
        np.testing.assert_allclose(again, expected, rtol=1e-3, atol=1e-3)
    single = (
        clone(ranker).set_params(gamma=0.5, tol=1e-8).fit(X.astype(np.float32), y).score_samples(X.astype(np.float32))
    )
    np.testing.assert_allclose(single, expected, atol=0.01)
    restored = pickle.loads(pickle.dumps(clone(ranker).set_params(gamma=0.5, tol=1e-8).fit(X, y)))
    np.testing.assert_allclose(restored.score_samples(X), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("ranker", RANKERS, ids=lambda r: type(r).__name__)
def test_linear_kernel_has_weights_dense_or_sparse(ranker, data):
    X, y = data
    dense = clone(ranker).set_params(kernel="linear", tol=1e-7).fit(X, y)
    sparse = clone(ranker).set_params(kernel="linear", tol=1e-7).fit(csr_matrix(X), y)
    assert dense.coef_.shape == (4,)
    np.testing.assert_allclose(dense.coef_, sparse.coef_, rtol=1e-2, atol=1e-3)
    np.testing.assert_allclose(X @ dense.coef_, dense.score_samples(X))


def test_precomputed_kernel_is_the_same_model(data):
    X, y = data
    K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    np.testing.assert_allclose(
        SwappedPairsSVM(kernel="precomputed").fit(K, y).score_samples(K[:5]),
        SwappedPairsSVM(gamma=0.5).fit(X, y).score_samples(X[:5]),
        rtol=1e-6,
    )
    assert cross_val_score(SwappedPairsSVM(kernel="precomputed"), K, y, cv=3).min() > 0.7


def test_grid_search_and_pipeline(data):
    search = GridSearchCV(make_pipeline(StandardScaler(), SwappedPairsSVM()), {"swappedpairssvm__C": [0.01, 1.0]}, cv=3)
    assert search.fit(*data).best_score_ > 0.8


def test_groups_compare_only_inside(data):
    X, y = data
    groups = np.arange(60) % 2
    shifted = y + 100.0 * groups
    inside = SwappedPairsSVM(gamma=0.5, tol=1e-8).fit(X, shifted, groups=groups)
    plain = SwappedPairsSVM(gamma=0.5, tol=1e-8).fit(X, y, groups=groups)
    assert inside.objective_ == pytest.approx(plain.objective_, rel=1e-7)
    assert inside.score(X, shifted, groups=groups) == pytest.approx(plain.score(X, y, groups=groups))


def test_ordinal_predictions_are_labels(data):
    X, y = data
    labels = np.digitize(y, [-1.0, 0.5]) * 10
    fitted = SVOR(C=10.0).fit(X, labels)
    assert set(fitted.predict(X)) <= {0, 10, 20}
    assert np.all(np.diff(fitted.thresholds_) > 0)
    assert (fitted.predict(X) == labels).mean() > 0.9


BAD = [
    (SwappedPairsSVM(C=0), "C must be a finite number > 0, got 0"),
    (SwappedPairsSVM(C=np.nan), "C must be a finite number > 0, got nan"),
    (SwappedPairsSVM(gamma=-1.0), "gamma must be > 0, got -1.0"),
    (SwappedPairsSVM(gamma="auto"), "gamma must be a number > 0 or \"scale\", got 'auto'"),
    (SwappedPairsSVM(kernel="sigmoid"), "kernel must be a callable or one of linear, rbf, .*, got 'sigmoid'"),
    (SwappedPairsSVM(kernel="poly", degree=1.5), "degree must be an integer >= 1, got 1.5"),
    (SwappedPairsSVM(solver="newton"), "solver must be one of auto, smoothed_newton, dual_cd, .*, got 'newton'"),
    (SwappedPairsSVM(tol=0), "tol must be a finite number > 0, got 0"),
    (SwappedPairsSVM(max_iter=0), "max_iter must be an integer >= 1, got 0"),
    (SwappedPairsSVM(kernel="precomputed"), "square matrix"),
    (PairwiseRankSVM(n_partners=0), 'n_partners must be an integer >= 1 or "all", got 0'),
    (SVOR(n_bins=1), "n_bins must be an integer >= 2 or None, got 1"),
    (SVOR(constraints="both"), "constraints must be one of implicit, explicit, got 'both'"),
]


@pytest.mark.parametrize(("estimator", "message"), BAD, ids=lambda v: v if isinstance(v, str) else "")
def test_bad_parameters_are_named(estimator, message, data):
    with pytest.raises(ValueError, match="(?s)" + message.replace("(", r"\(").replace(")", r"\)")):
        estimator.fit(*data)


def test_bad_data_are_named(data):
    X, y = data
    with pytest.raises(ValueError, match="NaN"):
        SwappedPairsSVM().fit(np.where(X > 2, np.nan, X), y)
    with pytest.raises(ValueError, match="two distinct values"):
        SwappedPairsSVM().fit(X, np.ones(60))
    with pytest.raises(ValueError, match="no pair to learn from"):
        SwappedPairsSVM().fit(X, y, groups=np.arange(60))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        SwappedPairsSVM().fit(X, y, groups=np.arange(59))
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        SwappedPairsSVM().fit(X, y[:-1])
    with pytest.raises(ValueError, match="symmetric"):
        SwappedPairsSVM(kernel="precomputed").fit(np.triu(np.ones((60, 60))), y)
    with pytest.raises(ValueError, match="could not convert"):
        SwappedPairsSVM().fit(pd.DataFrame({"a": ["x"] * 60}), y)


def test_the_package_hands_out_its_estimators_lazily():
    assert {"SVOR", "PairwiseRankSVM", "SwappedPairsSVM"} <= set(dir(rankmargin))
    with pytest.raises(AttributeError, match="no attribute 'RankNet'"):
        rankmargin.RankNet  # noqa: B018


@pytest.mark.parametrize("estimator", [SwappedPairsSVM(), RankBoundarySVM(solver="dual_cd"), SVOR(), FixedMarginSVM()])
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.ordinal_base.ThresholdOrderWarning")
def test_units_of_X_do_not_matter(estimator):
    """X s with C / s^2 is the same problem, however small s."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    y = (X[:, 0] + rng.standard_normal(30)).round()
    objectives = [
        clone(estimator).set_params(kernel="linear", C=1 / s**2).fit(s * X, y).objective_ * s**2
        for s in (1.0, 1e-9, 1e9)
    ]
    np.testing.assert_allclose(objectives, objectives[0], rtol=2e-3)


def test_groups_may_have_names():
    rng = np.random.default_rng(0)
    X, y, groups = rng.standard_normal((20, 2)), np.arange(20.0), pd.Series(list("ab") * 10)
    fitted = PairwiseRankSVM(random_state=0).fit(X, y, groups=groups)
    assert fitted.score(X, y, groups=groups) == fitted.score(X, y, groups=(groups == "b").to_numpy())


def test_a_refit_with_another_kernel_has_no_weights():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((20, 3)), np.arange(20.0)
    fitted = SwappedPairsSVM(kernel="linear").fit(X, y)
    assert fitted.coef_.shape == (3,)
    assert not hasattr(fitted.set_params(kernel="rbf").fit(X, y), "coef_")


@pytest.mark.parametrize(
    "estimator", [SwappedPairsSVM(), SVOR(), rankmargin.RankSVR(), PRank(), ThresholdedRanker(Ridge())]
)
def test_ranks_must_be_numbers(estimator):
    with pytest.raises(ValueError, match=r"y must hold numbers, higher means ahead, got values like .*bad"):
        clone(estimator).fit(np.arange(6.0)[:, None], ["bad", "good", "best"] * 2)


def test_a_warning_names_the_C_that_was_given():
    rng = np.random.default_rng(0)
    with pytest.warns(UserWarning, match=r"\(C=3\)"):
        SwappedPairsSVM(C=3, C_scale="pairs", max_iter=1).fit(rng.standard_normal((30, 2)), rng.standard_normal(30))
