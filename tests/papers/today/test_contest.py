"""Answers of the contest on made-up tables, where they are known, and the numbers that README and guide state."""

import json

import pandas as pd
import pytest
from checkout import ROOT, words_of

from rankbench.papers.today.contest import Errors, planned
from rankbench.papers.today.kept import GRADES, KEPT, VALUES, Kept
from rankbench.records.frames import read_frame

ALONE = {"self_tuning": 0.80, "catboost": 0.82, "svr": 0.78, "extra_trees": 0.70}
BOTH = {
    ("self_tuning", "catboost"): 0.85,
    ("self_tuning", "svr"): 0.80,
    ("self_tuning", "extra_trees"): 0.76,
    ("svr", "catboost"): 0.84,
    ("svr", "extra_trees"): 0.79,
    ("catboost", "extra_trees"): 0.81,
}


def averages(tables=12, without=()):
    values = {**{(name, name): value for name, value in ALONE.items()}, **BOTH}
    return pd.DataFrame(
        [
            {"dataset": f"d{k}", "seed": 0, "method": one, "other": other, "value": value + 0.001 * k}
            for k in range(tables)
            for (one, other), value in values.items()
            if (k, one) not in without and (k, other) not in without
        ]
    )


def test_the_control_of_an_average_is_the_average_of_the_best_two_rivals():
    found = planned(averages()).drop(columns=["question", "low", "high"]).round(6)
    assert found.to_numpy().tolist() == [
        ["self_tuning", "catboost", -2.0, 0, 12, "no"],
        ["self_tuning + catboost", "catboost + extra_trees", 4.0, 12, 12, "yes"],
        ["self_tuning + catboost", "svr + catboost", 1.0, 12, 12, "yes"],
    ]


@pytest.mark.parametrize(
    ("gains", "answers"),
    [
        ([10.0] * 5 + [-0.1] * 7, ("yes", "open")),  # by so much that the interval is above 0, but not on most tables
        ([0.08, -0.08] * 6, ("no", "no")),  # no gain of a tenth of a point
        ([3.0, -2.5] * 6, ("open", "open")),
    ],
)
def test_what_counts_as_an_answer(gains, answers):
    frame = averages(12)
    for (one, other), at in {("self_tuning", "self_tuning"): 0.5, ("self_tuning", "catboost"): 0.5}.items():
        rows = (frame["method"] == one) & (frame["other"] == other)
        frame.loc[rows, "value"] = [at + gain / 100 for gain in gains]
    for one, other in (("catboost", "catboost"), ("catboost", "extra_trees")):
        frame.loc[(frame["method"] == one) & (frame["other"] == other), "value"] = 0.5
    assert tuple(planned(frame)["answer"][:2]) == answers


def test_a_failed_run_counts_as_the_constant_answer():
    errors = Errors(averages(tables=2, without=[(1, "catboost")]))
    assert errors.of("catboost").to_dict() == {"d0": pytest.approx(0.18), "d1": 0.5}
    both = {"d0": 0.15, "d1": 1 - 0.801}
    assert errors.of("self_tuning", "catboost").to_dict() == pytest.approx(both), "the other's order alone"
    assert errors.of("catboost", "self_tuning").to_dict() == pytest.approx(both)


def test_an_average_without_a_failed_member_is_that_of_all_others():
    """Of three the average of the two others, whichever of them has failed."""
    of_three = averages(tables=2).query("method == 'svr' and other == 'extra_trees'")
    more = of_three.assign(other="catboost + extra_trees", value=0.9)  # the average of three, where none has failed
    frame = pd.concat([averages(tables=2), more[more["dataset"] == "d0"]])
    errors = Errors(frame[~((frame["dataset"] == "d1") & (frame[["method", "other"]] == "catboost").any(axis=1))])
    assert errors.of("svr", "catboost", "extra_trees").to_dict() == pytest.approx({"d0": 0.1, "d1": 1 - 0.791})


@pytest.fixture(scope="module")
def stated():
    """The numbers of the records, as text: name -> value."""
    known, fresh, large, later = VALUES
    found = {}
    for part, name in (("fresh", fresh), ("later", later)):
        for at, one in enumerate(planned(Kept(name, ROOT).averages).itertuples(), 1):
            found |= {f"{part}_{at}_{key}": f"{getattr(one, key):.1f}" for key in ("points", "low", "high")}
            found |= {f"{part}_{at}_ahead": f"{one.ahead}", f"{part}_{at}": f"{one.points:.2f}"}
            found[f"{part}_{at}_range"] = f"{one.low:.2f} to {one.high:.2f}"
    for row in Kept(fresh, ROOT).ranking().head(2).itertuples(index=False):
        found[f"trade_{row[0]}"] = f"{row[0]} {100 * float(row[2]):.1f} % in {row[4]} s"
    for part, name in (("fresh", fresh), ("known", known), ("1000", large), ("grades", GRADES[1])):
        kept = Kept(name, ROOT)
        ranks = kept.average_ranks
        found |= {f"{part}_rank_{method}": f"{rank:.2f}" for method, rank in ranks.iloc[:3].items()}
        found |= {f"{part}_entries": f"{len(ranks)}", f"{part}_tables": f"{len(kept.experiment.datasets)}"}
        found[f"{part}_critical"] = f"{kept.frames('ranks')['ranks']['critical_difference'].iloc[0]:.2f}"
    return found


