"""Any estimator can be a method: an experiment names it by its dotted path.

``uses: sklearn.ensemble.RandomForestRegressor`` names a class with ``fit`` and with ``decision_function``,
``predict_proba`` or ``predict``; a list of paths is a pipeline, whose parameters are named as scikit-learn names them
(``svr__C``). The estimator is imported in its own jobs, and once when the protocol is checked.
"""

import importlib
import importlib.metadata
import inspect
from dataclasses import dataclass

import numpy as np


def is_path(uses):
    """Return whether `uses` of a method is the dotted path of an estimator, or a list of them, not a method of ours."""
    return not isinstance(uses, str) or "." in uses


def paths_of(uses):
    """Return the dotted paths of a method as a tuple: one for an estimator, several for a pipeline."""
    return (uses,) if isinstance(uses, str) else tuple(uses)


def packages_of(uses):
    """Return the packages of the estimators with their versions; a job runs again when one of these changes."""
    names = dict.fromkeys(path.split(".")[0] for path in paths_of(uses))
    return tuple(f"{name} {getattr(importlib.import_module(name), '__version__', '?')}" for name in names)


def estimator_of(uses, params):
    """Return an estimator that is not fitted yet.

    Parameters
    ----------
    uses : str or sequence of str
        Dotted path of a class, or of the class of each step of a pipeline.
    params : dict

    Raises
    ------
    ValueError
        When a path cannot be imported, or its class cannot fit or predict, or lacks one of the parameters.
    """
    steps = [_class_of(path)() for path in paths_of(uses)]
    if len(steps) == 1:
        estimator = steps[0]
    else:
        from sklearn.pipeline import make_pipeline

        estimator = make_pipeline(*steps)
    named = " + ".join(paths_of(uses))
    can = [name for name in ("fit", "predict", "predict_proba", "decision_function") if hasattr(steps[-1], name)]
    if "fit" not in can or len(can) == 1:
        raise ValueError(f"{named} must have fit and one of predict, predict_proba, decision_function")
    accepted = estimator.get_params()
    if unknown := sorted(set(params) - set(accepted)):
        raise ValueError(f"{unknown[0]}: no parameter of {named}; accepted: {', '.join(sorted(accepted))}")
    return estimator.set_params(**params)


def _class_of(path):
    module, _, name = path.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError, TypeError) as error:  # TypeError: it begins with a dot
        raise ValueError(f"{path} cannot be imported: {error}") from None
    if not inspect.isclass(found):
        raise ValueError(f"{path} must be a class, got a {type(found).__name__}")
    return found


@dataclass(frozen=True)
class EstimatorModel:
    """A fitted estimator as a model of :mod:`rankmargin.methods`; it has no certificate.

    Attributes
    ----------
    estimator : object
    grades : (k,) float64
        The distinct targets of the training rows, ascending.
    """

    estimator: object
    grades: np.ndarray
    solution = None

    def scores(self, X):
        """Return one score per row of X (m, p), shape (m,).

        It is the first of these that the estimator has: ``score_samples``, a decision function with one column, the
        expected grade by ``predict_proba``, the prediction.
        """
        if hasattr(self.estimator, "score_samples"):
            return np.asarray(self.estimator.score_samples(X), dtype=np.float64)
        if hasattr(self.estimator, "decision_function"):
            scores = np.asarray(self.estimator.decision_function(X), dtype=np.float64)
            if scores.ndim == 1:
                return scores
        if hasattr(self.estimator, "predict_proba"):
            return np.asarray(self.estimator.predict_proba(X)) @ np.asarray(self.estimator.classes_, dtype=np.float64)
        return np.asarray(self.estimator.predict(X), dtype=np.float64).ravel()

    def labels(self, X):
        """Return the grade of each row of X (m, p), shape (m,): the one nearest to the prediction."""
        predicted = np.asarray(self.estimator.predict(X), dtype=np.float64).ravel()
        between = (self.grades[1:] + self.grades[:-1]) / 2
        return self.grades[np.searchsorted(between, predicted)]


@dataclass(frozen=True)
class EstimatorMethod:
    """The estimator of a dotted path with the interface of a method: ``PATH`` and ``fit_path``."""

    uses: object
    PATH = None

    def fit_path(self, X, y, values, *, seed=0, groups=None, **params):
        """Fit one model to X (n, p) and y (n,), and return it once for each of `values`, which have no meaning here.

        Each parameter ``random_state`` that is not set gets the seed of the run. If ``fit`` of the estimator has an
        argument ``groups`` or ``qid``, it gets the groups, with the rows sorted by group.
        """
        estimator = estimator_of(self.uses, params)
        seeded = [n for n in estimator.get_params() if n.rpartition("__")[2] == "random_state" and n not in params]
        estimator.set_params(**dict.fromkeys(seeded, seed % 2**32))
        arguments = inspect.signature(estimator.fit).parameters
        taken = next((name for name in ("groups", "qid") if name in arguments), None)
        if taken and groups is not None:
            order = np.argsort(groups, kind="stable")
            estimator.fit(X[order], y[order], **{taken: groups[order]})
        else:
            estimator.fit(X, y)
        return [EstimatorModel(estimator, np.unique(y))] * len(values)
