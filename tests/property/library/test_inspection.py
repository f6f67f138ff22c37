"""The displays hold the right numbers and draw them."""

import numpy as np
import pandas as pd
import pytest
from made_problems import noisy
from matplotlib import pyplot
from scipy.sparse import coo_matrix, csr_matrix
from searches import chosen_C, every_fit, fold_scores
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import FitFailedWarning, NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVR, LinearSVR

from rankmargin import (
    SVOR,
    ComparisonSVM,
    CumulativeLink,
    PairTransformer,
    RankAverage,
    RankSearchCV,
    RankThreshold,
    SwappedPairsSVM,
    ThresholdedRanker,
)
from rankmargin.inspection import (
    LearningCurveDisplay,
    ScoresDisplay,
    SearchDisplay,
    SwappedPairsDisplay,
    summary,
)
from rankmargin.inspection.fits import _named
from rankmargin.metrics import get_scorer, swapped_pairs
from rankmargin.problem.rows.pairs import NoPairError


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


SVM = SwappedPairsSVM(kernel="linear")
X, U = noisy(60, 3, 0.5)
y = np.digitize(U, [-0.5, 0.5])
GROUPS, ROWS = np.repeat(np.arange(12), 5), np.arange(60)


def test_a_style_may_have_any_of_its_names_in_matplotlib():
    drawn = ScoresDisplay(np.arange(3), np.arange(3.0)).plot(lw=2).ax_.collections[0]
    assert drawn.get_linewidth().tolist() == [2]
    assert ScoresDisplay(np.arange(3), np.arange(3.0)).plot(linewidths=2).ax_.collections[0].get_linewidth() == [2]
    bars = SwappedPairsDisplay(np.arange(3), np.ones(2), np.ones(2)).plot(ec="k", lw=3).ax_.patches
    assert [(bar.get_edgecolor(), bar.get_linewidth()) for bar in bars] == [((0, 0, 0, 1), 3)] * 2
    curve = SearchDisplay(np.array([1.0, 10]), np.ones((1, 2, 3)), ["a"], (0, 1.0)).plot(c="r", lw=4)
    assert ("r", 4) in [(line.get_color(), line.get_linewidth()) for line in curve.ax_.lines]
    growth = LearningCurveDisplay(np.array([5.0, 9]), np.ones((2, 2)), np.ones((2, 2))).plot(lw=4)
    assert [line.get_linewidth() for line in growth.ax_.lines] == [4, 4]


def curve(estimator=SVM, rows=X, y=y, **given):
    return LearningCurveDisplay.from_estimator(estimator, rows, y, **{"cv": 3, "train_sizes": [0.5, 1.0], **given})


FOLDS = [(k != ROWS % 3, k == ROWS % 3) for k in range(3)]
KERNEL = SwappedPairsSVM(kernel="precomputed")
IN_GROUPS = {"groups": GROUPS, "scoring": get_scorer("concordance", undefined=0.5)}
SAME = {  # what is drawn in two ways
    "truth": [
        lambda of=of: SwappedPairsDisplay.from_estimator(SVM.fit(X, y), X, of) for of in (y > 0, (y > 0).astype(int))
    ],
    "formats": [lambda of=of: curve(rows=of(X)) for of in (coo_matrix, csr_matrix)],
    "masks": [lambda of=of: curve(cv=of) for of in (FOLDS, [tuple(map(np.flatnonzero, fold)) for fold in FOLDS])],
    "kernel matrix": [lambda of=of: curve(KERNEL, of(X @ X.T)) for of in (np.asarray, pd.DataFrame)],
    "groups in a pipeline": [lambda of=of: curve(of, groups=GROUPS) for of in (SVM, make_pipeline(SVM))],
    "groups of thresholds": [lambda of=of: curve(of, **IN_GROUPS) for of in (SVM, ThresholdedRanker(SVM))],
    "folds of groups": [lambda of=of: curve(cv=of, **IN_GROUPS) for of in (5, None, np.int64(5), GroupKFold(5))],
}


@pytest.mark.parametrize("ways", SAME.values(), ids=SAME)
def test_what_is_given_in_two_ways_is_drawn_once(ways):
    expected, *others = (vars(way()) for way in ways)
    held = [name for name, of in expected.items() if isinstance(of, np.ndarray) and name != "train_scores"]
    assert {"test_scores", "swapped"} & {*held}
    for found in others:
        for name in held:
            np.testing.assert_array_equal(found[name], expected[name])


