"""The claims D01 to D17 of Díez, del Coz and Bahamonde."""

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
    """Return our cells of Table 1 with the printed ones, the ``difference`` and its standard ``error`` in points."""
    ours = summary.assign(key=summary["dataset"].str.replace("_", ""))
    printed = published.assign(key=published["dataset"].str.lower())
    cells = ours.merge(printed, on=["key", "method"], suffixes=("", "_printed"))
    error = np.sqrt((100 * cells["sd"]) ** 2 / cells["n_runs"] + cells["sd_swapped_pct"] ** 2 / PRINTED_RUNS)
    return cells.assign(difference=100 * cells["mean"] - cells["mean_swapped_pct"], error=error)


@claim("D01", f"{TABLE}/summary", "published/diez_table1")
def cells_of_table_1(summary, published, *, errors=2.0, off=0.1, wrong=0.5, chance=0.05):
    """Compare cell by cell and as a whole: if two tables agree, chi-squared is about the number of their cells."""
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
        f"{counts}; all cells together: chi-squared {chi2:.0f} on {len(z)} cells, p = {p:.2g}, mean {z.mean():+.2f} "
        f"standard errors; smallest differences that 8 of 10 reruns would detect, in points: {blunt}",
        "36 cells",
        "Each of our means is compared with the printed one; both have a standard error. The claim does not hold if "
        f"all cells together reject the printed table (chi-squared test at {chance:g}).",
        effect,
    )


def _against(opponent, *frames):
    """Return the row of an opponent in each of the frames."""
    return [some(frame[frame["opponent"] == opponent], opponent).iloc[0] for frame in frames]


def _tally(overall, opponent):
    (row,) = _against(opponent, overall)
    return row, f"{row['wins']}/{row['ties']}/{row['losses']} wins/ties/losses on {row['n_datasets']} data sets"


def _wins(overall, published, opponent):
    """Judge whether the direct method has the lower mean on more data sets than its opponent has."""
    row, ours = _tally(overall, opponent)
    _, printed = _tally(published, opponent)
    verdict = HOLDS if row["wins"] > row["losses"] else FAILS if row["wins"] < row["losses"] else MIXED
    why = "The claim holds if the direct method has the lower mean on more data sets than its opponent."
    return Finding(verdict, ours, printed, why, f"wins {share(row['wins'], row['n_datasets'])}")


@claim("D02", f"{TABLE}/overall", "published/diez_overall")
def lower_means_than_ordinal_regression(overall, published):
    return _wins(overall, published, "svor5")


@claim("D04", f"{TABLE}/overall", "published/diez_overall")
def lower_means_than_thinned_pairs(overall, published):
    return _wins(overall, published, "herbrich5")


def _significant(per_dataset, published, disjoint, opponent, level, most):
    """Judge whether most wins are significant by the plain paired t-test, and say how many are so by other tests."""
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
        f"{plain} of {len(wins)} wins are significant at {level:g}; if adjusted by Holm {left['holm_p']}, by "
        f"Benjamini-Hochberg {left['bh_p']}; with Nadeau and Bengio's correction {left['corrected_p']} of the "
        f"{n_correctable} whose test part is no larger than the training part; on training sets without a common row: "
        f"{without}",
        f"{printed['significant_wins']} of {printed['wins']} wins",
        "Paired t-tests over the hold-outs, as in the paper; the p values are adjusted over both opponents and all "
        "data sets. These tests treat overlapping hold-outs as independent. The correction is for training sets that "
        "share most rows, and the three large data sets were run again on training sets that share none "
        "(diez_disjoint).",
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
    """The claim holds if there are no losses."""
    losses = per_dataset[per_dataset["mean_difference"] < 0]
    significant = losses[losses["t_p"] < level]
    verdict = HOLDS if significant.empty else FAILS
    names = ", ".join(f"{row.dataset} against {row.method}" for row in significant.itertuples())
    return Finding(
        verdict,
        f"{len(significant)} of {len(losses)} losses are significant" + (f": {names}" if names else ""),
        "0 of 6 losses",
        f"Paired t-tests at {level:g} on the data sets where the direct method has the higher mean.",
        f"significant {share(len(significant), len(losses))}" if len(losses) else "no losses",
    )


