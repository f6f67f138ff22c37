"""The metric that a search learns, and the average of its best settings."""

import contextlib

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold
from sklearn.pipeline import make_pipeline

from rankmargin import PairwiseRankSVM, RankAverage, RankSearchCV, RankSVR, SwappedPairsSVM
from rankmargin.certificates import judge
from rankmargin.metrics import swapped_pairs
from rankmargin.metrics.scorers import scorer_of
from rankmargin.problem.landmarks import kernel_of
from rankmargin.search import ensemble, metric
from rankmargin.search import search as search_module
from rankmargin.search.inputs import ColumnScaler
from rankmargin.search.race import Fold, Race, fold_of

KERNELS = "rbf", "laplacian", "matern12", "matern32", "matern52"


def rows(n=40, q=3, seed=0, **given):
    rng = np.random.default_rng(seed)
    columns = rng.standard_normal((n, q))
    return metric.Rows(columns, columns[:, 0] ** 2 + 0.1 * rng.standard_normal(n), **given)


def fitted(part, kernel, gamma=0.3):
    return metric.Ridge(part, part.columns, metric.distances(kernel, part.columns, part.columns), kernel, gamma)


def members_of(search):
    return getattr(search.best_estimator_, "estimators_", [search.best_estimator_])


def certified(members, X):
    """Return the largest gap that the judge finds."""
    return max(judge(member[-1].model_, member[:-1].transform(X)).gap for member in members)


@pytest.mark.parametrize("kernel", KERNELS)
def test_values_are_those_of_the_kernel(kernel):
    part = rows()
    own = kernel_of(SwappedPairsSVM(kernel=kernel, gamma=0.3), part.columns)
    apart = metric.distances(kernel, part.columns, part.columns)
    np.testing.assert_allclose(metric.values(kernel, 0.3, apart), own.gram(part.columns, part.columns), atol=1e-12)


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_ridge_is_least_squares_of_centred_ranks(grouped, weighted):
    """Against the normal equations of kernel ridge regression, with every row as a landmark."""
    rng = np.random.default_rng(1)
    groups, weight = np.arange(40) % 3, rng.integers(1, 4, 40).astype(float)
    part = rows(groups=groups if grouped else None, weight=weight if weighted else None)
    fit = fitted(part, "rbf")
    K, W = np.exp(-0.3 * cdist(part.columns, part.columns, "sqeuclidean")), np.diag(part.shares)
    codes = groups if grouped else np.zeros(40, dtype=int)
    P = np.zeros((40, 40))  # takes the weighted mean of its group from each row
    for code in np.unique(codes):
        own = codes == code
        P[own] = own * part.shares / part.shares[own].sum()
    centre = np.eye(40) - P
    for at, penalty in enumerate(metric.PENALTIES):
        if penalty < 1e-2:
            continue  # nearly singular
        normal = (centre @ K).T @ W @ centre @ K + penalty * (K + metric.JITTER * np.eye(40))
        alpha = np.linalg.lstsq(normal, (centre @ K).T @ W @ part.targets, rcond=None)[0]
        scores = metric.values("rbf", 0.3, fit.apart) @ fit.coefficients[:, at]
        np.testing.assert_allclose(centre @ scores, centre @ K @ alpha, atol=2e-4)
    assert abs(part.shares @ part.targets) < 1e-9 and np.mean(part.shares * part.targets**2) == pytest.approx(1.0)


@pytest.mark.parametrize("kernel", KERNELS)
def test_slopes_are_derivatives(kernel):
    part, others = rows(), np.random.default_rng(5).standard_normal((6, 3))
    fit = fitted(part, kernel)

    def score(x):
        return (metric.values(kernel, 0.3, metric.distances(kernel, x[None], part.columns)) @ fit.coefficients)[0, 2]

    slopes = np.array([approx_fprime(x, score, 1e-7) for x in others])
    asked = fitted(part, kernel)
    asked.near, asked.apart = others, metric.distances(kernel, others, part.columns)
    np.testing.assert_allclose(asked.slopes(2), np.sqrt(np.mean(slopes**2, axis=0)), rtol=1e-4)


def test_starts_find_what_they_are_for():
    rng = np.random.default_rng(0)
    columns = rng.uniform(-1, 1, (400, 4))
    curve = metric.Rows(columns, columns[:, 1] ** 2)
    spread = metric.Rows(columns, columns[:, 2] * rng.standard_normal(400))
    assert metric.first_weights("curve", curve).argmax() == 1
    assert metric.first_weights("any", spread).argmax() == 2
    for part, start in ((curve, "curve"), (spread, "any")):
        assert np.mean(metric.first_weights(start, part) ** 2) == pytest.approx(1.0)
    constant = metric.Rows(np.ones((5, 2)), np.arange(5.0))
    assert metric.first_weights("curve", constant).tolist() == metric.first_weights("any", constant).tolist() == [1, 1]


