"""The displays hold the right numbers and draw them."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from crossed import (
    ESTIMATORS,
    ON_PAIRS,
    ORDINAL,
    QUIET,
    RANKERS,
    N,
    data,
    every,
    fitted_once,
    frames,
    takes,
)
from made_problems import noisy
from matplotlib import pyplot
from searches import chosen_C, every_fit, fold_scores
from sklearn.base import clone, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVR, LinearSVR

import rankmargin
from rankmargin import (
    SVOR,
    ComparisonLink,
    PairTransformer,
    RankAverage,
    RankSearchCV,
    RankThreshold,
    SwappedPairsSVM,
    ThresholdedRanker,
    inspection,
)
from rankmargin.inspection import (
    ScoresDisplay,
    SearchDisplay,
    SwappedPairsDisplay,
    summary,
)
from rankmargin.metrics import swapped_pairs


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


SVM = SwappedPairsSVM(kernel="linear")
X, U = noisy(60, 3, 0.5)
y = np.digitize(U, [-0.5, 0.5])


def test_truth_may_be_true_and_false():
    one, other = (SwappedPairsDisplay.from_estimator(SVM.fit(X, y), X, of) for of in (y > 0, (y > 0).astype(int)))
    np.testing.assert_array_equal(one.swapped, other.swapped)


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
    tied = SwappedPairsDisplay.from_estimator(ranker, 0.0 * X, y)
    assert tied.swapped.tolist() == tied.pairs.tolist() == swaps.pairs.tolist()
    groups = np.arange(60) % 4
    inside = SwappedPairsDisplay.from_estimator(ranker, X, X[:, 0], groups=groups, n_bins=5)
    assert inside.pairs.sum() == 4 * 15 * 14 / 2
    monkeypatch.setattr("rankmargin.inspection.displays.SEEN", 30)  # of 60 rows
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


def test_a_summary_names_weights_thresholds_and_counts_support():
    frame = pd.DataFrame(X, columns=["one", "two", "three"])
    fitted = SVOR(kernel="linear", categories=["low", "mid", "high"]).fit(frame, np.array(["low", "mid", "high"])[y])
    told = summary(fitted)
    assert told.coefficients == dict(sorted(zip(frame, fitted.coef_), key=lambda pair: -abs(pair[1])))
    assert next(iter(told.coefficients)) == "one"
    assert told.thresholds == dict(zip(["low | mid", "mid | high"], fitted.thresholds_))
    assert (told.n_rows, told.n_support, told.gap) == (60, np.sum(fitted.dual_coef_ != 0), fitted.gap_)
    assert 0 < told.n_support < 60
    assert summary(SVOR(landmarks=9).fit(frame, y)).n_support == 9
    assert f"support rows: {told.n_support} of 60" in str(told) and "\n  low | mid  " in str(told)
    path = every_fit(SwappedPairsSVM(), [1.0], cv=2).fit(frame, y)
    assert summary(path).coefficients is None and summary(path).n_rows == 60
    plain = summary(ThresholdedRanker(make_pipeline(StandardScaler(), Ridge())).fit(X, y))
    assert list(plain.thresholds) == ["0 | 1", "1 | 2"]
    assert plain.n_rows is plain.n_support is plain.gap is None


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


@pytest.mark.parametrize(("dtype", "offset"), [("f4", 0), ("f4", 20), ("f4", 1000), ("f8", 0), ("f8", 1.7e9)])
def test_distances_that_differ_by_rounding_are_one_bin(dtype, offset):
    y = (offset + (np.arange(60) % 10 + 1) * 0.1).astype(dtype)
    display = SwappedPairsDisplay.from_estimator(SwappedPairsSVM().fit(X, y), X, y)
    np.testing.assert_allclose(display.edges, np.arange(0.05, 1.0, 0.1), atol=1e-3)
    np.testing.assert_array_equal(display.pairs, 36 * np.arange(9, 0, -1))


def test_a_search_at_the_end_of_a_pipeline_has_its_lines():
    with pytest.raises(NotFittedError):
        SearchDisplay.from_estimator(RankSearchCV())
    X = np.random.default_rng(0).standard_normal((30, 2))
    chain = make_pipeline(StandardScaler(), RankSearchCV(SwappedPairsSVM(kernel="linear"), Cs=[0.1, 1.0], cv=3))
    inside, alone = (SearchDisplay.from_estimator(one) for one in (chain.fit(X, X[:, 0]), chain[-1]))
    assert inside.chosen == alone.chosen and inside.names == alone.names


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
        (RankSearchCV(ComparisonLink(), Cs=[1.0], scale=False), ITEMS, ["a", "b", "c"]),
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


# Every estimator


pytestmark = QUIET


DISPLAYS = [
    of
    for of in (getattr(inspection, name) for name in inspection.__all__)
    if "X" in inspect.signature(getattr(of, "from_estimator", len)).parameters
]


def drawn(display):
    """Return the numbers that a display holds."""
    held = {name: of for name, of in vars(display).items() if isinstance(of, np.ndarray) and of.dtype.kind in "biuf"}
    pyplot.close("all")
    return held


FIRST = [family[0] for family in (ORDINAL, ON_PAIRS, RANKERS)]
DRAWN = [  # every display of an estimator of each family, and every estimator in one display
    (display, estimator)
    for k, estimator in enumerate(ESTIMATORS)
    for j, display in enumerate(DISPLAYS)
    if any(estimator is one for one in FIRST) or j == k % len(DISPLAYS)
]


@pytest.mark.parametrize(("display", "estimator"), DRAWN, ids=lambda of: getattr(of, "__name__", str(of)[:40]))
def test_displays(display, estimator):
    fitted, X, y = fitted_once(estimator)
    plain = drawn(display.from_estimator(fitted, X, y))
    assert plain
    table, targets = next(frames(X, y))
    other = clone(estimator).fit(table, targets)
    for name, values in drawn(display.from_estimator(other, table, targets)).items():
        np.testing.assert_allclose(values, plain[name], atol=1e-2 * max(1.0, np.nanmax(np.abs(plain[name]))))
    piped = drawn(display.from_estimator(make_pipeline(fitted), X, y))
    assert piped.keys() == plain.keys()
    for name, values in piped.items():
        np.testing.assert_array_equal(values, plain[name])
    if takes(estimator, "categories"):
        names = ["low", "mid", "high"]
        named = clone(estimator).set_params(categories=names)
        named = named.fit(X, np.array(names)[y])
        for name, values in drawn(display.from_estimator(named, X, np.array(names)[y])).items():
            np.testing.assert_allclose(values, plain[name], atol=1e-9)
    if not is_classifier(estimator):
        small = drawn(display.from_estimator(fitted, X, 1e-9 * y))
        for name, values in small.items():  # targets in another unit: distances too
            unit = 1e-9 if name in ("y", "edges") else 1.0
            np.testing.assert_allclose(values, unit * plain[name], rtol=1e-9)


# Summaries


@every
def test_summaries(estimator):
    fitted = fitted_once(estimator)[0]
    if isinstance(fitted, rankmargin.ThresholdedRanker):
        fitted = clone(fitted).set_params(ranker=rankmargin.SwappedPairsSVM()).fit(*data(estimator))
    said = inspection.summary(fitted)
    assert str(said) and (said.n_rows in (None, N) or takes(estimator, "labels"))
    assert str(inspection.summary(make_pipeline(fitted))) == str(said)
    assert str(inspection.summary(pickle.loads(pickle.dumps(fitted)))) == str(said)


def test_lines_along_C_ascend_whatever_the_order_of_the_values():
    scores = np.arange(9.0).reshape(1, 3, 3)  # the means of C = 10, 0.1 and 1 are 1, 4 and 7
    display = inspection.SearchDisplay(np.array([10.0, 0.1, 1.0]), scores, ["linear"], (0, 1.0))
    (mean,) = [line for line in display.plot().ax_.lines if line.get_label() == "linear"]
    assert mean.get_xydata().tolist() == [[0.1, 4.0], [1.0, 7.0], [10.0, 1.0]]
