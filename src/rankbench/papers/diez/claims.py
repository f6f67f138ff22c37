"""The claims D01 to D17 of Díez, del Coz and Bahamonde."""

import numpy as np
from scipy import stats

from rankbench.claims.evidence import beyond, proportion, share, slope, some
from rankbench.claims.numbers import RERUNS, agreement, clearly, printed_again, range_of, reruns
from rankbench.claims.rows import Measured, Row, add, always, near
from rankbench.claims.verdict import EXACT, FAILS, HOLDS, INCONCLUSIVE, MIXED, NO_DIRECTION, Finding, Lacking, claim
from rankbench.papers.diez.printed import with_difference

OURS = "svm_multi_sp"
TABLE = "diez_table1"
MARKS = (0.05, 0.01)


def beside(frame, published):
    """Return our cells of Table 1, or their tests, with the printed ones, whose data sets have other names."""
    ours = frame.assign(key=frame["dataset"].str.replace("_", ""))
    printed = published.assign(key=published["dataset"].str.lower())
    return ours.merge(printed, on=["key", "method"], suffixes=("", "_printed"))


@claim("D01", f"{TABLE}/summary", "published/diez_table1")
def cells_of_table_1(summary, published, *, errors=2.0, off=0.1, chance=0.05):
    """Compare cell by cell and as a whole: if two tables agree, chi-squared is about the number of their cells."""
    cells = with_difference(some(beside(summary, published), "a printed cell"))
    limits = {"errors": errors, "off": off, "chance": chance}
    number, counts, agree = agreement(cells["difference"], cells["standard_error"], **limits)
    least = cells.groupby("dataset")["standard_error"].max() * (stats.norm.ppf(0.975) + stats.norm.ppf(0.8))
    blunt = ", ".join(f"{name} {size:.1f}" for name, size in least.sort_values().items())
    mean = (cells["difference"] / cells["standard_error"]).mean()
    return Finding(
        NO_DIRECTION,
        f"{counts}, mean {mean:+.2f} standard errors; smallest differences that 8 of 10 reruns would detect, in "
        f"points: {blunt}",
        "36 cells",
        "Each of our means is compared with the printed one; both have a standard error. The number fails if all cells "
        f"together reject the printed table (chi-squared test at {chance:g}).",
        number=number,
        difference=agree,
    )


def _against(opponent, per_dataset, *frames):
    """Return the cells of an opponent, t values and mean differences of reruns of them, and its row in each frame."""
    cells = some(per_dataset[per_dataset["method"] == opponent].dropna(subset="t"), opponent)
    rows = [some(frame[frame["opponent"] == opponent], opponent).iloc[0] for frame in frames]
    return cells, *reruns(cells), *rows


def _compared(*opponents):
    """Return the names of what D02 to D10 compare: the same two means on the same 12 data sets."""
    return frozenset(f"{OURS} and {opponent}" for opponent in opponents)


def _marks(t, n):
    """Return, from paired t values, 2 where the direct method is better at level 0.01, 1 at 0.05, else 0."""
    critical = [stats.t.ppf(1 - level / 2, np.asarray(n) - 1) for level in MARKS]
    return sum((np.asarray(t) > value).astype(int) for value in critical)


def _wins(opponent):
    """Return the function that judges whether the direct method has the lower mean on more data sets."""

    def judge(overall, per_dataset, published, *, level=0.05):
        _, _, differences, row, printed = _against(opponent, per_dataset, overall, published)
        wins = (differences > 0).sum(axis=1)
        ours, theirs = (
            f"{one['wins']}/{one['ties']}/{one['losses']} wins/ties/losses on {one['n_datasets']} data sets"
            for one in (row, printed)
        )
        low, high = range_of(wins, level)
        return Finding(
            clearly(wins - (differences < 0).sum(axis=1), 0, level),
            ours,
            theirs,
            "The statement holds if the direct method has the lower mean on more data sets than its opponent in all "
            f"but {level / 2:g} of the reruns. {RERUNS}",
            f"wins {row['wins']} of {row['n_datasets']}, in reruns {low:g} to {high:g}",
            *printed_again(printed["wins"], wins, level, "wins:"),
            compared=_compared(opponent),
        )

    return judge


