"""Forms of parameters, targets, weights and matrices where they meet searches, events and pairs."""

from fractions import Fraction

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning, UndefinedMetricWarning
from sklearn.impute import SimpleImputer

from rankmargin import (
    ComparisonSVM,
    PairwiseRankSVM,
    RankAverage,
    RankSearchCV,
    RankSVR,
    SwappedPairsSVM,
    ThresholdedRanker,
    metrics,
)
from rankmargin.certificates import judge
from rankmargin.estimators.pairs import PairTransformer
from rankmargin.kernels import Kernel

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 4))
Y = X[:, 0] - X[:, 2] + 0.4 * RNG.standard_normal(60)
LABELS = np.sign(X[:, 0] - X[:, 2]) * (abs(X[:, 0] - X[:, 2]) > 0.5)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, lambda value: Fraction(int(value))])
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_number_of_another_precision_is_a_float(kind, kernel):
    """numpy computes in the precision of such a number: a half gave a gap of 0 to a function that was far away."""
    given = {"kernel": kernel, "tol": 1e-6}
    plain = SwappedPairsSVM(C=128.0, gamma=0.5, **given).fit(X, Y)
    other = SwappedPairsSVM(C=kind(128), gamma=np.float16(0.5), **given).fit(X, Y)
    np.testing.assert_array_equal(other.predict(X), plain.predict(X))
    assert isinstance(other.gap_, float) and judge(other.model_, X).gap == judge(plain.model_, X).gap <= 1e-6
    pairs = np.array([[0, 1], [2, 3]])
    tube = RankSVR(C=2.0, epsilon=0.25, kernel=kernel).fit(X, Y, pairs=pairs)
    of_kind = RankSVR(C=kind(2), epsilon=np.float16(0.25), kernel=kernel).fit(X, Y, pairs=pairs)
    np.testing.assert_array_equal(of_kind.predict(X), tube.predict(X))


def test_parameters_of_a_kernel_are_floats():
    kernel = Kernel("poly", gamma=Fraction(1, 2), degree=2, coef0=np.float16(1))
    assert kernel == Kernel("poly", gamma=0.5, degree=2, coef0=1.0)
    np.testing.assert_array_equal(kernel.gram(X, X), Kernel("poly", 0.5, 2, 1.0).gram(X, X))


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.float16])
def test_a_limit_of_seconds_is_a_float(kind):
    """The clock has more digits than single precision: a search ended before its first fit."""
    search = RankSearchCV(max_seconds=kind(600), cv=2, param_grid={"kernel": ["linear"]}).fit(X, Y)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()


@pytest.mark.parametrize("categories", [[4, 3, 2, 1], list("dcba")])
def test_events_keep_the_order_of_a_categorical(categories):
    grades = np.digitize(X[:, 0], [-1, 0, 1])
    y = pd.Series(pd.Categorical.from_codes(grades, categories=categories, ordered=True))
    event, seen = np.ones(60, dtype=bool), np.arange(60) % 3 > 0
    plain, timed = SwappedPairsSVM().fit(X, y), SwappedPairsSVM().fit(X, y, event=event)
    np.testing.assert_array_equal(plain.predict(X), timed.predict(X))
    assert timed.score(X, y, event=event) == timed.score(X, grades, event=event) > 0.9
    for given in (event, seen):
        told = [metrics.concordance_index(of, X[:, 0], event=given) for of in (y, grades)]
        assert told[0] == told[1]
        search = RankSearchCV(cv=2, param_grid={"kernel": ["linear"]}).fit(X, y, event=given)
        by_number = RankSearchCV(cv=2, param_grid={"kernel": ["linear"]}).fit(X, grades, event=given)
        assert search.score(X, y, event=given) == by_number.score(X, grades, event=given)


def test_entries_of_a_matrix_at_one_place_are_added():
    """scikit-learn's variances and distances take each of them as a value."""
    plain = sparse.csr_matrix(X)
    values = np.column_stack([X - 4.0, np.full_like(X, 4.0)]).ravel()
    twice = sparse.csr_matrix((values, np.tile(np.r_[:4, :4], 60), np.arange(0, 481, 8)), shape=X.shape)
    assert abs(plain - twice).max() < 1e-14
    for scale in (True, False):
        searches = [RankSearchCV(cv=2, scale=scale).fit(each, Y) for each in (plain, twice)]
        assert searches[0].best_params_ == searches[1].best_params_
        np.testing.assert_allclose(searches[1].predict(twice), searches[0].predict(plain), rtol=0, atol=1e-6)
    assert not twice.has_canonical_format, "the caller's matrix stays as it is"


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_a_certificate_does_not_follow_the_callers_weights(kernel):
    weight = RNG.uniform(0.5, 2.0, 60)
    fitted = SwappedPairsSVM(kernel=kernel).fit(X, Y, sample_weight=weight)
    before = judge(fitted.model_, X)
    weight /= weight.sum()
    assert judge(fitted.model_, X) == before and before.gap == pytest.approx(fitted.gap_, abs=1e-9)


