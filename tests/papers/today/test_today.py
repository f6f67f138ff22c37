"""The kept records of the methods of today give back the tables of the run that they come from."""

import json
import re
from shutil import copy

import pandas as pd
import pytest
from checkout import ROOT, words_of

from rankbench.artefact import keep_records
from rankbench.experiments.experiment import Experiment
from rankbench.experiments.frames import read_frame, write_frame
from rankbench.experiments.protocol import files_of
from rankbench.papers.today.contest import Errors, averages_of, questions
from rankbench.papers.today.kept import COSTS, KEPT, Kept, pack
from rankbench.papers.today.tables.ranking import behind
from rankbench.registry import STATISTICS

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
    rest = {"condition": "default", "status": "ok", "reason": "", "n_train": 100, "n_test": 900, "params": "{}"}
    rest["source_digest"] = "5eed"
    records = pd.DataFrame(rows).assign(**rest, **dict.fromkeys(COSTS, 1.0))
    records = records.assign(commit="abc1234", machine="a large one", versions='{"lightgbm": "9.9"}')
    (tmp_path / "results/today").mkdir(parents=True)
    write_frame(tmp_path / "results/today/records.parquet", records, protocol=PROTOCOL, commit="abc1234")
    (tmp_path / "config").mkdir()
    copy(ROOT / "config/datasets.tsv", tmp_path / "config/datasets.tsv")
    return tmp_path


def test_what_is_kept_gives_the_tables(checkout):
    assert pack(checkout, checkout) == {"today": 12}
    kept = Kept("today", checkout)
    assert "versions" not in kept.records and len(kept.records) == 12
    by_dataset = kept.by_dataset().to_numpy().tolist()
    assert by_dataset == [
        ["Servo", 100, "Ours", "0.1005 ± 0.0009", "0.1005 ± 0.0009", ""],
        ["Boston", 100, "Theirs", "0.1505 ± 0.0009", "0.2005 ± 0.0009", "0.0500 ± 0.0000"],
        ["Stock", 100, "Ours", "0.3005 ± 0.0009", "0.3005 ± 0.0009", ""],
    ]
    ranking = [[cell.strip() for cell in line.split("|")[1:7]] for line in kept.ranking().splitlines()[2:4]]
    assert [row[:2] + row[3:] for row in ranking] == [
        ["Ours", "1.33", "0.2005", "8.3", "2"],
        ["Theirs", "1.67", "0.2188", "9.9", "2"],
    ]
    assert [row[2].split()[0] for row in ranking] == ["1544", "1456"]
    assert "on a line from Ours (1.33, the best) to Theirs (1.67)" in kept.picture()[1]
    assert kept.by_size().to_numpy().tolist()[1] == ["Boston", 100, "0.2005", "0.1505"]


def test_it_says_what_made_the_records(checkout):
    pack(checkout, checkout)
    run = json.loads((checkout / KEPT / "run.json").read_text(encoding="utf-8"))
    assert run["experiments"] == {
        "today": {
            "runs": 12,
            "ok": 12,
            "commits": ["abc1234"],
            "machines": ["a large one"],
            "versions": {"lightgbm": ["9.9"]},
            "sources": {method: ["5eed"] for method in ("ours", "theirs")},
        }
    }


def test_a_run_without_these_experiments_is_refused(tmp_path):
    with pytest.raises(ValueError, match="must have the records of one of today, today_large"):
        keep_records(tmp_path, tmp_path)


def test_behind_knows_where_more_is_better():
    cells = pd.DataFrame(
        {"dataset": "one", "metric": ["swapped_pairs"] * 2 + ["ndcg"] * 2, "mean": [0.1, 0.3, 0.7, 0.9]}
    )
    assert behind(cells).round(9).tolist() == [0.0, 0.2, 0.2, 0.0]


@pytest.mark.parametrize("file", sorted((ROOT / KEPT).glob("*.parquet")), ids=lambda file: file.stem)
def test_what_the_repository_keeps_is_whole(file):
    records, made = read_frame(file)
    protocol = made["protocol"]
    cells = records.groupby(["dataset", "condition", "method"])["seed"].nunique()
    assert set(cells) == {protocol["seeds"]} and set(records["method"]) == set(protocol["methods"])
    assert "dirty" not in made["commit"] and file.stem in files_of(ROOT)


@pytest.fixture(scope="module")
def small():
    """The kept run with the papers' sizes: its table of methods and its errors by data set and method."""
    kept = Kept("today", ROOT)
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in kept.ranking().splitlines()[2:15]]
    table = pd.DataFrame(
        lines, columns=["method", "rank", "elo", "error", "gap", "near", "shares", "seconds"]
    ).set_index("method")
    return table, errors_of(kept)


