"""A claim on frames that lack rows gets a verdict or is not judged; it never ends in an error."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import test_diez
import test_herbrich
import test_ranksvr_claims
import test_shashua_levin_claims
import test_svmcompare

from rankbench import ledger
from rankbench.claims.verdict import COUNTS, NO_DIRECTION, NO_NUMBER, NOT_JUDGED, VERDICTS, Claim

PAPERS = (test_diez, test_herbrich, test_ranksvr_claims, test_shashua_levin_claims, test_svmcompare)
CASES = {claim_id: cases[0][1] for paper in PAPERS for claim_id, cases in paper.CASES.items()}
NAMES = ("dataset", "condition", "method", "opponent", "metric", "solver", "sampler", "form", "scene", "policy", "part")
NAMES += ("case", "shares", "seed", "draw", "margin", "spacing", "epsilon", "size", "n", "n_pairs", "scaled", "tied")
NAMES += ("changed", "place", "status", "distance")

METRICS = ["zero_one", "rank_inversions", "absolute_error", "mean_absolute_error", "comparison_auc", "fit_seconds"]


class Made:
    """Frames that were made, in place of those of a checkout."""

    def __init__(self, claim, frames):
        self._frames = dict(zip(claim.needs, frames, strict=True))

    def path(self, need):
        return Path(__file__)

    def foreign(self, need):
        return need.startswith("foreign/")

    def __getitem__(self, need):
        return self._frames[need]


def counted(frame):
    """Return the columns of a statistic that count its runs; printed numbers and records have none."""
    return [name for name in COUNTS if name in frame and "status" not in frame]


def judged(claim_id, frames):
    claim = ledger.registered()[claim_id]
    return ledger.judge(claim, Made(claim, frames))


def parts(frame):
    """Return what -> the frame without some of its rows: without one value, with one value alone, thinned, empty."""
    found = {"empty": frame.iloc[:0], "first row": frame.iloc[:1]}
    for name in set(NAMES) & set(frame.columns):
        value = frame[name].iloc[-1]
        found[f"{name} without {value}"] = frame[frame[name] != value]
        found[f"{name} {value} alone"] = frame[frame[name] == value]
    for share in (0.1, 0.6):
        found[f"{share} of the rows"] = frame[np.random.default_rng(0).random(len(frame)) < share]
    if "seed" in frame and "status" in frame:
        found["failed"] = frame.assign(status="failed")
        found["failed, no metric"] = found["failed"].drop(columns=METRICS, errors="ignore")
    return found


@pytest.mark.parametrize("claim_id", CASES)
def test_a_claim_on_partial_frames_never_ends_in_an_error(claim_id):
    frames = list(CASES[claim_id])
    for index, need in enumerate(ledger.registered()[claim_id].needs):
        if need.startswith("published/"):
            continue
        for what, part in parts(frames[index]).items():
            found = judged(claim_id, [*frames[:index], part, *frames[index + 1 :]])
            assert found.direction in (*VERDICTS, NO_DIRECTION, NOT_JUDGED), (need, what)
            assert found.number in (*VERDICTS, NO_NUMBER, NOT_JUDGED), (need, what)
            told = f"{found.ours} {found.effect} {found.difference}"
            assert found.why and not re.search(r"\bnan\b", told), (need, what, found)
        empty = judged(claim_id, [*frames[:index], frames[index].iloc[:0], *frames[index + 1 :]])
        assert empty.direction == NOT_JUDGED and f"{need} has no rows" in empty.why


@pytest.mark.parametrize("claim_id", sorted(set(CASES) & {"S03", "S07", "S17", "H01", "L08", "R02", "R15"}))
def test_without_a_method_that_it_compares_a_claim_is_not_judged(claim_id):
    records, *others = CASES[claim_id]
    method = {"S": "rank", "H": "multiclass", "L": "multiclass_svm", "R": "sample_mst"}[claim_id[0]]
    found = judged(claim_id, [records[records["method"] != method], *others])
    assert found.direction == NOT_JUDGED and method in found.why


def test_a_file_without_a_table_is_lacking(tmp_path):
    """What pandas writes of a frame without columns it does not read again."""
    claim = Claim("X01", ("some/frame",), len)
    frames = ledger.Frames(tmp_path)
    frames.path("some/frame").parent.mkdir(parents=True)
    frames.path("some/frame").write_text("\n")
    assert ledger.judge(claim, frames).direction == NOT_JUDGED


def test_a_fault_of_a_claim_is_told_as_one():
    claim = Claim("X01", ("some/records",), lambda records: records["no such column"])
    with pytest.raises(RuntimeError, match="claim X01 cannot be judged: KeyError"):
        ledger.judge(claim, Made(claim, [pd.DataFrame({"a": [1]})]))
    claim = Claim("X01", ("foreign/records",), claim.find)
    found = ledger.judge(claim, Made(claim, [pd.DataFrame({"a": [1]})]))
    assert (
        found.direction == NOT_JUDGED
        and "not in the form that a run writes: test_partial_frames.py (KeyError: " in found.why
    )


@pytest.mark.parametrize("claim_id", [c for c, frames in CASES.items() if any(map(counted, frames))])
def test_statistics_of_no_run_are_not_judged(claim_id):
    frames = [frame.assign(**dict.fromkeys(counted(frame), 0)) for frame in CASES[claim_id]]
    found = judged(claim_id, frames)
    assert found.direction == NOT_JUDGED and "has no rows with runs" in found.why
