"""Claims D01 to D17 of Diez, del Coz, Bahamonde."""

import numpy as np
import pandas as pd

from .evidence import agreement, slope, some
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, Finding, claim

OURS = "svm_multi_sp"
TABLE = "diez_table1"
LEVEL = 0.05
MARKS = (0.05, 0.01)
PRINTED_RUNS = 20
ROUNDING = 1e-9
MOST_GROWTH = {"n": 1.2, "r": 1.05}  # slopes of n log n at these sizes, and of r


@claim("D01", f"{TABLE}/summary", "published/diez_table1")
def cells_of_table_1(summary, published):
    ours = summary.assign(key=summary["dataset"].str.replace("_", ""))
    printed = published.assign(key=published["dataset"].str.lower())
    cells = ours.merge(printed, on=["key", "method"], suffixes=("", "_printed"))
    error = np.sqrt((100 * cells["sd"]) ** 2 / cells["n_runs"] + cells["sd_swapped_pct"] ** 2 / PRINTED_RUNS)
    verdict, counts = agreement(100 * cells["mean"] - cells["mean_swapped_pct"], error)
    return Finding(
        verdict, counts, "36 cells", "Each mean of ours against the printed one; both have errors of their own."
    )


def _against(opponent, *frames):
    """Return the row of an opponent of each frame."""
    return [some(frame[frame["opponent"] == opponent], opponent).iloc[0] for frame in frames]


def _tally(overall, opponent):
    (row,) = _against(opponent, overall)
    return row, f"{row['wins']}/{row['ties']}/{row['losses']} wins/ties/losses on {row['n_datasets']} data sets"


def _wins(overall, published, opponent):
    """Judge that the direct method has the lower mean on most data sets, and say which count is printed."""
    row, ours = _tally(overall, opponent)
    _, printed = _tally(published, opponent)
    verdict = HOLDS if row["wins"] > row["losses"] else FAILS if row["wins"] < row["losses"] else MIXED
    return Finding(
        verdict, ours, printed, "More data sets with a lower mean than with a higher one, as the paper has it."
    )


@claim("D02", f"{TABLE}/overall", "published/diez_overall")
def lower_means_than_ordinal_regression(overall, published):
    return _wins(overall, published, "svor5")


@claim("D04", f"{TABLE}/overall", "published/diez_overall")
def lower_means_than_thinned_pairs(overall, published):
    return _wins(overall, published, "herbrich5")


def _significant(per_dataset, published, opponent):
    """Judge that most wins are significant by the plain paired t-test, and say what the corrected one leaves."""
    cells = some(per_dataset[per_dataset["method"] == opponent], opponent)
    wins = cells[cells["mean_difference"] > 0]
    plain, corrected = (int((wins[column] < LEVEL).sum()) for column in ("t_p", "corrected_p"))
    (printed,) = _against(opponent, published)
    verdict = FAILS if not plain else HOLDS if plain > len(wins) / 2 else MIXED
    return Finding(
        verdict,
        f"{plain} of {len(wins)} wins significant at 0.05; {corrected} with Nadeau and Bengio's correction",
        f"{printed['significant_wins']} of {printed['wins']} wins",
        "Paired t-tests over the hold-outs, as printed. They take overlapping hold-outs for independent; the corrected "
        "test does not.",
    )


@claim("D03", f"{TABLE}/per_dataset", "published/diez_overall")
def significant_wins_over_ordinal_regression(per_dataset, published):
    return _significant(per_dataset, published, "svor5")


@claim("D05", f"{TABLE}/per_dataset", "published/diez_overall")
def significant_wins_over_thinned_pairs(per_dataset, published):
    return _significant(per_dataset, published, "herbrich5")


@claim("D06", f"{TABLE}/per_dataset")
def no_loss_is_significant(per_dataset):
    losses = per_dataset[per_dataset["mean_difference"] < 0]
    significant = losses[losses["t_p"] < LEVEL]
    verdict = HOLDS if significant.empty else FAILS
    names = ", ".join(f"{row.dataset} against {row.method}" for row in significant.itertuples())
    return Finding(
        verdict,
        f"{len(significant)} of {len(losses)} losses significant" + (f": {names}" if names else ""),
        "0 of 6 losses",
        "Paired t-tests at 0.05 on the data sets where the direct method has the higher mean.",
    )


