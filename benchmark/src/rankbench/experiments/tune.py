"""The search of one run over its inner splits; along the path of a method fits are started warm."""

import functools
import time
from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from rankbench.configuration.labels import GAINS
from rankbench.configuration.space import batches_of, edges_of
from rankmargin.search.ties import lowest

from .limits import TimeLimitError
from .measures import METRICS, measure, second_argument, takes
from .methods import fit_method, path_of
from .split import has_pair, seed_of


@dataclass(frozen=True)
class Choice:
    """The setting with the smallest mean loss.

    Attributes
    ----------
    params : dict
        The chosen value of each hyper-parameter.
    inner_score : float
        Mean loss of this point over the folds that could be judged.
    losses : (G,) float64
        Mean loss of every setting that was tried, in the order of the search.
    n_drawn : int
        Settings that the search would have tried with more seconds.
    n_failed : int
        Settings whose fit failed; without a budget the first one ends the run.
    edges : str
        See `rankbench.configuration.space.edges_of`.
    """

    params: dict
    inner_score: float
    losses: np.ndarray
    n_drawn: int = 0
    n_failed: int = 0
    edges: str = ""


def of(groups, rows):
    """Return the groups of some rows, or None without groups."""
    return None if groups is None else groups[rows]


def choose(losses, points):
    """Return the `Choice` with the smallest mean loss; among equal means the first in the order of the grid wins.

    With the grid ``{C: [...], gamma: [...]}`` in increasing order that is the smallest C and, among its ties, the
    smallest gamma: the smoothest of the models that cross-validation cannot tell apart. Means that differ by rounding
    only are equal, see `rankmargin.search.ties.lowest`.

    Parameters
    ----------
    losses : (F, G) array
        Loss of each grid point on each fold.
    points : list of G dicts

    Raises
    ------
    ValueError
        When a loss is not finite, because it can be compared with no other loss.
    """
    losses = np.asarray(losses, dtype=np.float64)
    bad = ~np.isfinite(losses).all(axis=0)
    if bad.any():
        first = int(np.argmax(bad))
        raise ValueError(
            f"the loss of every grid point must be finite, got {losses[~np.isfinite(losses[:, first]), first][0]} for "
            f"{points[first]}"
        )
    means, best = losses.mean(axis=0), int(lowest(losses)[0])
    return Choice(points[best], float(means[best]), means)


def tune(
    uses,
    X,
    y,
    inner,
    grid,
    *,
    loss,
    scaling,
    seed,
    params,
    budget=None,
    stops="",
    pairs=None,
    groups=None,
    weights=None,
):
    """Choose hyper-parameters by the mean loss over the inner splits.

    Parameters
    ----------
    uses : str or list of str
        See `rankbench.experiments.methods`.
    X : (n, p) float64
        The table, encoded but not scaled: for each inner split the scaling is learned on its training rows.
    y : (n,) float64
    inner : list of (rows, rows)
        For each inner split, the indices of the rows to learn from and of those to judge on.
    grid : dict of str to list or dict
        See `rankbench.configuration.space`.
    loss : callable
        Smaller is better; see `measure` and `loss_of`.
    scaling : callable
        Takes the rows to learn from and returns a function that scales rows, see `learn_scaling`.
    seed : tuple
        Named parts of the seed; the number of the inner split is appended for each fit.
    params : dict
        Fixed parameters of the method.
    budget : dict or None
        ``settings`` that are drawn from the space at most, and the processor ``seconds`` after which no further batch
        of them is begun; without it every point of the grid is tried.
    stops : str
        For a method that stops early on the rows that judge it, the parameter that is its number of trees; else ``""``.
        The choice gets the mean number of trees over the folds.
    pairs : dict or None
        Further arguments of every fit, see `rankbench.experiments.pool`.
    groups : (n,) array or None
        Group of each row of the table: only pairs inside a group are learned and judged.
    weights : (n,) array or None
        Weight of each row of the table.

    Returns
    -------
    Choice

    Notes
    -----
    If all targets in one part of an inner split are equal, it can be neither learned nor judged and is left out of all
    means. A metric of predictions (its second argument has that name) needs no pair, so that one row is enough. If no
    inner split is left, the run fails with a ValueError. With a grid of one point there is nothing to choose: nothing
    is fitted and the loss is nan.
    """
    batches = batches_of(grid, budget, np.random.default_rng(seed_of(*seed, "settings")), X.shape[1])
    n_drawn = sum(map(len, batches))
    if n_drawn == 1:
        return Choice(batches[0][0], float("nan"), np.array([np.nan]), 1)

    folds = _scaled_folds(X, y, inner, groups, weights, scaling=scaling, seed=seed, loss=loss)

    def judge(points):
        judged = [_judged(fold, uses, points, loss, stops, params=params, pairs=pairs) for fold in folds]
        return np.stack(judged, axis=1)

    settings, results, failures = _try_each(batches, judge, budget)
    if not settings:
        raise failures[-1]
    losses, n_trees = np.concatenate(results, axis=2)  # each (F, G)
    choice = choose(losses, settings)
    edges = edges_of(choice.params, grid, X.shape[1])
    if stops:
        at = next(at for at, setting in enumerate(settings) if setting is choice.params)
        choice = replace(choice, params={**choice.params, stops: max(1, round(n_trees[:, at].mean()))})
    return replace(choice, n_drawn=n_drawn, n_failed=len(failures), edges=edges)


