"""Warnings that name the line of the caller's program, however deep in the library they are given."""

import sys
import warnings


class HintWarning(UserWarning):
    """The fit is right, but perhaps not what the caller wants; the benchmark does not count it as a fault."""


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the innermost line that is not of this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "rankmargin":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
