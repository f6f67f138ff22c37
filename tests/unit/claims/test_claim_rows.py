"""The rules of claim rows on both sides of their thresholds; each row measures only once."""

import inspect
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from rankbench.claims.evidence import Interval
from rankbench.claims.rows import (
    Measured,
    Row,
    always,
    each,
    far_above,
    far_slower,
    in_all_parts,
    mostly,
    near,
    sometimes,
)
from rankbench.claims.verdict import FACTORS, FAILS, HOLDS, INCONCLUSIVE, MIXED, NOT_CHECKABLE, Claim, Finding
from rankbench.ledger import registered

ABOVE, BELOW, OPEN = Interval(2, 1, 3, 10), Interval(-2, -3, -1, 10), Interval(1, -1, 3, 10)
CLEAR, UNCLEAR = Interval(1, 0.05, 1.95, 10), Interval(1, -0.05, 2.05, 10)  # p = 0.041 and 0.058
USUAL = {"most": 0.5, "level": 0.05}  # what rows have that no row writes down


def cells(*intervals):
    return {str(at): one for at, one in enumerate(intervals)}


CASES = [
    (mostly, cells(ABOVE, ABOVE, OPEN), USUAL, HOLDS),
    (mostly, cells(ABOVE, OPEN), USUAL, MIXED),
    (mostly, cells(BELOW, BELOW, OPEN), USUAL, FAILS),
    (mostly, cells(OPEN), USUAL, INCONCLUSIVE),
    (each, cells(ABOVE, ABOVE, OPEN), {"level": 0.05}, MIXED),
    (each, cells(ABOVE, ABOVE), {"level": 0.05}, HOLDS),
    (each, cells(BELOW, BELOW), {"level": 0.05}, FAILS),
    (far_above, cells(ABOVE), {**USUAL, "far": 0.05}, HOLDS),  # the interval begins at 1 of 20
    (far_above, cells(ABOVE), {**USUAL, "far": 0.051}, MIXED),
    (far_above, cells(BELOW), {**USUAL, "far": 0.1}, FAILS),
    (far_slower, cells(ABOVE), {"times": 17.9, "steep": 0.9, "little": 2.0}, HOLDS),  # 18 to 22 times, slope 1 to 3
    (far_slower, cells(ABOVE), {"times": 18.0, "steep": 0.9, "little": 2.0}, INCONCLUSIVE),
    (far_slower, cells(ABOVE), {"times": 17.9, "steep": 1.0, "little": 2.0}, INCONCLUSIVE),
    (far_slower, cells(ABOVE), {"times": 17.9, "steep": 3.1, "little": 2.0}, FAILS),
    (far_slower, cells(ABOVE), {"times": 30.0, "steep": 0.9, "little": 22.1}, FAILS),
    (far_slower, cells(ABOVE), {"times": 22.0, "steep": 0.9, "little": 12.0}, MIXED),
    (far_slower, cells(ABOVE), {"times": 8.9, "steep": 0.9, "little": 2.0}, HOLDS),
    (in_all_parts, {"a": cells(ABOVE), "b": cells(ABOVE)}, USUAL, HOLDS),
    (in_all_parts, {"a": cells(ABOVE), "b": cells(BELOW)}, USUAL, MIXED),
    (in_all_parts, {"a": cells(BELOW), "b": cells(BELOW)}, USUAL, FAILS),
    (in_all_parts, {"a": cells(OPEN), "b": cells(OPEN)}, USUAL, INCONCLUSIVE),
    (near, cells(ABOVE), {"margin": 3.0}, HOLDS),
    (near, cells(ABOVE), {"margin": 2.9}, INCONCLUSIVE),
    (near, cells(BELOW), {"margin": 0.99}, FAILS),
    (near, cells(ABOVE, Interval(0, -0.1, 0.1, 5)), {"margin": 1.5}, MIXED),
    (near, cells(ABOVE, BELOW), {"margin": 0.9, "wrong": 1.0}, FAILS),
    (near, cells(ABOVE, Interval(0, -1, 1, 5)), {"margin": 0.9, "wrong": 1.0}, MIXED),
    (near, cells(ABOVE, Interval(0, -1, 1, 5)), {"margin": 0.9, "wrong": 0.5}, FAILS),
    (near, cells(ABOVE, BELOW), {"margin": 0.9, "wrong": 2.0}, MIXED),
    (sometimes, cells(CLEAR), {"level": 0.05}, HOLDS),
    (sometimes, cells(CLEAR, OPEN), {"level": 0.05}, INCONCLUSIVE),  # clear among two at 0.025 each
    (sometimes, cells(ABOVE, BELOW, BELOW), {"level": 0.05}, HOLDS),  # one case is enough
    (sometimes, cells(OPEN, BELOW, BELOW), {"level": 0.05}, INCONCLUSIVE),
    (sometimes, cells(BELOW, BELOW), {"level": 0.05}, FAILS),
    (always, [1e-6, 0.0], {"same": 1e-6}, HOLDS),
    (always, [1.1e-6, 0.0], {"same": 1e-6}, FAILS),
    (always, [np.nan, 0.0], {"same": 1e-6}, FAILS),
    (always, [False, False], {}, HOLDS),
    (always, [True, False], {}, FAILS),
    *(
        case
        for rule, limits in ((mostly, USUAL), (each, {"level": 0.05}), (far_above, {**USUAL, "far": 0.002}))
        for case in ((rule, cells(CLEAR), limits, HOLDS), (rule, cells(UNCLEAR), limits, INCONCLUSIVE))
    ),
    (far_above, cells(ABOVE, ABOVE, OPEN), {**USUAL, "far": 0.015}, HOLDS),  # the mean begins at 0.33 of 20
    (far_above, cells(ABOVE, OPEN), {**USUAL, "far": 0.07}, MIXED),
    (far_above, cells(ABOVE, Interval(1, -0.5, 2.5, 10)), {**USUAL, "far": 0.01}, MIXED),  # if one half were enough
    (in_all_parts, {"a": cells(CLEAR), "b": cells(ABOVE)}, USUAL, HOLDS),
    (in_all_parts, {"a": cells(UNCLEAR), "b": cells(ABOVE)}, USUAL, MIXED),
    (in_all_parts, {"a": cells(ABOVE, ABOVE, OPEN)}, USUAL, HOLDS),
    (in_all_parts, {"a": cells(ABOVE, OPEN)}, USUAL, MIXED),
    (near, cells(*[Interval(0, -0.1, 0.1, 5)] * 9, ABOVE), {"margin": 1.0, "off": 0.1}, HOLDS),
    (near, cells(*[Interval(0, -0.1, 0.1, 5)] * 8, ABOVE, ABOVE), {"margin": 1.0, "off": 0.1}, MIXED),
]


