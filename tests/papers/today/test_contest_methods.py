"""The entries of the contest that are this project's own wrappers."""

import importlib.util

import numpy as np
import pytest

from rankbench.experiments.methods import fit_method
from rankbench.papers.today.methods.inputs import Inputs
from rankbench.papers.today.methods.thresholds import FittedThresholds
from rankmargin import SVOR, RankSearchCV
from rankmargin.metrics import concordance_index

WITHIN = "rankbench.papers.today.methods"
RNG = np.random.default_rng(0)
X = RNG.standard_normal((90, 3))
Y = 2 * X[:, 0] - X[:, 1] + 0.1 * RNG.standard_normal(90)
TRAIN, TEST = slice(60), slice(60, 90)


def fitted(uses, y=Y, **params):
    (model,) = fit_method(uses, X[TRAIN], y[TRAIN], [None], seed=3, params=params)
    return model


def test_quantiles_do_not_see_a_monotone_change_of_a_column():
    stretched = np.column_stack([np.exp(3 * X[:, 0]), X[:, 1:]])
    changed = [
        np.abs(Inputs(kind=kind).fit(X).transform(X) - Inputs(kind=kind).fit(stretched).transform(stretched)).max()
        for kind in ("quantile", "standard")
    ]
    assert changed[0] < 1e-6 < 1 < changed[1]


def test_a_network_has_as_many_layers_as_it_is_told():
    model = fitted(f"{WITHIN}.neural_network.NeuralNetwork", width=7, layers=2)
    assert [weights.shape for weights in model.machine.coefs_] == [(3, 7), (7, 7), (7, 1)]
    assert concordance_index(Y[TEST], model.scores(X[TEST])) > 0.9


def test_the_one_that_tunes_itself_is_the_library_s_search():
    model = fitted(f"{WITHIN}.self_tuning.SelfTuning")
    search = RankSearchCV().fit(X[TRAIN], Y[TRAIN])
    np.testing.assert_array_equal(model.scores(X[TEST]), search.score_samples(X[TEST]))
    assert model.machine.best_params_ == search.best_params_


def test_the_one_that_tunes_itself_has_labels_for_grades_alone():
    grades = np.digitize(Y, [-1.0, 1.0])
    model = fitted(f"{WITHIN}.self_tuning.SelfTuning", grades, estimator="SVOR")
    search = RankSearchCV(SVOR()).fit(X[TRAIN], grades[TRAIN])
    np.testing.assert_array_equal(model.labels(X[TEST]), search.predict(X[TEST]))
    assert np.mean(model.labels(X[TEST]) == grades[TEST]) > 0.8
    assert not hasattr(fitted(f"{WITHIN}.self_tuning.SelfTuning"), "labels")


@pytest.mark.skipif(not importlib.util.find_spec("lightgbm"), reason="needs the extra rivals")
def test_thresholds_count_the_cuts_below_a_row():
    grades = np.array([1.0, 2.0, 5.0])[np.digitize(Y, [-1.0, 1.0])]
    model = fitted(f"{WITHIN}.thresholds.Thresholds", grades, min_child_samples=2)
    above = [machine.predict_proba(X[TEST])[:, 1] for machine in model.machines]
    assert len(above) == 2
    np.testing.assert_allclose(model.scores(X[TEST]), above[0] + above[1])
    expected = np.array([1.0, 2.0, 5.0])[(above[0] > 0.5).astype(int) + (above[1] > 0.5)]
    np.testing.assert_array_equal(model.labels(X[TEST]), expected)
    assert np.mean(model.labels(X[TEST]) == grades[TEST]) > 0.7


class Certain:
    """A machine that says how probable a higher grade is."""

    def __init__(self, above):
        self.above = np.array(above)

    def predict_proba(self, X):
        return np.column_stack([1 - self.above, self.above])


def test_thresholds_that_contradict_each_other_still_give_probabilities():
    model = FittedThresholds([Certain([0.9, 0.3]), Certain([0.4, 0.5])], np.array([1.0, 2.0, 5.0]))
    np.testing.assert_allclose(model.probabilities(np.zeros((2, 1))), [[0.1, 0.5, 0.4], [0.7, 0.0, 0.3]])
