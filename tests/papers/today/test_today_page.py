"""Sentences of README, the front page and docs/guide/today.md about the contest, compared with its kept records."""

from functools import cache

from checkout import ROOT, words_of
from shipped import Kept

from rankbench.papers.today.contest import ALIKE, FEWEST, Errors, questions, searches_of
from rankbench.papers.today.contest_tables import doubtful
from rankbench.papers.today.figures import trade_of
from rankbench.papers.today.kept import CONTEST, CURVES
from rankbench.statistics.bayes import probabilities

PAGE = "docs/guide/today.md"


def ranks_of(name, metric=""):
    """Return the average ranks of a part, the best first."""
    return Kept(name, ROOT, metric).average_ranks


def percent(name):
    """Return the errors in percent of the pairs, a row for each table and hold-out of a part."""
    return 100 * Kept(name, ROOT).errors().droplevel("condition")


@cache
def asked_of(name):
    kept = Kept(name, ROOT)
    return questions(kept.averages, kept.experiment)


def means(errors):
    return errors.groupby("dataset").mean()


def test_the_front_page_says_what_the_contest_shows():
    words, fresh = words_of("README.md"), Kept("contest_fresh_200", ROOT)
    of_fresh = fresh.frames("ranks")["ranks"].set_index("method")
    places = of_fresh["average_rank"].sort_values()
    assert list(places.index[:2]) == ["self_tuning", "catboost"] and len(places) == 11
    ours, catboost, trees = (f"{places[name]:.2f}" for name in ("self_tuning", "catboost", "extra_trees"))
    critical = of_fresh["critical_difference"].iloc[0]
    assert places["catboost"] - places["self_tuning"] < critical
    told = (
        f"the best of eleven entries ({ours}; CatBoost {catboost}), but a lead below {critical:.2f} is not significant"
    )
    assert told in words
    averages = Errors(fresh.averages)
    both, controls = averages.of("self_tuning", "catboost"), averages.of("catboost", "extra_trees")
    errors = {name: 100 * averages.of(name).mean() for name in ("self_tuning", "catboost", "catboost_default")}
    tables = len(both)
    assert tables == len(fresh.experiment.datasets) == 44 and "*44 tables that a rule chose" in words
    told = {name: f"{error:.1f}" for name, error in errors.items()}
    took = {name: f"{seconds:.2g}" for name, seconds in trade_of(fresh.frames("best")["best"])["seconds"].items()}
    told = {name: f"{error} % in {took[name]} s" for name, error in told.items()}
    assert (
        "RankSearchCV {self_tuning}, CatBoost {catboost}, CatBoost's defaults {catboost_default}]".format(**told)
        in words
    )
    behind, defaults = (errors[name] - errors["self_tuning"] for name in ("catboost", "catboost_default"))
    high, low = (f"{-float(asked_of('contest_fresh_200').iloc[0][end]):.1f}" for end in ("low", "high"))
    assert f"swaps {behind:.1f} points fewer pairs than CatBoost (interval {low} to {high})" in words
    with_it = 100 * (controls - both).mean()
    assert f"{with_it:.1f} points fewer swapped pairs than the average of CatBoost and extra trees" in words
    shown = max(rows for rows in fresh.records["n_train"])
    assert shown == 200 and "*44 tables that a rule chose, at most 200 training rows" in words
    index, guide = words_of("docs/index.md"), words_of("docs/guide/today.md")
    assert f"rank of eleven entries ({ours}; CatBoost {catboost}, extra trees {trees}; the lead is not" in index
    assert (
        f"is {behind:.1f} points below that of CatBoost" in index and f"and {defaults:.1f} points below that" in index
    )
    assert f"on {(both < controls).sum()} of {tables} tables" in index
    assert f"with {behind:.1f} points fewer swapped pairs" in guide
    loses = (averages.of("catboost") < averages.of("self_tuning")).sum()
    assert f"it loses to CatBoost on {loses} of them" in words_of("docs/guide/which_estimator.md")
    paper = words_of("paper/paper.md")
    told = f"eleven entries ({ours}) and CatBoost [@catboost] the second ({catboost}; differences below {critical:.2f}"
    assert told in paper
    cut = searches_of(fresh).set_index("method").loc["CatBoost", "cut short"]
    assert f"cut {cut.rstrip('%')} percent of CatBoost's searches short" in paper
    asked = asked_of("contest_fresh_200")
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
    later = Kept("contest_confirm_200", ROOT)
    by_seed = [later.averages[later.averages["seed"] == seed] for seed in range(3)]
    alone = [questions(part, later.experiment).iloc[0] for part in by_seed]
    assert "On the three hold-outs the difference is {}, {} and {}.".format(*(row.difference for row in alone)) in page


