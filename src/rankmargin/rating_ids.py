"""Ids of players and periods of games, of any type, as numbers; :mod:`rankmargin.ratings` rates by them."""

import datetime
import reprlib

import numpy as np

from rankmargin.rows.pairs import is_missing

CURES = {  # of periods that are not dates, by their type
    "str": "pandas.to_datetime makes dates of texts",
    "float": 'pandas.to_datetime(..., unit="s") makes dates of time stamps',
    "Period": "to_timestamp() makes dates of the periods of pandas",
}
TEXTS = "SUO"  # kinds of dtypes that hold names
LONG = ("D", "W", "M", "Y")  # units of dates in which periods are counted; shorter ones are counted in days


def places_of(players, ids):
    """Return the position of each id among the players; any position for an unknown one.

    Integers without large gaps are looked up in a table, and texts in a dict: both are faster than a binary search.
    """
    if len(players) and players.dtype.kind in TEXTS and ids.dtype.kind in TEXTS:
        number = {player: place for place, player in enumerate(players.tolist())}
        return np.array([number.get(player, 0) for player in ids.tolist()], dtype=np.int64)
    if len(players) and players.dtype.kind in "iu" and ids.dtype.kind in "iu":
        wide = np.uint64 if players.dtype == np.uint64 else np.int64  # differences of int8 overflow
        players, ids = players.astype(wide, copy=False), ids.astype(wide, copy=False)  # an unknown id may change
        least, span = players.min(), int(players.max()) - int(players.min())
        if span == len(players) - 1 and np.all(np.diff(players) == 1):
            return np.clip(ids, least, players.max()) - least
        if span <= 8 * len(players):
            table = np.zeros(span + 1, dtype=np.int64)
            table[players - least] = np.arange(len(players))
            return np.take(table, (ids - least).astype(np.int64), mode="clip")
    order = np.argsort(players, kind="stable")
    return np.take(order, np.searchsorted(players, ids, sorter=order), mode="clip")


def present(name, ids, what="a player", each="game"):
    """Return ids (N,) as an array; refuse those that are None, nan, NaT or ``pd.NA``: they are no player."""
    of, missing = np.asarray(ids), np.zeros(0, dtype=bool)
    given = of if hasattr(ids, "dtype") or of.dtype.kind not in "SU" else np.asarray(ids, dtype=object)
    if given.dtype.kind == "O" and given.ndim == 1:  # of a list of texts numpy makes nan the text "nan"
        missing = np.array([is_missing(player) for player in given.tolist()], dtype=bool)
    elif given.dtype.kind in "fM":
        missing = given != given
    if missing.any():
        at = int(missing.argmax())
        raise ValueError(f"{name} must hold {what} for each {each}, got {given[at]!r} for {each} {at}")
    texts = {isinstance(one, str) for one in given.tolist()} if given.dtype.kind == "O" and given.ndim == 1 else {}
    if len(texts) == 2:
        raise ValueError(f"{name} must hold ids of one kind, got texts and others: {given[:5].tolist()!r}")
    return of


def floats(name, values):
    """Return numbers as a float64 array; refuse others."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number or hold numbers, got {reprlib.repr(values)}") from None


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
        strange = [one for one in values.ravel().tolist() if is_missing(one) or one not in (0, 1)]
        if strange:
            raise ValueError(f"{name} must be True or False, got {strange[0]!r}")
    values = values.astype(dtype)
    if values.shape not in ((), shape):
        raise ValueError(f"{name} must be one value or have shape {shape}, got shape {values.shape}")
    return np.broadcast_to(values, shape).copy()


def _local(day):
    """Return a date without its time zone."""
    if is_missing(day):
        return np.datetime64("NaT")
    return day.replace(tzinfo=None) if isinstance(day, datetime.datetime) else day


def numbered(periods, name="periods"):
    """Return periods as int64 (N,), dates as their numbers since 1970, and the periods themselves, for messages."""
    if getattr(getattr(periods, "dtype", None), "time_zone", None) is not None:  # polars gives the time in Greenwich
        periods = periods.dt.replace_time_zone(None)
    names = np.asarray(periods)
    if names.dtype.kind == "O" and all(is_missing(day) or isinstance(day, datetime.date) for day in names):
        # a date is its day where the game was played
        names = np.array([_local(day) for day in names.tolist()], dtype="datetime64[us]")
    if names.dtype.kind == "M":
        if np.isnat(names).any():
            raise ValueError(f"{name} must hold a date for each game, got none for game {np.isnat(names).argmax()}")
        if np.datetime_data(names.dtype) not in [(unit, 1) for unit in LONG]:
            names = names.astype("datetime64[D]")
    elif names.dtype.kind not in "iu":
        came = names.ravel()[:1].tolist()
        cure = "".join(f": {CURES[type(period).__name__]}" for period in came if type(period).__name__ in CURES)
        raise ValueError(f"{name} must be integers or dates, got {', '.join(map(repr, came)) or names.dtype}{cure}")
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
    white, black = sides.values()
    kinds = white.dtype.kind + black.dtype.kind
    if len(white) and {*kinds} <= {*"iu"}:
        least = min(int(white.min()), int(black.min()))
        span = max(int(white.max()), int(black.max())) - least + 1
        if span <= 8 * len(white) and np.iinfo(np.int64).min <= least and least + span <= np.iinfo(np.int64).max:
            seen = sum(
                np.bincount(side.astype(np.int64, copy=False) - least, minlength=span) for side in (white, black)
            )
            return np.flatnonzero(seen) + least
    if len(white) and {*kinds} <= {*TEXTS}:
        return np.unique(np.array([*{*white.tolist(), *black.tolist()}], dtype=np.result_type(white, black)))
    return np.unique(joined(white, black))


def joined(white, black):
    """Return the ids of both sides; numpy would make floats of int64 beside uint64, in which large ids are equal."""
    if {white.dtype.kind, black.dtype.kind} == {"i", "u"} and np.result_type(white, black).kind == "f":
        signed = white if white.dtype.kind == "i" else black
        wide = np.uint64 if signed.min(initial=0) >= 0 else object
        white, black = white.astype(wide), black.astype(wide)
    return np.append(white, black)
