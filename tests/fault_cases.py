"""Many numbered cases of a fault, each in a process that ends what never would.

``RANKBENCH_FAULTS=1`` asks for the long version of the tests in `tests/property`, ``RANKBENCH_FAULTS=0.1`` for a tenth.
"""

import json
import os
import re
from collections import Counter

from checkout import ROOT

from rankbench.experiments.watched import Fault, watched
from rankbench.records.provenance import commit

SHARE = float(os.environ.get("RANKBENCH_FAULTS") or 0)


def how_many(short, long):
    """Return the number of trials: `short`, or the share of `long` that is asked for."""
    return max(short, round(SHARE * long))


def run_cases(case, n_cases, seconds, named):
    """Run ``case(number)`` for each number and fail with those that are a fault.

    A case returns how it ended, ``kind`` or ``kind: more``; the kind ``fault`` is one. ``named(number)`` is its name in
    the message. Returns how often each kind came. A long version that was stopped goes on where it was: the ends are
    kept for each commit.
    """
    kept = _kept(os.environ["PYTEST_CURRENT_TEST"])
    ends = dict(map(json.loads, kept.read_text().splitlines())) if kept and kept.exists() else {}
    for number, end in watched(lambda: None, case, [n for n in range(n_cases) if n not in ends], seconds):
        ends[number] = f"fault: {end.reason}" if isinstance(end, Fault) else end
        if kept:
            with kept.open("a") as file:
                file.write(json.dumps([number, ends[number]]) + "\n")
    faults = [f"{named(number)}: {ends[number]}" for number in range(n_cases) if ends[number].startswith("fault")]
    assert not faults, "\n".join(faults)
    return Counter(ends[number].partition(":")[0] for number in range(n_cases))


def _kept(name):
    """Return the file of the ends at this commit; None for the short version, or if the checkout has changes."""
    at = commit(ROOT) if SHARE else ""
    if not at or at.endswith("-dirty"):
        return None
    folder = ROOT / ".pytest_cache/faults"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / (re.sub(r"\W+", "-", f"{at} {name}") + ".jsonl")
