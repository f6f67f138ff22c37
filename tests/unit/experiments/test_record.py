"""Records as values of strict JSON, and back."""

import json
import math

import pytest

from rankbench.experiments.record import Record, record_of, values_of

RECORD = Record("e", "d", "default", "m", 3, 30, 13, 2, params={"C": 0.1}, metrics={"swapped_pairs": 0.25})


def test_a_record_comes_back():
    told = json.dumps(values_of(RECORD), allow_nan=False)
    back = record_of(json.loads(told))
    assert math.isnan(back.gap) and values_of(back) == values_of(RECORD)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gapp": 1.0}, r"unknown \['gapp'\]"),
        ({"seed": "3"}, "seed must be int, got '3'"),
        ({"seed": True}, "seed must be int, got True"),
        ({"gap": "small"}, "gap must be float, got 'small'"),
        ({"status": "fine"}, "status must be one of ok, failed, timeout, memory, missing, got 'fine'"),
    ],
)
def test_what_is_no_record_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        record_of({**values_of(RECORD), **change})


def test_missing_fields_and_other_json_are_refused():
    with pytest.raises(ValueError, match=r"missing \['seed'\]"):
        record_of({name: value for name, value in values_of(RECORD).items() if name != "seed"})
    with pytest.raises(ValueError, match="a record must be a JSON object, got list"):
        record_of([])
