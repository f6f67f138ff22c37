"""Every fitted estimator as ONNX says the same under onnxruntime; run where the extra `onnx` is installed."""

import inspect
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from public import CLASSES, made
from sklearn.base import is_classifier
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.ensemble import IsolationForest, RandomForestRegressor
from sklearn.feature_selection import RFE
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
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


class Unknown(Ridge):
    """A regressor that skl2onnx does not know."""


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
    assert set(said) <= {"label", "scores", "probabilities"}
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
    of_sklearn = rankmargin.RankAverage, rankmargin.RankSearchCV, rankmargin.ThresholdedRanker  # what they contain
    atol = 1e-5 if cls in of_sklearn else 1e-9
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


def test_rows_far_from_zero_lose_no_digits():
    X, y = data(rankmargin.SVOR())
    X = np.asarray(X, dtype=np.float64) + 1e5
    same(fitted(rankmargin.SVOR(gamma=1.0), X, y), X, atol=1e-8)


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
def test_links(link):
    model = rankmargin.CumulativeLink(link=link, prediction="most_probable")
    X, y = data(model)
    said = same(fitted(model, X, y), X, atol=1e-6)
    np.testing.assert_allclose(said["probabilities"].sum(axis=1), 1.0, atol=1e-12)


@pytest.mark.parametrize("names", [["bad", "fair", "good"], [0.5, 1.0, 2.5], [3, 1, 2]])
def test_grades_with_names(names):
    """The columns of probabilities are in the order of ``classes_``, which is not that of the grades."""
    model = rankmargin.SVOR(categories=names, probability=True, prediction="most_probable")
    X, y = data(model)
    fitted(model, X, np.array(names)[y])
    same(model, X)
    assert ran(model, X)["label"].tolist() == model.predict(X).tolist()


def test_rows_on_a_threshold_have_passed_it():
    """Scores 0, 1, ... are thresholds themselves, and onnxruntime decides as ``predict`` does."""
    X = np.arange(6.0)[:, None]
    model = fitted(rankmargin.PRank(epochs=3), X, np.repeat([1, 2, 3], 2))
    model.coef_ = model.model_.coefficients[:] = np.array([1.0])
    model.thresholds_[:] = [2.0, 4.0]
    assert ran(model, X)["label"].tolist() == [1, 1, 2, 2, 3, 3] == model.predict(X).tolist()


@pytest.mark.parametrize("cls", [rankmargin.SwappedPairsSVM, rankmargin.SVOR], ids=lambda cls: cls.__name__)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inside_a_pipeline_with_names_and_numbers(cls, dtype):
    X, y = data(cls())
    frame = pd.DataFrame({"size": X[:, 0].astype(dtype), "age": X[:, 2].astype(dtype)})
    frame["colour"] = np.random.default_rng(2).choice(["red", "green", "blue"], N)
    encoder = make_column_transformer(
        (StandardScaler(), ["size", "age"]), (OneHotEncoder(sparse_output=False), ["colour"])
    )
    model = fitted(make_pipeline(encoder, made(cls, probability=True)), frame, y)
    said = same(model, frame, atol=1e-5)
    assert said["scores"].shape == (N, 1)


def test_ranks_between_and_beyond_training_predictions():
    """Training predictions 0, 1, 1, 3 of the first member have the ranks 1/8, 1/2, 1/2, 7/8; those of the second are
    equal and have the rank 1/2."""
    X = np.array([[0.0], [1.0], [1.0], [3.0]])
    members = [("line", LinearRegression()), ("mean", Ridge(alpha=1e300))]
    model = rankmargin.RankAverage(members, weights=[3.0, 1.0]).fit(X, X[:, 0])
    rows = np.array([[0.0], [0.5], [1.0], [2.0], [3.0], [6.0], [-3.0]])
    expected = 0.75 * np.array([1 / 8, 5 / 16, 1 / 2, 11 / 16, 7 / 8, 15 / 16, 1 / 16]) + 0.25 / 2
    np.testing.assert_allclose(model.predict(rows), expected, atol=1e-12)
    np.testing.assert_allclose(ran(model, rows)["scores"][:, 0], expected, atol=1e-12)


def test_an_average_of_pipelines_searches_and_trees():
    X, y = data(rankmargin.SwappedPairsSVM())
    search = rankmargin.RankSearchCV(rankmargin.SVOR(n_bins=3), Cs=[1.0], cv=3)
    trees = RandomForestRegressor(n_estimators=5, random_state=0)  # onnxruntime has trees of float32 only
    members = [("piped", make_pipeline(StandardScaler(), Ridge())), ("search", search), ("trees", trees)]
    said = same(fitted(rankmargin.RankAverage(members), X, y), X, atol=1e-4)  # neighbours may be near each other
    assert list(said) == ["scores"]


