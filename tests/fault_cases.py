"""Many numbered cases of a fault, each in a process that ends what never would."""

from collections import Counter

from rankbench.experiments.watched import Fault, watched


def run_cases(case, n_cases, seconds, named, record_property):
    """Run ``case(number)`` for each number and fail with those that are a fault, under the name ``named(number)``.

    A case returns how it ended, ``kind: more``; the kind ``fault`` is one. Returns how often each kind came.
    """
    ends, faults = Counter(), []
    for number, end in watched(lambda: None, case, range(n_cases), seconds):
        end = f"fault: {end.reason}" if isinstance(end, Fault) else end
        ends[end.partition(":")[0]] += 1
        if end.startswith("fault"):
            faults.append(f"{named(number)}: {end}")
    record_property("tried", n_cases)
    record_property("survived", n_cases - len(faults))
    assert not faults, "\n".join(faults)
    return ends
