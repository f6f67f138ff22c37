"""Every ordinal method with two ranks, with as many ranks as examples, and with a rank that no example has."""

from importlib.util import find_spec

import numpy as np
import pytest

from rankbench.experiments.methods import fit_method, sources_of
from rankmargin.metrics import mean_absolute_error, zero_one

pytestmark = pytest.mark.filterwarnings("ignore::rankmargin.caller.HintWarning")
MORD, SKORDINAL = "rankbench.baselines.mord.Mord", "rankbench.baselines.skordinal.SkOrdinal"
SVR = "rankbench.papers.herbrich.methods.svr_on_ranks.SVROnRanks"
NAMES = ["CumulativeLink", "FixedMarginSVM", "KernelPRank", "PRank", "RankBoundarySVM", "SVOR", "SumOfMarginsSVM"]
NAMES += [MORD, "rankbench.baselines.multiclass_svm.MulticlassSVM", SKORDINAL, SVR]
# The constant 1.5 lies in the chapter's tubes of 0.5 around 1 and 2, so from two ranks SVR learns nothing.
OPTIONS = {"PRank": {"epochs": 50}, "KernelPRank": {"epochs": 50, "gamma": 1.0}, SVR: {"epsilon": 0.1}}
REFUSES_AS_MANY_RANKS = {"CumulativeLink": r"X must have more rows than the model has parameters \(14: "}


def fit(uses, X, y):
    if absent := [name for name in sources_of(uses)[1] if not find_spec(name)]:
        pytest.skip(f"{absent[0]} is not installed")
    return fit_method(uses, X, y, [None], seed=1, params=OPTIONS.get(uses, {}))[0]


@pytest.fixture(scope="module")
def data():
    """Four ranks in steps of one input, with some noise; the labels are 1, 2, 5, 9."""
    rng = np.random.default_rng(2)
    X = rng.standard_normal((120, 3))
    return X, np.array([1.0, 2.0, 5.0, 9.0])[np.digitize(X[:, 0] + 0.3 * rng.standard_normal(120), [-0.8, 0.0, 0.8])]


@pytest.mark.parametrize("name", NAMES)
def test_two_ranks(name, data):
    X, y = data
    two = np.where(y > 2, 9.0, 2.0)
    model = fit(name, X, two)
    assert set(model.labels(X)) <= {2.0, 9.0}
    assert zero_one(two, model.labels(X)) < 0.25
    assert np.all(np.diff(model.labels(X)[np.argsort(model.scores(X), kind="stable")]) >= 0)


@pytest.mark.parametrize("name", NAMES)
def test_as_many_ranks_as_examples(name):
    X = np.random.default_rng(0).standard_normal((12, 3))
    y = 10 + np.arange(12.0)[np.argsort(np.argsort(X[:, 0]))]
    if name in REFUSES_AS_MANY_RANKS:
        with pytest.raises(ValueError, match=REFUSES_AS_MANY_RANKS[name]):
            fit(name, X, y)
        return
    model = fit(name, X, y)
    assert len(model.ranks) == 12
    assert set(model.labels(X)) <= set(y)
    assert mean_absolute_error(y, model.labels(X)) < 3.0  # the median rank: 3


@pytest.mark.parametrize("name", NAMES)
def test_a_rank_that_no_training_example_has_is_never_given(name, data):
    """The other ranks keep their labels, and the test part may contain the missing rank."""
    X, y = data
    seen = y != 5.0
    model = fit(name, X[seen], y[seen])
    assert set(model.labels(X)) <= {1.0, 2.0, 9.0}
    assert len(model.ranks) == 3
    assert mean_absolute_error(y, model.labels(X)) < 2.0


@pytest.mark.parametrize("name", NAMES)
def test_one_rank_is_refused(name, data):
    X, _ = data
    with pytest.raises(ValueError, match="y must hold at least two ranks, got 1"):
        fit(name, X, np.full(120, 3.0))
