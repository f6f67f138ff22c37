"""The optional extras ``rivals`` and ``xrfm``: other people's packages that some experiments compare with."""

from contextlib import contextmanager
from importlib.util import find_spec

EXTRAS = dict.fromkeys(("catboost", "interpret", "lightgbm", "mord", "skordinal", "xgboost"), "rivals")
EXTRAS |= dict.fromkeys(("torch", "xrfm"), "xrfm")


def lacks(package):
    """Return whether a package belongs to an extra and is not installed."""
    return package in EXTRAS and find_spec(package) is None


def hint(package):
    """Return how the extra of a package is installed."""
    extra = EXTRAS.get(package, "rivals")
    return f"it is part of the optional extra '{extra}': pip install -r {extra}.lock, or 'rankmargin[{extra}]'"


@contextmanager
def optional_extra():
    """Import packages of an extra inside the block.

    They are imported by statements, because a record names the packages that the module of its method imports.

    Raises
    ------
    ModuleNotFoundError
        When a package is not installed; the message names it and the extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{error}; {hint(error.name)}") from error
