"""Every fitted estimator as ONNX says the same under onnxruntime; run where the extra `onnx` is installed."""

import inspect
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from public import CLASSES, made
from sklearn.base import is_classifier
from sklearn.compose import make_column_transformer
from sklearn.feature_selection import RFE
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import OneClassSVM

import rankmargin
from rankmargin.onnx import register
from rankmargin.problem.kernels import KERNELS
from rankmargin.search.inputs import ColumnScaler
from rankmargin.search.table import TableEncoder

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:rankmargin", "ignore::DeprecationWarning")
skl2onnx = pytest.importorskip("skl2onnx", reason="the extra onnx is not installed")
runtime = pytest.importorskip("onnxruntime")
types = skl2onnx.common.data_types
MissingShapeCalculator = skl2onnx.common.exceptions.MissingShapeCalculator
WITH_KERNEL = [one for one in CLASSES if "kernel" in inspect.signature(one).parameters]
PAIRS = (rankmargin.ComparisonSVM, rankmargin.RankThreshold, rankmargin.ComparisonLink)
N = 60


@pytest.fixture(autouse=True)
def registered():
    register()


def data(estimator, seed=0):
    """Return rows that are >= 0 (the chi2 kernel wants that) and grades, labels of pairs, or numbers."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 2, (N, 4)).astype(np.float32)
    s = X[:, 0] - X[:, 2] + 0.3 * rng.standard_normal(N)
    if isinstance(estimator, PAIRS):
        return X, np.digitize(s, [-0.4, 0.4]) - 1
    return (X, np.digitize(s, [-0.4, 0.4])) if is_classifier(estimator) else (X, s)


def fitted(estimator, X, y, **given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(X, y, **given)


def ran(model, X, **named):
    """Return the outputs of a model under onnxruntime by name."""
    graph = skl2onnx.to_onnx(model, X[:1], **named)
    session = runtime.InferenceSession(graph.SerializeToString(), providers=["CPUExecutionProvider"])
    if isinstance(X, pd.DataFrame):
        given = {name: X[[name]].to_numpy() for name in X}
        given = {name: np.where(pd.isna(of), "", of) if of.dtype == object else of for name, of in given.items()}
    else:
        given = {session.get_inputs()[0].name: X}
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, given)))


def same(model, X, atol=1e-9, **named):
    """Check that onnxruntime says what the model says; return what it says."""
    said = ran(model, X, **named)
    assert set(said) <= {"label", "scores", "probabilities"} if is_classifier(model) else [*said] == ["scores"]
    scores = model.score_samples(X) if hasattr(model, "score_samples") else model.predict(X)
    assert np.ptp(scores) > 0.01
    np.testing.assert_allclose(said["scores"][:, 0], scores, atol=atol * max(1.0, np.abs(scores).max()))
    if is_classifier(model):
        assert len(set(model.predict(X))) > 1
        np.testing.assert_array_equal(said["label"], model.predict(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(said["probabilities"], model.predict_proba(X), atol=max(atol, 1e-9))
    return said


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_estimator(cls, dtype):
    """The graph computes in double precision also if its rows are single, as ``predict`` does."""
    X, y = data(made(cls))
    model = fitted(made(cls, probability=cls is not rankmargin.SumOfMarginsSVM), X, y)
    if cls is rankmargin.RankAverage:
        model = fitted(AVERAGE(OURS), X, y)
    atol = 1e-5 if cls in (rankmargin.RankSearchCV, rankmargin.ThresholdedRanker) else 1e-9  # what they contain
    same(model, X.astype(dtype), atol)
    same(model, np.random.default_rng(1).uniform(0, 2, (200, 4)).astype(dtype), atol)


@pytest.mark.parametrize("name", ["linear", *(name for name in KERNELS if name not in ("linear", "precomputed"))])
@pytest.mark.parametrize("cls", [rankmargin.SVOR, rankmargin.RankSVR, rankmargin.ComparisonSVM])
def test_every_kernel(cls, name):
    """A kernel that is added to rankmargin.problem.kernel_functions needs its operators in rankmargin.onnx."""
    for landmarks in (None,) if name == "linear" else (None, 30):
        model = made(cls, kernel=name, coef0=0.7, C=10.0, landmarks=landmarks)
        X, y = data(model)
        fitted(model, X, y)
        far = np.vstack([X, X + 1.0])
        if name == "cosine":
            far[0] = 0.0
        same(model, far, atol=1e-6 if name == "matern12" else 1e-8)  # the root of a rounded distance 0


X, GRADES = data(rankmargin.SVOR())
VALUES, LABELS = data(rankmargin.SwappedPairsSVM())[1], data(rankmargin.ComparisonSVM())[1]
DOUBLE, MORE = X.astype(np.float64), np.random.default_rng(1).uniform(0, 2, (500, 4))
RNG = np.random.default_rng(2)
FAR, ONE_FAR = DOUBLE + 1e5, DOUBLE.copy()
ONE_FAR[0, 0] = 1e8
FRAME = pd.DataFrame(DOUBLE, columns=list("abcd"))
COLOURS = FRAME[["a", "c"]].assign(colour=RNG.choice(["red", "green", "blue"], N))
COUNTS = pd.DataFrame({"a": DOUBLE[:, 0], "b": np.round(DOUBLE[:, 2] * 5).astype(np.int64)})
CONSTANT = np.c_[np.ones(N), RNG.standard_normal((N, 3))]
DAYS = np.repeat(np.arange(20240101.0, 20240111.0), 6)[:, None]
TENTHS, WHOLE = RNG.integers(0, 20, (N, 3)) / 10, RNG.integers(0, 20, (N, 3)).astype(float)
SHIFTS = np.vstack([CONSTANT + np.array([by, 0.0, 0.0, 0.0]) for by in (0.0, 0.5, -0.5)])
ENCODED = make_column_transformer(
    (OneHotEncoder(sparse_output=False), ["colour"]), (StandardScaler(), ["a"]), remainder="passthrough"
)
SVM = ("svm", rankmargin.SwappedPairsSVM())
SEARCH, AVERAGE = partial(rankmargin.RankSearchCV, Cs=[1.0], cv=3), partial(rankmargin.RankAverage, average="scores")
OURS = [SVM, ("search", SEARCH(rankmargin.RankSVR())), ("piped", make_pipeline(ColumnScaler(), rankmargin.RankSVR()))]
SAME = {  # model, rows, targets, rows that are asked, tolerance
    "rows far from zero": (rankmargin.SVOR(gamma=1.0), FAR, GRADES, FAR, 1e-8),
    "a row far away": (rankmargin.SVOR(gamma=1.0, C=10.0), ONE_FAR, GRADES, MORE, 1e-9),
    "an online ranker": (rankmargin.KernelPRank(kernel="linear"), X, GRADES, X, 1e-9),
    "a frame": (SEARCH(rankmargin.SVOR()), FRAME, GRADES, FRAME, 1e-9),
    "a frame in single": (
        SEARCH(rankmargin.SVOR()),
        FRAME.astype(np.float32),
        GRADES,
        FRAME.astype(np.float32),
        1e-5,
    ),
    "whole numbers": (SEARCH(rankmargin.SVOR()), COUNTS, GRADES, COUNTS, 1e-9),
    "a constant column": (SEARCH(rankmargin.SVOR(gamma=2.0), param_grid=None), CONSTANT, GRADES, SHIFTS, 1e-9),
    "days as whole numbers": (rankmargin.RankSearchCV(cv=3), DAYS, DAYS[:, 0], DAYS, 1e-9),
    "tied tenths": (SEARCH(param_grid=None), TENTHS, TENTHS @ [1.0, 0.6, -0.4], TENTHS.astype(np.float32), 1e-6),
    "tied counts": (SEARCH(param_grid=None), WHOLE, WHOLE @ [1.0, 0.6, -0.4], WHOLE.astype(np.int64), 1e-6),
    "an average of pipelines and searches": (AVERAGE(OURS), DOUBLE, VALUES, DOUBLE, 1e-9),
    "an average on a frame": (AVERAGE(OURS), COUNTS, VALUES, COUNTS, 1e-9),
    "thresholds on a frame": (rankmargin.ThresholdedRanker(SVM[1]), COUNTS, GRADES, COUNTS, 1e-5),
    "thresholds of an average": (rankmargin.ThresholdedRanker(AVERAGE(OURS)), COUNTS, GRADES, COUNTS, 1e-5),
}
for link in ("logit", "probit", "cloglog"):
    SAME[link] = rankmargin.CumulativeLink(link=link, prediction="most_probable"), X, GRADES, X, 1e-6
for names in (["bad", "fair", "good"], [0.5, 1.0, 2.5], [3, 1, 2]):  # classes_ may have another order
    named = rankmargin.SVOR(categories=names, probability=True, prediction="most_probable")
    SAME[f"grades {names}"] = named, X, np.array(names)[GRADES], X, 1e-9
for cls in (rankmargin.SwappedPairsSVM, rankmargin.SVOR):
    for dtype in (np.float32, np.float64):
        rows = COLOURS.astype({"a": dtype, "c": dtype})
        piped = make_pipeline(ENCODED, made(cls, probability=True))
        SAME[f"{cls.__name__} in a pipeline, {dtype.__name__}"] = piped, rows, GRADES, rows, 1e-5
for labels, y in (
    (["lost", "draw", "won"], np.array(["lost", "draw", "won"])[LABELS + 1]),
    ("score", (LABELS + 1) / 2),
):
    apart = rankmargin.ComparisonSVM(kernel="rbf", labels=labels, items=([0, 2], [1, 3]), probability=True)
    SAME |= {f"items apart {labels}": (apart, DOUBLE, y, DOUBLE, 1e-9)}
for cls in (one for one in CLASSES if "categories" in inspect.signature(one).parameters):
    SAME[f"grades of {cls.__name__} that are true and false"] = made(cls), X, GRADES > 0, X, 1e-5


@pytest.mark.parametrize(("model", "rows", "y", "asked", "atol"), SAME.values(), ids=SAME)
def test_what_python_says_is_what_onnxruntime_says(model, rows, y, asked, atol):
    same(fitted(model, rows, y), asked, atol)


REFUSED = [
    (rankmargin.SVOR(kernel=RBF()), NotImplementedError, "kernel must be one of rbf, .* to become ONNX, got "),
    (rankmargin.SVOR(kernel=np.inner), NotImplementedError, "kernel must be one of rbf, .* to become ONNX, got "),
    (rankmargin.RankAverage([SVM]), NotImplementedError, "average must be .scores. to become ONNX, got 'ranks'"),
    (AVERAGE([SVM, ("odd", Ridge())]), NotImplementedError, "members must be .*, got Ridge"),
    *(  # skl2onnx makes the selected columns the output of RFE, and calls decision functions scores
        (rankmargin.ThresholdedRanker(of), NotImplementedError, "members must be estimators of this package")
        for of in (RFE(Ridge(), n_features_to_select=2), LogisticRegression(), OneClassSVM())
    ),
    (make_pipeline(rankmargin.PairTransformer(StandardScaler()), Ridge()), MissingShapeCalculator, "PairTransformer"),
]


@pytest.mark.parametrize(("model", "error", "message"), REFUSED)
def test_what_is_refused(model, error, message):
    with pytest.raises(error, match=message):
        skl2onnx.to_onnx(fitted(model, X, np.minimum(GRADES, 1)), X[:1], target_opset={"": 17, "ai.onnx.ml": 3})


def test_rows_on_a_threshold_have_passed_it():
    """Scores 0, 1, ... are thresholds themselves, and onnxruntime decides as ``predict`` does."""
    X = np.arange(6.0)[:, None]
    model = fitted(rankmargin.PRank(epochs=3), X, np.repeat([1, 2, 3], 2))
    model.coef_ = model.model_.coefficients[:] = np.array([1.0])
    model.thresholds_[:] = [2.0, 4.0]
    assert ran(model, X)["label"].tolist() == [1, 1, 2, 2, 3, 3] == model.predict(X).tolist()


@pytest.mark.parametrize("cls", WITH_KERNEL, ids=lambda cls: cls.__name__)
def test_a_kernel_matrix_with_weights_of_0(cls):
    model = made(cls, kernel="precomputed")
    X, y = data(model)
    D = X[:, 2:] - X[:, :2] if isinstance(model, PAIRS) else X
    K = (D @ D.T).astype(np.float64)
    for weight in (None, (np.arange(N) % 3).astype(float)):
        same(fitted(model, K, y, sample_weight=weight), K)


@pytest.mark.parametrize("seed", range(12))
def test_columns_of_a_search_are_scaled_as_in_python(seed):
    """Tied, constant, skewed and large columns, fitted and asked in single and in double precision; whole numbers."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 260))
    drawn = {"normal": rng.standard_normal(n), "tied": rng.integers(0, 4, n) * 0.1, "constant": np.full(n, 0.1)}
    drawn |= {"skewed": np.exp(5 * rng.standard_normal(n)), "large": 1e8 + rng.integers(0, 5, n) * 0.1}
    drawn["mostly"] = np.where(rng.random(n) < 0.8, 0.3, rng.random(n))
    frame = pd.DataFrame(drawn).astype({name: rng.choice([np.float32, np.float64]) for name in drawn})
    frame["whole"] = rng.integers(0, 3, n)
    scaler = ColumnScaler().fit(frame, rng.standard_normal(n))
    asked = pd.concat([frame, frame.sample(9, replace=True, random_state=seed) * 2], ignore_index=True)
    asked = asked.astype({name: rng.choice([np.float32, np.float64]) for name in drawn})
    np.testing.assert_allclose(ran(scaler, asked)["columns"], scaler.transform(asked), rtol=1e-9, atol=1e-9)
    asked = asked.astype(float)
    asked.iloc[0, 0] = np.nan
    np.testing.assert_allclose(ran(scaler, asked)["columns"], scaler.transform(asked), rtol=1e-9, atol=1e-9)


