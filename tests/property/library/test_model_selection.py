"""Groups, weights and grades in scikit-learn's model selection: pipelines, searches, meta-estimators, scorers."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import StackingClassifier, StackingRegressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.impute import SimpleImputer
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    StratifiedKFold,
    check_cv,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rankmargin import SVOR, FixedMarginSVM, SwappedPairsSVM, ThresholdedRanker
from rankmargin.metrics import get_scorer, kendall_tau, mean_absolute_error, quadratic_kappa, swapped_pairs

NAMES = ["bad", "fair", "good", "excellent"]


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def queries():
    """Rows of 20 queries whose targets have a random offset each: between queries they cannot be compared."""
    rng = np.random.default_rng(0)
    X, groups = rng.standard_normal((160, 4)), np.repeat([f"q{i}" for i in range(20)], 8)
    offset = np.repeat(20.0 * rng.standard_normal(20), 8)
    return X, X[:, 0] + 0.3 * rng.standard_normal(160) + offset, groups


@pytest.fixture(scope="module")
def graded():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((120, 3))
    return X, np.array(NAMES)[np.digitize(X[:, 0] + 0.4 * rng.standard_normal(120), [-0.8, 0.0, 0.8])]


def ranker():
    return SwappedPairsSVM(kernel="linear").set_fit_request(groups=True).set_score_request(groups=True)


def by_hand(queries):
    X, y, groups = queries
    scores = []
    for train, test in GroupKFold(4).split(X, y, groups):
        fitted = SwappedPairsSVM(kernel="linear").fit(X[train], y[train], groups=groups[train])
        scores.append(1 - swapped_pairs(y[test], fitted.predict(X[test]), groups[test]))
    return scores


@pytest.mark.usefixtures("routing")
def test_groups_reach_fit_and_score(queries):
    X, y, groups = queries
    expected = by_hand(queries)
    assert min(expected) > 0.8
    given = {"cv": GroupKFold(4), "params": {"groups": groups}}
    np.testing.assert_allclose(cross_val_score(ranker(), X, y, **given), expected)
    np.testing.assert_allclose(cross_val_score(make_pipeline(ranker()), X, y, **given), expected)
    scaled = cross_val_score(make_pipeline(StandardScaler(), ranker()), X, y, **given)
    np.testing.assert_allclose(scaled, expected, atol=0.03)
    for scorer in (get_scorer("concordance"), "r2"):
        plain = SwappedPairsSVM(kernel="linear").set_fit_request(groups=True)
        found = cross_val_score(make_pipeline(plain), X, y, scoring=scorer, **given)
        if scorer != "r2":
            np.testing.assert_allclose(found, expected)


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("search", [GridSearchCV, HalvingGridSearchCV])
def test_groups_reach_a_search(queries, search):
    X, y, groups = queries
    model, grid = make_pipeline(StandardScaler(), ranker()), {"swappedpairssvm__C": [0.01, 1.0]}
    options = {"random_state": 0, "min_resources": 80} if search is HalvingGridSearchCV else {}
    found = search(model, grid, cv=GroupKFold(4), **options).fit(X, y, groups=groups)
    assert found.best_score_ > 0.8
    assert found.score(X, y, groups=groups) > 0.8
    assert found.score(X, y) < 0.75  # across the queries nothing can be learned


@pytest.mark.usefixtures("routing")
def test_groups_reach_a_ranker_with_thresholds(queries):
    X, _, groups = queries
    grades = np.digitize(X[:, 0] + 0.2 * X[:, 1], [-0.5, 0.5])
    model = ThresholdedRanker(SwappedPairsSVM(kernel="linear").set_fit_request(groups=True))
    search = GridSearchCV(model, {"ranker__C": [0.1, 1.0]}, cv=GroupKFold(4), scoring=get_scorer("concordance"))
    search.fit(X, grades, groups=groups)
    direct = SwappedPairsSVM(kernel="linear", C=search.best_params_["ranker__C"]).fit(X, grades, groups=groups)
    np.testing.assert_allclose(search.best_estimator_.score_samples(X), direct.predict(X))
    assert set(search.predict(X)) <= set(grades)


def test_a_fold_without_a_pair_scores_nan_and_says_so():
    rng = np.random.default_rng(0)
    X, y, groups = rng.standard_normal((30, 2)), np.arange(30.0), np.arange(30)
    groups[:20] = 0
    fitted = SwappedPairsSVM(kernel="linear").fit(X, y, groups=groups)
    with pytest.warns(UndefinedMetricWarning, match="no pair to compare, groups must hold at least one group"):
        assert np.isnan(fitted.score(X[20:], y[20:], groups=groups[20:]))
    with pytest.warns(UndefinedMetricWarning, match="no pair to compare, y must hold at least two distinct values"):
        assert np.isnan(fitted.score(X[:5], np.ones(5)))
    for name in ("concordance", "kendall"):
        with pytest.warns(UndefinedMetricWarning, match=f"{name} is nan.*no pair"):
            assert np.isnan(get_scorer(name)(fitted, X[20:], y[20:], groups=groups[20:]))
    assert fitted.score(X[:20], y[:20]) == get_scorer("concordance")(fitted, X[:20], y[:20])


@pytest.mark.usefixtures("routing")
def test_a_fold_without_a_pair_does_not_decide_a_search():
    """The candidates differ in one column. With nan all would be equal, and the first would be chosen."""
    rng = np.random.default_rng(0)
    X, groups = rng.standard_normal((48, 2)), np.repeat(np.arange(6), 8)
    y = np.where(groups == 5, 3.0, X[:, 0] + 10.0 * groups)
    scoring = get_scorer("concordance", undefined=0.5)
    model = make_pipeline(ColumnTransformer([]), ranker())
    grid = {"columntransformer__transformers": [[("one", "passthrough", [column])] for column in (1, 0)]}
    search = GridSearchCV(model, grid, cv=GroupKFold(6), scoring=scoring).fit(X, y, groups=groups)
    assert search.best_params_["columntransformer__transformers"][0][2] == [0]
    assert np.sum(np.isclose([search.cv_results_[f"split{k}_test_score"][1] for k in range(6)], 0.5)) == 1
    assert search.best_score_ == pytest.approx((5.0 + 0.5) / 6)


def test_grades_with_names_in_a_search(graded):
    X, names = graded
    frame = pd.DataFrame(X, columns=list("abc")).assign(colour=np.where(X[:, 1] > 0, "red", "blue"))
    grades = pd.Series(pd.Categorical(names, NAMES, ordered=True))
    columns = ColumnTransformer([("n", StandardScaler(), list("abc")), ("c", OneHotEncoder(), ["colour"])])
    for y, categories in ((grades, None), (names, NAMES), (names.astype(object), NAMES)):
        model = make_pipeline(columns, SVOR(categories=categories))
        for name in ("concordance", "neg_mean_absolute_error", "quadratic_kappa", "kendall"):
            search = GridSearchCV(model, {"svor__C": [0.1, 1.0]}, cv=3, scoring=get_scorer(name)).fit(frame, y)
            assert search.best_score_ > (-0.6 if name.startswith("neg") else 0.5)
        assert search.classes_.tolist() == sorted(NAMES) and search.best_estimator_[-1].grades_.tolist() == NAMES
        predicted = search.predict(frame)
        assert set(predicted) <= set(NAMES)
        assert np.mean(predicted == names) == search.best_estimator_.score(frame, y) > 0.6
        codes, truth = ([NAMES.index(name) for name in of] for of in (predicted, names))
        expected = -mean_absolute_error(truth, codes)
        assert get_scorer("neg_mean_absolute_error")(search, frame, y) == pytest.approx(expected)
    assert isinstance(check_cv(3, names, classifier=sklearn.base.is_classifier(model)), StratifiedKFold)
    assert isinstance(check_cv(3, X[:, 0], classifier=sklearn.base.is_classifier(SwappedPairsSVM())), KFold)


def test_classifiers_and_regressors_of_scikit_learn_take_ours(graded):
    X, names = graded
    ordinal = SVOR(categories=NAMES)
    columns = ordinal.fit(X, names).decision_function(X)
    np.testing.assert_array_equal(ordinal.classes_[columns.argmax(axis=1)], ordinal.predict(X))
    two = FixedMarginSVM().fit(X, X[:, 0] > 0)
    np.testing.assert_array_equal(two.decision_function(X) > 0, two.predict(X))
    calibrated = CalibratedClassifierCV(ordinal, cv=3).fit(X, names)
    assert np.mean(calibrated.predict(X) == names) > 0.6
    codes = np.array([NAMES.index(name) for name in names])  # scikit-learn's stacking sorts names by the alphabet
    stacked = StackingClassifier([("svor", SVOR())], LogisticRegression(), cv=3).fit(X, codes)
    assert np.mean(stacked.predict(X) == codes) > 0.6
    with pytest.raises(ValueError, match=r"number the names in alphabetical order; use categories=\[0, 2, 3, 1"):
        StackingClassifier([("svor", SVOR(categories=NAMES))], LogisticRegression(), cv=3).fit(X, names)
    ordered = StackingClassifier([("svor", SVOR(categories=[0, 2, 3, 1]))], LogisticRegression(), cv=3).fit(X, names)
    np.testing.assert_array_equal(ordered.predict(X), np.array(NAMES)[stacked.predict(X)])
    grades = pd.Series(pd.Categorical(names, NAMES, ordered=True))
    by_codes = StackingClassifier([("svor", SVOR())], LogisticRegression(), cv=3).fit(X, grades.cat.codes)
    np.testing.assert_array_equal(by_codes.predict(X), stacked.predict(X))
    # scikit-learn hands on the places in the alphabet alone, so the order of the categorical is lost: documented
    lost = StackingClassifier([("svor", SVOR())], LogisticRegression(), cv=3).fit(X, grades)
    alphabet = [sorted(NAMES).index(name) for name in NAMES]
    assert lost.estimators_[0].grades_.tolist() == sorted(alphabet) != alphabet
    wanted = {"cv": KFold(3), "method": "predict_proba"}
    by_name = cross_val_predict(SVOR(categories=alphabet, probability=True), X, grades, **wanted)
    numbers = cross_val_predict(SVOR(probability=True), X, grades.cat.codes, **wanted)
    np.testing.assert_allclose(by_name, numbers[:, np.argsort(alphabet)], rtol=1e-9)
    assert np.any(by_name != cross_val_predict(SVOR(probability=True), X, grades, **wanted))
    for one in (
        CalibratedClassifierCV(ordinal, cv=3, ensemble=False),
        CalibratedClassifierCV(ordinal, method="temperature"),
    ):
        with pytest.raises(ValueError, match=r"use categories=.* there, or numbers for names"):
            one.fit(X, names)
        assert one.set_params(estimator=SVOR()).fit(X, codes).score(X, codes) > 0.6


def test_a_thresholded_ranker_takes_the_table_as_its_ranker_does(graded):
    """Names and missing values are for the pipeline inside; so are the names of the columns."""
    X, names = graded
    frame = pd.DataFrame(X, columns=list("abc")).assign(colour=np.where(X[:, 1] > 0, "red", "blue"))
    frame.loc[::7, "a"] = np.nan
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    columns = ColumnTransformer([("n", numbers, list("abc")), ("c", OneHotEncoder(), ["colour"])])
    grader = ThresholdedRanker(make_pipeline(columns, Ridge()), categories=NAMES, probability=True).fit(frame, names)
    assert grader.score(frame, names) > 0.5 and grader.feature_names_in_.tolist() == [*"abc", "colour"]
    np.testing.assert_allclose(grader.predict_proba(frame).sum(axis=1), 1.0)
    assert cross_val_score(grader, frame, names, cv=3).min() > 0.3
    with pytest.raises(ValueError, match="feature names should match"):
        grader.predict(frame[["b", "a", "c", "colour"]])
    y = X[:, 0] + X[:, 1]
    orders = SwappedPairsSVM(kernel="linear").fit(X, y)
    curve = partial_dependence(orders, X, [0], grid_resolution=5)["average"][0]
    assert np.all(np.diff(curve) > 0)
    assert StackingRegressor([("r", SwappedPairsSVM())], Ridge(), cv=3).fit(X, y).score(X, y) > 0.8
    exp = TransformedTargetRegressor(SwappedPairsSVM(kernel="linear"), func=np.log, inverse_func=np.exp)
    assert swapped_pairs(y, exp.fit(X, np.exp(y)).predict(X)) < 0.05


@pytest.mark.parametrize("order", [["bad", "fair", "good", "excellent"], ["excellent", "good", "fair", "bad"]], ids=str)
def test_scorers_of_classifiers_that_know_no_order(order, graded):
    """The order is that of the categorical, also if the classifier returns names, and sorted ones are in another."""
    X, names = graded
    place = np.array([order.index(name) for name in names])
    grades = pd.Series(pd.Categorical(names, order, ordered=True))
    model = DecisionTreeClassifier(max_depth=3, random_state=0)
    named, plain = make_pipeline(clone(model)).fit(X, grades), clone(model).fit(X, place)
    by_places = np.array([order.index(name) for name in named.predict(X)])
    for name, metric in (
        ("concordance", lambda y, s: 1.0 - swapped_pairs(y, s)),
        ("kendall", kendall_tau),
        ("neg_mean_absolute_error", lambda y, s: -mean_absolute_error(y, s)),
        ("quadratic_kappa", quadratic_kappa),
    ):
        assert get_scorer(name)(named, X, grades) == pytest.approx(metric(place, by_places))
        assert get_scorer(name)(plain, X, place) == pytest.approx(metric(place, plain.predict(X)))
