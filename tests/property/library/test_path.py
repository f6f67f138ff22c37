"""A path over C is the fits one by one; its cross-validation is a grid search that keeps groups whole."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
from made_problems import noisy
from searches import chosen_C, every_fit, fold_scores
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, KFold, ParameterGrid, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rankmargin import (
    SVOR,
    ComparisonSVM,
    ItemKFold,
    PairTransformer,
    RankSVR,
    SumOfMarginsSVM,
    SwappedPairsSVM,
    rank_path,
    stack_pairs,
)
from rankmargin.estimators.path import last_step
from rankmargin.estimators.sum_of_margins import SmallerCWarning
from rankmargin.metrics import get_scorer, swapped_pairs
from rankmargin.search.folds import splitter_of

CS = [0.01, 0.3, 10.0]


@pytest.fixture(scope="module")
def data():
    X, u = noisy(60, 3, 0.5)
    return X, (2 * u).round(), np.repeat(np.arange(12), 5)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("Cs", [(1.0, 10.0), (10.0, 1.0)])
def test_the_smallest_of_equal_C_is_chosen_although_their_means_are_rounded(Cs, sign, data):
    """The folds judge both values of C by the same three scores in another order, so that the means are equal."""
    X, y, _ = data
    scores = {1.0: [0.1, 0.2, 0.3], 10.0: [0.3, 0.2, 0.1]}
    assert np.mean(scores[1.0]) != np.mean(scores[10.0])
    left = {C: iter(values) for C, values in scores.items()}

    def scoring(fitted, X, y):
        return sign * next(left[fitted.C])

    search = every_fit(SwappedPairsSVM(kernel="linear"), Cs, cv=3, scoring=scoring).fit(X, y)
    assert chosen_C(search) == 1.0 and search.best_score_ == pytest.approx(sign * 0.2)


@pytest.mark.parametrize("cv", [None, 3, np.int64(4)])
@pytest.mark.parametrize("shape", [np.repeat, lambda of, n: np.tile(of, n)])
def test_a_number_of_folds_keeps_groups_whole(cv, shape, data):
    X, y, _ = data
    groups = shape(np.array(list("qwertyuiopas")), 5)
    n_folds = 5 if cv is None else int(cv)
    for estimator in (SwappedPairsSVM(), SVOR()):
        folds = list(splitter_of(estimator, cv, np.sign(y), groups).split(X, np.sign(y), groups))
        assert len(folds) == n_folds
        for train, test in folds:
            assert not set(groups[train]) & set(groups[test])


CITIZENS = [
    (SwappedPairsSVM(tol=1e-6), {"gamma": [0.01, 1.0]}),
    (make_pipeline(StandardScaler(), SwappedPairsSVM(tol=1e-6)), {"swappedpairssvm__gamma": [0.01, 1.0]}),
    (make_pipeline(StandardScaler(), SVOR(tol=1e-6)), [{"svor__kernel": ["linear"]}, {"svor__gamma": [0.1, 1.0]}]),
    (make_pipeline(PCA(2), make_pipeline(StandardScaler(), SVOR(tol=1e-6))), {"pipeline__svor__gamma": [0.1, 1.0]}),
    (make_pipeline(SelectKBest(k=2), RankSVR(epsilon=0.2, tol=1e-6)), {"selectkbest__k": [1, 2]}),
    (make_pipeline(PairTransformer(StandardScaler()), ComparisonSVM(tol=1e-6)), {"comparisonsvm__gamma": [0.1, 1.0]}),
]


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
@pytest.mark.parametrize(
    ("estimator", "grid", "n_jobs"),
    [*((*case, None) for case in CITIZENS), (*CITIZENS[2], 2)],
    ids=lambda of: type(of).__name__,
)
def test_a_grid_of_pipelines_is_that_of_scikit_learn(estimator, grid, n_jobs):
    """Each fold has its own scaler: columns of other units, and one far row in a test part, give other scores."""
    rng = np.random.default_rng(3)
    X = rng.standard_normal((72, 4)) * [1.0, 100.0, 0.01, 1.0]
    X[5] *= 50.0
    gap = X[:, 0] - X[:, 2] + X[:, 1] / 100 - X[:, 3] + 0.5 * rng.standard_normal(72)
    y = np.digitize(gap, [-0.8, 0.8]) - 1
    name = {"SwappedPairsSVM": "C"}.get(type(estimator).__name__) or last_step(estimator)[1] + "C"
    grids = grid if isinstance(grid, list) else [grid]
    search = GridSearchCV(
        estimator, [{**points, name: CS} for points in grids], cv=KFold(3), scoring=get_scorer("concordance")
    ).fit(X, y)
    ours = every_fit(estimator, CS, cv=KFold(3), param_grid=grid, n_jobs=n_jobs).fit(X, y)
    points = [{**point, name: C} for point in ParameterGrid(grid) for C in CS]
    assert ours.cv_results_["params"] == points
    places = [search.cv_results_["params"].index(point) for point in points]
    for column in ("split0_test_score", "split2_test_score", "mean_test_score", "std_test_score"):
        np.testing.assert_allclose(ours.cv_results_[column], search.cv_results_[column][places], atol=5e-3)
    assert ours.best_score_ == pytest.approx(search.best_score_, abs=5e-3)
    assert points[ours.best_index_] == ours.best_params_ and ours.cv_results_["rank_test_score"][ours.best_index_] == 1
    direct = clone(estimator).set_params(**ours.best_params_).fit(X, y)
    assert type(ours.best_estimator_) is type(estimator)
    np.testing.assert_allclose(ours.predict(X), direct.predict(X), atol=1e-6)
    assert ours.score(X, y) == direct.score(X, y)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.predict(X), ours.predict(X))


def test_a_path_of_pipelines_fits_the_first_steps_once(data):
    X, y, groups = data
    frame = pd.DataFrame(X, columns=list("abc")).assign(colour=np.tile(["red", "blue"], 30))
    frame.iloc[3, 0] = np.nan
    encoder = ColumnTransformer([("colour", OneHotEncoder(), ["colour"]), ("rest", SimpleImputer(), list("abc"))])
    pipeline = make_pipeline(encoder, StandardScaler(), SwappedPairsSVM(kernel="linear", tol=1e-8))
    path = rank_path(pipeline, frame, y, CS, groups=groups)
    assert path[0][0] is path[2][0] and path[0][-1] is not path[2][-1]
    rows = clone(pipeline[:-1]).fit_transform(frame, y)
    for C, one in zip(CS, path):
        alone = SwappedPairsSVM(kernel="linear", tol=1e-8, C=C).fit(rows, y, groups=groups)
        assert one[-1].C == C
        np.testing.assert_allclose(one.predict(frame), alone.predict(rows), atol=2e-3)
    assert not hasattr(pipeline[0], "transformers_")
    search = every_fit(pipeline, CS, cv=3).fit(frame, y, groups=groups)
    assert search.score(frame, y, groups=groups) > 0.7
    assert search.feature_names_in_.tolist() == frame.columns.tolist()


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.sum_of_margins.SmallerCWarning")
def test_a_C_with_a_range_suits_the_fits_of_probabilities():
    """The smallest C of all rows, 1/9, is too small for a fit without one of the five parts."""
    X, u = noisy(60, 3, 0.3)
    y = np.digitize(u, [-1, 0.3, 1.2])
    assert np.bincount(y).tolist() == [17, 25, 9, 9]
    path = rank_path(SumOfMarginsSVM(probability=True), X, y)
    assert pytest.approx([1 / 7, 6.0]) == [path[0].C, path[-1].C]
    np.testing.assert_allclose([one.predict_proba(X).sum() for one in path], 60.0)


@pytest.mark.parametrize("routing", [False, True])
def test_folds_of_items(routing):
    """No item of a test pair is in a training pair; groups reach the splitter with routing and without."""
    rng = np.random.default_rng(0)
    items, games = rng.standard_normal((30, 2)), rng.integers(0, 30, (300, 2))
    y = np.digitize((items[games[:, 0]] - items[games[:, 1]])[:, 0], [-0.5, 0.5]) - 1
    X, cv = stack_pairs(items, rows=games), ItemKFold(3, random_state=0)
    model = make_pipeline(PairTransformer(StandardScaler()), ComparisonSVM(kernel="linear"))
    ours = every_fit(model, CS, cv=cv).fit(X, y, groups=games)
    by_hand = every_fit(model, CS, cv=list(cv.split(X, groups=games))).fit(X, y)
    np.testing.assert_array_equal(fold_scores(ours), fold_scores(by_hand))
    assert ours.score(X, y) > 0.8
    train, test = next(cv.split(X, groups=games))
    alone = clone(ours.best_estimator_).fit(X[train], y[train]).score_samples(X[test])  # ties are between the others
    found = fold_scores(ours)[CS.index(chosen_C(ours)), 0]
    assert found == pytest.approx(1 - swapped_pairs(y[test], alone))
    assert not {*games[test].ravel()} & {*games[train].ravel()} and {*y[test]} == {-1, 0, 1}
    with sklearn.config_context(enable_metadata_routing=routing):
        given = {"params": {"groups": games}} if routing else {"groups": games}
        scores = cross_val_score(model, X, y, cv=cv, **given)
        search = GridSearchCV(model, {"comparisonsvm__C": CS}, cv=cv).fit(X, y, groups=games)
    expected = [clone(model).fit(X[train], y[train]).score(X[test], y[test]) for train, test in cv.split(X, y, games)]
    np.testing.assert_allclose(scores, expected)
    assert search.n_splits_ == 3


@pytest.mark.parametrize("among", ["X", "Z"])
def test_orderings_in_a_search(among, data):
    """Those of other rows belong to each training part; those of the rows themselves to the parts that hold both."""
    X, y, _ = data
    rng = np.random.default_rng(1)
    Z = rng.standard_normal((25, 3)) if among == "Z" else None
    rows = X if Z is None else Z
    pairs = rng.integers(0, len(rows), (40, 2))
    pairs = pairs[rows[pairs[:, 0], 0] > rows[pairs[:, 1], 0]]
    weight, model = rng.integers(1, 4, len(pairs)).astype(float), RankSVR(kernel="linear", tol=1e-8)
    ours = every_fit(model, CS, cv=KFold(3)).fit(X, y, Z=Z, pairs=pairs, pair_weight=weight)
    for k, (train, test) in enumerate(KFold(3).split(X)):
        told, of = pairs, weight
        if Z is None:
            inside = np.isin(pairs, train).all(axis=1)
            told, of = np.searchsorted(train, pairs[inside]), weight[inside]
            assert 0 < inside.sum() < len(pairs)
        alone = clone(model).set_params(C=chosen_C(ours)).fit(X[train], y[train], Z=Z, pairs=told, pair_weight=of)
        expected = get_scorer("concordance")(alone, X[test], y[test])
        assert fold_scores(ours)[CS.index(chosen_C(ours)), k] == pytest.approx(expected, abs=1e-3)
    direct = clone(model).set_params(C=chosen_C(ours)).fit(X, y, Z=Z, pairs=pairs, pair_weight=weight)
    np.testing.assert_allclose(ours.predict(X), direct.predict(X), atol=1e-5)
    scaled = make_pipeline(StandardScaler(), model)
    (one,) = rank_path(scaled, 3.0 * X, y, [1.0], Z=None if Z is None else 3.0 * Z, pairs=pairs)
    scale = StandardScaler().fit(X)
    same = clone(model).fit(scale.transform(X), y, Z=None if Z is None else scale.transform(Z), pairs=pairs)
    np.testing.assert_allclose(one.predict(3.0 * X), same.predict(scale.transform(X)), atol=1e-5)


@pytest.mark.parametrize("named", [False, True])
def test_a_C_with_a_range_has_values_in_it_by_itself(named):
    """Sizes 8, 12, 20 of the grades: C lies in [max(4 / 52, 1 / 8, 1 / 20), 4], and for four of five folds 1 / n_1 is
    1 / 6."""
    y = np.repeat([0, 1, 2], [8, 12, 20])
    X = y[:, None] + np.random.default_rng(0).standard_normal((40, 2))
    names = ["low", "medium", "high"]
    grader = SumOfMarginsSVM(kernel="linear", categories=names if named else None)
    y = np.array(names)[y] if named else y
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallerCWarning)
        path, search = rank_path(grader, X, y), every_fit(grader).fit(X, y)
        weighted = rank_path(grader, X, y, sample_weight=np.full(40, 2.0))
    np.testing.assert_allclose([one.C for one in path], np.geomspace(1 / 8, 4.0, 6))
    np.testing.assert_allclose([one.C for one in weighted], np.geomspace(1 / 16, 4.0, 6))
    np.testing.assert_allclose(search.Cs_, np.geomspace(1 / 6, 4.0, 6))
    assert np.isfinite(fold_scores(search)).all() and search.best_estimator_.score(X, y) > 0.5
