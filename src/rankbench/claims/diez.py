"""Claims D01 to D17 of Diez, del Coz, Bahamonde."""

import numpy as np
from scipy import stats

from .evidence import agreement, share, slope, some
from .rows import Measured, Row, add, always, near
from .verdict import EXACT, FAILS, HOLDS, INCONCLUSIVE, MIXED, Finding, claim

OURS = "svm_multi_sp"
TABLE = "diez_table1"
MARKS = (0.05, 0.01)
PRINTED_RUNS = 20


def beside(summary, published):
    """Return our cells of Table 1 with the printed ones; ``difference`` and ``error`` in points."""
    ours = summary.assign(key=summary["dataset"].str.replace("_", ""))
    printed = published.assign(key=published["dataset"].str.lower())
    cells = ours.merge(printed, on=["key", "method"], suffixes=("", "_printed"))
    error = np.sqrt((100 * cells["sd"]) ** 2 / cells["n_runs"] + cells["sd_swapped_pct"] ** 2 / PRINTED_RUNS)
    return cells.assign(difference=100 * cells["mean"] - cells["mean_swapped_pct"], error=error)


@claim("D01", f"{TABLE}/summary", "published/diez_table1")
def cells_of_table_1(summary, published, *, errors=2.0, off=0.1, wrong=0.5, chance=0.05):
    """Cell by cell, and as a whole: a table that agrees has a chi-squared of about its number of cells."""
    cells = some(beside(summary, published), "a printed cell")
    verdict, counts, effect = agreement(cells["difference"], cells["error"], errors=errors, off=off, wrong=wrong)
    z = (cells["difference"] / cells["error"]).dropna()
    chi2 = float((z**2).sum())
    p = stats.chi2.sf(chi2, len(z))
    if verdict == HOLDS and p < chance:
        verdict = MIXED
    least = cells.groupby("dataset")["error"].max() * (stats.norm.ppf(0.975) + stats.norm.ppf(0.8))
    blunt = ", ".join(f"{name} {size:.1f}" for name, size in least.sort_values().items())
    return Finding(
        verdict,
        f"{counts}; all cells together: chi-squared {chi2:.0f} on {len(z)}, p = {p:.2g}, mean {z.mean():+.2f} standard "
        f"errors; smallest differences that 8 of 10 tries would show, in points: {blunt}",
        "36 cells",
        "Each mean of ours against the printed one; both have errors of their own. It does not hold where all cells "
        f"together reject the printed table (chi-squared, {chance:g}).",
        effect,
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
    why = "More data sets with a lower mean than with a higher one, as the paper has it."
    return Finding(verdict, ours, printed, why, f"wins {share(row['wins'], row['n_datasets'])}")


@claim("D02", f"{TABLE}/overall", "published/diez_overall")
def lower_means_than_ordinal_regression(overall, published):
    return _wins(overall, published, "svor5")


@claim("D04", f"{TABLE}/overall", "published/diez_overall")
def lower_means_than_thinned_pairs(overall, published):
    return _wins(overall, published, "herbrich5")


def _significant(per_dataset, published, disjoint, opponent, level, most):
    """Judge that most wins are significant by the plain paired t-test, and say what other tests leave of them."""
    cells = some(per_dataset[per_dataset["method"] == opponent], opponent)
    wins = cells[cells["mean_difference"] > 0]
    left = {column: int((wins[column] < level).sum()) for column in ("t_p", "holm_p", "bh_p", "corrected_p")}
    n_correctable = int(wins["corrected_p"].notna().sum())
    apart = some(disjoint[disjoint["method"] == opponent], opponent)
    without = ", ".join(f"{row.dataset} t = {row.t:.1f}" for row in apart.itertuples())
    (printed,) = _against(opponent, published)
    plain = left["t_p"]
    verdict = FAILS if not plain else HOLDS if plain > most * len(wins) else MIXED
    return Finding(
        verdict,
        f"{plain} of {len(wins)} wins significant at {level:g}; after Holm {left['holm_p']}, Benjamini-Hochberg "
        f"{left['bh_p']}; with Nadeau and Bengio's correction {left['corrected_p']} of the {n_correctable} where the "
        f"test part is no larger than the training part; training sets without a common row: {without}",
        f"{printed['significant_wins']} of {printed['wins']} wins",
        "Paired t-tests over the hold-outs, as printed; p values adjusted over both opponents and all sets. They take "
        "overlapping hold-outs for independent; the correction is for training sets that share most rows, and the "
        "three large sets were run again on training sets that share none (diez_disjoint).",
        f"significant {share(plain, len(wins))}" if len(wins) else "no wins",
    )


@claim("D03", f"{TABLE}/per_dataset", "published/diez_overall", "diez_disjoint/per_dataset")
def significant_wins_over_ordinal_regression(per_dataset, published, disjoint, *, level=0.05, most=0.5):
    return _significant(per_dataset, published, disjoint, "svor5", level, most)


@claim("D05", f"{TABLE}/per_dataset", "published/diez_overall", "diez_disjoint/per_dataset")
def significant_wins_over_thinned_pairs(per_dataset, published, disjoint, *, level=0.05, most=0.5):
    return _significant(per_dataset, published, disjoint, "herbrich5", level, most)


@claim("D06", f"{TABLE}/per_dataset")
def no_loss_is_significant(per_dataset, *, level=0.05):
    """Without a loss it holds by itself."""
    losses = per_dataset[per_dataset["mean_difference"] < 0]
    significant = losses[losses["t_p"] < level]
    verdict = HOLDS if significant.empty else FAILS
    names = ", ".join(f"{row.dataset} against {row.method}" for row in significant.itertuples())
    return Finding(
        verdict,
        f"{len(significant)} of {len(losses)} losses significant" + (f": {names}" if names else ""),
        "0 of 6 losses",
        f"Paired t-tests at {level:g} on the data sets where the direct method has the higher mean.",
        f"significant {share(len(significant), len(losses))}" if len(losses) else "no losses",
    )


def _across(overall, published, opponent, level):
    """Judge the one-sided paired t-test on the means of the data sets."""
    row, printed = _against(opponent, overall, published)
    p, n = row["p_one_sided"], int(row["n_datasets"])
    verdict = HOLDS if p < level else FAILS if p > 1 - level else INCONCLUSIVE
    mean = 100 * row["mean_difference"]
    half = abs(mean / row["t"]) * stats.t.ppf(0.975, n - 1) if row["t"] else np.nan
    return Finding(
        verdict,
        f"p = {p:.2g}, mean difference {mean:.2f} points on {n} data sets",
        f"p = {printed['ttest_p_published']}",
        f"One-sided paired t-test on the means of the data sets; it holds if p < {level:g}, whatever its exact value, "
        f"and fails if p > {1 - level:g}.",
        f"{mean:.2f} [{mean - half:.2f}, {mean + half:.2f}] points",
    )


@claim("D07", f"{TABLE}/overall", "published/diez_overall")
def better_than_ordinal_regression_over_all_sets(overall, published, *, level=0.05):
    return _across(overall, published, "svor5", level)


@claim("D08", f"{TABLE}/overall", "published/diez_overall")
def better_than_thinned_pairs_over_all_sets(overall, published, *, level=0.05):
    return _across(overall, published, "herbrich5", level)


@claim("D09", "diez_sensitivity/overall")
def directly_optimised_swapped_pairs_are_better(overall, *, level=0.05):
    """The sign of the whole, under every protocol that the text allows: scaling x coding of nominals x bin rule."""
    against_bins = some(overall[overall["opponent"].isin(["svor5", "svor5_split"])], "ordinal regression")
    against_pairs = some(overall[overall["opponent"] == "herbrich5"], "thinned pairs")
    shares = [(len(rows), int((rows["p_one_sided"] < level).sum())) for rows in (against_bins, against_pairs)]
    n, good = sum(n for n, _ in shares), sum(good for _, good in shares)
    worse = int((overall["mean_difference"] < 0).sum())
    verdict = HOLDS if good == n else FAILS if worse == n else MIXED
    texts = [f"{good} of {n} {what}" for (n, good), what in zip(shares, ("against SVOR_5", "against Herbrich_5"))]
    return Finding(
        verdict,
        f"one-sided p < {level:g} under {', '.join(texts)} protocols",
        "p = 0.020 and 0.011 under one protocol, not stated",
        "Every combination of scaling, coding of nominal attributes and bin rule that the text allows: the conclusion "
        "should not depend on what the paper leaves open.",
        f"significant {share(good, n)}",
    )


@claim("D10", f"{TABLE}/per_dataset", "published/diez_table1")
def pattern_of_marks(per_dataset, published, *, level=0.05):
    """No rerun has the same marks: ours are compared with what a rerun of our own protocol would repeat of ours."""
    ours = per_dataset.assign(key=per_dataset["dataset"].str.replace("_", ""))
    printed = published[published["method"] != OURS].assign(key=published["dataset"].str.lower())
    cells = some(ours.merge(printed, on=["key", "method"], suffixes=("", "_printed")).dropna(subset="t"), "a cell")
    marks = _marks(cells["t"], cells["n_pairs"])
    theirs = np.select([cells["significance"] <= 0.01, cells["significance"] <= 0.05], [2, 1], 0)
    same, again = int((marks == theirs).sum()), _repeated(cells["t"].to_numpy(), cells["n_pairs"].to_numpy(), marks)
    cumulative = np.cumsum(again)
    low, high = (int(np.searchsorted(cumulative, q)) for q in (level / 2, 1 - level / 2))
    differ = ", ".join(f"{row.dataset} {row.method}" for row in cells[marks != theirs].itertuples())
    return Finding(
        HOLDS if same >= low else FAILS,
        f"{same} of {len(cells)} cells have the printed mark" + (f"; others: {differ}" if differ else ""),
        "marks at 0.05 and 0.01 on 24 cells",
        f"A rerun of our own protocol would repeat {low} to {high} of our marks ({100 * (1 - level):g} percent; each t "
        "moves by sqrt(2) standard errors). It holds if the printed table repeats as many, and fails below.",
        f"same mark {share(same, len(cells))}",
    )


def _marks(t, n):
    """Return 2 where the direct method is better at 0.01, 1 at 0.05, else 0, from paired t values."""
    critical = [stats.t.ppf(1 - level / 2, np.asarray(n) - 1) for level in MARKS]
    return sum((np.asarray(t) > value).astype(int) for value in critical)


def _repeated(t, n, marks):
    """Return the distribution of how many marks a rerun repeats: each t is normal about ours with variance 2."""
    edges = [stats.t.ppf(1 - level / 2, n - 1) for level in MARKS]
    below = [stats.norm.cdf((edge - t) / np.sqrt(2)) for edge in edges]
    chances = np.select([marks == 0, marks == 1], [below[0], below[1] - below[0]], 1 - below[1])
    counts = np.ones(1)
    for chance in chances:
        counts = np.convolve(counts, [1 - chance, chance])
    return counts


@claim("D11", "diez_theory/oracle_growth", basis=EXACT)
def oracle_is_exact_and_fast(growth, *, in_n=1.2, in_r=1.05):
    """Lemma 1: exact on every small problem, and no faster growth than n log n in n and linear in r."""
    trials, *times = (some(growth[growth["part"] == part], part) for part in ("trial", "n", "r"))
    wrong = int((trials["differing"] > 0).sum())
    slopes = {part: slope(rows[part], rows["seconds"]) for part, rows in zip(("n", "r"), times)}
    slow = slopes["n"].low > in_n or slopes["r"].low > in_r
    return Finding(
        FAILS if wrong or slow else HOLDS,
        f"{len(trials) - wrong} of {len(trials)} small problems exact; log-log slopes of the seconds: "
        f"{slopes['n'].text()} against n, {slopes['r'].text()} against r",
        "max(O(n log n), O(n r))",
        f"Algorithm 2 as printed against every pair; a slope contradicts the lemma if its interval lies above {in_n:g} "
        f"for n, because of the logarithm, or above {in_r:g} for r.",
        f"exact {share(len(trials) - wrong, len(trials))}",
    )


@claim("D14", "diez_theory/problem_growth")
def all_pairs_become_intractable(growth, *, apart=0.4):
    """Bytes are counted and decide; seconds are told with their slopes, for they hang on machine and solver."""
    kept = {name: slope(growth["n"], growth[f"{name}_bytes"]) for name in ("pair", "direct")}
    seconds = {name: slope(growth["n"], growth[f"{name}_seconds"]) for name in ("pairs", "direct")}
    gap = kept["pair"].mean - kept["direct"].mean
    quadratic, linear = abs(kept["pair"].mean - 2) <= apart, abs(kept["direct"].mean - 1) <= apart
    last = growth[growth["n"] == growth["n"].max()]
    ratio = last["pairs_seconds"] / last["direct_seconds"]
    return Finding(
        HOLDS if quadratic and linear else FAILS if gap < apart else MIXED,
        f"bytes of all pairs grow as n^{kept['pair'].mean:.2f}, of one plane as n^{kept['direct'].mean:.2f}; seconds "
        f"as n^{seconds['pairs'].text()} and n^{seconds['direct'].text()}; at n = {growth['n'].max()} all pairs take "
        f"{ratio.min():.1f} to {ratio.max():.1f} times the direct method's seconds",
        "order n squared, intractable",
        "Judged by the bytes, quadratic against linear; it fails if all pairs grow no faster. Seconds are told and do "
        "not decide: with a compiled solver all pairs are the faster way at the paper's sizes.",
        f"slopes {kept['pair'].text()} and {kept['direct'].text()}",
    )


@claim("D16", "diez_theory/problem_growth", basis=EXACT)
def few_constraints_are_added(growth, *, growth_in_n=1.0):
    """A polynomial bound cannot be refuted by counting; growth faster than linear in n would speak against it."""
    slopes = {tol: slope(rows["n"], rows["planes"]) for tol, rows in growth.groupby("tol")}
    most = max(slopes.values(), key=lambda fitted: fitted.mean)
    return Finding(
        HOLDS if all(fitted.low < growth_in_n for fitted in slopes.values()) else FAILS,
        f"{growth['planes'].min():.0f} to {growth['planes'].max():.0f} planes for n = {growth['n'].min()} to "
        f"{growth['n'].max()}; steepest log-log slope {most.text()}",
        "polynomially many",
        "Planes that Algorithm 1 added at each tolerance, the loss weighted by the mean over pairs; it fails if they "
        "grow at least linearly in n.",
        f"slope {most.text()}",
    )


def _two_counts(trials):
    errors = trials[["loss_error", "psi_error"]].max(axis=1)
    return Measured(errors, f"largest error {errors.max():.1g}; equal {{counts}}")


def _area(trials):
    untied, tied = (some(trials[trials["tied"] == ties], f"ties {ties}") for ties in (False, True))
    strict, with_ties = trials["strict_error"].max(), tied["auc_error"].max()
    said = f"largest difference {max(untied['auc_error'].max(), strict):.1g}, equal {{counts}} without ties; with ties "
    return Measured([*untied["auc_error"], strict], f"{said}across the classes up to {with_ties:.2g}")


def _threshold_rows(growth):
    fitted = slope(growth["n"], growth["threshold_rows"])
    said = f"rows grow as n^{fitted.text(3)}, {growth['threshold_rows'].max():,} at n = {growth['n'].max()}"
    return Measured({"rows": fitted.plus(-2)}, said)


def _slack(trials):
    over = (trials["deviation"] - trials["slack_sum"]) / (1 + trials["deviation"])
    ratio = (trials["deviation"] / trials["slack_sum"]).max()
    return Measured(
        over, f"the deviation is at most the slack sum {{counts}}, and reaches {100 * ratio:.0f} percent of it"
    )


add(
    Row(
        "D12",
        ("diez_theory/count_vectors",),
        _two_counts,
        always,
        {"same": 1e-9},
        "Equations 15 to 19 from the two vectors against the sums over all pairs of equations 11 to 14.",
        "equality",
        "equal",
        basis=EXACT,
    ),
    Row(
        "D13",
        ("diez_theory/count_vectors",),
        _area,
        always,
        {"same": 1e-9},
        "1 - AUC of scikit-learn. With ties across the classes the loss counts a tie as a whole error and the area as "
        "half of one, so they are the same only up to ties; the last case is the strict loss against that area.",
        "the same problem",
        "equal",
        basis=EXACT,
    ),
    Row(
        "D15",
        ("diez_theory/problem_growth",),
        _threshold_rows,
        near,
        {"margin": 0.1},
        "Rows of implicit ordinal regression with r = n, counted: n (n - 1) by definition. Quadratic: the slope is 2 "
        "within {margin:g}.",
        "order n squared",
        "slope minus 2",
        3,
        basis=EXACT,
    ),
    Row(
        "D17",
        ("diez_theory/slack_bound",),
        _slack,
        always,
        {"same": 1e-9},
        "Implicit ordinal regression on random training data, three values of C.",
        "upper bound",
        "bounded",
        basis=EXACT,
    ),
)
