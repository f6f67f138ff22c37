"""Claims S15, S16 and S29 to S36 of Venuto et al.: counts, level curves, programs."""

import pandas as pd

from .evidence import Interval, having, ordering, slope, some
from .verdict import FAILS, HOLDS, MIXED, NOT_CHECKABLE, Finding, claim

THEORY = "svmcompare_theory"
LEARNED = ("rank", "rank2", "compare")
SAME = 1e-4  # margins this near are the same program


def negative(cell):
    """Return the interval of minus a quantity: a slope that falls is above 0."""
    return Interval(-cell.mean, -cell.high, -cell.low, cell.n)


@claim("S15", f"{THEORY}/comparison_counts")
def sushi_has_that_many_pairs(counts):
    sushi = some(counts[counts["dataset"] == "sushi"], "sushi").iloc[0]
    found = (int(sushi["n_equality"]), int(sushi["n_inequality"]))
    verdict = HOLDS if found == (17832, 7168) else FAILS
    return Finding(
        verdict,
        f"{found[0]} equality and {found[1]} inequality pairs",
        "17832 and 7168",
        "Ten ratings a person, in order, cut into five couples.",
    )


@claim("S16", "svmcompare_fig3/level_curves")
def rank_does_not_recover_the_pattern(curves):
    truth = some(curves[curves["method"] == "truth"], "the truth").set_index(["x1", "x2"])["r"]
    learned = some(curves[curves["method"] != "truth"], "a learned function")
    values = {
        key: part.set_index(["x1", "x2"])["r"].corr(truth, method="spearman")
        for key, part in learned.groupby(["method", "seed"])
    }
    found = having(pd.Series(values).unstack(level=0), LEARNED)
    shown, means = some(found[found.index == 1], "the set that the paper shows").iloc[0], found.mean()
    above = [shown[method] > shown["rank"] for method in ("rank2", "compare")]
    verdict = HOLDS if all(above) else MIXED if any(above) else FAILS
    said, of_all = (", ".join(f"{m} {found[m]:.3f}" for m in LEARNED) for found in (shown, means))
    return Finding(
        verdict,
        f"rank correlation with the truth {said}; mean of all sets {of_all}",
        "plot only",
        "Learned and true function on a grid, from the very pairs that the paper shows; it holds if rank2 and compare "
        "are nearer to the truth than rank.",
    )


@claim("S29")
def source_of_chess_games():
    return Finding(
        NOT_CHECKABLE,
        "",
        "1.8 million games of 54205 players",
        "The primary training files of Chessmetrics are needed.",
    )


@claim("S30", f"{THEORY}/separable_programs")
def programs_differ_unscaled(programs):
    sets = some(programs[~programs["scaled"]], "a set that is not scaled")
    differ = sets["lp"] - sets["qp"] > SAME
    verdict = HOLDS if differ.any() else FAILS
    return Finding(
        verdict,
        f"in {differ.sum()} of {len(sets)} random sets, by up to {(sets['lp'] - sets['qp']).max():.2f} of a rank unit",
        "one example",
        "Margins of both programs on separable sets whose features have different scales; one that differs is enough.",
    )


@claim("S31", f"{THEORY}/separable_programs")
def programs_agree_scaled(programs):
    sets = some(programs[programs["scaled"]], "a scaled set")
    gap = sets["lp"] - sets["qp"]
    same = gap <= SAME
    verdict = HOLDS if same.all() else FAILS if same.mean() < 0.5 else MIXED
    return Finding(
        verdict,
        f"the same in {same.sum()} of {len(sets)} random scaled sets, elsewhere up to {gap.max():.2f} apart",
        "observed on an example",
        "Margins of both programs after each feature is divided by the standard deviation of its differences.",
    )


@claim("S32", f"{THEORY}/separable_programs")
def lemma_1(programs):
    worst = programs["violation"].max()
    verdict = HOLDS if worst < 1e-6 else FAILS
    return Finding(
        verdict,
        f"largest violation {worst:.1e} on {len(programs)} sets",
        "proved",
        "The scaled solution of the quadratic program is put into the constraints of the linear one.",
    )


@claim("S33", f"{THEORY}/comparison_dual")
def the_dual_is_that_of_a_binary_svm(cells):
    tried = some(cells.dropna(subset="primal"), "a primal value")
    gap = ((tried["primal"] - tried["dual_bound"]).abs() / tried["primal"]).max()
    verdict = HOLDS if gap < 1e-4 else FAILS
    return Finding(
        verdict,
        f"primal found directly and dual value differ by at most {gap:.1e} on {len(tried)} sets",
        "derived",
        "The binary SVM over doubly differenced kernels against Newton's method on the primal, which knows no dual.",
    )


@claim("S34", f"{THEORY}/comparison_dual")
def the_dual_solution_is_sparse(cells):
    falls = {
        name: negative(slope(part["n"], part["support_share"])) for name, part in cells.groupby("dataset", sort=False)
    }
    verdict, counts = ordering(falls)
    large = cells[cells["n"] == cells["n"].max()]["support_share"]
    if verdict == HOLDS and large.max() >= 1:
        verdict = FAILS
    return Finding(
        verdict,
        f"support vectors at the largest n: {large.min():.0%} to {large.max():.0%} of the rows; {counts}",
        "no numbers",
        "Share of rows with a dual variable above 0 at fixed parameters; as claimed if it falls with n and is below 1.",
    )


@claim("S35", f"{THEORY}/comparison_dual")
def ends_of_the_roc(cells):
    exact = (cells["fpr_at_0"] == 1) & (cells["fnr_at_infinity"] == 1)
    verdict = HOLDS if exact.all() else FAILS
    return Finding(
        verdict,
        f"both rates 1 on {exact.sum()} of {len(cells)} test sets",
        "by definition",
        "False positives at the threshold 0 and false negatives at infinity; it would fail with a score of exactly 0.",
    )


@claim("S36", f"{THEORY}/comparison_dual")
def pairs_given_to_the_solvers(cells):
    n, equal = cells["n"], cells["n_equality"]
    expected = pd.DataFrame({"rows_rank": n - equal, "rows_rank2": 2 * n, "rows_compare": n + equal})
    right = (cells[list(expected)] == expected).all(axis=1)
    verdict = HOLDS if right.all() else FAILS
    row = cells.iloc[-1]
    return Finding(
        verdict,
        f"as in Table 2 on {right.sum()} of {len(cells)} sets; of {row['n']} pairs rank gets {row['rows_rank']:g}, "
        f"rank2 {row['rows_rank2']:g} and compare {row['rows_compare']:g}",
        "I1 + I-1, 2n and n + I0",
        "Rows of each problem, a row of cost 2 counted twice.",
    )