def average(member, **options):
    return rankmargin.RankAverage([("svm", rankmargin.SwappedPairsSVM()), ("odd", member)], **options)


@pytest.mark.parametrize(
    ("model", "error", "message"),
    [
        (rankmargin.SVOR(kernel=RBF()), NotImplementedError, "kernel must be one of rbf, .* to become ONNX, got "),
        (rankmargin.SVOR(kernel=np.inner), NotImplementedError, "kernel must be one of rbf, .* to become ONNX, got "),
        (
            rankmargin.ThresholdedRanker(LogisticRegression()),
            NotImplementedError,
            "ranker must be a ranker or a regressor to become ONNX, got Log",
        ),
        (average(Ridge(), average="normal"), NotImplementedError, "average must not be normal to become ONNX"),
        (average(Unknown()), MissingShapeCalculator, "Unknown"),
    ],
)
def test_what_is_refused(model, error, message):
    X, y = data(rankmargin.SVOR())
    with pytest.raises(error, match=message):
        ran(fitted(model, X, np.minimum(y, 1)), X)


@pytest.mark.parametrize("labels", [["lost", "draw", "won"], "score"])
def test_pairs_with_scaled_items(labels):
    """The columns of the first items are not the first ones."""
    model = rankmargin.ComparisonSVM(kernel="rbf", labels=labels, items=([0, 2], [1, 3]), probability=True)
    X, y = data(model)
    X = X.astype(np.float64)
    y = np.array([0.0, 0.5, 1.0] if labels == "score" else labels)[y + 1]
    same(fitted(model, X, y), X)
    scaled = make_pipeline(rankmargin.PairTransformer(StandardScaler()), rankmargin.ComparisonSVM(labels=labels))
    same(fitted(scaled, X, y), X)


def test_without_the_extra_the_error_names_its_packages(monkeypatch):
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(ModuleNotFoundError, match=r"not installed: pip install 'onnxruntime.*' 'skl2onnx.*' 'skops"):
        register()


@pytest.mark.parametrize("cls", WITH_KERNEL, ids=lambda cls: cls.__name__)
def test_a_kernel_matrix_with_weights_of_0(cls):
    model = made(cls, kernel="precomputed")
    X, y = data(model)
    D = X[:, 2:] - X[:, :2] if isinstance(model, PAIRS) else X
    K = (D @ D.T).astype(np.float64)
    for weight in (None, (np.arange(N) % 3).astype(float)):
        same(fitted(model, K, y, sample_weight=weight), K)


@pytest.mark.parametrize("cls", [one for one in CLASSES if hasattr(one, "partial_fit")], ids=lambda cls: cls.__name__)
def test_probabilities_that_partial_fit_takes_away(cls):
    model = made(cls, probability=True)
    X, y = data(model)
    assert "probabilities" in ran(fitted(model, X, y), X)
    model.partial_fit(X, y)
    found = ran(model, X)
    assert "probabilities" not in found
    np.testing.assert_array_equal(found["label"], model.predict(X))


@pytest.mark.parametrize("cls", [one for one in CLASSES if "categories" in inspect.signature(one).parameters])
def test_grades_that_are_true_and_false(cls):
    model = made(cls)
    X, y = data(model)
    np.testing.assert_array_equal(ran(fitted(model, X, y > 0), X)["label"], model.predict(X))


