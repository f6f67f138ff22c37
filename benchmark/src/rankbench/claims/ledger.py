"""The ledger of claims: each printed claim with the verdict by our results (``claims.csv``)."""

import importlib
from dataclasses import asdict, replace

import pandas as pd

from rankbench.records.files import Damaged
from rankbench.records.frames import read_frame, read_statistic
from rankbench.registry import CLAIM_MODULES, PAPERS, PUBLISHED, STATED

from .verdict import BASES, CLAIMS, NOT_JUDGED, VERDICTS, Lacking, Verdict

COLUMNS = [
    "claim_id",
    "paper",
    "quote",
    "claim",
    "kind",
    "where",
    "basis",
    "direction",
    "effect",
    "number",
    "difference",
    "aside",
    "same_evidence",
]
COLUMNS += ["thresholds", "ours", "published", "published_numbers_agree", "evidence", "why"]


def stated():
    """Return what the papers state: one row per claim, in the order of the rooms."""
    return pd.concat([pd.read_csv(file) for file in STATED], ignore_index=True)


def registered():
    """Return claim id -> `Claim` of all papers."""
    for module in CLAIM_MODULES:
        importlib.import_module(module)
    return CLAIMS


class Frames:
    """The frames by which claims are judged; each is read once from a folder of results, when it is first needed."""

    def __init__(self, results):
        self._results, self._read = results, {}

    def path(self, need):
        """Return the file of a need such as ``{experiment}/overall`` (see `rankbench.claims`)."""
        owner, frame = need.split("/")
        if owner == "published":
            return PUBLISHED[f"{frame}.csv"]
        folder = self._results / owner
        if frame == "records":
            return folder / "records.parquet"
        packed = folder / f"statistics/{frame}.csv.gz"  # large ones of a run that is kept, `rankbench.report.artefact`
        return packed if packed.exists() else folder / f"statistics/{frame}.csv"

    def __getitem__(self, need):
        if need not in self._read:
            path = self.path(need)
            if path.suffix == ".parquet":
                self._read[need] = read_frame(path)[0]
            else:
                self._read[need] = read_statistic(path, compression="gzip" if path.suffix == ".gz" else None)
        return self._read[need]


def judge(claim, frames, kept=None):
    """Judge one claim by what is there; where its reruns have not run here, by the kept ones, which `why` says then.

    Parameters
    ----------
    claim : rankbench.claims.verdict.Claim
    frames : Frames
    kept : Frames, optional

    Returns
    -------
    Verdict
        ``not_judged`` if a frame was not made, or lacks what the claim compares; `why` says what to do.

    Raises
    ------
    RuntimeError
        For any other error of a claim, which is a bug in what the claim measures; the message names the claim.
    """
    borrowed = [need for need in claim.reruns if kept and not frames.path(need).exists() and kept.path(need).exists()]
    source = {need: kept if need in borrowed else frames for need in claim.needs}
    missing = [need for need, of in source.items() if not of.path(need).exists()]
    if missing:
        experiments = " ".join(dict.fromkeys(need.split("/")[0] for need in missing))
        why = f"not run: make reproduce EXPERIMENTS='{experiments}'"
    else:
        try:
            verdict = claim.judge(*(of[need] for need, of in source.items()))
            owners = ", ".join(need.split("/")[0] for need in borrowed)
            return replace(verdict, why=verdict.why + (f" Reruns: kept ones ({owners})." if owners else ""))
        except (Damaged, FileNotFoundError) as error:
            why = str(error)
        except (Lacking, pd.errors.EmptyDataError) as error:
            why = f"the frames lack what the claim compares: {error}"
        except Exception as error:
            raise RuntimeError(f"claim {claim.claim_id} cannot be judged: {type(error).__name__}: {error}") from error
    what = {"claim_id": claim.claim_id, "basis": claim.basis, "evidence": ", ".join(claim.needs), "why": why}
    return Verdict(direction=NOT_JUDGED, number=NOT_JUDGED, **what)


def judge_all(results, kept=None):
    """Judge every printed claim by a folder of results.

    Parameters
    ----------
    results : Path
        ``results/`` of a checkout, or the frames kept from it (`rankbench.report.artefact`).
    kept : Path, optional
        Kept frames, for reruns that are not in `results`.

    Returns
    -------
    DataFrame
        With `COLUMNS` and one row per claim, in the order of `stated`.
    """
    printed, claims, frames = stated(), registered(), Frames(results)
    others = kept and Frames(kept)
    verdicts = [judge(claims[name], frames, others) for name in printed["claim_id"]]
    judged = pd.DataFrame([asdict(verdict) for verdict in verdicts]).drop(columns="compared")
    summaries = set(printed.loc[printed["where"].str.startswith("Abstract"), "claim_id"])
    again = same_evidence(verdicts, summaries)
    judged["same_evidence"] = [again.get(name, "") for name in judged["claim_id"]]
    return printed.merge(judged, on="claim_id")[COLUMNS].fillna("")


def same_evidence(verdicts, summaries=()):
    """Return which claims have no evidence of their own: all that they compare is compared by other claims as well.

    Claims are tried one after the other: summaries first, then those with the most comparisons, and of equals the last.
    So a summary is left out, and its parts stay. A claim that has been left out, or that is not counted (`aside`), is
    not one of the others.

    Parameters
    ----------
    verdicts : list of Verdict
    summaries : set of str
        Ids of the claims of abstracts.

    Returns
    -------
    dict of str to str
        Claim id -> ids of the claims that have its evidence, with commas between them.
    """
    comparing = [one for one in verdicts if one.compared]
    left = {one.claim_id: one for one in comparing}
    ranked = sorted(
        enumerate(comparing), key=lambda at: (at[1].claim_id not in summaries, -len(at[1].compared), -at[0])
    )
    for _, one in ranked:
        if one.compared <= frozenset().union(*(other.compared for other in _sharing(one, left))):
            del left[one.claim_id]
    again = [one for one in comparing if one.claim_id not in left]
    return {one.claim_id: ", ".join(other.claim_id for other in _sharing(one, left)) for one in again}


def _sharing(one, verdicts):
    """Return the counted verdicts, other than `one`, that share a frame and a comparison with it."""
    needs = set(one.evidence.split(", "))
    others = [other for other in verdicts.values() if other.claim_id != one.claim_id and not other.aside]
    return [other for other in others if other.compared & one.compared and needs & set(other.evidence.split(", "))]


def counts(ledger):
    """Return how many claims have each verdict, for each kind of evidence.

    Claims that are set aside are left out; those that state only a number have no direction, and most
    claims have no number.

    Returns
    -------
    dict of str to DataFrame
        Basis -> one row per paper, one for all papers, and ``each evidence once``, which leaves out the claims that
        have the evidence of others; the columns are pairs of ``direction`` or ``number`` and a verdict.
    """
    tables = {}
    words = (*VERDICTS, NOT_JUDGED)
    for basis in BASES:
        part = ledger[(ledger["basis"] == basis) & (ledger["aside"] == "")]
        rows = {paper.name: part[part["paper"] == paper.name] for paper in PAPERS}
        rows |= {"all": part, "each evidence once": part[part["same_evidence"] == ""]}
        columns = pd.MultiIndex.from_product([("direction", "number"), words])
        table = [[int((one[kind] == word).sum()) for kind, word in columns] for one in rows.values()]
        tables[basis] = pd.DataFrame(table, list(rows), columns)
    return tables
