"""A path over C: one fitted estimator for each value, with warm starts."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from rankmargin.annotations import Array, ArrayLike, MatrixLike
from rankmargin.estimators.base import Data, KernelMachine
from rankmargin.problem.checks import check_parameters, check_targets
from rankmargin.problem.rows.pairs import is_censored, with_events
from rankmargin.solvers.progress import watching


def rank_path(
    estimator: Any, X: MatrixLike, y: ArrayLike, Cs: Sequence[float] | Array | None = None, **fit_params: Any
) -> list[Any]:
    """Fit an estimator for each C, starting from the previous solution, with one kernel matrix.

    Parameters
    ----------
    estimator : an estimator of this package with a parameter ``C``, or a pipeline that ends in one
        It is not changed. The steps before the last one are fitted once.
    X, y : as in its ``fit``
    Cs : sequence of floats > 0 or None
        None is 0.01, 0.1, ..., 10,000, above 500 rows without the last. For SumOfMarginsSVM: six values in its range.
    **fit_params : arguments of its ``fit``, in a pipeline of the ``fit`` of the last step
        ``groups``, ``sample_weight``, ``pair_weight``.

    Returns
    -------
    list
        One fitted clone for each C, in their order; each equals the result of ``fit`` up to the tolerance.
        ``max_seconds`` limits all of them together; each C gets an equal part of the time that is left.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import SwappedPairsSVM, rank_path
    >>> X = np.random.default_rng(0).standard_normal((60, 3))
    >>> y = X[:, 0] + X[:, 1] ** 2
    >>> rankers = rank_path(SwappedPairsSVM(), X, y, Cs=[0.01, 1.0, 100.0])
    >>> [round(ranker.score(X, y), 1) for ranker in rankers]
    [0.8, 1.0, 1.0]
    """
    Cs = checked_path(estimator, Cs, y, [slice(None)], fit_params.get("sample_weight"))
    if isinstance(estimator, Pipeline):
        return _path_of_pipeline(clone(estimator), X, y, Cs, fit_params)
    first = clone(estimator)
    check_parameters(first)
    fitted = []
    with watching(first.verbose, first.max_seconds) as whole:
        data = first._data(X, y, **fit_params)
        posed = first._problem(data)
        with whole.share(first._fits()):
            models = posed.solve(Cs)
        for place, (C, model) in enumerate(zip(Cs, models, strict=True)):
            whole.fits_left = len(Cs) - place
            fitted.append(copy(first))
            fitted[-1].C = C
            fitted[-1]._finish(model, data)
    return fitted


def fit_path(
    estimator: Any, X: Any, y: Array, values: Sequence[float | None], *, seed: int = 0, **data: Any
) -> list[Any]:
    """Return one model for each C, which holds its whole problem; for studies of problems and solvers.

    The data are not checked, C has the unit of the paper (``C_scale`` and weights of 0 are for ``fit``), and None
    stands for the C that the estimator chooses.

    Parameters
    ----------
    estimator : an estimator of this package
    X, y : arrays, numbers only
    values : values of C > 0, or None
    seed : int, in place of ``random_state``
    **data : ``groups``, ``sample_weight``, ``pair_weight`` (PairWeights, or an array, the weights of ``pairs``), ``Z``,
        ``pairs``, as the estimator has them
    """
    check_parameters(estimator)
    in_paper = copy(estimator)
    if hasattr(estimator, "C_scale"):
        in_paper.C_scale = "pairs"
    with watching(getattr(estimator, "verbose", 0), getattr(estimator, "max_seconds", None)):
        return in_paper._problem(Data(X, y, seed=seed, **data)).solve(values)


def _path_of_pipeline(pipeline, X, y, Cs, fit_params):
    """Return pipelines that share their first steps, which are fitted here."""
    name, last = pipeline.steps[-1]
    steps = []
    if len(pipeline.steps) > 1:
        before = pipeline[:-1]
        X = before.fit_transform(X, y)
        steps = before.steps
        if fit_params.get("Z") is not None:
            fit_params = {**fit_params, "Z": before.transform(fit_params["Z"])}
    path = []
    for fitted in rank_path(last, X, y, Cs, **fit_params):
        path.append(copy(pipeline))
        path[-1].steps = [*steps, (name, fitted)]
    return path


def has_path(estimator: Any) -> bool:
    """Return whether an estimator has a path over C."""
    return isinstance(estimator, KernelMachine) and "C" in estimator.get_params(deep=False)


def last_step(estimator: Any) -> tuple[Any, str]:
    """Return the last step of a pipeline, or the estimator itself, and what stands before its parameters' names."""
    before = ""
    while isinstance(estimator, Pipeline):
        name, estimator = estimator.steps[-1]
        before += f"{name}__"
    return estimator, before


