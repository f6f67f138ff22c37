"""RankSearchCV crossed with forms of what it is given, with folds that say nothing, its grid and its limits of time."""

import time
from functools import partial

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from crossed import same
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.decomposition import PCA
from sklearn.exceptions import DataConversionWarning, UndefinedMetricWarning
from sklearn.gaussian_process.kernels import RBF
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, PredefinedSplit
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from rankmargin import (
    SVOR,
    ComparisonSVM,
    PairTransformer,
    RankAverage,
    RankSearchCV,
    RankSVR,
    RankThreshold,
    SwappedPairsSVM,
    metrics,
)
from rankmargin.inspection import summary
from rankmargin.problem.rows.pairs import NoPairError
from rankmargin.search import search as search_module
from rankmargin.search.inputs import _correlations
from rankmargin.search.race import Race

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3))
Y = X[:, 0] + X[:, 1] ** 2 + 0.1 * RNG.standard_normal(60)
ROWS, GROUPS, GRADES = np.arange(60), np.arange(60) % 6, np.digitize(Y, [-0.5, 0.5, 1.5])
EVENT = ROWS % 3 > 0
PAIRS = RNG.standard_normal((60, 4))
LABELS = np.sign(PAIRS[:, 0] - PAIRS[:, 2]) * (abs(PAIRS[:, 0] - PAIRS[:, 2]) > 0.5)
FRAME = pd.DataFrame(X, columns=list("abc"))


def search(estimator=None, **given):
    return RankSearchCV(estimator, **{"Cs": [1.0], "cv": 2, **given})


def means(found):
    return found.cv_results_["mean_test_score"]


# What is said in one way and in another: (search, rows, targets, more of fit)