GUIDE = "docs/guide/today.md"
STATED = [
    ("README.md", "![Swapped pairs against seconds: {trade_RankSearchCV}, {trade_CatBoost}]"),
    ("README.md", "the best of eleven entries ({fresh_rank_self_tuning}; CatBoost {fresh_rank_catboost})"),
    ("README.md", "puts {fresh_1_points} points fewer pairs in the wrong order than CatBoost "),
    ("README.md", "(interval {fresh_1_low} to {fresh_1_high}; a point is one percent of the pairs)"),
    ("README.md", "on {fresh_tables} tables that a fixed rule chose"),
    (GUIDE, "On {fresh_tables} tables `RankSearchCV` has the best average rank of eleven entries, "),
    (GUIDE, "{fresh_rank_self_tuning}; CatBoost has {fresh_rank_catboost}"),
    (GUIDE, "(a difference below {fresh_critical} is not significant)"),
    (GUIDE, "better on {fresh_2_ahead} of {fresh_tables} tables"),
    (GUIDE, "ours is ahead by {later_2} points of the two rivals and by {later_3} of SVR and CatBoost"),
    (GUIDE, "leads CatBoost by {later_1} points (interval {later_1_range})"),
    ("README.md", "it leads by {later_1} points, "),
    (GUIDE, "{known_rank_self_tuning} of {known_entries} entries, SVR {known_rank_svr}"),
    (GUIDE, "(average ranks {1000_rank_self_tuning} and {1000_rank_catboost})"),
    (
        GUIDE,
        "{grades_rank_self_tuning_svor}; our `CumulativeLink`, a cumulative logit, has {grades_rank_cumulative_link}",
    ),
]


@pytest.mark.parametrize(("page", "template"), STATED)
def test_readme_and_guide_state_the_numbers_of_the_records(page, template, stated):
    assert template.format(**stated) in words_of(page)


def test_single_tables_are_those_of_the_records():
    records = read_frame(ROOT / KEPT / "contest_fresh_1000.parquet")[0]
    wrong = 100 * (1 - records.groupby(["dataset", "method"])["concordance_index"].mean().unstack())
    houses, companies = wrong.loc["r_saratoga"], wrong.loc["r_companies"]
    assert (wrong["self_tuning"] < wrong["catboost"]).all() and len(wrong) == 8
    said = f"LightGBM has {houses['lightgbm']:.2f} percent of the pairs in the wrong order and ours "
    said += f"{houses['self_tuning']:.2f}. Ours wins most on the Forbes 2000: {companies['self_tuning']:.1f}, "
    assert f"{said}and CatBoost {companies['catboost']:.1f}." in words_of("docs/guide/today.md")


def test_the_table_where_trees_win_is_that_of_the_records():
    records = read_frame(ROOT / KEPT / "contest_fresh_200.parquet")[0].query("dataset == 'r_nlsy'")
    wrong = 100 * (1 - records.groupby("method")["concordance_index"].mean())
    said = f"extra trees have {wrong['extra_trees']:.1f} % of the pairs in the wrong order, "
    assert f"on `NLSY` {said}ours {wrong['self_tuning']:.1f} %." in words_of("README.md")


def test_the_page_states_the_errors_of_recursive_feature_machines():
    kept = pd.read_parquet(ROOT / "resources/today/scores/xrfm_fresh_200.parquet")
    assert len(kept) == 264 and kept["status"].eq("ok").all()
    errors = 1.0 - kept.groupby(["n_settings", "dataset"])["concordance_index"].mean().groupby("n_settings").mean()
    words = words_of("docs/reproduction/contest.md")
    assert f"With its defaults the average error is {errors[0]:.4f}." in words
    assert (
        f"As the best of 20 random settings, judged by a fifth of the training rows, it is {errors[20]:.4f}." in words
    )


def test_the_page_names_the_commits_of_the_records():
    told = json.loads((ROOT / KEPT / "run.json").read_text("utf-8"))["experiments"].values()
    commits = ", ".join(sorted({commit for of in told for commit in of["commits"]}, reverse=True))
    assert f"and of the commits {commits}." in words_of("docs/reproduction/contest.md")
