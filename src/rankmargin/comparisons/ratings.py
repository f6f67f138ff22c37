"""Ratings of players from the results of their games: Elo and Glicko here, in the order of the games; a draw is half a
win. :func:`bradley_terry` rates all games together.

    expected score of White   E = 1 / (1 + 10^(-g (r_white + advantage - r_black) / 400)),   g = 1 for Elo

Elo (1978) changes a rating by K (score - E).  Glicko (Glickman 1999; "The Glicko system") also keeps a deviation RD:

    RD^2 <- min(RD^2 + c^2 t, RD_max^2), t the periods since the player's last game
    g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2), q = ln(10) / 400, with the opponent's RD
    1 / d^2 = q^2 sum_j g_j^2 E_j (1 - E_j)
    RD'^2 = 1 / (1 / RD^2 + 1 / d^2),   r' = r + q RD'^2 sum_j g_j (s_j - E_j)

All games of a period are rated together, from the ratings before the period; without periods, each game is a period.
"""

from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from rankmargin.annotations import ArrayLike
from rankmargin.comparisons import rating_updates
from rankmargin.comparisons.game_counts import SeparationError as SeparationError
from rankmargin.comparisons.leaderboard import bradley_terry as bradley_terry
from rankmargin.comparisons.rating_table import (
    COLUMNS,
    USUAL_RATING,
    Ratings,
    column_of,
    finite,
    known_places,
    numbered,
    players_of,
    present,
    same_lengths,
)
from rankmargin.comparisons.rating_updates import Q
from rankmargin.problem.rows.pairs import floats


@dataclass(frozen=True)
class Fide:
    """K factors of FIDE: ``new`` for a player's first games, ``elite`` permanently once ``elite_rating`` is reached.

    The default is the rule of 2011; ``Fide(new=40, usual=20)`` is the rule of 2014, ``Fide(new=25)`` the one before
    2011.

    Attributes
    ----------
    new : float
        K for the first games of a player.
    usual : float
        K after these games.
    elite : float
        K for a player who has ever reached ``elite_rating``.
    new_games : int
        Number of games for which a player is new.
    elite_rating : float
        In rating points; ``np.inf`` switches this rule off.

    Examples
    --------
    >>> from rankmargin.ratings import Fide, Ratings, elo
    >>> start = Ratings.start(["ann", "bob"], rating=1500)
    >>> elo(["ann"], ["bob"], [1], start=start, k=Fide(new=40, usual=20)).ratings.rating
    array([1520., 1480.])
    """

    new: float = 30.0
    usual: float = 15.0
    elite: float = 10.0
    new_games: int = 30
    elite_rating: float = 2400.0


@dataclass(frozen=True)
class RatedGames:
    """The ratings after all games, and the ratings before each game.

    Attributes
    ----------
    ratings : Ratings
        After all games.
    white : (N,) array
        Ratings of the first players before the period of each game.
    black : (N,) array
        Ratings of the second players before the period of each game.
    white_deviation : (N,) array
        Deviations of the first players at that time, increased by the time since the last game; 0 under Elo.
    black_deviation : (N,) array
        Deviations of the second players at that time.
    """

    ratings: Ratings
    white: np.ndarray
    black: np.ndarray
    white_deviation: np.ndarray
    black_deviation: np.ndarray


def expected_score(difference: ArrayLike, deviation: ArrayLike = 0.0) -> Any:
    """Return the expected score of a player ahead by ``difference`` rating points.

    A win is 1, a draw 0.5, a loss 0. If draws are possible, an expected score is not the probability of a win.

    Parameters
    ----------
    difference : array or float
        Own rating plus advantage minus the opponent's rating, in rating points.
    deviation : array or float
        0 for Elo. To predict a game under Glicko, use sqrt(RD^2 + RD_opponent^2).

    Returns
    -------
    array or float
        Between 0 and 1.

    References
    ----------
    Glickman, "The Glicko system" (1995).

    Examples
    --------
    >>> from rankmargin.ratings import expected_score
    >>> round(float(expected_score(400)), 3)
    0.909
    >>> round(float(expected_score(400, deviation=300)), 3)  # the ratings are less certain
    0.841
    """
    damping = np.sqrt(1.0 + 3.0 * (Q * floats("deviation", deviation) / np.pi) ** 2)
    damped = floats("difference", difference) / damping
    return 1.0 / (1.0 + 10.0 ** (-damped / 400.0))