DAYS = np.datetime64("2020-01-01") + ROWS[:, None] % 30
TIED = np.column_stack([RNG.integers(1, 20, 60) * 0.1, RNG.integers(0, 5, 60) * 0.1, ROWS % 9])
OF_TIES = np.sin(3 * TIED[:, 0]) + 3 * TIED[:, 1] + 0.1 * RNG.standard_normal(60)
OF_TIED = search(SwappedPairsSVM(tol=1e-8), Cs=[100.0], cv=3, param_grid={"kernel": ["rbf"], "gamma": [0.3]})
TIED_FRAME = pd.DataFrame(TIED, columns=list("abc")).astype({"c": int})
HALF = X.astype(np.float16)
TWICE = sparse.csr_matrix(  # each entry is the sum of two
    (np.column_stack([X - 4.0, np.full_like(X, 4.0)]).ravel(), np.tile(np.r_[:3, :3], 60), np.arange(0, 361, 6)),
    shape=X.shape,
)
MIXED = PAIRS[:, [0, 2, 1, 3]]
HOME_AWAY = pd.DataFrame(MIXED, columns=["a_home", "a_away", "b_home", "b_away"])
OF_TYPES = pl.DataFrame({"p_a": ROWS, "q_a": PAIRS[:, 1].astype(np.float32), "p_b": PAIRS[:, 2], "q_b": LABELS > 0})
GAMMAS = {"swappedpairssvm__gamma": [0.001, 0.3, 100.0]}
CATEGORIES = pd.Series(pd.Categorical.from_codes(GRADES, categories=list("dcba"), ordered=True))
PIPELINE = make_pipeline(StandardScaler(), SwappedPairsSVM())
ORDERED = {"pairs": [[0, 1], [2, 5]]}
SAME = {
    "entries at one place": [(search(), sparse.csr_matrix(X), Y, {}), (search(), TWICE, Y, {})],
    "entries at one place, unscaled": [
        (search(scale=False), sparse.csr_matrix(X), Y, {}),
        (search(scale=False), TWICE, Y, {}),
    ],
    "names of columns that are numbers": [
        (search(ComparisonSVM()), PAIRS, LABELS, {}),
        (search(ComparisonSVM()), pd.DataFrame(PAIRS, columns=[5, 3, 8, 1]), LABELS, {}),
    ],
    "names of columns in two levels": [
        (search(ComparisonSVM()), PAIRS, LABELS, {}),
        (
            search(ComparisonSVM()),
            pd.DataFrame(PAIRS, columns=pd.MultiIndex.from_product([list("ab"), [0, 1]])),
            LABELS,
            {},
        ),
    ],
    "names of columns that a frame has for itself": [
        (search(), X, Y, {}),
        (search(), FRAME.set_axis(["dtype", "shape", "values"], axis=1), Y, {}),
    ],
    "different types in both items": [
        (search(ComparisonSVM(), param_grid="auto"), OF_TYPES.to_pandas().astype(float), LABELS, {}),
        (search(ComparisonSVM(), param_grid="auto"), OF_TYPES, LABELS, {}),
    ],
    "pairs as a block": [
        (search(ComparisonSVM()), PAIRS, LABELS, {}),
        (search(ComparisonSVM()), PAIRS.reshape(60, 2, 2), LABELS, {}),
    ],
    "pairs as a block, unscaled": [
        (search(ComparisonSVM(), scale=False), PAIRS, LABELS, {}),
        (search(ComparisonSVM(), scale=False), PAIRS.reshape(60, 2, 2), LABELS, {}),
    ],
    "items by the numbers of columns": [
        (search(ComparisonSVM()), PAIRS, LABELS, {}),
        (search(ComparisonSVM(items=([0, 2], [1, 3]))), MIXED, LABELS, {}),
    ],
    "items by the ends of names": [
        (search(ComparisonSVM()), PAIRS, LABELS, {}),
        (search(ComparisonSVM(items=("_home", "_away"))), HOME_AWAY, LABELS, {}),
    ],
    "items by names": [
        (search(ComparisonSVM()), PAIRS, LABELS, {}),
        (search(ComparisonSVM(items=(["a_home", "b_home"], ["a_away", "b_away"]))), HOME_AWAY, LABELS, {}),
    ],
    "values of gamma of unscaled items": [
        (search(ComparisonSVM(), scale=False), PAIRS, LABELS, {}),
        (search(ComparisonSVM(items=([0, 2], [1, 3])), scale=False), MIXED, LABELS, {}),
    ],
    "a pipeline in a pipeline": [
        (search(PIPELINE), X * [1000.0, 1.0, 0.001], Y, {}),
        (search(make_pipeline(PIPELINE)), X * [1000.0, 1.0, 0.001], Y, {}),
    ],
    "an estimator in the grid": [
        (search(PIPELINE, param_grid=GAMMAS, fast=False), X, Y, {}),
        (search(PIPELINE, param_grid={"swappedpairssvm": [SwappedPairsSVM()], **GAMMAS}, fast=False), X, Y, {}),
    ],
    "rows of orderings as lists": [
        (search(RankSVR()), X, Y, {"Z": X[:9], **ORDERED}),
        (search(RankSVR()), X, Y, {"Z": X[:9].tolist(), **ORDERED}),
    ],
    "sparse rows of orderings": [
        (search(RankSVR()), X, Y, {"Z": X[:9], **ORDERED}),
        (search(RankSVR()), X, Y, {"Z": sparse.csr_array(X[:9]), **ORDERED}),
    ],
    "dates": [(search(), DAYS.astype(float), Y, {}), (search(), DAYS, Y, {})],
    "dates in seconds": [(search(), DAYS.astype(float), Y, {}), (search(), DAYS.astype("M8[s]"), Y, {})],
    "other units and origins": [(search(), X, Y, {}), (search(), 1000.0 * X + 5.0, Y, {})],
    "half precision": [(search(), HALF.astype(float), Y, {}), (search(), HALF, Y, {})],
    "ties in single precision": [
        (OF_TIED, TIED_FRAME, OF_TIES, {}),
        (OF_TIED, TIED_FRAME.astype("float32"), OF_TIES, {}),
    ],
    "ties of one column in single precision": [
        (OF_TIED, TIED_FRAME, OF_TIES, {}),
        (OF_TIED, TIED_FRAME.astype({"a": "float32"}), OF_TIES, {}),
    ],
    "grades of a categorical": [(search(), X, GRADES, {}), (search(), X, CATEGORIES, {})],
    "grades of a categorical with events": [
        (search(param_grid={"kernel": ["linear"]}), X, GRADES, {"event": EVENT}),
        (search(param_grid={"kernel": ["linear"]}), X, CATEGORIES, {"event": EVENT}),
    ],
}


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_what_is_said_in_two_ways_is_found_once(one, other):
    found, expected = (clone(of).fit(rows, y, **more) for of, rows, y, more in (one, other))
    assert found.best_index_ == expected.best_index_
    np.testing.assert_allclose(means(found), means(expected), atol=1e-9)
    same(found, expected, one[1], other[1], atol=1e-4)
    if len(one[3]) < 2:
        assert found.score(one[1], one[2], **one[3]) == pytest.approx(expected.score(other[1], other[2], **other[3]))


