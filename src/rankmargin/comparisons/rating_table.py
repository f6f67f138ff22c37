"""The ratings of all players after some games, which the systems of :mod:`rankmargin.ratings` change; ids of players,
integers or texts, and periods of games as numbers."""

import reprlib
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Self

import numpy as np

from rankmargin.annotations import Array, ArrayLike
from rankmargin.problem.rows.pairs import floats, is_missing

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


def places_of(players, ids):
    """Return the position of each id among the players of the same kind; any position for an unknown one."""
    if not _are_numbers(players):
        number = {player: place for place, player in enumerate(players.tolist())}
        return np.array([number.get(player, 0) for player in ids.tolist()], dtype=np.int64)
    least, span = players.min(initial=0), int(players.max(initial=0)) - int(players.min(initial=0))
    if span <= 8 * len(players):  # a table is faster than a binary search
        table = np.zeros(span + 1, dtype=np.int64)
        table[players - least] = np.arange(len(players))
        return np.take(table, np.clip(ids, least, least + span) - least)
    order = np.argsort(players, kind="stable")
    return np.take(order, np.searchsorted(players, ids, sorter=order), mode="clip")


def _are_numbers(ids):
    return ids.dtype.kind == "i"


def present(name, ids, what="a player", each="game"):
    """Return ids (N,) as int64 or as texts; refuse others, and missing ones."""
    given = np.asarray(ids) if hasattr(ids, "dtype") else np.asarray(ids, dtype=object)  # nan stays beside texts
    if given.ndim != 1:
        raise ValueError(f"{name} must have one dimension, got shape {given.shape}")
    if given.dtype.kind == "i" or not len(given):
        return given.astype(np.int64)
    values = given.tolist()
    if all(isinstance(value, str) for value in values):
        return given if hasattr(ids, "dtype") else given.astype(str)
    whole = all(isinstance(value, Integral) and not isinstance(value, bool) for value in values)
    if whole and max(map(abs, values)) < np.iinfo(np.int64).max:
        return np.array(values, dtype=np.int64)
    for place, value in enumerate(values):
        if is_missing(value):
            raise ValueError(f"{name} must hold {what} for each {each}, got {value!r} for {each} {place}")
    raise ValueError(f"{name} must hold integers of 64 bits or texts, all of one kind, got {reprlib.repr(values)}")


def same_lengths(*optional, **columns):
    """Refuse arrays without one dimension and the same length; those named in ``optional`` may be None."""
    given = {name: values for name, values in columns.items() if values is not None or name not in optional}
    shapes = {name: np.shape(values) for name, values in given.items()}
    if any(len(shape) != 1 for shape in shapes.values()) or len({*shapes.values()}) > 1:
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
    if dtype is bool:
        strange = [value for value in values.ravel().tolist() if is_missing(value) or value not in (0, 1)]
        if strange:
            raise ValueError(f"{name} must be True or False, got {strange[0]!r}")
    values = values.astype(dtype)
    if values.shape not in ((), shape):
        raise ValueError(f"{name} must be one value or have shape {shape}, got shape {values.shape}")
    return np.broadcast_to(values, shape).copy()


def numbered(periods, name="periods"):
    """Return periods as int64 (N,), dates as their numbers since 1970, and the periods themselves, for messages."""
    names = np.asarray(periods)
    zoned = getattr(getattr(periods, "dtype", None), "time_zone", None) is not None  # polars gives Greenwich
    if names.dtype.kind not in "iuM" or zoned:
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
    elif len(names) and int(names.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"{name} must be at most {np.iinfo(np.int64).max}, got {names.max()}")
    return names.astype(np.int64), names


def known_places(name, ids, players, cure=""):
    """Return the place of each id (N,) among the players; refuse others, with the ``name`` of the argument."""
    refuse_two_kinds(**{name: ids, "players": players})
    if len(ids) and not len(players):
        raise ValueError(f"{name} must hold known players, got {ids.tolist()[0]!r}, and there are no players")
    places = places_of(players, ids)
    unknown = ids[np.take(players, places) != ids].tolist()
    if unknown:
        raise ValueError(f"{name} must hold known players, got {unknown[0]!r} which is not in players{cure}")
    return places


def refuse_two_kinds(**given):
    """Refuse texts in one argument beside numbers in the other: 1 and "1" may or may not be the same player."""
    first = {name: ids[:1].tolist()[0] for name, ids in given.items() if len(ids)}
    if len({isinstance(player, str) for player in first.values()}) == 2:
        came = " and ".join(f"{player!r} in {name}" for name, player in first.items())
        raise ValueError(f"{' and '.join(given)} must hold ids of one kind, got {came}: use astype(str) for both")


def distinct_players(**sides):
    """Return the ids of both sides of games, each once, in ascending order."""
    refuse_two_kinds(**sides)
    both = np.concatenate([*sides.values()])
    if not _are_numbers(both):
        return np.array(sorted({*both.tolist()}))
    if len(both) and int(both.max()) - int(both.min()) <= 8 * len(both):
        return np.flatnonzero(np.bincount(both - both.min())) + both.min()
    return np.unique(both)
