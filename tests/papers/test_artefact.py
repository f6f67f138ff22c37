"""The kept evidence of a full run gives the same verdicts again, and the pages describe it correctly."""

import json
import re
import shutil

import numpy as np
import pandas as pd
import pytest
from checkout import ROOT
from scipy import stats

from rankbench.claims.ledger import judge_all
from rankbench.papers.today.kept import CONTEST
from rankbench.records import files
from rankbench.records.files import note_of, write_note
from rankbench.records.frames import read_frame, write_frame, write_statistic
from rankbench.report import artefact
from rankbench.report.artefact import KEPT, check, check_sources, dated, judge, pack, scoreboard


def with_t(*t, sizes=1.0):
    """Twelve data sets against each opponent, with these t values and mean differences of so many standard errors."""
    values = np.resize(np.asarray(t, dtype=float), 12)
    rows = [(f"set{k}", method, value) for method in ("svor5", "herbrich5") for k, value in enumerate(values)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "t"])
    p = 2 * stats.t.sf(np.abs(frame["t"]), 19)
    frame = frame.assign(
        standard_error=np.resize(sizes, len(frame)), t_p=p, holm_p=p, bh_p=p, corrected_p=p, n_pairs=20
    )
    return frame.assign(mean_difference=frame["t"] * frame["standard_error"])


def overall(wins, losses, p, difference=0.01, opponents=("svor5", "herbrich5")):
    row = {"method": "svm_multi_sp", "n_datasets": 12, "wins": wins, "ties": 12 - wins - losses, "losses": losses}
    row["significant_wins"] = wins
    row |= {
        "p_one_sided": p,
        "mean_difference": difference,
        "t": np.copysign(stats.t.isf(min(p, 1 - p), 11), difference),
    }
    return pd.DataFrame([{**row, "opponent": opponent} for opponent in opponents])


EXPERIMENTS = ["diez_table1", "diez_second_draw", "diez_sensitivity", "diez_disjoint", "herbrich_ohsumed"]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout whose results are Table 1's counts, and records of an experiment that claims read; of one commit."""
    made_by = {"commit": "abc1234", "machine": "Linux, 2 cores", "versions": {"numpy": "2.4.6"}}
    monkeypatch.setattr(files, "made_by", lambda packages: made_by)
    shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "config/config.yaml").write_text(
        f"experiments: [diez_table1]\nall: [{', '.join(EXPERIMENTS)}]\ndata: {{mirrors: []}}\n"
    )
    counted(tmp_path, 12, 0, 0.001)
    draws(tmp_path, 12, 0, 0.001)
    records = pd.DataFrame({"dataset": ["one", "one"], "condition": "c", "method": "svr", "seed": [0, 1]})
    records = records.assign(status=["ok", "failed"], rank_inversions=[0.5, float("nan")], peak_megabytes=9.0)
    records["source_digest"] = "5eed"
    records = records.assign(**{**made_by, "versions": json.dumps(made_by["versions"])})
    file = tmp_path / "results/herbrich_ohsumed/records.parquet"
    file.parent.mkdir()
    write_frame(file, records, commit="abc1234", protocol={"metrics": ["rank_inversions"]})
    noted(file)
    ledger = tmp_path / "results/claims.csv"
    write_statistic(ledger, judge_all(tmp_path / "results", ROOT / "resources/reproduced/frames"))
    noted(ledger)
    return tmp_path


def counted(root, *counts):
    """Write Table 1's counts."""
    written(root, {"overall": overall(*counts), "per_dataset": with_t(8.0)}, "diez_table1/statistics/{}.csv")