def test_a_matrix_of_the_caller_stays_as_it_is():
    assert not TWICE.has_canonical_format and abs(TWICE - sparse.csr_matrix(X)).max() < 1e-14


@pytest.mark.parametrize("form", ["pandas", "polars"])
def test_frames_as_output_of_transformers_change_nothing(form):
    cases = [(None, X, Y), (None, sparse.csr_matrix(X), Y), (ComparisonSVM(), PAIRS, LABELS)]
    for estimator, rows, targets in (*cases, (ComparisonSVM(), sparse.csr_matrix(PAIRS), LABELS)):
        plain = search(estimator).fit(rows, targets).score_samples(rows)
        with config_context(transform_output=form):
            np.testing.assert_allclose(search(estimator).fit(rows, targets).score_samples(rows), plain)


def test_a_search_runs_with_every_backend_of_joblib():
    made = partial(search, cv=2, param_grid={"kernel": ["linear"]})
    expected = made().fit(X, Y).best_score_
    for backend in ("threading", "multiprocessing", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert made().fit(X, Y).best_score_ == expected


def test_a_column_of_targets_is_said_once():
    with pytest.warns(DataConversionWarning) as told:
        column = search(param_grid={"kernel": ["linear"]}).fit(X, Y[:, None])
    assert len(told) == 1
    same(column, search(param_grid={"kernel": ["linear"]}).fit(X, Y), X)


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.float16])
def test_a_limit_of_seconds_is_a_float(kind):
    """The clock has more digits than single precision: a search ended before its first fit."""
    assert np.isfinite(means(search(max_seconds=kind(600), param_grid={"kernel": ["linear"]}).fit(X, Y))).all()


@pytest.mark.parametrize("columns", [range(4), pd.MultiIndex.from_product([list("ab"), [0, 1]])])
def test_names_of_columns_that_are_no_texts_do_not_tear_pairs_apart(columns):
    frame = pd.DataFrame(PAIRS, columns=columns)
    learned = PairTransformer(SimpleImputer()).fit(frame)
    np.testing.assert_allclose(learned.transformer_.statistics_, PAIRS.reshape(60, 2, 2).mean(axis=(0, 1)))
    np.testing.assert_array_equal(learned.transform(frame), PAIRS)


def test_events_keep_the_order_of_a_categorical():
    told = [metrics.concordance_index(of, X[:, 0], event=EVENT) for of in (CATEGORIES, GRADES)]
    assert told[0] == told[1]
    timed = SwappedPairsSVM().fit(X, CATEGORIES, event=np.ones(60, dtype=bool))
    np.testing.assert_array_equal(timed.predict(X), SwappedPairsSVM().fit(X, GRADES).predict(X))


# Folds that say nothing

