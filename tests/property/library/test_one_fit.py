"""A fit changes its estimator in one step: one that fails changes nothing."""

import crossed
import numpy as np
import pytest
from public import CLASSES, made
from sklearn.base import clone

import rankmargin

USUAL = {"kernel": "linear", "random_state": 0, "epochs": 3, "Cs": (0.1, 1.0), "cv": 2}
ESTIMATORS = [made(cls, **USUAL) for cls in (*CLASSES, rankmargin.PairTransformer)]
ESTIMATORS += [made(cls, probability=True) for cls in (rankmargin.ComparisonSVM, rankmargin.FixedMarginSVM)]
ESTIMATORS += [made(cls, probability=True) for cls in (rankmargin.SVOR, rankmargin.ThresholdedRanker)]
READS = (
    "predict",
    "score_samples",
    "decision_function",
    "predict_proba",
    "rank",
    "transform",
    "get_feature_names_out",
)
pytestmark = crossed.QUIET


def named(estimator):
    return type(estimator).__name__


def data(estimator, seed):
    """Return rows and targets; the grades of different seeds have different names."""
    X, y = crossed.data(estimator, seed)
    return X, y if hasattr(estimator, "labels") else y + 10 * seed


def answers(estimator, X, among=READS):
    """Return what the estimator says about X: (name, array)."""
    told = {}
    for name in among:
        if hasattr(estimator, name):
            rows = X[:, :2] if name == "rank" else X
            told[name] = np.asarray(getattr(estimator, name)(*([] if name == "get_feature_names_out" else [rows])))
    return told


def state(estimator):
    return {name: id(value) for name, value in vars(estimator).items()}


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=named)
def test_a_fit_that_fails_anywhere_changes_nothing(estimator, monkeypatch):
    """The n-th attribute that a refit sets raises, for each n."""
    estimator, (X, y) = clone(estimator).fit(*data(estimator, 1)), data(estimator, 1)
    before, expected = state(estimator), answers(estimator, X)
    left, kind = [0], type(estimator)

    def failing(self, name, value):
        if isinstance(self, kind):
            left[0] -= 1
            if left[0] == 0:
                raise FloatingPointError("the fit fails here")
        object.__setattr__(self, name, value)

    monkeypatch.setattr(kind, "__setattr__", failing)
    for n in range(1, 300):
        left[0] = n
        try:
            estimator.fit(*data(estimator, 2))
        except FloatingPointError:
            assert state(estimator) == before, f"attribute {n} of the refit was set on the estimator"
        else:
            break
    assert n > 2 and state(estimator) != before
    monkeypatch.undo()
    again = clone(estimator).fit(X, y)
    for name, value in answers(again, X).items():
        np.testing.assert_array_equal(value, expected[name])