def _significant(opponent):
    """Return the function that judges whether most wins are significant, by the paper's test and by tests that allow
    for the overlap of hold-outs."""

    def judge(per_dataset, published, disjoint, *, level=0.05, most=0.5):
        cells, t, differences, printed = _against(opponent, per_dataset, published)
        apart = some(disjoint[disjoint["method"] == opponent], opponent)
        wins = cells[cells["mean_difference"] > 0]
        fits = wins.dropna(subset="corrected_p")
        left = {column: int((wins[column] < level).sum()) for column in ("t_p", "holm_p", "bh_p")}
        fair = [*(fits["corrected_p"] < level), *((apart["holm_p"] < level) & (apart["mean_difference"] > 0))]
        again = (t > stats.t.ppf(1 - level / 2, cells["n_pairs"].to_numpy() - 1)).sum(axis=1)
        by_paper = clearly(again / np.maximum((differences > 0).sum(axis=1), 1), most, level)
        least, largest = proportion(sum(fair), len(fair))
        by_fair = beyond(least, largest, most)
        low, high = range_of(again, level)
        return Finding(
            by_paper if by_paper == by_fair else INCONCLUSIVE if INCONCLUSIVE in (by_paper, by_fair) else MIXED,
            f"{left['t_p']} of {len(wins)} wins are significant at {level:g}; if adjusted by Holm {left['holm_p']}, by "
            f"Benjamini-Hochberg {left['bh_p']}; with Nadeau and Bengio's correction {sum(fair[: len(fits)])} of the "
            f"{len(fits)} wins whose test part is no larger than the training part; on training sets without a common "
            f"row {sum(fair[len(fits) :])} of {len(apart)} after Holm's adjustment "
            f"({', '.join(f'{row.dataset} p = {row.holm_p:.2g}' for row in apart.itertuples())})",
            f"{printed['significant_wins']} of {printed['wins']} wins",
            "The paper says T-test only; that it is a paired test over the hold-outs is inferred. Such tests treat "
            "overlapping hold-outs as independent. So most wins must be significant by these tests, and by tests that "
            "count the overlap too: the correction for training sets that share most rows, and the three large data "
            "sets run again on training sets that share none (diez_disjoint); the interval of the share of the latter "
            "takes these tests as independent. If one kind of test says most and the other says few, the verdict is "
            "mixed. "
            f"{RERUNS}",
            f"significant {left['t_p']} of {len(wins)} wins, in reruns {low:g} to {high:g}; counting the overlap "
            f"{share(sum(fair), len(fair))}",
            *printed_again(printed["significant_wins"], again, level, "significant wins:"),
            compared=_compared(opponent),
        )

    return judge


@claim("D06", f"{TABLE}/per_dataset")
def no_loss_is_significant(per_dataset, *, level=0.05):
    """Without a loss there is nothing to test: the claim is then true, and not counted."""
    losses = per_dataset[per_dataset["mean_difference"] < 0]
    significant = losses[losses["t_p"] < level]
    names = ", ".join(f"{row.dataset} against {row.method}" for row in significant.itertuples())
    return Finding(
        HOLDS if significant.empty else FAILS,
        f"{len(significant)} of {len(losses)} losses are significant" + (f": {names}" if names else ""),
        "0 of 6 losses",
        f"Paired t-tests at {level:g} on the data sets where the direct method has the higher mean.",
        f"significant {share(len(significant), len(losses))}" if len(losses) else "no losses",
        compared=_compared("svor5", "herbrich5"),
        aside="" if len(losses) else "nothing to test: no losses",
    )