def written(root, frames, place="{}"):
    for name, frame in frames.items():
        file = root / "results" / place.format(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_statistic(file, frame)
        noted(file)


def draws(root, *counts):
    """Write two other draws of the same counts, the plain protocol among others, and hold-outs that share no row."""
    again = [overall(*counts).assign(draw=draw) for draw in (1, 2)]
    frames = {"diez_second_draw/statistics/draws.csv": pd.concat(again)}
    frames["diez_sensitivity/statistics/overall.csv"] = overall(*counts).assign(condition="standard_onehot")
    frames["diez_disjoint/statistics/per_dataset.csv"] = with_t(8.0)
    written(root, frames)


def noted(file):
    write_note(note_of(file), [file], task={})


@pytest.fixture
def whole(checkout, monkeypatch):
    """The same, as if nothing were missing in it."""
    monkeypatch.setattr(artefact, "gaps", lambda experiments, sheet, run: {})
    return checkout


def test_the_verdicts_of_a_run_are_kept_as_it_judged_them(whole):
    assert pack(whole, whole) == {}
    ledger = pd.read_csv(whole / KEPT / "claims.csv", dtype=str, keep_default_na=False).set_index("claim_id")
    assert (whole / KEPT / "claims.csv").read_bytes() == (whole / "results/claims.csv").read_bytes()
    assert (ledger["direction"] == "not_judged").sum() > 90 and ledger.loc["D02", "direction"] == "holds"
    board = scoreboard(whole)
    assert board.startswith("From the full run on commit abc1234, 2") and ", 2 runs, 1 without a result:\n" in board
    assert "Of 7 statements that the authors' own data can test, 7 hold, 0" in board
    assert "| Díez, del Coz, Bahamonde | 7 hold" in board
    assert "Not counted: D06 (nothing to test: no losses)" in board
    kept, made = read_frame(whole / KEPT / "frames/herbrich_ohsumed/records.parquet")
    assert list(kept) == ["dataset", "condition", "method", "seed", "status", "rank_inversions"] and len(kept) == 2
    assert made == {"commit": "abc1234"} and check(whole) == []


def test_a_run_without_a_whole_experiment_is_refused(checkout):
    (checkout / KEPT / "tables/diez_riddles").mkdir(parents=True)
    old = checkout / KEPT / "tables/diez_riddles/riddles.md"
    old.write_text("old")
    with pytest.raises(ValueError, match="no experiment is complete and of one commit") as error:
        pack(checkout, checkout)
    lacking = [line.strip().partition(":")[0] for line in str(error.value).splitlines()[1:]]
    assert lacking == EXPERIMENTS and old.exists()


def test_an_experiment_that_is_not_whole_stays_as_it_is_kept(whole, monkeypatch):
    monkeypatch.setattr(artefact, "gaps", lambda experiments, sheet, run: {"herbrich_ohsumed": "3 runs missing"})
    assert pack(whole, whole) == {"herbrich_ohsumed": "3 runs missing"}
    assert not (whole / KEPT / "frames/herbrich_ohsumed").exists()
    assert ":\n\nNot among them: herbrich_ohsumed.\n" in scoreboard(whole)
    monkeypatch.setattr(artefact, "gaps", lambda experiments, sheet, run: {})
    pack(whole, whole)
    monkeypatch.setattr(artefact, "gaps", lambda experiments, sheet, run: {"herbrich_ohsumed": "3 runs missing"})
    kept = whole / KEPT / "frames/herbrich_ohsumed/records.parquet"
    before = kept.read_bytes()
    kept.with_name("old.parquet").write_bytes(b"")
    shutil.rmtree(whole / "results/herbrich_ohsumed")
    monkeypatch.setattr(files, "made_by", lambda packages: {"commit": "def5678", "machine": "", "versions": {}})
    counted(whole, 1, 11, 0.999, -0.01)
    pack(whole, whole)
    assert kept.read_bytes() == before and kept.with_name("old.parquet").exists() and check(whole) == []
    board = scoreboard(whole)
    assert board.startswith("From runs of several commits (def5678 made diez_table1; abc1234 made the other 4 ")
    row = re.search(r"Díez.*? \| (.*?) \|", board)[1]
    assert row.startswith("3 hold, 2 fail, 2 inconclusive"), row  # of the new run; no claim of the old one is judged


@pytest.mark.parametrize("other", ["fff0000", "abc1234-dirty", ""])
def test_an_experiment_of_several_commits_or_of_none_is_not_kept(whole, monkeypatch, other):
    monkeypatch.setattr(files, "made_by", lambda packages: {"commit": other, "machine": "", "versions": {}})
    noted(whole / "results/diez_table1/statistics/per_dataset.csv")
    lacks = pack(whole, whole)
    assert list(lacks) == ["diez_table1"] and "abc1234" in lacks["diez_table1"] and other in lacks["diez_table1"]
    assert not (whole / KEPT / "frames/diez_table1").exists() and check(whole) == []


def test_verdicts_that_do_not_follow_from_the_frames_are_refused(whole):
    """And what was kept before stays."""
    old = whole / KEPT / "frames/old/records.parquet"
    old.parent.mkdir(parents=True)
    old.write_text("old")
    file = whole / "results/claims.csv"
    file.write_text(file.read_text(encoding="utf-8").replace("12/0/0", "11/1/0", 1), encoding="utf-8")
    with pytest.raises(ValueError, match=r"claims.csv: damaged"):
        pack(whole, whole)
    noted(file)
    with pytest.raises(
        ValueError, match=r"(?s)what is kept does not give the verdicts of the run:.*ours: kept is '11/1/0"
    ):
        pack(whole, whole)
    assert [file.name for file in (whole / "resources").rglob("*") if file.is_file()] == [old.name]


def test_what_is_not_as_kept_is_named(whole):
    pack(whole, whole)
    frame = whole / KEPT / "frames/diez_table1/statistics/overall.csv"
    frame.write_text(overall(1, 11, 0.999, -0.01).to_csv(index=False), encoding="utf-8")
    told = {line[:3]: line for line in check(whole)}
    assert set(told) >= {"D07", "D08"}
    assert (
        "D07: the kept verdict is holds; number fails, but the kept frames give fails; number inconclusive: p = 1"
        in told["D07"]
    )
    judge(whole)
    row = re.search(r"Díez.*? \| (.*?) \|", scoreboard(whole))[1]
    assert check(whole) == [] and row.startswith("3 hold, 2 fail, 2 inconclusive"), row


def test_every_kept_text_and_number_is_compared(whole):
    """Not the verdict alone."""
    pack(whole, whole)
    file, columns = whole / KEPT / "claims.csv", ["ours", "effect", "published", "thresholds", "why", "difference"]
    ledger = pd.read_csv(file, dtype=str, keep_default_na=False)
    ledger.loc[ledger["claim_id"] == "D02", columns] += "7"
    ledger.to_csv(file, index=False)
    (line,) = check(whole)
    named = line.removeprefix("D02: ").partition(": kept is ")[0]
    assert sorted(named.split(", ")) == sorted(columns)


def test_the_kept_run_gives_its_verdicts_again():
    assert check(ROOT) == []


KEPT_RUNS = [json.loads(file.read_text("utf-8"))["experiments"] for file in (ROOT / "resources").glob("*/run.json")]


# The runs of the papers stand at the sources of 0.2.1 until all of them run again for the next release, which refuses
# them till then (`rankbench artefact sources`).
WAITING = {name for kept in KEPT_RUNS for name in kept if not name.startswith("contest_")}


@pytest.fixture(scope="module")
def wrong():
    return check_sources(ROOT)


@pytest.mark.parametrize("name", [name for kept in KEPT_RUNS for name in kept])
def test_kept_runs_and_studies_were_made_by_the_present_sources(wrong, name):
    assert name not in wrong or name in WAITING or name in dated([name], ROOT)


def test_only_the_contest_is_of_its_day():
    names = [name for kept in KEPT_RUNS for name in kept]
    assert dated(names, ROOT) == {name for name in names if name.startswith("contest_")} == set(CONTEST)