def table(n=180, seed=0, d=20):
    """Two columns act together, the others say nothing."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, d)) * 10.0 ** rng.integers(-3, 4, d) + 1e3
    A = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, np.sin(2.0 * A[:, 1]) * A[:, 2] + 0.1 * rng.standard_normal(n)


@pytest.mark.parametrize("start", metric.STARTS)
def test_no_held_out_row_takes_part_in_the_metric_of_its_fold(start, monkeypatch):
    """Other targets and values of the held-out rows of a fold change nothing in its weights, gamma and columns."""
    X, y = table(60, d=4)
    folds = list(KFold(3).split(X))
    train, test = folds[1]
    monkeypatch.setattr(metric, "PENALTIES", np.array([0.1]))  # the choice of these is that of the errors
    monkeypatch.setitem(metric.WIDTHS, "rbf", np.array([0.5]))

    def learned(X, y):
        made = [fold_of(SwappedPairsSVM(), [ColumnScaler()], X, y, {}, *fold, weighted=False) for fold in folds]
        whole = fold_of(SwappedPairsSVM(), [ColumnScaler()], X, y, {}, np.arange(60), np.arange(1), weighted=False)
        parts = [ensemble._rows(one.rows, one.targets, {}, 300, one.steps[-1].weights_) for one in (whole, *made)]
        data = [(part, ensemble._pairs(fold)) for part, fold in zip(parts[1:], made)]
        found = metric.learned_metrics("rbf", start, parts[0], data, np.inf)[:2]
        return [made[1].rows, *(of for one in found for of in one.of_folds[1])]

    other_X, other_y = X.copy(), y.copy()
    other_X[test], other_y[test] = 7.0 * X[test] + 1.0, -y[test]
    for before, after in zip(learned(X, y), learned(other_X, other_y), strict=True):
        np.testing.assert_array_equal(before, after)
    other_y[train] = -np.abs(y[train])
    assert np.abs(learned(X, y)[3] - learned(X, other_y)[3]).max() > 0.01


@pytest.mark.parametrize("landmarks", [None, 7, 200])
def test_the_machine_of_a_fold_has_the_metric_of_the_fold(landmarks):
    ours = [(np.full(4, 2.0 + place), 0.5 + place) for place in range(3)]
    learned = metric.Metric("rbf", 9.0, np.full(4, 9.0), ours, "any", 1)
    folds = [Fold(None, np.zeros(9), {"sample_weight": np.arange(9.0)}, None, None, {}, [])] * 3
    machines = ensemble.machines_of_folds(learned, SwappedPairsSVM(gamma=9.0), folds, landmarks)
    for (weights, gamma), machine in zip(ours, machines, strict=True):
        assert np.all(machine[0].transform(np.ones((1, 4))) == weights) and machine[1].gamma == gamma
        assert machine[1].landmarks == (landmarks and min(landmarks, 8))  # a row weighs nothing


def test_columns_that_act_together_are_found_among_noise():
    X, y = table()
    search = RankSearchCV(Cs=[1.0, 100.0]).fit(X[:120], y[:120])
    assert {*list(search.column_weights_)[:2]} == {"x1", "x2"}
    assert sum(search.column_weights_.values()) == pytest.approx(1.0)
    swapped = swapped_pairs(y[120:], search.predict(X[120:]))
    usual = RankSearchCV(Cs=[1.0, 100.0], param_grid={"gamma": [0.01, 0.1]}).fit(X[:120], y[:120])
    assert swapped < 0.6 * swapped_pairs(y[120:], usual.predict(X[120:]))


@pytest.mark.parametrize("estimator", [None, PairwiseRankSVM(kernel="matern52", n_partners="all")])
def test_every_member_is_certified_and_a_clone_repeats_them(estimator):
    X, y = table(80, d=3)
    groups, weight = np.arange(80) % 8, np.random.default_rng(1).integers(1, 3, 80).astype(float)
    search = RankSearchCV(estimator, Cs=[1.0, 10.0]).fit(X, y, groups=groups, sample_weight=weight)
    best, members = search.best_estimator_, members_of(search)
    gap = certified(members, X)
    assert gap <= 1e-3 and search.gap_ == pytest.approx(gap, abs=1e-4)
    again = clone(best).fit(X, y, groups=groups, sample_weight=weight) if len(members) > 1 else best
    np.testing.assert_allclose(again.predict(X), search.predict(X), atol=1e-9)
    kernels = {"rbf", "laplacian", "linear"} if estimator is None else {"matern52"}
    assert {point["kernel"] for point in search.cv_results_["params"]} <= kernels
    assert set(search.cv_results_["start"]) <= {"somers", "curve", "any"}


@pytest.mark.parametrize("landmarks", [None, 20])
@pytest.mark.parametrize("kernel", ["linear", *ensemble.LEARNED])
def test_column_weights_are_shares_of_squared_derivatives(kernel, landmarks):
    """Against differences of what ``predict`` says, along values and quantiles of columns that are moved together."""
    X, y = table(60, d=3)
    machines = [
        SwappedPairsSVM(kernel=kernel, landmarks=None if kernel == "linear" else landmarks),
        RankSVR(kernel=kernel),
    ]
    members = [make_pipeline(ColumnScaler(weights=np.r_[1.0, 2.0, 0.5, 1.5, 1.0, 0.2]), each) for each in machines]
    average = RankAverage([(str(place), each) for place, each in enumerate(members)], [1.0, 3.0], "scores").fit(X, y)
    Z = average.estimators_[0][0].without_weights(X)
    squares = []
    for k in range(3):
        step = 1e-5 * np.isin(np.arange(6), (k, k + 3))
        ahead, behind = (
            sum(
                weight / scale * member[-1].predict((Z + side * step) * member[0].weights_)
                for member, weight, (_, scale) in zip(average.estimators_, average.weights_, average.reference_)
            )
            for side in (1, -1)
        )
        squares.append(np.mean(((ahead - behind) / 2e-5) ** 2))
    found = ensemble.column_weights(average, X)
    expected = np.array(squares) / np.sum(squares)
    np.testing.assert_allclose([found[f"x{k}"] for k in range(3)], expected, rtol=1e-3, atol=1e-6)


def test_many_names_that_say_nothing_weigh_nothing():
    """They become thirty columns: their sum was the largest share."""
    X, y = table(150, d=3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(maker=[f"maker {i % 30}" for i in range(150)])
    weights = RankSearchCV(Cs=[1.0, 10.0]).fit(frame, y).column_weights_
    assert weights["maker"] < 0.1 and {*list(weights)[:2]} == {"b", "c"}


def test_a_scoring_that_asks_the_ranker_is_its_share_of_right_pairs():
    """It was the coefficient of determination for averages. In the last fold no test row weighs anything."""
    X, y = table(60, d=3)
    rows = np.arange(60)
    asked = RankSearchCV(Cs=[1.0, 10.0], scoring=lambda ranker, X, y: ranker.score(X, y)).fit(X, y)
    assert asked.best_score_ == RankSearchCV(Cs=[1.0, 10.0]).fit(X, y).best_score_
    weightless = RankSearchCV(Cs=[1.0], cv=[(rows[12:], rows[:12])], scoring=asked.scoring)
    assert 0.5 < weightless.fit(X, y, sample_weight=(rows >= 12).astype(float)).best_score_ <= 1.0


def test_the_average_is_greedy_by_hand():
    """Of three predictions of one fold: the first two swap one pair each, and their average none."""
    y = np.arange(4.0)
    predicted = np.array([[0.0, 10.0, 13.0, 12.0], [1.0, 0.0, 10.0, 13.0], [3.0, 2.0, 1.0, 0.0]])
    fold = Fold(None, None, {}, np.zeros((4, 1)), y, {}, [])
    race = Race([[None]] * 3, [1.0], 1, scorer_of("concordance"), np.inf, keeps=True)
    scores = [1.0 - swapped_pairs(y, one) for one in predicted]
    race.scores[:, 0, 0], race.held_out = scores, {(at, 0): predicted[[at]] for at in range(3)}
    counts, best = ensemble.greedy_average(race, [fold], 1)
    assert counts == {0: 1} and best == pytest.approx(5 / 6)
    counts, best = ensemble.greedy_average(race, [fold], 12)
    assert best == 1.0 and sum(counts.values()) == 12 and {*counts} == {0, 1}


def test_a_search_sees_some_rows_and_whole_groups():
    folds = list(KFold(5, shuffle=True, random_state=0).split(np.zeros(5000)))
    seen = ensemble.sampled(folds, 5000, None)
    assert sum(len(test) for _, test in seen) == 2000 and all(len(train) + len(test) == 2000 for train, test in seen)
    groups = np.repeat(np.arange(700), 7)
    folds = list(GroupKFold(5).split(np.zeros(4900), groups=groups))
    seen = ensemble.sampled(folds, 4900, groups)
    tested = np.concatenate([test for _, test in seen])
    assert 1900 < len(tested) <= 2000 and (np.bincount(groups[tested], minlength=700) % 7 == 0).all()


@pytest.fixture
def few_are_many(monkeypatch):
    """Small limits in place of thousands of rows."""
    small = {"MOST_ROWS": 120, "MANY": 200, "ROWS_OF_MANY": 300, "TEST_ROWS": 80, "SOME_LANDMARKS": 16}
    for name, value in (small | {"MOST_LANDMARKS": 64}).items():
        monkeypatch.setattr(ensemble, name, value)
    monkeypatch.setattr(search_module, "MEMBERS", {200: 2})


@pytest.mark.filterwarnings("ignore:3 groups make 3 folds")
@pytest.mark.parametrize("groups", [None, np.arange(400) % 40, np.repeat([0, 1, 2], [150, 150, 100])])
def test_many_rows_have_landmarks(few_are_many, groups):
    """The held-out rows are not those of the metric; two members at most; each is certified, and a clone repeats it."""
    X, y = table(400)
    train, test = ensemble.split_of_many(400, groups)
    seen = ensemble.drawn(400, groups) <= 120
    assert not seen[test].any() and not np.intersect1d(train, test).size
    whole = groups is None or len(np.unique(groups)) > 3
    assert len(test) == (80 if whole else 0)
    if groups is not None and whole:
        assert not np.intersect1d(groups[train], groups[test]).size and 280 <= len(train) + len(test) <= 300
    search = RankSearchCV(Cs=[1.0, 10.0]).fit(X, y, groups=groups)
    best, members = search.best_estimator_, members_of(search)
    assert len(members) <= 2 and search.gap_ <= 1e-3 and certified(members, X) <= 1e-3
    assert all(one[-1].landmarks in (16, 32, 64) for one in members if one[-1].kernel != "linear")
    assert ("split1_test_score" in search.cv_results_) == (not whole)
    assert search.best_params_["landmarks"] == members[0][-1].landmarks or len(members) > 1
    again = clone(best).fit(X, y, groups=groups) if len(members) > 1 else clone(best).fit(X, y)
    if groups is None:
        np.testing.assert_allclose(again.predict(X), search.predict(X), atol=1e-9)


def test_the_score_of_many_rows_is_that_of_rows_that_no_fit_has_seen(few_are_many):
    """The mean score of one setting by hand, and a target whose held-out rows are noise."""
    X, y = table(400)
    search = RankSearchCV(Cs=[10.0], ensemble_size=1).fit(X, y)
    train, test = ensemble.split_of_many(400, None)
    own = clone(search.best_estimator_).set_params(swappedpairssvm__landmarks=16)
    by_hand = own.fit(X[train], y[train]).score(X[test], y[test])
    assert search.best_score_ == pytest.approx(by_hand, abs=0.02)
    noise = y.copy()
    noise[test] = np.random.default_rng(5).permutation(noise[test])
    assert RankSearchCV(Cs=[10.0]).fit(X, noise).best_score_ < 0.7 < search.best_score_


def test_little_memory_takes_fewer_landmarks(few_are_many, monkeypatch):
    X, y = table(400)
    monkeypatch.setattr(ensemble, "most_features", lambda n: 4_000 // n)
    search = RankSearchCV(Cs=[1.0, 10.0]).fit(X, y)
    assert {one[-1].landmarks for one in members_of(search) if one[-1].kernel != "linear"} == {10}


def test_no_time_for_many_rows_keeps_the_best_of_some(few_are_many, monkeypatch):
    monkeypatch.setattr(ensemble, "settings_of_many", lambda *_: [])
    X, y = table(400)
    search = RankSearchCV(Cs=[1.0, 10.0]).fit(X, y)
    assert search.score(X, y) > 0.7 and search.best_params_.get("landmarks", 16) == 16
    own = RankSearchCV(SwappedPairsSVM(landmarks=9), Cs=[1.0, 10.0]).fit(X, y)
    assert {one[-1].landmarks for one in members_of(own)} == {9}


@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_folds_go_to_other_processes_and_machines(backend):
    """By joblib's own backends; the result is the same to the last bit."""
    X, y = table(120)
    alone = RankSearchCV(Cs=[1.0, 10.0], cv=2).fit(X, y).predict(X)
    with contextlib.ExitStack() as stack:
        if backend == "dask":
            distributed = pytest.importorskip("distributed", reason="an extra of joblib")
            cluster = distributed.LocalCluster(2, threads_per_worker=1, processes=False, dashboard_address=None)
            stack.enter_context(distributed.Client(stack.enter_context(cluster)))
        stack.enter_context(joblib.parallel_config(backend))
        shared = RankSearchCV(Cs=[1.0, 10.0], cv=2, n_jobs=2).fit(X, y).predict(X)
    np.testing.assert_array_equal(shared, alone)
