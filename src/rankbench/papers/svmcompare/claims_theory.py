"""The claims S15, S16 and S29 to S36 of Venuto et al.: counts, level curves, optimisation problems."""

import pandas as pd

from rankbench.claims.evidence import having, interval, ordering, over, share, slope, some
from rankbench.claims.rows import Measured, Row, add, always
from rankbench.claims.verdict import EXACT, FAILS, HOLDS, MIXED, NO_DIRECTION, NOT_CHECKABLE, Finding, claim

THEORY = "svmcompare_theory"
LEARNED = ("rank", "rank2", "compare")


@claim("S15", f"{THEORY}/comparison_counts", basis=EXACT)
def sushi_has_that_many_pairs(counts):
    sushi = some(counts[counts["dataset"] == "sushi"], "sushi").iloc[0]
    sizes = (int(sushi["n_equality"]), int(sushi["n_inequality"]))
    return Finding(
        NO_DIRECTION,
        f"{sizes[0]} equality and {sizes[1]} inequality pairs",
        "17832 and 7168",
        "The ten ratings of each person, in their order, are cut into five pairs.",
        number=HOLDS if sizes == (17832, 7168) else FAILS,
        difference=f"differs by {sizes[0] - 17832:+d} and {sizes[1] - 7168:+d} pairs",
    )


@claim("S16", "svmcompare_fig3/level_curves")
def rank_does_not_recover_the_pattern(curves, *, level=0.05):
    """One set has no interval, so other sets that were drawn like the paper's count too: mixed if they disagree."""
    truth = some(curves[curves["method"] == "truth"], "the truth").set_index(["x1", "x2"])["r"]
    learned = some(curves[curves["method"] != "truth"], "a learned function")
    values = {
        key: part.set_index(["x1", "x2"])["r"].corr(truth, method="spearman")
        for key, part in learned.groupby(["method", "seed"])
    }
    correlations = having(pd.Series(values).unstack(level=0), LEARNED)
    shown = some(correlations[correlations.index == 1], "the set that the paper shows").iloc[0]
    cells = {method: interval(correlations[method] - correlations["rank"]) for method in ("rank2", "compare")}
    above = [shown[method] > shown["rank"] for method in cells]
    over_sets, counts = ordering(cells, every=True, level=level)
    verdict = HOLDS if all(above) and over_sets == HOLDS else FAILS if not any(above) and over_sets != HOLDS else MIXED
    said, of_all = (", ".join(f"{m} {part[m]:.3f}" for m in LEARNED) for part in (shown, correlations.mean()))
    return Finding(
        verdict,
        f"rank correlation with the truth {said}; mean of all {len(correlations)} sets {of_all}; {counts}",
        "plot only",
        "Learned and true functions are compared on a grid. The claim holds if rank2 and compare are nearer to the "
        "truth than rank with the pairs that the paper shows, and clearly nearer over all sets of that size. It fails "
        "if neither is nearer.",
        f"rank correlation higher by {over(cells).text(3)}",
    )


@claim("S29")
def source_of_chess_games():
    needed = "This needs the primary training files of Chessmetrics, which we do not have."
    return Finding(NO_DIRECTION, "", "1.8 million games of 54205 players", needed, number=NOT_CHECKABLE)


@claim("S30", f"{THEORY}/separable_programs", basis=EXACT)
def programs_differ_unscaled(programs, *, same=1e-4):
    sets = some(programs[~programs["scaled"]], "a set that is not scaled")
    differ = sets["lp"] - sets["qp"] > same
    verdict = HOLDS if differ.any() else FAILS
    return Finding(
        verdict,
        f"in {differ.sum()} of {len(sets)} random sets, by up to {(sets['lp'] - sets['qp']).max():.2f} of a rank unit",
        "one example",
        "The margins of both programs on separable sets whose features have different scales. One set on which they "
        "differ is enough.",
        f"different in {share(int(differ.sum()), len(sets))}",
    )


@claim("S34", f"{THEORY}/comparison_dual")
def the_dual_solution_is_sparse(cells, *, level=0.05):
    falls = {name: slope(part["n"], part["support_share"]).minus for name, part in cells.groupby("dataset", sort=False)}
    verdict, counts = ordering(falls, level=level)
    large = cells[cells["n"] == cells["n"].max()]["support_share"]
    if verdict == HOLDS and large.max() >= 1:
        verdict = FAILS
    return Finding(
        verdict,
        f"support vectors at the largest n: {large.min():.0%} to {large.max():.0%} of the rows; {counts}",
        "no numbers",
        "The share of rows with a dual variable above 0, at fixed parameters. The claim holds if it falls with n and "
        "is below 1.",
        f"slope {over(falls).minus.text()}",
    )


def _scaled(programs):
    sets = some(programs[programs["scaled"]], "a scaled set")
    gap = sets["lp"] - sets["qp"]
    return Measured(gap, f"random scaled sets: the same {{counts}}, margins differ by up to {gap.max():.2f}")


def _violations(programs):
    return Measured(programs["violation"], f"largest violation {programs['violation'].max():.1e}; feasible {{counts}}")


def _dual(cells):
    tried = some(cells.dropna(subset="primal"), "a primal value")
    gaps = (tried["primal"] - tried["dual_bound"]).abs() / tried["primal"]
    return Measured(gaps, f"primal and dual values differ by at most {gaps.max():.1e}, relatively; equal {{counts}}")


def _ends(cells):
    return Measured((cells["fpr_at_0"] != 1) | (cells["fnr_at_infinity"] != 1), "both rates are 1 {counts}")


def _rows(cells):
    n, equal = cells["n"], cells["n_equality"]
    expected = pd.DataFrame({"rows_rank": n - equal, "rows_rank2": 2 * n, "rows_compare": n + equal})
    row = cells.iloc[-1]
    said = f"of {row['n']} pairs rank gets {row['rows_rank']:g}, rank2 {row['rows_rank2']:g}"
    said = f"as in Table 2 {{counts}}; {said} and compare {row['rows_compare']:g}"
    return Measured((cells[list(expected)] != expected).any(axis=1), said)


PROGRAMS = (f"{THEORY}/separable_programs",)
DUAL = (f"{THEORY}/comparison_dual",)
add(
    Row(
        "S31",
        PROGRAMS,
        _scaled,
        always,
        {"same": 1e-4},
        "The margins of both programs after each feature is divided by the standard deviation of its differences. The "
        "claim is read as one about all data: one set on which the margins differ refutes it. The paper observed it on "
        "an example.",
        "observed on an example",
        "the same",
        basis=EXACT,
    ),
    Row(
        "S32",
        PROGRAMS,
        _violations,
        always,
        {"same": 1e-6},
        "The scaled solution of the quadratic program is put into the constraints of the linear one.",
        "proved",
        "feasible",
        basis=EXACT,
    ),
    Row(
        "S33",
        DUAL,
        _dual,
        always,
        {"same": 1e-4},
        "The binary SVM with doubly differenced kernels against Newton's method on the primal, which uses no dual.",
        "derived",
        "equal",
        basis=EXACT,
    ),
    Row(
        "S35",
        DUAL,
        _ends,
        always,
        {},
        "True by definition: the rate of false positives at the threshold 0 and of false negatives at infinity. It "
        "would fail if a score were exactly 0.",
        "by definition",
        "both ends",
        basis=EXACT,
        aside="true by definition",
    ),
    Row(
        "S36",
        DUAL,
        _rows,
        always,
        {},
        "The rows of our own problems are counted; a row with cost 2 counts twice.",
        "I1 + I-1, 2n and n + I0",
        "as printed",
        basis=EXACT,
    ),
)