def test_the_page_says_what_200_rows_show():
    page, name = words_of(PAGE), "contest_fresh_200"
    kept = Kept(name, ROOT)
    seconds = kept.frames("best")["best"].groupby("method")["seconds"].median()
    asked = asked_of(name)
    alone, adding = (asked.iloc[row] for row in (0, 1))
    ours_in_place_of_svr = asked[asked["question"].str.endswith("+ CatBoost") & asked["against"].str.startswith("SVR")]
    ranks = ranks_of(name)
    told = (
        "eleven entries, {self_tuning:.2f}; CatBoost has {catboost:.2f} and extra trees {extra_trees:.2f} (a difference"
    )
    assert told.format(**ranks) in page
    critical = kept.frames("ranks")["ranks"]["critical_difference"].iloc[0]
    assert f"(a difference below {critical:.2f} is not significant)" in page
    high, low = (f"{-float(alone[end]):.1f}" for end in ("low", "high"))
    assert f"than CatBoost (interval {low} to {high}), and takes {seconds['self_tuning']:.1f} seconds" in page
    assert f"instead of {seconds['catboost']:.0f}. CatBoost's defaults take as long as it does" in page
    assert abs(seconds["catboost_default"] - seconds["self_tuning"]) < 0.1
    errors = means(percent(name))
    assert f"swap {errors['catboost_default'].mean() - errors['self_tuning'].mean():.1f} points more" in page
    gain, (place,) = -float(adding.difference), -ours_in_place_of_svr["difference"].astype(float)
    assert f"swaps {gain:.1f} points fewer than that of the best two rivals and is better on {adding.better} of" in page
    assert f"The average of SVR and CatBoost swaps {place:.1f} points more" in page
    later = asked_of("contest_confirm_200")
    svr = later["against"].str.startswith("SVR")
    (row,) = later[later["question"].str.endswith("+ CatBoost") & svr].itertuples()
    ahead = -float(later[later["question"].str.endswith("+ CatBoost") & ~svr].iloc[0]["difference"])
    less = "both are less than what counts as a difference here (0.5)"
    told = (
        f"ahead by {ahead:.1f} points of the two rivals and by {-float(row.difference):.1f} of SVR and CatBoost; {less}"
    )
    assert row.clear == "alike" and ahead < 0.5 and told in page
    apart = errors["svr"].mean() - errors["self_tuning"].mean()
    assert f"swaps {apart:.1f} points more pairs than `RankSearchCV` on the 44" in words_of(
        "docs/guide/which_estimator.md"
    )
    behind = (errors["catboost"] < errors["self_tuning"]).sum()
    assert f"CatBoost is on {behind}." in page and f"CatBoost is ahead on {behind} of" in words_of("docs/index.md")
    for table, method, told in (
        ("r_votes", "catboost_native", "{0:.1f} percent of the pairs with native categories and ours {1:.1f}; on"),
        ("r_nlsy", "extra_trees", "extra trees swap {0:.1f} and ours {1:.1f}, both on every hold-out"),
    ):
        both = percent(name).loc[table, [method, "self_tuning"]]
        assert (both[method] < both["self_tuning"]).all() and told.format(*both.mean()) in page
    later = asked_of("contest_confirm_200")
    alone, adding = (later.iloc[row] for row in (0, 1))
    assert f"the average is ahead again, by {-float(adding.difference):.1f} points; alone it is not clear" in page
    assert f"({-float(alone.difference):.2f} points, and the interval ends at {alone.high})" in page
    assert (alone.answer, adding.answer) == ("open", "yes")


def test_the_pages_say_what_the_tables_of_the_papers_show():
    page, name = words_of(PAGE), "contest_known_200"
    ranks = ranks_of(name)
    first, second = list(ranks.index[:2])
    assert (first, second, len(ranks.dropna())) == ("self_tuning", "svr", 35), "all are ranked"
    told = "{self_tuning:.2f} of 35 entries, SVR {svr:.2f}, CatBoost {catboost:.2f} and LightGBM {lightgbm:.2f}."
    assert told.format(**ranks) in page
    assert "{self_tuning:.2f} of 35 entries; SVR has {svr:.2f}.".format(**ranks) in words_of("docs/index.md")
    better = asked_of(name).iloc[0].better
    told = f"35 entries too ({ranks['self_tuning']:.2f}; support vector regression {ranks['svr']:.2f}), but is better"
    assert f"{told} than CatBoost on {better} of them only" in words_of("paper/paper.md")
    errors = means(percent(name))
    apart = errors["extra_trees"] - errors["self_tuning"]
    assert (apart.idxmin(), apart.idxmax()) == ("triazines", "pyrimidines")
    told = "Triazines ({:.1f} percent against {:.1f})".format(*errors.loc["triazines", ["self_tuning", "extra_trees"]])
    assert told in page
    told = "Pyrimidines ({:.1f} against {:.1f})".format(*errors.loc["pyrimidines", ["self_tuning", "extra_trees"]])
    assert told in page
    assert f"extra trees by {-apart.min():.0f} points on 100 rows of Triazines" in words_of(
        "docs/guide/which_estimator.md"
    )
    both = [errors[method].to_numpy() for method in ("svr", "swapped_pairs_rbf")]
    (_, half, _), (_, whole, _) = (probabilities(*both, points) for points in (0.5, 1))
    assert half < 0.95 and f"alike within half a point with a probability of {half:.2f}, which is not clear" in page
    assert f"and within a whole point with {whole:.2f}" in page
    compared = errors.drop(columns="mlp_default")
    near = compared.sub(compared.min(axis=1), axis=0) < 1
    assert f"best of all entries on {near['swapped_pairs_linear'].sum()} of the 19 tables, `RankSearchCV` on " in page
    assert f"`RankSearchCV` on {near['self_tuning'].sum()}." in page


