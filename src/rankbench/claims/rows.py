"""Claims that are rows of a table: what is measured in the frames, the rule that judges it, and its thresholds.

A row measures once, also when its thresholds are halved and doubled. The rules:

- `mostly`: most cells lie above 0 and hardly any lies below (`rankbench.claims.evidence.ordering`);
- `in_all_parts`: `mostly` in each of several parts, mixed if the parts disagree;
- `far_above`: as `mostly`, and the mean is at least a given share of the larger side;
- `each`: as `mostly` for a claim that names its cells, so that all of them must lie above 0;
- `near`: all cells lie within a margin of 0 (`rankbench.claims.evidence.equivalence`);
- `small`: all numbers are small;
- `far_slower`: the seconds are a multiple of others and grow steeply; it fails if the multiple is small;
- `often`: the statement is true in more than a share of the cases; it fails if it is true in none;
- `always`: a theorem, a definition or a count, which one counterexample refutes.
"""

from dataclasses import dataclass, field

import numpy as np

from .evidence import equivalence, ordering, over, share, within
from .verdict import FAILS, HOLDS, MIXED, OWN, Claim, Finding, register


@dataclass(frozen=True)
class Measured:
    """What the frames say before a threshold is applied.

    Attributes
    ----------
    cells : mapping of str to Interval, or array of shape (n_cases,)
        An array for `small` and `always` (how far each case is off) and for `often` (whether the statement is true).
    said : str
        Our result in words; ``{counts}`` stands for the counts of the rule.
    whole : float
        For `far_above` the number of which a share is taken, in the unit of the cells; for `far_slower` the multiple.
    printed : str
        What the paper prints, if the frames say it and not the row.
    """

    cells: object
    said: str = "{counts}"
    whole: float = np.nan
    printed: str = ""


def mostly(found, *, most, level):
    return *ordering(found.cells, most=most, level=level), over(found.cells)


def in_all_parts(found, *, most, level):
    verdicts = {name: ordering(cells, most=most, level=level)[0] for name, cells in found.cells.items()}
    said = ", ".join(f"{name} {verdict}" for name, verdict in verdicts.items())
    mean = over({(name, at): cell for name, cells in found.cells.items() for at, cell in cells.items()})
    return next(iter(verdicts.values())) if len(set(verdicts.values())) == 1 else MIXED, said, mean


def far_above(found, *, most, level, far):
    verdict, counts, mean = mostly(found, most=most, level=level)
    return MIXED if verdict == HOLDS and mean.mean < far * found.whole else verdict, counts, mean


def far_slower(found, *, times, steep, little):
    (grows,) = found.cells.values()
    slow, told = found.whole > times and grows.mean > steep, f"{found.whole:.1f} times, slope {grows.text()}"
    return HOLDS if slow else FAILS if found.whole < little else MIXED, f"{found.whole:.1f} times", told


def each(found, *, level):
    return *ordering(found.cells, every=True, level=level), over(found.cells)


def near(found, *, margin, off=0.0):
    return *equivalence(found.cells, margin, off=off), over(found.cells)


def small(found, *, gap):
    fine = np.asarray(found.cells) <= gap
    return (
        within((~fine).mean(), 0.0, 0.5),
        f"{fine.sum()} of {len(fine)} at most {gap:g}",
        share(fine.sum(), len(fine)),
    )


def often(found, *, most):
    n, k = len(found.cells), int(np.sum(found.cells))
    verdict = HOLDS if k > most * n else MIXED if k else FAILS
    return verdict, f"in {k} of {n} cells", share(k, n)


def always(found, *, same=0.0):
    fine = np.asarray(found.cells) <= same
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
    basis: str = field(default=OWN)

    def find(self, measured, **limits):
        """Return the finding on what was measured."""
        if isinstance(measured, Finding):
            return measured
        verdict, counts, effect = self.rule(measured, **limits)
        told = effect if isinstance(effect, str) else effect.text(self.decimals, self.unit)
        ours, why = measured.said.replace("{counts}", counts), self.why.format(**limits)
        return Finding(verdict, ours, measured.printed or self.printed, why, f"{self.word} {told}".strip())


def add(*rows):
    """Register the claims of a table."""
    for row in rows:
        register(Claim(row.claim_id, row.needs, row.find, row.basis, row.limits, row.measure))
