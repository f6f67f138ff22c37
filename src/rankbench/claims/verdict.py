"""What the function of a claim returns, and the register of all claims."""

import inspect
from dataclasses import dataclass

HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE = "holds", "fails", "mixed", "inconclusive", "not_checkable"
VERDICTS = (HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE)
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
    verdict : str
        One of `VERDICTS`.
    ours : str
        What we measured, with numbers and units.
    published : str
        What the paper prints, in the same form; ``""`` if it prints nothing.
    why : str
        One or two sentences: what was compared, and why this is the verdict.
    effect : str
        The size of the effect, with its interval; ``""`` only if nothing can be checked.

    Raises
    ------
    ValueError
        If the verdict is not one of `VERDICTS`.
    """

    verdict: str
    ours: str = ""
    published: str = ""
    why: str = ""
    effect: str = ""

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict must be one of {', '.join(VERDICTS)}, got {self.verdict!r}")


@dataclass(frozen=True)
class Verdict:
    """A finding and its claim. `evidence` names the frames that it is based on; `verdict` may also be `NOT_JUDGED`.

    ``basis`` is one of `BASES`. ``thresholds`` names each threshold with its value, and with the other verdict that it
    would lead to if it were halved or doubled.
    """

    claim_id: str
    verdict: str
    basis: str
    effect: str
    thresholds: str
    ours: str
    published: str
    evidence: str
    why: str


@dataclass(frozen=True)
class Claim:
    """A registered claim: the frames it needs, the function that judges it, and what its verdict is based on.

    The thresholds are the keyword-only arguments of the function. If there is a `measure`, it gets the frames first,
    once, and the function gets what it returns (`rankbench.claims.rows`). If the claim has the same evidence as another
    claim, ``again`` names that one, so that the evidence is not counted twice.
    """

    claim_id: str
    needs: tuple
    find: object
    basis: str = OWN
    thresholds: dict | None = None
    measure: object = None
    again: str = ""

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
            If a claim without frames has another verdict than `NOT_CHECKABLE`, or a verdict has no effect.
        """
        frames = [_with_runs(frame) for frame in frames]
        for need, frame in zip(self.needs, frames, strict=True):
            if frame.empty:
                raise Lacking(f"{need} has no rows with runs")
        given = (self.measure(*frames),) if self.measure else frames
        finding = self.find(*given, **self.thresholds)
        if not self.needs and finding.verdict != NOT_CHECKABLE:
            raise ValueError(f"{self.claim_id}: a claim without frames must be {NOT_CHECKABLE}, got {finding.verdict}")
        if not finding.effect and finding.verdict != NOT_CHECKABLE:
            raise ValueError(f"{self.claim_id}: effect must say how large the effect is, got an empty string")
        told = finding.effect, self.moved(finding.verdict, given)
        said = finding.ours, finding.published, self.evidence, finding.why
        return Verdict(self.claim_id, finding.verdict, self.basis, *told, *said)

    def moved(self, verdict, given):
        """Return for each threshold, in words, whether the verdict changes if it is halved or doubled."""
        parts = []
        for name, value in self.thresholds.items():
            changed = {word: {**self.thresholds, name: factor * value} for word, factor in FACTORS.items()}
            others = {word: self.find(*given, **limits).verdict for word, limits in changed.items()}
            changed = [f"if {word}: {other}" for word, other in others.items() if other != verdict]
            same = "same verdict if halved or doubled"
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


def claim(claim_id, *needs, basis=OWN, again=""):
    """Register a function as the judge of a claim; `basis` is one of `BASES`, `again` as in `Claim`."""

    def decorate(find):
        register(Claim(claim_id, needs, find, basis, again=again))
        return find

    return decorate