def _across(overall, published, opponent):
    """Judge the one-sided paired t-test on the means of the data sets."""
    row, printed = _against(opponent, overall, published)
    p = row["p_one_sided"]
    verdict = HOLDS if p < LEVEL else FAILS if p > 1 - LEVEL else INCONCLUSIVE
    return Finding(
        verdict,
        f"p = {p:.2g}, mean difference {100 * row['mean_difference']:.2f} points on {row['n_datasets']} data sets",
        f"p = {printed['ttest_p_published']}",
        "One-sided paired t-test on the means of the data sets; it holds if p < 0.05, whatever its exact value.",
    )


@claim("D07", f"{TABLE}/overall", "published/diez_overall")
def better_than_ordinal_regression_over_all_sets(overall, published):
    return _across(overall, published, "svor5")


@claim("D08", f"{TABLE}/overall", "published/diez_overall")
def better_than_thinned_pairs_over_all_sets(overall, published):
    return _across(overall, published, "herbrich5")


@claim("D09", "diez_sensitivity/overall")
def directly_optimised_swapped_pairs_are_better(overall):
    """The sign of the whole, under every protocol that the text allows: scaling x coding of nominals x bin rule."""
    against_bins = some(overall[overall["opponent"].isin(["svor5", "svor5_split"])], "ordinal regression")
    against_pairs = some(overall[overall["opponent"] == "herbrich5"], "thinned pairs")
    shares = [(len(rows), int((rows["p_one_sided"] < LEVEL).sum())) for rows in (against_bins, against_pairs)]
    n, good = sum(n for n, _ in shares), sum(good for _, good in shares)
    worse = int((overall["mean_difference"] < 0).sum())
    verdict = HOLDS if good == n else FAILS if worse == n else MIXED
    texts = [f"{good} of {n} {what}" for (n, good), what in zip(shares, ("against SVOR_5", "against Herbrich_5"))]
    return Finding(
        verdict,
        f"one-sided p < 0.05 under {', '.join(texts)} protocols",
        "p = 0.020 and 0.011 under one protocol, not stated",
        "Every combination of scaling, coding of nominal attributes and bin rule that the text allows: the conclusion "
        "should not depend on what the paper leaves open.",
    )


@claim("D10", f"{TABLE}/per_dataset", "published/diez_table1")
def pattern_of_marks(per_dataset, published):
    ours = per_dataset.assign(key=per_dataset["dataset"].str.replace("_", ""))
    printed = published[published["method"] != OURS].assign(key=published["dataset"].str.lower())
    cells = some(ours.merge(printed, on=["key", "method"], suffixes=("", "_printed")), "a printed cell")
    same = pd.DataFrame({level: _marked(cells, level) == (cells["significance"] <= level) for level in MARKS})
    differ = ", ".join(f"{row.dataset} {row.method}" for row in cells[~same.all(axis=1)].itertuples())
    verdict = HOLDS if same.all(axis=None) else FAILS if same.mean().min() < 0.5 else MIXED
    counts = [f"{same[level].sum()} of {len(same)} cells at {level}" for level in MARKS]
    n_printed = [int((cells["significance"] <= level).sum()) for level in MARKS]
    return Finding(
        verdict,
        f"as printed, marked or not, {' and '.join(counts)}" + (f"; not at both: {differ}" if differ else ""),
        f"{n_printed[0]} marks at 0.05, {n_printed[1]} of them at 0.01, on {len(cells)} cells",
        "A mark is a paired t-test of 20 other hold-outs: cells near a level change with the draw. It holds if every "
        "cell is as printed at both levels, and fails if fewer than half are at one.",
    )


def _marked(cells, level):
    """Return where the direct method is better with a p below the level."""
    return (cells["t_p"] < level) & (cells["mean_difference"] > 0)


@claim("D11", "diez_theory/oracle_growth")
def oracle_is_exact_and_fast(growth):
    """Lemma 1: exact on every small problem, and no faster growth than n log n in n and linear in r."""
    trials, *times = (some(growth[growth["part"] == part], part) for part in ("trial", "n", "r"))
    wrong = int((trials["differing"] > 0).sum())
    slopes = {part: slope(rows[part], rows["seconds"]) for part, rows in zip(("n", "r"), times)}
    slow = [part for part, fitted in slopes.items() if fitted.low > MOST_GROWTH[part]]
    return Finding(
        FAILS if wrong or slow else HOLDS,
        f"{len(trials) - wrong} of {len(trials)} small problems exact; log-log slopes of the seconds: "
        f"{slopes['n'].text()} against n, {slopes['r'].text()} against r",
        "max(O(n log n), O(n r))",
        "Algorithm 2 as printed against every pair; a slope contradicts the lemma if its interval lies above 1.2 for "
        "n, because of the logarithm, or above 1.05 for r.",
    )


