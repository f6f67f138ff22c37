"""The displays hold the right numbers and draw them."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from scipy.sparse import coo_matrix, csr_matrix
from searches import every_fit, fold_scores
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
    stack_pairs,
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
from rankmargin.solvers.solution import ConvergenceWarning


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    return X, np.digitize(X[:, 0] + 0.5 * rng.standard_normal(60), [-0.5, 0.5])


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


def test_displays_take_truth_and_every_sparse_format(data):
    X, y = data
    ranker = SwappedPairsSVM(kernel="linear").fit(X, y > 0)
    drawn = [SwappedPairsDisplay.from_estimator(ranker, X, of).swapped.tolist() for of in (y > 0, (y > 0).astype(int))]
    assert drawn[0] == drawn[1] and sum(drawn[0])
    of = {"cv": 3, "train_sizes": [0.5, 1.0]}
    curves = [LearningCurveDisplay.from_estimator(ranker, rows, y, **of) for rows in (coo_matrix(X), csr_matrix(X))]
    np.testing.assert_array_equal(curves[0].test_scores, curves[1].test_scores)


def test_displays_hold_what_they_draw(data, monkeypatch):
    X, y = data
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


def test_a_learning_curve_of_masks_is_that_of_their_rows(data):
    """The values of a mask were put in a random order, so that rows held out were in the training rows."""
    X, y = data
    masks = [(np.arange(60) % 3 != k, np.arange(60) % 3 == k) for k in range(3)]
    rows = [(np.flatnonzero(train), np.flatnonzero(test)) for train, test in masks]
    ranker = SwappedPairsSVM(kernel="linear")
    first, second = (LearningCurveDisplay.from_estimator(ranker, X, y, cv=cv) for cv in (masks, rows))
    assert first.train_sizes.tolist() == second.train_sizes.tolist() == [4.0, 8.0, 16.0, 28.0, 40.0]
    np.testing.assert_array_equal(first.test_scores, second.test_scores)


def test_a_learning_curve_of_another_estimator_has_no_gaps(data):
    X, y = data
    other = LearningCurveDisplay.from_estimator(Ridge(), X.tolist(), y.tolist(), train_sizes=[1.0], cv=3)
    assert other.gaps is None and not hasattr(other, "gap_ax_")


@pytest.mark.filterwarnings("ignore::rankmargin.solvers.solution.ConvergenceWarning")
def test_a_path_that_stopped_early_shows_its_gap(data):
    X, y = data
    search = every_fit(SwappedPairsSVM(max_iter=1, solver="dual_cd"), [0.1, 10.0], cv=2)
    with pytest.warns(ConvergenceWarning):
        path = SearchDisplay.from_estimator(search.fit(X, y))
    assert path.gap_ax_.lines[0].get_ydata()[1] > 0.01


def test_weights_that_differ_by_rounding_stay_in_the_order_of_columns():
    named = _named(np.array([1.0, np.nextafter(1.0, 2.0), -2.0, 0.0, 1.5]), None)
    assert list(named) == ["x2", "x4", "x0", "x1", "x3"]


def test_a_summary_names_weights_thresholds_and_counts_support(data):
    X, y = data
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
    search = GridSearchCV(make_pipeline(StandardScaler(), SwappedPairsSVM(kernel="linear")), {}, cv=2).fit(frame, y)
    assert set(summary(search).coefficients) == set(frame) and summary(search).thresholds is None
    path = every_fit(SwappedPairsSVM(), [1.0], cv=2).fit(frame, y)
    assert summary(path).coefficients is None and summary(path).n_rows == 60
    plain = summary(ThresholdedRanker(make_pipeline(StandardScaler(), Ridge())).fit(X, y))
    assert set(plain.coefficients) == {"x0", "x1", "x2"} and list(plain.thresholds) == ["0 | 1", "1 | 2"]
    assert plain.n_rows is plain.share_of_support is plain.gap is None
    pairs = pd.DataFrame(
        stack_pairs(X[:40], X[20:]), columns=[f"{x} of {item}" for item in ("first", "second") for x in "abc"]
    )
    model = make_pipeline(PairTransformer(StandardScaler()), RankThreshold(kernel="linear", random_state=0))
    assert set(summary(model.fit(pairs, np.arange(40) % 3 - 1)).coefficients) == {"a", "b", "c"}


def test_matplotlib_is_imported_when_something_is_drawn():
    code = "import sys, rankmargin.inspection; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


def test_targets_that_differ_by_rounding_lose_no_pair():
    y = np.array([0.7, 0.1 * 7, 0.1 * 7, 1.4, 0.1 * 14, 2.1, 0.1 * 21])
    rows = np.arange(7.0)[:, None]
    display = SwappedPairsDisplay.from_estimator(Ridge().fit(rows, y), rows, y)
    assert display.pairs.sum() == (y[:, None] > y).sum() == 19


@pytest.mark.parametrize("display", [ScoresDisplay, SwappedPairsDisplay])
def test_rows_and_targets_of_different_lengths_are_refused(display, data):
    X, y = data
    ranker = SwappedPairsSVM(kernel="linear").fit(X, y)
    for rows, targets in ((X, y[:10]), (X[:10], y)):
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            display.from_estimator(ranker, rows, targets)


@pytest.mark.parametrize("ranker", [RandomForestRegressor(n_estimators=2, random_state=0), SVR(), SVR(kernel="linear")])
def test_a_summary_of_thresholds_around_another_package(ranker, data):
    X, y = data
    told = summary(ThresholdedRanker(ranker).fit(X, y))
    assert list(told.thresholds) == ["0 | 1", "1 | 2"] and told.n_rows is None and "0 | 1" in str(told)
    assert (told.coefficients is None) == (getattr(ranker, "kernel", "") != "linear")
    average = ThresholdedRanker(RankAverage([("one", Ridge()), ("two", ranker)])).fit(X, y)
    assert list(summary(average).thresholds) == ["0 | 1", "1 | 2"]
    with pytest.raises(ValueError, match="estimator must be one of this package or contain one, got Ridge"):
        summary(Ridge().fit(X, y))


def test_names_that_a_transformer_gives_to_both_items(data):
    X, y = data
    model = make_pipeline(PairTransformer(PCA(2)), ComparisonSVM(kernel="linear")).fit(np.hstack([X, X[::-1]]), y - 1)
    assert sorted(summary(model).coefficients) == ["pca0", "pca1"]


def test_groups_reach_the_last_step_of_a_pipeline_in_a_learning_curve(data):
    X, y = data
    groups, told = np.repeat(np.arange(12), 5), {"train_sizes": [1.0], "cv": 3}
    plain, piped = (
        LearningCurveDisplay.from_estimator(made, X, y, groups=groups, **told)
        for made in (SwappedPairsSVM(kernel="linear"), make_pipeline(SwappedPairsSVM(kernel="linear")))
    )
    np.testing.assert_array_equal(plain.test_scores, piped.test_scores)


def test_a_share_with_too_few_rows_for_the_model_does_not_end_a_learning_curve(data):
    X, y = data
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
def test_a_learning_curve_without_a_fit_says_why(estimator, told, message, data):
    X, y = data
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
def test_learning_curves_give_no_groups_to_those_that_take_none(estimator, data):
    X, y = data
    display = LearningCurveDisplay.from_estimator(estimator, X, y, groups=np.repeat(np.arange(12), 5))
    assert np.isfinite(display.test_scores[-1]).all()


def test_a_kernel_matrix_as_a_frame_has_a_learning_curve(data):
    X, y = data
    ranker, K = SwappedPairsSVM(kernel="precomputed"), X @ X.T
    of_array, of_frame = (
        LearningCurveDisplay.from_estimator(ranker, rows, y, train_sizes=[1.0], cv=3) for rows in (K, pd.DataFrame(K))
    )
    np.testing.assert_array_equal(of_array.test_scores, of_frame.test_scores)


def test_learning_curves_give_groups_to_thresholds_of_a_ranker(data):
    X, y = data
    groups, ranker = np.repeat(np.arange(12), 5), ThresholdedRanker(SwappedPairsSVM())
    display = LearningCurveDisplay.from_estimator(ranker, X, y, groups=groups, train_sizes=[1.0], cv=GroupKFold(3))
    folds = [*GroupKFold(3).split(X, y, groups)]
    fits = [SwappedPairsSVM().fit(X[train], y[train], groups=groups[train]) for train, _ in folds]
    scorer = get_scorer("concordance")
    alone = [scorer(fit, X[test], y[test], groups=groups[test]) for fit, (_, test) in zip(fits, folds)]
    np.testing.assert_array_equal(display.test_scores[0], alone)


@pytest.mark.parametrize(("dtype", "offset"), [("f4", 0), ("f4", 20), ("f4", 1000), ("f8", 0), ("f8", 1.7e9)])
def test_distances_that_differ_by_rounding_are_one_bin(dtype, offset, data):
    X = data[0]
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


def test_a_search_that_has_no_lines_is_named():
    with pytest.raises(TypeError, match="search must be a RankSearchCV or end in one, got GridSearchCV"):
        SearchDisplay.from_estimator(GridSearchCV(Ridge(), {}))
    with pytest.raises(NotFittedError):
        SearchDisplay.from_estimator(RankSearchCV())
    X = np.random.default_rng(0).standard_normal((30, 2))
    chain = make_pipeline(StandardScaler(), RankSearchCV(SwappedPairsSVM(kernel="linear"), Cs=[0.1, 1.0], cv=3))
    inside, alone = (SearchDisplay.from_estimator(one) for one in (chain.fit(X, X[:, 0]), chain[-1]))
    assert inside.chosen == alone.chosen and inside.names == alone.names


def test_classes_of_other_packages_may_be_texts(data):
    X, _ = data
    names = np.where(X[:, 0] > 0, "yes", "no")
    told = {"train_sizes": [1.0], "cv": 3, "scoring": "accuracy"}
    display = LearningCurveDisplay.from_estimator(LogisticRegression(), X, names, **told)
    assert np.isfinite(display.test_scores).all()


def test_a_class_that_is_derived_from_ours_is_summed_up(data):
    X, y = data

    class Mine(SwappedPairsSVM):
        pass

    assert summary(Mine(kernel="linear").fit(X, y)).coefficients


def test_parameters_called_C_of_other_steps_name_their_lines():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    steps = make_pipeline(SelectFromModel(LinearSVR(max_iter=10_000)), SwappedPairsSVM())
    grid = {"selectfrommodel__estimator__C": [0.1, 1.0]}
    search = RankSearchCV(steps, param_grid=grid, Cs=[0.1, 1.0], cv=3).fit(X, X[:, 0] + 0.3 * rng.standard_normal(40))
    assert SearchDisplay.from_estimator(search).names == ["C=0.1", "C=1.0"]


def test_columns_whose_steps_cannot_name_them_have_numbers_in_a_summary():
    X = pd.DataFrame(np.random.default_rng(0).standard_normal((40, 3)), columns=list("pqr"))
    twice = [("a", StandardScaler(), ["p"]), ("b", MinMaxScaler(), ["p"])]
    columns = ColumnTransformer(twice, verbose_feature_names_out=False)
    told = str(summary(make_pipeline(columns, SwappedPairsSVM(kernel="linear")).fit(X, X["p"])))
    assert "x0" in told and "x1" in told
