"""Sentences of the pages about the contest, compared with its kept records."""

from checkout import ROOT, words_of
from shipped import Kept

from rankbench.claims.evidence import interval
from rankbench.papers.today.contest import Errors, questions, searches_of
from rankbench.papers.today.kept import CURVES


def test_the_pages_say_how_grades_end_in_the_contest():
    kept = Kept("contest_fresh_grades_200", ROOT)
    ranks = kept.average_ranks
    assert list(ranks.index[:3]) == ["self_tuning_svor", "cumulative_link", "lightgbm_thresholds"] and len(ranks) == 19
    first, second, third = (f"{rank:.2f}" for rank in ranks[:3])
    own = f"our `CumulativeLink` {second}, LightGBM by thresholds"
    told = f"rank {first} of 19 entries on 15 tables that a rule chose; {own}"
    assert f"{told} {third}; no difference is significant" in words_of("README.md")
    assert ranks.iloc[2] - ranks.iloc[0] < kept.frames("ranks")["ranks"]["critical_difference"].iloc[0]
    told = f"{first}; our `CumulativeLink`, a cumulative logit, has {second} and LightGBM by thresholds {third}"
    assert told in words_of("docs/guide/today.md")
    critical = kept.frames("ranks")["ranks"]["critical_difference"].iloc[0]
    page = words_of("docs/reproduction/contest.md")
    assert (
        f"{first}, just ahead of cumulative logit ({second}) and LightGBM by thresholds ({third}); differences" in page
    )
    assert f"below {critical:.2f} are not significant" in page
    by_score = Kept("contest_fresh_grades_200", ROOT, "ranked_probability_score").average_ranks
    assert [*by_score.index[:3]] == ["mord_at", "self_tuning_svor", "cumulative_link"] and len(by_score) == 19
    mord, search, logit = by_score[:3]
    assert f"the second of 19 ({search:.2f}), level with mord ({mord:.2f}) and cumulative logit ({logit:.2f})" in page
    widened = ["SVR, nearest grade", "LightGBM, nearest grade", "CatBoost, nearest grade"]
    searches = searches_of(kept).set_index("method")
    edges = searches.loc[widened, "at an edge"].str.rstrip("%").astype(int)
    assert [*searches.index[searches["ready"] == "no"]] == widened[1:]
    assert f"it is {edges.min()} to {edges.max()} %" in page
    svr, lightgbm, catboost = ranks[["svr", "lightgbm", "catboost"]]
    assert f"from 8.17 to {svr:.2f}, from 7.97 to {lightgbm:.2f} and from 8.87 to {catboost:.2f}" in page


def test_the_page_says_how_grades_of_the_known_tables_end():
    kept = Kept("contest_known_grades_200", ROOT)
    ranks = kept.average_ranks
    assert (len(kept.experiment.datasets), len(ranks), *ranks.index[:2]) == (
        14,
        19,
        "self_tuning_svor",
        "catboost_default",
    )
    first, second = ranks[:2]
    page = words_of("docs/reproduction/contest.md")
    assert f"is first too: {first:.2f} of 19, before CatBoost with its defaults ({second:.2f})" in page