def errors_of(kept):
    return kept.frames("best")["best"].pivot(index="dataset", columns="method", values="mean")


def test_the_pages_say_what_the_small_sizes_show(small):
    table, _ = small
    front, page = words_of("docs/index.md"), words_of("docs/guide/today.md")
    assert list(table.index[:3]) == ["SVM over all pairs, RBF", "SVM over all pairs, linear", "SVR, RBF"]
    assert list(table["rank"][:3]) == ["4.00", "5.21", "5.95"]
    assert "best average rank, 4.00 of 13 methods" in front and "4.00 of 13, and the one with a linear kernel" in page
    trees = table.loc[["LightGBM", "Boosted trees (scikit-learn)"]]
    assert list(trees["rank"]) == ["8.89", "8.74"] and "average ranks 8.89 and 8.74" in page
    assert [round(float(s) / 0.05) for s in trees["seconds"]] == [8, 24] and table["seconds"].iloc[0] == "0.05"
    assert (
        table["shares"]["SVR, RBF"].split("\u00a0/\u00a0")[1] == "0.98"
        and "a probability of 0.98 that the two are practically alike" in page
    )
    near = table["near"].astype(int)
    assert near["SVM over all pairs, linear"] == near.max() == 12 and "the best on 12 of the 19 tables" in page


def test_the_page_names_the_tables_where_others_win(small):
    _, errors = small
    names = {"triazines": "forest", "concrete": "xgboost_ranker", "servo": "lightgbm_ranker"}
    assert {dataset: errors.loc[dataset].idxmin() for dataset in names} == names
    told = [f"{errors.loc[d, m]:.2f} {errors.loc[d, 'swapped_pairs_rbf']:.2f}" for d, m in names.items()]
    assert told == ["0.28 0.35", "0.11 0.14", "0.10 0.11"]
    page = words_of("docs/guide/today.md")
    for method, pair in zip(("a random forest", "XGBoost's ranker", "LightGBM's ranker"), told, strict=True):
        assert re.search(rf"{method} (swaps )?{pair.split()[0]} (of the pairs )?and the SVM {pair.split()[1]}", page)
    linear = errors.index[errors.idxmin(axis=1).isin(["swapped_pairs_linear", "ridge"])]
    assert set(linear) == {
        *("bodyfat_density", "bodyfat_fat", "bank32", "auto_mpg", "diabetes", "wpbc", "forest_fires")
    }


def test_the_front_page_says_what_the_contest_shows():
    words, large = words_of("README.md"), errors_of(Kept("today_large", ROOT)).loc["concrete"]
    fresh = Kept("contest_fresh_200", ROOT)
    of_fresh = fresh.frames("ranks")["ranks"].set_index("method")
    places = of_fresh["average_rank"].sort_values()
    assert list(places.index[:2]) == ["self_tuning", "catboost"] and len(places) == 11
    ours, catboost, trees = (f"{places[name]:.2f}" for name in ("self_tuning", "catboost", "extra_trees"))
    assert f"`RankSearchCV` has the best average rank of eleven ({ours}) and CatBoost the second ({catboost})" in words
    averages = Errors(averages_of("contest_fresh_200", ROOT))
    both, controls = averages.of("self_tuning", "catboost"), averages.of("catboost", "extra_trees")
    errors = {name: 100 * averages.of(name).mean() for name in ("self_tuning", "catboost", "catboost_default")}
    tables = len(both)
    assert tables == len(fresh.experiment.datasets) == 44 and "*44 tables that a rule chose" in words
    told = {name: f"{error:.1f}" for name, error in errors.items()}
    assert "RankSearchCV {self_tuning} percent in 0.4 s, CatBoost {catboost} in 13 s".format(**told) in words
    assert f"CatBoost's defaults {told['catboost_default']} in 0.4 s" in words
    behind, defaults = (errors[name] - errors["self_tuning"] for name in ("catboost", "catboost_default"))
    with_it = errors["catboost"] - 100 * both.mean()
    assert f"{behind:.1f} points fewer swapped pairs than CatBoost's ten seconds alone, {with_it:.1f} with it" in words
    index, guide = words_of("docs/index.md"), words_of("docs/guide/today.md")
    assert f"rank of eleven entries ({ours}; CatBoost {catboost}, extra trees {trees})" in index
    assert (
        f"is {behind:.1f} points below that of CatBoost" in index and f"and {defaults:.1f} points below that" in index
    )
    assert f"on {(both < controls).sum()} of {tables} tables" in index
    assert f"with {behind:.1f} points fewer swapped pairs" in guide
    loses = (averages.of("catboost") < averages.of("self_tuning")).sum()
    assert f"it loses to CatBoost on {loses} of them" in words_of("docs/guide/which_estimator.md")
    paper = words_of("paper/paper.md")
    assert f"eleven entries ({ours}) and CatBoost [@catboost] the second ({catboost})" in paper
    asked = questions(averages_of("contest_fresh_200", ROOT), fresh.experiment)
    alone, adding = (asked.iloc[row][["difference", "low", "high"]].astype(float).abs().round(1) for row in (0, 1))
    assert (
        f"{alone.iloc[0]} percentage points fewer pairs (95 percent interval {alone.iloc[2]} to {alone.iloc[1]})"
        in paper
    )
    assert f"swaps {adding.iloc[0]} points fewer than the average of the best two rivals ({adding.iloc[2]} to " in paper
    by_seed = fresh.records.pivot_table(index=["dataset", "seed"], columns="method", values="concordance_index")
    gains = 100 * (by_seed["catboost"] - by_seed["self_tuning"]).groupby("seed").mean()
    page = words_of("docs/reproduction/contest.md")
    assert f"now level ({gains[0]:+.2f} points), on hold-outs 1 and 2" in page
    assert f"ours has {-gains[1]:.2f} and {-gains[2]:.2f} points fewer" in page
    later = averages_of("contest_confirm_200", ROOT)
    alone = [
        questions(later[later["seed"] == seed], Kept("contest_confirm_200", ROOT).experiment).iloc[0]
        for seed in range(3)
    ]
    assert "On the three hold-outs the difference is {}, {} and {}.".format(*(row.difference for row in alone)) in page
    swapped = [f"{100 * large[method]:.1f} %" for method in ("lightgbm_ranker", "swapped_pairs_rbf")]
    assert f"LightGBM's ranker swaps {swapped[0]} of the pairs, ours {swapped[1]}" in words
    grades = errors_of(Kept("today_grades", ROOT))
    scale, wine = grades.loc["uco_balance_scale"], grades.loc["uco_winequality_red"]
    assert f"errs by {scale['rank_boundaries']:.3f} grades, a forest by {scale['forest']:.3f}" in words
    assert f"`SVOR` by {wine['svor_rbf']:.3f}, a forest by {wine['forest']:.3f}" in words


