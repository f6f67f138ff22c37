"""Claims that are rows of a table: what is measured in the frames, the rule that judges it, and its thresholds.

A row is measured once, even though its thresholds are halved and doubled afterwards. The rules:

- `mostly`: most cells lie above 0 and hardly any lies below (`rankbench.claims.evidence.ordering`);
- `in_all_parts`: `mostly` in each of several parts, mixed if the parts disagree;
- `far_above`: as `mostly`, and the whole interval of the mean is above a given share of the larger side;
- `each`: as `mostly` for a claim that names its cells, so that all of them must lie above 0;
- `near`: all cells lie within a margin of 0 (`rankbench.claims.evidence.equivalence`);
- `far_slower`: the seconds are a multiple of others and grow steeply; it fails if the multiple is small or the growth
  is not steep, and is mixed if they are a multiple, but not so large;
- `sometimes`: the statement says that there are cases ("does not always"): one cell that lies above 0, at a level
  divided by the number of cells, is enough; it fails if all cells lie below;
- `always`: a theorem, a definition or a count, which one counterexample refutes.
"""

from dataclasses import dataclass

import numpy as np

from .evidence import (
    Interval,
    compared,
    equivalence,
    ordering,
    over,
    share,
)
from .numbers import about
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, NO_NUMBER, OWN, Claim, Finding, register


@dataclass(frozen=True)
class Measured:
    """What the frames say before a threshold is applied.

    Attributes
    ----------
    cells : mapping of str to Interval, or array of shape (n_cases,)
        An array for `always`: how far each case is off.
    said : str
        Our result in words; ``{counts}`` stands for the counts of the rule.
    whole : float or Interval
        For `far_above` the number of which a share is taken, in the unit of the cells; for `far_slower` the interval
        of the multiple.
    printed : str
        What the paper prints, if the frames say it and not the row.
    stated : float
        The figure of the statement, in the unit of the effect; NaN if it states none.
    """

    cells: object
    said: str = "{counts}"
    whole: object = np.nan
    printed: str = ""
    stated: float = np.nan


def mostly(measured, *, most, level):
    return *ordering(measured.cells, most=most, level=level), over(measured.cells)


def in_all_parts(measured, *, most, level):
    verdicts = {name: ordering(cells, most=most, level=level)[0] for name, cells in measured.cells.items()}
    said = ", ".join(f"{name} {verdict}" for name, verdict in verdicts.items())
    mean = over({(name, at): cell for name, cells in measured.cells.items() for at, cell in cells.items()})
    return next(iter(verdicts.values())) if len(set(verdicts.values())) == 1 else MIXED, said, mean


def far_above(measured, *, most, level, far):
    verdict, counts, mean = mostly(measured, most=most, level=level)
    return MIXED if verdict == HOLDS and mean.low < far * measured.whole else verdict, counts, mean


def far_slower(measured, *, times, steep, little):
    (grows,), slow = measured.cells.values(), measured.whole
    if slow.low > times and grows.low > steep:
        verdict = HOLDS
    elif slow.high < little or grows.high < steep:
        verdict = FAILS
    else:
        verdict = MIXED if slow.high <= times else INCONCLUSIVE
    return verdict, f"{slow.text(1)} times", f"{slow.text(1)} times, slope {grows.text()}"


def each(measured, *, level):
    return *ordering(measured.cells, every=True, level=level), over(measured.cells)


def near(measured, *, margin, off=0.0, wrong=0.5):
    return *equivalence(measured.cells, margin, off=off, wrong=wrong), over(measured.cells)


def sometimes(measured, *, level):
    n = len(measured.cells)
    signs = [cell.at(level / n).sign for cell in measured.cells.values()]
    above, below = signs.count(1), signs.count(-1)
    verdict = HOLDS if above else FAILS if below == n else INCONCLUSIVE
    return verdict, f"clearly in {above} of {n} cells, clearly not in {below}", f"in {above} of {n} cells"


def always(measured, *, same=0.0):
    fine = np.asarray(measured.cells) <= same
    n = int(fine.sum())
    return HOLDS if fine.all() else FAILS, f"in {n} of {len(fine)} cases", share(n, len(fine))


@dataclass(frozen=True)
class Row:
    """One claim: its id, the frames it needs, what is measured in them, the rule and its thresholds.

    Attributes
    ----------
    measure : callable
        Frames -> `Measured`, or a `Finding` if there is nothing to judge.
    rule : callable
        One of the rules of this module.
    limits : dict
        Thresholds of the rule.
    why : str
        What was compared; ``{margin:g}`` stands for the threshold ``margin``.
    word, decimals, unit
        How the effect is written: a word before it, the decimals of an interval, the unit after it.
    aside : str
        Why the claim is not counted (`rankbench.claims.verdict.Finding`).
    """

    claim_id: str
    needs: tuple
    measure: object
    rule: object
    limits: dict
    why: str
    printed: str = ""
    word: str = ""
    decimals: int = 1
    unit: str = ""
    basis: str = OWN
    aside: str = ""

    def find(self, measured, *, tenth=np.nan, **limits):
        """Return the finding on what was measured; a figure that is stated is judged by the threshold ``tenth``."""
        if isinstance(measured, Finding):
            return measured
        direction, counts, effect = self.rule(measured, **limits)
        size = effect if isinstance(effect, str) else effect.text(self.decimals, self.unit)
        number = NO_NUMBER, ""
        if not np.isnan(measured.stated):
            number = about(effect, measured.stated, tenth=tenth, decimals=self.decimals, unit=self.unit)
        return Finding(
            direction,
            measured.said.replace("{counts}", counts),
            measured.printed or self.printed,
            self.why.format(**limits),
            f"{self.word} {size}".strip(),
            *number,
            compared=compared(*_mappings(measured.cells)),
            aside=self.aside,
        )


def _mappings(cells):
    """Yield the mappings of intervals in cells; `in_all_parts` has one per part, and arrays have none."""
    if isinstance(cells, dict):
        parts = list(cells.values())
        yield from [cells] if parts and isinstance(parts[0], Interval) else parts


def add(*rows):
    """Register the claims of a table."""
    for row in rows:
        register(Claim(row.claim_id, row.needs, row.find, row.basis, row.limits, row.measure))
