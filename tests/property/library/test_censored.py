"""Censored times: sums over pairs, fits and concordance against the list of pairs, and scikit-survival's numbers."""

from functools import partial

import numpy as np
import pytest
from reference_qp import optimum
from sklearn.base import clone
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from rankmargin import PairwiseRankSVM, RankAverage, RankSearchCV, SwappedPairsSVM
from rankmargin.certificates import judge
from rankmargin.kernels import Kernel
from rankmargin.metrics import concordance_index
from rankmargin.problem.rows.pairs import count_pairs, order_of_times
from rankmargin.problem.rows.rows import Rows


def patients(seed, n=30):
    """Return rows, times with ties, events, two groups and whole weights."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    time = np.ceil(3 * np.exp(0.5 * X[:, 0] + 0.5 * rng.standard_normal(n)))
    event = rng.random(n) < 0.6
    event[np.argmin(time)] = True
    return X, time, event, rng.integers(0, 2, n), rng.integers(1, 4, n).astype(float)


def ordered(time, event, groups=None):
    """Return whether row i is certainly later than row j, (n, n), from the definition."""
    later = (time[:, None] > time) | ((time[:, None] == time) & ~event[:, None] & event)
    return later & event & (True if groups is None else groups[:, None] == groups)


def listed(time, event, groups=None, weight=None, margin=1.0, cost=1.0):
    i, j = np.nonzero(ordered(time, event, groups))
    weight = np.ones(len(time)) if weight is None else weight
    return Rows.build(len(time), plus=i, minus=j, margin=margin, cost=cost * weight[i] * weight[j])


@pytest.mark.parametrize("solver", ["auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"])
def test_every_solver_and_both_ways_to_say_it(solver):
    """The objective of the estimator is that of the listed pairs; a structured y says the same as event=."""
    X, time, event, _, weight = patients(1)
    ranker = SwappedPairsSVM(C=2.0, kernel="rbf", gamma=0.5, C_scale="pairs", tol=1e-5, solver=solver)
    given = ranker.fit(X, time, event=event, sample_weight=weight)
    best = optimum(listed(time, event, None, weight, 0.5, 2.0), Kernel("rbf", 0.5).gram(X, X), 2.0)
    assert given.objective_ == pytest.approx(best, rel=1e-4)
    assert judge(given.model_).gap <= 1e-4
    y = structured(time, event)
    np.testing.assert_array_equal(clone(ranker).fit(X, y, sample_weight=weight).predict(X), given.predict(X))
    assert given.score(X, y) == given.score(X, time, event=event) == concordance_index(y, given.predict(X))


@pytest.mark.parametrize("as_table", [False, True])
def test_weights_of_pairs_of_times(as_table):
    """The weight of a pair is a factor more in the same sums; a callable gets the times."""
    X, time, event, groups, weight = patients(6)
    later, earlier = np.nonzero(ordered(time, event, groups))
    rows = listed(time, event, groups, weight, 0.5, 2.0)
    rows = rows.times(time[later] - time[earlier] + 1.0)
    table = np.abs(time[:, None] - time) + 1.0
    pair_weight = table if as_table else lambda ahead, behind: ahead - behind + 1.0
    ranker = SwappedPairsSVM(C=0.1, kernel="rbf", gamma=0.5, C_scale="pairs", tol=1e-5)
    given = {"groups": groups, "sample_weight": weight, "pair_weight": pair_weight, "event": event}
    best = optimum(rows, Kernel("rbf", 0.5).gram(X, X), 0.1)
    fitted = ranker.fit(X, time, **given)
    assert fitted.objective_ == pytest.approx(best, rel=1e-4) and judge(fitted.model_).gap <= 1e-4
    of_rows = clone(ranker).set_params(C=3.0, C_scale="rows").fit(X, time, **given)
    assert of_rows.model_.C * rows.cost.sum() / 2.0 == pytest.approx(3.0 * weight.sum())
    fitted.dual_coef_[:] = fitted.model_.solution.beta[:] = 0.0  # all scores are tied
    s = fitted.predict(X)
    right = (s[later] > s[earlier]) + 0.5 * (s[later] == s[earlier])
    assert fitted.score(X, time, **given) == pytest.approx((rows.cost @ right) / rows.cost.sum()) == 0.5
    s = of_rows.predict(X)
    expected = rows.cost @ (s[later] > s[earlier]) / rows.cost.sum()
    assert of_rows.score(X, time, **given) == pytest.approx(expected) and expected > 0.6


@pytest.mark.parametrize("n_partners", ["all", 5])
def test_c_weighs_rows_whatever_is_censored(n_partners):
    """With C_scale="rows" the weight of all pairs together is C n; a row of weight 0 is not there."""
    X, time, event, _, _ = patients(2, 40)
    ranker = PairwiseRankSVM(C=3.0, n_partners=n_partners, random_state=0, kernel="linear")
    rows = ranker.fit(X, time, event=event).model_.problem.rows
    weight = rows.total_weight if n_partners == "all" else rows.cost.sum()
    assert ranker.model_.C * weight == pytest.approx(3.0 * 40)
    if n_partners == "all":
        without = clone(ranker).fit(X[10:], time[10:], event=event[10:])
        zeros = clone(ranker).fit(X, time, event=event, sample_weight=np.arange(40) >= 10)
        np.testing.assert_allclose(zeros.coef_, without.coef_, rtol=1e-6)


def test_ties_by_hand():
    """At time 2 one row dies and one is censored: the censored one lived longer. Two deaths at a time have no order."""
    time, event = np.array([2.0, 2.0, 2.0, 5.0]), np.array([True, False, True, False])
    expected = np.zeros((4, 4), dtype=bool)
    expected[1, 0] = expected[1, 2] = expected[3, 0] = expected[3, 2] = True
    np.testing.assert_array_equal(ordered(time, event), expected)
    assert count_pairs(order_of_times(time, event), None, np.ones(4), event) == 4
    assert concordance_index(time, [0, 1, 1, 2], event=event) == 3.5 / 4
    assert concordance_index(time, [0, 1, 1, -2], event=event) == 1.5 / 4


@pytest.mark.parametrize("seed", range(5))
def test_concordance_is_the_share_of_pairs(seed):
    X, time, event, groups, weight = patients(seed)
    s = np.round(X[:, 0], 1)
    groups = groups if seed % 2 else None
    of_pairs = ordered(time, event, groups) * np.outer(weight, weight)
    right = (s[:, None] > s) + 0.5 * (s[:, None] == s)
    found = concordance_index(time, s, groups, weight, event)
    assert found == pytest.approx((of_pairs * right).sum() / of_pairs.sum(), rel=1e-12)


def structured(time, event):
    return np.array(list(zip(event, time)), dtype=[("dead", bool), ("days", float)])


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored by KFold")
def test_a_search_scores_and_fits_censored_times():
    """Each score of a fold is Harrell's index of a fit to its training rows; the last fit is that of the estimator."""
    X, time, event, groups, weight = patients(4, 60)
    given = {"groups": groups, "sample_weight": weight}
    ranker = SwappedPairsSVM(kernel="linear", tol=1e-5)
    search = RankSearchCV(ranker, Cs=[0.1, 1.0], param_grid=None, scale=False, cv=KFold(3), fast=False)
    search.fit(X, time, event=event, **given)
    for fold, (train, test) in enumerate(KFold(3).split(X)):
        for place, C in enumerate([0.1, 1.0]):
            one = clone(ranker).set_params(C=C)
            one.fit(X[train], time[train], groups[train], weight[train], event=event[train])
            expected = concordance_index(time[test], one.predict(X[test]), groups[test], weight[test], event[test])
            assert search.cv_results_[f"split{fold}_test_score"][place] == pytest.approx(expected, abs=1e-12)
    last = clone(ranker).set_params(**search.best_params_).fit(X, time, event=event, **given)
    np.testing.assert_allclose(search.predict(X), last.predict(X), atol=1e-12)
    assert search.score(X, time, event=event, **given) == last.score(X, time, event=event, **given)


def test_an_average_of_ranks_hands_events_to_its_members():
    """The worst member of two gets no weight; rows are ordered as by the other one alone."""
    X, time, event, groups, weight = patients(5, 60)
    ranker = make_pipeline(StandardScaler(), SwappedPairsSVM(kernel="linear", tol=1e-5))
    search = RankSearchCV(SwappedPairsSVM(kernel="linear"), Cs=[1.0], param_grid=None)
    alone = RankAverage([("ranker", ranker)]).fit(X, time, groups, weight, event)
    by_hand = clone(ranker[-1]).fit(StandardScaler().fit_transform(X), time, groups, weight, event=event)
    np.testing.assert_array_equal(alone.named_estimators_["ranker"][-1].coef_, by_hand.coef_)
    noise = make_pipeline(FunctionTransformer(partial(np.roll, shift=7, axis=0)), SwappedPairsSVM(kernel="linear"))
    both = RankAverage([("noise", noise), ("search", search)], weights="cv", cv=3).fit(X, structured(time, event))
    assert both.weights_[1] >= 0.9
