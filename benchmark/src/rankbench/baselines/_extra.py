"""The optional extra ``rivals``: other people's packages that some experiments compare with."""

from contextlib import contextmanager
from importlib.util import find_spec

PACKAGES = ("catboost", "interpret", "lightgbm", "mord", "skordinal", "xgboost")
HINT = "it is part of the optional extra 'rivals': pip install -r rivals.lock, or 'rankmargin[rivals]'"


def lacks(package):
    """Return whether a package belongs to the extra and is not installed."""
    return package in PACKAGES and find_spec(package) is None


@contextmanager
def optional_extra():
    """Import packages of the extra inside the block.

    They are imported by statements, because a record names the packages that the module of its method imports.

    Raises
    ------
    ModuleNotFoundError
        When a package is not installed; the message names it and the extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{error}; {HINT}") from error
