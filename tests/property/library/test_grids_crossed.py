"""Where the grid of a search meets other options: scaled columns, items of pairs, names in groups, limits of time."""

import time

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import PredefinedSplit
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from rankmargin import SVOR, ComparisonSVM, RankSearchCV, RankThreshold
from rankmargin.search.race import Race

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 4))
GRADES = np.digitize(X[:, 0] - X[:, 2] + 0.3 * RNG.standard_normal(60), [-0.5, 0.5])
ONE = {"Cs": [1.0], "cv": 2}


def test_items_in_the_grid_are_tried_unscaled_and_refused_scaled():
    rows, y = pd.DataFrame(X, columns=list("abcd")), np.sign(np.round(X[:, 0] - X[:, 2]))
    right, wrong = (["a", "b"], ["c", "d"]), (["a", "c"], ["b", "d"])
    grid, own = {"items": [right, wrong]}, ComparisonSVM(kernel="linear", items=wrong)
    with pytest.raises(ValueError, match="param_grid must not hold items"):
        RankSearchCV(own, param_grid=grid, **ONE).fit(rows, y)
    search = RankSearchCV(own, param_grid=grid, scale=False, **ONE).fit(rows, y)
    assert search.best_params_["items"] == right and search.best_score_ > 0.95


@pytest.mark.parametrize("fast", [True, False])
def test_a_setting_that_a_fold_could_not_fit_is_not_dropped_unseen(fast):
    """The rows on which the first fold is fitted hold no tie, which ComparisonSVM needs."""
    pairs = np.random.default_rng(3).standard_normal((90, 4))
    y = np.sign(pairs[:, 0] - pairs[:, 2])
    y[45:][np.abs(pairs[45:, 0] - pairs[45:, 2]) < 0.7] = 0.0
    machines = [ComparisonSVM(kernel="linear"), RankThreshold(gamma=50.0), RankThreshold(gamma=100.0)]
    search = RankSearchCV(
        Pipeline([("m", RankThreshold())]),
        Cs=[1.0, 10.0],
        cv=PredefinedSplit(1 - np.repeat([0, 1], 45)),
        fast=fast,
        param_grid={"m": machines},
    ).fit(pairs, y)
    assert isinstance(search.best_params_["m"], ComparisonSVM) and search.best_score_ > 0.95
    assert search.cv_results_["rank_test_score"][search.best_index_] == 1


def test_outputs_as_frames_do_not_reach_sparse_pairs():
    rows = sparse.csr_matrix(X)
    plain = RankSearchCV(ComparisonSVM(), **ONE).fit(rows, GRADES - 1)
    for output in ("pandas", "polars"):
        with config_context(transform_output=output):
            search = RankSearchCV(ComparisonSVM(), **ONE).fit(rows, GRADES - 1)
        assert search.best_score_ == plain.best_score_


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
    grid = {"gamma": [0.01, 0.1, 0.3, 1.0]}
    search = RankSearchCV(SVOR(), Cs=[0.1, 1, 10], param_grid=grid, cv=3, scoring=scoring, max_seconds=1e6, fast=False)
    with pytest.warns(UserWarning, match="the search ended after max_seconds"):
        search.fit(X, GRADES)
    table, chosen = search.cv_results_, search.best_index_
    assert sorted(set(table["n_folds"].tolist())) == [tried // 4, tried // 4 + 1]
    assert table["rank_test_score"][chosen] == 1 and search.best_score_ == table["mean_test_score"][chosen]


@pytest.mark.parametrize(
    "scores",
    [
        [[[0.1, 0.1, 0.1], [0.5, 0.5, 0.4]], [[0.5, 0.5, np.nan], [0.2, 0.2, np.nan]]],
        [[[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]]],
    ],
    ids=["ended inside a fold", "equal up to rounding"],
)
def test_of_equal_means_the_chosen_one_has_rank_1_too(scores):
    search, settings = RankSearchCV(Cs=[0.1, 1.0]), [{"gamma": 1.0}, {"gamma": 2.0}][: len(scores)]
    race = Race([None] * len(scores), [0.1, 1.0], 3, None, np.inf)
    race.scores[:], race.gaps[:] = scores, 0.0
    search._choose(settings, race)
    assert race.table(settings, "C")["rank_test_score"][search.best_index_] == 1


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
    own, grid = Pipeline([("k", Gram()), ("m", SVOR())]), {"k__gamma": [0.1, 1.0]}
    made = RankSearchCV(own, param_grid={"m__kernel": ["precomputed"], **grid}, **ONE).fit(X, GRADES)
    plain = RankSearchCV(Pipeline([("m", SVOR())]), param_grid={"m__gamma": [0.1, 1.0]}, **ONE).fit(X, GRADES)
    np.testing.assert_allclose(made.score_samples(X), plain.score_samples(X), atol=1e-6)


@pytest.mark.parametrize(
    ("own", "grid"),
    [
        (SVOR(), {"kernel": ["chi2"]}),
        (SVOR(kernel=RBF([1.0, 1.0, 2.0, 1.0])), None),
        (SVOR(), {"kernel": [RBF([1.0, 1.0, 2.0, 1.0])]}),
        (SVOR(kernel=2.0 * RBF([1.0, 1.0, 2.0, 1.0]) + RBF(1.0)), None),
    ],
    ids=["chi2", "anisotropic", "anisotropic in the grid", "a sum"],
)
def test_kernels_of_their_own_columns_get_them_unscaled(own, grid):
    search = RankSearchCV(own, param_grid=grid, **ONE).fit(np.abs(X), GRADES)
    assert isinstance(search.best_estimator_, SVOR) and search.best_estimator_.n_features_in_ == 4


def test_values_of_a_parameter_may_be_pipelines():
    steps = [make_pipeline(scaler, PCA(2)) for scaler in (StandardScaler(), MinMaxScaler())]
    search = RankSearchCV(Pipeline([("pre", "passthrough"), ("m", SVOR())]), param_grid={"pre": steps}, **ONE)
    table = pd.DataFrame(search.fit(X, GRADES).cv_results_)
    assert table["param_pre"].tolist() == steps
