"""Every public estimator crossed with probabilities, routing, copies, refits, solvers and unusual targets."""

import pickle
import traceback
from fractions import Fraction

import numpy as np
import pytest
import sklearn
from crossed import (
    QUIET,
    N,
    data,
    every,
    exact,
    fitted_once,
    made_search,
    same,
    takes,
    with_parameter,
)
from public import CLASSES, made
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold, cross_val_score
from sklearn.utils.validation import has_fit_parameter

import rankmargin
from rankmargin import metrics
from rankmargin.certificates import judge
from rankmargin.estimators.path import has_path

pytestmark = QUIET


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
        with pytest.raises(AttributeError, match="has no attribute 'predict_proba'") as refused:
            plain.predict_proba(X)
        assert "probability=True before fit" in "".join(traceback.format_exception(refused.value))
    with pytest.raises(NotFittedError, match="predict_proba needs a call of fit with probability=True"):
        clone(estimator).fit(X, y).set_params(probability=True).predict_proba(X)


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
    if type(estimator) is rankmargin.RankSVR:
        return  # a regression takes any targets
    with pytest.raises(ValueError, match=r"\by\b|labels"):
        clone(estimator).fit(X, np.zeros(N))
    if isinstance(estimator, rankmargin.RankThreshold | rankmargin.ComparisonLink):
        clone(estimator).fit(X, np.ones(N))  # winners first


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


# One step


USUAL = {"kernel": "linear", "random_state": 0, "epochs": 3, "Cs": (0.1, 1.0), "cv": 2}
REFITTED = [made(cls, **USUAL) for cls in (*CLASSES, rankmargin.PairTransformer)]
REFITTED += [made(cls, probability=True) for cls in (rankmargin.ComparisonSVM, rankmargin.FixedMarginSVM)]
REFITTED += [made(cls, probability=True) for cls in (rankmargin.SVOR, rankmargin.ThresholdedRanker)]
READS = (
    "predict",
    "score_samples",
    "decision_function",
    "predict_proba",
    "rank",
    "transform",
    "get_feature_names_out",
)


def named(estimator):
    return type(estimator).__name__


def renamed(estimator, seed):
    """Return rows and targets; the grades of different seeds have different names."""
    X, y = data(estimator, seed)
    return X, y if hasattr(estimator, "labels") else y + 10 * seed


def answers(estimator, X):
    """Return what the estimator says about X: (name, array)."""
    told = {}
    for name in READS:
        if hasattr(estimator, name):
            rows = X[:, :2] if name == "rank" else X
            told[name] = np.asarray(getattr(estimator, name)(*([] if name == "get_feature_names_out" else [rows])))
    return told


def state(estimator):
    return {name: id(value) for name, value in vars(estimator).items()}


@pytest.mark.parametrize("estimator", REFITTED, ids=named)
def test_a_fit_that_fails_anywhere_changes_nothing(estimator, monkeypatch):
    """The n-th attribute that a refit sets raises, for each n."""
    estimator, (X, y) = clone(estimator).fit(*renamed(estimator, 1)), renamed(estimator, 1)
    before, expected = state(estimator), answers(estimator, X)
    left, kind = [0], type(estimator)

    def failing(self, name, value):
        if isinstance(self, kind):
            left[0] -= 1
            if left[0] == 0:
                raise FloatingPointError("the fit fails here")
        object.__setattr__(self, name, value)

    monkeypatch.setattr(kind, "__setattr__", failing)
    for n in range(1, 300):
        left[0] = n
        try:
            estimator.fit(*renamed(estimator, 2))
        except FloatingPointError:
            assert state(estimator) == before, f"attribute {n} of the refit was set on the estimator"
        else:
            break
    assert n > 2 and state(estimator) != before
    monkeypatch.undo()
    again = clone(estimator).fit(X, y)
    for name, value in answers(again, X).items():
        np.testing.assert_array_equal(value, expected[name])