def test_displays_hold_what_they_draw(monkeypatch):
    names = np.array(["low", "middle", "high"])
    fitted = SVOR(kernel="linear", categories=names.tolist()).fit(X, names[y])
    shown = ScoresDisplay.from_estimator(fitted, X, names[y])
    np.testing.assert_array_equal(shown.ax_.collections[0].get_offsets(), np.column_stack([y, fitted.score_samples(X)]))
    assert [label.get_text() for label in shown.ax_.get_xticklabels()] == names.tolist()
    assert [line.get_ydata()[0] for line in shown.ax_.lines] == fitted.thresholds_.tolist()
    ranker = SwappedPairsSVM(kernel="linear").fit(X, y)
    swaps = SwappedPairsDisplay.from_estimator(ranker, X, y)
    assert swaps.pairs.tolist() == [
        np.sum(y == 0) * np.sum(y == 1) + np.sum(y == 1) * np.sum(y == 2),
        np.sum(y == 0) * np.sum(y == 2),
    ]
    assert swaps.swapped.sum() / swaps.pairs.sum() == pytest.approx(swapped_pairs(y, ranker.predict(X)))
    assert [bar.get_height() for bar in swaps.ax_.patches] == pytest.approx(swaps.swapped / swaps.pairs)
    groups = np.arange(60) % 4
    inside = SwappedPairsDisplay.from_estimator(ranker, X, X[:, 0], groups=groups, n_bins=5)
    assert inside.pairs.sum() == 4 * 15 * 14 / 2
    monkeypatch.setattr("rankmargin.inspection.scores.SEEN", 500)  # of 1,770 distances
    for n_bins in (3, 5):
        of_all = SwappedPairsDisplay.from_estimator(ranker, X, X[:, 0], n_bins=n_bins)
        assert of_all.pairs.sum() == 60 * 59 / 2 and len(of_all.pairs) == n_bins
        assert of_all.pairs.max() < 1.4 * of_all.pairs.min(), "bins hold about the same number of pairs"
    search = every_fit(SwappedPairsSVM(kernel="linear"), [0.01, 1.0], cv=3).fit(X, y)
    path = SearchDisplay.from_estimator(search)
    np.testing.assert_allclose(path.ax_.lines[-2].get_ydata(), fold_scores(search).mean(axis=1))
    assert path.gaps.shape == (1, 2) and path.gaps.max() <= 1e-3
    np.testing.assert_array_equal(path.gap_ax_.lines[0].get_ydata(), search.cv_results_["gap"])
    for display in (shown, swaps, path):
        _, ax = pyplot.subplots()
        assert display.plot(ax=ax).ax_ is ax


def test_a_learning_curve_is_its_fits_by_hand():
    """Whole groups of four, pairs inside them, one group without a pair among the five folds."""
    rng = np.random.default_rng(0)
    X, groups = rng.standard_normal((40, 2)), np.repeat(np.arange(10), 4)
    y = np.where(groups == 3, 7.0, X[:, 0] + 10.0 * groups)
    ranker, cv = SwappedPairsSVM(kernel="linear"), GroupKFold(10)
    scoring = get_scorer("concordance")
    with pytest.warns(UserWarning, match="concordance is nan"):
        shown = LearningCurveDisplay.from_estimator(
            ranker, X, y, groups=groups, train_sizes=[0.5, 1.0], cv=cv, scoring=scoring
        )
    assert shown.train_sizes.tolist() == [16.0, 36.0]  # round(4.5) = 4 of 9 groups
    for fold, (train, test) in enumerate(cv.split(X, y, groups)):
        alone = ranker.fit(X[train], y[train], groups=groups[train])
        expected = alone.score(X[train], y[train], groups=groups[train])
        assert shown.train_scores[1, fold] == pytest.approx(expected)
        assert shown.gaps[1, fold] == pytest.approx(alone.gap_, rel=1e-6)
        if groups[test[0]] == 3:
            assert np.isnan(shown.test_scores[:, fold]).all()
        else:
            assert shown.test_scores[1, fold] == pytest.approx(alone.score(X[test], y[test], groups=groups[test]))
    lines = shown.ax_.lines
    np.testing.assert_allclose(lines[1].get_ydata(), np.nanmean(shown.test_scores, axis=1))
    np.testing.assert_array_equal(shown.gap_ax_.lines[0].get_ydata(), shown.gaps.max(axis=1))
    assert [text.get_text() for text in shown.ax_.get_legend().get_texts()] == ["training rows", "rows held out"]


def test_a_learning_curve_of_another_estimator_has_no_gaps():
    other = LearningCurveDisplay.from_estimator(Ridge(), X.tolist(), y.tolist(), train_sizes=[1.0], cv=3)
    assert other.gaps is None and not hasattr(other, "gap_ax_")


def test_weights_that_differ_by_rounding_stay_in_the_order_of_columns():
    named = _named(np.array([1.0, np.nextafter(1.0, 2.0), -2.0, 0.0, 1.5]), None)
    assert list(named) == ["x2", "x4", "x0", "x1", "x3"]


