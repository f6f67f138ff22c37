"""The contract of crossings: every public estimator, metric, scorer, display, sampler and rating, as they are found,
crossed with what a caller may give them. A new one is crossed without a new test."""

import inspect
import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from matplotlib import pyplot
from public import CLASSES, INNER, made
from scipy.sparse import coo_array, csr_matrix, issparse
from sklearn.base import clone, is_classifier
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning, NotFittedError, UndefinedMetricWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.validation import has_fit_parameter

import rankmargin
from rankmargin import inspection, metrics, ratings, sampling, significance
from rankmargin.caller import HintWarning
from rankmargin.cut_points import best_cut_points
from rankmargin.estimators.path import has_path
from rankmargin.estimators.scorers import SCORERS
from rankmargin.rows.pairs import NoPairError

try:
    import polars
except ImportError:
    polars = None

pytestmark = [
    pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning"),
    pytest.mark.filterwarnings("ignore::rankmargin.estimators.ordinal_base.ThresholdOrderWarning"),
    pytest.mark.filterwarnings("ignore::rankmargin.estimators.sum_of_margins.SmallerCWarning"),
    pytest.mark.filterwarnings("ignore::rankmargin.likelihood.SeparationWarning"),
]
USUAL = {"tol": 1e-6, "random_state": 0, "Cs": (0.1, 1.0), "cv": 3}
N = 60
# What does not hold, and why. An entry that is not needed any more fails too.
EXCEPTIONS = {
    "repeated rows": {"PairwiseRankSVM": "five random partners of each row"},
    "weights of 0": {},
    "permuted rows": {
        "probability": "five parts of the rows in their order",
        "PRank": "it takes the rows one after the other",
        "KernelPRank": "it takes the rows one after the other",
        "PairwiseRankSVM": "five random partners of each row",
    },
    "alike": {"RankSVR": "a regression takes any targets"},
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
every = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: str(e)[:40])


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
    """Return all that a fitted estimator says about X, as numbers."""
    ways = ("score_samples", "predict_proba", "decision_function") if is_classifier(estimator) else ("predict",)
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
    """Run a check, which must fail where an exception says so."""
    if isinstance(estimator, rankmargin.RankSearchCV) and crossing != "alike":
        return  # its folds hold other rows
    why = EXCEPTIONS[crossing].get(
        "probability" if getattr(estimator, "probability", False) else type(estimator).__name__
    )
    try:
        check()
    except AssertionError:
        if why is None:
            raise
    else:
        assert why is None, f"not needed any more: {why}"


# Estimators


