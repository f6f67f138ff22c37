"""Elo of methods: on each data set each two of them play one game, which the lower error wins."""

import numpy as np
import pandas as pd
from scipy.special import expit

from rankbench.statistics.overall import PRINTED_DECIMALS
from rankbench.statistics.ranks import blocks

COLUMNS = ["condition", "metric", "method", "elo", "low", "high"]
DRAWS = 200  # of the data sets, for an interval
MEAN = 1500.0
POINTS = 400.0 / np.log(10.0)  # a difference of 400 points means ten wins for each loss
STEP = 1.0  # the longest step of a rating, in units of `POINTS`: at most 43 steps for 80 methods on 500 tables
SETTLED = 1e-9


def elo(records, experiment):
    """Rate the methods by their games on the data sets where all of them are compared.

    Equal means, as printed, are a draw. Each two methods also have one more draw, so that a method that always wins has
    a rating. The ratings are those that say how often each method wins (maximum likelihood of Bradley and Terry), which
    the order of the data sets does not change.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per condition, metric and method: the rating, whose mean over the methods is 1500, and its 95
        percent bootstrap interval over the data sets; NaN for a method that is not ranked.
    """
    rows = []
    for identity, means, _, compared in blocks(records, experiment):
        told = pd.DataFrame(np.nan, compared.index, COLUMNS[3:])
        if len(means):
            ratings = ratings_of(means.round(PRINTED_DECIMALS).to_numpy())
            told.loc[list(means)] = np.vstack([ratings[0], np.quantile(ratings[1:], (0.025, 0.975), axis=0)]).T
        rows += [(*identity.values(), *row) for row in told.itertuples(name=None)]
    return pd.DataFrame(rows, columns=COLUMNS)


def ratings_of(errors):
    """Return the ratings of methods, (1 + DRAWS, k): on these tables, and on tables drawn from them with replacement.

    Parameters
    ----------
    errors : (m, k) array
        One row per table and one column per method, lower is better.
    """
    n_tables, n_methods = errors.shape
    draws = np.random.default_rng(0).integers(n_tables, size=(DRAWS, n_tables))
    times = np.vstack([np.ones(n_tables), [np.bincount(draw, minlength=n_tables) for draw in draws]])
    first, second = np.triu_indices(n_methods, 1)
    games = np.sign(errors[:, second] - errors[:, first])  # 1: the first wins
    scores = (times @ ((games + 1) / 2) + 0.5) / (n_tables + 1)
    won = np.zeros((len(times), n_methods, n_methods))
    won[:, first, second], won[:, second, first] = scores, 1.0 - scores
    apart, rating = 1.0 - np.eye(n_methods), np.zeros((len(times), n_methods))
    while True:  # Newton's method on all tables at once; the mean of the ratings stays 0
        expected = expit(rating[:, :, None] - rating[:, None, :]) * apart
        weight = expected * (1.0 - expected)
        curvature = weight.sum(axis=2)[:, :, None] * np.eye(n_methods) - weight + 1.0 / n_methods
        step = np.linalg.solve(curvature, (won - expected).sum(axis=2)[:, :, None])[:, :, 0]
        rating += np.clip(step, -STEP, STEP)
        if not np.abs(step).max(initial=0.0) >= SETTLED:  # a rating that is not a number ends it too
            return MEAN + POINTS * (rating - rating.mean(axis=1, keepdims=True))