def test_the_pages_say_what_1000_rows_and_the_curves_show():
    page, name = words_of(PAGE), "contest_fresh_1000"
    ranks, errors = ranks_of(name), percent(name)
    assert "(average ranks {self_tuning:.2f} and {catboost:.2f})".format(**ranks) in page
    both = asked_of(name).iloc[1]
    assert both.better == both.tables == 8 and f"on all eight, by {-float(both.difference):.2f} points" in page
    assert both.clear == "alike" and f"less than what counts as a difference here ({100 * ALIKE:g})" in page
    assert "the average of both gains less than matters" in words_of("README.md")
    assert list(ranks.index).index("extra_trees") == 9 and len(ranks) == 11
    assert f"extra trees are the tenth of eleven at this size ({ranks['extra_trees']:.2f})" in page
    houses, boosted = errors.loc["r_saratoga"], ["lightgbm", "xgboost", "catboost"]
    assert houses[boosted].lt(houses["self_tuning"], axis=0).all(axis=None)
    told = houses.mean()
    said = "LightGBM swaps {lightgbm:.1f} percent of the pairs, XGBoost {xgboost:.1f}, CatBoost {catboost:.1f} and ours"
    assert f"{said.format(**told)} {told['self_tuning']:.1f}." in page
    assert "LightGBM swaps {lightgbm:.1f} % of the pairs, ours {self_tuning:.1f} %".format(**told) in words_of(
        "README.md"
    )
    assert f"LightGBM by {told['self_tuning'] - told['lightgbm']:.1f} points on 1,000 rows of" in words_of(
        "docs/guide/which_estimator.md"
    )
    companies = means(errors).loc["r_companies"]
    assert companies.idxmin() == "self_tuning"
    assert "Forbes 2000: {self_tuning:.1f}, and CatBoost {catboost:.1f}.".format(**companies) in page
    told = "the linear SVM has the average rank {swapped_pairs_linear:.2f} of eleven and ridge regression {ridge:.2f}"
    assert told.format(**ranks) in page and ranks.index[-1] == "ridge" and len(ranks) == 11
    runs = Kept(CURVES, ROOT).records
    runs = runs.assign(
        error=100 * (1 - runs["concordance_index"]), seconds=runs["tune_seconds"].fillna(0) + runs["fit_seconds"]
    )
    curves = runs.pivot_table(index=["dataset", "n_train"], columns="method", values="error")
    by_size = curves.groupby("n_train").mean()
    apart = by_size["self_tuning"] - by_size["catboost"]
    assert 0.2 < apart.abs().loc[200:].max() < 0.3 and "differ by at most 0.3 points from 200 rows on" in page
    assert f"with 50 rows CatBoost is ahead by {apart[50]:.1f}" in page
    assert set(curves.loc["r_ames"].idxmin(axis=1)) == {"self_tuning"}
    deliveries = curves.loc["r_food_delivery"]
    ahead = deliveries.index[deliveries["catboost"] < deliveries["self_tuning"]]
    assert [*ahead[ahead >= 200]] == [500, 1000, 2000], "on food deliveries CatBoost from 500 rows on"
    seconds = runs[runs["n_train"] == 2000].groupby("method")["seconds"].median()
    assert "the search takes {self_tuning:.1f} seconds, CatBoost's {catboost:.0f} and SVR's {svr:.0f}.".format(
        **seconds
    ) in (page)


