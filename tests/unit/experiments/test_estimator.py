"""Any scikit-learn estimator is a method: scores are those of the estimator, mistakes are named before a run."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from rankbench.configuration.model import Method
from rankbench.datasets.table import load_table, save_table
from rankbench.experiments import methods, protocol
from rankbench.experiments.collect import read_run
from rankbench.experiments.job import run_job
from rankbench.experiments.methods import estimator_of, fit_method
from rankbench.experiments.preprocess import Categories
from rankbench.experiments.tune import fit_points
from rankmargin import SwappedPairsSVM

PIPELINE = ["sklearn.preprocessing.StandardScaler", "sklearn.svm.SVR"]


@pytest.fixture
def made():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    return X, np.round(X[:, 0] + X[:, 1]).clip(-1, 1)


def fitted(uses, X, y, seed=5, **params):
    return fit_method(uses, X, y, [None], seed=seed, params=params)[0]


@pytest.mark.parametrize(
    ("uses", "params", "own", "scores"),
    [
        (
            "sklearn.ensemble.RandomForestRegressor",
            {"n_estimators": 5},
            RandomForestRegressor(n_estimators=5, random_state=5),
            lambda own, X: own.predict(X),
        ),
        (PIPELINE, {"svr__C": 3}, make_pipeline(StandardScaler(), SVR(C=3)), lambda own, X: own.predict(X)),
        (
            "sklearn.linear_model.LogisticRegression",
            {},
            LogisticRegression(),
            lambda own, X: own.predict_proba(X) @ [-1, 0, 1],  # the expected grade
        ),
    ],
)
def test_scores_are_those_of_the_estimator_with_the_seed_of_the_run(made, uses, params, own, scores):
    X, y = made
    model = fitted(uses, X, y, **params)
    assert np.allclose(model.scores(X), scores(own.fit(X, y), X), rtol=1e-12) and model.solution is None
    other = fitted(uses, X, y, seed=6, **params)
    assert np.array_equal(other.scores(X), model.scores(X)) == ("Forest" not in uses)
    assert "Logistic" not in uses or np.array_equal(model.labels(X), own.predict(X))


def test_labels_of_a_regressor_are_the_nearest_grades(made):
    X, y = made
    predicted = SVR().fit(X, y).predict(X)
    labels = fitted("sklearn.svm.SVR", X, y).labels(X)
    assert np.array_equal(labels, np.clip(np.floor(predicted + 0.5), -1, 1))


class Noted:
    """An estimator that notes what it is given."""

    def get_params(self):
        return {}

    def set_params(self):
        return self

    def fit(self, X, y, qid):
        self.given = X[:, 0], y, qid
        return self

    def predict(self, X):
        return X[:, 0]


def test_groups_are_handed_over_in_blocks(made):
    X, y = made
    groups = np.arange(len(y)) % 4
    model = fit_method(f"{__name__}.Noted", X, y, [None], seed=0, params={}, groups=groups)[0]
    order = np.argsort(groups, kind="stable")
    assert all(map(np.array_equal, model.estimator.given, (X[order, 0], y[order], groups[order])))


class Ranked(BaseEstimator):
    """An estimator that requires the sizes of groups, as LightGBM's ranker does."""

    def fit(self, X, y, group):
        self.given = X[:, 0], y, group
        return self

    def predict(self, X):
        return X[:, 0]


def test_sizes_of_groups_reach_the_last_step_of_a_pipeline(made):
    X, y = made
    uses = ["sklearn.preprocessing.MaxAbsScaler", f"{__name__}.Ranked"]
    groups = np.array([7.0, 3.0, 3.0])[np.arange(len(y)) % 3]
    given = fit_method(uses, X, y, [None], seed=0, params={}, groups=groups)[0].estimator[-1].given
    order = np.argsort(groups, kind="stable")
    assert all(map(np.array_equal, given, (X[order, 0] / np.abs(X[:, 0]).max(), y[order], [40, 20])))
    alone = fit_method(uses, X, y, [None], seed=0, params={})[0].estimator[-1].given
    assert np.array_equal(alone[1], y) and list(alone[2]) == [60]  # without groups it is told one


@pytest.mark.parametrize(
    ("uses", "params", "message"),
    [
        ("sklearn.svm.SVX", {}, "sklearn.svm.SVX cannot be imported"),
        ("nowhere.Forest", {}, "No module named 'nowhere'"),
    ],
)
def test_what_is_no_estimator_is_named(uses, params, message):
    with pytest.raises(ValueError, match=message):
        estimator_of(uses, params)
    with pytest.raises(ValueError, match="must have fit and one of predict"):
        methods.arguments_of("sklearn.preprocessing.StandardScaler")