@pytest.mark.parametrize("estimator", ORDINAL + ON_PAIRS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(
    ("names", "probability"),
    [(["low", "mid", "high"], False), ([3, 1, 2], True), ([0.5, -1.0, 7.0], False), ([True, "x", 3], True)],
    ids=str,
)
def test_categories_in_any_order(estimator, names, probability):
    order = "labels" if takes(estimator, "labels") else "categories"
    given = {"probability": probability} if takes(estimator, "probability") else {}
    X, y = data(estimator)
    place = y - y.min()
    held = np.empty(3, dtype=object)
    held[:] = names
    plain = clone(estimator).set_params(**given).fit(X, y)
    named = clone(estimator).set_params(**given, **{order: names}).fit(X, held[place])
    np.testing.assert_allclose(named.score_samples(X), plain.score_samples(X), atol=1e-12)
    assert named.predict(X).tolist() == held[plain.predict(X) - y.min()].tolist()
    assert named.score(X, held[place]) == pytest.approx(plain.score(X, y))
    columns = [named.classes_.tolist().index(name) for name in names]
    for way in ("decision_function", "predict_proba"):
        if hasattr(plain, way) and getattr(plain, way)(X).ndim == 2:
            np.testing.assert_allclose(getattr(named, way)(X)[:, columns], getattr(plain, way)(X), atol=1e-12)
    if not any(isinstance(name, bool) for name in names):
        ordered = pd.Series(pd.Categorical(held[place], names, ordered=True))
        exact(clone(estimator).set_params(**given).fit(X, ordered), named, X)
        turned = pd.Categorical(held[place], names[::-1], ordered=order == "categories")  # the estimator knows better
        exact(clone(named).fit(X, turned), named, X)
    for scorer in SCORERS:
        if scorer == "ndcg" or (scorer != "concordance" and sorted(map(str, names)) == list(map(str, names))):
            continue  # gains and distances are those of the numbers
        values = [metrics.get_scorer(scorer)(one, X, t) for one, t in ((named, held[place]), (plain, y))]
        assert values[0] == pytest.approx(values[1]), scorer


@every
def test_a_weight_of_2_is_a_row_given_twice(estimator):
    X, y = data(estimator)
    weight = 1.0 + np.arange(N) % 3
    rows = np.repeat(np.arange(N), np.arange(N) % 3 + 1)
    weighted = clone(estimator).fit(X, y, sample_weight=weight)
    repeated = clone(estimator).fit(X[rows], y[rows])
    unless("repeated rows", estimator, lambda: same(weighted, repeated, X))
    assert weighted.score(X, y, sample_weight=weight) == pytest.approx(weighted.score(X[rows], y[rows]))


@every
def test_a_weight_of_0_is_a_row_left_out(estimator):
    X, y = data(estimator)
    weight = (np.arange(N) % 4 > 0).astype(float)
    kept = np.flatnonzero(weight)
    weighted, without = clone(estimator).fit(X, y, sample_weight=weight), clone(estimator).fit(X[kept], y[kept])
    unless("weights of 0", estimator, lambda: same(weighted, without, X))
    assert weighted.score(X, y, sample_weight=weight) == pytest.approx(weighted.score(X[kept], y[kept]))
    for wrong in (np.zeros(N), -weight, np.full(N, np.nan), weight[1:]):
        with pytest.raises(ValueError, match=r"weight|NaN|inconsistent"):
            clone(estimator).fit(X, y, sample_weight=wrong)


@every
def test_weights_that_overflow(estimator):
    """A fit refuses them clearly or is that of the weights in another unit; the score is the same."""
    X, y = data(estimator)
    weight = 1.0 + np.arange(N) % 3
    fitted = fitted_once(estimator)[0]
    expected = fitted.score(X, y, sample_weight=weight)
    for scale in (1e-300, 1e-200, 1e-40, 1e40, 1e200, 1e300):
        assert fitted.score(X, y, sample_weight=scale * weight) == pytest.approx(expected), scale
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            try:
                told_of = told(clone(estimator).fit(X, y, sample_weight=scale * weight), X)
            except ValueError as error:
                assert "sample_weight must" in str(error), (scale, error)
            else:
                assert not any(np.isnan(values).any() for values in told_of.values()), scale


@pytest.mark.parametrize("estimator", [one for one in RANKERS if not takes(one, "epsilon")], ids=lambda e: str(e)[:40])
def test_scores_without_a_pair_are_nan(estimator):
    """Whatever leaves no pair: targets, groups, weights, events, weights of pairs; and the warning says which."""
    fitted, X, y = fitted_once(estimator)
    known = inspect.signature(fitted.score).parameters
    some = np.arange(N) % 2 == 0
    left = {
        "y": {"y": np.ones(N)},
        "groups": {"groups": np.arange(N)},
        "sample_weight": {"sample_weight": np.zeros(N)},
        "event": {"event": np.zeros(N, dtype=bool)},
        "pair_weight": {"pair_weight": np.zeros((N, N))},
    }
    for name, given in left.items():
        for more in ({}, {"event": some}, {"pair_weight": np.ones((N, N))}):
            if name == "y" and "event" in more:
                continue  # of equal times, an event is before a censored one
            if {*more, *given} - {"y"} <= {*known} and not {*more} & {*given}:
                said = rf"concordance is nan: .*{name}" if not more and name in "y sample_weight" else "is nan"
                with pytest.warns(UndefinedMetricWarning, match=said):
                    assert np.isnan(fitted.score(X, **{"y": y, **given, **more})), (name, more)


@pytest.mark.parametrize("estimator", with_parameter("class_weight"), ids=lambda e: type(e).__name__)
def test_a_class_weight_is_the_weight_of_its_rows(estimator):
    X, y = data(estimator)
    own, factors = 1.0 + np.arange(N) % 2, np.array([2.0, 1.0, 3.0])
    for weight in (None, own):
        by_grade = clone(estimator).set_params(class_weight=dict(enumerate(factors))).fit(X, y, sample_weight=weight)
        by_row = clone(estimator).fit(X, y, sample_weight=factors[y] * (1.0 if weight is None else weight))
        exact(by_row, by_grade, X)
    balanced = clone(estimator).set_params(class_weight="balanced").fit(X, y)
    exact(clone(estimator).fit(X, y, sample_weight=(N / 3 / np.bincount(y))[y]), balanced, X)
    without = clone(estimator).set_params(class_weight={0: 1.0, 1: 1.0, 2: 0.0}).fit(X, y)
    assert without.classes_.tolist() == [0, 1]
    same(clone(estimator).fit(X[y < 2], y[y < 2]), without, X)
    assert np.abs(told(balanced, X)["score_samples"] - told(fitted_once(estimator)[0], X)["score_samples"]).max() > 0.01


@pytest.mark.parametrize("estimator", with_parameter("n_bins"), ids=lambda e: type(e).__name__)
def test_bins_see_the_order_of_targets_alone(estimator):
    X = data(estimator)[0]
    y = X[:, 0] - X[:, 2] + 0.4 * np.random.default_rng(2).standard_normal(N)
    binned = clone(estimator).set_params(n_bins=3)
    plain, bins = clone(binned).fit(X, y), 1 + np.argsort(np.argsort(y)) * 3 // N
    assert plain.classes_.tolist() == [1, 2, 3] and plain.bin_edges_.tolist() == [y[bins == k].max() for k in (1, 2)]
    exact(plain, clone(binned).fit(X, np.exp(y)), X)
    likely = {"probability": True} if takes(estimator, "probability") else {}
    exact(clone(binned).set_params(**likely).fit(X, y), clone(estimator).set_params(**likely).fit(X, bins), X)
    factors = np.array([np.nan, 2.0, 1.0, 3.0])
    weighted = clone(binned).set_params(class_weight={1: 2.0, 2: 1.0, 3: 3.0}).fit(X, y)
    exact(clone(estimator).fit(X, bins, sample_weight=factors[bins]), weighted, X)
    rows = np.repeat(np.arange(N), 1 + np.arange(N) % 2)
    same(clone(binned).fit(X, y, sample_weight=1.0 + np.arange(N) % 2), clone(binned).fit(X[rows], y[rows]), X)


ONLINE = [one for one in ESTIMATORS if hasattr(one, "partial_fit")]


@pytest.mark.parametrize("estimator", ONLINE, ids=lambda e: type(e).__name__)
def test_partial_fit_after_fit_goes_on_from_it(estimator):
    X, y = data(estimator)
    Z, t = data(estimator, seed=1)
    start, once, parts = (clone(estimator).set_params(probability=True).fit(X, y) for _ in range(3))
    once.partial_fit(Z, t)
    for rows in np.split(np.arange(N), [7, 31]):
        parts.partial_fit(Z[rows], t[rows])
    exact(once.set_params(probability=False), parts.set_params(probability=False), X)
    assert not np.allclose(once.score_samples(X), start.score_samples(X))
    with pytest.raises(NotFittedError, match="predict_proba needs a call of fit"):
        once.set_params(probability=True).predict_proba(X)
    twice, weighted = clone(start).fit(X, y), clone(start).fit(X, y)
    rows = np.repeat(np.arange(N), 1 + np.arange(N) % 3)
    weighted.partial_fit(Z, t, sample_weight=1.0 + np.arange(N) % 3)
    same(twice.partial_fit(Z[rows], t[rows]).set_params(probability=False), weighted.set_params(probability=False), X)
    exact(clone(start).set_params(probability=False).fit(X, y), once.set_params(probability=False).fit(X, y), X)
    with pytest.raises(ValueError, match=r"y must hold grades of .*, got 3"):
        once.partial_fit(Z, t + 1)


@every
def test_the_order_of_rows_does_not_matter(estimator):
    plain, X, y = fitted_once(estimator)
    rows = np.random.default_rng(1).permutation(N)
    unless("permuted rows", estimator, lambda: same(plain, clone(estimator).fit(X[rows], y[rows]), X))


DAYS = pd.Series(np.datetime64("2026-01-01") + (np.arange(N) % 6).astype("timedelta64[D]"))
MISSING = [  # groups of which some have no name
    np.where(np.arange(N) % 6 == 0, np.nan, 1.0 * (np.arange(N) % 6)),
    DAYS.where(np.arange(N) != 3),
    DAYS.dt.day_name().astype("string").where(np.arange(N) != 3),
    DAYS.dt.day_name().astype("category").where(np.arange(N) != 3),
    np.array([np.nan, *(np.arange(N - 1.0) % 6)], dtype=object),
]


@every
def test_groups_of_any_name(estimator):
    X, y = data(estimator)
    groups = np.arange(N) % 6
    if not has_fit_parameter(estimator, "groups"):
        with pytest.raises((TypeError, ValueError)):
            clone(estimator).fit(X, y, groups=groups)
        return
    plain = clone(estimator).fit(X, y, groups=groups)
    for names in (
        np.array(list("fbadce"))[groups],
        10.5 * groups - 7,
        groups.astype(np.uint8),
        pd.Series(groups),
        DAYS,
    ):
        named = clone(estimator).fit(X, y, groups=names)
        if not isinstance(estimator, rankmargin.RankSearchCV):  # whose folds depend on the order of the names
            same(named, plain, X)
        learns = not is_classifier(estimator)
        given = [{"groups": of} if learns else {} for of in (names, groups)]
        assert plain.score(X, y, **given[0]) == pytest.approx(plain.score(X, y, **given[1]))
    if not isinstance(estimator, rankmargin.RankSearchCV):
        same(clone(estimator).fit(X, y, groups=np.zeros(N)), clone(estimator).fit(X, y), X)
    for wrong in (groups[1:], np.column_stack([groups, groups]), *MISSING):
        with pytest.raises(ValueError, match="groups must"):
            clone(estimator).fit(X, y, groups=wrong)


def frames(X, y):
    names = ["elo_a", "age_a", "elo_b", "age_b"]
    yield pd.DataFrame(X, columns=names, index=np.arange(len(X))[::-1]), pd.Series(y, index=np.arange(len(X)) + 7)
    yield csr_matrix(X), y
    yield np.asfortranarray(X), y.astype(float)
    yield X.tolist(), y.tolist()
    if polars is not None:
        yield polars.DataFrame(X, schema=names), polars.Series(y)


@every
def test_frames_and_other_forms(estimator):
    plain, X, y = fitted_once(estimator)
    for table, targets in frames(X, y):
        if issparse(table) and isinstance(estimator, rankmargin.RankSearchCV):
            continue  # it makes no quantiles
        fitted = clone(estimator).fit(table, targets)
        same(fitted, plain, table, X, atol=1e-4)
        assert fitted.score(table, targets) == pytest.approx(plain.score(X, y), abs=1e-3)
        if hasattr(table, "columns"):
            assert fitted.feature_names_in_.tolist() == list(table.columns)
            with pytest.raises(ValueError, match="feature names"):
                fitted.predict(table[list(table.columns)[::-1]])


@every
def test_frames_of_sparse_columns_are_sparse(estimator):
    _, X, y = fitted_once(estimator)
    X = csr_matrix(np.round(X))
    frame = pd.DataFrame.sparse.from_spmatrix(X, columns=["elo_a", "age_a", "elo_b", "age_b"])
    same(clone(estimator).fit(frame, y), clone(estimator).fit(X, y), frame, X, atol=1e-4)


def has_in_fit(name):
    found = [one for one in ESTIMATORS if name in inspect.signature(one.fit).parameters and not takes(one, "epsilon")]
    return [one for one in found if not (takes(one, "estimator") and is_classifier(one))]


@pytest.mark.parametrize("estimator", has_in_fit("event"), ids=lambda e: str(e)[:40])
def test_events(estimator):
    """All events are none censored; two ways to say them; weights, groups and frames; a search and an average too."""
    if isinstance(estimator, rankmargin.RankAverage):
        estimator = clone(estimator).set_params(estimators=INNER["estimators"][:1])
    X = data(estimator)[0]
    time = np.exp(X[:, 0] - X[:, 2]) + 0.01 * np.arange(N)
    event, weight, groups = np.arange(N) % 4 > 0, 1.0 + np.arange(N) % 2, np.arange(N) % 6
    same(clone(estimator).fit(X, time, event=np.ones(N, dtype=bool)), clone(estimator).fit(X, time), X)
    plain = clone(estimator).fit(X, time, event=event)
    table = np.array(list(zip(event, time)), dtype=[("died", bool), ("days", float)])
    exact(clone(estimator).fit(X, table), plain, X)
    score = plain.score(X, time, event=event)
    assert score == plain.score(X, table) > 0.7
    assert score == metrics.concordance_index(time, plain.predict(X), event=event)
    assert score == metrics.get_scorer("concordance")(plain, X, time, event=event)
    frame = pd.DataFrame(X, columns=list("abcd"))
    same(clone(estimator).fit(frame, pd.Series(time), event=pd.Series(event.astype(int))), plain, frame, X, atol=1e-4)
    for given in ({"sample_weight": weight}, {"groups": groups}):
        fitted = clone(estimator).fit(X, time, event=event, **given)
        assert np.isfinite(fitted.score(X, time, event=event, **given))
    rows = np.repeat(np.arange(N), 1 + np.arange(N) % 2)
    if not isinstance(estimator, rankmargin.RankSearchCV | rankmargin.PairwiseRankSVM):
        weighted = clone(estimator).fit(X, time, event=event, sample_weight=weight)
        same(weighted, clone(estimator).fit(X[rows], time[rows], event=event[rows]), X)
    for wrong in (event[1:], event + 1, np.zeros(N, dtype=bool)):
        with pytest.raises(ValueError, match=r"event|inconsistent|pair"):
            clone(estimator).fit(X, time, event=wrong)
    for wrong in (event.astype(str), pd.Series([None, *event[1:]], dtype="boolean"), np.where(event, np.nan, 0.0)):
        with pytest.raises(ValueError, match=r"event must hold 0 or 1, or a bool, .* got ('\w+'|<NA>|nan)$"):
            clone(estimator).fit(X, time, event=wrong)


@pytest.mark.parametrize("estimator", has_in_fit("pair_weight"), ids=lambda e: str(e)[:40])
def test_pair_weights(estimator):
    """Ones are no weights, products of weights of rows are weights of rows, and pairs of weight 0 are left out."""
    X, y = data(estimator)
    if isinstance(estimator, rankmargin.PairwiseRankSVM):
        estimator = clone(estimator).set_params(n_partners="all")
    if takes(estimator, "tol"):
        estimator = clone(estimator).set_params(tol=1e-8)
    if takes(estimator, "fast"):
        estimator = clone(estimator).set_params(fast=False)  # rough fits of two solvers can choose another C
    weight = 1.0 + np.arange(N) % 3
    ones = clone(estimator).fit(X, y, pair_weight=np.ones((N, N)))
    same(ones, clone(estimator).fit(X, y), X)
    same(clone(estimator).fit(X, y, pair_weight=lambda ahead, behind: np.ones(len(ahead))), ones, X)
    table = np.outer(weight, weight)
    by_pair, by_row = clone(estimator).fit(X, y, pair_weight=table), clone(estimator).fit(X, y, sample_weight=weight)
    if takes(estimator, "C_scale"):  # a search scores its folds with the weights of rows alone
        if takes(estimator, "probability"):
            estimator = clone(estimator).set_params(probability=False)  # weights of pairs say nothing of its link
        scale = {"C_scale": "pairs", "C": 0.01, "gamma": 0.3}  # gamma="scale" follows the weights of rows
        by_pair, by_row = (clone(estimator).set_params(**scale) for _ in range(2))
        same(by_pair.fit(X, y, pair_weight=table), by_row.fit(X, y, sample_weight=weight), X)
        kept, some = np.flatnonzero(np.arange(N) % 4), np.minimum(np.arange(N) % 4, 1)
        of_kept = clone(estimator).fit(X[kept], y[kept], pair_weight=table[np.ix_(kept, kept)])
        same(clone(estimator).fit(X, y, pair_weight=table, sample_weight=some), of_kept, X)
    if "pair_weight" in inspect.signature(estimator.score).parameters:
        assert by_row.score(X, y, pair_weight=table) == pytest.approx(by_row.score(X, y, sample_weight=weight))
    for sparse in (csr_matrix(table), coo_array(table)):
        same(clone(estimator).fit(X, y, pair_weight=sparse), clone(estimator).fit(X, y, pair_weight=table), X)
    named = clone(estimator).fit(X, y, pair_weight=pd.DataFrame(table))
    assert all(np.isfinite(values).all() for values in told(named, X).values())
    for wrong in (np.zeros((N, N)), -table, table[1:], np.full((N, N), np.nan), "gain"):
        with pytest.raises(ValueError, match="pair"):
            clone(estimator).fit(X, y, pair_weight=wrong)


def with_kernel():
    return [one for one in ESTIMATORS if takes(one, "kernel") and one.kernel != "linear"]


@pytest.mark.parametrize("estimator", with_kernel(), ids=lambda e: str(e)[:40])
def test_a_precomputed_kernel(estimator):
    """It is the kernel that it holds: in arrays and frames, with weights of 0 and 2, probabilities and in a search."""
    X, y = data(estimator)
    if takes(estimator, "labels"):
        D = X[:, 2:] - X[:, :2]
        K = D @ D.T
    else:
        K = X @ X.T
    given = {"probability": True} if takes(estimator, "probability") else {}
    plain = clone(estimator).set_params(kernel="linear", **given)
    ours = clone(estimator).set_params(kernel="precomputed", **given)
    weight = (np.arange(N) % 3).astype(float)
    for weights in ({}, {"sample_weight": weight}):
        fitted = clone(ours).fit(K, y, **weights)
        same(clone(plain).fit(X, y, **weights), fitted, X, K, atol=2e-2)
        assert fitted.dual_coef_.shape == (N,)
        exact(pickle.loads(pickle.dumps(fitted)), fitted, K)
        same(clone(ours).fit(pd.DataFrame(K), y, **weights), fitted, pd.DataFrame(K), K, atol=1e-6)
    if takes(estimator, "C") and not isinstance(estimator, rankmargin.SumOfMarginsSVM):
        made = made_search(clone(ours))
        for table in (K, pd.DataFrame(K)):
            assert np.isfinite(clone(made).fit(table, y).score(table, y))
        path = rankmargin.rank_path(ours, K, y, Cs=[0.1, 1.0])
        same(path[1], clone(ours).set_params(C=1.0).fit(K, y), K)


def made_search(estimator):
    return rankmargin.RankSearchCV(estimator, Cs=(0.1, 1.0), cv=3)


@pytest.mark.parametrize("estimator", with_parameter("probability"), ids=lambda e: type(e).__name__)
def test_probabilities(estimator):
    """They are in every crossing: weights, frames, pickle, and classes_ in the order of their columns."""
    X, y = data(estimator)
    estimator = clone(estimator).set_params(probability=True)
    weight = (np.arange(N) % 3).astype(float)
    plain = clone(estimator).fit(X, y)
    P = plain.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert P.shape == (N, 3) and np.all(P >= 0)
    frame = next(frames(X, y))
    named = clone(estimator).fit(*frame)
    np.testing.assert_allclose(named.predict_proba(frame[0]), P, atol=1e-3)
    exact(pickle.loads(pickle.dumps(plain)), plain, X)
    weighted = clone(estimator).fit(X, y, sample_weight=weight)
    kept = np.flatnonzero(weight)
    without = clone(estimator).fit(X[kept], y[kept], sample_weight=weight[kept])
    if type(estimator).__name__ not in EXCEPTIONS["permuted rows"]:
        np.testing.assert_allclose(weighted.predict_proba(X), without.predict_proba(X), atol=1e-2)
    if takes(estimator, "prediction"):
        most = clone(estimator).set_params(prediction="most_probable").fit(X, y)
        np.testing.assert_array_equal(most.predict(X), most.classes_[most.predict_proba(X).argmax(axis=1)])


@pytest.mark.parametrize("estimator", with_parameter("probability"), ids=lambda e: type(e).__name__)
def test_no_probabilities_say_how_to_get_them(estimator):
    """Also through a search, and after a fit without them."""
    X, y = data(estimator)
    for plain in [
        clone(estimator),
        clone(estimator).fit(X, y),
        *([made_search(estimator)] if has_path(estimator) else []),
    ]:
        assert not hasattr(plain, "predict_proba")
        with pytest.raises(AttributeError, match="has no attribute 'predict_proba'") as refused:
            plain.predict_proba(X)
        causes = [refused.value]
        while causes[-1].__cause__ is not None:
            causes.append(causes[-1].__cause__)
        assert "probability=True before fit" in str(causes[-1])
    with pytest.raises(NotFittedError, match="predict_proba needs a call of fit with probability=True"):
        clone(estimator).fit(X, y).set_params(probability=True).predict_proba(X)
    assert list(inspect.signature(type(estimator).predict_proba).parameters) == ["self", "X"]


LIKELY = with_parameter("probability")
IN_GROUPS = [one for one in RANKERS if takes(one, "kernel") and has_fit_parameter(one, "groups")]
WITH_GROUPS = [  # a ranker that learns inside groups, and the best fit of a search whose folds are of groups
    clone(one).set_params(ranker=clone(ranker).set_params(kernel="linear"), probability=True)
    for one in LIKELY
    if takes(one, "ranker")
    for ranker in IN_GROUPS
]
WITH_GROUPS += [
    rankmargin.RankSearchCV(clone(one).set_params(probability=True), Cs=(0.1, 1.0), cv=3, param_grid=None)
    for one in LIKELY
    if has_path(one)
]


@pytest.mark.parametrize("estimator", WITH_GROUPS, ids=lambda e: str(e)[:60])
def test_probabilities_with_groups(estimator):
    X, y = data(estimator.estimator if takes(estimator, "estimator") else estimator)
    groups = np.arange(N) % 6
    P = clone(estimator).fit(X, y, groups=groups).predict_proba(X)
    assert P.shape == (N, 3) and np.all(P >= 0)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    for of in (list(groups), pd.Series(groups, index=groups), np.array(list("abcdef"))[groups]):
        np.testing.assert_allclose(clone(estimator).fit(X, y, groups=of).predict_proba(X), P, atol=1e-6)
    if takes(estimator, "ranker"):
        alone = clone(estimator).fit(X, y).predict_proba(X)
        together = clone(estimator).fit(X, y, groups=np.zeros(N)).predict_proba(X)
        np.testing.assert_allclose(together, alone, atol=1e-6)
        assert np.abs(alone - P).max() > 1e-3


@every
def test_weights_and_groups_are_routed(estimator):
    """With metadata that is really passed: scores of folds are those of fits by hand."""
    X, y = data(estimator)
    weight, groups = 1.0 + np.arange(N) % 3, np.arange(N) % 6
    with sklearn.config_context(enable_metadata_routing=True):
        one = clone(estimator).set_fit_request(sample_weight=True)
        if takes(one, "ranker"):
            one.set_params(ranker=Ridge().set_fit_request(sample_weight=True))
        given = {"sample_weight": weight}
        if has_fit_parameter(estimator, "groups"):
            one, given = one.set_fit_request(groups=True), {**given, "groups": groups}
        scorer = metrics.get_scorer("concordance")
        train, test = next(GroupKFold(3).split(X, y, groups))
        scores = cross_val_score(one, X, y, cv=[(train, test)], scoring=scorer, params=given, error_score="raise")
        fitted = clone(one).fit(X[train], y[train], **{name: of[train] for name, of in given.items()})
        known = {name: of[test] for name, of in given.items()}
        assert scores[0] == pytest.approx(scorer(fitted, X[test], y[test], **known))


@every
def test_clone_and_pickle(estimator):
    fitted, X, y = fitted_once(estimator)
    assert not [name for name in vars(clone(fitted)) if name.endswith("_") and not name.startswith("_")]
    exact(pickle.loads(pickle.dumps(fitted)), fitted, X)
    exact(clone(fitted).fit(X, y), fitted, X)
    again = clone(fitted)
    assert again.fit(X, y) is again


@every
def test_a_refit_is_a_fit(estimator):
    """With other parameters, other numbers of rows and columns, and other targets."""
    X, y = data(estimator)
    changed = clone(estimator).fit(X, y)
    for name, value in (
        ("kernel", "linear"),
        ("C", 0.3),
        ("epochs", 2),
        ("penalty", 0.5),
        ("Cs", (0.5,)),
        ("loss", None),
        ("probability", True),
        ("probability", False),
    ):
        if not takes(estimator, name):
            continue
        if name == "loss":
            value = {"hinge": "squared_hinge", "absolute": "zero_one"}[estimator.loss]
        changed.set_params(**{name: value})
        params = changed.get_params(deep=False)
        exact(changed.fit(X, y), type(changed)(**params).fit(X, y), X)
    W, z = data(estimator, seed=3, n=40)
    W = W[:, :2] if not takes(estimator, "labels") else W[:, [0, 2]]
    again = clone(changed).fit(W, z)
    exact(changed.fit(W, z), again, W)
    assert sorted(vars(changed)) == sorted(vars(again))


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
@pytest.mark.parametrize("estimator", with_parameter("solver"), ids=lambda e: str(e)[:40])
def test_solvers_agree(estimator, C):
    """On scores, thresholds and grades: these belong to the function, and not to how it was found."""
    X, y = data(estimator, seed=1)
    found = []
    for solver in ("auto", "interior_point", "smo", "dual_cd", "smoothed_newton", "cutting_plane"):
        try:
            found.append(clone(estimator).set_params(C=C, solver=solver, tol=1e-8).fit(X, y))
        except ValueError as error:
            assert f"got {solver!r}" in str(error) or "C must" in str(error), error
    for one in found[1:]:
        same(one, found[0], X, atol=1e-3)
        np.testing.assert_allclose(*(getattr(of, "thresholds_", 0.0) for of in (one, found[0])), atol=1e-2)
        assert np.allclose(one.predict(X), found[0].predict(X), atol=1e-2)


@every
def test_labels_that_are_all_alike(estimator):
    X, _ = data(estimator)
    for value in (0, 1):
        alike = np.full(N, value)

        def refused(alike=alike):
            try:
                clone(estimator).fit(X, alike)
            except ValueError as error:
                assert re.search(r"\by\b|labels", str(error)), error
            else:
                raise AssertionError("accepted")

        if takes(estimator, "labels") and value == 1 and isinstance(estimator, rankmargin.RankThreshold):
            clone(estimator).fit(X, alike)  # winners first
        else:
            unless("alike", estimator, refused)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        fitted = fitted_once(estimator)[0]
        assert (
            np.isnan(fitted.score(X, np.zeros(N)))
            or is_classifier(estimator)
            or isinstance(estimator, rankmargin.RankSVR)
        )


@every
def test_rows_that_overflow_are_refused_or_have_scores(estimator):
    X, y = data(estimator)
    for scale in (1e-300, 1e-160, 1e160, 1e300):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                fitted = clone(estimator).fit(scale * X, y)
                found = told(fitted, scale * X)
            except (ValueError, FloatingPointError) as error:
                ours = not takes(estimator, "ranker")  # which tells what scikit-learn's ranker says
                assert not ours or "X" in str(error) or "finite" in str(error), error
            else:
                assert not any(np.isnan(values).any() for values in found.values()), scale


@every
def test_cross_validation_in_a_pipeline(estimator):
    """With metadata routing; without it test_path.py does the same."""
    X, y = data(estimator)
    with sklearn.config_context(enable_metadata_routing=True):
        first = rankmargin.PairTransformer(StandardScaler()) if takes(estimator, "labels") else StandardScaler()
        scores = cross_val_score(make_pipeline(first, clone(estimator)), X, y, cv=3, error_score="raise")
    assert np.isfinite(scores).all()


@pytest.mark.parametrize(
    "estimator", [one for one in ONLINE if takes(one, "prediction")], ids=lambda e: type(e).__name__
)
def test_partial_fit_promises_no_probabilities(estimator):
    X, y = data(estimator)
    likely = clone(estimator).set_params(probability=True, prediction="most_probable")
    with pytest.raises(ValueError, match="prediction must be"):
        likely.partial_fit(X, y)
    with pytest.raises(ValueError, match="prediction must be"):
        likely.fit(X, y).partial_fit(X, y)


@every
def test_targets_of_weight_0_are_not_looked_at(estimator):
    """However large they are, if y holds numbers."""
    if is_classifier(estimator) or "Ridge" in str(estimator):
        return  # grades are refused by their names, and Ridge is not ours
    X, y = data(estimator)
    weight = (np.arange(N) % 4 > 0).astype(float)
    huge = np.where(weight > 0, y, 1e300)
    one, other = (clone(estimator).fit(X, targets, sample_weight=weight) for targets in (huge, y))
    unless("weights of 0", estimator, lambda: same(one, other, X))


# Metrics


METRICS = [getattr(metrics, name) for name in metrics.__all__ if name != "get_scorer"]


def arguments(metric, seed=0, n=N):
    """Return the arguments of a metric: targets and scores, ranks or differences."""
    rng, known = np.random.default_rng(seed), inspect.signature(metric).parameters
    y = rng.integers(-1, 2, n) if metric.__name__.startswith("comparison") else rng.integers(0, 4, n)
    second = {"s": np.round(y + 1.2 * rng.standard_normal(n), 1)}
    second["ranks"] = second["predictions"] = np.clip(np.round(second["s"]), 0, 3).astype(int)
    return [y, *(second[name] for name in known if name in second)]


def value(metric, *given, **named):
    found = metric(*given, **named)
    return np.concatenate([np.ravel(part) for part in found]) if isinstance(found, tuple) else found


@pytest.mark.parametrize("metric", METRICS, ids=lambda of: of.__name__)
def test_metrics(metric):
    given, known = arguments(metric), inspect.signature(metric).parameters
    plain, rng = value(metric, *given), np.random.default_rng(1)
    rows = rng.permutation(N)
    np.testing.assert_allclose(value(metric, *(of[rows] for of in given)), plain)
    for form in (list, lambda of: pd.Series(of, index=rows), lambda of: of.astype(float), lambda of: of.astype(object)):
        np.testing.assert_allclose(value(metric, *map(form, given)), plain)
    if polars is not None:
        np.testing.assert_allclose(value(metric, *map(polars.Series, given)), plain)
    doubled = [np.concatenate([of, of]) for of in given]
    if isinstance(plain, float) and "kendall" not in metric.__name__:
        halves = {"groups": np.repeat([0, 1], N)} if "groups" in known else {}
        assert value(metric, *doubled, **halves) == pytest.approx(plain)
    if "sample_weight" in known:
        weight = rng.integers(0, 3, N)
        again = np.repeat(np.arange(N), weight)
        expected = value(metric, *(of[again] for of in given))
        assert value(metric, *given, sample_weight=weight) == pytest.approx(expected)
        assert value(metric, *given, sample_weight=np.full(N, 7.0)) == pytest.approx(
            value(metric, *(np.tile(of, 7) for of in given))
        )
        for wrong in (np.zeros(N), -np.ones(N), np.full(N, np.nan), np.ones(N - 1)):
            with pytest.raises(ValueError, match="sample_weight"):
                metric(*given, sample_weight=wrong)
        for scale in (1e-300, 1e-200, 1e200, 1e307 / N):
            assert value(metric, *given, sample_weight=scale * weight) == pytest.approx(expected, abs=0.02), scale
        if "s" in known and metric.__name__ != "ndcg":  # only one value of y weighs something
            with pytest.raises(NoPairError):
                metric(np.clip(given[0], 0, 1), given[1], sample_weight=np.clip(given[0], 0, 1) * 0.3)
    if metric.__name__ != "comparison_baseline_auc" and "log" not in metric.__name__:
        for scale in (1e-300, 1e-160, 1e160, 1e300):  # in another unit
            scaled = [given[0], scale * given[1]] if "s" in known else [scale * of for of in given]
            found = value(metric, *scaled)
            assert not np.isnan(found).any(), scale
            unit = 1.0 if np.ndim(found) else 1.0 if found == pytest.approx(plain) else scale
            assert np.ndim(found) or found == pytest.approx(unit * plain) or "comparison" in metric.__name__, scale
    if not metric.__name__.startswith("comparison") and metric is not metrics.concordance_index:
        times = np.array(list(zip(given[0] > 0, given[0])), dtype=[("event", bool), ("time", float)])
        with pytest.raises(ValueError, match="y must be numbers, got a structured array"):
            metric(times, *given[1:])
    if "until" in known:
        with pytest.raises(ValueError, match="until must be inf"):
            metric(*given, until=2.0)
    if "groups" in known:
        groups = rng.integers(0, 4, N)
        by_group = value(metric, *given, groups=groups)
        for names in (
            np.array(list("zyxw"))[groups],
            groups.astype(np.uint8),
            pd.Series(groups, index=rows),
            0.5 * groups,
        ):
            assert value(metric, *given, groups=names) == pytest.approx(by_group)
        assert value(metric, *given, groups=np.zeros(N)) == pytest.approx(plain)
        for wrong in (groups[1:], *MISSING):
            with pytest.raises(ValueError, match="groups must"):
                metric(*given, groups=wrong)
        with pytest.raises(ValueError, match="y must be a categorical with an order, got one without"):
            metric(pd.Categorical(given[0]), *given[1:])
    if not metric.__name__.startswith("comparison"):
        order = ["poor", "fair", "good", "best"]
        named = [
            pd.Categorical(np.array(order)[of], order, ordered=True) if name in ("y", "ranks") else of
            for name, of in zip(known, given)
        ]
        if metric.__name__ != "absolute_error":
            np.testing.assert_allclose(value(metric, *named), plain)
    for k, of in enumerate(given):
        strange = [np.where(np.arange(N) == 3, np.nan, of), of[1:], of[:0]]
        for wrong in strange if len(given) > 1 else strange[:1]:
            with pytest.raises(ValueError):
                metric(*given[:k], wrong, *given[k + 1 :])


# Scorers


@pytest.mark.parametrize("name", SCORERS)
@every
def test_scorers(name, estimator):
    fitted, X, y = fitted_once(estimator)
    if name in ("quadratic_kappa", "neg_mean_absolute_error") and not is_classifier(estimator):
        pytest.skip("a metric of grades")
    y = y + 1 if takes(estimator, "labels") else y - min(y.min(), 0)  # gains are >= 0
    if takes(estimator, "labels"):
        fitted = clone(estimator).set_params(labels=[0, 1, 2]).fit(X, y)
    scorer = metrics.get_scorer(name)
    plain, weight = scorer(fitted, X, y), np.arange(N) % 3
    assert np.isfinite(plain) and plain > (-1.0 if name.startswith("neg") else 0.2)
    rows = np.repeat(np.arange(N), weight)
    assert scorer(fitted, X, y, sample_weight=weight) == pytest.approx(scorer(fitted, X[rows], y[rows]))
    table, targets = next(frames(X, y))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "X has feature names")
        assert scorer(fitted, table, targets) == pytest.approx(plain, abs=1e-6)
    assert scorer(make_pipeline(fitted), X, y) == plain
    groups = np.array(list("cab"))[np.arange(N) % 3]
    inside = scorer(fitted, X, y, groups=groups)
    assert inside == pytest.approx(scorer(fitted, X, y, groups=np.arange(N) % 3))
    assert pickle.loads(pickle.dumps(scorer))(fitted, X, y) == plain
    if name == "concordance":
        with sklearn.config_context(enable_metadata_routing=True):
            assert np.isfinite(cross_val_score(clone(fitted), X, y, cv=2, scoring=scorer)).all()