def test_the_page_says_how_comparisons_end_in_the_contest():
    page, name = words_of("docs/reproduction/contest.md"), "contest_fresh_comparisons_200"
    kept = Kept(name, ROOT)
    losses = kept.errors().groupby("dataset").mean()
    behind = losses["self_tuning"] - losses["bradley_terry"]
    assert (behind > 0).all() and f"by {behind.mean():.3f} of log loss on average" in page
    assert "gives better probabilities than ours on all five" in words_of("docs/guide/today.md") and len(behind) == 5
    assert "gives better probabilities on five of five" in words_of("docs/index.md")
    wrong = 100 * Kept(name, ROOT, "zero_one").errors().groupby("dataset").mean().mean()
    told = f"the gap is small: {wrong['self_tuning']:.1f} and {wrong['bradley_terry']:.1f} percent"
    assert told in page
    games = losses.loc["r_bundesliga"].round(3)
    assert games.idxmin() == "logistic" and f"Logistic regression ({games['logistic']})" in page
    assert games[["elo", "glicko"]].max() < games["compare_rbf"] + 0.002
    assert f"RankSearchCV ({games['self_tuning']:.2f}) is behind" in page
    crackers, trees = losses.loc["r_cracker_choice"], losses[["lightgbm", "catboost"]]
    assert f"on crackers ({crackers['lightgbm']:.3f} and {crackers['bradley_terry']:.3f})" in page
    ahead = losses["bradley_terry"] - trees.min(axis=1)
    assert set(ahead.index[ahead > 0]) - {"r_cracker_choice", "r_bundesliga"} == {"r_train_choice", "r_ketchup_choice"}
    assert (ahead.drop("r_cracker_choice") < 0.01).all() and "by less than the 0.01 that matters" in page
    defaults = ["lightgbm_default", "catboost_default"]
    assert (losses[defaults].min(axis=1) > losses["bradley_terry"]).all() and "With their defaults they lose" in page
    assert (searches_of(kept)["ready"] == "yes").all()


def test_the_pages_say_how_groups_end_in_the_contest():
    page, kept = words_of("docs/reproduction/contest.md"), Kept("contest_fresh_groups_200", ROOT)
    ranks = kept.average_ranks
    assert [*ranks.index[:2]] == ["ridge", "swapped_pairs_linear"]
    assert list(ranks.index).index("self_tuning") == 5 and len(ranks) == 10
    assert "inside groups. `RankSearchCV` is the sixth of ten" in page
    for other in ("docs/guide/today.md", "docs/reproduction/contest.md"):
        assert "egression on all rows is first, just before the linear SVM over the pairs inside groups" in words_of(
            other
        )
    assert "ridge regression on all rows is as good as our linear SVM on six tables" in words_of("docs/index.md")
    errors = 1 - kept.records.groupby("method")["concordance_index"].mean()
    told = {
        "swapped_pairs_rbf": "0.3882",
        "xgboost_ranker": "0.3982",
        "catboost_ranker": "0.3864",
        "catboost": "0.3813",
    }
    assert all(f"({before} to {errors[method]:.4f}" in page for method, before in told.items())
    assert set(searches_of(kept).query("ready == 'no'")["method"]) == {"CatBoost"}


def test_the_page_says_what_the_curves_of_the_contest_show():
    page, kept = words_of("docs/reproduction/contest.md"), Kept(CURVES, ROOT)
    runs = kept.records.assign(seconds=kept.records["tune_seconds"].fillna(0) + kept.records["fit_seconds"])
    errors = 100 * (1 - runs.pivot_table(index="n_train", columns="method", values="concordance_index"))
    ours, catboost = errors["self_tuning"], errors["catboost"]
    assert (ours - catboost).abs().loc[200:].max() <= 0.3
    assert f"CatBoost is ahead ({catboost[50]:.1f} and {ours[50]:.1f} percent of the pairs" in page
    assert f"with 100 rows ours is ({catboost[100]:.1f} and {ours[100]:.1f})" in page and ours[100] < catboost[100]
    assert (errors[["svr", "extra_trees"]].min(axis=1) > errors[["self_tuning", "catboost"]].min(axis=1)).all()
    seconds = runs[runs["n_train"] == 2000].groupby("method")["seconds"].median()
    told = f"takes {seconds['self_tuning']:.1f} seconds, that of CatBoost {seconds['catboost']:.0f}"
    assert f"{told}, and SVR's {seconds['svr']:.0f} (medians)" in page


