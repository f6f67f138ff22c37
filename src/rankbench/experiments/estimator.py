"""Any estimator can be a method: an experiment names it by its dotted path.

``uses: sklearn.ensemble.RandomForestRegressor`` names a class with ``fit`` and with ``decision_function``,
``predict_proba`` or ``predict``; a list of paths is a pipeline, whose parameters are named as scikit-learn names them
(``svr__C``). The estimator is imported in its own jobs, and once when the protocol is checked.
"""

import importlib
import inspect
from dataclasses import dataclass

import numpy as np

from rankmargin.rows.pairs import group_codes


def is_path(uses):
    """Return whether `uses` of a method is the dotted path of an estimator, or a list of them, not a method of ours."""
    return not isinstance(uses, str) or "." in uses


def paths_of(uses):
    """Return the dotted paths of a method as a tuple: one for an estimator, several for a pipeline."""
    return (uses,) if isinstance(uses, str) else tuple(uses)


def packages_of(uses):
    """Return the names of the packages of the estimators, each once."""
    return tuple(dict.fromkeys(path.split(".")[0] for path in paths_of(uses)))


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


def groups_argument(estimator):
    """Return the argument by which ``fit`` of an estimator takes groups, or None.

    It is the first of ``groups``, ``qid`` (both: the group of each row) and ``group`` (the size of each group) that its
    ``fit`` has; in a pipeline that of the last step, whose name comes before it, as in ``xgbranker__qid``.
    """
    name, last = estimator.steps[-1] if hasattr(estimator, "steps") else ("", estimator)
    arguments = inspect.signature(last.fit).parameters
    taken = next((argument for argument in ("groups", "qid", "group") if argument in arguments), None)
    return f"{name}__{taken}" if taken and name else taken


def given_groups(argument, groups, n):
    """Return the order in which n rows are given to ``fit``, group after group, and its argument of groups as a dict.

    Without groups, all rows are one group for the arguments ``qid`` and ``group``, which rankers require.
    """
    kind = (argument or "").rpartition("__")[2]
    if not argument or (groups is None and kind == "groups"):
        return slice(None), {}
    codes = group_codes(groups, n)
    order = np.argsort(codes, kind="stable")
    return order, {argument: np.bincount(codes) if kind == "group" else codes[order]}


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

        Each parameter ``random_state`` that is not set gets the seed of the run. Groups (n,) go to the argument of
        `groups_argument`, with the rows sorted by group.
        """
        estimator = estimator_of(self.uses, params)
        seeded = [n for n in estimator.get_params() if n.rpartition("__")[2] == "random_state" and n not in params]
        estimator.set_params(**dict.fromkeys(seeded, seed % 2**32))
        order, more = given_groups(groups_argument(estimator), groups, len(y))
        estimator.fit(X[order], y[order], **more)
        return [EstimatorModel(estimator, np.unique(y))] * len(values)
