"""Which arguments the ``fit`` of an estimator takes, also where it hands them on to estimators inside."""

import inspect
from typing import Any

from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline

from rankmargin.estimators.path import last_step

INSIDE = ("ranker", "estimator", "regressor")  # parameters that hold the estimator to which ``**fit_params`` go


def takes(estimator: Any, name: str) -> bool:
    """Return whether the ``fit`` of an estimator, or of the last step of a pipeline, takes an argument of this name.

    A ``fit`` with ``**fit_params`` takes what the estimators inside take. A pipeline inside has other names for its
    arguments, so it takes none; a search of scikit-learn takes groups, for its folds.
    """
    last = last_step(estimator)[0]
    known = inspect.signature(last.fit).parameters
    if name in known:
        return True
    if not any(of.kind is of.VAR_KEYWORD for of in known.values()):
        return False
    if isinstance(last, BaseSearchCV) and name == "groups":
        return True
    inside = [getattr(last, part) for part in INSIDE if getattr(last, part, None) is not None]
    inside += [one for _, one in getattr(last, "estimators", None) or ()]
    return all(not isinstance(one, Pipeline) and takes(one, name) for one in inside)
