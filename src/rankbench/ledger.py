"""The ledger of claims: each printed claim with the verdict by our results (``claims.csv``, ``claims.md``)."""

import importlib
from dataclasses import asdict

import pandas as pd

from .claims.verdict import BASES, CLAIMS, NOT_JUDGED, Claim, Lacking, Verdict
from .experiments.files import Damaged, is_sealed
from .experiments.frames import read_frame, read_statistic
from .home import PUBLISHED
from .papers import PAPERS

COLUMNS = [
    "claim_id",
    "paper",
    "claim",
    "kind",
    "where",
    "basis",
    "verdict",
    "effect",
    "thresholds",
    "ours",
    "published",
]
COLUMNS += ["published_numbers_agree", "evidence", "why"]


def registered():
    """Return claim id -> `Claim` of all papers."""
    for paper in PAPERS:
        importlib.import_module(f"rankbench.claims.{paper.name}")
    return CLAIMS


class Frames:
    """The frames by which claims are judged; each is read once from a folder of results, when it is first needed."""

    def __init__(self, results):
        self._results, self._read = results, {}

    def path(self, need):
        """Return the file of a need such as ``diez_table1/overall`` (see `rankbench.claims`)."""
        owner, frame = need.split("/")
        if owner == "published":
            return PUBLISHED / f"{frame}.csv"
        folder = self._results / owner
        if frame == "records":
            return folder / "records.parquet"
        packed = folder / f"statistics/{frame}.csv.gz"  # large ones of a run that is kept, `rankbench.artefact`
        return packed if packed.exists() else folder / f"statistics/{frame}.csv"

    def __getitem__(self, need):
        if need not in self._read:
            path = self.path(need)
            if need.startswith("published/") or path.suffix == ".gz":
                self._read[need] = pd.read_csv(path)
            else:
                self._read[need] = read_frame(path)[0] if path.suffix == ".parquet" else read_statistic(path)
        return self._read[need]

    def foreign(self, need):
        """Return whether nothing says that a run of this project wrote the frame."""
        path = self.path(need)
        if need.startswith("published/"):
            return False
        return not read_frame(path)[1].get("protocol") if path.suffix == ".parquet" else not is_sealed(path)


def judge(claim, frames):
    """Judge one claim by what is there.

    Parameters
    ----------
    claim : rankbench.claims.verdict.Claim
    frames : Frames

    Returns
    -------
    Verdict
        ``not_judged`` if a frame was not made, or lacks what the claim compares; `why` says what to do.

    Raises
    ------
    RuntimeError
        For any other error of a claim on frames that a run wrote, which is a bug in the function of the claim; the
        message names the claim.
    """
    missing = [need for need in claim.needs if not frames.path(need).exists()]
    if claim.find is None:
        why = "no function judges this claim yet"
    elif missing:
        experiments = " ".join(dict.fromkeys(need.split("/")[0] for need in missing))
        why = f"not run: make reproduce EXPERIMENTS='{experiments}'"
    else:
        try:
            return claim.judge(*(frames[need] for need in claim.needs))
        except (Damaged, FileNotFoundError) as error:
            why = str(error)
        except (Lacking, pd.errors.EmptyDataError) as error:
            why = f"the frames lack what the claim compares: {error}"
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            if not (foreign := [frames.path(need) for need in claim.needs if frames.foreign(need)]):
                raise RuntimeError(f"claim {claim.claim_id} cannot be judged: {told}") from error
            why = f"not in the form that a run writes: {', '.join(path.name for path in foreign)} ({told})"
    return Verdict(claim.claim_id, NOT_JUDGED, claim.basis, "", "", "", "", claim.evidence, why)


def judge_all(results):
    """Judge every printed claim by a folder of results.

    Parameters
    ----------
    results : Path
        ``results/`` of a checkout, or the frames kept from it (`rankbench.artefact`).

    Returns
    -------
    DataFrame
        With `COLUMNS` and one row per claim, in the order of ``resources/published/claims.csv``. A claim without a
        function is not judged.
    """
    printed, claims, frames = pd.read_csv(PUBLISHED / "claims.csv"), registered(), Frames(results)
    asked = [claims.get(name, Claim(name, (), None)) for name in printed["claim_id"]]
    verdicts = pd.DataFrame([asdict(judge(claim, frames)) for claim in asked])
    return printed.merge(verdicts, on="claim_id")[COLUMNS].fillna("")


def scoreboard(ledger):
    """Return how many claims have each verdict: one row per paper, one for all papers, one per basis of a verdict."""
    counts = pd.crosstab(ledger["paper"], ledger["verdict"]).reindex([paper.name for paper in PAPERS], fill_value=0)
    counts.loc["all"] = counts.sum()
    by_basis = pd.crosstab(ledger["basis"], ledger["verdict"]).reindex(BASES, fill_value=0)
    return pd.concat([counts, by_basis]).rename_axis("paper")


def to_markdown(ledger):
    """Return the ledger as Markdown: first the scoreboard, then one table per paper."""
    parts = ["# Claims\n", scoreboard(ledger).to_markdown(), "\n"]
    for paper, rows in ledger.groupby("paper", sort=False):
        shown = rows[
            ["claim_id", "claim", "basis", "verdict", "effect", "ours", "published", "thresholds", "why"]
        ].replace(r"\|", r"\\|", regex=True)
        parts += [f"\n## {paper}\n", shown.to_markdown(index=False, disable_numparse=True), "\n"]
    return "\n".join(parts)
