"""The kept evidence of a full run gives the same verdicts again, and the pages describe it correctly."""

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
import test_diez

from rankbench import artefact
from rankbench.artefact import KEPT, board, check, pack
from rankbench.earlier import changes, judged_by
from rankbench.experiments.frames import read_frame, write_frame, write_statistic
from rankbench.ledger import registered

ROOT = Path(__file__).parents[2]
MARKS = "<!-- scoreboard -->\nold\n<!-- /scoreboard -->\n"


@pytest.fixture
def checkout(tmp_path):
    """A checkout whose results are Table 1's counts, and records of an experiment that claims read."""
    folder = tmp_path / "results/diez_table1/statistics"
    folder.mkdir(parents=True)
    write_statistic(folder / "overall.csv", test_diez.overall(11, 1, 0.001))
    records = pd.DataFrame({"dataset": ["one", "one"], "condition": "c", "method": "svr", "seed": [0, 1]})
    records = records.assign(status=["ok", "failed"], rank_inversions=[0.5, float("nan")], peak_megabytes=9.0)
    (tmp_path / "results/herbrich_ohsumed").mkdir()
    made = {"commit": "abc1234", "protocol": {"metrics": ["rank_inversions"]}}
    write_frame(tmp_path / "results/herbrich_ohsumed/records.parquet", records, **made)
    (tmp_path / "README.md").write_text(f"# Front\n{MARKS}end\n", encoding="utf-8")
    return tmp_path


def test_a_run_is_packed_and_its_verdicts_follow_from_what_was_packed(checkout):
    ledger = pack(checkout, checkout).set_index("claim_id")
    assert (ledger["verdict"] == "not_judged").sum() > 90 and ledger.loc["D02", "verdict"] == "holds"
    readme = (checkout / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Front\n<!-- scoreboard -->\nFrom the full run on commit abc1234 (")
    assert "), 2 runs, 1 without a result:\n" in readme and readme.endswith("/scoreboard -->\nend\n")
    assert "| Díez, del Coz, Bahamonde | 4 | 0 | 0 | 0 | 0 | 13 |\n" in readme
    assert "| **all** | 4 | 0 | 0 | 0 | 2 | 113 |\n| *each evidence once* | 4 | 0 | 0 | 0 | 2 | 110 |\n" in readme
    kept, made = read_frame(checkout / KEPT / "frames/herbrich_ohsumed/records.parquet")
    assert list(kept) == ["dataset", "condition", "method", "seed", "status", "rank_inversions"] and len(kept) == 2
    assert made == {"commit": "abc1234"} and check(checkout) == []


def test_large_statistics_are_kept_compressed(checkout, monkeypatch):
    plain = pack(checkout, checkout)
    monkeypatch.setattr(artefact, "LARGE", 100)
    assert pack(checkout, checkout).equals(plain) and check(checkout) == []
    statistics = checkout / KEPT / "frames/diez_table1/statistics"
    assert [file.name for file in statistics.iterdir()] == ["overall.csv.gz"]


def test_what_is_not_as_kept_is_named(checkout):
    pack(checkout, checkout)
    frame = checkout / KEPT / "frames/diez_table1/statistics/overall.csv"
    frame.write_text(test_diez.overall(1, 11, 0.999, -0.01).to_csv(index=False), encoding="utf-8")
    told = check(checkout)
    assert [line[:3] for line in told] == ["D02", "D04", "D07", "D08"]
    assert "D02: the kept verdict is holds, but the kept frames give fails: 1/0/11" in told[0]
    readme = checkout / "README.md"
    readme.write_text(readme.read_text(encoding="utf-8").replace("| 4 | 0 |", "| 5 | 0 |"), encoding="utf-8")
    assert check(checkout)[-1].startswith("README.md: its table does not match")


def test_a_run_can_lie_elsewhere_and_what_it_lacks_is_kept_no_longer(checkout, tmp_path):
    pack(checkout, checkout)
    other = tmp_path / "other"
    shutil.copytree(checkout / "results", other / "results")
    shutil.rmtree(other / "results/diez_table1")
    assert (pack(other, checkout)["verdict"] != "holds").all()
    assert not (checkout / KEPT / "frames/diez_table1").exists() and check(checkout) == []


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no history here")
def test_the_rules_of_a_commit_judge_a_run(checkout):
    found = judged_by("HEAD", checkout, ROOT).set_index("claim_id")
    assert len(found) == 119 and found.loc["D02", "verdict"] == "holds" and "11/0/1" in found.loc["D02", "ours"]
    assert found.loc["D03", "verdict"] == "not_judged"


def test_verdicts_that_changed_are_listed_with_the_reason(checkout):
    pack(checkout, checkout)
    verdicts = {"D02": "fails", "D04": "holds", "D07": "mixed", "D01": "holds", "S19": "not_judged"}
    frame = pd.DataFrame(verdicts.items(), columns=["claim_id", "verdict"])
    frame.to_csv(checkout / KEPT / "earlier.csv", index=False)
    pd.DataFrame({"claim_id": ["D07"], "reason": ["a mirror"]}).to_csv(checkout / KEPT / "reasons.csv", index=False)
    assert changes(checkout).to_numpy().tolist() == [
        ["D02", "fails", "holds", ""],
        ["D07", "mixed", "holds", "a mirror"],
    ]


def test_each_reason_is_about_one_claim():
    reasons = pd.read_csv(ROOT / KEPT / "reasons.csv")
    assert not reasons["claim_id"].duplicated().any() and set(reasons["claim_id"]) <= set(registered())


needs_run = pytest.mark.skipif(not (ROOT / KEPT / "claims.csv").exists(), reason="no full run is kept")


@needs_run
def test_the_kept_run_gives_its_verdicts_again_and_readme_has_them():
    assert check(ROOT) == []


@needs_run
def test_readme_says_of_table_1_what_is_kept():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    ours = pd.read_csv(ROOT / KEPT / "claims.csv").set_index("claim_id")["ours"]
    assert board(ROOT) in text
    near, lower, higher = map(int, re.match(r"(\d+) of 36 cells .*?, (\d+) lower, (\d+) higher", ours["D01"]).groups())
    assert f"{near} of the 36 cells agree" in text and f"in the other {lower} our error is lower" in text and not higher
