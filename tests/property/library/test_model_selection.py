"""Groups, weights and grades in scikit-learn's model selection: pipelines, searches, meta-estimators, scorers."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from made_problems import noisy
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import StackingClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    cross_val_predict,
)
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from rankmargin import SVOR, SwappedPairsSVM
from rankmargin.metrics import get_scorer, kendall_tau, mean_absolute_error, quadratic_kappa, swapped_pairs

NAMES = ["bad", "fair", "good", "excellent"]


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def graded():
    X, u = noisy(120, 3, 0.4, seed=1)
    return X, np.array(NAMES)[np.digitize(u, [-0.8, 0.0, 0.8])]


def ranker():
    return SwappedPairsSVM(kernel="linear").set_fit_request(groups=True).set_score_request(groups=True)


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


def test_classifiers_of_scikit_learn_number_names_by_the_alphabet(graded):
    """``categories`` says the order of such numbers; the order of a categorical is lost."""
    X, names = graded
    codes = np.array([NAMES.index(name) for name in names])
    stacked = StackingClassifier([("svor", SVOR())], LogisticRegression(), cv=3).fit(X, codes)
    assert np.mean(stacked.predict(X) == codes) > 0.6
    ordered = StackingClassifier([("svor", SVOR(categories=[0, 2, 3, 1]))], LogisticRegression(), cv=3).fit(X, names)
    np.testing.assert_array_equal(ordered.predict(X), np.array(NAMES)[stacked.predict(X)])
    grades = pd.Series(pd.Categorical(names, NAMES, ordered=True))
    alphabet = [sorted(NAMES).index(name) for name in NAMES]
    wanted = {"cv": KFold(3), "method": "predict_proba"}
    by_name = cross_val_predict(SVOR(categories=alphabet, probability=True), X, grades, **wanted)
    numbers = cross_val_predict(SVOR(probability=True), X, grades.cat.codes, **wanted)
    np.testing.assert_allclose(by_name, numbers[:, np.argsort(alphabet)], rtol=1e-9)


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