@pytest.mark.parametrize(
    "estimator", [one for one in RANKERS if has_path(one) and not takes(one, "epsilon")], ids=lambda e: str(e)[:40]
)
def test_metrics_of_scikit_learn_get_groups_in_a_search(estimator):
    """Routing off: ``make_scorer`` of a metric with groups scores folds in a search as the metric itself does."""
    X, y = data(estimator)
    groups = np.arange(N) % 6
    search = rankmargin.RankSearchCV(
        estimator, Cs=(0.1,), cv=3, param_grid=None, scoring=make_scorer(metrics.kendall_tau)
    )
    assert np.isfinite(search.fit(X, y, groups=groups).best_score_)


ORDERED = [one for one in ESTIMATORS if has_fit_parameter(one, "pairs") and not takes(one, "estimator")]
ORDERED += [clone(one).set_params(kernel=kernel) for kernel in ("linear", "poly") for one in ORDERED]
ORDERED += [made(rankmargin.RankSearchCV).set_params(estimator=ORDERED[0], param_grid=None, fast=False)]


@pytest.mark.parametrize("estimator", ORDERED, ids=lambda e: str(e)[:40])
@pytest.mark.parametrize("own", [False, True], ids=["Z", "rows of X"])
def test_orderings_of_other_rows(estimator, own):
    """Forms of Z and pairs, weights against repetition, rows in no pair, another order, C_rank of 0, and refusals."""
    X, y = data(estimator)
    Z = X if own else data(estimator, seed=1, n=20)[0]
    s = Z[:, 0] - Z[:, 2]
    pairs = np.random.default_rng(2).integers(0, 20, (30, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    pairs = np.where((s[pairs[:, 0]] > s[pairs[:, 1]])[:, None], pairs, pairs[:, ::-1])

    def fit(Z=Z, pairs=pairs, of=estimator, X=X, y=y, **more):
        given = {"pairs": pairs} if own else {"Z": Z, "pairs": pairs}
        return clone(of).fit(X, y, **given, **more)

    plain = fit()
    assert np.abs(plain.predict(X) - clone(estimator).fit(X, y).predict(X)).max() > 1e-3
    for form in (list, lambda of: of.astype(np.uint8), pd.DataFrame, np.asfortranarray):
        exact(fit(pairs=form(pairs) if form is not list else pairs.tolist()), plain, X)
    frame, targets = next(frames(X, y))
    same(plain, fit(pd.DataFrame(Z, columns=frame.columns, index=np.arange(len(Z)) % 7), X=frame, y=targets), X, frame)
    order = np.random.default_rng(3).permutation(len(pairs))
    same(fit(pairs=pairs[order]), plain, X)
    if takes(estimator, "estimator"):
        return  # its weights are those of its estimator
    same(fit(csr_matrix(Z), X=csr_matrix(X)), plain, X)
    weight, times = 1.0 + np.arange(len(pairs)) % 3, 1 + np.arange(len(pairs)) % 3
    same(fit(pair_weight=weight), fit(pairs=np.repeat(pairs, times, axis=0)), X)
    rows = np.repeat(np.arange(N), 1 + np.arange(N) % 2)
    if not own:
        fixed = clone(estimator).set_params(gamma=0.3)  # the variance of repeated rows is another
        of_rows = fit(of=fixed, sample_weight=1.0 + np.arange(N) % 2)
        same(of_rows, fit(of=fixed, X=X[rows], y=y[rows]), X)
        same(fit(np.vstack([Z, Z[:5]]), of=fixed), fit(of=fixed), X)
        moved = np.random.default_rng(4).permutation(20)
        same(fit(Z[moved], np.argsort(moved)[pairs]), plain, X)
        for wrong in (Z[:, :3], np.where(Z[3, 1] == Z, np.nan, Z), np.where(Z[3, 1] == Z, np.inf, Z)):
            with pytest.raises(ValueError, match=r"Z|features|NaN|infinity"):
                fit(wrong)
    none = clone(estimator).fit(X, y)
    if own:
        same(fit(of=clone(estimator).set_params(C_rank=0.0)), none, X)
        same(fit(pairs=pairs[:0]), none, X)
    loaded = pickle.loads(pickle.dumps(plain))
    exact(loaded, plain, X)
    for part, other in zip(loaded.predict_parts(X), plain.predict_parts(X)):
        np.testing.assert_allclose(part, other, atol=1e-12)
    np.testing.assert_allclose(sum(plain.predict_parts(X)) + plain.intercept_, plain.predict(X), atol=1e-9)
    for wrong in (weight[1:], 0.0 * weight, -weight, np.full(len(pairs), np.nan)):
        with pytest.raises(ValueError, match="pair_weight must"):
            fit(pair_weight=wrong)


# Searches


SEARCHED = [one for one in ESTIMATORS if has_path(one)]
searched = pytest.mark.parametrize("estimator", SEARCHED, ids=lambda e: str(e)[:40])


def search_over(estimator, **given):
    return rankmargin.RankSearchCV(clone(estimator), **{"Cs": (0.1, 1.0), "cv": 3, "param_grid": None, **given})


@searched
def test_a_search_with_weights(estimator):
    """With the same folds, a weight of 2 is a row given twice and one of 0 a row left out; and whole rows do not depend
    on their order."""
    X, y = data(estimator)
    weight, part = (np.arange(N) % 3).astype(float), np.arange(N) // 3 % 3
    rows = np.repeat(np.arange(N), np.arange(N) % 3)

    def folds(parts):
        return [(np.flatnonzero(parts != k), np.flatnonzero(parts == k)) for k in range(3)]

    options = {"Cs": (0.2, 1.0), "scale": False, "fast": False}
    order = np.random.default_rng(1).permutation(N)
    plain = search_over(estimator, cv=folds(part), **options)
    for crossing, at, given in (("repeated rows", rows, {"sample_weight": weight}), ("permuted rows", order, {})):
        if type(estimator).__name__ not in EXCEPTIONS[crossing]:
            one = clone(plain).fit(X, y, **given)
            other = search_over(estimator, cv=folds(part[at]), **options).fit(X[at], y[at])
            means = [search.cv_results_["mean_test_score"] for search in (one, other)]
            np.testing.assert_allclose(*means, atol=0.02, err_msg=crossing)


@searched
@pytest.mark.parametrize("scale", [True, False])
def test_a_search_has_the_methods_of_its_estimator(estimator, scale):
    """So averages, thresholds and scorers treat it as they treat its estimator."""
    X, y = data(estimator)
    C = 2.0 if isinstance(estimator, rankmargin.SumOfMarginsSVM) else 1.0
    search = search_over(estimator, Cs=[C], scale=scale).fit(X, y)
    for name in ("score_samples", "decision_function", "predict_proba", "predict"):
        assert hasattr(search, name) == hasattr(search_over(estimator), name) == hasattr(estimator, name)
    groups = np.arange(N) % 6
    for own, one in ((estimator, search_over(estimator, Cs=[C], scale=False)), (search, clone(search))):
        own = clone(own).set_params(C=C) if takes(own, "C") else own
        average = [rankmargin.RankAverage([("one", of), ("other", Ridge())]).fit(X, y) for of in (own, one)]
        np.testing.assert_allclose(*(of.predict(X) for of in average), atol=0.02)
        assert np.isfinite(rankmargin.metrics.get_scorer("concordance")(one.fit(X, y), X, y))
    assert np.isfinite(search.score(X, y, groups=groups))
    if not is_classifier(estimator):
        graded = rankmargin.ThresholdedRanker(clone(search)).fit(X, np.digitize(y, [-0.5, 0.5]))
        assert graded.score_samples(X).shape == (N,)


@searched
def test_a_search_refuses_before_any_fit(estimator, monkeypatch):
    """Groups, folds and targets that leave nothing to learn or to compare, in words about what was given."""
    X, y = data(estimator)
    monkeypatch.setattr("rankmargin.estimators.race.rank_path", lambda *given, **named: pytest.fail("a fit began"))
    groups, labels, alike = np.arange(N) % 5, takes(estimator, "labels"), y[[0] * N]
    one_of_each = np.unique(y, return_index=True)[1][:2]
    missing = np.full(N, np.nan)
    refused = [
        ({"groups": groups[1:]}, f"groups must name the group of each of the {N} rows, got {N - 1} names"),
        ({"groups": [N // 2, N // 2]}, f"groups must name the group of each of the {N} rows, got 2 sizes that sum"),
        ({"groups": "query"}, r"groups must be a 1d array with the group of each row, got shape \(\)"),
        ({"groups": np.where(groups == 3, np.nan, groups)}, "groups must name the group of each row, got nan at row 3"),
        ({"groups": groups * 0}, "groups must be at least two, because each is whole in a fold, got 1"),
        ({"cv": 1}, "cv must be None, a whole number >= 2, a splitter or a list of splits, got 1"),
        ({"cv": "five"}, "cv must be None, a whole number >= 2, .* got 'five'"),
        ({"cv": N + 1}, f"cv must be at most the number of rows, got {N + 1} folds of {N} rows"),
        ({"y": alike}, rf"y must hold at least two distinct values, got {y[0].item()!r} for all rows \(n_samples={N}"),
        ({"sample_weight": (y == y[0]).astype(float)}, f"two distinct values, got {y[0].item()!r} for all rows"),
        (
            {"y": missing},
            "y must hold labels.*, got nan" if labels else f"Input y contains NaN: {N} of {N} targets are",
        ),
        ({"rows": [], "y": y[:0]}, "y must hold at least two distinct values, got no row"),
        ({"rows": one_of_each, "cv": 5}, "cv must be at most the number of rows, got 5 folds of 2 rows"),
        (
            {"rows": one_of_each, "cv": 2},
            "cv must leave two distinct values of y in the .* part of some fold, got 2 folds",
        ),
    ]
    for given, message in refused:
        rows = np.array(given.pop("rows", np.arange(N)), dtype=int)
        cv, targets = given.pop("cv", 3), given.pop("y", y[rows])
        with warnings.catch_warnings(), pytest.raises(ValueError, match=message):
            warnings.simplefilter("ignore", HintWarning)
            search_over(estimator, cv=cv).fit(X[rows], targets, **given)


@pytest.mark.parametrize("estimator", [one for one in SEARCHED if is_classifier(one)], ids=lambda e: str(e)[:40])
def test_a_search_with_few_rows_of_each_label(estimator):
    """Folds that cannot be stratified are not, with a warning; empty ones and those without a tie are left out."""
    X, y = data(estimator)
    rows = np.concatenate([np.flatnonzero(y == label)[:4] for label in np.unique(y)])
    C = (2.0,) if isinstance(estimator, rankmargin.SumOfMarginsSVM) else (1.0,)
    with pytest.warns(HintWarning, match="no grade has 5 rows"):
        assert np.isfinite(search_over(estimator, cv=5, Cs=C).fit(X[rows], y[rows]).best_score_)
    if takes(estimator, "labels"):
        names = np.random.default_rng(0).integers(0, 9, (N, 2))
        search = search_over(estimator, cv=rankmargin.ItemKFold(5, random_state=0), scoring="accuracy")
        assert np.isfinite(search.fit(X, y, groups=names).best_score_)
    if takes(estimator, "n_bins"):
        binned = clone(estimator).set_params(n_bins=3)
        assert np.isfinite(search_over(binned, cv=5, Cs=C).fit(X, np.argsort(np.argsort(X[:, 0]))).best_score_)


@pytest.mark.parametrize("estimator", [one for one in SEARCHED if takes(one, "probability")], ids=lambda e: str(e)[:40])
def test_folds_fit_no_probabilities_that_no_one_reads(estimator, monkeypatch):
    counted = []
    own = type(estimator)
    name = "_fit_probabilities" if takes(estimator, "labels") else "_fit_link"
    fit = getattr(own, name)
    monkeypatch.setattr(own, name, lambda self, *given: [counted.append(1), fit(self, *given)][1])
    X, y = data(estimator)
    C = (2.0,) if isinstance(estimator, rankmargin.SumOfMarginsSVM) else (1.0,)
    likely = clone(estimator).set_params(probability=True)
    assert search_over(likely, Cs=C).fit(X, y).predict_proba(X).shape == (N, 3)
    assert len(counted) == 1
    search_over(likely, Cs=C, scoring="neg_log_loss").fit(X, y)
    assert len(counted) == 1 + 3 + 1


@searched
@pytest.mark.parametrize("form", [lambda rows: np.isin(np.arange(N), rows), np.ndarray.tolist, lambda rows: rows - N])
def test_folds_in_any_form(estimator, form):
    """Masks, lists and numbers from the end, also with pairs of rows and in an average."""
    X, y = data(estimator)
    rows, C = np.arange(N), (2.0,) if isinstance(estimator, rankmargin.SumOfMarginsSVM) else (1.0,)
    folds = [(rows[rows % 3 != k], rows[rows % 3 == k]) for k in range(3)]
    formed = [tuple(map(form, fold)) for fold in folds]
    given = {"sample_weight": 1.0 + rows % 2}
    given |= {"pairs": [[0, 1], [4, 9], [20, 33]]} if has_fit_parameter(estimator, "pairs") else {}
    one, other = (search_over(estimator, Cs=C, cv=cv).fit(X, y, **given) for cv in (folds, formed))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"])
    members = [("svm", estimator), ("ridge", Ridge())]
    one, other = (rankmargin.RankAverage(members, "cv", cv=cv).fit(X, y) for cv in (folds, formed))
    np.testing.assert_array_equal(one.weights_, other.weights_)


@searched
def test_a_path_is_its_fits(estimator):
    X, y = data(estimator)
    Cs = (2.0, 3.0) if isinstance(estimator, rankmargin.SumOfMarginsSVM) else (0.1, 1.0)
    weight = np.arange(N) % 3
    frame = next(frames(X, y))
    for (table, targets), given in (((X, y), {"sample_weight": weight}), (frame, {})):
        for C, one in zip(Cs, rankmargin.rank_path(estimator, table, targets, Cs=Cs, **given)):
            same(clone(estimator).set_params(C=C).fit(table, targets, **given), one, table)
            assert not hasattr(one, "feature_names_in_") or list(one.feature_names_in_) == list(frame[0].columns)


@pytest.mark.parametrize("ranker", IN_GROUPS, ids=lambda e: str(e)[:40])
def test_groups_reach_a_ranker_in_a_pipeline(ranker):
    """Of a ThresholdedRanker, by their own name and by that with the step's."""
    X, y = data(rankmargin.ThresholdedRanker(ranker))
    groups = np.arange(N) % 6
    inside = rankmargin.ThresholdedRanker(ranker).fit(X, y, groups=groups)
    piped = rankmargin.ThresholdedRanker(Pipeline([("same", FunctionTransformer()), ("own", ranker)]))
    for name in ("groups", "own__groups"):
        exact(clone(piped).fit(X, y, **{name: groups}), inside, X)
    with pytest.raises(AssertionError):
        exact(clone(piped).fit(X, y), inside, X)


@every
def test_members_of_an_average_are_those_with_scores(estimator):
    X, y = data(estimator)
    average = rankmargin.RankAverage([("one", clone(estimator)), ("other", Ridge())])
    assert np.isfinite(average.fit(X, y).predict(X)).all()
    for odd in (LogisticRegression(), make_pipeline(StandardScaler(), SVC()), KMeans(2), StandardScaler(), 3, None):
        with pytest.raises(ValueError, match=r"estimators must be regressors or have score_samples, .*'odd'"):
            rankmargin.RankAverage([("one", clone(estimator)), ("odd", odd)]).fit(X, y)


@pytest.mark.parametrize("scale", [1.0, 0.0])
@pytest.mark.parametrize("ranker", [rankmargin.SwappedPairsSVM(tol=1e-8), Ridge()], ids=lambda e: type(e).__name__)
def test_weights_reach_a_ranker_in_a_pipeline(ranker, scale):
    """Of a ThresholdedRanker and of a RankAverage, where scikit-learn's pipeline wants the name of its step."""
    X, y = data(rankmargin.ThresholdedRanker(Ridge()))
    weight = np.where(np.arange(N) % 4 > 0, 1.0 + np.arange(N) % 3, scale)
    piped = Pipeline([("same", FunctionTransformer()), ("ranker", ranker)])
    plain, wrapped = (rankmargin.ThresholdedRanker(one).fit(X, y, sample_weight=weight) for one in (ranker, piped))
    exact(plain, wrapped, X)
    plain, wrapped = (rankmargin.RankAverage([("one", one)]).fit(X, y, sample_weight=weight) for one in (ranker, piped))
    exact(plain, wrapped, X)


# Displays


DISPLAYS = [
    of
    for of in (getattr(inspection, name) for name in inspection.__all__)
    if "X" in inspect.signature(getattr(of, "from_estimator", len)).parameters
]


def drawn(display):
    """Return the numbers that a display holds."""
    held = {name: of for name, of in vars(display).items() if isinstance(of, np.ndarray) and of.dtype.kind in "biuf"}
    pyplot.close("all")
    return held


FIRST = [family[0] for family in (ORDINAL, ON_PAIRS, RANKERS)]
DRAWN = [  # every display of an estimator of each family, and every estimator in one display
    (display, estimator)
    for k, estimator in enumerate(ESTIMATORS)
    for j, display in enumerate(DISPLAYS)
    if any(estimator is one for one in FIRST) or j == k % len(DISPLAYS)
]


@pytest.mark.parametrize(("display", "estimator"), DRAWN, ids=lambda of: getattr(of, "__name__", str(of)[:40]))
def test_displays(display, estimator):
    fitted, X, y = fitted_once(estimator)
    options = (
        {"train_sizes": [0.5, 1.0], "cv": 2} if "cv" in inspect.signature(display.from_estimator).parameters else {}
    )
    refits = bool(options)
    plain = drawn(display.from_estimator(fitted, X, y, **options))
    assert plain
    table, targets = next(frames(X, y))
    other = clone(estimator) if refits else clone(estimator).fit(table, targets)
    for name, values in drawn(display.from_estimator(other, table, targets, **options)).items():
        np.testing.assert_allclose(values, plain[name], atol=1e-2 * max(1.0, np.nanmax(np.abs(plain[name]))))
    if not refits:
        piped = drawn(display.from_estimator(make_pipeline(fitted), X, y))
        assert piped.keys() == plain.keys()
        for name, values in piped.items():
            np.testing.assert_array_equal(values, plain[name])
    if takes(estimator, "categories"):
        names = ["low", "mid", "high"]
        named = clone(estimator).set_params(categories=names)
        named = named if refits else named.fit(X, np.array(names)[y])
        for name, values in drawn(display.from_estimator(named, X, np.array(names)[y], **options)).items():
            np.testing.assert_allclose(values, plain[name], atol=1e-9)
    if not refits and not is_classifier(estimator):
        small = drawn(display.from_estimator(fitted, X, 1e-9 * y))
        for name, values in small.items():  # targets in another unit: distances too
            unit = 1e-9 if name in ("y", "edges") else 1.0
            np.testing.assert_allclose(values, unit * plain[name], rtol=1e-9)


# Parts for pairs, summaries and tables


def test_stack_pairs():
    """Arrays, frames and lists of any values: an imputer or an encoder comes later."""
    for items in (
        np.array([[1.0, np.nan], [2.0, 3.0], [np.nan, 4.0]]),
        np.array([["a", "b"], ["c", "d"], ["a", "d"]]),
        np.array([["a", 1.0], [None, 2.0], ["b", np.nan]], dtype=object),
    ):
        rows = np.array([[0, 1], [2, 0], [1, 2]])
        pairs = rankmargin.stack_pairs(items, rows=rows)
        expected = pd.DataFrame(np.hstack([items[rows[:, 0]], items[rows[:, 1]]]))
        pd.testing.assert_frame_equal(pd.DataFrame(pairs), expected, check_dtype=False)
        same_pairs = rankmargin.stack_pairs(items[rows[:, 0]], items[rows[:, 1]])
        pd.testing.assert_frame_equal(pd.DataFrame(same_pairs), expected, check_dtype=False)
        framed = rankmargin.stack_pairs(pd.DataFrame(items, columns=["p", "q"]), rows=rows)
        assert framed.shape == pairs.shape
        if items.dtype.kind == "f":
            filled = rankmargin.PairTransformer(SimpleImputer()).fit_transform(pairs)
            assert np.isfinite(filled).all()
            np.testing.assert_array_equal(
                rankmargin.PairTransformer(SimpleImputer()).fit(pairs).transform(framed.values), filled
            )


@every
def test_summaries(estimator):
    fitted = fitted_once(estimator)[0]
    if isinstance(fitted, rankmargin.ThresholdedRanker):
        fitted = clone(fitted).set_params(ranker=rankmargin.SwappedPairsSVM()).fit(*data(estimator))
    said = inspection.summary(fitted)
    assert str(said) and (said.n_rows in (None, N) or takes(estimator, "labels"))
    assert str(inspection.summary(make_pipeline(fitted))) == str(said)
    assert str(inspection.summary(pickle.loads(pickle.dumps(fitted)))) == str(said)


@every
def test_parameters_of_inner_estimators(estimator):
    """``get_params`` names them and ``set_params`` changes them, in a copy."""
    deep = estimator.get_params(deep=True)
    for name, value in deep.items():
        if name.endswith(("__C", "__alpha")):
            changed = clone(estimator).set_params(**{name: 7.0})
            assert changed.get_params()[name] == 7.0 and estimator.get_params()[name] == value
    if takes(estimator, "estimators") or takes(estimator, "ranker"):
        assert any(name.endswith(("__C", "__alpha")) for name in deep)


TABLES = [significance.t_test, significance.signed_rank_test, significance.adjusted]
TABLES += [significance.average_ranks, significance.friedman, significance.nemenyi]


@pytest.mark.parametrize("test", TABLES, ids=lambda of: of.__name__)
def test_significance(test):
    """Frames and lists, data sets in another order, and values in another unit."""
    rng = np.random.default_rng(0)
    given = rng.random((12, 4)) + 0.2 * np.arange(4)
    if test in TABLES[:3]:
        given = given[:, 0] / 3
    plain = np.asarray(test(given))
    rows = rng.permutation(12)
    shuffled = np.asarray(test(given[rows]))
    np.testing.assert_allclose(shuffled, plain[rows] if test is significance.adjusted else plain)
    framed = pd.Series if given.ndim == 1 else pd.DataFrame
    for form in (framed, np.asfortranarray, lambda of: framed(of, index=np.arange(12)[::-1])):
        np.testing.assert_allclose(np.asarray(test(form(given))), plain)
    if test is not significance.adjusted:  # whose values are probabilities
        for scale in (1e-9, 1e9):
            found = np.asarray(test(scale * given))
            np.testing.assert_allclose(found[-2:], plain[-2:], rtol=1e-6)
    if given.ndim == 2:
        methods = rng.permutation(4)
        drawn_of = inspection.CriticalDifferenceDisplay.from_table
        one, other = drawn_of(pd.DataFrame(given, columns=list("abcd"))), drawn_of(given[:, methods])
        pyplot.close("all")
        np.testing.assert_allclose(other.average_ranks, np.asarray(one.average_ranks)[methods])
        assert one.names == list("abcd") and one.bars() == other.bars()


@pytest.mark.parametrize("loss", ["absolute", "zero_one"])
def test_cut_points(loss):
    """Weights, another order of rows, other units of scores and weights."""
    rng = np.random.default_rng(0)
    s, weight = np.round(rng.standard_normal(N), 1), rng.integers(0, 3, N)
    rank = np.clip(np.round(s + 0.5 * rng.standard_normal(N)) + 1, 0, 2).astype(int)
    weighted = best_cut_points(s, rank, 3, loss, weight)
    rows, order = np.repeat(np.arange(N), weight), rng.permutation(N)
    np.testing.assert_array_equal(best_cut_points(s[rows], rank[rows], 3, loss), weighted)
    np.testing.assert_array_equal(best_cut_points(s[order], rank[order], 3, loss, weight[order]), weighted)
    np.testing.assert_allclose(best_cut_points(1e100 * s, rank, 3, loss, 1e100 * weight), 1e100 * weighted)
    for form in (list, pd.Series):
        np.testing.assert_array_equal(best_cut_points(form(s), form(rank), 3, loss, form(weight)), weighted)


@searched
def test_displays_of_searches(estimator):
    X, y = data(estimator)
    for Cs in ((0.1, 1.0), (2.0, 3.0)):  # of the last two, a sum of margins starts at its optimum
        display = inspection.SearchDisplay.from_estimator(search_over(estimator, Cs=Cs).fit(X, y))
        pyplot.close("all")
        assert display.scores.shape == (1, 2, 3) and np.isfinite(display.scores).all()


# Samplers of pairs


@pytest.mark.parametrize("sampler", sampling.SAMPLERS.values(), ids=sampling.SAMPLERS)
@pytest.mark.parametrize(
    "kernel",
    [
        {"kernel": "linear"},
        {"kernel": "rbf", "gamma": 0.5},
        {"kernel": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0},
    ],
    ids=lambda k: k["kernel"],
)
def test_samplers(sampler, kernel):
    rng = np.random.default_rng(0)
    Z, order = rng.standard_normal((40, 3)), rng.permutation(40).astype(float)
    plain = sampler(Z, 9, order, kernel, 3)
    assert plain.shape == (9, 2) and plain.dtype.kind == "i" and len(np.unique(plain, axis=0)) == 9
    assert np.all(order[plain[:, 0]] > order[plain[:, 1]])
    for other in (order.tolist(), pd.Series(order, index=order), 1e-9 * order, order.astype(np.uint8), order - 1e6):
        np.testing.assert_array_equal(sampler(Z, 9, other, kernel, np.random.default_rng(3)), plain)
    np.testing.assert_array_equal(sampler(np.asfortranarray(Z), np.int64(9), order, kernel, 3), plain)
    framed = [pd.DataFrame(Z, index=order)] + ([] if polars is None else [polars.DataFrame(Z)])
    for table in framed:
        np.testing.assert_array_equal(sampler(table, 9, order, kernel, 3), plain)
    unknown = np.where(np.arange(40) % 2, np.nan, order)
    assert np.all(sampler(Z, 5, unknown, kernel, 3) % 2 == 0)
    ties = np.arange(40) % 2
    assert np.all(ties[sampler(Z, 5, ties, kernel, 3)] == [1, 0])


# Ratings


SYSTEMS = [
    of
    for of in vars(ratings).values()
    if inspect.isfunction(of) and "start" in inspect.signature(of).parameters and not of.__name__.startswith("_")
]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda of: of.__name__)
def test_ratings(system):
    rng = np.random.default_rng(0)
    white = rng.integers(0, 7, 80)
    black = (white + rng.integers(1, 7, 80)) % 7
    score, periods = rng.choice([0.0, 0.5, 1.0], 80), np.sort(rng.integers(0, 9, 80))
    start = ratings.Ratings.start(np.arange(7), np.arange(1400.0, 1540.0, 20.0), 150.0)
    plain = system(white, black, score, periods, start=start)
    for form in (list, lambda of: pd.Series(of, index=np.arange(80)[::-1]), lambda of: of.astype(np.float32)):
        rated = system(
            form(white), form(black), form(score), form(periods.astype(int)) if form is list else periods, start=start
        )
        np.testing.assert_array_equal(rated.ratings.rating, plain.ratings.rating)
    order, names = rng.permutation(7), np.array(list("qwertyu"))
    shuffled = ratings.Ratings.start(names[order], start.rating[order], 150.0)
    rated = system(names[white], names[black], score, periods, start=shuffled).ratings
    for column in ("rating", "deviation", "games", "last"):
        np.testing.assert_array_equal(getattr(rated, column), getattr(plain.ratings, column)[order])
    again = system(white, black, score, periods + 9, start=pickle.loads(pickle.dumps(plain.ratings))).ratings
    np.testing.assert_array_equal(
        again.rating, system(white, black, score, periods + 9, start=plain.ratings).ratings.rating
    )
    draws = system(white, black, np.full(80, 0.5), start=ratings.Ratings.start(np.arange(7), 1500.0, 100.0)).ratings
    np.testing.assert_array_equal(draws.rating, 1500.0)
    known = inspect.signature(system).parameters
    numbers = [name for name, of in known.items() if type(of.default) is float] + ["k"] * ("k" in known)
    for name in numbers:
        for strange in (np.nan, np.inf, -np.inf):
            with pytest.raises(ValueError, match=f"{name} must"):
                system(white, black, score, periods, start=start, **{name: strange})


def test_everything_public_is_crossed():
    assert len(CLASSES) >= 14 and len(METRICS) >= 17 and len(DISPLAYS) >= 4 and len(SYSTEMS) >= 2
    assert {*map(id, ORDINAL), *map(id, ON_PAIRS), *map(id, RANKERS)} | {
        id(one) for one in ESTIMATORS if takes(one, "estimator")
    } == {*map(id, ESTIMATORS)}
