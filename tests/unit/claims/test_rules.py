"""The eleven rules on both sides of their thresholds; a claim measures once."""

import inspect
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rankbench.claims.evidence import Interval, Lacking, interval
from rankbench.claims.ledger import registered
from rankbench.claims.rules import (
    RULES,
    about,
    again,
    alike,
    always,
    each,
    far,
    mostly,
    on_seconds,
    sometimes,
    table,
    together,
)
from rankbench.claims.verdict import (
    BY_CONSTRUCTION,
    FACTORS,
    FAILS,
    HOLDS,
    INCONCLUSIVE,
    MACHINE,
    MIXED,
    NO_DIRECTION,
    NO_NUMBER,
    NOT_CHECKABLE,
    SECONDS,
    SUBSTITUTE,
    Claim,
    Measured,
)
from rankbench.registry import STUDIES

ABOVE, BELOW, OPEN = Interval(2, 1, 3, 10), Interval(-2, -3, -1, 10), Interval(1, -1, 3, 10)
CLEAR, UNCLEAR = Interval(1, 0.05, 1.95, 10), Interval(1, -0.05, 2.05, 10)  # p = 0.041 and 0.058
NARROW = Interval(0, -0.1, 0.1, 5)
SHARP = {"least": 3.0}  # OPEN would find 2.7 in 8 of 10 samples, so it is blunt for 2.6
BLUNT = {"least": 2.6}


def cells(*intervals):
    return {str(at): one for at, one in enumerate(intervals)}


def timed(cell, lever=1.0):
    return replace(cell, lever=lever)


