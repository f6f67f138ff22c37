"""A fit: its progress, its end before it converges, its threads, and the one step in which it changes its estimator.

The caller of a fit sets its options, and every solver below reads them:

    with watching(verbose=1, max_seconds=60.0):
        model = estimator.fit(...)

    progress = current()                                      # in a solver
    while not progress.expired:
        ...                                                   # a compiled loop takes at most ``pace.steps`` steps
        progress.report("smo", C, steps, objective, gap)

A compiled loop cannot be interrupted, so it has to return to Python about five times per second: :class:`Pace` says
after how many steps.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from functools import cache, wraps
from numbers import Integral, Real
from time import perf_counter
from typing import Any, TypeVar

import numpy as np
from numba.core import event
from threadpoolctl import ThreadpoolController

Method = TypeVar("Method", bound=Callable[..., Any])
PIECE_SECONDS = 0.2
SMALL = 1_000_000  # entries of the kernel matrix, or of X for linear functions; with more, threads save time


class Progress:
    """The options of the caller of a fit, and the clock of the fit.

    Parameters
    ----------
    verbose : int
        0 prints nothing, 1 at most one line per second and one per solution, 2 every evaluation of the gap.
    max_seconds : float > 0 or None
        Wall clock time after which a solver stops, with the certificate that it has.
    whole : Progress or None
        That of a fit of which this one is a part: it ends no later.
    unit : float
        The C of the solvers is this times the one that the caller gave.

    Attributes
    ----------
    fits_left : int, number of fits, this one included, for which the time has to do
    """

    def __init__(self, verbose=0, max_seconds=None, whole=None, unit=1.0):
        if not isinstance(verbose, (Integral, np.bool_)) or verbose < 0:
            raise ValueError(f"verbose must be an integer >= 0, got {verbose!r}")
        if max_seconds is not None and not (isinstance(max_seconds, Real) and max_seconds > 0):
            raise ValueError(f"max_seconds must be a number > 0 or None, got {max_seconds!r}")
        self.verbose, self.max_seconds, self.unit, self.fits_left = verbose, max_seconds, unit, 1
        self._began, self._printed = perf_counter(), -1.0
        self._end = np.inf if max_seconds is None else self._began + float(max_seconds)
        if whole is not None:
            self.fits_left = whole.fits_left
            if whole._end < self._end:
                self.max_seconds, self._end = whole.max_seconds, whole._end

    @property
    def seconds(self):
        """Return the seconds since the start."""
        return perf_counter() - self._began

    @property
    def left(self):
        """Return the seconds that are left, inf without a limit."""
        return self._end - perf_counter()

    @property
    def expired(self):
        """Return whether the time is over."""
        return self.left < 0.0

    @contextmanager
    def share(self, parts):
        """Give what runs inside one of ``parts`` equal parts of the time that is left; more is left for the others if
        it ends early."""
        end, now = self._end, perf_counter()
        self._end = now + max(end - now, 0.0) / parts
        try:
            yield
        finally:
            self._end = end

    def report(self, solver, C, iteration, objective, gap, done=False):
        """Print what the solver has proved so far, if the last line is a second old or the solve is done."""
        if not self.verbose or (self.verbose == 1 and not done and self.seconds - self._printed < 1.0):
            return
        self._printed = self.seconds
        proved = f"objective {objective:.6g}, gap {gap:.1e}"
        print(f"{solver}: C {C / self.unit:g}, iteration {iteration}, {proved}, {self._printed:.1f} s", flush=True)


_CURRENT, _SILENT = ContextVar("progress", default=None), Progress()


def current():
    """Return the progress of the running fit; outside :func:`watching` it prints nothing and stops nothing."""
    return _CURRENT.get() or _SILENT


@contextmanager
def watching(verbose=None, max_seconds=None, unit=1.0):
    """Set ``verbose``, ``max_seconds`` and the ``unit`` of C for the solvers that are called inside; see
    :class:`Progress`. Inside another fit, the time of that one is a limit too, and its ``verbose`` stands for None."""
    verbose = current().verbose if verbose is None else verbose
    token = _CURRENT.set(Progress(verbose, max_seconds, _CURRENT.get(), unit))
    try:
        yield _CURRENT.get()
    finally:
        _CURRENT.reset(token)


class Pace:
    """Return how many steps a compiled loop may take before it returns to Python.

    Parameters
    ----------
    steps : int, number of steps of the first piece
    """

    def __init__(self, steps=1024):
        self.steps, self._began = steps, perf_counter()

    def begin(self):
        """Start the clock of one piece; return how many steps it may take."""
        self._began = perf_counter()
        return self.steps

    def end(self, steps):
        """End a piece that took this many steps: the time of a full piece determines the length of the next one."""
        if steps >= self.steps:
            seconds = max(perf_counter() - self._began, 1e-9)
            self.steps = max(1, int(self.steps * min(max(PIECE_SECONDS / seconds, 0.1), 4.0)))


class _Compiling(event.Listener):
    """Says once, on the error stream, that the first fit after an installation compiles its solver."""

    printed = False

    def on_start(self, found):
        module = found.data["dispatcher"].py_func.__module__ or ""  # sympy.lambdify makes functions without one
        if module.startswith("rankmargin.") and not self.printed:
            self.printed = True
            message = "rankmargin: compiling for this machine, which takes some seconds once after an installation"
            print(message, file=sys.stderr, flush=True)

    def on_end(self, found):
        """Do nothing."""


event.register("numba:compile", _Compiling())


@cache
def _threads():
    return ThreadpoolController()  # lists the libraries of the process, which takes two milliseconds


@contextmanager
def one_thread(entries: int) -> Iterator[None]:
    """Let BLAS use one thread inside, for a matrix with at most :data:`SMALL` entries.

    Threads of BLAS wait for each other after each call, and Newton's method makes many calls: on two quiet cores a
    search of 1,000 rows took 8.5 s with two threads and 1.3 s with one, and more on a busy machine.

    The number belongs to the process. Only the main thread changes it: fits of several threads of Python could not
    restore what the first of them found, and OpenBLAS ignores all but one thread.
    """
    if entries > SMALL or threading.current_thread() is not threading.main_thread():
        yield
    else:
        with _threads().limit(limits=1, user_api="blas"):
            yield


@contextmanager
def one_step(estimator):
    """Yield a copy of an estimator for ``fit`` to work on, without its fitted attributes; at the end its attributes
    are taken over.

    A fit that fails changes nothing, and nothing of an earlier fit remains after another one. All that runs inside has
    ``verbose`` and ``max_seconds`` of the estimator, if it has them (see :func:`watching`).
    """
    fresh = copy(estimator)
    fresh.__dict__ = {name: value for name, value in fresh.__dict__.items() if not name.endswith("_")}
    with watching(getattr(estimator, "verbose", 0), getattr(estimator, "max_seconds", None)):
        yield fresh
    estimator.__dict__ = fresh.__dict__


def in_one_step(method: Method) -> Method:
    """Let ``fit`` work in :func:`one_step`."""

    @wraps(method)
    def fit(self, *args, **named):
        with one_step(self) as fresh:
            method(fresh, *args, **named)
        return self

    return fit  # type: ignore[return-value]
