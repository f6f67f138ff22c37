"""Claims on the kept frames: with all of their rows the kept verdict; without some or with a fault never an error."""

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from checkout import ROOT

from rankbench.claims import ledger
from rankbench.claims.ledger import registered
from rankbench.claims.verdict import (
    COUNTS,
    NO_DIRECTION,
    NO_NUMBER,
    NOT_JUDGED,
    VERDICTS,
    Claim,
)
from rankbench.experiments.protocol import files_of, load_asked
from rankbench.report import artefact
from rankbench.report.artefact import KEPT, draw_faults

KEPT_FRAMES = ledger.Frames(ROOT / KEPT / "frames")
CLAIMS = {name: claim for name, claim in registered().items() if claim.needs}


class Changed:
    """The kept frames, some of them changed."""

    def __init__(self, **frames):
        self._frames = {need.replace("__", "/"): frame for need, frame in frames.items()}

    def path(self, need):
        return Path(__file__) if need in self._frames else KEPT_FRAMES.path(need)

    def foreign(self, need):
        return need.startswith("foreign/")

    def __getitem__(self, need):
        return self._frames[need] if need in self._frames else KEPT_FRAMES[need]


def judged(claim, need, frame):
    return ledger.judge(claim, Changed(**{need.replace("/", "__"): frame}))