CASES = [
    (mostly, cells(ABOVE, ABOVE, OPEN), SHARP, HOLDS),
    (mostly, cells(ABOVE, OPEN), SHARP, MIXED),
    (mostly, cells(ABOVE, OPEN), BLUNT, INCONCLUSIVE),  # with more draws it could hold
    (mostly, cells(BELOW, BELOW, OPEN), BLUNT, FAILS),
    (mostly, cells(ABOVE, BELOW, BELOW), BLUNT, FAILS),
    (mostly, cells(ABOVE, ABOVE, BELOW), BLUNT, MIXED),  # in part
    (mostly, cells(OPEN), BLUNT, INCONCLUSIVE),
    (mostly, cells(OPEN), SHARP, FAILS),  # there is no difference of that size
    (mostly, cells(CLEAR), SHARP, HOLDS),
    (mostly, cells(UNCLEAR), {"least": 1.0}, INCONCLUSIVE),
    (mostly, cells(ABOVE, ABOVE, OPEN), {**SHARP, "most": 0.7}, MIXED),
    (each, cells(ABOVE, ABOVE, OPEN), SHARP, MIXED),
    (each, cells(ABOVE, ABOVE, OPEN), BLUNT, INCONCLUSIVE),
    (each, cells(ABOVE, ABOVE), SHARP, HOLDS),
    (each, cells(BELOW, BELOW), SHARP, FAILS),
    (each, cells(CLEAR), SHARP, HOLDS),
    (each, cells(UNCLEAR), {"least": 1.0}, INCONCLUSIVE),
    (far, cells(ABOVE), {**SHARP, "far": 0.05}, HOLDS),  # the interval begins at 1.2 of 20
    (far, cells(ABOVE), {**SHARP, "far": 0.07}, MIXED),
    (far, cells(BELOW), {**SHARP, "far": 0.1}, FAILS),
    (far, cells(ABOVE, ABOVE, OPEN), {**SHARP, "far": 0.01}, HOLDS),
    (far, cells(ABOVE, OPEN), {**SHARP, "far": 0.01}, MIXED),
    (far, cells(ABOVE, OPEN), {**BLUNT, "far": 0.01}, INCONCLUSIVE),
    (far, cells(CLEAR), {**SHARP, "far": 0.001}, HOLDS),
    (far, cells(UNCLEAR), {"least": 1.0, "far": 0.001}, INCONCLUSIVE),
    (together, cells(ABOVE, ABOVE), SHARP, HOLDS),
    (together, cells(ABOVE, BELOW), SHARP, FAILS),  # one part refutes it
    (together, cells(ABOVE, ABOVE, BELOW), SHARP, FAILS),
    (together, cells(ABOVE, OPEN), SHARP, FAILS),  # a part of that size is not there
    (together, cells(ABOVE, OPEN), BLUNT, INCONCLUSIVE),
    (together, cells(CLEAR), SHARP, HOLDS),
    (together, cells(UNCLEAR), {"least": 1.0}, INCONCLUSIVE),
    (alike, cells(ABOVE), {"margin": 3.0}, HOLDS),
    (alike, cells(ABOVE), {"margin": 2.7}, MIXED),
    (alike, cells(Interval(1, -1, 3, 10)), {"margin": 2.5}, INCONCLUSIVE),  # blunt
    (alike, cells(BELOW), {"margin": 0.99}, FAILS),
    (alike, cells(ABOVE, NARROW), {"margin": 2.7, "off": 0.5}, HOLDS),
    (alike, cells(ABOVE, NARROW), {"margin": 0.5, "wrong": 0.6}, MIXED),
    (alike, cells(ABOVE, NARROW), {"margin": 0.5, "wrong": 0.5}, FAILS),
    (alike, cells(ABOVE, NARROW), {"margin": 0.5, "wrong": 1.0}, MIXED),
    (alike, cells(*[NARROW] * 9, ABOVE), {"margin": 1.0, "off": 0.1}, HOLDS),
    (alike, cells(*[NARROW] * 8, ABOVE, ABOVE), {"margin": 1.0, "off": 0.1}, MIXED),
    (sometimes, cells(CLEAR), {}, HOLDS),
    (sometimes, cells(CLEAR, OPEN), {}, INCONCLUSIVE),  # clear among two at 0.025 each
    (sometimes, cells(ABOVE, BELOW, BELOW), {}, HOLDS),  # one case is enough
    (sometimes, cells(OPEN, BELOW, BELOW), {}, INCONCLUSIVE),
    (sometimes, cells(BELOW, BELOW), {}, FAILS),
    (sometimes, cells(UNCLEAR), {}, INCONCLUSIVE),
    (sometimes, [True, True, False], {}, HOLDS),
    (sometimes, [True, True], {}, FAILS),
    (always, [1e-6, 0.0], {"same": 1e-6}, HOLDS),
    (always, [1.1e-6, 0.0], {"same": 1e-6}, FAILS),
    (always, [np.nan, 0.0], {"same": 1e-6}, FAILS),
    (always, [False, False], {}, HOLDS),
    (always, [True, *[False] * 9], {}, FAILS),
    (always, [True, *[False] * 9], {"off": 0.1}, HOLDS),
    (always, [True, *[False] * 9], {"off": 0.09, "wrong": 0.1}, MIXED),
    (always, [True, *[False] * 9], {"off": 0.0, "wrong": 0.09}, FAILS),
    (on_seconds(each), cells(timed(ABOVE)), SHARP, HOLDS),  # still above 0 if 1.5 times as fast
    (on_seconds(each), cells(timed(Interval(1.3, 0.4, 2.2, 10))), SHARP, MACHINE),
    (on_seconds(each), cells(timed(Interval(1.3, 0.4, 2.2, 10), 0.1)), SHARP, HOLDS),  # a slope hardly moves
    (on_seconds(each), cells(timed(ABOVE)), {**SHARP, "factor": 3.0}, MACHINE),
    (on_seconds(alike), cells(timed(NARROW)), {"margin": 0.6}, HOLDS),
    (on_seconds(alike), cells(timed(NARROW)), {"margin": 0.4}, MACHINE),
]


@pytest.mark.parametrize(("rule", "found", "limits", "verdict"), CASES)
def test_a_rule_on_both_sides_of_its_threshold(rule, found, limits, verdict):
    assert asked(rule, found, **limits) == verdict


def asked(rule, found, **limits):
    """What a rule says of cells; `far` takes a share of 20."""
    drawn = found
    if rule is far:
        drawn = {name: replace(cell, draws=draws_of(cell)) for name, cell in found.items()}
    return rule(Measured(drawn, whole=20.0), **limits)[0]


def draws_of(cell):
    """Ten observations whose interval is that of a cell; each cell has draws of its own."""
    half = (cell.high - cell.low) / 2
    steps = np.tile([-1.0, 1.0], 5)
    spread = half / stats.t.ppf(0.975, 9) * np.sqrt(10) / steps.std(ddof=1)
    return interval(cell.mean + spread * steps).draws.rename_axis([f"{cell.mean}", "seed"])


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule in {case[0] for case in CASES}])
def test_a_threshold_of_a_rule_halved_or_doubled_changes_a_verdict(rule):
    names = {name: one for name, one in inspect.signature(rule).parameters.items() if name != "found" and one.default}
    unmoved = {(name, word) for name in names for word in FACTORS}
    for _, found, limits, verdict in (case for case in CASES if case[0] is rule):
        given = {
            name: limits.get(name, one.default) for name, one in names.items() if name != "least" or "least" in limits
        }
        for name, value in given.items():
            for word, factor in FACTORS.items():
                if asked(rule, found, **{**limits, name: factor * value}) != verdict:
                    unmoved.discard((name, word))
    assert not unmoved


