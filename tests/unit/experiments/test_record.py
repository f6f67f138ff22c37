"""Records as values of strict JSON, and back."""

import json
import math

from rankbench.experiments.record import Record, record_of, values_of

RECORD = Record("e", "d", "default", "m", 3, 30, 13, 2, params={"C": 0.1}, metrics={"swapped_pairs": 0.25})


def test_a_record_comes_back():
    told = json.dumps(values_of(RECORD), allow_nan=False)
    back = record_of(json.loads(told))
    assert math.isnan(back.gap) and values_of(back) == values_of(RECORD)
