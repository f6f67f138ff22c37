"""Warnings that name the line of the caller's program, however deep in the library they are given."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_UNSAID: ContextVar[tuple[type[Warning], ...]] = ContextVar("unsaid", default=())


class HintWarning(UserWarning):
    """The fit is right, but perhaps not what the caller wants; the benchmark does not count it as a fault."""


@contextmanager
def unsaid(*categories: type[Warning]) -> Iterator[None]:
    """Leave warnings of these categories out inside. No filter of Python is changed: those belong to the process."""
    before = _UNSAID.set(_UNSAID.get() + categories)
    try:
        yield
    finally:
        _UNSAID.reset(before)


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the innermost line that is not of this package, the only place of it that does."""
    if issubclass(category, _UNSAID.get()):
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "rankmargin":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
