"""The wrappers of other people's programs keep them out of their traps; run where the extra `rivals` is installed."""

import sys
from functools import partial

import numpy as np
import pytest
from made_problems import noisy

from rankbench.baselines.lightgbm import LightGBM
from rankbench.baselines.mord import Mord
from rankbench.baselines.skordinal import SkOrdinal
from rankbench.baselines.xgboost import XGBoost
from rankbench.papers.today.methods import gaussian_process
from rankbench.papers.today.methods.catboost_ranker import CatBoostRanking
from rankbench.papers.today.methods.xrfm_regressor import XRFMRegressor
from rankmargin.metrics import kendall_tau, swapped_pairs


@pytest.fixture(scope="module")
def data():
    return noisy(400, 3, 0.3, lambda X: 3 * X[:, 0] + X[:, 1] ** 2)


WRAPPERS = {"lightgbm": LightGBM, "mord": Mord, "xgboost": XGBoost}
RANKERS = {"lightgbm": LightGBM, "xgboost": XGBoost, "catboost": partial(CatBoostRanking, iterations=50)}


@pytest.mark.parametrize(
    ("name", "wrapper"), [*WRAPPERS.items(), ("skordinal.classifiers", SkOrdinal), ("torch", XRFMRegressor)]
)
def test_without_the_extra_the_error_names_it(name, wrapper, data, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    extra = "xrfm" if name == "torch" else "rivals"
    with pytest.raises(ModuleNotFoundError, match=rf"optional extra '{extra}': pip install -r {extra}.lock"):
        wrapper().fit(*data)


@pytest.mark.parametrize("name", ["lightgbm", "xgboost"])
def test_rankers_order_a_whole_table(name, data):
    """With their defaults, which look at the first places only, they are far worse."""
    package, (X, y) = pytest.importorskip(name), data
    wrapper = WRAPPERS[name]
    X_test, y_test = X[300:], y[300:]
    error = {}
    for estimator in ("regressor", "ranker"):
        model = wrapper(estimator=estimator).fit(X[:300], y[:300]).model_
        error[estimator] = swapped_pairs(y_test, model.scores(X_test))
    assert error["ranker"] < error["regressor"] + 0.02
    assert kendall_tau(y_test, model.scores(X_test)) > 0.6
    if name == "xgboost":
        plain = package.XGBRanker(n_estimators=200, n_jobs=1, objective="rank:pairwise")
        plain.fit(X[:300], y[:300], qid=np.zeros(300, dtype=int))
        assert swapped_pairs(y_test, plain.predict(X_test)) > error["ranker"] + 0.02


@pytest.mark.parametrize("name", RANKERS)
def test_rankers_learn_inside_groups_alone(name, data):
    """A large constant for each group says nothing about the order inside the group."""
    pytest.importorskip(name)
    (X, y), groups = data, np.arange(400) % 20
    wrapper = RANKERS[name] if name == "catboost" else partial(RANKERS[name], estimator="ranker")
    plain, shifted = (
        wrapper().fit(X[:300], (y + more)[:300], groups=groups[:300]).model_.scores(X[300:])
        for more in (0.0, 100 * groups)
    )
    np.testing.assert_allclose(plain, shifted, atol=1e-9)
    assert swapped_pairs(y[300:], plain, groups[300:]) < 0.25


def test_the_gaussian_process_finds_its_own_parameters(data):
    X, y = data
    model = gaussian_process.GaussianProcess().fit(X[:200], 1000 * y[:200]).model_
    assert swapped_pairs(y[200:], model.scores(X[200:])) < 0.1
