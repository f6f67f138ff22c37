"""What a claim function returns, and the register it stands in."""

from dataclasses import dataclass

HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE = "holds", "fails", "mixed", "inconclusive", "not_checkable"
VERDICTS = (HOLDS, FAILS, MIXED, INCONCLUSIVE, NOT_CHECKABLE)
NOT_JUDGED = "not_judged"  # of a claim whose experiment was not run
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

    Raises
    ------
    ValueError
        If the verdict is none of the five.
    """

    verdict: str
    ours: str = ""
    published: str = ""
    why: str = ""

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            raise ValueError(f"verdict must be one of {', '.join(VERDICTS)}, got {self.verdict!r}")


@dataclass(frozen=True)
class Verdict:
    """A finding with the claim it is about; `evidence` names the frames it stands on. `verdict` may be `NOT_JUDGED`."""

    claim_id: str
    verdict: str
    ours: str
    published: str
    evidence: str
    why: str


@dataclass(frozen=True)
class Claim:
    """A registered claim function and the frames it is called with."""

    claim_id: str
    needs: tuple
    find: object

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
        finding = self.find(*frames)
        if not self.needs and finding.verdict != NOT_CHECKABLE:
            raise ValueError(f"{self.claim_id}: without frames a claim is {NOT_CHECKABLE}, got {finding.verdict}")
        return Verdict(self.claim_id, finding.verdict, finding.ours, finding.published, self.evidence, finding.why)


def _with_runs(frame):
    """Return the rows of a statistic that count a run; records, where n_pairs is another number, as they are."""
    for column in COUNTS:
        if column in frame and "status" not in frame:
            frame = frame[frame[column] > 0]
    return frame


def claim(claim_id, *needs):
    """Register a function as the judge of a claim.

    Raises
    ------
    ValueError
        If the claim has a judge already.
    """

    def register(find):
        if claim_id in CLAIMS:
            raise ValueError(f"claim {claim_id} has two functions: {CLAIMS[claim_id].find.__name__}, {find.__name__}")
        CLAIMS[claim_id] = Claim(claim_id, needs, find)
        return find

    return register
