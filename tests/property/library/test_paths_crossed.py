"""Every public estimator crossed with orderings of other rows, searches, paths, pipelines and averages."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from crossed import (
    ESTIMATORS,
    EXCEPTIONS,
    IN_GROUPS,
    QUIET,
    SEARCHED,
    N,
    data,
    every,
    exact,
    frames,
    same,
    search_over,
    searched,
    takes,
)
from public import made
from scipy.sparse import csr_matrix
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.utils.validation import has_fit_parameter

import rankmargin
from rankmargin.caller import HintWarning

pytestmark = QUIET


ORDERED = [one for one in ESTIMATORS if has_fit_parameter(one, "pairs") and not takes(one, "estimator")]
ORDERED += [clone(one).set_params(kernel=kernel) for kernel in ("linear", "poly") for one in ORDERED]
ORDERED += [made(rankmargin.RankSearchCV).set_params(estimator=ORDERED[0], param_grid=None, fast=False)]


@pytest.mark.parametrize("estimator", ORDERED, ids=lambda e: str(e)[:40])
@pytest.mark.parametrize("own", [False, True], ids=["Z", "rows of X"])
def test_orderings_of_other_rows(estimator, own):
    """Frames, weights against repetition, rows in no pair, another order of Z, C_rank of 0, and refusals."""
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
    exact(fit(pairs=pairs.tolist()), plain, X)
    frame, targets = next(frames(X, y))
    same(plain, fit(pd.DataFrame(Z, columns=frame.columns, index=np.arange(len(Z)) % 7), X=frame, y=targets), X, frame)
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
    none = clone(estimator).fit(X, y)
    if own:
        same(fit(of=clone(estimator).set_params(C_rank=0.0)), none, X)
        same(fit(pairs=pairs[:0]), none, X)
    loaded = pickle.loads(pickle.dumps(plain))
    exact(loaded, plain, X)
    for wrong in (weight[1:], 0.0 * weight, -weight, np.full(len(pairs), np.nan)):
        with pytest.raises(ValueError, match="pair_weight must"):
            fit(pair_weight=wrong)


# Searches


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
    average = rankmargin.RankAverage([("one", clone(search)), ("other", Ridge())]).fit(X, y)
    np.testing.assert_allclose(average.estimators_[0].predict(X), search.predict(X))
    assert np.isfinite(rankmargin.metrics.get_scorer("concordance")(search, X, y))
    assert np.isfinite(search.score(X, y, groups=groups))
    if not is_classifier(estimator):
        graded = rankmargin.ThresholdedRanker(clone(search)).fit(X, np.digitize(y, [-0.5, 0.5]))
        assert graded.score_samples(X).shape == (N,)


@searched
def test_a_search_refuses_before_any_fit(estimator, monkeypatch):
    """Groups, folds and targets that leave nothing to learn or to compare, in words about what was given."""
    X, y = data(estimator)
    monkeypatch.setattr("rankmargin.search.race.rank_path", lambda *given, **named: pytest.fail("a fit began"))
    groups, labels = np.arange(N) % 5, takes(estimator, "labels")
    missing = np.full(N, np.nan)
    refused = [
        ({"groups": groups[1:]}, f"groups must name the group of each of the {N} rows, got {N - 1} names"),
        ({"groups": [N // 2, N // 2]}, f"groups must name the group of each of the {N} rows, got 2 sizes that sum"),
        ({"groups": "query"}, r"groups must be a 1d array with the group of each row, got shape \(\)"),
        ({"groups": np.where(groups == 3, np.nan, groups)}, "groups must name the group of each row, got nan at row 3"),
        ({"cv": 1}, "n_splits"),
        ({"cv": "five"}, "Expected .* cross-validation object"),
        (
            {"y": missing},
            "y must hold labels.*, got nan" if labels else f"Input y contains NaN: {N} of {N} targets are",
        ),
    ]
    for given, message in refused:
        rows = np.array(given.pop("rows", np.arange(N)), dtype=int)
        cv, targets = given.pop("cv", 3), given.pop("y", y[rows])
        with warnings.catch_warnings(), pytest.raises(ValueError, match=message):
            warnings.simplefilter("ignore", HintWarning)
            search_over(estimator, cv=cv).fit(X[rows], targets, **given)


@searched
def test_a_search_refuses_folds_that_say_nothing(estimator):
    """In the words of the fits that found nothing to learn from."""
    X, y = data(estimator)
    for given in ({"y": y[[0] * N]}, {"sample_weight": (y == y[0]).astype(float)}):
        with warnings.catch_warnings(), pytest.raises(ValueError, match=r"distinct|got none"):
            warnings.simplefilter("ignore")
            search_over(estimator, cv=3).fit(**{"X": X, "y": y} | given)


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
        search = search_over(estimator, cv=rankmargin.ItemKFold(3, random_state=0), scoring="accuracy")
        assert np.isfinite(search.fit(X, y, groups=names).best_score_)
    if takes(estimator, "n_bins"):
        binned = clone(estimator).set_params(n_bins=3)
        assert np.isfinite(search_over(binned, cv=5, Cs=C).fit(X, np.argsort(np.argsort(X[:, 0]))).best_score_)


@pytest.mark.parametrize("estimator", SEARCHED[::4], ids=lambda e: str(e)[:40])
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


@every
def test_members_of_an_average_are_those_with_scores(estimator):
    X, y = data(estimator)
    average = rankmargin.RankAverage([("one", clone(estimator)), ("other", Ridge())])
    assert np.isfinite(average.fit(X, y).predict(X)).all()
    for odd in (LogisticRegression(), make_pipeline(StandardScaler(), SVC()), StandardScaler()):
        with pytest.raises(ValueError, match=r"estimators must be regressors or have score_samples, .*'odd'"):
            rankmargin.RankAverage([("one", clone(estimator)), ("odd", odd)]).fit(X, y)


WEIGHTS = np.where(np.arange(N) % 4 > 0, 1.0 + np.arange(N) % 3, 0.0)
INSIDE = [(ranker, "groups", np.arange(N) % 6) for ranker in IN_GROUPS]
INSIDE += [(one, "sample_weight", WEIGHTS) for one in (rankmargin.SwappedPairsSVM(tol=1e-8), Ridge())]


@pytest.mark.parametrize(("ranker", "name", "values"), INSIDE, ids=lambda of: str(of)[:40])
def test_what_is_given_reaches_a_ranker_in_a_pipeline(ranker, name, values):
    """Of thresholds and of an average, by its own name, where scikit-learn wants that of the step, and by that."""
    X, y = data(rankmargin.ThresholdedRanker(ranker))
    piped = Pipeline([("same", FunctionTransformer()), ("own", ranker)])
    for around in (rankmargin.ThresholdedRanker, lambda ranker: rankmargin.RankAverage([("one", ranker)])):
        inside = around(clone(ranker)).fit(X, y, **{name: values})
        exact(around(clone(piped)).fit(X, y, **{name: values}), inside, X)
        with pytest.raises(AssertionError):
            exact(around(clone(piped)).fit(X, y), inside, X)
    if name == "groups":
        inside, by_step = (
            rankmargin.ThresholdedRanker(clone(one)).fit(X, y, **{of: values})
            for one, of in ((ranker, "groups"), (piped, "own__groups"))
        )
        exact(by_step, inside, X)
