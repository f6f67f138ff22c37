"""Many numbered cases of a fault, each in a process that ends what never would.

``RANKBENCH_FAULTS=1`` asks for the long version of the tests in `tests/property`, ``RANKBENCH_FAULTS=0.1`` for a tenth.
"""

import os
from collections import Counter

from rankbench.experiments.watched import Fault, watched

SHARE = float(os.environ.get("RANKBENCH_FAULTS") or 0)


def how_many(short, long):
    """Return the number of trials: `short`, or the share of `long` that is asked for."""
    return max(short, round(SHARE * long))


def run_cases(case, n_cases, seconds, named):
    """Run ``case(number)`` for each number and fail with those that are a fault.

    A case returns how it ended, ``kind`` or ``kind: more``; the kind ``fault`` is one. ``named(number)`` is its name in
    the message. Returns how often each kind came.
    """
    ended = watched(lambda: None, case, list(range(n_cases)), seconds)
    ends = {number: f"fault: {end.reason}" if isinstance(end, Fault) else end for number, end in ended}
    faults = [f"{named(number)}: {ends[number]}" for number in range(n_cases) if ends[number].startswith("fault")]
    assert not faults, "\n".join(faults)
    return Counter(ends[number].partition(":")[0] for number in range(n_cases))
