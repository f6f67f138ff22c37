"""Elo of methods: on each data set each two of them play one game, which the lower error wins."""

import numpy as np
import pandas as pd

from rankbench.statistics.overall import PRINTED_DECIMALS
from rankbench.statistics.ranks import blocks
from rankmargin.ratings import USUAL_RATING, Ratings
from rankmargin.ratings import elo as rated

COLUMNS = ["condition", "metric", "method", "elo", "low", "high"]
DRAWS = 200  # of the data sets, for an interval
PASSES = 100  # over the games; more change no rating by a point
STEP = 600.0  # K times the number of methods: the largest round number with which the passes settle


def elo(records, experiment):
    """Rate the methods by their games on the data sets where all of them are compared.

    Equal means, as printed, are a draw. Each two methods also have one more draw, so that a method that always wins has
    a rating. The games are rated again and again, all at once, until the ratings say how often each method wins: then
    the order of the data sets does not matter.

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
    players = np.arange(times.shape[0] * n_methods).reshape(-1, n_methods)
    state = Ratings.start(players.ravel(), USUAL_RATING)
    white, black = players[:, first].ravel(), players[:, second].ravel()
    for period in range(PASSES):
        periods = np.full(white.size, period)
        state = rated(white, black, scores.ravel(), periods, start=state, k=STEP / n_methods).ratings
    return state.rating.reshape(players.shape)
