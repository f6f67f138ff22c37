"""Records in and out of JSON lines."""

import hashlib
import json
import math

import pytest

from rankbench.experiments.record import Record, from_line, to_line

RECORD = Record("e", "d", "default", "m", 3, 30, 13, 2, params={"C": 0.1}, metrics={"swapped_pairs": 0.25})


def test_a_record_comes_back():
    back = from_line(to_line(RECORD))
    assert math.isnan(back.gap)
    assert to_line(back) == to_line(RECORD) and "NaN" not in to_line(RECORD)


def sealed(values):
    """Return a line as `to_line` would write it of these values."""
    text = json.dumps({name: value for name, value in values.items() if name != "sha256"}, ensure_ascii=False)
    return f'{text[:-1]}, "sha256": "{hashlib.sha256(text.encode()).hexdigest()}"}}'


def test_a_digit_that_was_changed_is_found():
    with pytest.raises(ValueError, match="its sha256 is not that of its values"):
        from_line(to_line(RECORD).replace("0.25", "0.26"))


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
        from_line(sealed({**json.loads(to_line(RECORD)), **change}))


def test_missing_fields_and_other_json_are_refused():
    with pytest.raises(ValueError, match=r"missing \['seed'\]"):
        from_line(sealed({k: v for k, v in json.loads(to_line(RECORD)).items() if k != "seed"}))
    with pytest.raises(ValueError, match="a record must be a JSON object, got list"):
        from_line("[]")
    with pytest.raises(ValueError, match="line 1 column 1"):
        from_line("half a rec")
