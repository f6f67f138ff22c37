"""The scikit-learn faces: scikit-learn's own checks, and what our users do with them."""

import numpy as np
import pytest
from fault_cases import SHARE
from made_problems import noisy
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.linear_model import Ridge
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
KERNELS = [{"kernel": "rbf"}, {"kernel": "precomputed"}, {"kernel": "linear"}, POLY]
FAMILIES = (SwappedPairsSVM, SVOR, KernelPRank)  # each takes a kernel matrix in its own way
CHECKED = [
    *(
        clone(machine).set_params(**kernel)
        for machine in MACHINES
        for kernel in (KERNELS if SHARE else KERNELS[:2] if isinstance(machine, FAMILIES) else KERNELS[:1])
    ),
    SwappedPairsSVM(kernel="linear"),
    PRank(random_state=0),
    ThresholdedRanker(Ridge()),
    CumulativeLink(),
    SVOR(probability=True),
    rankmargin.RankSearchCV(Cs=(0.1, 1.0), cv=2),
    rankmargin.RankAverage([("svm", SwappedPairsSVM()), ("ridge", Ridge())], weights="cv", cv=2),
]
BY_PAIRS = {
    "ComparisonLink",
    "ComparisonSVM",
    "RankThreshold",
    "PairTransformer",
}  # test_compare.py checks them on rows
WEIGHTS = dict.fromkeys(
    [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")],
    "equal up to the tolerance of the solver; tests/property/library/test_rows_crossed.py has looser ones",
)


NO_KERNEL = dict.fromkeys(
    ("check_positive_only_tag_during_fit", "check_estimators_dtypes"),
    "the check brings a matrix that is not positive semi-definite, and a kernel matrix is",
)


# Kernels with which a solver meets repeated rows to the digits of scikit-learn's check.
EXACT = {"SVOR": ("poly",), "FixedMarginSVM": ("poly",), "ThresholdedRanker": (None,)}
EXACT |= {"RankAverage": (None,), "SwappedPairsSVM": ("rbf", "linear"), "RankBoundarySVM": ("rbf", "linear", "poly")}


def expected_failures(estimator):
    """The checks that a sound estimator of ours fails, each with its reason."""
    expected = {}
    exact = getattr(estimator, "kernel", None) in EXACT.get(type(estimator).__name__, ())
    if has_fit_parameter(estimator, "sample_weight") and not exact:
        expected |= WEIGHTS
    if getattr(estimator, "kernel", None) == "precomputed":
        expected |= NO_KERNEL
    if isinstance(estimator, PRank | KernelPRank):
        expected |= dict.fromkeys(WEIGHTS, "rows in another order are another run of an online learner")
    if is_classifier(estimator):
        expected["check_classifiers_classes"] = "names without an order are refused, see categories"
    if isinstance(estimator, SumOfMarginsSVM):
        expected["check_class_weight_classifiers"] = "weights of 1e-4 leave no C (13)"
    if getattr(estimator, "probability", False):
        expected["check_classifiers_train"] = "the most probable grade need not be the predicted one, as with SVC"
    if isinstance(estimator, CumulativeLink):
        expected["check_classifiers_train"] = "predict gives the median grade (2.19), not the most probable one"
    return expected


@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures, xfail_strict=True)
@pytest.mark.filterwarnings("ignore::rankmargin.solvers.likelihood.SeparationWarning")
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.sum_of_margins.SmallerCWarning")
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.ordinal_base.ThresholdOrderWarning")
def test_scikit_learn_checks(estimator, check):
    """The checks give CumulativeLink separable data: it warns and continues."""
    check(estimator)


def test_no_estimator_goes_unchecked():
    exported = [getattr(rankmargin, name) for name in rankmargin.__all__]
    estimators = {one.__name__ for one in exported if isinstance(one, type) and issubclass(one, BaseEstimator)}
    assert {type(one).__name__ for one in CHECKED} | BY_PAIRS == estimators


def test_the_package_hands_out_its_estimators_lazily():
    assert {"SVOR", "PairwiseRankSVM", "SwappedPairsSVM"} <= set(dir(rankmargin))
    with pytest.raises(AttributeError, match="no attribute 'RankNet'"):
        rankmargin.RankNet  # noqa: B018


@pytest.mark.parametrize("estimator", [SwappedPairsSVM(), RankBoundarySVM(solver="dual_cd"), SVOR(), FixedMarginSVM()])
@pytest.mark.filterwarnings("ignore::rankmargin.estimators.ordinal_base.ThresholdOrderWarning")
def test_units_of_X_do_not_matter(estimator):
    """X s with C / s^2 is the same problem, however small s."""
    X, u = noisy(30, 3, 1.0)
    objectives = [
        clone(estimator).set_params(kernel="linear", C=1 / s**2).fit(s * X, u.round()).objective_ * s**2
        for s in (1.0, 1e-9, 1e9)
    ]
    np.testing.assert_allclose(objectives, objectives[0], rtol=2e-3)
