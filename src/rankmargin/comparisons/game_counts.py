"""Games as counts: how often each pair of players had each result, and who is separated from whom."""

import reprlib
from dataclasses import dataclass

import numpy as np

from rankmargin.annotations import Array

CURE = "prior=1 gives each player a tie with an average one"


class SeparationError(ValueError):
    """No finite ratings have the largest likelihood; the message names who is separated from whom."""


@dataclass(frozen=True)
class Counts:
    """The results of all pairs that met.

    Attributes
    ----------
    first, second : (n,) arrays of integers, the players of each pair
    results : (n, 3) array, the weight of the losses, ties and wins of the first
    games : (P,) array of integers, the number of games of each player
    cell : (N,) array of integers, for each game three times its pair plus its result
    """

    first: Array
    second: Array
    results: Array
    games: Array
    cell: Array


def counted(first, second, score, weights, n_players, ordered):
    """Return the :class:`Counts` of games.

    Parameters
    ----------
    first, second : (N,) arrays of integers 0 .. n_players - 1
    score : (N,) array, 1, .5 or 0 for the first player
    weights : (N,) array >= 0 or None
    n_players : int
    ordered : bool, whether it matters who is first; else the smaller of both players is the first of a pair
    """
    result = 2.0 * score
    bad = np.flatnonzero(~np.isin(result, (0.0, 1.0, 2.0)))
    if len(bad):
        raise ValueError(f"score must be 1, 0.5 or 0 for each game, got {score[bad[0]]:g} for game {bad[0]}")
    turned = (first > second) & (not ordered)
    pair = np.where(turned, second * n_players + first, first * n_players + second)
    pairs, place = np.unique(pair, return_inverse=True)
    cell = 3 * place + np.where(turned, 2.0 - result, result).astype(np.int64)
    number = np.bincount(cell, minlength=3 * len(pairs)).reshape(-1, 3)
    results = np.bincount(cell, weights, 3 * len(pairs)).reshape(-1, 3).astype(float)
    first, second, played = pairs // n_players, pairs % n_players, number.sum(axis=1)
    games = np.bincount(first, played, n_players) + np.bincount(second, played, n_players)
    return Counts(first, second, results, games.astype(np.int64), cell)


def refuse_separated(counts, players):
    """Refuse players who are not linked by wins or ties in both directions (Ford 1957), and name some of them."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, second, (lost, tied, won) = counts.first, counts.second, counts.results.T > 0
    scored = np.r_[first[won | tied], second[lost | tied]], np.r_[second[won | tied], first[lost | tied]]
    links = coo_array((np.ones(len(scored[0])), scored), shape=(len(players), len(players)))
    n_groups, group = connected_components(links, connection="strong")
    if n_groups == 1:
        return
    n_apart, apart = connected_components(links, connection="weak")
    if n_apart > 1:
        few = apart == np.bincount(apart).argmin()
        what = "never met"
    else:
        across = group[scored[0]] != group[scored[1]]
        best, worst = (np.setdiff1d(group, group[side[across]]) for side in scored[::-1])
        ends = np.r_[best, worst]
        few = group == ends[np.bincount(group)[ends].argmin()]
        what = "never lost or tied against" if group[few][0] in best else "never won or tied against"
    raise SeparationError(
        f"score must link all players by ties or by wins in both directions, and "
        f"{reprlib.repr(players[few].tolist())} {what} {reprlib.repr(players[~few].tolist())}: {CURE}"
    )
