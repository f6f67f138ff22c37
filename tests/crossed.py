"""What the tests of crossings share: every public estimator as it is found, data for it, and what it says. A new one is
crossed without a new test."""

import numpy as np
import pandas as pd
import pytest
from public import CLASSES, made
from scipy.sparse import csr_matrix
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

import rankmargin
from rankmargin.estimators.path import has_path

try:
    import polars
except ImportError:
    polars = None

QUIET = [
    pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning"),
    pytest.mark.filterwarnings("ignore::rankmargin.estimators.ordinal_base.ThresholdOrderWarning"),
    pytest.mark.filterwarnings("ignore::rankmargin.estimators.sum_of_margins.SmallerCWarning"),
    pytest.mark.filterwarnings("ignore::rankmargin.solvers.likelihood.SeparationWarning"),
]
USUAL = {"tol": 1e-6, "random_state": 0, "Cs": (0.1, 1.0), "cv": 3}
N = 60
DAYS = pd.Series(np.datetime64("2026-01-01") + (np.arange(N) % 6).astype("timedelta64[D]"))
MISSING = [  # groups of which some have no name
    np.where(np.arange(N) % 6 == 0, np.nan, 1.0 * (np.arange(N) % 6)),
    DAYS.where(np.arange(N) != 3),
    DAYS.dt.day_name().astype("string").where(np.arange(N) != 3),
    DAYS.dt.day_name().astype("category").where(np.arange(N) != 3),
    np.array([np.nan, *(np.arange(N - 1.0) % 6)], dtype=object),
]
# What does not hold, and why.
EXCEPTIONS = {
    "repeated rows": {
        "RankSearchCV": "its folds hold other rows",
        "PairwiseRankSVM": "five random partners of each row",
        "landmarks": "they are other rows",
    },
    "permuted rows": {
        "RankSearchCV": "its folds hold other rows",
        "probability": "five parts of the rows in their order",
        "landmarks": "they are other rows",
        "PRank": "it takes the rows one after the other",
        "KernelPRank": "it takes the rows one after the other",
        "PairwiseRankSVM": "five random partners of each row",
    },
}


ESTIMATORS = [made(cls, **USUAL) for cls in CLASSES]
ESTIMATORS.append(made(rankmargin.RankSearchCV, **USUAL).set_params(estimator=rankmargin.SVOR(tol=1e-6)))
ESTIMATORS += [rankmargin.SwappedPairsSVM(kernel="linear", tol=1e-6), rankmargin.SVOR(kernel="linear", tol=1e-6)]
ESTIMATORS += [rankmargin.SVOR(probability=True, tol=1e-9), rankmargin.RankBoundarySVM(probability=True, tol=1e-9)]


def takes(estimator, name):
    return name in estimator.get_params(deep=False)


ORDINAL = [one for one in ESTIMATORS if takes(one, "categories")]
ON_PAIRS = [one for one in ESTIMATORS if takes(one, "labels")]
RANKERS = [one for one in ESTIMATORS if not is_classifier(one)]
LANDMARKED = (rankmargin.SwappedPairsSVM, rankmargin.SVOR, rankmargin.ComparisonSVM)
LANDMARKED = [made(cls, landmarks=20, **USUAL) for cls in LANDMARKED]
every = pytest.mark.parametrize("estimator", [*ESTIMATORS, *LANDMARKED], ids=lambda e: str(e)[:40])


def with_parameter(name):
    """Return the estimators with it; parts of rows for probabilities depend on which rows there are."""
    return [one for one in ESTIMATORS if takes(one, name) and not getattr(one, "probability", False)]


def data(estimator, seed=0, n=N):
    """Return rows and three grades, labels of comparisons, or numbers."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4))
    s = X[:, 0] - X[:, 2] + 0.4 * rng.standard_normal(n)
    if not is_classifier(estimator):
        return X, np.round(2 * s) / 2
    return X, np.digitize(s, [-0.7, 0.7]) - takes(estimator, "labels")


def told(estimator, X):
    """Return all that a fitted estimator says about X, as numbers; the zero of a ranker's predictions is any."""
    ways = ("score_samples", "predict_proba", "decision_function") if is_classifier(estimator) else ("score_samples",)
    ways = ways if hasattr(estimator, "score_samples") else ("predict",)
    return {way: getattr(estimator, way)(X) for way in ways if hasattr(estimator, way)}


FITTED = {}


def fitted_once(estimator):
    """Return the estimator fitted to its data, the same object for all tests, and these data."""
    if id(estimator) not in FITTED:
        X, y = data(estimator)
        FITTED[id(estimator)] = clone(estimator).fit(X, y), X, y
    return FITTED[id(estimator)]


def same(one, other, X, Z=None, atol=5e-3):
    """Check that two fitted estimators say the same, the second about Z."""
    first, second = told(one, X), told(other, X if Z is None else Z)
    assert first.keys() == second.keys() and first
    for way, values in first.items():
        np.testing.assert_allclose(values, second[way], atol=atol * max(1.0, np.abs(values).max()), err_msg=way)


def exact(one, other, X, Z=None):
    same(one, other, X, Z, atol=1e-12)
    np.testing.assert_array_equal(one.predict(X), other.predict(X if Z is None else Z))


def unless(crossing, estimator, check):
    """Run a check where no exception says that it does not hold."""
    kinds = [name for name in ("probability", "landmarks") if getattr(estimator, name, False)]
    if [*kinds, type(estimator).__name__][0] not in EXCEPTIONS[crossing]:
        check()


def frames(X, y):
    names = ["elo_a", "age_a", "elo_b", "age_b"]
    yield pd.DataFrame(X, columns=names, index=np.arange(len(X))[::-1]), pd.Series(y, index=np.arange(len(X)) + 7)
    yield csr_matrix(X), y
    yield np.asfortranarray(X), y.astype(float)
    yield X.tolist(), y.tolist()
    if polars is not None:
        yield polars.DataFrame(X, schema=names), polars.Series(y)


def made_search(estimator):
    return rankmargin.RankSearchCV(estimator, Cs=(0.1, 1.0), cv=3)


IN_GROUPS = [one for one in RANKERS if takes(one, "kernel") and has_fit_parameter(one, "groups")]
SEARCHED = [one for one in ESTIMATORS if has_path(one)]
searched = pytest.mark.parametrize("estimator", SEARCHED, ids=lambda e: str(e)[:40])


def search_over(estimator, **given):
    return rankmargin.RankSearchCV(clone(estimator), **{"Cs": (0.1, 1.0), "cv": 3, "param_grid": None, **given})