def named_for(estimator: Any, **given: Any) -> dict[str, Any]:
    """Return arguments of the last step's ``fit`` under the names that the ``fit`` of a pipeline has for them: those of
    the last step, or with metadata routing their own."""
    before = "" if get_config()["enable_metadata_routing"] else last_step(estimator)[1]
    return {f"{before}{name}": value for name, value in given.items()}


def learns_pairs(estimator: Any) -> bool:
    """Return whether each row is a labelled pair of items."""
    return getattr(last_step(estimator)[0], "learns_from", "") == "pairs"


def checked_times(y: Any, event: ArrayLike | None, estimators: Sequence[Any]) -> Any:
    """Return y, as a structured array (event, time) if some times may be censored; refuse estimators that would take
    each time for an event."""
    if is_censored(y, event):
        for last in (last_step(estimator)[0] for estimator in estimators):
            if not has_fit_parameter(last, "event"):
                raise ValueError(
                    f"y must not be censored times with {type(last).__name__}: its fit takes no event, got some"
                )
    return y if event is None else with_events(y if is_censored(y) else check_targets(y)[0], event)


def refuse_without_path(estimator: Any) -> Any:
    """Return the last step of a pipeline, or the estimator itself; refuse one without a path over C."""
    last = last_step(estimator)[0]
    if not has_path(last):
        raise ValueError(f"estimator must be one of this package with a path over C, got {type(last).__name__}")
    return last


def checked_path(estimator: Any, Cs: Any, y: ArrayLike, parts: Sequence[Any], sample_weight: Any) -> list[float]:
    """Return the values of C of a path; refuse an estimator without one. ``parts`` are the rows of its fits."""
    last = refuse_without_path(estimator)
    if Cs is None:
        Cs = last._default_Cs(y, parts, None if sample_weight is None else np.asarray(sample_weight))
    try:
        values = np.asarray(Cs, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.empty(0)
    if values.ndim != 1 or not len(values) or not np.all(np.isfinite(values) & (values > 0)):
        raise ValueError(f"Cs must be numbers > 0, got {Cs!r}")
    return values.tolist()


def among(given: dict[str, Any], rows: Array, n: int) -> dict[str, Any]:
    """Return the arguments of ``fit`` for some of n rows."""
    fit_given: dict[str, Any] = {name: given[name][rows] for name in ("groups", "sample_weight") if name in given}
    weight, pairs = given.get("pair_weight"), given.get("pairs")
    if pairs is None:
        if weight is not None:
            named = isinstance(weight, str) or callable(weight)
            fit_given["pair_weight"] = weight if named else np.asarray(weight)[np.ix_(rows, rows)]
        return fit_given
    inside = np.full(len(pairs), True)
    if "Z" in given:
        fit_given["Z"] = given["Z"]
    else:  # the pairs order the rows themselves
        place = np.full(n, -1)
        place[rows] = np.arange(len(rows))
        pairs = place[pairs]
        inside = (pairs >= 0).all(axis=1)
    fit_given["pairs"] = pairs[inside]
    return fit_given if weight is None else {**fit_given, "pair_weight": np.asarray(weight)[inside]}
