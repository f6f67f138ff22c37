"""A fit changes its estimator in one step, and a prediction belongs to one fit, also if threads run both at once."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from rankmargin.solvers.progress import watching

Estimator = TypeVar("Estimator")
Method = TypeVar("Method", bound=Callable[..., Any])


def in_one_step(method: Method) -> Method:
    """Let ``fit`` work on a copy of its estimator without fitted attributes, whose attributes are taken over at the
    end.

    A fit that fails changes nothing, and nothing of an earlier fit remains after another one. ``partial_fit`` starts
    from what is fitted. All that runs inside has ``verbose`` and ``max_seconds`` of the estimator, if it has them (see
    :func:`rankmargin.solvers.progress.watching`).
    """
    forgets = not method.__name__.startswith("partial")

    @wraps(method)
    def fit(self, *args, **named):
        fresh = twin(self)
        if forgets:
            fresh.__dict__ = {name: value for name, value in fresh.__dict__.items() if not name.endswith("_")}
        with watching(getattr(self, "verbose", 0), getattr(self, "max_seconds", None)):
            method(fresh, *args, **named)
        self.__dict__ = fresh.__dict__
        return self

    return fit  # type: ignore[return-value]


def of_one_fit(method: Method) -> Method:
    """Let a method that predicts work on a copy of its estimator, so that a fit in another thread does not change it
    halfway."""

    @wraps(method)
    def predict(self, *args, **named):
        return method(twin(self), *args, **named)

    return predict  # type: ignore[return-value]


def twin(estimator: Estimator) -> Estimator:
    """Return another estimator with the same attributes."""
    same = object.__new__(type(estimator))
    same.__dict__ = estimator.__dict__.copy()  # one step: no other thread runs in between
    return same
