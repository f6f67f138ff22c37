"""Claims D01 to D17 of Diez, del Coz, Luaces, Bahamonde."""

import numpy as np

from .evidence import agreement
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, Finding, claim

OURS = "svm_multi_sp"
TABLE = "diez_table1"
LEVEL = 0.05
PRINTED_RUNS = 20


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


def _tally(overall, opponent):
    row = overall[overall["opponent"] == opponent].iloc[0]
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
    cells = per_dataset[per_dataset["method"] == opponent]
    wins = cells[cells["mean_difference"] > 0]
    plain, corrected = (int((wins[column] < LEVEL).sum()) for column in ("t_p", "corrected_p"))
    printed = published[published["opponent"] == opponent].iloc[0]
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
    row, printed = (frame[frame["opponent"] == opponent].iloc[0] for frame in (overall, published))
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
    against_bins = overall[overall["opponent"].isin(["svor5", "svor5_split"])]
    against_pairs = overall[overall["opponent"] == "herbrich5"]
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
    cells = ours.merge(printed, on=["key", "method"], suffixes=("", "_printed"))
    marked = (cells["t_p"] < LEVEL) & (cells["mean_difference"] > 0)
    same = marked == (cells["significance"].fillna(0).astype(float) > 0)
    differ = ", ".join(f"{row.dataset} {row.method}" for row in cells[~same].itertuples())
    verdict = HOLDS if same.all() else FAILS if same.mean() < 0.5 else MIXED
    return Finding(
        verdict,
        f"{same.sum()} of {len(same)} cells with the same mark at 0.05" + (f"; not: {differ}" if differ else ""),
        "13 marks on 24 cells",
        "A mark is a paired t-test of 20 other hold-outs: cells near the level change with the draw.",
    )