def test_a_constant_column_of_a_search():
    """Quantiles of it are 0, and 1 above it."""
    rng = np.random.default_rng(2)
    X = np.c_[np.ones(40), rng.standard_normal((40, 3))]
    y = np.digitize(X[:, 1] - X[:, 2] + 0.3 * rng.standard_normal(40), [-0.5, 0.5])
    model = rankmargin.RankSearchCV(rankmargin.SVOR(gamma=2.0), Cs=[1.0], param_grid=None, cv=3).fit(X, y)
    same(model, X)
    same(model, X + np.array([0.5, 0.0, 0.0, 0.0]))
    same(model, X - np.array([0.5, 0.0, 0.0, 0.0]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_search_on_a_frame(dtype):
    X, y = data(rankmargin.SVOR())
    frame = pd.DataFrame(X.astype(dtype), columns=list("abcd"))
    model = rankmargin.RankSearchCV(rankmargin.SVOR(), Cs=[1.0], cv=3).fit(frame, y)
    same(model, frame, atol=1e-5 if dtype is np.float32 else 1e-9)


@pytest.mark.parametrize("member", [OneClassSVM(), IsolationForest(random_state=0, n_estimators=5)])
def test_scores_of_another_package_are_not_taken_for_those_of_python(member):
    """skl2onnx calls their decision function scores; Python uses ``score_samples``, which is shifted."""
    X, y = data(rankmargin.SVOR())
    model = rankmargin.ThresholdedRanker(member).fit(X, y)
    with pytest.raises(NotImplementedError, match="ranker must be a ranker or a regressor to become ONNX"):
        skl2onnx.to_onnx(model, X[:1], target_opset={"": 17, "ai.onnx.ml": 3})


def test_a_row_far_away_costs_the_others_no_digits():
    X, y = data(rankmargin.SVOR())
    X = np.asarray(X, dtype=np.float64)
    X[0, 0] = 1e8
    model = fitted(rankmargin.SVOR(gamma=1.0, C=10.0), X, y)
    same(model, np.random.default_rng(1).uniform(0, 2, (500, 4)))


def test_an_online_ranker_with_a_linear_kernel():
    X, y = data(rankmargin.SVOR())
    same(rankmargin.KernelPRank(kernel="linear").fit(X, y), X)


def test_items_whose_columns_are_selected_by_name():
    X, y = data(rankmargin.ComparisonSVM())
    frame = pd.DataFrame(X.astype(np.float64), columns=["elo_a", "elo_b", "age_a", "age_b"])
    for chosen in (["elo"], slice(0, 1), slice("elo", "elo"), [0]):
        columns = make_column_transformer((StandardScaler(), chosen), remainder="passthrough")
        same(fitted(make_pipeline(rankmargin.PairTransformer(columns), rankmargin.ComparisonSVM()), frame, y), frame)


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_a_search_on_values_that_many_rows_have(dtype):
    """A share of rows below a value jumps there: a value in another precision than in the fit is another one."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 20, (60, 3)) / (10 if dtype is np.float32 else 1)
    y = np.digitize(X @ [1.0, 0.6, -0.4] + 0.1 * rng.standard_normal(60), np.array([0.8, 1.3]) * X.max() / 1.9)
    model = rankmargin.RankSearchCV(rankmargin.SVOR(kernel="linear"), Cs=[10.0], param_grid=None, cv=2).fit(X, y)
    same(model, X)
    same(model, X.astype(dtype), atol=1e-6)
    if dtype is np.int64:
        np.testing.assert_allclose(model.score_samples(X.astype(dtype)), model.score_samples(X), atol=1e-6)
        frame = pd.DataFrame({"a": X[:, 0].astype(int), "b": X[:, 1], "c": X[:, 2].astype(int)})
        same(rankmargin.RankSearchCV(rankmargin.SVOR(), Cs=[1.0], cv=2).fit(frame, y), frame)


def test_members_of_another_package_on_a_frame():
    X, y = data(rankmargin.SVOR())
    frame = pd.DataFrame({"a": X[:, 0].astype(np.float64), "b": np.round(X[:, 2] * 5).astype(np.int64)})
    same(rankmargin.ThresholdedRanker(Ridge()).fit(frame, y), frame, atol=1e-5)
    members = [("svm", rankmargin.SwappedPairsSVM()), ("ridge", Ridge())]
    same(rankmargin.RankAverage(members).fit(frame, y), frame, atol=1e-5)
    by_name = make_pipeline(make_column_transformer((StandardScaler(), ["b"]), remainder="passthrough"), Ridge())
    same(
        rankmargin.RankAverage([*members, ("by_name", by_name)]).fit(frame.astype(float), y), frame.astype(float), 1e-5
    )


def test_members_that_name_columns_of_texts():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"kind": rng.choice(list("uvw"), N), "size": rng.standard_normal(N)})
    columns = make_column_transformer((OneHotEncoder(sparse_output=False), ["kind"]), (StandardScaler(), ["size"]))
    members = [
        ("ridge", make_pipeline(columns, Ridge())),
        ("svm", make_pipeline(columns, rankmargin.SwappedPairsSVM())),
    ]
    same(rankmargin.RankAverage(members).fit(frame, frame["size"] + (frame["kind"] == "u")), frame)


def test_a_member_whose_output_is_not_its_score_is_refused():
    X = np.random.default_rng(0).standard_normal((50, 3))
    model = rankmargin.RankAverage([("density", PCA(1)), ("ridge", Ridge())]).fit(X, X[:, 0])
    with pytest.raises(NotImplementedError, match="density must be a ranker or a regressor to become ONNX, got PCA"):
        skl2onnx.to_onnx(model, X[:1])


def test_a_member_that_selects_columns_is_refused():
    """skl2onnx makes the selected columns the output of RFE, and they were taken for scores."""
    X, y = data(rankmargin.SVOR())
    model = rankmargin.ThresholdedRanker(RFE(Ridge(), n_features_to_select=2)).fit(X, y)
    with pytest.raises(NotImplementedError, match="ranker must not end in a selection of columns to become ONNX"):
        skl2onnx.to_onnx(model, X[:1])


def test_members_that_are_searches_of_scikit_learn_have_no_outputs_of_their_own():
    """The output named scores was that of the member."""
    X, y = data(rankmargin.SwappedPairsSVM())
    search = GridSearchCV(rankmargin.SwappedPairsSVM(), {"C": [1, 2]})
    members = [("a", search), ("b", make_pipeline(StandardScaler(), GridSearchCV(Ridge(), {"alpha": [1.0]})))]
    same(rankmargin.RankAverage(members).fit(X.astype(np.float64), y), X.astype(np.float64))


def test_a_search_on_days_written_as_whole_numbers():
    """Neighbours beyond 2^24 are one number in single precision."""
    days = np.repeat(np.arange(20240101.0, 20240111.0), 6)[:, None]
    same(rankmargin.RankSearchCV(cv=3).fit(days, days[:, 0]), days)


@pytest.mark.parametrize("single", [(), ("a",), ("a", "b")], ids=["double", "one single", "single"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_search_on_tied_values_of_several_types(single, dtype):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.integers(1, 20, N) * 0.1, "b": rng.integers(0, 5, N) * 0.1})
    y = np.sin(3 * frame["a"]) + 3 * frame["b"] + 0.1 * rng.standard_normal(N)
    model = rankmargin.RankSearchCV(param_grid={"kernel": ["rbf"], "gamma": [0.3]}, Cs=[100.0], cv=3)
    asked = frame.astype(dict.fromkeys(single, "float32"))
    kinds = [(name, types.FloatTensorType if name in single else types.DoubleTensorType) for name in frame]
    model = model.fit(frame.astype(dtype), y)
    graph = skl2onnx.to_onnx(model, initial_types=[(name, kind([None, 1])) for name, kind in kinds])
    found = runtime.InferenceSession(graph.SerializeToString()).run(
        None, {name: asked[[name]].to_numpy() for name in frame}
    )
    np.testing.assert_allclose(found[0][:, 0], model.predict(asked), atol=1e-5)


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


def test_a_search_of_many_columns_has_no_more_nodes():
    """skl2onnx takes a time that grows as the square of the number of nodes."""
    rng, nodes = np.random.default_rng(0), []
    for d in (1, 3, 40):
        X = rng.standard_normal((50, d))
        model = rankmargin.RankSearchCV(Cs=[1.0], param_grid=None, cv=2).fit(X, X[:, 0])
        nodes.append(len(skl2onnx.to_onnx(model, X[:1]).graph.node))
        same(model, X)
    assert len(set(nodes)) == 1


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
    members = [("table", model), ("ridge", make_pipeline(encoder, StandardScaler(), Ridge()))]
    average = rankmargin.RankAverage(members)
    same(average.fit(frame, y), asked, atol=1e-5)
    same(rankmargin.ThresholdedRanker(average).fit(frame, np.digitize(y, [3, 6])), asked, atol=1e-5)


def test_a_date_is_asked_as_its_days():
    days = pd.Series(np.arange(18000.0, 18040.0)).where(np.arange(40) % 5 > 0)
    encoder = TableEncoder().fit(pd.DataFrame({"day": pd.to_datetime(days, unit="D")}))
    frame = pd.DataFrame({"day": days})
    np.testing.assert_array_equal(ran(encoder, frame)["table"][:, 0], days.fillna(days.median()))


def test_names_that_are_no_texts_are_refused():
    frame = pd.DataFrame({"code": pd.Categorical([1, 2, 2, 1])})
    encoder = TableEncoder().fit(frame)
    with pytest.raises(NotImplementedError, match="column 'code' must hold texts to become ONNX, got 1"):
        skl2onnx.to_onnx(encoder, initial_types=[("code", types.Int64TensorType([None, 1]))])
