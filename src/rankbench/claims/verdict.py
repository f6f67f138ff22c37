"""What a claim function returns, and the register it stands in."""

import inspect
from dataclasses import dataclass

HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE = "holds", "fails", "mixed", "inconclusive", "not_checkable"
VERDICTS = (HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE)
NOT_JUDGED = "not_judged"  # of a claim whose experiment was not run
OWN, SUBSTITUTE, EXACT = "own data", "substitute", "theorem, definition or count"
BASES = (OWN, SUBSTITUTE, EXACT)  # what a verdict stands on
FACTORS = {"halved": 0.5, "doubled": 2.0}
COUNTS = ("n_runs", "n_pairs", "n_datasets")  # of runs behind a row of a statistic

CLAIMS = {}


class Lacking(ValueError):
    """The frames lack what a claim compares: runs failed, or not all were made. The claim is then not judged."""


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
        What is printed, in the same form; ``""`` where nothing is.
    why : str
        One or two sentences: what was compared, and what makes it this verdict.
    effect : str
        How large what was found is, with its interval; ``""`` only where nothing can be checked.

    Raises
    ------
    ValueError
        If the verdict is none of the five.
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
    """A finding with the claim it is about; `evidence` names the frames it stands on. `verdict` may be `NOT_JUDGED`.

    ``basis`` is one of `BASES`; ``thresholds`` names each with its value, and the verdict that it changes to where it
    is halved or doubled.
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
    """A registered claim: the frames it needs, the function that judges it, and what its verdict stands on.

    Its thresholds are the keyword-only arguments of the function. With `measure`, frames go through that first, once,
    and the function is called with what it returns (`rankbench.claims.rows`). ``again`` names the claim whose evidence
    this is once more, so that it is not counted twice.
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
        """The frames in words."""
        return ", ".join(self.needs)

    def judge(self, *frames):
        """Return the `Verdict` on the given frames; rows of statistics that count no run tell nothing and are left out.

        Raises
        ------
        Lacking
            If a frame is empty, or lacks what the claim compares.
        ValueError
            If a claim without frames is said to be anything but not checkable.
        """
        frames = [_with_runs(frame) for frame in frames]
        for need, frame in zip(self.needs, frames, strict=True):
            if frame.empty:
                raise Lacking(f"{need} has no rows with runs")
        given = (self.measure(*frames),) if self.measure else frames
        finding = self.find(*given, **self.thresholds)
        if not self.needs and finding.verdict != NOT_CHECKABLE:
            raise ValueError(f"{self.claim_id}: without frames a claim is {NOT_CHECKABLE}, got {finding.verdict}")
        if not finding.effect and finding.verdict != NOT_CHECKABLE:
            raise ValueError(f"{self.claim_id}: a verdict tells how large what it found is, got no effect")
        told = finding.effect, self.moved(finding.verdict, given)
        said = finding.ours, finding.published, self.evidence, finding.why
        return Verdict(self.claim_id, finding.verdict, self.basis, *told, *said)

    def moved(self, verdict, given):
        """Say for each threshold whether the verdict changes where it is halved or doubled."""
        parts = []
        for name, value in self.thresholds.items():
            changed = {word: {**self.thresholds, name: factor * value} for word, factor in FACTORS.items()}
            others = {word: self.find(*given, **limits).verdict for word, limits in changed.items()}
            changed = [f"{word}: {other}" for word, other in others.items() if other != verdict]
            parts.append(f"{name.replace('_', ' ')} {value:g} ({', '.join(changed) or 'halved or doubled: the same'})")
        return "; ".join(parts)


def _with_runs(frame):
    """Return the rows of a statistic that count a run; records, where n_pairs is another number, as they are."""
    for column in COUNTS:
        if column in frame and "status" not in frame:
            frame = frame[frame[column] > 0]
    return frame


def register(one):
    """Put a `Claim` into the register.

    Raises
    ------
    ValueError
        If the claim has a judge already.
    """
    if one.claim_id in CLAIMS:
        raise ValueError(f"claim {one.claim_id} has two judges")
    CLAIMS[one.claim_id] = one


def claim(claim_id, *needs, basis=OWN, again=""):
    """Register a function as the judge of a claim; `basis` is one of `BASES`, `again` as in `Claim`."""

    def decorate(find):
        register(Claim(claim_id, needs, find, basis, again=again))
        return find

    return decorate
