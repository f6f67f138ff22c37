"""What the function of a claim returns, and the register of all claims.

A verdict says two things. The *direction*: does the statement hold in our data? The *number*: does the figure that the
statement prints agree with ours? Each is one of `VERDICTS`. A statement that is nothing but a figure has
`NO_DIRECTION`; one without a figure of its own has `NO_NUMBER`.
"""

import inspect
from dataclasses import dataclass

HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE = "holds", "fails", "mixed", "inconclusive", "not_checkable"
VERDICTS = (HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE)
NO_DIRECTION, NO_NUMBER = "no_direction", "no_number"
NOT_JUDGED = "not_judged"  # the experiment was not run, or its frames lack what the claim compares
OWN, SUBSTITUTE, EXACT = "own data", "substitute", "theorem, definition or count"
BASES = (OWN, SUBSTITUTE, EXACT)  # what a verdict is based on
FACTORS = {"halved": 0.5, "doubled": 2.0}
COUNTS = ("n_runs", "n_pairs", "n_datasets")  # columns that count the runs behind a row of a statistic

CLAIMS = {}


class Lacking(ValueError):
    """The frames lack what a claim compares: runs failed, or not all of them were made. The claim is not judged."""


@dataclass(frozen=True)
class Finding:
    """What a claim function found.

    Attributes
    ----------
    direction : str
        Whether the statement holds: one of `VERDICTS`, or `NO_DIRECTION` if it is nothing but a figure.
    ours : str
        What we measured, with numbers and units.
    published : str
        What the paper prints, in the same form; ``""`` if it prints nothing.
    why : str
        One or two sentences: what was compared, and why this is the verdict.
    effect : str
        The size of the effect, with its interval; ``""`` only if nothing can be checked.
    number : str
        Whether the printed figure agrees with ours: one of `VERDICTS`, or `NO_NUMBER`.
    difference : str
        How far the printed figure is from ours, with the interval or the range that decides.
    compared : frozenset of str
        The comparisons that the direction rests on, by name. A claim whose comparisons are all among those of other
        claims is no evidence of its own (`rankbench.ledger.same_evidence`). Empty: the claim shares none.
    aside : str
        Why the claim is not counted, such as ``true by definition``; ``""`` if it is counted.

    Raises
    ------
    ValueError
        If direction or number is another word, or there is neither.
    """

    direction: str
    ours: str = ""
    published: str = ""
    why: str = ""
    effect: str = ""
    number: str = NO_NUMBER
    difference: str = ""
    compared: frozenset = frozenset()
    aside: str = ""

    def __post_init__(self):
        for name, none in (("direction", NO_DIRECTION), ("number", NO_NUMBER)):
            if getattr(self, name) not in (*VERDICTS, none):
                raise ValueError(f"{name} must be one of {', '.join((*VERDICTS, none))}, got {getattr(self, name)!r}")
        if (self.direction, self.number) == (NO_DIRECTION, NO_NUMBER):
            raise ValueError("a claim must have a direction or a number, got neither")

    @property
    def verdicts(self):
        """The direction and the number, of those that are stated."""
        return tuple(one for one in (self.direction, self.number) if one in VERDICTS)


@dataclass(frozen=True, kw_only=True)
class Verdict(Finding):
    """A finding and its claim. `evidence` names the frames that it is based on; `direction` and `number` may also be
    `NOT_JUDGED`.

    ``basis`` is one of `BASES`. ``thresholds`` names each threshold with its value, and with the other verdict that it
    would lead to if it were halved or doubled.
    """

    claim_id: str
    basis: str
    evidence: str
    thresholds: str = ""

    def __post_init__(self):
        """Skip the checks of `Finding`: a verdict repeats a checked finding, or says that nothing was judged."""


@dataclass(frozen=True)
class Claim:
    """A registered claim: the frames it needs, the function that judges it, and what its verdict is based on.

    The thresholds are the keyword-only arguments of the function. If there is a `measure`, it gets the frames first,
    once, and the function gets what it returns (`rankbench.claims.rows`).
    """

    claim_id: str
    needs: tuple
    find: object
    basis: str = OWN
    thresholds: dict | None = None
    measure: object = None

    def __post_init__(self):
        if self.basis not in BASES:
            raise ValueError(f"basis must be one of {', '.join(BASES)}, got {self.basis!r}")
        if self.thresholds is None:
            arguments = inspect.signature(self.find).parameters.values() if self.find else ()
            named = {one.name: one.default for one in arguments if one.kind is one.KEYWORD_ONLY}
            object.__setattr__(self, "thresholds", named)

    @property
    def evidence(self):
        """The names of the frames, with commas between them."""
        return ", ".join(self.needs)

    def judge(self, *frames):
        """Return the `Verdict` on the given frames; rows of statistics that count no run are left out.

        Raises
        ------
        Lacking
            If a frame is empty, or lacks what the claim compares.
        ValueError
            If a claim without frames has another verdict than `NOT_CHECKABLE` and is no count of what is printed, or a
            direction has no effect, or a number no difference.
        """
        frames = [_with_runs(frame) for frame in frames]
        for need, frame in zip(self.needs, frames, strict=True):
            if frame.empty:
                raise Lacking(f"{need} has no rows with runs")
        measured = (self.measure(*frames),) if self.measure else frames
        finding = self.find(*measured, **self.thresholds)
        if not self.needs and self.basis != EXACT and set(finding.verdicts) != {NOT_CHECKABLE}:
            raise ValueError(f"{self.claim_id}: a claim without frames must be {NOT_CHECKABLE}, got {finding.verdicts}")
        for name, size in (("direction", "effect"), ("number", "difference")):
            verdict = getattr(finding, name)
            if verdict in VERDICTS and verdict != NOT_CHECKABLE and not getattr(finding, size):
                raise ValueError(f"{self.claim_id}: {size} must state its size, got an empty string")
        return Verdict(
            claim_id=self.claim_id,
            basis=self.basis,
            thresholds=self.moved(finding, measured),
            evidence=self.evidence,
            **vars(finding),
        )

    def moved(self, finding, measured):
        """Return for each threshold, in words, whether the verdicts change if it is halved or doubled."""
        parts = []
        for name, value in self.thresholds.items():
            changed = []
            for word, factor in FACTORS.items() if value else ():
                other = self.find(*measured, **{**self.thresholds, name: factor * value})
                if other.direction != finding.direction:
                    changed.append(f"if {word}: {other.direction}")
                if other.number != finding.number:
                    changed.append(f"if {word}: number {other.number}")
            same = "same verdict if halved or doubled" if value else "it cannot be halved"
            parts.append(f"{name.replace('_', ' ')} {value:g} ({', '.join(changed) or same})")
        return "; ".join(parts)


def _with_runs(frame):
    """Return the rows of a statistic that count a run; records are returned unchanged: n_pairs means pairs there."""
    for column in COUNTS:
        if column in frame and "status" not in frame:
            frame = frame[frame[column] > 0]
    return frame


def register(one):
    """Put a `Claim` into the register.

    Raises
    ------
    ValueError
        If another function judges the claim already.
    """
    if one.claim_id in CLAIMS:
        raise ValueError(f"claim {one.claim_id} must be judged by one function, got two")
    CLAIMS[one.claim_id] = one


def claim(claim_id, *needs, basis=OWN):
    """Register a function as the judge of a claim; `basis` is one of `BASES`."""

    def decorate(find):
        register(Claim(claim_id, needs, find, basis))
        return find

    return decorate
