"""What every method promises: every estimator of rankmargin with a problem, the baselines, and those of the rooms; and
the ordinal ones with a rank that no example has."""

from importlib.util import find_spec

import numpy as np
import pytest
from checkout import ROOT
from made_problems import noisy

from rankbench.experiments.methods import arguments_of, fit_method, input_of, path_of, sources_of
from rankbench.experiments.solved import method_names
from rankbench.papers.diez.methods.percent_of_pairs import PercentOfPairsSVM
from rankmargin import SwappedPairsSVM
from rankmargin.certificates import judge
from rankmargin.estimators.path import fit_path
from rankmargin.metrics import mean_absolute_error
from rankmargin.problem.rows.pairs import count_pairs

pytestmark = pytest.mark.filterwarnings("ignore::rankmargin.caller.HintWarning")
OTHERS = [
    f"rankbench.{path}"
    for path in (
        "baselines.blind.Blind",
        "baselines.lightgbm.LightGBM",
        "baselines.mord.Mord",
        "baselines.multiclass_svm.MulticlassSVM",
        "baselines.skordinal.SkOrdinal",
        "baselines.xgboost.XGBoost",
        "papers.diez.methods.percent_of_pairs.PercentOfPairsSVM",
        "papers.herbrich.methods.pairwise_perceptron.PairwisePerceptron",
        "papers.herbrich.methods.svr_on_ranks.SVROnRanks",
        "papers.svmcompare.methods.compare_as_programmed.CompareAsProgrammed",
        "papers.svmcompare.methods.given_rank.GivenRank",
        "papers.svmcompare.methods.rank_as_programmed.RankAsProgrammed",
        "papers.today.methods.catboost_ranker.CatBoostRanking",
        "papers.today.methods.gaussian_process.GaussianProcess",
        "papers.today.methods.neural_network.NeuralNetwork",
        "papers.today.methods.self_tuning.SelfTuning",
        "papers.today.methods.thresholds.Thresholds",
        "papers.today.methods.xrfm_regressor.XRFMRegressor",
    )
]
TRANSFORMERS = {"inputs"}  # first steps of pipelines
PROBABILITIES = {"comparisons"}  # they take pairs alone and have tests of their own: papers/today/test_comparisons.py
# The sum of margins is defined in a range of C only, and its objective, an upper bound of the margins, falls with C
VALUES = {"SumOfMarginsSVM": [0.5, 0.2, 0.3]}
FALLS_WITH_C = {"SumOfMarginsSVM"}
NAMES = [*method_names(), *OTHERS]


def test_every_class_that_an_experiment_names_is_here():
    folders = ("baselines", "papers/*/methods")
    files = [file for folder in folders for file in (ROOT / "benchmark/src/rankbench").glob(f"{folder}/[!_]*.py")]
    assert {file.stem for file in files} == {path.split(".")[-2] for path in OTHERS} | TRANSFORMERS | PROBABILITIES


def models_of(uses, data, values, params=None, **options):
    """Fit a method; skip it if it needs a package that is not installed."""
    if absent := [name for name in sources_of(uses)[1] if not find_spec(name)]:
        pytest.skip(f"{absent[0]} is not installed")
    return fit_method(uses, *data, values, params=params or {}, **options)


@pytest.fixture(scope="module")
def data():
    X, u = noisy(40, 3, 0.5, seed=3)
    return X, np.clip(np.round(2 * u) / 2, -1.0, 1.0)


def data_for(uses, data):
    """The data as a method takes them: for pairs, each row beside the next one and the sign of how they differ."""
    X, y = data
    if input_of(uses) != "pairs":
        return X, y
    difference = np.roll(y, -1) - y
    return np.hstack([X, np.roll(X, -1, axis=0)]), np.sign(difference) * (np.abs(difference) > 0.5)