def test_a_summary_names_weights_thresholds_and_counts_support():
    frame = pd.DataFrame(X, columns=["one", "two", "three"])
    fitted = SVOR(kernel="linear", categories=["low", "mid", "high"]).fit(frame, np.array(["low", "mid", "high"])[y])
    told = summary(fitted)
    assert told.coefficients == dict(sorted(zip(frame, fitted.coef_), key=lambda pair: -abs(pair[1])))
    assert next(iter(told.coefficients)) == "one"
    assert told.thresholds == dict(zip(["low | mid", "mid | high"], fitted.thresholds_))
    assert (told.n_rows, told.n_support, told.gap) == (60, np.sum(fitted.dual_coef_ != 0), fitted.gap_)
    assert 0 < told.share_of_support == told.n_support / 60 < 1
    assert summary(SVOR(landmarks=9).fit(frame, y)).n_support == 9
    assert f"support rows: {told.n_support} of 60" in str(told) and "\n  low | mid  " in str(told)
    path = every_fit(SwappedPairsSVM(), [1.0], cv=2).fit(frame, y)
    assert summary(path).coefficients is None and summary(path).n_rows == 60
    plain = summary(ThresholdedRanker(make_pipeline(StandardScaler(), Ridge())).fit(X, y))
    assert list(plain.thresholds) == ["0 | 1", "1 | 2"]
    assert plain.n_rows is plain.share_of_support is plain.gap is None


def test_targets_that_differ_by_rounding_lose_no_pair():
    y = np.array([0.7, 0.1 * 7, 0.1 * 7, 1.4, 0.1 * 14, 2.1, 0.1 * 21])
    rows = np.arange(7.0)[:, None]
    display = SwappedPairsDisplay.from_estimator(Ridge().fit(rows, y), rows, y)
    assert display.pairs.sum() == (y[:, None] > y).sum() == 19


@pytest.mark.parametrize("display", [ScoresDisplay, SwappedPairsDisplay])
def test_rows_and_targets_of_different_lengths_are_refused(display):
    ranker = SwappedPairsSVM(kernel="linear").fit(X, y)
    for rows, targets in ((X, y[:10]), (X[:10], y)):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            display.from_estimator(ranker, rows, targets)


@pytest.mark.parametrize("ranker", [RandomForestRegressor(n_estimators=2, random_state=0), SVR(), SVR(kernel="linear")])
def test_a_summary_of_thresholds_around_another_package(ranker):
    told = summary(ThresholdedRanker(ranker).fit(X, y))
    assert list(told.thresholds) == ["0 | 1", "1 | 2"] and told.n_rows is None and "0 | 1" in str(told)
    assert (told.coefficients is None) == (getattr(ranker, "kernel", "") != "linear")
    average = ThresholdedRanker(RankAverage([("one", Ridge()), ("two", ranker)])).fit(X, y)
    assert list(summary(average).thresholds) == ["0 | 1", "1 | 2"]


def test_a_share_with_too_few_rows_for_the_model_does_not_end_a_learning_curve():
    with pytest.warns(FitFailedWarning, match="no fit on 4 rows: X must have more rows"):
        shown = LearningCurveDisplay.from_estimator(CumulativeLink(), X, y, train_sizes=[0.1, 0.5, 1.0], cv=3)
    assert np.isnan(shown.test_scores[0]).all() and np.isfinite(shown.test_scores[1:]).all()
    with pytest.raises(ValueError, match="X must have more rows"):
        LearningCurveDisplay.from_estimator(CumulativeLink(), X, y, train_sizes=[0.1], cv=3)


@pytest.mark.parametrize(
    ("estimator", "told", "message"),
    [
        (SwappedPairsSVM(), {"y": np.ones(60)}, "y must hold two distinct targets"),
        (SwappedPairsSVM(), {"groups": np.arange(60)}, "groups must hold at least one group with two distinct"),
        (ComparisonSVM(), {"y": np.repeat([-1, 1], 30)}, "use RankThreshold"),
    ],
    ids=["constant", "groups of one", "no tie"],
)
def test_a_learning_curve_without_a_fit_says_why(estimator, told, message):
    with pytest.raises(NoPairError, match=message):
        LearningCurveDisplay.from_estimator(estimator, np.hstack([X, X]), **{"y": y, **told})


@pytest.mark.parametrize(
    "estimator",
    [
        ThresholdedRanker(Ridge()),
        make_pipeline(ThresholdedRanker(Ridge())),
        TransformedTargetRegressor(Ridge()),
        SVOR(),
    ],
)
def test_learning_curves_give_no_groups_to_those_that_take_none(estimator):
    display = LearningCurveDisplay.from_estimator(estimator, X, y, groups=np.repeat(np.arange(12), 5))
    assert np.isfinite(display.test_scores[-1]).all()