def _across(opponent):
    """Return the function that judges by the one-sided paired t-test on the means of the data sets."""

    def judge(overall, per_dataset, published, *, level=0.05):
        cells, _, differences, row, printed = _against(opponent, per_dataset, overall, published)
        if len(cells) < 2:
            raise Lacking(f"a test over data sets needs at least two of them, got {len(cells)}")
        p, n = row["p_one_sided"], int(row["n_datasets"])
        mean = 100 * row["mean_difference"]
        half = abs(mean / row["t"]) * stats.t.ppf(0.975, n - 1) if row["t"] else np.nan
        again = stats.ttest_1samp(differences, 0.0, axis=1, alternative="greater").pvalue
        return Finding(
            HOLDS if p < level else FAILS if p > 1 - level else INCONCLUSIVE,
            f"p = {p:.2g}, mean difference {mean:.2f} points on {n} data sets",
            f"p = {printed['ttest_p_published']}",
            "One-sided paired t-test on the means of the data sets: the paper says T-test only, and this one gives the "
            f"printed p from the printed means. The statement holds if p < {level:g}, and fails "
            f"if p > {1 - level:g}. {RERUNS}",
            f"{mean:.2f} [{mean - half:.2f}, {mean + half:.2f}] points",
            *printed_again(printed["ttest_p_published"], again, level, "p =", ".2g"),
            compared=_compared(opponent),
        )

    return judge


COUNTED = f"{TABLE}/overall", f"{TABLE}/per_dataset", "published/diez_overall"
TESTED = f"{TABLE}/per_dataset", "published/diez_overall", "diez_disjoint/per_dataset"
for opponent, (lower, significant, over_all) in {
    "svor5": ("D02", "D03", "D07"),
    "herbrich5": ("D04", "D05", "D08"),
}.items():
    claim(lower, *COUNTED)(_wins(opponent))
    claim(significant, *TESTED)(_significant(opponent))
    claim(over_all, *COUNTED)(_across(opponent))


@claim("D09", "diez_sensitivity/overall")
def directly_optimised_swapped_pairs_are_better(overall, *, level=0.05):
    """The overall result under every protocol that the paper's text allows: scaling x coding of nominals x bin rule."""
    against_bins = some(overall[overall["opponent"].isin(["svor5", "svor5_split"])], "ordinal regression")
    against_pairs = some(overall[overall["opponent"] == "herbrich5"], "thinned pairs")
    shares = [(len(rows), int((rows["p_one_sided"] < level).sum())) for rows in (against_bins, against_pairs)]
    n, good = sum(n for n, _ in shares), sum(good for _, good in shares)
    worse = int((overall["p_one_sided"] > 1 - level).sum())
    verdict = HOLDS if good == n else FAILS if worse == n else MIXED if good or worse else INCONCLUSIVE
    texts = [f"{good} of {n} protocols against {name}" for (n, good), name in zip(shares, ("SVOR_5", "Herbrich_5"))]
    return Finding(
        verdict,
        f"one-sided p < {level:g} under {' and '.join(texts)}",
        "p = 0.020 and 0.011 under one protocol, which the paper does not state",
        "We ran every combination of scaling, coding of nominal attributes and bin rule that the paper's text allows, "
        "because the conclusion should not depend on what the paper leaves open.",
        f"significant {good} of {n}",
    )


@claim("D10", f"{TABLE}/per_dataset", "published/diez_table1")
def pattern_of_marks(per_dataset, published, *, level=0.05):
    """No rerun gives all marks again, so the printed table is judged like a rerun of our own protocol."""
    cells = some(beside(per_dataset, published[published["method"] != OURS]).dropna(subset="t"), "a cell")
    marks, n = _marks(cells["t"], cells["n_pairs"]), cells["n_pairs"].to_numpy()
    theirs = np.select([cells["significance"] <= 0.01, cells["significance"] <= 0.05], [2, 1], 0)
    same = int((marks == theirs).sum())
    again = (_marks(reruns(cells)[0], n) == marks).sum(axis=1)
    low, high = range_of(again, level)
    differ = ", ".join(f"{row.dataset} {row.method}" for row in cells[marks != theirs].itertuples())
    return Finding(
        NO_DIRECTION,
        f"{same} of {len(cells)} cells have the printed mark" + (f"; these have another: {differ}" if differ else ""),
        "marks at 0.05 and 0.01 on 24 cells",
        f"The number holds if the printed table has at least as many of our marks as all but {level / 2:g} of the "
        f"reruns. {RERUNS}",
        number=HOLDS if same >= low else FAILS,
        difference=f"same mark {same} of {len(cells)}; reruns repeat {low:g} to {high:g} of our marks",
        compared=_compared("svor5", "herbrich5"),
    )


