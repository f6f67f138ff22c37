"""The methods that ``uses`` names: a file in a folder of methods, one of a room, or any estimator by its dotted path.

Everything that planning needs to know about our methods is read from their sources, so planning imports none of them.
"""

import importlib
from functools import cache

from . import estimator
from .components import constant_of, fields_of, foreign_imports, functions_of, names_in

FOLDERS = ("rankmargin.methods", "rankbench.baselines")
GIVEN = ("own", "X", "y", "values", "seed", "groups", "Z", "pairs")  # what a protocol does not set


@cache
def _modules():
    """Return name -> module of the methods of this project; two of one name raise a ValueError."""
    rooms = importlib.import_module("rankbench.registry").METHODS  # by name: jobs do not stand on the lists of rooms
    modules = {method.name: method.module for method in rooms.values()}
    for folder in FOLDERS:
        for name in names_in(folder):
            if name in modules:
                raise ValueError(f"methods: {folder}.{name} has the name of {modules[name]}")
            modules[name] = f"{folder}.{name}"
    return modules


def method_names():
    """Return the names of the methods of this project, sorted."""
    return sorted(_modules())


def module_of(uses):
    """Return the module of a method of this project; an unknown name raises a ModuleNotFoundError."""
    if uses not in _modules():
        raise ModuleNotFoundError(f"no method {uses!r} in {', '.join(FOLDERS)} or a room")
    return _modules()[uses]


def load_method(uses):
    """Return the method: an object with ``PATH`` and ``fit_path``, see :mod:`rankmargin.methods`."""
    return estimator.EstimatorMethod(uses) if estimator.is_path(uses) else importlib.import_module(module_of(uses))


def uses_named(uses):
    """Return the full name of a method: its module, or its dotted paths."""
    return " + ".join(estimator.paths_of(uses)) if estimator.is_path(uses) else module_of(uses)


def sources_of(uses):
    """Return the sources of a method: its module of this project, and the other packages that it fits with.

    These are the packages that its module imports, also inside functions, except numpy, which all methods use.
    """
    if estimator.is_path(uses):
        return "rankbench.experiments.estimator", estimator.packages_of(uses)
    return module_of(uses), foreign_imports(module_of(uses))


def path_of(uses):
    """Return the name of the parameter that `fit_path` follows, or None."""
    return None if estimator.is_path(uses) else constant_of(module_of(uses), "PATH")


def input_of(uses):
    """Return whether a method learns from "rows" or from "pairs"."""
    return "rows" if estimator.is_path(uses) else constant_of(module_of(uses), "INPUT", "rows")


def takes_pairs(uses):
    """Return whether a method also learns from the order of some pairs of a pool."""
    return not estimator.is_path(uses) and {"Z", "pairs"} <= {*_taken(module_of(uses))}


def arguments_of(uses):
    """Return the names that a protocol may set for a method, sorted.

    Raises
    ------
    ValueError
        If a dotted path cannot be imported or names no estimator.
    """
    if estimator.is_path(uses):
        return sorted(estimator.estimator_of(uses, {}).get_params())
    path = path_of(uses)
    return sorted({*_taken(module_of(uses)), *([path] if path else [])} - {*GIVEN})


def _taken(module):
    """Return the names of the arguments of ``fit_path``, with its parameters if the method describes them apart."""
    functions = functions_of(module)
    if "fit_path" in functions:
        return functions["fit_path"]
    return *fields_of(module, "Parameters"), *functions["problem" if "problem" in functions else "model"]