def test_the_rules_of_figures():
    figure = lambda rule, *values, **limits: rule(Measured(figure=values), **limits)[0]  # noqa: E731
    assert figure(about, ABOVE, 2.0, 1, " s") == INCONCLUSIVE and figure(about, ABOVE, 4.0, 1, " s") == FAILS
    assert figure(about, ABOVE, 2.0, 1, " s", tenth=0.5) == HOLDS
    real, drawn = np.arange(10.0), np.arange(20.0)
    assert [figure(again, printed, real, drawn, "g") for printed in (5, 30)] == [HOLDS, FAILS]
    assert figure(again, 15, real, drawn, "g") == INCONCLUSIVE  # real reruns contradict the bootstrap
    assert figure(again, 15, (), drawn, "g") == HOLDS and figure(again, 9, real, drawn, "g") == INCONCLUSIVE
    assert figure(again, 9, real, drawn, "g", level=0.0) == HOLDS
    assert figure(table, [3.4, 0.0], [1.0, 1.0], np.inf, chance=1e-9) == MIXED
    assert figure(table, [3.4, 0.0], [1.0, 1.0], np.inf) == FAILS
    assert figure(table, [1.9, 0.0], [1.0, 1.0], np.inf) == HOLDS
    with pytest.raises(Lacking, match="no cell has our number"):
        figure(table, [np.nan], [1.0], np.inf)


def test_a_claim_measures_once_and_tells_its_thresholds():
    asked = []

    def measure(frame):
        asked.append(len(frame))
        return Measured(cells(ABOVE), "two {counts}")

    claim = Claim(
        "X1", ("a/b",), measure, alike, "within {margin:g}", "printed", {"margin": 2.7}, None, "off by", 2, " points"
    )
    found = claim.judge(pd.DataFrame({"a": [1]}))
    assert asked == [1] and found.direction == MIXED and found.number == NO_NUMBER
    assert found.thresholds.startswith("margin 2.7 (if doubled: holds)")
    assert (found.why, found.published) == (
        "within 2.7",
        "printed",
    ) and found.effect == "off by 2.00 [1.00, 3.00] points"
    assert found.ours == "two 0 of 1 within +-2.7, 0 completely outside"
    with pytest.raises(Lacking, match="a/b has no rows with runs"):
        claim.judge(pd.DataFrame({"a": []}))


def test_readings_stand_side_by_side_and_have_no_mean():
    readings = {
        name: Measured({name: interval(values)}) for name, values in (("one", [1.0, 1.1]), ("two", [-1.0, -1.1]))
    }
    claim = Claim("X1", (), lambda: None, each, limits={"least": 1.0})
    found = claim.find(Measured(readings=readings))
    assert found.direction == MIXED and found.ours == "one holds; two fails"
    assert found.effect.startswith("one 1.1 [0.4, 1.7]; two -1.1 [")
    beside = claim.find(replace(readings["one"], beside={"ours": readings["two"]}))
    assert beside.direction == HOLDS and "not counted, ours: fails" in beside.ours


def test_a_figure_about_other_data_is_not_checkable():
    claim = Claim("X1", (), lambda: None, number=about, basis=SUBSTITUTE)
    found = claim.find(Measured(figure=(ABOVE, 2.0, 1, " s")))
    assert (found.direction, found.number) == (NO_DIRECTION, NOT_CHECKABLE) and found.difference
    kept = pd.read_csv("resources/reproduced/claims.csv", keep_default_na=False)
    assert set(kept.loc[kept["basis"] == SUBSTITUTE, "number"]) == {NO_NUMBER, NOT_CHECKABLE}


def test_what_hangs_on_seconds_is_not_counted():
    """Also if its study is one of many frames that the claim reads."""
    reading = {name for name, one in registered().items() if any(timed_study(need) for need in one.needs)}
    reading |= {"H15"}  # seconds of fits are in records
    counted = {name for name in reading if not getattr(registered()[name].rule, "of_seconds", False)}
    aside = {name for name in counted if registered()[name].aside in (SECONDS, BY_CONSTRUCTION)}
    assert len(reading) > 9 and counted - aside == {"D16"}  # counts the planes of a study that measures seconds, too
    assert (
        Claim("X1", (), lambda: None, on_seconds(each), limits={"least": 1.0}).find(Measured(cells(ABOVE))).aside
        == SECONDS
    )


def timed_study(need):
    study = STUDIES.get(need.split("/")[1])
    return study is not None and study.timed