def test_the_pages_say_what_more_rows_change():
    front, page, kept = words_of("docs/index.md"), words_of("docs/guide/today.md"), Kept("today_large", ROOT)
    frames = kept.frames("ranks", "bayes", "best")
    ranks, errors = frames["ranks"].set_index("method"), errors_of(kept)
    mean_rank, bayes = ranks["average_rank"].round(2), frames["bayes"].set_index("method")
    told = mean_rank[["swapped_pairs_rbf", "xgboost_ranker", "ridge", "swapped_pairs_linear", "lightgbm"]]
    assert list(told) == [3.64, 4.45, 10.55, 8.77, 7.41] and all(f"{rank:.2f}" in page for rank in told)
    assert list(mean_rank.index[:2]) == list(told.index[:2]) and "best average rank again, 3.64" in front
    critical = ranks["critical_difference"].iloc[0]
    assert (
        round(critical, 2) == 5.5
        and "critical difference 5.50" in page
        and list(ranks.index[mean_rank > 3.64 + critical]) == ["ridge"]
    )
    for package in ("xgboost", "lightgbm"):
        assert mean_rank[f"{package}_ranker"] < mean_rank[package]
    named = ("concrete", "lightgbm_ranker"), ("cpusmall", "xgboost_ranker")
    assert [f"{errors.loc[d, m]:.3f} {errors.loc[d, 'swapped_pairs_rbf']:.3f}" for d, m in named] == [
        *("0.066 0.102", "0.082 0.092")
    ]
    assert "ranker swaps 0.066 of the pairs and the SVM 0.102, on CPUsmall " in page
    assert "XGBoost's ranker 0.082 and the SVM 0.092" in page
    assert set(errors.index[errors.idxmin(axis=1) == "swapped_pairs_linear"]) == {"auto_mpg", "bank32"}
    assert round(bayes.loc["swapped_pairs_linear", "worse"], 2) == 0.92 and "with probability 0.92." in page
    assert (bayes.loc[["svr", "herbrich5", "gaussian_process"], "alike"] > 0.965).all()
    seconds = frames["best"].pivot(index="dataset", columns="method", values="seconds")
    seconds = seconds.loc[["abalone", "bank8", "bank32", "cpusmall", "space_ga"]]
    spans = {method: (round(seconds[method].min()), round(seconds[method].max())) for method in seconds}
    assert [spans[m] for m in ("swapped_pairs_rbf", "herbrich5", "svr", "xgboost_ranker", "lightgbm_ranker")] == [
        *((20, 38), (1, 3), (4, 7), (10, 20), (61, 74))
    ]
    assert "took 20 to 38 seconds, over 5 pairs per row 1 to 3, with SVR 4 to 7, XGBoost's ranker 10 to 20" in page
    assert "LightGBM's ranker 61 to 74" in page


