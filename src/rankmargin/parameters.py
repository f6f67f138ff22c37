"""Accepted values of parameters, in one table for all estimators, and parameters that many of them share."""

from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

import numpy as np

from rankmargin import annotations
from rankmargin.annotations import Array, Gamma, RandomState
from rankmargin.kernels import SCALED, Kernel

C_SCALES = ("rows", "pairs")


def whole(least):
    """Return the rule of an integer that is at least ``least``."""
    return f"an integer >= {least}", lambda value: isinstance(value, Integral) and value >= least


def one_of(*names):
    """Return the rule of one of some names."""
    return f"one of {', '.join(names)}", lambda value: isinstance(value, str) and value in names


def _or(rule, other, said):
    return f"{rule[0]} or {said}", lambda value: value is other or value == other or rule[1](value)


def _real(value):
    return isinstance(value, Real)


POSITIVE = "a finite number > 0", lambda value: _real(value) and 0 < value < np.inf
NOT_NEGATIVE = "a finite number >= 0", lambda value: _real(value) and 0 <= value < np.inf

# name -> what is accepted, and the test; the parameters of a kernel are checked by Kernel, limits by Progress, and
# solvers and losses where they are chosen
ACCEPTED = {
    "C": POSITIVE,
    "C_rank": NOT_NEGATIVE,
    "C_scale": one_of(*C_SCALES),
    "bin_ties": one_of("share", "split"),
    "constraints": one_of("implicit", "explicit"),
    "epochs": whole(1),
    "epsilon": NOT_NEGATIVE,
    "equality": one_of("drop", "oppose"),
    "link": one_of("logit", "probit", "cloglog"),
    "margin": POSITIVE,
    "max_iter": whole(1),
    "n_bins": _or(whole(2), None, "None"),
    "n_partners": _or(whole(1), "all", '"all"'),
    "penalty": NOT_NEGATIVE,
    "prediction": one_of("thresholds", "most_probable"),
    "program": one_of("linear", "quadratic"),
    "ties": one_of("widest", "authors"),
    "tol": POSITIVE,
}


def check_parameters(owner: Any) -> None:
    """Refuse values of the fields of a dataclass that :data:`ACCEPTED` does not accept; defaults are accepted.

    Raises
    ------
    ValueError
        The message names the parameter, what is accepted and what came.
    """
    for field in fields(owner):
        value = getattr(owner, field.name)
        accepted, test = ACCEPTED.get(field.name, ("", None))
        if test is not None and value is not field.default and not test(value):
            raise ValueError(f"{field.name} must be {accepted}, got {value!r}")


@dataclass(eq=False, repr=False, kw_only=True)
class KernelParameters:
    """The parameters of a kernel; ``gamma`` may follow from the data."""

    kernel: annotations.Kernel = "rbf"
    gamma: Gamma = "scale"
    degree: int = 3
    coef0: float = 0.0


@dataclass(eq=False, repr=False, kw_only=True)
class Certified(KernelParameters):
    """The parameters of an estimator with a certificate: the weight of the loss, when a fit ends and what it prints."""

    C: float | None = 1.0  # None is accepted where it is the default
    tol: float = 1e-3
    max_iter: int = 10_000_000
    verbose: int = 0
    max_seconds: float | None = None
    random_state: RandomState | None = 0


@dataclass(frozen=True)
class Control:
    """How long and how exactly a problem is solved.

    Attributes
    ----------
    tol : float, relative duality gap at which a solve ends
    max_iter : int, largest number of steps of the solver
    seed : int, seed of samples and shuffles
    verbose, max_seconds : see :class:`rankmargin.solvers.progress.Progress`
    """

    tol: float
    max_iter: int
    seed: int = 0
    verbose: int = 0
    max_seconds: float | None = None


def kernel_of(own: KernelParameters, items: Any, sample_weight: Array | None = None) -> Kernel:
    """Return the kernel of an estimator on items (n, d) with weights (n,); ``gamma="scale"`` is 1 / (d var(items))."""
    gamma = own.gamma
    if isinstance(gamma, str):
        if gamma != "scale":
            raise ValueError(f'gamma must be a number > 0 or "scale", got {gamma!r}')
        variance = _variance(items, sample_weight) if own.kernel in SCALED else 1.0
        if not np.isfinite(variance):
            largest = float(abs(items).max())
            raise ValueError(f"X must have a finite variance, got entries up to {largest:.3g}: scale X")
        gamma = 1.0 / (items.shape[1] * variance) if variance > 0 else 1.0
    return Kernel(own.kernel, gamma, own.degree, own.coef0)


def _variance(X, sample_weight=None):
    weight = np.ones(X.shape[0]) if sample_weight is None else sample_weight
    with np.errstate(over="ignore", invalid="ignore"):
        if hasattr(X, "multiply"):
            size = weight.sum() * X.shape[1]
            mean, about = float((X.T @ weight).sum()) / size, X.copy()
            about.sum_duplicates()
            zeros = size - float(weight @ np.diff(about.indptr))
            about.data = (about.data - mean) ** 2  # the difference of two sums would lose digits if X is far from 0
            return (float((about.T @ weight).sum()) + zeros * mean**2) / size
        if sample_weight is None:
            return float(X.var())
        mean = np.average(X.mean(axis=1), weights=weight)
        return float(np.average(((X - mean) ** 2).mean(axis=1), weights=weight))