def test_the_pages_say_what_grades_show():
    page, name = words_of(PAGE), "contest_fresh_grades_200"
    known, by_score = ranks_of("contest_known_grades_200"), ranks_of(name, "ranked_probability_score")
    assert "({self_tuning_svor:.2f}; CatBoost's defaults {catboost_default:.2f})".format(**known) in page
    assert [*by_score.index[:3]] == ["mord_at", "self_tuning_svor", "cumulative_link"]
    assert "with average ranks of {:.2f}, {:.2f} and {:.2f}.".format(*by_score[:3]) in page
    errors = means(Kept("contest_known_grades_200", ROOT).errors())
    both = ["self_tuning_svor", "lightgbm_thresholds"]
    scale, eucalyptus = (errors.loc[table, both] for table in ("uco_balance_scale", "uco_eucalyptus"))
    told = "Balance scale ours errs by {:.3f} grades and LightGBM by thresholds by {:.3f}; on Eucalyptus by {:.3f} and"
    assert f"{told.format(*scale, eucalyptus.iloc[0])} {eucalyptus.iloc[1]:.3f}" in page
    kappa = ranks_of(name, "quadratic_kappa")
    assert (kappa.index[0], list(kappa.index).index("self_tuning_svor")) == ("catboost_default", 5)
    told = "defaults are first ({catboost_default:.2f}) and ours is sixth ({self_tuning_svor:.2f})"
    assert told.format(**kappa) in page
    assert f"19 entries, {ranks_of(name)['self_tuning_svor']:.2f}, without a significant" in words_of("docs/index.md")


def test_the_pages_say_what_groups_and_comparisons_show():
    page, groups = words_of(PAGE), ranks_of("contest_fresh_groups_200")
    first = f"({groups['ridge']:.2f} and {groups['swapped_pairs_linear']:.2f} of ten)"
    assert f"{first}, and `RankSearchCV` is the sixth ({groups['self_tuning']:.2f})" in page
    assert list(groups.index[-2:]) == ["xgboost_ranker", "lightgbm_ranker"]
    critical = Kept("contest_fresh_groups_200", ROOT).frames("ranks")["ranks"]["critical_difference"].iloc[0]
    assert list(groups.index[groups > groups["ridge"] + critical]) == ["lightgbm_ranker"]
    assert "LightGBM's ranker is significantly behind the first two" in words_of("docs/reproduction/contest.md")
    name = "contest_fresh_comparisons_200"
    losses, ranks = means(Kept(name, ROOT).errors()), ranks_of(name)
    by_holdout = Kept(name, ROOT).errors()
    by_holdout = by_holdout["self_tuning"] - by_holdout["bradley_terry"]
    on, behind = (by_holdout > 0).sum(), (losses["self_tuning"] - losses["bradley_terry"]).mean()
    told = f"on all five (on {on} of {len(by_holdout)} hold-outs), by {behind:.3f} of log loss on average"
    assert told in page
    assert ranks.index[0] == "logistic" and f"has the best average rank, {ranks.iloc[0]:.2f} of {len(ranks)}." in page
    wrong = 100 * means(Kept(name, ROOT, "zero_one").errors()).mean()
    assert f"the gap is small, {wrong['self_tuning']:.1f} and {wrong['bradley_terry']:.1f} percent" in page


def test_the_page_says_what_is_left_open():
    page, kept = words_of(PAGE), {name: Kept(name, ROOT) for name in CONTEST}
    most = max(part.records["n_train"].max() for part in kept.values())
    assert f"nothing has more than {most:,} training rows" in page
    sizes = [
        len(kept[f"contest_fresh_{part}"].experiment.datasets) for part in ("groups_200", "comparisons_200", "1000")
    ]
    sizes[0] = len(kept["contest_fresh_groups_200"].errors().index.get_level_values("dataset").unique())
    assert sizes == [6, 5, 8] and "Six, five and eight tables say little" in page and max(sizes) < FEWEST
    assert "groups and comparisons rests on five to eight tables, too few" in words_of("README.md") and FEWEST == 10
    cut = searches_of(kept["contest_fresh_200"]).set_index("method").loc["CatBoost", "cut short"]
    assert f"Ten seconds cut {cut.rstrip('%')} percent of CatBoost's searches short" in page
    later = kept["contest_confirm_200"].experiment
    doubted = doubtful() & set(later.datasets)
    assert f"Of the {len(later.datasets)} later tables {len(doubted)} are doubtful" in page
    answers, without = words_of("docs/reproduction/contest.md"), f"Without the {len(doubted)} doubtful tables"
    assert answers.count(f"{without} **open**") == 1 and answers.count(f"{without} **yes**") == 2
    costs = ["tune_seconds", "fit_seconds", "predict_seconds"]
    hours = sum(part.records[costs].fillna(0).sum().sum() for part in kept.values()) / 3600
    assert f"The runs of all parts took {hours:.1f} hours together" in page