def table(rng, n):
    """Return a frame with names, missing cells, and all that is no plain number, but dates; its first row is full."""
    frame = pd.DataFrame({"town": rng.choice(["Oslo", "Rome", "", "Bern"], n), "size": rng.standard_normal(n)})
    frame["free"] = [f"text {i} of {rng.random()}" for i in range(n)]
    frame["single"] = rng.random(n).astype(np.float32)
    frame["flag"], frame["whole"] = rng.random(n) < 0.5, rng.integers(0, 9, n)
    frame["grade"] = pd.Categorical(rng.choice(["low", "mid", "top"], n), ["low", "mid", "top"], ordered=True)
    frame["many"] = pd.Categorical(np.array([f"{i}" for i in range(40)])[np.minimum(rng.geometric(0.08, n), 39)])
    for at, name in enumerate(["town", "size", "single", "grade", "many"]):
        frame.loc[at + 1 :: at + 5, name] = None
    frame.loc[0, "town"] = "Bern"
    return frame


@pytest.mark.parametrize("seed", range(4))
def test_a_table_as_people_have_it(seed):
    """Rows that are asked have names that are not known, and missing cells in columns without any in the fit."""
    rng = np.random.default_rng(seed)
    frame, asked = table(rng, 90), table(rng, 50)
    y = (frame["town"] == "Oslo") + frame["whole"] + 0.1 * rng.standard_normal(90)
    asked["town"] = asked["town"].mask(asked["whole"] < 2, "Paris")
    frame["grade"] = frame["grade"].fillna("mid")
    encoder = TableEncoder(whole=False)
    model = make_pipeline(encoder, ColumnScaler(), rankmargin.SwappedPairsSVM()).fit(frame, y)
    same(model, asked)
    found = ran(encoder, asked)["table"]
    np.testing.assert_allclose(found, encoder.transform(asked), atol=1e-12)
    assert found.any(axis=0).sum() > 20 and (found == 0).any(axis=0).sum() > 20
    average = AVERAGE([("table", model), ("linear", make_pipeline(encoder, ColumnScaler(), rankmargin.RankSVR()))])
    same(average.fit(frame, y), asked, atol=1e-5)
    same(rankmargin.ThresholdedRanker(average).fit(frame, np.digitize(y, [3, 6])), asked, atol=1e-5)


def test_a_date_is_asked_as_its_days():
    days = pd.Series(np.arange(18000.0, 18040.0)).where(np.arange(40) % 5 > 0)
    encoder = TableEncoder().fit(pd.DataFrame({"day": pd.to_datetime(days, unit="D")}))
    frame = pd.DataFrame({"day": days})
    np.testing.assert_array_equal(ran(encoder, frame)["table"][:, 0], days.fillna(days.median()))


def test_names_that_are_no_texts_are_refused():
    encoder = TableEncoder().fit(pd.DataFrame({"code": pd.Categorical([1, 2, 2, 1])}))
    with pytest.raises(NotImplementedError, match="column 'code' must hold texts to become ONNX, got 1"):
        skl2onnx.to_onnx(encoder, initial_types=[("code", types.Int64TensorType([None, 1]))])