def test_the_page_says_how_the_known_tables_end():
    page, kept = words_of("docs/reproduction/contest.md"), Kept("contest_known_200", ROOT)
    ranks = kept.average_ranks.map("{:.2f}".format)
    assert list(ranks.index[:4]) == ["self_tuning", "svr", "swapped_pairs_rbf", "extra_trees"]
    assert (len(kept.experiment.datasets), len(kept.experiment.methods)) == (19, 35)
    first, svr, all_pairs, trees = ranks[:4]
    told = f"best average rank, {first}**; SVR ({svr}), the SVM over all pairs ({all_pairs}) and extra trees ({trees})"
    assert f"{told} follow, and CatBoost has {ranks['catboost']}." in page
    answers = list(questions(kept.averages, kept.experiment)["answer"])
    assert answers == [*["open"] * (len(answers) - 1), "yes"]
    native = searches_of(kept).set_index("method").loc["CatBoost, native categories"]
    assert (native["at an edge"], native["searches"], native["ready"]) == ("21%", 19, "yes")
    assert "ends at an edge in four of 19 searches and is ready" in words_of("docs/reproduction/contest_protocol.md")


def test_the_pages_say_how_the_contest_ends_with_1000_rows():
    kept = Kept("contest_fresh_1000", ROOT)
    frames = kept.frames("ranks", "best")
    ranks = frames["ranks"].set_index("method")["average_rank"]
    assert list(ranks.index[:2]) == ["self_tuning", "catboost"] and len(kept.experiment.datasets) == 8
    first, second = (f"{rank:.2f}" for rank in ranks[:2])
    errors = Errors(kept.averages)
    span = interval(100 * (errors.of("self_tuning") - errors.of("catboost")))  # of Student's t
    seen = f"(t interval {span.low:+.1f} to {span.high:+.1f} points"
    assert f"on eight tables, no difference to CatBoost can be seen {seen}; average ranks {first} and {second})" in (
        words_of("docs/index.md")
    )
    seconds = frames["best"].groupby("method")["seconds"].median()
    ours, theirs = seconds["self_tuning"], seconds["catboost"]
    for page, who in (("README.md", "to CatBoost"), ("docs/guide/today.md", "between `RankSearchCV` and CatBoost")):
        told = f"no difference {who} can be seen {seen}), in {ours:.0f} seconds instead of {theirs:.0f}"
        assert told in words_of(page)
    assert f"({span.mean:+.2f} points, t interval {span.low:+.2f} to {span.high:+.2f})" in words_of(
        "docs/reproduction/contest.md"
    )
    averages, page = kept.averages, words_of("docs/reproduction/contest.md")
    means = [Errors(averages).of(method).mean() for method in ("self_tuning", "catboost")]
    told = f"average ranks {first} and {second}, mean errors {means[0]:.4f} and {means[1]:.4f}"
    assert f"{told}, in {ours:.1f} seconds and {theirs:.0f}" in page
    alone, both = questions(averages, kept.experiment).iloc[:2].itertuples()
    by_seed = [questions(averages[averages["seed"] == seed], kept.experiment)["difference"][0] for seed in range(3)]
    assert "By hold-out the difference is {}, {} and {} points".format(*by_seed) in page
    assert (both.better, both.answer, alone.answer) == (8, "too few tables", "too few tables")
    assert f"extra trees on all eight tables, by {both.difference.lstrip('-')} points" in page
    critical = frames["ranks"]["critical_difference"].iloc[0]
    assert f"differ by less than {critical:.2f} are not significantly different" in page
    shown = searches_of(kept).set_index("method")
    assert set(shown["ready"]) == {"yes"}
    edges = [shown.loc[label, "at an edge"].rstrip("%") for label in ("LightGBM", "XGBoost")]
    assert "with wider spaces it is {} and {}".format(*edges) in page
    errors = 1 - kept.records.groupby("method")["concordance_index"].mean()
    assert f"to {errors['lightgbm']:.4f}, XGBoost 0.2365 to {errors['xgboost']:.4f})" in page
