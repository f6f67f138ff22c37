"""Censored times: sums over pairs, fits and concordance against the list of pairs, and scikit-survival's numbers."""

import numpy as np
import pytest
from reference_qp import optimum, squared_hinge_optimum
from sklearn.base import clone

from rankmargin import PairwiseRankSVM, SwappedPairsSVM
from rankmargin.certificates import certify, judge
from rankmargin.kernels import Kernel
from rankmargin.metrics import concordance_index
from rankmargin.oracles.pair_losses import PairLoss
from rankmargin.problem import Problem
from rankmargin.rows.censored import order_of_times, share_uncensored
from rankmargin.rows.pairs import NoPairError, all_pairs, count_pairs
from rankmargin.rows.rows import Rows
from rankmargin.solvers.smoothed_newton import smoothed_newton
from rankmargin.spaces import KernelSpace, LinearSpace


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


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("h", [0.0, 0.25, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_sums_are_those_of_all_pairs(seed, h, loss):
    """Slopes, loss, weight and curvature; ties of times and of scores, groups, weights."""
    X, time, event, groups, weight = patients(seed)
    groups = groups if seed % 2 else None
    s, u = np.round(2 * X[:, 0]) / 2, X[:, 1]
    pairs = PairLoss(order_of_times(time, event), groups, 0.5, 1.0, loss, weight, weight * event)
    of_pairs = ordered(time, event, groups) * np.outer(weight, weight)
    assert pairs.total_weight == of_pairs.sum() > 0
    assert pairs.take(np.arange(20)).total_weight == of_pairs[:20, :20].sum()
    found, short = pairs.slopes(s, h), 0.5 - (s[:, None] - s)
    if loss == "squared_hinge":
        slope, value = 2 * np.maximum(short, 0.0), np.maximum(short, 0.0) ** 2
        curve = 2.0 * (short > 0)
    else:
        slope, value = np.clip(short / h + 0.5, 0.0, 1.0) if h else (short > 0) * 1.0, np.maximum(short, 0.0)
        curve = ((short > -0.5 * h) & (short <= 0.5 * h)) / h if h else 0.0 * short
    slope, curve = of_pairs * slope, of_pairs * curve
    np.testing.assert_allclose(found.beta, slope.sum(axis=1) - slope.sum(axis=0), atol=1e-9)
    assert (found.total, found.loss) == pytest.approx((slope.sum(), (of_pairs * value).sum()), abs=1e-9)
    if h or loss == "squared_hinge":
        both = curve + curve.T
        np.testing.assert_allclose(pairs.curvature_times(found, u)[:, 0], both.sum(axis=1) * u - both @ u, atol=1e-8)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("seed", range(3))
def test_newton_reaches_the_optimum(seed, loss, kernel):
    X, time, event, groups, weight = patients(seed)
    C, K = 10.0 ** (seed - 1), Kernel(kernel, 0.5).gram(X, X)
    space = KernelSpace(K) if kernel == "rbf" else LinearSpace(X)
    pairs = PairLoss(order_of_times(time, event), groups, 0.5, 2.0, loss, weight, weight * event)
    best = (optimum if loss == "hinge" else squared_hinge_optimum)(listed(time, event, groups, weight, 0.5, 2.0), K, C)
    (solution,) = smoothed_newton(Problem(pairs, space), [C], tol=1e-6)
    certificate = certify(Problem(pairs, space), C, solution)
    assert certificate.infeasibility == 0.0
    assert certificate.objective == pytest.approx(best, rel=1e-5)
    assert best * (1 - 1e-5) <= certificate.dual_bound <= best * (1 + 1e-6)


@pytest.mark.parametrize("solver", ["auto", "smoothed_newton", "dual_cd", "interior_point", "cutting_plane"])
def test_every_solver_and_both_ways_to_say_it(solver):
    """The objective of the estimator is that of the listed pairs; a structured y says the same as event=."""
    X, time, event, _, weight = patients(1)
    ranker = SwappedPairsSVM(C=2.0, kernel="rbf", gamma=0.5, C_scale="pairs", tol=1e-5, solver=solver)
    given = ranker.fit(X, time, event=event, sample_weight=weight)
    best = optimum(listed(time, event, None, weight, 0.5, 2.0), Kernel("rbf", 0.5).gram(X, X), 2.0)
    assert given.objective_ == pytest.approx(best, rel=1e-4)
    assert judge(given.model_).gap <= 1e-4
    y = np.array(list(zip(event, time)), dtype=[("dead", bool), ("days", float)])
    np.testing.assert_array_equal(clone(ranker).fit(X, y, sample_weight=weight).predict(X), given.predict(X))
    assert given.score(X, y) == given.score(X, time, event=event) == concordance_index(y, given.predict(X))


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


def test_without_censoring_it_is_the_usual_problem():
    X, time, _, groups, weight = patients(3)
    usual = SwappedPairsSVM(kernel="linear").fit(X, time, groups=groups, sample_weight=weight)
    events = clone(usual).fit(X, time, groups=groups, sample_weight=weight, event=np.ones(30))
    np.testing.assert_array_equal(usual.coef_, events.coef_)
    assert concordance_index(time, X[:, 0], event=np.ones(30)) == pytest.approx(concordance_index(time, X[:, 0]))


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
    groups, rest = (groups, patients(seed + 9)[1:3]) if seed % 2 else (None, (time, event))
    censoring = np.array(list(zip(rest[1], rest[0])), dtype=[("event", bool), ("time", float)])
    share = share_uncensored(*rest, time)
    until = float(np.quantile(time[event & (share > 0)], 0.8))
    for uno in (False, True):
        of_pairs = ordered(time, event & (time < until), groups) * np.outer(weight, weight)
        of_pairs = np.divide(of_pairs, share**2, out=np.zeros((30, 30)), where=share > 0) if uno else of_pairs
        right = (s[:, None] > s) + 0.5 * (s[:, None] == s)
        given = {"censoring": censoring} if uno else {}
        found = concordance_index(time, s, groups, weight, event, until=until, **given)
        assert found == pytest.approx((of_pairs * right).sum() / of_pairs.sum(), rel=1e-12)


def test_kaplan_meier_by_hand():
    """At risk of being censored: 5 at time 1, 3 at time 2 after the event there, 1 at time 4."""
    time, event = np.array([1.0, 2.0, 2.0, 3.0, 4.0]), np.array([False, True, False, True, False])
    found = share_uncensored(time, event, np.array([0.5, 1.0, 1.5, 2.0, 3.9, 4.0]))
    np.testing.assert_allclose(found, [1, 4 / 5, 4 / 5, 4 / 5 * 2 / 3, 4 / 5 * 2 / 3, 0])


def test_errors_name_the_argument():
    X, time, event, _, _ = patients(0)
    ranker = SwappedPairsSVM(kernel="linear")
    with pytest.raises(NoPairError, match="event must leave a pair to learn from"):
        ranker.fit(X, time, event=np.zeros(30))
    with pytest.raises(NoPairError, match="event must leave a pair to compare"):
        ranker.fit(X, time).score(X, time, event=np.zeros(30))
    with pytest.raises(NoPairError, match="event must leave a pair to learn from"):
        PairwiseRankSVM().fit(X, time, event=np.zeros(30))
    with pytest.raises(ValueError, match="event must hold 0 or 1, or a bool, for each of 30 rows of y"):
        ranker.fit(X, time, event=2 * event)
    with pytest.raises(ValueError, match="event must hold 0 or 1"):
        ranker.fit(X, time, event=event[1:])
    with pytest.raises(ValueError, match="y must have a field of bool, the event, and one of numbers, the time"):
        ranker.fit(X, np.zeros(30, dtype=[("time", float), ("event", bool)]))
    with pytest.raises(ValueError, match="pair_weight must be None with censored times"):
        ranker.fit(X, time, event=event, pair_weight="ndcg")
    censoring = np.array([(False, 0.5)], dtype=[("event", bool), ("time", float)])
    with pytest.raises(ValueError, match="censoring must hold rows that are not yet censored"):
        concordance_index(time, X[:, 0], event=event, censoring=censoring)


def test_all_pairs_are_listed_once():
    """The weights of the list are those of the definition."""
    _, time, event, groups, weight = patients(4)
    rows = all_pairs(order_of_times(time, event), groups).weighted(weight, weight * event)
    expected = listed(time, event, groups, weight)
    np.testing.assert_array_equal([rows.plus, rows.minus, rows.cost], [expected.plus, expected.minus, expected.cost])
