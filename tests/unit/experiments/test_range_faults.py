"""Ranges of a space: what a list may not hold a range may not hold either."""

import pytest

from rankbench.configuration.ranges import range_faults

RANGE = {"low": 1, "high": 10, "scale": "linear"}


@pytest.mark.parametrize(
    ("argument", "changed", "message"),
    [
        ("C", {"low": -5}, "C.low: must be a number > 0 or null, got -5"),
        ("C", {"low": 10}, "C: needs low < high, and low > 0 on a log scale, got 10, 10"),
        ("alpha", {"low": 0, "scale": "log"}, "alpha: needs low < high, and low > 0 on a log scale, got 0, 10"),
        ("alpha", {"scale": "log", "first": 0}, "alpha.first: must lie in the range, 1 to 10, got 0"),
        ("alpha", {"first": 11}, "alpha.first: must lie in the range, 1 to 10, got 11"),
        (
            "forest__n_estimators",
            {},
            "forest__n_estimators.whole: missing key; forest__n_estimators must be an integer",
        ),
        ("max_depth", {"high": 3.2, "whole": True}, "max_depth.high: must be an integer because of whole, got 3.2"),
        ("max_depth", {"first": 1.5, "whole": True}, "max_depth.first: must be an integer because of whole, got 1.5"),
        (
            "max_depth",
            {"by": "columns", "whole": True},
            "max_depth.by: a whole number divided by the number of columns",
        ),
    ],
)
def test_a_fault_is_named(argument, changed, message):
    (fault,) = range_faults(argument, argument, RANGE | changed, {"settings": 5, "seconds": 1})
    assert fault.startswith(message)


def test_a_sound_range_has_no_fault_but_needs_a_budget():
    assert [*range_faults("C", "C", RANGE, {"settings": 5})] == []
    assert [*range_faults("max_iter", "max_iter", RANGE | {"whole": True, "first": 10}, {"settings": 5})] == []
    assert [*range_faults("C", "C", RANGE, {})] == ["C: a range needs tuning.budget"]
