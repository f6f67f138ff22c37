"""Ids of players and periods of games, of any type, as numbers; :mod:`rankmargin.ratings` rates by them."""

import datetime

import numpy as np

LONG = ("D", "W", "M", "Y")  # units of dates in which periods are counted; shorter ones are counted in days


def places_of(players, ids):
    """Return the position of each id among the players; any position for an unknown one.

    Integers without large gaps are looked up in a table, which takes a tenth of the time of a binary search.
    """
    if len(players) and players.dtype.kind in "iu" and ids.dtype.kind in "iu":
        wide = np.uint64 if players.dtype == np.uint64 else np.int64  # differences of int8 overflow
        players, ids = players.astype(wide), ids.astype(wide)  # an unknown id may change: the caller compares
        least, span = players.min(), int(players.max()) - int(players.min())
        if span <= 8 * len(players):
            table = np.zeros(span + 1, dtype=np.int64)
            table[players - least] = np.arange(len(players))
            return np.take(table, (ids - least).astype(np.int64), mode="clip")
    order = np.argsort(players, kind="stable")
    return np.take(order, np.searchsorted(players, ids, sorter=order), mode="clip")


def refuse_missing(name, ids):
    """Refuse ids (N,) that are None, nan or NaT: they are no player."""
    missing = np.zeros(ids.shape, dtype=bool)
    if ids.dtype.kind == "O" and ids.ndim == 1:
        missing = np.array([player is None or player != player for player in ids.tolist()], dtype=bool)
    elif ids.dtype.kind in "fM":
        missing = ids != ids
    if missing.any():
        game = int(missing.argmax())
        raise ValueError(f"{name} must hold a player for each game, got {ids[game]!r} for game {game}")


def column_of(name, values, dtype, shape):
    """Return one value for all players, or one for each, as a new array of the shape."""
    values = np.asarray(values, dtype=dtype)
    if values.shape not in ((), shape):
        raise ValueError(f"{name} must be one value or have shape {shape}, got shape {values.shape}")
    return np.broadcast_to(values, shape).copy()


def numbered(periods):
    """Return periods as int64 (N,), dates as their numbers since 1970, and the periods themselves, for messages."""
    names = np.asarray(periods)
    if names.dtype.kind == "O" and all(isinstance(day, datetime.date) for day in names.tolist()):
        local = [day.replace(tzinfo=None) if isinstance(day, datetime.datetime) else day for day in names.tolist()]
        names = np.array(local, dtype="datetime64[us]")  # a date is its day where the game was played
    if names.dtype.kind == "M":
        if np.isnat(names).any():
            raise ValueError(f"periods must hold a date for each game, got none for game {np.isnat(names).argmax()}")
        if np.datetime_data(names.dtype) not in [(unit, 1) for unit in LONG]:
            names = names.astype("datetime64[D]")
    elif names.dtype.kind not in "iu":
        raise ValueError(f"periods must be integers or dates, got {names.dtype}")
    elif len(names) and int(names.max()) > np.iinfo(np.int64).max:
        raise ValueError(f"periods must be at most {np.iinfo(np.int64).max}, got {names.max()}")
    return names.astype(np.int64), names
