"""Bradley and Terry: the ratings that make the results of all games most likely, whatever their order."""

from typing import Literal

import numpy as np

from rankmargin.annotations import ArrayLike
from rankmargin.comparisons.game_counts import counted, refuse_separated
from rankmargin.comparisons.leaderboard import Leaderboard
from rankmargin.comparisons.rating_table import finite, players_of, present, same_lengths
from rankmargin.comparisons.strengths import factor_of_clusters, factor_of_games, most_likely_strengths
from rankmargin.problem.rows.pairs import floats

TIES = ("davidson", "rao_kupper", "half")


def bradley_terry(
    first: ArrayLike,
    second: ArrayLike,
    score: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    advantage: bool = False,
    ties: Literal["davidson", "rao_kupper", "half"] = "davidson",
    prior: float = 0.0,
    scale: float = 1.0,
) -> Leaderboard:
    """Rate players by the largest likelihood of the results of their games, with intervals. ::

        d = r_first - r_second + advantage
        davidson     P(win) : P(tie) : P(loss) = e^(d/2) : nu : e^(-d/2)
        rao_kupper   P(win) = 1 / (1 + theta e^(-d)),   P(loss) = 1 / (1 + theta e^d)
        half         P(win) = 1 / (1 + e^(-d)), a tie is half a win and half a loss

    Unlike the ratings of :func:`elo` and :func:`glicko`, these do not depend on the order of the games: the players
    are taken to be equally strong throughout.

    Parameters
    ----------
    first : (N,) array
        Ids of the first players.
    second : (N,) array
        Ids of the second players.
    score : (N,) array
        Scores of the first players: 1 for a win, 0.5 for a tie, 0 for a loss.
    weights : (N,) array >= 0 or None
        Weights of the games; a weight of 2 is a game given twice.
    cluster : (N,) array or None
        Who judged each game, if people judged several. The covariance then allows for any dependence of the games of
        one person ("sandwich", with the factor G / (G - 1) for G persons). The ratings are the same.
    advantage : bool
        Whether to estimate an advantage of the first players, such as White's or that of the home team.
    ties : {"davidson", "rao_kupper", "half"}
        How ties are modelled. With ``half`` the likelihood is not that of the results, and the covariance is the
        sandwich with each game as a cluster.
    prior : float >= 0
        Adds to each player a tie of this weight with an average player, that is, half of it a win and half a loss
        against a player of rating 0. This draws ratings towards 0, and makes them finite for any results.
    scale : float > 0
        Units of the ratings: 1 for logarithms of odds, ``400 / np.log(10)`` for the points of Elo.

    Returns
    -------
    Leaderboard

    Raises
    ------
    SeparationError
        If no finite ratings have the largest likelihood: some players never lost or tied against others, or never met
        them, and ``prior`` is 0.
    ValueError
        If a player plays against itself, a score is not 1, 0.5 or 0, or the lengths differ.

    References
    ----------
    Bradley, Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952). Davidson, JASA 65 (1970). Rao,
    Kupper, JASA 62 (1967). Ford, American Mathematical Monthly 64 (1957), on the existence of the maximum.

    Examples
    --------
    >>> from rankmargin.ratings import bradley_terry
    >>> board = bradley_terry(list("aaaabbbc"), list("bbccccaa"), [1, 0.5, 1, 1, 1, 0, 0.5, 0.5])
    >>> board.ratings.round(2)  # of a, b and c
    array([ 1.37, -0.39, -0.99])
    >>> ahead, error = board.differences("a", "b")
    >>> round(ahead, 2), round(error, 2)
    (1.76, 1.62)
    """
    if not (isinstance(ties, str) and ties in TIES):
        raise ValueError(f"ties must be one of {', '.join(TIES)}, got {ties!r}")
    if not isinstance(advantage, bool | np.bool_):
        raise ValueError(f"advantage must be True or False, got {advantage!r}: it is estimated")
    finite(single=True, prior=prior, scale=scale)
    if prior < 0 or scale <= 0:
        raise ValueError(f"prior must be >= 0 and scale > 0, got {prior!r} and {scale!r}")
    players, first, second, score, weights, cluster = _checked(first, second, score, weights, cluster)
    counts = counted(first, second, score, weights, len(players), bool(advantage), cluster is not None)
    if prior == 0:
        refuse_separated(counts, players)
    best = most_likely_strengths(counts, ties, bool(advantage), float(prior))
    spread = None
    if cluster is not None:
        spread = factor_of_clusters(best, cluster, weights)
    elif ties == "half":
        spread = factor_of_games(best)
    free = {"davidson": np.exp(best.t), "rao_kupper": np.exp(best.t) if best.with_ties else 1.0, "half": 0.0}[ties]
    value = float(best.slopes.value.sum())
    return Leaderboard(
        players, scale * best.r, counts.games, float(free), scale * best.advantage, value, float(scale), best, spread
    )


def _checked(first, second, score, weights, cluster):
    """Return the players, those of each game as numbers, the scores, and the weights and clusters or None."""
    score = floats("score", score)
    same_lengths(first=first, second=second, score=score, weights=weights, cluster=cluster)
    players, (first, second) = players_of(present("first", first), present("second", second))
    if not len(players):
        raise ValueError("first must hold a player for each game, got no game")
    same = first == second
    if same.any():
        game = int(same.argmax())
        raise ValueError(
            f"second must differ from first, got {players[[first[game]]].tolist()[0]!r} twice in game {game}"
        )
    if weights is not None:
        weights = floats("weights", weights)
        if not (np.all(np.isfinite(weights) & (weights >= 0)) and weights.any()):
            came = f"{weights.min():g} to {weights.max():g}"
            raise ValueError(f"weights must be finite and >= 0, and > 0 for some game, got {came}")
    if cluster is not None:
        cluster = np.unique(present("cluster", cluster), return_inverse=True)[1]
        if cluster.max() == 0:
            raise ValueError("cluster must name at least two persons, got 1")
    return players, first, second, score, weights, cluster