def elo(
    white: ArrayLike,
    black: ArrayLike,
    score: ArrayLike,
    periods: ArrayLike | None = None,
    *,
    start: Ratings | None = None,
    k: float | Fide | None = None,
    advantage: float = 0.0,
) -> RatedGames:
    """Rate games by Elo: a rating changes by K times the score minus the expected score.

    Parameters
    ----------
    white : (N,) array of integers or texts
        Ids of the first players.
    black : (N,) array of integers or texts
        Ids of the second players.
    score : (N,) array
        Scores of White: 1 for a win, 0.5 for a draw, 0 for a loss.
    periods : (N,) array of ascending integers or datetime64, or None
        All games of a period are rated together; with None each game is a period. A date is its day, unless its unit
        is a week, a month or a year.
    start : Ratings or None
        All players before the games: :meth:`Ratings.start`, or the ratings after earlier games, to which
        :meth:`Ratings.with_players` adds newcomers. None means that all players of the games start with 1500, in
        ascending order of their ids.
    k : float > 0, Fide or None
        The factor K, one for all or a rule; None means ``Fide()``.
    advantage : float
        Rating points by which White is ahead because of the colour.

    Returns
    -------
    RatedGames

    Raises
    ------
    ValueError
        If a player is unknown or plays against itself, a score is outside [0, 1], or periods are not in order.

    References
    ----------
    Elo, "The rating of chessplayers, past and present" (1978).

    Examples
    --------
    >>> from rankmargin.ratings import Ratings, elo
    >>> start = Ratings.start(["ann", "bob"], rating=1500)
    >>> rated = elo(["ann", "ann"], ["bob", "bob"], [1, 0.5], start=start, k=20)
    >>> rated.ratings.rating.round(1)  # in the order of rated.ratings.players
    array([1509.4, 1490.6])
    """
    k = Fide() if k is None else k
    rule = k if isinstance(k, Fide) else Fide(k, k, k, 0, np.inf)
    for value in (rule.new, rule.usual, rule.elite):
        if not isinstance(value, Real) or not 0 < value < np.inf:
            raise ValueError(f"k must be a number > 0 or Fide(...), got {value!r}")
    finite(single=True, advantage=advantage)
    start = _players(white, black, score, periods, 0.0, start)
    played, after = _checked(white, black, score, periods, start)
    size = len(played[0])
    after.elite[after.rating >= rule.elite_rating] = True  # a player may start there
    before = np.empty(size), np.empty(size)
    factors = (float(rule.new), float(rule.usual), float(rule.elite), rule.new_games, float(rule.elite_rating))
    state = (after.rating, after.games, after.elite, after.last)
    rating_updates.elo(played, state, factors, float(advantage), before)
    return RatedGames(after, *before, np.zeros(size), np.zeros(size))


