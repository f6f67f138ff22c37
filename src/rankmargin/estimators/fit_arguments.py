"""Which arguments the ``fit`` of an estimator takes, also where it hands them on to estimators inside."""

import inspect
import reprlib
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from rankmargin.estimators.path import last_step, learns_pairs
from rankmargin.problem.checks import fit_weights, matrix_as_it_came
from rankmargin.problem.rows.orderings import check_orderings


def of_this_package(estimator: Any) -> bool:
    """Return whether the class of an estimator, or one that it is derived from, is of this package."""
    return any(base.__module__.startswith("rankmargin.") for base in type(estimator).__mro__)


def takes(estimator: Any, name: str) -> bool:
    """Return whether the ``fit`` of an estimator, or of the last step of a pipeline, takes an argument of this name.

    A ``fit`` with ``**fit_params`` may hand it on: those of scikit-learn need metadata routing for it.

    Raises
    ------
    ValueError
        If the estimators inside one of scikit-learn would not get it.
    """
    last = last_step(estimator)[0]
    known = inspect.signature(last.fit).parameters
    if name in known:
        return True
    if "__" in name or not any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values()):
        return False
    if get_config()["enable_metadata_routing"]:
        routing = get_routing_for_object(last_step(getattr(last, "ranker", last))[0])
        if isinstance(routing, MetadataRequest):  # what is not said there is handed on: the error says how to say it
            return routing.fit.requests.get(name, False) is not False
        return bool(routing.consumes("fit", [name]))
    if hasattr(last, "ranker"):  # of this package: it hands on to the last step of a pipeline
        return takes(last.ranker, name)
    if of_this_package(last):  # others have such arguments only to refuse them, unless a class of yours is between
        return any(
            name in inspect.signature(base.fit).parameters for base in type(last).__mro__ if hasattr(base, "fit")
        )
    if not type(last).__module__.startswith("sklearn."):
        return name == "groups"
    inside = [value for value in last.get_params().values() if hasattr(value, "fit")]
    if name == "sample_weight" or (name == "groups" and any(map(learns_inside_groups, inside))):
        raise ValueError(
            f"{name} must reach what is inside {type(last).__name__}, which hands on none by itself, got {last!r}: "
            f"set_config(enable_metadata_routing=True), and set_fit_request({name}=True) of the estimator inside"
        )
    return False


def learns_inside_groups(estimator: Any) -> bool:
    """Return whether ``fit`` takes groups and compares rows of one group alone; for pairs they are those of folds."""
    return takes(estimator, "groups") and not learns_pairs(estimator)


def checked_arguments(
    search: Any, estimator: Any, X: Any, groups: Any, sample_weight: Any, pair_weight: Any, Z: Any, pairs: Any
) -> dict[str, Any]:
    """Return the checked arguments of the ``fit`` of a search for an estimator that are not None."""
    last = last_step(estimator)[0]
    for name, value in {"pair_weight": pair_weight, "Z": Z, "pairs": pairs}.items():
        if value is not None and not has_fit_parameter(last, name):
            raise ValueError(
                f"{name} must be None, as the fit of {type(last).__name__} takes none, got {reprlib.repr(value)}"
            )
    if Z is not None:
        Z = matrix_as_it_came(search, Z, reset=False)
        Z = Z.toarray() if issparse(Z) and not issparse(X) else Z
    given: dict[str, Any] = {"pair_weight": pair_weight, "Z": Z}
    if np.ndim(groups) == 1 and takes(estimator, "groups"):
        given["groups"] = np.asarray(groups)
    given["sample_weight"] = fit_weights(X, sample_weight)
    if pairs is not None:
        ordered: Any = X if Z is None else Z
        given["pairs"] = check_orderings(pairs, ordered.shape[0], "X" if Z is None else "Z")
    if pair_weight is not None and not (isinstance(pair_weight, str) or callable(pair_weight)):
        shape = (X.shape[0], X.shape[0]) if pairs is None else (len(given["pairs"]),)
        if np.shape(pair_weight) != shape:
            raise ValueError(f"pair_weight must have shape {shape}, got {np.shape(pair_weight)}")
    return {name: value for name, value in given.items() if value is not None}
