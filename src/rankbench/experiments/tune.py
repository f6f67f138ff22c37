"""The grid search of one run over its inner splits, along the method's path where it has one."""

import functools
import inspect
import itertools
from dataclasses import dataclass

import numpy as np

from rankmargin import metrics

from .split import seed_of


@dataclass(frozen=True)
class Choice:
    """The grid point with the smallest mean loss.

    Attributes
    ----------
    params : dict
        Value of each name of the grid.
    inner_score : float
        Its loss, mean over the folds that could be judged.
    losses : (G,) float64
        Mean loss of every grid point, in grid order.
    """

    params: dict
    inner_score: float
    losses: np.ndarray


def grid_points(grid):
    """Return the points of a grid as dicts, in grid order: the first name of the yaml varies slowest."""
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def of(groups, rows):
    """Return the groups of some rows; None where there are no groups."""
    return None if groups is None else groups[rows]


def has_pair(y, groups=None):
    """Whether two targets of a group differ, so that there is an order to learn or to judge."""
    if groups is not None:
        order = np.lexsort((y, groups))
        return bool(np.any((np.diff(groups[order]) == 0) & (np.diff(y[order]) != 0)))
    return y.size > 0 and bool(np.any(y != y[0]))


def choose(losses, points):
    """Return the `Choice` of the smallest loss; of equal losses the first in grid order wins.

    With the grid ``{C: [...], gamma: [...]}`` in increasing order that is the smallest C and, among its ties, the
    smallest gamma: the smoothest of the models that cross-validation cannot tell apart.

    Raises
    ------
    ValueError
        When a loss is nan: it is neither better nor worse than another.
    """
    if np.isnan(losses).any():
        first = points[int(np.argmax(np.isnan(losses)))]
        raise ValueError(f"the loss of every grid point must be a number, got nan for {first}")
    best = int(np.argmin(losses))
    return Choice(points[best], float(losses[best]), losses)


def tune(method, X, y, inner, grid, *, loss, scaling, seed, params, given=None, groups=None):
    """Choose hyper-parameters by the mean loss over the inner splits.

    Parameters
    ----------
    method : module
        ``PATH`` and ``fit_path`` of the method contract.
    X : (n, p) float64
        The table, encoded but not scaled: each inner split learns its scaling on the rows that it learns from.
    y : (n,) float64
    inner : list of (rows, rows)
        For each inner split the rows of the table to learn from and to judge on.
    grid : dict of str to list
    loss : callable
        Smaller is better; see `measure` and `loss_of`.
    scaling : callable
        Rows to learn from -> function that scales rows, see `learn_scaling`.
    seed : tuple
        Named parts; the number of the inner split is added for each fit.
    params : dict
        Fixed parameters of the method.
    given : dict or None
        What every fit is given beside X and y, see `rankbench.experiments.pool`.
    groups : (n,) array or None
        Group of each row of the table: pairs are learned and judged inside groups.

    Returns
    -------
    Choice

    Notes
    -----
    An inner split one of whose parts holds no two different targets can be neither learned nor judged: it is left out
    of all means. A metric of predictions (its second argument has that name) needs no pair, so that one row is enough.
    With none left the run fails with a ValueError. A grid of one point is no choice: nothing is fitted and its loss is
    nan.
    """
    points = grid_points(grid)
    if len(points) == 1:
        return Choice(points[0], float("nan"), np.array([np.nan]))
    losses = []

    def enough(rows):
        return y[rows].size if second_argument(loss) == "predictions" else has_pair(y[rows], of(groups, rows))

    for number, (inside, outside) in enumerate(inner):
        if enough(inside) and enough(outside):
            scaler = scaling(X[inside])
            inner_seed, X_inside = seed_of(*seed, "fold", number), scaler(X[inside])
            told = {"params": params, "given": given, "groups": of(groups, inside)}
            models = fit_points(method, X_inside, y[inside], points, seed=inner_seed, **told)
            X_outside, judged = scaler(X[outside]), of(groups, outside)
            losses.append([measure(loss, y[outside], model, X_outside, groups=judged) for model in models])
    if not losses:
        raise ValueError("no inner fold has two different targets in its training and in its test rows")
    return choose(np.mean(losses, axis=0), points)


def loss_of(name):
    """Return the metric of that name as what is minimised: one that is better higher is taken from 1."""
    metric = getattr(metrics, name)
    if name not in metrics.HIGHER_IS_BETTER:
        return metric

    @functools.wraps(metric)
    def loss(y, s, **grouped):
        return 1.0 - metric(y, s, **grouped)

    return loss


def fit_points(method, X, y, points, *, seed, params, given=None, groups=None):
    """Fit every grid point; points that differ only in ``method.PATH`` are one path with warm starts.

    Returns
    -------
    list of Model
        In the order of `points`.
    """
    paths = {}
    for at, point in enumerate(points):
        rest = {**params, **point}
        value = rest.pop(method.PATH) if method.PATH else None
        paths.setdefault(tuple(rest.items()), []).append((at, value))
    models, given = [None] * len(points), {**(given or {}), **({} if groups is None else {"groups": groups})}
    for rest, along in paths.items():
        fitted = method.fit_path(X, y, tuple(value for _, value in along), seed=seed, **dict(rest), **given)
        for (at, _), model in zip(along, fitted, strict=True):
            models[at] = model
    return models


def measure(metric, y, model, X, scores=None, groups=None):
    """Return a metric of a model's ranks, if that is the name of the metric's second argument, else of its scores.

    Scores that the caller has are not predicted again. A metric that has an argument ``groups`` gets the groups.
    """
    grouped = {"groups": groups} if groups is not None and takes_groups(metric) else {}
    if second_argument(metric) == "ranks":
        return float(metric(y, model.labels(X), **grouped))
    return float(metric(y, finite_scores(model, X) if scores is None else scores, **grouped))


def measured(metric, kept):
    """Return a metric of what a run kept, see `rankbench.experiments.job.run_seed`."""
    grouped = {"groups": kept["groups"]} if "groups" in kept and takes_groups(metric) else {}
    return float(metric(kept["y"], kept["labels" if second_argument(metric) == "ranks" else "scores"], **grouped))


def takes_groups(metric):
    """Whether a metric compares rows inside their groups only."""
    return "groups" in inspect.signature(metric).parameters


def second_argument(metric):
    """Return the name of what a metric compares with y: ``ranks``, ``s`` (scores) or ``predictions``."""
    return list(inspect.signature(metric).parameters)[1]


def finite_scores(model, X):
    """Return the scores of a model, or raise FloatingPointError naming how many are not finite."""
    scores = np.asarray(model.scores(X), dtype=np.float64)
    if scores.shape != (X.shape[0],):
        raise ValueError(f"scores must have shape {(X.shape[0],)}, got {scores.shape}")
    bad = int(np.count_nonzero(~np.isfinite(scores)))
    if bad:
        raise FloatingPointError(f"{bad} of {scores.size} scores are not finite")
    return scores
