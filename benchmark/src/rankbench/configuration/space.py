"""Spaces of settings: which a search tries, in which order, and whether its choice lies at an edge.

An axis of a space is a list of values or a range, ``{low: 0.001, high: 10, scale: log}``. A grid is a space without
ranges, of which every point is tried. With a budget settings are drawn at random.
"""

import itertools
import math

import numpy as np

EDGE = 0.05  # the outermost share of a range, in its own scale


def grid_points(grid):
    """Return the points of a grid as dicts, in the order of the grid: the first name of the yaml varies slowest."""
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def ends_of(space):
    """Return a grid with both ends of each axis: they decide which code is called."""
    return {name: [*values[:1], *values[1:][-1:]] for name, values in as_lists(space).items()}


def as_lists(space):
    """Return a space whose ranges are the lists of their two ends."""
    return {name: [a["low"], a["high"]] if isinstance(a, dict) else a for name, a in space.items()}


def batches_of(space, budget, rng, n_columns):
    """Return the batches of settings that a search fits one after the other, each along a path if the method has one.

    Parameters
    ----------
    space : dict of str to list or dict
        See `rankbench.configuration.model.RANGE` for the keys of a range.
    budget : dict
        ``settings``: how many are drawn at most. Without a budget, or with one that is enough for every point of a
        grid, all of them are one batch.
    rng : numpy.random.Generator
    n_columns : int
        Columns of X, by which a range ``by: columns`` is divided.

    Returns
    -------
    list of list of dict
        The first setting has the first value of each list and the ``first`` of each range; of a range without it the
        method's default is tried.
    """
    lists = not any(isinstance(axis, dict) for axis in space.values())
    if not budget or (lists and math.prod(map(len, space.values())) <= budget["settings"]):
        return [grid_points(space)]
    batches, left = [[_divided(_first(space), space, n_columns)]], budget["settings"] - 1
    while left > 0:
        axes = {name: _drawn(axis, rng, left) for name, axis in space.items()}
        batch = [_divided(setting, space, n_columns) for setting in grid_points(axes)]
        batches.append(batch[:left])
        left -= len(batch)
    return batches


def _first(space):
    lists = {name: axis for name, axis in space.items() if not isinstance(axis, dict)}
    named = {name: axis["first"] for name, axis in space.items() if name not in lists and "first" in axis}
    return {name: axis[0] for name, axis in lists.items()} | named


def _drawn(axis, rng, most):
    """Return the values of an axis in one batch: one of a list, one of a range or ``together`` ascending ones of it."""
    if not isinstance(axis, dict):
        return [axis[rng.integers(len(axis))]]
    k = min(axis.get("together", 1), most)
    places = (np.arange(k) + rng.random(k)) / k  # one in each of k equal parts of the range
    return list(dict.fromkeys(_value_at(axis, place) for place in places.tolist()))


def _value_at(axis, place):
    """Return the value at a place from 0 to 1 of a range."""
    low, high = axis["low"], axis["high"]
    if axis.get("whole"):  # each whole number is as likely as the part of the scale around it
        low, high = low - 0.5, high + 0.5
    if axis["scale"] == "log":
        value = math.exp((1 - place) * math.log(low) + place * math.log(high))
    else:
        value = (1 - place) * low + place * high
    return min(max(round(value), axis["low"]), axis["high"]) if axis.get("whole") else value


def _divided(setting, space, n_columns):
    by_columns = {name for name, axis in space.items() if isinstance(axis, dict) and axis.get("by") == "columns"}
    return {name: value / n_columns if name in by_columns else value for name, value in setting.items()}


def edges_of(setting, space, n_columns):
    """Return where a setting lies at an edge of a space, as text such as ``C high, gamma low``.

    An edge is the first or the last of at least three ascending numbers of a list, or the outermost 5 percent of a
    range in its own scale, and of whole numbers the last one. Numbers in another order are choices, like names. An
    axis ``open: low`` (``high``, ``both``) has no edge there, because there is nothing beyond it or because it is the
    meaning of the parameter.
    """
    edges = []
    for name, value in setting.items():
        place = _place(space[name], value, n_columns)
        end = "low" if place <= EDGE else "high" if place >= 1 - EDGE else ""
        open_end = space[name].get("open", "") if isinstance(space[name], dict) else ""
        if end and open_end not in (end, "both"):
            edges.append(f"{name} {end}")
    return ", ".join(edges)


def _place(axis, value, n_columns):
    """Return the place of a value in its axis, from 0 to 1; 0.5 where nothing is beyond another."""
    if not isinstance(axis, dict):
        numbers = len(axis) > 2 and all(isinstance(v, int | float) and not isinstance(v, bool) for v in axis)
        return {axis[0]: 0.0, axis[-1]: 1.0}.get(value, 0.5) if numbers and axis == sorted(axis) else 0.5
    low, high = axis["low"], axis["high"]
    value = value * n_columns if axis.get("by") == "columns" else value
    if axis.get("whole") and low < value < high:
        return 0.5
    scaled = math.log if axis["scale"] == "log" else float
    return (scaled(value) - scaled(low)) / (scaled(high) - scaled(low))
