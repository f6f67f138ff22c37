"""Games as counts: how often each pair of players had each result, and who is separated from whom."""

from dataclasses import dataclass

import numpy as np

from rankmargin.annotations import Array
from rankmargin.compiled import njit

DIRECT = 8_000_000  # cells of a table of all pairs and results; beyond, the pairs that met are sorted
NAMED = 4  # players that an error names
CURE = "prior=1 gives each player a tie with an average one"


class SeparationError(ValueError):
    """No finite ratings have the largest likelihood.

    Attributes
    ----------
    groups : list of arrays of players, from the best to the worst: the players of a group never lost or tied against
        those of a later one, or never met them; one group if the advantage or the ties grow without bound
    """

    groups: list[Array]


@dataclass(frozen=True)
class Counts:
    """The results of all pairs that met.

    Attributes
    ----------
    first, second : (n,) arrays of integers, the players of each pair
    results : (n, 3) array, the weight of the losses, ties and wins of the first
    games : (P,) array of integers, the number of games of each player
    cell : (N,) array of integers, for each game three times its pair plus its result; empty if not wanted
    """

    first: Array
    second: Array
    results: Array
    games: Array
    cell: Array


def counted(first, second, score, weights, n_players, ordered, keep_cells):
    """Return the :class:`Counts` of games.

    Parameters
    ----------
    first, second : (N,) arrays of integers 0 .. n_players - 1
    score : (N,) array, 1, .5 or 0 for the first player
    weights : (N,) array >= 0 or None
    n_players : int
    ordered : bool, whether it matters who is first
    keep_cells : bool, whether the pair and the result of each game are wanted too
    """
    few = 3 * n_players**2 <= DIRECT
    cell = np.empty(0 if few and not keep_cells else len(first), dtype=np.int64)
    number, results = np.zeros((3 * n_players**2 if few else 0, 2)).T.copy()
    weights = np.empty(0) if weights is None else weights
    bad = _count(first, second, score, weights, n_players, ordered, cell, number, results)
    if bad >= 0:
        raise ValueError(f"score must be 1, 0.5 or 0 for each game, got {score[bad]:g} for game {bad}")
    if few:
        pairs = np.flatnonzero(number.reshape(-1, 3).any(axis=1))
        number, results = number.reshape(-1, 3)[pairs], results.reshape(-1, 3)[pairs]
    else:
        pairs, place = np.unique(cell // 3, return_inverse=True)
        cell = 3 * place + cell % 3
        number = np.bincount(cell, minlength=3 * len(pairs)).reshape(-1, 3)
        results = np.bincount(cell, weights, 3 * len(pairs)).reshape(-1, 3) if len(weights) else number
    first, second, played = pairs // n_players, pairs % n_players, number.sum(axis=1)
    games = np.bincount(first, played, n_players) + np.bincount(second, played, n_players)
    if few and keep_cells:
        cell = 3 * np.searchsorted(pairs, cell // 3) + cell % 3
    return Counts(first, second, results.astype(float), games.astype(np.int64), cell)


@njit
def _count(first, second, score, weights, n_players, ordered, cell, number, results):
    """Add each game, and its weight, to its cell, which is three times the number of its pair plus its result.

    Arrays of size 0 stay empty. Without an order the smaller of both players is the first. Returns a game whose score
    is none of the three, or -1.
    """
    for game in range(first.size):
        i, j, twice = first[game], second[game], 2.0 * score[game]
        if twice != 0.0 and twice != 1.0 and twice != 2.0:
            return game
        result = np.int64(twice)
        if i > j and not ordered:
            i, j, result = j, i, 2 - result
        place = 3 * (i * n_players + j) + result
        if cell.size > 0:
            cell[game] = place
        if number.size > 0:
            number[place] += 1.0
            results[place] += weights[game] if weights.size > 0 else 1.0
    return -1


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
        what, groups = "never met", [players[apart == part] for part in range(n_apart)]
    else:
        across = group[scored[0]] != group[scored[1]]
        best, worst = (np.setdiff1d(group, group[side[across]]) for side in scored[::-1])
        ends = np.r_[best, worst]
        few = group == ends[np.bincount(group)[ends].argmin()]
        what = "never lost or tied" if group[few][0] in best else "never won or tied"
        what, groups = f"{what} against", [players[group == part] for part in _from_the_best(group, scored, n_groups)]
    error = SeparationError(
        f"score must link all players by ties or by wins in both directions, and {_named(players[few])} {what} "
        f"{_named(players[~few])}: {CURE}"
    )
    error.groups = groups
    raise error


def _from_the_best(group, scored, n_groups):
    """Return the groups in an order in which nobody scored against an earlier one."""
    above, below = (group[side] for side in scored)
    links = np.unique(np.stack([above, below])[:, above != below], axis=1)
    order, waiting = [], np.bincount(links[1], minlength=n_groups)
    ready = np.flatnonzero(waiting == 0).tolist()
    followers = np.split(links[1], np.searchsorted(links[0], np.arange(1, n_groups)))
    while ready:
        order.append(ready.pop(0))
        for follower in followers[order[-1]].tolist():
            waiting[follower] -= 1
            if waiting[follower] == 0:
                ready.append(follower)
    return order


def _named(players):
    """Return some players as text, and how many more there are."""
    names, more = [repr(player) for player in players[:NAMED].tolist()], len(players) - NAMED
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")