@pytest.mark.parametrize(("dtype", "offset"), [("f4", 0), ("f4", 20), ("f4", 1000), ("f8", 0), ("f8", 1.7e9)])
def test_distances_that_differ_by_rounding_are_one_bin(dtype, offset):
    y = (offset + (np.arange(60) % 10 + 1) * 0.1).astype(dtype)
    display = SwappedPairsDisplay.from_estimator(SwappedPairsSVM().fit(X, y), X, y)
    np.testing.assert_allclose(display.edges, np.arange(0.05, 1.0, 0.1), atol=1e-3)
    np.testing.assert_array_equal(display.pairs, 36 * np.arange(9, 0, -1))


def test_a_rare_label_does_not_end_a_learning_curve():
    """The first rows hold 0 and 1 alone, which can mean two things."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4))
    y = np.array([0, 0.5, 1])[np.digitize(X[:, 0] - X[:, 2], [-0.1, 0.1])]
    assert (y == 0.5).sum() <= 4
    display = LearningCurveDisplay.from_estimator(RankThreshold(), X, y, train_sizes=[0.2, 1.0], cv=3)
    assert np.isfinite(display.test_scores[-1]).all()


def test_a_search_at_the_end_of_a_pipeline_has_its_lines():
    with pytest.raises(NotFittedError):
        SearchDisplay.from_estimator(RankSearchCV())
    X = np.random.default_rng(0).standard_normal((30, 2))
    chain = make_pipeline(StandardScaler(), RankSearchCV(SwappedPairsSVM(kernel="linear"), Cs=[0.1, 1.0], cv=3))
    inside, alone = (SearchDisplay.from_estimator(one) for one in (chain.fit(X, X[:, 0]), chain[-1]))
    assert inside.chosen == alone.chosen and inside.names == alone.names


def test_classes_of_other_packages_may_be_texts():
    names = np.where(X[:, 0] > 0, "yes", "no")
    told = {"train_sizes": [1.0], "cv": 3, "scoring": "accuracy"}
    display = LearningCurveDisplay.from_estimator(LogisticRegression(), X, names, **told)
    assert np.isfinite(display.test_scores).all()


class Mine(SwappedPairsSVM):
    """A class that is derived from ours."""


PQR = pd.DataFrame(X, columns=list("pqr"))
TWICE = [("a", StandardScaler(), ["p"]), ("b", MinMaxScaler(), ["p"])]
ITEMS = pd.DataFrame(np.hstack([X, X[::-1]]), columns=[f"{x} of {item}" for item in ("first", "second") for x in "abc"])
THRESHOLD = RankThreshold(kernel="linear", random_state=0)


@pytest.mark.parametrize(
    ("model", "rows", "names"),
    [
        (Mine(kernel="linear"), X, ["x0", "x1", "x2"]),
        (ThresholdedRanker(make_pipeline(StandardScaler(), PCA(2), Ridge())), X, ["pca0", "pca1"]),
        (GridSearchCV(make_pipeline(StandardScaler(), SVM), {}, cv=2), PQR, ["p", "q", "r"]),
        (make_pipeline(PairTransformer(StandardScaler()), THRESHOLD), ITEMS, ["a", "b", "c"]),
        (make_pipeline(PairTransformer(PCA(2)), THRESHOLD), ITEMS.to_numpy(), ["pca0", "pca1"]),
        (make_pipeline(ColumnTransformer(TWICE, verbose_feature_names_out=False), SVM), PQR, ["x0", "x1"]),
    ],
)
def test_coefficients_have_the_names_of_their_columns(model, rows, names):
    """Those of steps, those of items, and numbers where two columns would have one name."""
    told = summary(model.fit(rows, y - 1))
    assert sorted(told.coefficients) == names and all(name in str(told) for name in names)


@pytest.mark.parametrize(
    ("own", "grid", "names"),
    [
        (SVM, {"gamma": [0.1, 1.0, 3.0]}, ["gamma=0.1", "gamma=1.0", "gamma=3.0"]),
        (
            make_pipeline(SelectFromModel(LinearSVR(max_iter=10_000)), SVM),
            {"selectfrommodel__estimator__C": [0.1, 1.0]},
            ["C=0.1", "C=1.0"],
        ),
    ],
)
def test_a_search_has_a_line_for_each_setting(own, grid, names):
    """Named after what differs, also if another step calls it C."""
    search = RankSearchCV(own, param_grid=grid, Cs=[0.1, 1.0], cv=3, scale=False).fit(X, X[:, 0] + X[:, 1] ** 2)
    shown = SearchDisplay.from_estimator(search)
    assert shown.names == names == [text.get_text() for text in shown.ax_.get_legend().get_texts()]
    assert shown.chosen == (search.best_index_ // 2, chosen_C(search))