def test_a_search_says_how_many_settings_it_tried_and_where_its_choice_lies(files, task):
    space = {"svr__C": {"low": 1e-6, "high": 1e-5, "scale": "log", "first": 1}}
    run_of = {}
    for seconds in (0, 1000):  # 0: a clock of processor time may stand still during a fit
        search = {"settings": 4, "seconds": seconds}
        run_job(
            replace(task, uses=PIPELINE, grid=space, search=search),
            files / "table.npz",
            [[files / name for name in ("split0.npz", "s.npz")]],
        )
        run_of[seconds] = read_run(files / "s.npz", ["swapped_pairs"]).record
    cut, whole = run_of.values()
    assert (cut.status, cut.n_settings, cut.n_drawn, cut.params) == ("ok", 1, 4, {"svr__C": 1})
    assert (whole.n_settings, whole.n_drawn) == (4, 4)
    assert cut.edges == "svr__C high", "1 is beyond the range"


LEVELS = 20
OF_TREES = {
    "sklearn.ensemble.HistGradientBoostingRegressor": {"max_iter": 1, "max_leaf_nodes": 2, "min_samples_leaf": 1},
    "catboost.CatBoostRegressor": {"iterations": 1, "depth": 1, "verbose": False, "allow_writing_files": False},
    "lightgbm.LGBMRegressor": {"n_estimators": 1, "num_leaves": 2, "min_child_samples": 1},
    "xgboost.XGBRegressor": {"n_estimators": 1, "max_depth": 1, "enable_categorical": True},
}


@pytest.mark.parametrize("uses", OF_TREES)
def test_trees_divide_the_levels_of_a_column_and_not_their_numbers(uses):
    pytest.importorskip(uses.split(".")[0])
    rng = np.random.default_rng(1)
    codes = np.repeat(np.arange(LEVELS - 1.0), 150)  # the last level is not in the training part
    X = np.column_stack([np.where(rng.random(len(codes)) < 0.2, np.nan, rng.standard_normal(len(codes))), codes])
    high = rng.permutation(LEVELS) % 2
    y = high[codes.astype(int)] + 0.01 * rng.standard_normal(len(codes))
    rows = {nominal: Categories(((), LEVELS * ("",)) if nominal else ((), ())) for nominal in (True, False)}
    right = {}
    for nominal, frame in rows.items():
        (model,) = fit_method(uses, frame(X), y, [None], seed=0, params=OF_TREES[uses])
        scores = model.scores(frame(X))
        right[nominal] = np.mean((scores > scores.mean()) == high[codes.astype(int)])
        assert np.isfinite(model.scores(frame(np.array([[np.nan, LEVELS - 1.0]])))).all()
    assert right[True] == 1 > 0.9 > right[False], "one division of the numbers cannot tell the levels apart"


class Typed(BaseEstimator):
    """An estimator that scores by the number of columns that are categories."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), float((X.dtypes == "category").sum()))


def test_a_job_gives_categories_to_a_method_that_asks_for_them(files, task):
    of_method = {"scaling": "standard", "nominal": "native"}
    task = replace(task, uses=f"{__name__}.Typed", params={}, grid={}, preprocess=of_method)
    table = load_table(files / "table.npz")
    names = [("one", "two") if j == 0 else () for j in range(table.X.shape[1])]
    X = np.column_stack([np.arange(len(table.y)) % 2, table.X[:, 1:]])
    save_table(files / "table.npz", replace(table, X=X, levels=tuple(names)))
    run_job(task, files / "table.npz", [[files / name for name in ("split0.npz", "s.npz")]])
    assert set(read_run(files / "s.npz", ["swapped_pairs"]).arrays["scores"]) == {1}


class Silent(BaseEstimator):
    """As CatBoost: ``get_params`` tells only what was set."""

    def __init__(self, depth=6, random_state=None):
        self.told = {}

    def get_params(self, deep=True):
        return self.told

    def set_params(self, **params):
        self.told |= params
        return self

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), float(self.told["depth"]))


def test_parameters_that_are_only_named_where_it_is_made_are_accepted(made):
    X, y = made[:2]
    (model,) = fit_method(f"{__name__}.Silent", X, y, [None], seed=7, params={"depth": 3})
    assert model.estimator.told == {"depth": 3, "random_state": 7} and model.scores(X)[0] == 3


def test_a_method_of_an_absent_rival_is_described_and_named_when_it_is_to_run(monkeypatch):
    uses = "absent_rival.Ranker"
    assert not methods.is_absent(uses), "any other package that is not there is a fault"
    method, known = Method(uses=uses, params={"depth": 3}), protocol.Known({})
    (fault,) = known.of_method(method)
    assert fault.startswith("uses: absent_rival.Ranker cannot be imported")
    monkeypatch.setitem(methods._extra.EXTRAS, "absent_rival", "rivals")
    assert methods.is_absent(uses) and list(known.of_method(method)) == []
    with pytest.raises(ValueError, match=r"absent_rival.Ranker cannot be imported: .* pip install -r rivals.lock"):
        methods.estimator_of(uses, {})


def test_a_method_without_C_has_that_of_its_estimator(made):
    X, y = made[:2]
    asked, left = (
        fit_points("SwappedPairsSVM", X, y, [point], seed=0, params={})[0] for point in ({"C": SwappedPairsSVM().C}, {})
    )
    np.testing.assert_array_equal(asked.scores(X), left.scores(X))