@pytest.mark.parametrize("columns", [range(4), [5, 3, 8, 1], pd.MultiIndex.from_product([list("ab"), [0, 1]])])
def test_names_of_columns_that_are_no_texts_do_not_tear_pairs_apart(columns):
    frame = pd.DataFrame(X, columns=columns)
    learned = PairTransformer(SimpleImputer()).fit(frame)
    np.testing.assert_allclose(learned.transformer_.statistics_, X.reshape(60, 2, 2).mean(axis=(0, 1)))
    np.testing.assert_array_equal(learned.transform(frame), X)
    searches = [RankSearchCV(ComparisonSVM(), cv=2).fit(form, LABELS) for form in (X, frame)]
    np.testing.assert_array_equal(searches[1].predict(frame), searches[0].predict(X))


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
def test_columns_of_polars_may_have_different_types_in_both_items():
    frame = pl.DataFrame({"p_a": np.arange(60), "q_a": X[:, 1].astype(np.float32), "p_b": X[:, 2], "q_b": X[:, 3] > 0})
    plain = frame.to_pandas().astype(float)
    fitted = [RankSearchCV(ComparisonSVM(), [1.0], "auto", cv=2).fit(form, LABELS) for form in (frame, plain)]
    np.testing.assert_allclose(fitted[0].predict(frame), fitted[1].predict(plain))


def test_a_generator_draws_the_partners():
    def partners(state):
        return PairwiseRankSVM(n_partners=2, kernel="linear", random_state=state).fit(X, Y).predict(X)

    np.testing.assert_array_equal(partners(np.random.default_rng(3)), partners(np.random.default_rng(3)))
    assert np.any(partners(np.random.default_rng(3)) != partners(np.random.default_rng(4)))
    for state in (-1, 1.5, "x"):
        with pytest.raises(ValueError, match="random_state must be an integer >= 0, a generator of"):
            partners(state)


def test_a_search_runs_with_every_backend_of_joblib():
    expected = RankSearchCV(cv=2, param_grid={"kernel": ["linear"]}).fit(X, Y).best_score_
    for backend in ("threading", "multiprocessing", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert RankSearchCV(cv=2, param_grid={"kernel": ["linear"]}).fit(X, Y).best_score_ == expected


def test_rows_of_weight_0_are_among_those_of_a_judge_of_orderings():
    weight, Z = np.where(np.arange(60) < 5, 0.0, 1.0), X[:8] + 0.1
    fitted = RankSVR(kernel="linear").fit(X, Y, Z=Z, pairs=[[0, 1], [2, 3]], sample_weight=weight)
    assert judge(fitted.model_, np.vstack([X, Z])).gap == pytest.approx(fitted.gap_, abs=1e-9)
    with pytest.raises(ValueError, match="X must hold the 68 rows of the fit: all of X, then those of Z, got 63"):
        judge(fitted.model_, np.vstack([X[weight > 0], Z]))


def test_a_column_of_targets_is_said_once():
    with pytest.warns(DataConversionWarning) as told:
        column = RankSearchCV(cv=2, param_grid={"kernel": ["linear"]}).fit(X, Y[:, None])
    assert len(told) == 1
    flat = RankSearchCV(cv=2, param_grid={"kernel": ["linear"]}).fit(X, Y)
    np.testing.assert_array_equal(column.predict(X), flat.predict(X))


def test_folds_without_a_pair_are_counted_once():
    with pytest.warns(UndefinedMetricWarning, match="4 of 5 folds have no pair to compare: they do not count") as told:
        RankSearchCV().fit(X[:6], Y[:6])
    assert len(told) == 1


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (RankSearchCV("svor"), "estimator must be one of this package with a path over C, got str"),
        (ThresholdedRanker("ridge"), "ranker must be an estimator, got 'ridge'"),
        (ThresholdedRanker(None), "ranker must be an estimator, got None"),
        (RankAverage(None), r"estimators must be a list of \(name, estimator\), whose .*got None"),
    ],
)
def test_what_is_no_estimator_is_named(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, np.digitize(Y, [0.0]))
