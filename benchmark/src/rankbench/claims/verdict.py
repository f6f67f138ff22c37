"""A claim, what was measured for it, and its verdict.

A verdict says two things. The *direction*: does the statement hold in our data? The *number*: does the figure that the
statement prints agree with ours? Each is one of `VERDICTS`. A statement that is nothing but a figure has
`NO_DIRECTION`; one without a figure of its own has `NO_NUMBER`.
"""

import inspect
from dataclasses import dataclass, field

import numpy as np

HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE = "holds", "fails", "mixed", "inconclusive", "not_checkable"
MACHINE = "depends_on_the_machine"
VERDICTS = (HOLDS, MIXED, FAILS, INCONCLUSIVE, MACHINE, NOT_CHECKABLE)
NO_DIRECTION, NO_NUMBER = "no_direction", "no_number"
NOT_JUDGED = "not_judged"  # the experiment was not run, or its frames lack what the claim compares
OWN, SUBSTITUTE, EXACT = "own data", "substitute", "theorem, definition or count"
BASES = (OWN, SUBSTITUTE, EXACT)  # what a verdict is based on
FACTORS = {"halved": 0.5, "doubled": 2.0}
COUNTS = ("n_runs", "n_pairs", "n_datasets")  # columns that count the runs behind a row of a statistic
SECONDS, BY_CONSTRUCTION = "hangs on seconds", "true by construction"

CLAIMS = {}


class Lacking(ValueError):
    """The frames lack what a claim compares: runs failed, or not all of them were made. The claim is not judged."""