def glicko(
    white: ArrayLike,
    black: ArrayLike,
    score: ArrayLike,
    periods: ArrayLike | None = None,
    *,
    start: Ratings | None = None,
    c: float = 15.0,
    max_deviation: float = 350.0,
    advantage: float = 0.0,
) -> RatedGames:
    """Rate games by Glicko: each rating has a deviation, which says how certain it is.

    Parameters
    ----------
    white : (N,) array of integers or texts
        Ids of the first players.
    black : (N,) array of integers or texts
        Ids of the second players.
    score : (N,) array
        Scores of White: 1 for a win, 0.5 for a draw, 0 for a loss.
    periods : (N,) array of ascending integers or datetime64, or None
        As in :func:`elo`; time is counted in these units, for dates in days.
    start : Ratings or None
        All players before the games, with deviations > 0. None means that all players of the games start with 1500
        and the deviation ``max_deviation``, in ascending order of their ids.
    c : float
        Growth of a deviation with time, in rating points per square root of a period.
    max_deviation : float
        Largest deviation, in rating points.
    advantage : float
        Rating points by which White is ahead because of the colour.

    Returns
    -------
    RatedGames

    Raises
    ------
    ValueError
        As in :func:`elo`, and if a deviation or c is outside its range.

    References
    ----------
    Glickman, "Parameter estimation in large dynamic paired comparison experiments", Applied Statistics 48 (1999).

    Examples
    --------
    The example of Glickman's paper: one player plays against three others.

    >>> from rankmargin.ratings import Ratings, glicko
    >>> start = Ratings.start(["a", "b", "c", "d"], rating=[1500, 1400, 1550, 1700], deviation=[200, 30, 100, 300])
    >>> rated = glicko(["a"] * 3, ["b", "c", "d"], [1, 0, 0], periods=[1, 1, 1], start=start)
    >>> round(rated.ratings.rating[0]), round(float(rated.ratings.deviation[0]), 1)
    (1464, 151.4)
    """
    finite(single=True, c=c, max_deviation=max_deviation, advantage=advantage)
    start = _players(white, black, score, periods, max_deviation, start)
    if not np.all((start.deviation**2 > 0) & (start.deviation <= max_deviation)):  # the square of 1e-170 is 0
        raise ValueError(
            f"start must hold deviations in (0, max_deviation={max_deviation:g}], got {start.deviation.min():g} to "
            f"{start.deviation.max():g}"
        )
    played, after = _checked(white, black, score, periods, start)
    before = tuple(np.empty(len(played[0])) for _ in range(4))
    state = (after.rating, after.deviation, after.games, after.last)
    options = (float(c), float(max_deviation), float(advantage))
    rating_updates.glicko(played, state, options, before)
    return RatedGames(after, *before)


def _players(white, black, score, periods, deviation, start):
    """Return all players before the games, in new arrays: those of ``start``, or with None those of the games."""
    same_lengths(white=white, black=black, score=score, periods=periods)
    if start is None:
        players, _ = players_of(present("white", white), present("black", black))
        return Ratings.start(players, USUAL_RATING, deviation)
    if not isinstance(start, Ratings):
        raise ValueError(f"start must be Ratings, got {type(start).__name__}: Ratings.start(players, 1500) makes them")
    players = present("players", start.players)
    columns = {name: column_of(name, getattr(start, name), kind, players.shape) for name, kind in COLUMNS.items()}
    return replace(start, players=players, **columns)


def _checked(white, black, score, periods, start):
    """Return the positions of the players (N,), the scores (N,), and the number and the end of each period, as the
    updates take them; and the ratings as rated in the last period, whose arrays the updates change."""
    score = floats("score", score)
    outside = ~((score >= 0) & (score <= 1))
    if np.any(outside):
        raise ValueError(f"score must lie in [0, 1], got {score[outside][0]:g}")
    white, black = (
        known_places(name, present(name, ids), start.players, ": with_players adds newcomers to start")
        for name, ids in (("white", white), ("black", black))
    )
    if np.any(white == black):
        raise ValueError(f"white and black must differ, got {start.players[white[white == black]].tolist()[0]!r} twice")
    if periods is None:
        periods = start.period + 1 + np.arange(len(score))
    periods, names = numbered(periods if len(score) else np.empty(0, dtype=np.int64))
    falls = np.flatnonzero(np.diff(periods) < 0)
    if len(falls):
        before = int(falls[0])
        raise ValueError(f"periods must be in order, got {names[before + 1]} after {names[before]}")
    fresh = start.period < 0 and not start.games.any()  # dates before 1970 have numbers below 0
    if len(periods) and periods[0] <= start.period and not fresh:
        raise ValueError(f"periods must come after period {start.period} of start, got {names[0]}")
    ends = np.append(np.flatnonzero(np.diff(periods)) + 1, len(periods)) if len(periods) else np.empty(0, np.int64)
    after = replace(start, period=int(periods[-1])) if len(periods) else start
    return (white, black, score, periods[ends - 1], ends), after