def test_the_page_says_what_the_learning_curves_show():
    page, kept = words_of("docs/guide/today.md"), Kept("today_curves", ROOT)
    records = kept.records.assign(seconds=kept.records["tune_seconds"] + kept.records["fit_seconds"])
    cells = records.groupby(["dataset", "n_train", "method"])[["swapped_pairs", "seconds", "peak_megabytes"]].mean()
    errors, ours, linear = cells["swapped_pairs"].unstack(), "swapped_pairs_rbf", "swapped_pairs_linear"
    smooth = errors.loc[["abalone", "bank8", "bank32"]]
    assert (smooth[["forest", "lightgbm"]].min(axis=1) > smooth[ours]).all()
    assert set(smooth.groupby("dataset").tail(1).idxmin(axis=1)) == {ours}
    assert list(errors.loc["cpusmall"].idxmin(axis=1)) == ["forest"] * 2 + ["lightgbm"] * 3
    told = errors.loc[("cpusmall", 5000), ["lightgbm", ours]]
    assert f"LightGBM swaps {told.iloc[0]:.3f} of the pairs and the SVM {told.iloc[1]:.3f}" in page
    assert list(errors.index[errors.idxmin(axis=1) == linear]) == [("abalone", 50), ("bank32", 160), ("bank32", 500),
                                                                    ("bank32", 1600), ("bank8", 50)]  # fmt: skip
    large = errors[errors.index.get_level_values("n_train") >= 1600]
    assert set(large.index[large[linear] - large[ours] < 0.003].get_level_values("dataset")) == {"bank32"}
    assert ((errors["svr"] - errors[ours]).abs()[errors.index.get_level_values("n_train") >= 160] < 0.006).all()
    costs = cells.xs(5000, level="n_train")
    seconds = costs["seconds"].unstack()
    spans = {method: (round(seconds[method].min()), round(seconds[method].max())) for method in seconds}
    assert [spans[m] for m in ("svr", "forest", "lightgbm")] == [(30, 51), (36, 131), (3, 6)] and spans[linear][1] <= 1
    assert seconds[ours].min() > 300 and seconds[ours].max() < 640
    assert round(costs["peak_megabytes"].unstack()[ours].mean() / 1000, 1) == 3.2
    assert "takes 5 to 10 minutes and 3.2 GB, SVR 30 to 51 seconds, a random forest 36 to 131, LightGBM 3 to 6" in page


def test_the_page_says_what_the_grades_show():
    page, kept = words_of("docs/guide/today.md"), Kept("today_grades", ROOT)
    ranks = kept.frames("ranks")["ranks"].set_index("method")
    assert round(ranks["friedman_p"].iloc[0], 2) == 0.18 and "(Friedman, p = 0.18)" in page
    told = ranks["average_rank"].round(2)[["rank_boundaries", "forest", "svor_rbf", "lightgbm"]]
    assert list(told) == [5.57, 5.68, 5.93, 5.93] and set(told.index) < set(ranks.index[:5])
    assert "Rank boundaries 5.57, a random forest 5.68, SVOR 5.93 and LightGBM 5.93" in page
    linear = ranks["average_rank"][["mord_at", "mord_it", "logistic", "svor_linear"]]
    kernels = ranks["average_rank"][["rank_boundaries", "svor_rbf", "redsvm", "fixed_margin", "svc"]]
    assert kernels.max() < linear.min() and linear.max() < ranks["average_rank"]["kernel_prank"]
    errors = errors_of(kept)
    for dataset, ours, theirs in (
        ("balance_scale", "rank_boundaries", "forest"),
        ("toy", "rank_boundaries", "forest"),
        ("tae", "svor_rbf", "lightgbm"),
        ("eucalyptus", "svor_rbf", "lightgbm"),
        ("winequality_red", "svor_rbf", "forest"),
    ):
        assert all(f"{errors.loc[f'uco_{dataset}', method]:.3f}" in page for method in (ours, theirs)), dataset


def test_the_page_says_how_often_grades_are_wrong():
    records, made = read_frame(ROOT / KEPT / "today_grades.parquet")
    ranks = STATISTICS["ranks"](records, Experiment.of(made["protocol"], metrics=["zero_one"])).set_index("method")
    assert list(ranks["average_rank"].round(2)[["forest", "svor_rbf"]]) == [4.14, 7.39]
    assert "the average rank 4.14 and SVOR 7.39" in words_of("docs/guide/today.md")