@claim("D12", "diez_theory/count_vectors")
def loss_and_features_come_from_two_count_vectors(trials):
    worst = trials[["loss_error", "psi_error"]].max().max()
    return Finding(
        HOLDS if worst <= ROUNDING else FAILS,
        f"largest error {worst:.1g} in {len(trials)} random problems",
        "equality",
        "Equations 15 to 19 from the two vectors against the sums over all pairs of equations 11 to 14.",
    )


@claim("D13", "diez_theory/count_vectors")
def two_classes_are_the_area_under_the_roc_curve(trials):
    untied, tied = (some(trials[trials["tied"] == ties], f"ties {ties}") for ties in (False, True))
    worst, with_ties = untied["auc_error"].max(), tied["auc_error"].max()
    exact = max(worst, trials["strict_error"].max()) <= ROUNDING
    return Finding(
        HOLDS if exact else FAILS,
        f"largest difference {worst:.1g} in {len(untied)} problems without ties; with ties up to {with_ties:.2g}",
        "the same problem",
        "1 - AUC of scikit-learn; with ties across the classes the loss counts a tie as a whole error and the area as "
        "half of one, so they are the same only up to ties.",
    )


@claim("D14", "diez_theory/problem_growth")
def all_pairs_become_intractable(growth):
    """Size is a matter of counting; whether it is intractable is one of seconds."""
    last = growth[growth["n"] == growth["n"].max()]
    size, kept = (slope(growth["n"], growth[column]) for column in ("pair_bytes", "direct_bytes"))
    grows = size.low > 1.8 and kept.high < 1.2
    slower = bool((last["pairs_seconds"] > 10 * last["direct_seconds"]).all())
    ratio = last["pairs_seconds"] / last["direct_seconds"]
    return Finding(
        HOLDS if grows and slower else FAILS if not grows else MIXED,
        f"bytes of all pairs grow as n^{size.mean:.2f}, of one plane as n^{kept.mean:.2f}; at n = {growth['n'].max()} "
        f"all pairs take {last['pairs_seconds'].max():.2g} s, {ratio.min():.1f} to {ratio.max():.1f} times the direct "
        "method's seconds",
        "order n squared, intractable",
        "The order is counted; intractable is read as at least ten times the direct method's seconds at the largest "
        "size tried, with a compiled solver for both.",
    )


@claim("D15", "diez_theory/problem_growth")
def as_many_ranks_as_examples_are_n_squared_constraints(growth):
    fitted = slope(growth["n"], growth["threshold_rows"])
    return Finding(
        HOLDS if 1.9 < fitted.mean < 2.1 else FAILS,
        f"rows grow as n^{fitted.mean:.3f}, {growth['threshold_rows'].max():,} at n = {growth['n'].max()}",
        "order n squared",
        "Rows of implicit ordinal regression with r = n, counted.",
    )


@claim("D16", "diez_theory/problem_growth")
def few_constraints_are_added(growth):
    """A polynomial bound cannot be refuted by counting; growth faster than linear in n would speak against it."""
    slopes = {tol: slope(rows["n"], rows["planes"]) for tol, rows in growth.groupby("tol")}
    most = max(slopes.values(), key=lambda fitted: fitted.mean)
    return Finding(
        HOLDS if all(fitted.low < 1 for fitted in slopes.values()) else FAILS,
        f"{growth['planes'].min():.0f} to {growth['planes'].max():.0f} planes for n = {growth['n'].min()} to "
        f"{growth['n'].max()}; steepest log-log slope {most.text()}",
        "polynomially many",
        "Planes that Algorithm 1 added at each tolerance, the loss weighted by the mean over pairs; it fails if they "
        "grow at least linearly in n.",
    )


@claim("D17", "diez_theory/slack_bound")
def slack_bounds_the_rank_deviation(trials):
    below = int((trials["slack_sum"] < trials["deviation"] - ROUNDING * (1 + trials["deviation"])).sum())
    ratio = (trials["deviation"] / trials["slack_sum"]).max()
    return Finding(
        FAILS if below else HOLDS,
        f"{len(trials) - below} of {len(trials)} fits with a slack sum at least the deviation; the deviation reaches "
        f"{100 * ratio:.0f} percent of it",
        "upper bound",
        "Implicit ordinal regression on random training data, three values of C.",
    )