def _try_each(batches, judge, budget):
    """Try batches of settings until the seconds of the budget are over.

    A setting that fails ends the search if there is no budget; otherwise it is left out.

    Parameters
    ----------
    batches : list of lists of dicts
    judge : callable, list of G dicts -> (2, F, G) array
    budget : dict or None, see `tune`

    Returns
    -------
    tried : list of dicts
    results : list of the arrays of ``judge``
    failures : list of exceptions
    """
    tried, results, failures, waiting, started = [], [], [], deque(batches), time.process_time()
    while waiting:
        points = waiting.popleft()
        try:
            results.append(judge(points))
            tried += points
        except (TimeLimitError, MemoryError):
            raise
        except Exception as error:
            if not budget:
                raise
            if len(points) > 1:  # which of them fails?
                waiting.extendleft([one] for one in reversed(points))
            else:
                failures.append(error)
        if budget and time.process_time() - started >= budget["seconds"]:
            break
    return tried, results, failures


def _scaled_folds(X, y, inner, groups, weights, *, scaling, seed, loss):
    """Return the inner splits that can be learned and judged, see the notes of `tune`: the seed of the fits, then X, y,
    groups and weights of the rows to learn from and of those that judge, both scaled."""
    inside_groups = groups if takes(loss, "groups") else None

    def enough(rows):
        return y[rows].size if second_argument(loss) == "predictions" else has_pair(y[rows], of(inside_groups, rows))

    folds = []
    for number, (inside, outside) in enumerate(inner):
        if enough(inside) and enough(outside):
            scale = scaling(X[inside])
            parts = [(scale(X[rows]), y[rows], of(groups, rows), of(weights, rows)) for rows in (inside, outside)]
            folds.append((seed_of(*seed, "fold", number), *parts))
    if not folds:
        raise ValueError("no inner fold has two different targets in its training and in its test rows")
    return folds


def _judged(fold, uses, points, loss, stops, **fixed):
    """Return the losses and the numbers of trees of some settings on one of `_scaled_folds`, shape (2, G)."""
    seed, (X, y, groups, weights), (X_held, y_held, *judged) = fold
    held_out = (X_held, y_held) if stops else None
    models = fit_points(uses, X, y, points, seed=seed, groups=groups, weights=weights, held_out=held_out, **fixed)
    given = dict(zip(("groups", "weights"), judged, strict=True))
    losses = [measure(loss, y_held, model, X_held, **given) for model in models]
    return np.array([losses, [model.n_trees if stops else 0 for model in models]])


def loss_of(name):
    """Return the metric of that name as a loss: where higher is better, it is minus the metric.

    (1 minus the metric would have the rounding error of 1, however small it is.)
    """
    metric = METRICS[name]
    if name not in GAINS:
        return metric

    @functools.wraps(metric)
    def loss(y, s, **more):
        return -metric(y, s, **more)

    return loss


def fit_points(uses, X, y, points, *, seed, params, pairs=None, groups=None, weights=None, held_out=None):
    """Fit every grid point; those that differ only in C are fitted along one path with warm starts.

    Returns
    -------
    list of Model
        In the order of `points`.
    """
    paths, path = {}, path_of(uses)
    for at, point in enumerate(points):
        rest = {**params, **point}
        value = rest.pop(path, None)
        paths.setdefault(tuple(rest.items()), []).append((at, value))
    given = {"weights": weights, "held_out": held_out}
    models, more = [None] * len(points), {**(pairs or {}), **{key: of for key, of in given.items() if of is not None}}
    for rest, along in paths.items():
        values = [value for _, value in along]
        fitted = fit_method(uses, X, y, values, seed=seed, params=dict(rest), groups=groups, **more)
        for (at, _), model in zip(along, fitted, strict=True):
            models[at] = model
    return models
