"""The ratings of all players after some games: what the systems of :mod:`rankmargin.ratings` change."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.comparisons.rating_ids import column_of, finite, known_places, numbered, present, refuse_two_kinds

USUAL_RATING = 1500.0
COLUMNS = {"rating": float, "deviation": float, "games": np.int64, "elite": bool, "last": np.int64}  # of Ratings


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players after some games.

    Attributes
    ----------
    players : (P,) array
        Distinct ids, in the order in which they were given to :meth:`start`; the other arrays have this order too.
    rating : (P,) array
        Rating points.
    deviation : (P,) array
        Rating points; 0 under Elo.
    games : (P,) array of integers
        Number of games played.
    elite : (P,) array of booleans
        Whether the elite rating was ever reached.
    last : (P,) array of integers
        Period of the last game, -1 before the first.
    period : int
        The last period that was rated, -1 before the first; for dates, days since 1970-01-01.

    Examples
    --------
    >>> from rankmargin.ratings import Ratings
    >>> start = Ratings.start(["bob", "ann"], rating=[1400, 1600])
    >>> start.players, start.rating
    (array(['bob', 'ann'], dtype='<U3'), array([1400., 1600.]))
    >>> later = start.with_players(["cid", "ann"], rating=1500)  # ann is known
    >>> later.players, later.rating
    (array(['bob', 'ann', 'cid'], dtype='<U3'), array([1400., 1600., 1500.]))
    """

    players: np.ndarray
    rating: np.ndarray
    deviation: np.ndarray
    games: np.ndarray
    elite: np.ndarray
    last: np.ndarray
    period: int = -1

    @classmethod
    def start(cls, players: ArrayLike, rating: ArrayLike, deviation: ArrayLike = 0.0, elite: ArrayLike = False) -> Self:
        """Return players without games; ``rating``, ``deviation`` and ``elite`` are one value for all or (P,) arrays.

        The arrays are in the order of ``players``, which must be distinct.
        """
        players = present("players", players, "an id", "player").copy()
        n_distinct = len(np.unique(players))
        if n_distinct != len(players):
            raise ValueError(f"players must be distinct, got {len(players)} ids of {n_distinct} players")

        finite(rating=rating, deviation=deviation)
        columns = [("rating", rating, float), ("deviation", deviation, float), ("elite", elite, bool)]
        rated, uncertain, best = (column_of(*column, players.shape) for column in columns)
        return cls(players, rated, uncertain, np.zeros(len(players), np.int64), best, np.full(len(players), -1))

    def positions(self, name: str, ids: ArrayLike) -> Array:
        """Return the position of each id in ``players``; ``name`` is the argument that the error names."""
        ids = present(name, ids)
        return known_places(name, ids, self.players, ": with_players adds newcomers to start")

    def with_players(self, players: ArrayLike, rating: float = USUAL_RATING, deviation: float = 0.0) -> Self:
        """Return the same with newcomers behind the others: those of ``players`` (m,) who are not known yet, each once,
        in their order. They have this rating and deviation, which Glicko needs to be > 0, and no games.
        """
        ids = present("players", players, "an id", "player")
        refuse_two_kinds(**{"players": ids, "the players before": self.players})
        distinct = ids[np.sort(np.unique(ids, return_index=True)[1])]
        known = np.isin(distinct, self.players)
        added = Ratings.start(distinct[~known], rating, deviation)
        both: dict[str, Any] = {
            name: np.append(getattr(self, name), getattr(added, name)) for name in ("players", *COLUMNS)
        }
        return replace(self, **both)

    def deviation_at(self, period: Any, c: float = 15.0, max_deviation: float = 350.0) -> Array:
        """Return the deviations at a period or date without games, (P,): they grow from the last game of each player,
        as in :func:`glicko`, up to ``max_deviation``. Players without games keep theirs, and so does a deviation of 0.
        """
        finite(single=True, c=c, max_deviation=max_deviation)
        if np.ndim(period) or period is None:
            raise ValueError(f"period must be one integer or date, got {period!r}")
        number, names = numbered([period], "period")
        if number[0] < self.period:
            raise ValueError(f"period must not lie before period {self.period} of the last games, got {names[0]}")
        elapsed = np.where(self.games > 0, number[0] - self.last, 0)
        grown = np.minimum(np.sqrt(self.deviation**2 + c * c * elapsed), max_deviation)
        return np.where(self.deviation > 0, grown, self.deviation)