@pytest.mark.parametrize("uses", NAMES)
def test_a_path_gives_one_model_a_value_in_order(uses, data):
    data, path = data_for(uses, data), path_of(uses)
    values = VALUES.get(uses, [1.0, 0.01, 0.1]) if path else [None]
    models = models_of(uses, data, values, seed=4)
    assert len(models) == len(values)
    for model in models:
        assert model.scores(data[0]).shape == (40,)
        assert np.all(np.isfinite(model.scores(data[0])))
        if getattr(model, "ranks", None) is not None and input_of(uses) == "rows":
            assert set(model.labels(data[0])) <= set(data[1])
        if model.solution is not None:
            certificate = judge(model, data[0])
            assert -1e-9 <= certificate.gap <= 1.001e-3
            assert certificate.infeasibility <= 1e-9
    if path and all(model.solution is not None for model in models):
        high, low, middle = (model.solution.objective for model in models)
        assert high < middle < low if uses in FALLS_WITH_C else high > middle > low


@pytest.mark.parametrize("uses", NAMES)
def test_a_seed_fixes_the_model(uses, data):
    data = data_for(uses, data)
    values = VALUES.get(uses, [0.1])[-1:] if path_of(uses) else [None]
    first, second = (models_of(uses, data, values, seed=9)[0].scores(data[0]) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_the_loss_in_percent_is_the_mean_over_pairs(data):
    """C weighs 100 / pairs of the sum: the same model as with that C."""
    X, y = data
    pairs = count_pairs(y)
    percent = fit_path(PercentOfPairsSVM(tol=1e-8, gamma=1.0), X, y, [0.5])[0]
    summed = fit_path(SwappedPairsSVM(tol=1e-8, gamma=1.0), X, y, [50 / pairs])[0]
    assert percent.solution.objective == pytest.approx(summed.solution.objective, rel=1e-6)
    np.testing.assert_allclose(percent.scores(X), summed.scores(X), atol=1e-3)


@pytest.mark.parametrize("uses", NAMES)
def test_a_kernel_matrix_with_a_negative_eigenvalue_is_refused(uses, data):
    if "kernel" not in arguments_of(uses) or uses.endswith(("MulticlassSVM", "RankAsProgrammed")):
        pytest.skip("has no kernel")
    X, y = data_for(uses, data)
    values = VALUES.get(uses, [1.0])
    with pytest.raises(ValueError, match="X must be a positive semi-definite matrix"):
        fit_method(uses, -X @ X.T, y, values[:1], seed=0, params={"kernel": "precomputed"})


ORDINAL = ["CumulativeLink", "FixedMarginSVM", "KernelPRank", "PRank", "RankBoundarySVM", "SVOR", "SumOfMarginsSVM"]
SVR = "rankbench.papers.herbrich.methods.svr_on_ranks.SVROnRanks"
ORDINAL += [
    f"rankbench.baselines.{path}" for path in ("mord.Mord", "multiclass_svm.MulticlassSVM", "skordinal.SkOrdinal")
]
ORDINAL.append(SVR)
# The constant 1.5 lies in the chapter's tubes of 0.5 around 1 and 2, so from two ranks SVR learns nothing.
OPTIONS = {"PRank": {"epochs": 50}, "KernelPRank": {"epochs": 50, "gamma": 1.0}, SVR: {"epsilon": 0.1}}


def of_ranks(uses, X, y):
    return models_of(uses, (X, y), [None], seed=1, params=OPTIONS.get(uses, {}))[0]


@pytest.fixture(scope="module")
def graded():
    """Four ranks in steps of one input, with some noise; the labels are 1, 2, 5, 9."""
    X, u = noisy(120, 3, 0.3, seed=2)
    return X, np.array([1.0, 2.0, 5.0, 9.0])[np.digitize(u, [-0.8, 0.0, 0.8])]


@pytest.mark.parametrize("name", ORDINAL)
def test_a_rank_that_no_training_example_has_is_never_given(name, graded):
    """The other ranks keep their labels, and the test part may contain the missing rank."""
    X, y = graded
    seen = y != 5.0
    model = of_ranks(name, X[seen], y[seen])
    assert set(model.labels(X)) <= {1.0, 2.0, 9.0}
    assert len(model.ranks) == 3
    assert mean_absolute_error(y, model.labels(X)) < 2.0
