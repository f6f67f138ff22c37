"""The kept records of the contest give back the tables of the run that they come from."""

import json
from shutil import copy

import pandas as pd
import pytest
from checkout import ROOT

from rankbench.experiments.protocol import files_of
from rankbench.papers.today.kept import COSTS, KEPT, Kept, pack
from rankbench.records.frames import read_frame, write_frame
from rankbench.report.artefact import keep_records

NAME = "contest_fresh_groups_200"
ERRORS = {"ours": [0.10, 0.20, 0.30], "theirs": [0.105, 0.15, 0.40]}
PROTOCOL = {
    "datasets": {"servo": {}, "boston": {}, "stock": {}},
    "conditions": {"default": {}},
    "methods": {name: {"label": name.capitalize()} for name in ERRORS},
    "metrics": ["swapped_pairs"],
    "seeds": 2,
    "reference_method": "ours",
    "outputs": {"statistics": [], "tables": [], "figures": ["critical_difference"]},
}


@pytest.fixture
def checkout(tmp_path):
    rows = [
        {"dataset": dataset, "method": method, "seed": seed, "swapped_pairs": errors[at] + 0.001 * seed}
        for method, errors in ERRORS.items()
        for at, dataset in enumerate(PROTOCOL["datasets"])
        for seed in (0, 1)
    ]
    rest = {"condition": "default", "status": "ok", "reason": "", "n_train": 100, "n_test": 50, "params": "{}"}
    rest |= {"source_digest": "5eed", "n_settings": 60, "n_failed": 0, "n_drawn": 60, "edges": ""}
    records = pd.DataFrame(rows).assign(**rest, **dict.fromkeys(COSTS, 1.0))
    records = records.assign(commit="abc1234", machine="a large one", versions='{"lightgbm": "9.9"}')
    (tmp_path / f"results/{NAME}").mkdir(parents=True)
    write_frame(tmp_path / f"results/{NAME}/records.parquet", records, protocol=PROTOCOL, commit="abc1234")
    (tmp_path / "config").mkdir()
    copy(ROOT / "config/datasets.tsv", tmp_path / "config/datasets.tsv")
    return tmp_path


def test_what_is_kept_gives_the_tables(checkout):
    assert pack(checkout, checkout) == {NAME: 12}
    kept = Kept(NAME, checkout)
    assert "versions" not in kept.records and len(kept.records) == 12
    assert kept.ranking().to_numpy().tolist() == [
        ["Ours", "1.33", "0.2005", "8.3", "2"],
        ["Theirs", "1.67", "0.2188", "9.9", "2"],
    ]


def test_ranks_of_scores_are_kept_beside_the_errors(checkout):
    runs = {"dataset": ["servo"] * 3 + ["boston", "gone"], "seed": [0, 0, 0, 5, 0], "score": [7.0, -2.0, 7.0, 2.0, 3.0]}
    scores = pd.DataFrame(runs).assign(condition="default", method="ours", y=1.5)
    write_frame(checkout / f"results/{NAME}/test_scores.parquet", scores)
    pack(checkout, checkout)
    kept = read_frame(checkout / KEPT / f"scores/{NAME}.parquet")[0]
    assert kept["score"].tolist() == [2.5, 1.0, 2.5] and "y" not in kept, "targets are not ours to pass on"


def test_it_says_what_made_the_records(checkout):
    pack(checkout, checkout)
    run = json.loads((checkout / KEPT / "run.json").read_text(encoding="utf-8"))
    assert run["experiments"] == {
        NAME: {
            "runs": 12,
            "ok": 12,
            "commits": ["abc1234"],
            "machines": ["a large one"],
            "versions": {"lightgbm": ["9.9"]},
            "sources": {method: ["5eed"] for method in ("ours", "theirs")},
            "studies": {},
        }
    }


def test_a_metric_that_is_new_is_kept_with_a_whole_run(checkout):
    """It ended in a KeyError, because the kept records do not have it."""
    pack(checkout, checkout)
    file = checkout / f"results/{NAME}/records.parquet"
    records, made = read_frame(file)
    protocol = {**made["protocol"], "metrics": ["swapped_pairs", "kendall_tau"]}
    write_frame(file, records.assign(kendall_tau=0.5), protocol=protocol, commit="fe11d0e")
    assert pack(checkout, checkout) == {NAME: 12}
    assert set(read_frame(checkout / KEPT / f"{NAME}.parquet")[0]["kendall_tau"]) == {0.5}


def test_whole_hold_outs_of_whole_tables_are_kept(checkout):
    file = checkout / f"results/{NAME}/records.parquet"
    records, made = read_frame(file)
    records.loc[(records["dataset"] == "stock") & (records["seed"] == 0), "status"] = "missing"
    write_frame(file, records, **made)
    assert pack(checkout, checkout) == {NAME: 8}
    assert set(read_frame(checkout / KEPT / f"{NAME}.parquet")[0]["dataset"]) == {"servo", "boston"}
    write_frame(file, records.assign(status="missing"), **made)
    assert pack(checkout, checkout) == {}, "what is kept stays"
    assert len(read_frame(checkout / KEPT / f"{NAME}.parquet")[0]) == 8


def test_a_run_without_these_experiments_is_refused(tmp_path):
    with pytest.raises(ValueError, match="must have the records of one of contest_known_200, "):
        keep_records(tmp_path, tmp_path)


@pytest.mark.parametrize("file", sorted((ROOT / KEPT).glob("*.parquet")), ids=lambda file: file.stem)
def test_what_the_repository_keeps_is_whole(file):
    records, made = read_frame(file)
    protocol = made["protocol"]
    cells = records.groupby(["dataset", "condition", "method"])["seed"].nunique()
    assert set(cells) == {protocol["seeds"]} and set(records["method"]) == set(protocol["methods"])
    assert "dirty" not in made["commit"] and file.stem in files_of(ROOT)


def test_a_failed_run_counts_as_the_constant_answer():
    kept = Kept("contest_known_200", ROOT)
    failed = kept.records["status"] == "failed"
    assert failed.sum() == 5 and set(kept.records.loc[failed, "method"]) == {"mlp_default"}
    means = kept.counted.pivot_table(index="dataset", columns="method", values="concordance_index")
    assert means.notna().all().all() and (means["mlp_default"] == 0.5).sum() == 5
    ranks = (-means.round(12)).rank(axis=1).mean()
    pd.testing.assert_series_equal(kept.average_ranks.sort_index(), ranks.sort_index(), check_names=False)
