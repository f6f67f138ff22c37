"""Every public estimator crossed with rows and targets in every form and order, weights, groups, events and kernels."""

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from crossed import (
    DAYS,
    ESTIMATORS,
    MISSING,
    ON_PAIRS,
    ORDINAL,
    QUIET,
    RANKERS,
    N,
    data,
    every,
    exact,
    fitted_once,
    frames,
    made_search,
    same,
    takes,
    told,
    unless,
    with_parameter,
)
from public import INNER
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning, UndefinedMetricWarning
from sklearn.utils.validation import has_fit_parameter

import rankmargin
from rankmargin import metrics
from rankmargin.estimators.base import KernelMachine
from rankmargin.metrics.scorers import SCORERS

pytestmark = QUIET


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
    if not isinstance(estimator, rankmargin.RankSearchCV):  # its folds hold other rows
        same(weighted, without, X)
    assert weighted.score(X, y, sample_weight=weight) == pytest.approx(weighted.score(X[kept], y[kept]))
    for wrong in (np.zeros(N), -weight, np.full(N, np.nan), weight[1:]):
        with pytest.raises(ValueError, match=r"weight|NaN|inconsistent"):
            clone(estimator).fit(X, y, sample_weight=wrong)
    if isinstance(estimator, KernelMachine) and not isinstance(estimator, rankmargin.RankSVR):
        given = {"sample_weight": weight} | ({"groups": np.arange(N) % 4} if takes(estimator, "labels") else {})
        weighted, without = (
            clone(estimator).fit(X[rows], y[rows], **{name: values[rows] for name, values in given.items()})
            for rows in (np.arange(N), kept)
        )
        same(weighted, without, X, atol=0.0)
        # a group without weight is none
        np.testing.assert_array_equal(*(getattr(fitted, "standard_errors_", 0.0) for fitted in (weighted, without)))


@pytest.mark.parametrize("estimator", [one for one in ESTIMATORS if not takes(one, "Cs")], ids=lambda e: str(e)[:40])
def test_weights_that_overflow(estimator):
    """A fit refuses them clearly, or its scores are numbers; some fits would take thousands of steps."""
    X, y = data(estimator)
    few = clone(estimator).set_params(**({"max_iter": 100} if takes(estimator, "max_iter") else {}))
    for scale in (1e40, 1e300):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            try:
                found = told(few.fit(X, y, sample_weight=scale * (1.0 + np.arange(N) % 3)), X)
            except ValueError as error:
                assert "sample_weight must" in str(error), (scale, error)
            else:
                assert not any(np.isnan(values).any() for values in found.values()), scale


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


@every
def test_the_order_of_rows_does_not_matter(estimator):
    plain, X, y = fitted_once(estimator)
    rows = np.random.default_rng(1).permutation(N)
    unless("permuted rows", estimator, lambda: same(plain, clone(estimator).fit(X[rows], y[rows]), X))


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


def has_in_fit(name):
    found = [one for one in ESTIMATORS if name in inspect.signature(one.fit).parameters and not takes(one, "epsilon")]
    return [one for one in found if not (takes(one, "estimator") and is_classifier(one))]


@pytest.mark.parametrize("estimator", has_in_fit("event"), ids=lambda e: str(e)[:40])
def test_events(estimator):
    """All events are none censored; two ways to say them; weights, groups and frames; a search and an average too."""
    if isinstance(estimator, rankmargin.RankAverage):
        estimator = clone(estimator).set_params(estimators=INNER["estimators"][:1])
    if isinstance(estimator, rankmargin.RankSearchCV):  # a metric is learned without events only
        estimator = clone(estimator).set_params(param_grid={"gamma": [0.1, 1.0]})
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
        exact = rankmargin.SwappedPairsSVM(tol=1e-8)  # rough fits of two solvers can choose another C
        estimator = clone(estimator).set_params(fast=False, estimator=exact)
        estimator.set_params(param_grid={"gamma": [0.1, 1.0]})  # a metric is learned without weights of pairs only
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