@dataclass(frozen=True)
class Measured:
    """What the frames say before a threshold is applied.

    Attributes
    ----------
    cells : mapping of str to Interval, or array of shape (n_cases,)
        An array for `always` and `sometimes`: how far each case is off.
    said : str
        Our result in words; ``{counts}`` stands for the counts of the rule.
    printed : str
        What the paper prints, if the frames say it and not the claim.
    whole : float
        For `far` the number of which a share is taken, in the unit of the cells.
    figure : tuple
        What the rule of the number judges.
    readings : dict of str to Measured
        Readings of a sentence that allows several: each has a verdict, they stand side by side, and no mean is taken
        over them. The direction is `MIXED` if they differ.
    beside : dict of str to Measured
        What is shown and not counted, such as another protocol than that of the paper.
    compared : frozenset of str
        The comparisons that the direction rests on, by name, if the cells do not name them.
        A claim whose comparisons are all among those of other
        claims is no evidence of its own (`rankbench.claims.ledger.same_evidence`). Empty: the claim shares none.
    aside : str
        Why the claim is not counted, if the frames decide that.
    settled : str
        The verdict, if there is nothing that a rule could judge.
    """

    cells: object = ()
    said: str = "{counts}"
    printed: str = ""
    whole: float = np.nan
    figure: tuple = ()
    readings: dict = field(default_factory=dict)
    beside: dict = field(default_factory=dict)
    compared: frozenset = frozenset()
    aside: str = ""
    settled: str = ""

    def sharing(self):
        """Return the names of what is compared, in the cells and in all readings."""
        cells = self.cells.values() if isinstance(self.cells, dict) else ()
        return self.compared.union(
            *(cell.compared for cell in cells), *(one.sharing() for one in self.readings.values())
        )


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is said of a claim.

    Attributes
    ----------
    claim_id, basis, evidence : str
        `evidence` names the frames that it is based on.
    direction, number : str
        One of `VERDICTS`, `NOT_JUDGED`, or `NO_DIRECTION` and `NO_NUMBER`.
    ours, published : str
        What we measured and what the paper prints.
    effect, difference : str
        The size of the effect, and how far the printed figure is from ours, with what decides.
    why : str
        One line: what was compared, and by which threshold.
    compared : frozenset of str
        As in `Measured`.
    aside : str
        Why the claim is not counted, such as ``true by construction``; ``""`` if it is counted.
    thresholds : str
        Each threshold, and the other verdict that it would lead to if it were halved or doubled.
    """

    claim_id: str
    basis: str
    evidence: str
    direction: str
    number: str
    why: str
    ours: str = ""
    published: str = ""
    effect: str = ""
    difference: str = ""
    compared: frozenset = frozenset()
    aside: str = ""
    thresholds: str = ""


@dataclass(frozen=True)
class Claim:
    """One claim: the frames that it needs, what is measured in them, the rule that judges it, and its thresholds.

    Attributes
    ----------
    claim_id : str
        A row of ``published/claims.csv`` of the room, which has the paper's sentence.
    needs : tuple of str
        ``{experiment}/{frame}`` is ``results/{experiment}/statistics/{frame}.csv``; ``{experiment}/records`` are the
        runs; ``published/{name}`` is ``published/{name}.csv`` of a room.
    measure : callable
        Frames -> `Measured`.
    rule, number : callable
        Rules of `rankbench.claims.rules` that judge the direction and the printed figure; None if there is none.
    why : str
        What was compared; ``{margin:g}`` stands for the threshold ``margin``.
    printed : str
        What the paper prints, in the form of ours.
    limits : dict
        Thresholds other than those of the rules.
    word, decimals, unit
        How the effect is written: a word before it, the decimals of an interval, the unit after it.
    aside : str
        Why the claim is not counted.
    reruns : tuple of str
        Those of `needs` that are other draws or protocols of the same experiment: kept ones serve until they run.
    """

    claim_id: str
    needs: tuple
    measure: object
    rule: object = None
    why: str = ""
    printed: str = ""
    limits: dict = field(default_factory=dict)
    number: object = None
    word: str = ""
    decimals: int = 1
    unit: str = ""
    basis: str = OWN
    aside: str = ""
    reruns: tuple = ()

    @property
    def thresholds(self):
        """The thresholds of its rules by name: its own, or else those of the rule."""
        asked = [list(inspect.signature(one).parameters.values())[1:] for one in (self.rule, self.number) if one]
        return {one.name: self.limits.get(one.name, one.default) for named in asked for one in named}

    def judge(self, *frames):
        """Return the `Verdict` on the given frames; rows of statistics that count no run are left out.

        Raises
        ------
        Lacking
            If a frame is empty, or lacks what the claim compares.
        """
        frames = [_with_runs(frame) for frame in frames]
        for need, frame in zip(self.needs, frames, strict=True):
            if frame.empty:
                raise Lacking(f"{need} has no rows with runs")
        found = self.measure(*frames)
        verdict = self.find(found)
        return Verdict(**{**vars(verdict), "thresholds": "" if found.settled else self._moved(verdict, found)})

    def find(self, found, **moved):
        """Return the verdict on what was measured, with some thresholds moved."""
        limits, direction, effect = self.thresholds | moved, NO_DIRECTION, ""
        number, counts, difference = found.settled if self.number and found.settled else NO_NUMBER, "", ""
        if self.rule and found.settled:
            direction = found.settled
        elif self.rule:
            direction, said, effect = self._ordered(found, limits)
            found = Measured(**{**vars(found), "said": said})
        if self.number and not found.settled:
            number, counts, difference = _asked(self.number, found, limits)
            number = NOT_CHECKABLE if self.basis == SUBSTITUTE else number  # a figure about other data
        return Verdict(
            claim_id=self.claim_id,
            basis=self.basis,
            evidence=", ".join(self.needs),
            direction=direction,
            number=number,
            ours=found.said.replace("{counts}", counts),
            published=found.printed or self.printed,
            why=self.why.format(**limits),
            effect=effect,
            difference=difference,
            compared=found.sharing(),
            aside=self.aside or found.aside or (SECONDS if getattr(self.rule, "of_seconds", False) else ""),
        )

    def _ordered(self, found, limits):
        """Return the direction, ours in words and the effect, of all readings."""
        parts, said, effects, verdicts = found.readings or {"": found}, [found.said] * bool(found.readings), [], set()
        for name, part in parts.items():
            verdict, counts, effect = _asked(self.rule, part, limits)
            effect = effect or self.sized(part.cells)
            verdicts.add(verdict)
            told = part.said.replace("{counts}", counts)
            said.append(f"{name} {verdict.replace('_', ' ')}" * bool(name) + ": " * bool(name and told) + told)
            effects.append(f"{name} {effect}".strip())
        for name, part in found.beside.items():
            verdict, counts, _ = _asked(self.rule, part, limits)
            said.append(f"not counted, {name}: {verdict}, {part.said.replace('{counts}', counts)}")
        decided = verdicts - {INCONCLUSIVE}
        same = MACHINE if MACHINE in verdicts else next(iter(decided or verdicts)) if len(decided) < 2 else MIXED
        direction = INCONCLUSIVE if INCONCLUSIVE in verdicts and same not in (MACHINE, MIXED) else same
        return direction, "; ".join(said).replace("{counts}; ", ""), f"{self.word} {'; '.join(effects)}".strip()

    def sized(self, cells):
        """Return the size of intervals in words; the parts of a statement have no mean."""
        from .evidence import size

        if not getattr(self.rule, "of_parts", False):
            return size(cells, self.decimals, self.unit)
        told = [f"{name} {cell.text(self.decimals, self.unit)}" for name, cell in cells.items()]
        return ", ".join(told) if len(told) <= 4 else ""

    def _moved(self, verdict, found):
        """Return for each threshold, in words, whether the verdicts change if it is halved or doubled."""
        parts = []
        for name, value in self.thresholds.items():
            changed = []
            for word, factor in FACTORS.items() if value else ():
                other = self.find(found, **{name: factor * value})
                changed += [f"if {word}: {other.direction}"] * (other.direction != verdict.direction)
                changed += [f"if {word}: number {other.number}"] * (other.number != verdict.number)
            if value:
                parts.append(
                    f"{name.replace('_', ' ')} {value:g} ({', '.join(changed) or 'same if halved or doubled'})"
                )
        return "; ".join(parts)


def _asked(rule, found, limits):
    """Return what a rule says, with those of the thresholds that it has."""
    names = list(inspect.signature(rule).parameters)[1:]
    return rule(found, **{name: limits[name] for name in names})


def _with_runs(frame):
    """Return the rows of a statistic that count a run; records are returned unchanged: n_pairs means pairs there."""
    for column in COUNTS:
        if column in frame and "status" not in frame:
            frame = frame[frame[column] > 0]
    return frame


def add(*claims):
    """Put claims into the register.

    Raises
    ------
    ValueError
        If a claim is registered already.
    """
    for one in claims:
        if one.claim_id in CLAIMS:
            raise ValueError(f"claim {one.claim_id} must be registered once, got two")
        CLAIMS[one.claim_id] = one
