"""Made frames for claims: every verdict that a claim can give, on both sides of its thresholds."""

import itertools
import re
from types import CodeType, FunctionType

import numpy as np
import pandas as pd
from scipy import stats

from rankbench.claims.verdict import FACTORS, HOLDS, INCONCLUSIVE, MIXED, NOT_CHECKABLE, VERDICTS
from rankbench.intervals import half_width
from rankbench.ledger import registered

OF_RULES = {"level": 0.05, "most": 0.5}  # of rows: on trial in test_claim_rows, for all rows that have them
ONE_CELL = "one cell is near, far or undecided"
NEVER = {  # verdicts that stand in the code of a claim and that it cannot give
    ("D15", MIXED): ONE_CELL,
    ("R08", MIXED): ONE_CELL,
    ("R09", MIXED): ONE_CELL,
    ("S22", MIXED): "each of its halves holds, fails or is undecided",
    ("L12", INCONCLUSIVE): "a count has no interval",
    ("H01", NOT_CHECKABLE): "only measures of documents ask whether anything is learned",
    ("S16", INCONCLUSIVE): "the rule for all sets is only asked whether it holds",
}


def check(claim_id, cases):
    """Assert that a claim gives these verdicts on these frames, that no possible verdict is left out, and that each
    threshold matters.

    The first frames support the claim, and not all cases have the same verdict. If a threshold is halved, the verdict
    of some case changes, and also if it is doubled.

    Parameters
    ----------
    cases : list of (verdict, frames in the order of the claim's needs)
        The verdict is the direction or the number if the claim states only one of them, or a pair of both.
    """
    claim, found, given = registered()[claim_id], [], set()
    assert set(stated(cases[0][0])) == {HOLDS} and len(cases) > 1
    for verdict, frames in cases:
        assert len(frames) == len(claim.needs)
        found.append(claim.judge(*frames))
        expected = stated(verdict)
        assert tuple(one for one in (found[-1].direction, found[-1].number) if one in VERDICTS) == expected, found[-1]
        assert found[-1].ours and found[-1].why
        given |= set(expected)
    assert len({one.ours for one in found}) > 1
    never = {verdict for name, verdict in NEVER if name == claim_id}
    assert given | never == can_give(claim) and not never & given
    unmoved = {(name, word) for name in thresholds_of(claim) for word in FACTORS}
    for one in found:
        unmoved -= moved(one.thresholds)
    assert not unmoved


def stated(verdict):
    """Return the verdicts of a case as a tuple."""
    return verdict if isinstance(verdict, tuple) else (verdict,)


def thresholds_of(claim):
    """Return the thresholds that the cases of a claim test; those of `OF_RULES` belong to the rule of a row."""
    return [name for name in claim.thresholds if claim.measure is None or name not in OF_RULES]


def moved(text):
    """Return the thresholds, with halved or doubled, whose change gives another verdict, as the ledger tells them."""
    told = re.findall(r"(?:^|; )([a-z ]+) \S+ \(([^)]*)\)", text)
    words = [
        (name.replace(" ", "_"), part.removeprefix("if ").split(": ")[0])
        for name, parts in told
        for part in parts.split(", ")
    ]
    return {(name, word) for name, word in words if word in FACTORS}


def can_give(claim):
    """Return the verdicts that stand in the code of a claim and of the functions of `rankbench.claims` that it calls:
    those that it can give, and some of `NEVER`."""
    row, verdicts, seen = getattr(claim.find, "__self__", None), set(), set()
    asked = [row.rule, row.measure] if row else [claim.find]
    while asked:
        one = asked.pop()
        seen.add(one)
        codes = [one.__code__]
        for code in codes:  # and those of the functions inside, which are found on the way
            codes += [inside for inside in code.co_consts if isinstance(inside, CodeType)]
        named = [one.__globals__[name] for code in codes for name in code.co_names if name in one.__globals__]
        named += [cell.cell_contents for cell in one.__closure__ or ()]
        verdicts |= {value for value in named if isinstance(value, str)} & set(VERDICTS)
        functions = [value for value in named if isinstance(value, FunctionType) and value not in seen]
        asked += [value for value in functions if value.__module__.startswith(("rankbench.claims", "rankbench.papers"))]
    return verdicts


def with_frames(prefix):
    """Return the ids of all claims that start with `prefix` and read frames: each must have its case."""
    return {claim_id for claim_id, claim in registered().items() if claim_id.startswith(prefix) and claim.needs}


def made_records(values, datasets=("one", "two", "three"), conditions=("default",), seeds=20, sd=0.01):
    """Return records whose metrics have given means.

    Parameters
    ----------
    values : dict of str to dict of str to float or callable
        Metric -> method -> mean of the runs, or function of (dataset, condition).
    """
    rng, methods = np.random.default_rng(0), list(next(iter(values.values())))
    places = list(itertools.product(datasets, conditions, methods))
    noise = np.array([[sd * balanced(rng, seeds) for _ in values] for _ in places])
    records = pd.DataFrame(places, columns=["dataset", "condition", "method"]).loc[np.repeat(range(len(places)), seeds)]
    records = records.assign(seed=np.tile(range(seeds), len(places)), status="ok").reset_index(drop=True)
    for at, (metric, means) in enumerate(values.items()):
        mean = [means[name](*place) if callable(means[name]) else means[name] for *place, name in places]
        records[metric] = (np.array(mean)[:, None] + noise[:, at]).ravel()
    return records


def balanced(rng, n):
    """Return n random numbers with mean 0: every second one is the negative of the one before."""
    half = rng.standard_normal((n + 1) // 2)
    noise = np.column_stack([half, -half]).ravel()[:n]
    return noise - noise.mean()


def spread(n, half):
    """Return n numbers whose mean is 0 and whose 95 percent interval is +- half."""
    noise = balanced(np.random.default_rng(1), n)
    return noise * half / half_width(stats.sem(noise), n)