IDLE = {  # rows to learn from, rows to judge
    "no row to learn from": (ROWS[:0], ROWS[20:]),
    "no row to judge": (ROWS[20:], ROWS[:0]),
    "one target, or no weight, to learn from": (ROWS[:20], ROWS[20:]),
    "one target, or no weight, to judge": (ROWS[20:], ROWS[:20]),
}
USEFUL = [(ROWS[20::2], ROWS[21::2]), (ROWS[21::2], ROWS[20::2])]
JUDGED = {
    "search": partial(search, SwappedPairsSVM(kernel="linear"), Cs=[0.1, 1.0], fast=False),
    "average": partial(RankAverage, [("svm", SwappedPairsSVM(kernel="linear")), ("line", LinearRegression())], "cv"),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fold", IDLE.values(), ids=IDLE)
@pytest.mark.parametrize("made", JUDGED.values(), ids=JUDGED)
def test_a_fold_that_says_nothing_is_left_out_and_refused_alone(made, fold, weighted):
    y, given = (Y, {"sample_weight": 1.0 * (ROWS >= 20)}) if weighted else (np.where(ROWS < 20, 0.0, Y), {})
    found, expected = (made(cv=cv).fit(X, y, **given) for cv in ([fold, *USEFUL], USEFUL))
    if isinstance(found, RankSearchCV):
        np.testing.assert_allclose(means(found), means(expected))
    else:
        np.testing.assert_array_equal(found.weights_, expected.weights_)
    with pytest.raises(NoPairError):
        made(cv=[fold]).fit(X, y, **given)


def test_folds_without_a_pair_are_counted_once():
    with pytest.warns(UndefinedMetricWarning, match="4 of 5 folds have no pair to compare: they do not count") as told:
        RankSearchCV().fit(X[:6], Y[:6])
    assert len(told) == 1


@pytest.mark.parametrize("scoring", ["r2", "neg_mean_squared_error"])
def test_a_test_part_that_weighs_nothing_is_left_out(scoring):
    weight = np.where(GROUPS < 1, 0.0, 1.0)
    found = search(RankSVR(), scoring=scoring, cv=LeaveOneGroupOut(), param_grid=None)
    found.fit(X, Y, groups=GROUPS, sample_weight=weight)
    assert np.isnan(found.cv_results_["split0_test_score"]).all() and np.isfinite(found.best_score_)


def test_a_scorer_without_weights_scores_rows_that_weigh_nothing():
    weight, cv = np.where(ROWS < 12, 0.0, 1.0), [(ROWS[12:], ROWS[:12])]
    own = search(scoring=lambda one, rows, y: one.score(rows, y), cv=cv, param_grid=None)
    own.fit(X, Y, sample_weight=weight)
    assert np.isfinite(own.best_score_)
    with pytest.raises(NoPairError, match="sample_weight is 0 for all rows of a test part"):
        search(RankSVR(), scoring="r2", cv=cv).fit(X, Y, sample_weight=weight)


def test_labels_of_a_fold_mean_what_they_mean_in_all_rows():
    """In the training rows of one fold there is no 0.5, and 0 and 1 alone can mean two things."""
    wins = np.where(PAIRS[:, 0] > PAIRS[:, 2], 1.0, 0.0)
    wins[:3] = 0.5
    found = search(RankThreshold(), cv=5).fit(PAIRS, wins, groups=ROWS // 12)
    assert found.best_estimator_[-1].labels_.tolist() == [0.0, 0.5, 1.0]


# The grid


def test_the_names_of_scaled_columns_are_different():
    frame = FRAME.set_axis(["a", "a_quantile", "b"], axis=1)
    found = search(SwappedPairsSVM(kernel="linear"), param_grid=None).fit(frame, Y)
    names = found.best_estimator_[:-1].get_feature_names_out().tolist()
    assert names == ["a", "a_quantile", "b", "a_quantile_", "a_quantile_quantile_", "b_quantile_"]
    assert len(summary(found).coefficients) == 6


def test_estimators_in_the_grid_are_neither_shared_nor_changed():
    inside = SwappedPairsSVM(tol=1e-5)
    found = search(PIPELINE, param_grid={"swappedpairssvm": [inside]}).fit(X, Y)
    assert inside.get_params() == SwappedPairsSVM(tol=1e-5).get_params() and not hasattr(inside, "model_")
    assert found.best_estimator_[-1].tol == 1e-5 and found.best_estimator_[-1].gap_ <= 1e-5


def test_items_in_the_grid_are_tried_unscaled_and_refused_scaled():
    rows, y = pd.DataFrame(PAIRS, columns=list("abcd")), np.sign(np.round(PAIRS[:, 0] - PAIRS[:, 2]))
    right, wrong = (["a", "b"], ["c", "d"]), (["a", "c"], ["b", "d"])
    made = partial(search, ComparisonSVM(kernel="linear", items=wrong), param_grid={"items": [right, wrong]})
    with pytest.raises(ValueError, match="param_grid must not hold items"):
        made().fit(rows, y)
    found = made(scale=False).fit(rows, y)
    assert found.best_params_["items"] == right and found.best_score_ > 0.95


@pytest.mark.parametrize("fast", [True, False])
def test_a_setting_that_a_fold_could_not_fit_is_not_dropped_unseen(fast):
    """The rows on which the first fold is fitted hold no tie, which ComparisonSVM needs."""
    pairs = np.random.default_rng(3).standard_normal((90, 4))
    y = np.sign(pairs[:, 0] - pairs[:, 2])
    y[45:][np.abs(pairs[45:, 0] - pairs[45:, 2]) < 0.7] = 0.0
    machines = [ComparisonSVM(kernel="linear"), RankThreshold(gamma=50.0), RankThreshold(gamma=100.0)]
    options = {"cv": PredefinedSplit(1 - np.repeat([0, 1], 45)), "fast": fast, "param_grid": {"m": machines}}
    found = search(Pipeline([("m", RankThreshold())]), Cs=[1.0, 10.0], **options).fit(pairs, y)
    assert isinstance(found.best_params_["m"], ComparisonSVM) and found.best_score_ > 0.95
    assert found.cv_results_["rank_test_score"][found.best_index_] == 1


class Gram(TransformerMixin, BaseEstimator):
    """The kernel matrix of rows and those of the fit."""

    def __init__(self, gamma=1.0):
        self.gamma = gamma

    def fit(self, X, y=None):
        self.rows_ = X
        return self

    def transform(self, X):
        return rbf_kernel(X, self.rows_, self.gamma)


def test_a_pipeline_may_make_the_kernel_matrix():
    own, grid = Pipeline([("k", Gram()), ("m", SVOR())]), {"m__kernel": ["precomputed"], "k__gamma": [0.1, 1.0]}
    made = search(own, param_grid=grid).fit(X, GRADES)
    plain = search(Pipeline([("m", SVOR())]), param_grid={"m__gamma": [0.1, 1.0]}).fit(X, GRADES)
    np.testing.assert_allclose(made.score_samples(X), plain.score_samples(X), atol=1e-6)


@pytest.mark.parametrize(
    ("own", "grid"),
    [
        (SVOR(), {"kernel": ["chi2"]}),
        (SVOR(kernel="chi2"), "auto"),
        (SVOR(kernel=RBF([1.0, 1.0, 2.0])), None),
        (SVOR(), {"kernel": [RBF([1.0, 1.0, 2.0])]}),
        (SVOR(kernel=2.0 * RBF([1.0, 1.0, 2.0]) + RBF(1.0)), None),
    ],
    ids=["chi2 in the grid", "chi2", "anisotropic", "anisotropic in the grid", "a sum"],
)
def test_kernels_of_their_own_columns_get_them_unscaled(own, grid):
    found = search(own, param_grid=grid).fit(np.abs(X), GRADES)
    assert isinstance(found.best_estimator_, SVOR) and found.best_estimator_.n_features_in_ == 3


def test_values_of_a_parameter_may_be_pipelines():
    steps = [make_pipeline(scaler, PCA(2)) for scaler in (StandardScaler(), MinMaxScaler())]
    found = search(Pipeline([("pre", "passthrough"), ("m", SVOR())]), param_grid={"pre": steps}).fit(X, GRADES)
    assert pd.DataFrame(found.cv_results_)["param_pre"].tolist() == steps


def test_frames_of_missing_integers_and_columns_that_overflow_say_what_to_do():
    frame = FRAME.assign(a=pd.array([1, None, 3] * 20, dtype="Int64"))
    assert search(cv=5).fit(frame, Y).score(frame, Y) > 0.8
    with pytest.raises(ValueError, match="squares overflow: scale X"), np.errstate(over="ignore", invalid="ignore"):
        search().fit(X * [1.0, 1e200, 1.0], Y)
    measured = X.copy()  # in the largest group alone, which one fold lacks
    groups, measured[20:, 2] = np.r_[np.zeros(20), np.repeat(range(1, 5), 10)], np.nan
    assert search(cv=5).fit(measured, Y, groups=groups).score(measured, Y, groups=groups) > 0.8


def test_names_of_several_types_are_grades_of_a_search():
    names = np.array(["low", 2, 3.5], dtype=object)
    found = search(SVOR(categories=list(names)), param_grid=None).fit(X, names[np.minimum(GRADES, 2)])
    assert list(found.grades_) == ["low", 2, 3.5]


# Limits of time, and equal means


@pytest.mark.filterwarnings("ignore::rankmargin.solvers.solution.ConvergenceWarning")
def test_no_fold_is_scaled_after_the_time_is_over(monkeypatch):
    made, original = [], search_module.fold_of

    def slow(*given, **named):
        made.append(time.sleep(0.4))
        return original(*given, **named)

    monkeypatch.setattr(search_module, "fold_of", slow)
    found = RankSearchCV(max_seconds=2.5, param_grid=None, fast=False, cv=GroupKFold(6)).fit(X, Y, groups=GROUPS)
    assert 2 <= len(made) <= 5 and found.n_splits_ == 6


@pytest.mark.parametrize("tried", [5, 6, 7, 10])
def test_what_is_chosen_has_rank_1_wherever_the_time_is_over(tried, monkeypatch):
    """The clock jumps over the end after a number of scores; four settings are scored three times per fold."""
    offset, scores = [0.0], []

    def scoring(estimator, rows, y):
        scores.append(1)
        if len(scores) == 3 * tried:
            offset[0] = 1e9
        return estimator.score(rows, y)

    now = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: now() + offset[0])
    options = {"param_grid": {"gamma": [0.01, 0.1, 0.3, 1.0]}, "scoring": scoring, "max_seconds": 1e6, "fast": False}
    found = search(SVOR(), Cs=[0.1, 1, 10], cv=3, **options)
    with pytest.warns(UserWarning, match="the search ended after max_seconds"):
        found.fit(X, GRADES)
    table, chosen = found.cv_results_, found.best_index_
    assert sorted(set(table["n_folds"].tolist())) == [tried // 4, tried // 4 + 1]
    assert table["rank_test_score"][chosen] == 1 and found.best_score_ == table["mean_test_score"][chosen]


@pytest.mark.parametrize(
    "scores",
    [
        [[[0.1, 0.1, 0.1], [0.5, 0.5, 0.4]], [[0.5, 0.5, np.nan], [0.2, 0.2, np.nan]]],
        [[[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]]],
    ],
    ids=["ended inside a fold", "equal up to rounding"],
)
def test_of_equal_means_the_chosen_one_has_rank_1_too(scores):
    found, settings = RankSearchCV(Cs=[0.1, 1.0]), [{"gamma": 1.0}, {"gamma": 2.0}][: len(scores)]
    race = Race([None] * len(scores), [0.1, 1.0], 3, None, np.inf)
    race.scores[:], race.gaps[:] = scores, 0.0
    found._choose(settings, race)
    assert race.table(settings, "C")["rank_test_score"][found.best_index_] == 1


@pytest.mark.parametrize("weight", [None, RNG.random(60) * (RNG.random(60) > 0.3)], ids=["alike", "weighted"])
@pytest.mark.parametrize("groups", [None, GROUPS], ids=["one", "groups"])
def test_correlations_of_listed_pairs_are_those_of_the_metric(groups, weight, monkeypatch):
    columns, y = [*X.T, np.round(X[:, 0]), np.where(X[:, 1] > 1, np.nan, X[:, 1])], np.round(Y, 1)
    listed = _correlations(y, columns, groups, weight)
    monkeypatch.setattr("rankmargin.search.inputs.LISTED", 0)
    np.testing.assert_allclose(listed, _correlations(y, columns, groups, weight), atol=1e-14)
    assert listed[-1] == 0.0 and abs(listed[0]) > 0.1
    assert _correlations(np.ones(60), columns, groups, weight) == [0.0] * 5
