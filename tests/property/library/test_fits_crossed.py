"""Every public estimator crossed with probabilities, routing, copies, refits, solvers and unusual targets."""

import inspect
import pickle
import re
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sklearn
from crossed import (
    ESTIMATORS,
    EXCEPTIONS,
    IN_GROUPS,
    QUIET,
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
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError, UndefinedMetricWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

import rankmargin
from rankmargin import metrics
from rankmargin.certificates import judge
from rankmargin.estimators.path import has_path

pytestmark = QUIET


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


@pytest.mark.parametrize("estimator", with_parameter("prediction"), ids=lambda e: type(e).__name__)
def test_the_most_probable_grade_can_be_chosen(estimator):
    X, y = data(estimator)
    y = np.minimum(y, np.arange(N) % 5)  # few have the highest grade
    given = {"probability": True} if takes(estimator, "probability") else {}
    by_score, most = (clone(estimator).set_params(prediction=way, **given) for way in ("thresholds", "most_probable"))
    said = most.fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(said, by_score.fit(X, y).predict_proba(X))
    np.testing.assert_array_equal(most.predict(X), most.classes_[said.argmax(axis=1)])
    two = clone(most).fit(X[y < 2], y[y < 2])
    np.testing.assert_array_equal(two.decision_function(X) > 0, two.predict(X) == 1)


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

        if (
            takes(estimator, "labels")
            and value == 1
            and isinstance(estimator, rankmargin.RankThreshold | rankmargin.ComparisonLink)
        ):
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
    "estimator",  # grades are refused by their names, and Ridge is not ours
    [one for one in ESTIMATORS if not is_classifier(one) and "Ridge" not in str(one)],
    ids=lambda one: str(one)[:40],
)
def test_targets_of_weight_0_are_not_looked_at(estimator):
    """However large they are, if y holds numbers."""
    X, y = data(estimator)
    weight = (np.arange(N) % 4 > 0).astype(float)
    huge = np.where(weight > 0, y, 1e300)
    one, other = (clone(estimator).fit(X, targets, sample_weight=weight) for targets in (huge, y))
    unless("weights of 0", estimator, lambda: same(one, other, X))


@pytest.mark.parametrize("estimator", with_parameter("C"), ids=lambda e: str(e)[:40])
def test_numbers_of_another_precision_are_floats(estimator):
    """numpy computes in the precision of such a number: a half gave a gap of 0 to a function that was far away."""
    X, y = data(estimator)
    numbers = {"C": 2.0, "gamma": 0.5, "epsilon": 0.25, "C_rank": 4.0}
    numbers = {name: value for name, value in numbers.items() if takes(estimator, name)}
    plain = clone(estimator).set_params(**numbers).fit(X, y)
    for kind in (np.float16, np.float32, np.longdouble, Fraction):
        of_kind = {name: kind(value) for name, value in numbers.items()}
        other = clone(estimator).set_params(**of_kind).fit(X, y)
        exact(other, plain, X)
        if hasattr(other, "gap_"):
            assert isinstance(other.gap_, float) and judge(other.model_, X).gap == judge(plain.model_, X).gap


def test_a_generator_draws_the_partners():
    ranker = rankmargin.PairwiseRankSVM(n_partners=2, kernel="linear")
    X, y = data(ranker)
    made = [clone(ranker).set_params(random_state=np.random.default_rng(seed)) for seed in (3, 3, 4)]
    first, again, other = (one.fit(X, y).predict(X) for one in made)
    np.testing.assert_array_equal(first, again)
    assert np.any(first != other)