@claim("D11", "diez_theory/oracle_growth", basis=EXACT)
def oracle_is_exact_and_fast(growth, *, in_n=1.2, in_r=1.05):
    """Lemma 1: the oracle is exact, and its time grows no faster than n log n in n and linearly in r."""
    trials, *times = (some(growth[growth["part"] == part], part) for part in ("trial", "n", "r"))
    wrong = int((trials["differing"] > 0).sum())
    slopes = {part: slope(rows[part], rows["seconds"]) for part, rows in zip(("n", "r"), times)}
    slow = slopes["n"].low > in_n or slopes["r"].low > in_r
    fast = slopes["n"].high <= in_n and slopes["r"].high <= in_r
    return Finding(
        FAILS if wrong or slow else HOLDS if fast else INCONCLUSIVE,
        f"{len(trials) - wrong} of {len(trials)} small problems exact; log-log slopes of the seconds: "
        f"{slopes['n'].text()} against n, {slopes['r'].text()} against r",
        "max(O(n log n), O(n r))",
        "Algorithm 2 as printed, against a loop over all pairs. The whole interval of a slope must lie below "
        f"{in_n:g} for n (more than 1 because of the logarithm) and below {in_r:g} for r; the lemma is contradicted if "
        "one lies above.",
        f"exact {share(len(trials) - wrong, len(trials))}; slopes {slopes['n'].text()} and {slopes['r'].text()}",
    )


@claim("D14", "diez_theory/problem_growth")
def all_pairs_become_intractable(growth, *, apart=0.4):
    """The bytes decide: they can be counted. Seconds are only reported: they depend on the machine and the solver."""
    sizes = {name: slope(growth["n"], growth[f"{name}_bytes"]) for name in ("pair", "direct")}
    seconds = {name: slope(growth["n"], growth[f"{name}_seconds"]) for name in ("pairs", "direct")}
    near = [sizes[name].plus(-power).most <= apart for name, power in (("pair", 2), ("direct", 1))]
    same = sizes["pair"].high - sizes["direct"].low < apart
    last = growth[growth["n"] == growth["n"].max()]
    ratio = last["pairs_seconds"] / last["direct_seconds"]
    return Finding(
        HOLDS if all(near) else FAILS if same else MIXED,
        f"the bytes of all pairs grow as n^{sizes['pair'].mean:.2f}, those of one cutting plane as "
        f"n^{sizes['direct'].mean:.2f}; the seconds as n^{seconds['pairs'].text()} and n^{seconds['direct'].text()}; "
        f"at n = {growth['n'].max()} training on all pairs takes {ratio.min():.1f} to {ratio.max():.1f} times the "
        "seconds of the direct method",
        "order n squared, intractable",
        f"Judged by the bytes: the intervals of the slopes must lie within {apart:g} of 2 and 1; the claim fails if "
        "the bytes of all pairs do not grow faster. "
        "The seconds are reported but do not decide: with a compiled solver, training on all pairs is faster at the "
        "paper's sizes.",
        f"slopes {sizes['pair'].text()} and {sizes['direct'].text()}",
    )


@claim("D16", "diez_theory/problem_growth", basis=EXACT)
def few_constraints_are_added(growth, *, growth_in_n=1.0):
    """Counting cannot refute a polynomial bound, but growth faster than linear in n would be evidence against it."""
    slopes = [slope(rows["n"], rows["planes"]) for _, rows in growth.groupby("tol")]
    steepest = max(slopes, key=lambda one: one.high)
    refuted = any(one.low > growth_in_n for one in slopes)
    return Finding(
        HOLDS if steepest.high < growth_in_n else FAILS if refuted else INCONCLUSIVE,
        f"{growth['planes'].min():.0f} to {growth['planes'].max():.0f} planes for n = {growth['n'].min()} to "
        f"{growth['n'].max()}; steepest log-log slope {steepest.text()}",
        "polynomially many",
        "Cutting planes that Algorithm 1 added at each tolerance; C is the weight of the mean over pairs. The claim "
        f"holds if the whole interval of each slope lies below {growth_in_n:g}, and fails if one lies above.",
        f"slope {steepest.text()}",
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
        "Equations 15 to 17 and 19, which use the two vectors, against the sums over all pairs in equations 12 and 18.",
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
        aside="true by definition",
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
