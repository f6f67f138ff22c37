"""The ratings of all players after some games, which the systems of :mod:`rankmargin.ratings` change; ids of players,
integers or texts, and periods of games as numbers."""

import reprlib
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.problem.rows.pairs import floats

LONG = ("D", "W", "M", "Y")  # units of dates in which periods are counted; shorter ones are counted in days
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
        players = present("players", players).copy()
        n_distinct = len(np.unique(players))
        if n_distinct != len(players):
            raise ValueError(f"players must be distinct, got {len(players)} ids of {n_distinct} players")

        finite(rating=rating, deviation=deviation)
        columns = [("rating", rating, float), ("deviation", deviation, float), ("elite", elite, bool)]
        rated, uncertain, best = (column_of(*column, players.shape) for column in columns)
        return cls(players, rated, uncertain, np.zeros(len(players), np.int64), best, np.full(len(players), -1))

    def with_players(self, players: ArrayLike, rating: float = USUAL_RATING, deviation: float = 0.0) -> Self:
        """Return the same with newcomers behind the others: those of ``players`` (m,) who are not known yet, each once,
        in their order. They have this rating and deviation, which Glicko needs to be > 0, and no games.
        """
        ids = present("players", [*np.asarray(self.players).tolist(), *present("players", players).tolist()])
        distinct = ids[np.sort(np.unique(ids, return_index=True)[1])]  # those of before first
        added = Ratings.start(distinct[len(self.players) :], rating, deviation)
        both: dict[str, Any] = {
            name: np.append(getattr(self, name), getattr(added, name)) for name in ("players", *COLUMNS)
        }
        return replace(self, **both)

    def deviation_at(self, period: Any, c: float = 15.0, max_deviation: float = 350.0) -> Array:
        """Return the deviations at a period or date without games, (P,): they grow from the last game of each player,
        as in :func:`glicko`, up to ``max_deviation``. Players without games keep theirs, and so does a deviation of 0.
        """
        finite(single=True, c=c, max_deviation=max_deviation)
        number, names = numbered([period], "period")
        if number[0] < self.period:
            raise ValueError(f"period must not lie before period {self.period} of the last games, got {names[0]}")
        elapsed = np.where(self.games > 0, number[0] - self.last, 0)
        grown = np.minimum(np.sqrt(self.deviation**2 + c * c * elapsed), max_deviation)
        return np.where(self.deviation > 0, grown, self.deviation)


def present(name, ids):
    """Return ids (N,) as int64 or as texts; refuse others, missing ones, and texts beside numbers: 1 and "1" may or may
    not be the same player."""
    given = np.asarray(ids) if hasattr(ids, "dtype") else np.asarray(ids, dtype=object)  # nan stays beside texts
    if given.ndim == 1 and (given.dtype.kind == "i" or not len(given)):
        return given.astype(np.int64)
    values = given.tolist() if given.ndim == 1 else [given.shape]
    of_one_kind = np.array(values) if len({isinstance(value, str) for value in values}) == 1 else given
    if of_one_kind.ndim != 1 or of_one_kind.dtype.kind not in "iU":
        raise ValueError(
            f"{name} must hold an id for each entry, integers of 64 bits or texts, all of one kind, got "
            f"{reprlib.repr(values)}: astype(str) makes texts"
        )
    return of_one_kind


def same_lengths(**columns):
    """Refuse arrays without one dimension and the same length; None has none."""
    shapes = {name: np.shape(values) for name, values in columns.items() if values is not None}
    if len({*shapes.values()}) > 1 or any(len(shape) != 1 for shape in shapes.values()):
        raise ValueError(f"{', '.join(shapes)} must have one dimension and the same length, got {[*shapes.values()]}")


def finite(single=False, **given):
    """Refuse an argument that is not finite, or if ``single`` is true, not one number."""
    for name, value in given.items():
        numbers = floats(name, value)
        if single and numbers.ndim:
            raise ValueError(f"{name} must be one number, got {reprlib.repr(value)}")
        if not np.isfinite(numbers).all():
            raise ValueError(f"{name} must be finite, got {value!r}")


def column_of(name, values, dtype, shape):
    """Return one value for all players, or one for each, as a new array of the shape."""
    values = np.asarray(values)
    if dtype is bool and not np.isin(values, (False, True)).all():
        raise ValueError(f"{name} must be True or False, got {reprlib.repr(values.tolist())}")
    values = values.astype(dtype)
    if values.shape not in ((), shape):
        raise ValueError(f"{name} must be one value or have shape {shape}, got shape {values.shape}")
    return np.broadcast_to(values, shape).copy()


def numbered(periods, name="periods"):
    """Return periods as int64 (N,), dates as their numbers since 1970, and the periods themselves, for messages."""
    names = np.asarray(periods)
    if names.dtype.kind not in "iuM":
        came = reprlib.repr(names.ravel()[:2].tolist())
        raise ValueError(
            f"{name} must be integers or datetime64 without a time zone, got {came}: pandas.to_datetime(...) makes "
            "dates, and .dt.tz_localize(None) those where the game was played"
        )
    if names.dtype.kind == "M":
        if np.isnat(names).any():
            raise ValueError(f"{name} must hold a date for each game, got none for game {np.isnat(names).argmax()}")
        if np.datetime_data(names.dtype) not in [(unit, 1) for unit in LONG]:
            names = names.astype("datetime64[D]")
    return names.astype(np.int64), names


def players_of(first, second):
    """Return the players of games in ascending order, and their places on both sides, (2, N)."""
    if first.dtype.kind != second.dtype.kind:
        raise ValueError(f"players must hold ids of one kind, got {first[0]!r} and {second[0]!r}: use astype(str)")
    players, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    return players, places.reshape(2, -1)


def known_places(name, ids, players, cure=""):
    """Return the place of each id (N,) among the players; refuse others, with the ``name`` of the argument."""
    order = np.argsort(players, kind="stable")
    places = np.take(order, np.searchsorted(players, ids, sorter=order), mode="clip") if len(players) else None
    unknown = ids if places is None else ids[np.take(players, places) != ids]
    if len(unknown):
        raise ValueError(f"{name} must hold known players, got {unknown.tolist()[0]!r} which is not in players{cure}")
    return places
