"""Censored times: the event of a censored row comes after its time, so the row is later than every event before.

A pair is ordered only if its earlier row is an event, so a censored row brings the weight 0 as the lower row of a pair.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rankmargin.annotations import Array


def is_censored(y: ArrayLike, event: ArrayLike | None = None) -> bool:
    """Return whether the targets are times of which some may be censored."""
    return event is not None or getattr(getattr(y, "dtype", None), "names", None) is not None


def with_events(y: Any, event: ArrayLike | None) -> Any:
    """Return the targets, with their events as a structured array (event, time) if there are any."""
    if event is None:
        return y
    time, event = split_times(y, event)
    time = time if time.dtype.kind in "iuf" else time.astype(np.float64)
    table = np.empty(len(time), dtype=[("event", bool), ("time", time.dtype)])
    table["event"], table["time"] = event, time
    return table


def split_times(y: ArrayLike, event: ArrayLike | None = None) -> tuple[Array, Array]:
    """Return the times (n,) and whether each is an event (n,), as a structured array or two arrays say them.

    Raises
    ------
    ValueError
        If the structured array has not one field of bool and one of numbers, an event is not 0 or 1, or both ways are
        used at once.
    """
    if event is not None and is_censored(y):
        raise ValueError("event must be None if y is a structured array (event, time), which holds the events")
    if event is None:
        table = np.asarray(y)
        names = table.dtype.names or ()
        kinds = [table.dtype[name].kind for name in names]
        if table.ndim != 1 or len(kinds) != 2 or kinds[0] != "b" or kinds[1] not in "iuf":
            raise ValueError(f"y must have a field of bool, the event, and one of numbers, the time, got {table.dtype}")
        y, event = table[names[1]], table[names[0]]
    time, event = np.asarray(y), np.asarray(event)
    if event.shape != time.shape or not np.all((event == 0) | (event == 1)):
        raise ValueError(f"event must hold 0 or 1, or a bool, for each of {len(time)} rows of y, got {event!r}")
    return time, event.astype(bool)


def order_of_times(time: Array, event: Array) -> Array:
    """Return integers (n,) in the order of times; of equal times an event is before a censored one, which lasted
    longer."""
    return 2 * np.unique(time, return_inverse=True)[1] + ~event


def share_uncensored(time: Array, event: Array, at: Array) -> Array:
    """Return the Kaplan-Meier estimate of the probability to be uncensored after the times ``at``, shape (m,).

    An event at the time of a censored row is before it.
    """
    times, place = np.unique(time, return_inverse=True)
    lost, events = np.bincount(place, ~event), np.bincount(place, event)
    at_risk = len(time) - np.append(0, np.cumsum(lost + events)[:-1]) - events
    share = np.cumprod(1.0 - np.divide(lost, at_risk, out=np.zeros(len(times)), where=at_risk > 0))
    return np.append(1.0, share)[np.searchsorted(times, at, side="right")]
