"""Comparison estimators inside scikit-learn: labels of any kind, frames with names, categories, meta-estimators."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rankmargin import ComparisonLink, ComparisonSVM, PairTransformer, RankThreshold, stack_pairs
from rankmargin.comparisons.pair_columns import pair_columns
from rankmargin.inspection import summary

try:
    import polars
except ImportError:
    polars = None

ESTIMATORS = [ComparisonSVM(kernel="linear", C=10.0), RankThreshold(kernel="linear", random_state=0), ComparisonLink()]


def games(n=240, seed=0, d=2):
    """Return items, the first and the second of n pairs, and whether the first is worse, equal or better: 0, 1, 2."""
    rng = np.random.default_rng(seed)
    first, second = rng.standard_normal((2, n, d))
    gap = (first - second) @ np.arange(1.0, d + 1) + 0.8 * rng.standard_normal(n)
    return first, second, np.digitize(gap, [-1.0, 1.0])


@pytest.mark.parametrize("scaled", [True, False])
def test_the_largest_column_is_the_prediction_on_the_edges_too(scaled):
    """Differences of exactly 1 and of 0 say that neither is better, whichever label comes first in the columns."""
    first, second, outcome = games(seed=3)
    X = stack_pairs(first, second)
    for names in itertools.permutations("abc"):
        fitted = ComparisonSVM(kernel="linear", labels=names).fit(X, np.array(names)[outcome])
        object.__setattr__(fitted.model_, "threshold", 1.0 if scaled else 0.0)
        edges = np.array([-1.0, 1.0, 0.0, np.nextafter(1.0, 2.0), -np.nextafter(1.0, 2.0), 0.5, -3.0])
        fitted.score_samples = lambda X, edges=edges: edges
        columns = fitted.decision_function(X[:7])
        assert columns.shape == (7, 3)
        np.testing.assert_array_equal(fitted.classes_[columns.argmax(axis=1)], fitted.predict(X[:7]))
        if scaled:
            assert fitted.predict(X[:7]).tolist() == [names[i] for i in (1, 1, 1, 2, 0, 1, 0)]
        else:
            assert fitted.predict(X[:7]).tolist() == [names[i] for i in (0, 2, 1, 2, 0, 2, 0)]


CODED = [
    ([-1, 0, 1], {"labels": [-1, 0, 1]}),
    ([7, 3, 5], {"labels": [7, 3, 5]}),
]


@pytest.mark.parametrize(("names", "given"), CODED, ids=str)
def test_meta_estimators_number_the_labels_and_mean_the_same(names, given):
    """They give 0, 1, 2, the numbers of the sorted labels, to the estimators inside them."""
    first, second, outcome = games()
    X, y = stack_pairs(first, second), np.array(names)[outcome]
    model = ComparisonSVM(kernel="linear", C=10.0, probability=True, **given)
    truth = np.array(names)[np.digitize((first - second) @ [1.0, 2.0], [-1.0, 1.0])]
    alone = np.mean(model.fit(X, y).predict(X) == truth)
    assert alone > 0.8
    for method in ("predict_proba", "decision_function"):
        columns = cross_val_predict(model, X, y, cv=3, method=method)
        assert columns.shape == (240, 3)
        assert np.mean(np.unique(y)[columns.argmax(axis=1)] == truth) > 0.7
    for meta in (
        BaggingClassifier(model, n_estimators=3, random_state=0),
        StackingClassifier([("svm", model)], LogisticRegression(), cv=3),
        StackingClassifier([("svm", clone(model).set_params(probability=False))], LogisticRegression(), cv=3),
        VotingClassifier([("svm", model)], voting="soft"),
        VotingClassifier([("svm", model)], voting="hard"),
        CalibratedClassifierCV(model, cv=3),
        CalibratedClassifierCV(model, cv=3, ensemble=False),
        CalibratedClassifierCV(clone(model).set_params(probability=False), cv=3, method="isotonic"),
    ):
        fitted = meta.fit(X, y)
        assert np.mean(fitted.predict(X) == truth) > 0.7, meta
        if hasattr(fitted, "predict_proba"):
            assert log_loss(y, fitted.predict_proba(X), labels=np.unique(y)) < 0.8, meta


def test_numbers_of_labels_are_never_taken_without_a_word():
    first, second, outcome = games()
    X = stack_pairs(first, second)
    for codes in (outcome, outcome[outcome > 0], outcome[outcome != 1]):
        with pytest.raises(ValueError, match=r"y must say what its labels mean, got .*such as labels=\[0, 1, 2\]"):
            ComparisonSVM().fit(X[: len(codes)], codes)
    said = ComparisonSVM(labels=[0, 1, 2]).fit(X, outcome)
    draws_are_0 = ComparisonSVM(labels=[2, 0, 1]).fit(X, np.array([2, 0, 1])[outcome])
    np.testing.assert_array_equal(draws_are_0.score_samples(X), said.score_samples(X))
    assert draws_are_0.classes_.tolist() == [0, 1, 2]


MARKS = [
    (("", "_a"), ("", "_b")),
    (("", "_1"), ("", "_2")),
    (("", "1"), ("", "2")),
    (("home_", ""), ("away_", "")),
    (("", "_home"), ("", "_away")),
    (("first ", ""), ("second ", "")),
    (("White.", ""), ("Black.", "")),
    (("left", ""), ("right", "")),
    (("", " of first"), ("", " of second")),
    (("team1_", ""), ("team2_", "")),
    (("Team1", ""), ("Team2", "")),
    (("model_a_", ""), ("model_b_", "")),
    (("", "_of_red"), ("", "_of_blue")),
]


def named(marks, names, order):
    """Return the names of the columns of pairs, and which column of the first item followed by the second they are."""
    columns = [f"{before}{name}{behind}" for before, behind in marks for name in names]
    return [columns[i] for i in order], order


@pytest.mark.parametrize(("marks", "d"), [*((marks, 2) for marks in MARKS), (MARKS[0], 1), (MARKS[3], 3)], ids=str)
def test_names_say_which_columns_are_of_the_first_item(marks, d):
    """Whatever the order of the columns: interleaved, by halves, or mixed."""
    first, second, outcome = games(150, d=d)
    X, y = stack_pairs(first, second), outcome - 1
    names = ["Elo", "Age", "Games"][:d]
    interleaved = np.arange(2 * d).reshape(2, d).T.ravel()
    mixed = np.random.default_rng(0).permutation(2 * d)
    by_position = clone(ESTIMATORS[0]).fit(X, y)
    for order in (np.arange(2 * d), interleaved, mixed):
        columns, order = named(marks, names, order)
        frame = pd.DataFrame(X[:, order], columns=columns)
        if d > 1 and set(order[:d].tolist()) == set(range(d, 2 * d)):
            continue  # the second items come first
        for estimator in (
            clone(ESTIMATORS[0]),
            clone(ESTIMATORS[0]).set_params(items=[columns_of(marks, names, k) for k in (0, 1)]),
        ):
            fitted = estimator.fit(frame, y)
            np.testing.assert_allclose(fitted.score_samples(frame), by_position.score_samples(X), atol=2e-2)
            np.testing.assert_allclose(sorted(fitted.coef_), sorted(by_position.coef_), atol=2e-2)
            if estimator.items is None:
                assert set(summary(fitted).coefficients) == set(names)
                items = pd.DataFrame(first, columns=names)[sorted(names)]
                np.testing.assert_allclose(fitted.rank(items), by_position.rank(first), atol=2e-2)
        scaler = PairTransformer(StandardScaler()).fit(frame)
        plain = PairTransformer(StandardScaler()).fit_transform(X)
        assert sorted(scaler.get_feature_names_out()) == sorted(columns)
        out = scaler.set_output(transform="pandas").transform(frame)
        in_order = named(marks, names, np.arange(2 * d))[0]
        np.testing.assert_allclose(out[in_order].to_numpy(), plain)
        scaled = make_pipeline(scaler, clone(ESTIMATORS[0])).fit(frame, y)
        assert scaled.score(frame, y) == pytest.approx(by_position.score(X, y), abs=0.05)


def columns_of(marks, names, side):
    before, behind = marks[side]
    return [f"{before}{name}{behind}" for name in names]


MISREAD = [
    (["elo_p", "elo_q", "age_p", "age_q", "w_p", "w_q"], "must say which item is the first"),
    (["elo_p", "elo_q", "age_p", "age_q"], "must say which item is the first"),
    (["home_white", "home_black", "away_white", "away_black"], "can be read in two ways"),
    (["a1", "a2", "b1", "b2"], "can be read in two ways"),
    (["elo", "elo_rival", "age", "age_rival"], "must say which item is the first"),
    (["away_elo", "away_age", "home_elo", "home_age"], "must say which item is the first"),
    (["elo_a", "elo_b", "day", "place"], "must say which item is the first"),
    (["elo_1", "elo_2", "age_1", "age2nd"], "must say which item is the first"),
    (["elo_a", "elo_b", "home_age", "away_age"], "must say which item is the first"),
    (["R_elo", "B_elo", "R_age", "B_age"], "must say which item is the first"),
    (["x0", "x1", "x2", "x3"], "must say which item is the first"),
    (["x_1", "x_2", "x_3", "x_4"], "must say which item is the first"),
    (["red", "blue", "old", "new"], "must say which item is the first"),
    (["a", "b", "c", "a of second", "b of second", "c of second"], "must say which item is the first"),
    (["elo_p", "age_p", "w_p", "elo_q", "age_q", "w_q"], "must say which item is the first"),
]


@pytest.mark.filterwarnings("ignore::rankmargin.estimators.pairs_base.NoScalingWarning")
@pytest.mark.parametrize(("names", "message"), MISREAD, ids=str)
def test_names_that_contradict_the_position_are_refused(names, message):
    first, second, outcome = games(60, d=len(names) // 2)
    frame = pd.DataFrame(stack_pairs(first, second), columns=names)
    for fit in (
        lambda **items: ComparisonSVM(**items).fit(frame, outcome - 1),
        lambda **items: PairTransformer(StandardScaler(), **items).fit(frame),
    ):
        with pytest.raises(ValueError, match=f"{message}.*items="):
            fit()
        half = len(names) // 2
        assert fit(items=(names[:half], names[half:]))._columns.in_order
        assert not fit(items=(names[::2], names[1::2]))._columns.in_order


@pytest.mark.parametrize("names", [["elo_a", "age_a", "elo_b", "age_b"], ["elo", "age", "elo", "age"]], ids=str)
def test_halves_that_say_it_are_the_first_item_followed_by_the_second(names):
    assert pair_columns(names, len(names)).in_order and pair_columns(names, len(names)).names == ["elo", "age"]


@pytest.mark.parametrize("n", [2, 12])
def test_the_proposed_line_is_accepted(n):
    names = [f"column{letter}" for letter in "cdefghijklmn"[:n]]
    X = pd.DataFrame(columns=names)
    with pytest.raises(ValueError, match="write items=") as refusal:
        pair_columns(names, n)
    line = re.search(r"write items=(\(.*\)) if", str(refusal.value)).group(1)
    assert pair_columns(names, n, eval(line, {"X": X, "list": list})).in_order


LIBRARIES = [
    pytest.param(pd, id="pandas"),
    pytest.param(polars, id="polars", marks=pytest.mark.skipif(polars is None, reason="polars is not installed")),
]


@pytest.mark.parametrize("library", LIBRARIES)
def test_categories_and_missing_values_of_items(library):
    """The transformer sees the columns of one item, so that a club is one column wherever it plays."""
    rng = np.random.default_rng(0)
    n, clubs = 200, np.array(["x", "y", "z"])
    table = {"elo": rng.standard_normal(40), "club": clubs[rng.integers(0, 3, 40)]}
    strength = table["elo"] + 2.0 * (table["club"] == "y")
    table["elo"][:3] = np.nan
    items, rows = library.DataFrame(table), rng.integers(0, 40, (n, 2))
    gap = strength[rows[:, 0]] - strength[rows[:, 1]]
    y = np.digitize(gap, [-0.7, 0.7]) - 1
    wide = stack_pairs(items, rows=rows)
    assert list(wide.columns) == ["first_elo", "first_club", "second_elo", "second_club"]
    sides = [items[rows[:, k]] if library is polars else items.iloc[rows[:, k]] for k in (0, 1)]
    beside = stack_pairs(*sides)
    assert beside.equals(wide)
    assert stack_pairs(sides[0], sides[1][["club", "elo"]]).equals(wide)
    encoder = ColumnTransformer(
        [("club", OneHotEncoder(), ["club"]), ("elo", make_pipeline(SimpleImputer(), StandardScaler()), ["elo"])]
    )
    model = make_pipeline(PairTransformer(encoder), ComparisonSVM(kernel="linear", C=10.0)).fit(wide, y)
    by_hand = np.column_stack([(table["club"][:, None] == clubs), table["elo"]])
    by_hand = PairTransformer(make_pipeline(SimpleImputer(), StandardScaler())).fit_transform(
        stack_pairs(by_hand[:, 3:], rows=rows)
    )
    assert model.score(wide, y) > 0.85
    made = model[0].get_feature_names_out().tolist()
    assert made[:4] == ["first_club__club_x", "first_club__club_y", "first_club__club_z", "first_elo__elo"]
    np.testing.assert_allclose(model[0].transform(wide)[:, [3, 7]], by_hand)
    assert cross_val_score(model, wide, y, cv=3).mean() > 0.75
    search = GridSearchCV(model, {"comparisonsvm__C": [0.1, 10.0]}, cv=3).fit(wide, y)
    assert search.best_score_ > 0.75