def fewer_rows(frame):
    """Return the first row, at most 300 others, and for records the frame of runs that all failed."""
    yield frame.iloc[:1]
    yield frame.iloc[:: max(3, len(frame) // 300)]
    if "seed" in frame and "status" in frame:
        yield frame.assign(status="failed")


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_with_fewer_rows_a_claim_is_judged_or_says_what_it_lacks(claim_id):
    claim = CLAIMS[claim_id]
    for need in [need for need in claim.needs if not need.startswith("published/")]:
        for frame in fewer_rows(KEPT_FRAMES[need]):
            verdict = judged(claim, need, frame)
            assert verdict.direction in (*VERDICTS, NO_DIRECTION, NOT_JUDGED), need
            assert verdict.number in (*VERDICTS, NO_NUMBER, NOT_JUDGED), need
        verdict = judged(claim, need, KEPT_FRAMES[need].iloc[:0])
        assert verdict.direction == NOT_JUDGED and f"{need} has no rows" in verdict.why
        counts = [name for name in COUNTS if name in KEPT_FRAMES[need] and "status" not in KEPT_FRAMES[need]]
        if counts:
            verdict = judged(claim, need, KEPT_FRAMES[need].assign(**dict.fromkeys(counts, 0)))
            assert verdict.direction == NOT_JUDGED and f"{need} has no rows with runs" in verdict.why


def test_without_a_method_that_it_compares_a_claim_is_not_judged():
    for claim_id, method in (("S03", "rank"), ("H01", "multiclass"), ("L08", "multiclass_svm"), ("R02", "sample_mst")):
        need = CLAIMS[claim_id].needs[0]
        records = KEPT_FRAMES[need]
        assert method in set(records["method"])
        verdict = judged(CLAIMS[claim_id], need, records[records["method"] != method])
        assert verdict.direction == NOT_JUDGED and method in verdict.why


def test_a_file_without_a_table_is_lacking(tmp_path):
    """What pandas writes of a frame without columns it does not read again."""
    claim = Claim("X01", ("some/frame",), len)
    frames = ledger.Frames(tmp_path)
    frames.path("some/frame").parent.mkdir(parents=True)
    frames.path("some/frame").write_text("\n")
    assert ledger.judge(claim, frames).direction == NOT_JUDGED


def test_a_fault_of_a_claim_is_told_as_one():
    frame = pd.DataFrame({"a": [1]})
    claim = Claim("X01", ("some/records",), lambda records: records["no such column"])
    with pytest.raises(RuntimeError, match="claim X01 cannot be judged: KeyError"):
        judged(claim, "some/records", frame)


def test_without_a_loss_there_is_nothing_to_test():
    cells = KEPT_FRAMES["diez_table1/per_dataset"]
    assert CLAIMS["D06"].judge(cells.assign(mean_difference=1.0, t=8.0)).aside == "nothing to test: no losses"
    lost = CLAIMS["D06"].judge(cells.assign(mean_difference=-1.0, t=-8.0, t_p=0.001))
    assert (lost.aside, lost.direction) == ("", "fails")


def maps(*shares, size=25):
    """Frame of H05: for each reading of the noise, the share of the square on which the ordinal rank is right."""
    methods = ("ordinal", "multiclass", "svr", "svr_exp")
    rows = [
        (f"reading {k}", size, seed, name, at) for k, at in enumerate(shares) for seed in range(4) for name in methods
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "size", "seed", "method", "right"])
    return frame.assign(right_near=frame["right"], right_far=frame["right"], inversions=0.0)


def sweep(*ratios):
    """Frame of R13: for each function, the worst over the best error on the draws with an even and an odd seed."""
    rows = [
        (f"function {k}", seed, cost, 1.0, at[seed % 2] if cost == 10.0 else 1.0)
        for k, at in enumerate(ratios)
        for seed in range(8)
        for cost in (0.1, 10.0)
    ]
    return pd.DataFrame(rows, columns=["dataset", "seed", "C", "C_rank", "error"])


def recovered(*gaps, sets=10):
    """Frame of S16: how much nearer to the truth rank2 and compare are than rank, on average and with some spread."""
    rows = [
        (name, seed, 0.8 + gap + 0.01 * (seed % 2) * (name != "rank"))
        for name, gap in zip(("rank", "rank2", "compare"), (0.0, *gaps))
        for seed in range(sets)
    ]
    return pd.DataFrame(rows, columns=["method", "seed", "correlation"])


@pytest.mark.parametrize(
    ("claim_id", "frame", "direction"),
    [
        ("H05", maps(0.95, 0.95), "holds"),
        ("H05", maps(0.85, 0.85), "fails"),
        ("H05", maps(0.95, 0.75), "mixed"),
        ("R13", sweep((1.5, 1.05), (1.5, 1.05)), "holds"),
        ("R13", sweep((1.05, 1.5), (1.05, 1.5)), "fails"),
        ("R13", sweep((1.05, 1.05), (1.15, 1.15)), "mixed"),
        ("S16", recovered(0.03, 0.03), "holds"),
        ("S16", recovered(-0.03, -0.03), "fails"),
        ("S16", recovered(0.03, -0.003), "mixed"),
        ("S16", recovered(-0.005, -0.005), "fails"),  # clearly no difference of 0.02
        ("S16", recovered(0.03, -0.003, sets=2), "inconclusive"),  # two sets could not tell
    ],
)
def test_a_claim_on_both_sides_of_each_threshold(claim_id, frame, direction):
    others = [KEPT_FRAMES[need] for need in CLAIMS[claim_id].needs[1:]]
    assert CLAIMS[claim_id].judge(frame, *others).direction == direction


def test_every_experiment_of_the_figures_has_the_rule_of_the_authors_program_and_says_so():
    names = [name for name in files_of(ROOT) if re.fullmatch(r"svmcompare_fig[345](_fresh)?", name)]
    experiments = load_asked(names, ROOT)[0].values()
    assert len(names) == 5
    for experiment in experiments:
        compare = experiment.methods["compare"]
        assert compare.uses.endswith("CompareAsProgrammed") and compare.params["rule"] == "program"
        assert any("beta >= 0" in one["paper"] for one in experiment.deviations)


def test_records_have_the_draws_of_the_experiment_that_a_claim_names(monkeypatch):
    assert [*draw_faults(ROOT)] == []
    fewer = {name: replace(one, seeds=7) for name, one in load_asked(("svmcompare_fig3",), ROOT)[0].items()}
    monkeypatch.setattr(artefact, "load_asked", lambda names, root: (fewer, {}))
    assert [*draw_faults(ROOT)] == ["S16: svmcompare_fig3/recovery has 40 draws, and the experiment 7 draws"]