def _across(overall, published, opponent, level):
    """Judge by the one-sided paired t-test on the means of the data sets."""
    row, printed = _against(opponent, overall, published)
    p, n = row["p_one_sided"], int(row["n_datasets"])
    verdict = HOLDS if p < level else FAILS if p > 1 - level else INCONCLUSIVE
    mean = 100 * row["mean_difference"]
    half = abs(mean / row["t"]) * stats.t.ppf(0.975, n - 1) if row["t"] else np.nan
    return Finding(
        verdict,
        f"p = {p:.2g}, mean difference {mean:.2f} points on {n} data sets",
        f"p = {printed['ttest_p_published']}",
        f"One-sided paired t-test on the means of the data sets. The claim holds if p < {level:g}, whatever the exact "
        f"value, and fails if p > {1 - level:g}.",
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
    """The overall result under every protocol that the paper's text allows: scaling x coding of nominals x bin rule."""
    against_bins = some(overall[overall["opponent"].isin(["svor5", "svor5_split"])], "ordinal regression")
    against_pairs = some(overall[overall["opponent"] == "herbrich5"], "thinned pairs")
    shares = [(len(rows), int((rows["p_one_sided"] < level).sum())) for rows in (against_bins, against_pairs)]
    n, good = sum(n for n, _ in shares), sum(good for _, good in shares)
    worse = int((overall["mean_difference"] < 0).sum())
    verdict = HOLDS if good == n else FAILS if worse == n else MIXED
    texts = [f"{good} of {n} protocols against {name}" for (n, good), name in zip(shares, ("SVOR_5", "Herbrich_5"))]
    return Finding(
        verdict,
        f"one-sided p < {level:g} under {' and '.join(texts)}",
        "p = 0.020 and 0.011 under one protocol, which the paper does not state",
        "We ran every combination of scaling, coding of nominal attributes and bin rule that the paper's text allows, "
        "because the conclusion should not depend on what the paper leaves open.",
        f"significant {share(good, n)}",
    )


@claim("D10", f"{TABLE}/per_dataset", "published/diez_table1")
def pattern_of_marks(per_dataset, published, *, level=0.05):
    """No rerun gives all marks again, so the printed table is judged like a rerun of our own protocol."""
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
        f"{same} of {len(cells)} cells have the printed mark" + (f"; these have another: {differ}" if differ else ""),
        "marks at 0.05 and 0.01 on 24 cells",
        f"A rerun of our own protocol would repeat {low} to {high} of our marks ({100 * (1 - level):g} percent "
        "interval; each t value varies by sqrt(2) standard errors). The claim holds if the printed table has at least "
        f"{low} of our marks, and fails if it has fewer.",
        f"same mark {share(same, len(cells))}",
    )


def _marks(t, n):
    """Return, from paired t values (n,), 2 where the direct method is better at level 0.01, 1 at 0.05, else 0."""
    critical = [stats.t.ppf(1 - level / 2, np.asarray(n) - 1) for level in MARKS]
    return sum((np.asarray(t) > value).astype(int) for value in critical)


def _repeated(t, n, marks):
    """Return the probabilities (n + 1,) that a rerun repeats 0 to n marks: each t is normal, with our t as its mean and
    variance 2."""
    edges = [stats.t.ppf(1 - level / 2, n - 1) for level in MARKS]
    below = [stats.norm.cdf((edge - t) / np.sqrt(2)) for edge in edges]
    chances = np.select([marks == 0, marks == 1], [below[0], below[1] - below[0]], 1 - below[1])
    counts = np.ones(1)
    for chance in chances:
        counts = np.convolve(counts, [1 - chance, chance])
    return counts