@pytest.mark.parametrize(("rule", "found", "limits", "verdict"), CASES)
def test_a_rule_on_both_sides_of_its_threshold(rule, found, limits, verdict):
    assert rule(measured(rule, found), **limits)[0] == verdict


def measured(rule, found):
    """What a rule judges: cells, and a number of 20 of which `far_above` takes a share, or a multiple of 18 to 22."""
    return Measured(found, whole=Interval(20.0, 18.0, 22.0, 5) if rule is far_slower else 20.0)


RULES = {rule for rule, *_ in CASES}


@pytest.mark.parametrize("rule", sorted(RULES, key=lambda rule: rule.__name__))
def test_a_threshold_of_a_rule_halved_or_doubled_changes_a_verdict(rule):
    unmoved = {(name, word) for name in inspect.signature(rule).parameters if name != "measured" for word in FACTORS}
    for _, found, limits, verdict in (case for case in CASES if case[0] is rule):
        changed = {(name, word): {name: factor * limits[name]} for name in limits for word, factor in FACTORS.items()}
        unmoved -= {at for at, new in changed.items() if rule(measured(rule, found), **limits | new)[0] != verdict}
    assert not unmoved


def test_rows_have_the_level_and_the_share_that_are_written_down_and_every_common_rule_is_used():
    rows = [claim for claim in registered().values() if claim.measure]
    rules = {claim.find.__self__.rule for claim in rows}
    assert {rule for rule in rules if rule.__module__ == mostly.__module__} == RULES  # others belong to one room
    asked = [(name, value) for claim in rows for name, value in claim.thresholds.items() if name in USUAL]
    assert len(asked) > 40 and set(asked) == set(USUAL.items())


def test_a_row_measures_once_and_tells_its_thresholds():
    asked = []

    def measure(frame):
        asked.append(len(frame))
        return Measured(cells(ABOVE), "two {counts}")

    row = Row("X1", ("a/b",), measure, near, {"margin": 2.0}, "within {margin:g}", "printed", "off by", 2, " points")
    found = Claim(row.claim_id, row.needs, row.find, row.basis, row.limits, row.measure).judge(pd.DataFrame({"a": [1]}))
    assert asked == [1] and found.direction == INCONCLUSIVE and found.thresholds == "margin 2 (if doubled: holds)"
    assert (found.why, found.published) == ("within 2", "printed") and found.effect == "off by 2.00 [1.00, 3.00] points"
    assert found.ours == "two 0 of 1 within +-2, 0 completely outside"


def test_a_row_whose_statement_has_a_figure_judges_it_too():
    row = Row("X1", ("a/b",), None, each, {"level": 0.05, "tenth": 0.1}, "", unit=" s")
    for stated, number in ((2.0, INCONCLUSIVE), (4.0, FAILS), (20.0, FAILS)):
        found = row.find(Measured(cells(ABOVE), stated=stated), **row.limits)
        assert (found.direction, found.number) == (HOLDS, number) and f"printed {stated:g}: " in found.difference
    assert row.find(Measured(cells(ABOVE), stated=2.0), level=0.05, tenth=0.5).number == HOLDS


def test_a_row_knows_what_it_compares_also_in_parts():
    one, two = (replace(ABOVE, compared=frozenset({name})) for name in ("a", "b"))
    whole = Row("X1", (), None, mostly, USUAL, "").find(Measured({"x": one, "y": two}), **USUAL)
    parts = Row("X1", (), None, in_all_parts, USUAL, "").find(Measured({"p": {"x": one}, "q": {"y": two}}), **USUAL)
    assert whole.compared == parts.compared == {"a", "b"}
    assert not Row("X1", (), None, always, {}, "").find(Measured([0.0])).compared


def test_a_row_that_has_nothing_to_measure_says_so():
    row = Row("X1", (), lambda: None, near, {"margin": 1.0}, "")
    told = Finding(NOT_CHECKABLE, why="nothing was learned")
    assert row.find(told, margin=1.0) is told