@claim("D11", "diez_theory/oracle_growth", basis=EXACT)
def oracle_is_exact_and_fast(growth, *, in_n=1.2, in_r=1.05):
    """Lemma 1: the oracle is exact, and its time grows no faster than n log n in n and linearly in r."""
    trials, *times = (some(growth[growth["part"] == part], part) for part in ("trial", "n", "r"))
    wrong = int((trials["differing"] > 0).sum())
    slopes = {part: slope(rows[part], rows["seconds"]) for part, rows in zip(("n", "r"), times)}
    slow = slopes["n"].low > in_n or slopes["r"].low > in_r
    return Finding(
        FAILS if wrong or slow else HOLDS,
        f"{len(trials) - wrong} of {len(trials)} small problems exact; log-log slopes of the seconds: "
        f"{slopes['n'].text()} against n, {slopes['r'].text()} against r",
        "max(O(n log n), O(n r))",
        "Algorithm 2 as printed, against a loop over all pairs. A slope contradicts the lemma if its interval lies "
        f"above {in_n:g} for n (more than 1 because of the logarithm) or above {in_r:g} for r.",
        f"exact {share(len(trials) - wrong, len(trials))}",
    )


@claim("D14", "diez_theory/problem_growth")
def all_pairs_become_intractable(growth, *, apart=0.4):
    """The bytes decide: they can be counted. Seconds are only reported: they depend on the machine and the solver."""
    kept = {name: slope(growth["n"], growth[f"{name}_bytes"]) for name in ("pair", "direct")}
    seconds = {name: slope(growth["n"], growth[f"{name}_seconds"]) for name in ("pairs", "direct")}
    gap = kept["pair"].mean - kept["direct"].mean
    quadratic, linear = abs(kept["pair"].mean - 2) <= apart, abs(kept["direct"].mean - 1) <= apart
    last = growth[growth["n"] == growth["n"].max()]
    ratio = last["pairs_seconds"] / last["direct_seconds"]
    return Finding(
        HOLDS if quadratic and linear else FAILS if gap < apart else MIXED,
        f"the bytes of all pairs grow as n^{kept['pair'].mean:.2f}, those of one cutting plane as "
        f"n^{kept['direct'].mean:.2f}; the seconds as n^{seconds['pairs'].text()} and n^{seconds['direct'].text()}; at "
        f"n = {growth['n'].max()} training on all pairs takes {ratio.min():.1f} to {ratio.max():.1f} times the seconds "
        "of the direct method",
        "order n squared, intractable",
        "Judged by the bytes, quadratic against linear; the claim fails if the bytes of all pairs do not grow faster. "
        "The seconds are reported but do not decide: with a compiled solver, training on all pairs is faster at the "
        "paper's sizes.",
        f"slopes {kept['pair'].text()} and {kept['direct'].text()}",
    )


@claim("D16", "diez_theory/problem_growth", basis=EXACT)
def few_constraints_are_added(growth, *, growth_in_n=1.0):
    """Counting cannot refute a polynomial bound, but growth faster than linear in n would be evidence against it."""
    slopes = {tol: slope(rows["n"], rows["planes"]) for tol, rows in growth.groupby("tol")}
    most = max(slopes.values(), key=lambda fitted: fitted.mean)
    return Finding(
        HOLDS if all(fitted.low < growth_in_n for fitted in slopes.values()) else FAILS,
        f"{growth['planes'].min():.0f} to {growth['planes'].max():.0f} planes for n = {growth['n'].min()} to "
        f"{growth['n'].max()}; steepest log-log slope {most.text()}",
        "polynomially many",
        "Cutting planes that Algorithm 1 added at each tolerance; C is the weight of the mean over pairs. The claim "
        "fails if their number grows at least linearly in n.",
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
        "Equations 15 to 19, which use the two vectors, against the sums over all pairs in equations 11 to 14.",
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
        "Against 1 - AUC of scikit-learn. If scores of different classes are tied, the loss counts a tie as one error "
        "and AUC counts it as half an error, so the two are the same only without such ties. The last case compares "
        "the loss, on all data, with the share of pairs that are not in strictly the right order.",
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
        "The rows of implicit ordinal regression with r = n are counted: n (n - 1) by definition. Quadratic means that "
        "the slope is 2 within {margin:g}.",
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
        "Implicit ordinal regression on random training data with three values of C.",
        "upper bound",
        "bounded",
        basis=EXACT,
    ),
)
