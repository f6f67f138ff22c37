"""Claims S15, S16 and S29 to S36 of Venuto et al.: counts, level curves, programs."""

import pandas as pd

from .evidence import having, interval, ordering, over, share, slope, some
from .verdict import EXACT, FAILS, HOLDS, MIXED, NOT_CHECKABLE, Finding, claim

THEORY = "svmcompare_theory"
LEARNED = ("rank", "rank2", "compare")


@claim("S15", f"{THEORY}/comparison_counts", basis=EXACT)
def sushi_has_that_many_pairs(counts):
    sushi = some(counts[counts["dataset"] == "sushi"], "sushi").iloc[0]
    found = (int(sushi["n_equality"]), int(sushi["n_inequality"]))
    verdict = HOLDS if found == (17832, 7168) else FAILS
    return Finding(
        verdict,
        f"{found[0]} equality and {found[1]} inequality pairs",
        "17832 and 7168",
        "Ten ratings a person, in order, cut into five couples.",
        f"{found[0] - 17832:+d} and {found[1] - 7168:+d} pairs off",
    )


@claim("S16", "svmcompare_fig3/level_curves")
def rank_does_not_recover_the_pattern(curves, *, level=0.05):
    """The drawn set alone has no interval, so the sets that were drawn like it judge too: mixed if they disagree."""
    truth = some(curves[curves["method"] == "truth"], "the truth").set_index(["x1", "x2"])["r"]
    learned = some(curves[curves["method"] != "truth"], "a learned function")
    values = {
        key: part.set_index(["x1", "x2"])["r"].corr(truth, method="spearman")
        for key, part in learned.groupby(["method", "seed"])
    }
    found = having(pd.Series(values).unstack(level=0), LEARNED)
    shown = some(found[found.index == 1], "the set that the paper shows").iloc[0]
    cells = {method: interval(found[method] - found["rank"]) for method in ("rank2", "compare")}
    above = [shown[method] > shown["rank"] for method in cells]
    over_sets, counts = ordering(cells, every=True, level=level)
    verdict = HOLDS if all(above) and over_sets == HOLDS else FAILS if not any(above) and over_sets != HOLDS else MIXED
    said, of_all = (", ".join(f"{m} {part[m]:.3f}" for m in LEARNED) for part in (shown, found.mean()))
    return Finding(
        verdict,
        f"rank correlation with the truth {said}; mean of all {len(found)} sets {of_all}; {counts}",
        "plot only",
        "Learned and true function on a grid. It holds if rank2 and compare are nearer to the truth than rank from the "
        "very pairs that the paper shows, and clearly so over all sets of that size; it fails if neither is nearer.",
        f"nearer by {over(cells).text(3)}",
    )


@claim("S29")
def source_of_chess_games():
    return Finding(
        NOT_CHECKABLE,
        "",
        "1.8 million games of 54205 players",
        "The primary training files of Chessmetrics are needed.",
    )


@claim("S30", f"{THEORY}/separable_programs", basis=EXACT)
def programs_differ_unscaled(programs, *, same=1e-4):
    sets = some(programs[~programs["scaled"]], "a set that is not scaled")
    differ = sets["lp"] - sets["qp"] > same
    verdict = HOLDS if differ.any() else FAILS
    return Finding(
        verdict,
        f"in {differ.sum()} of {len(sets)} random sets, by up to {(sets['lp'] - sets['qp']).max():.2f} of a rank unit",
        "one example",
        "Margins of both programs on separable sets whose features have different scales; one that differs is enough.",
        f"different {share(int(differ.sum()), len(sets))}",
    )


@claim("S31", f"{THEORY}/separable_programs", basis=EXACT)
def programs_agree_scaled(programs, *, same=1e-4):
    """A universal statement: one set on which they differ refutes it."""
    sets = some(programs[programs["scaled"]], "a scaled set")
    gap = sets["lp"] - sets["qp"]
    alike = gap <= same
    verdict = HOLDS if alike.all() else FAILS
    return Finding(
        verdict,
        f"the same in {alike.sum()} of {len(sets)} random scaled sets, elsewhere up to {gap.max():.2f} apart",
        "observed on an example",
        "Margins of both programs after each feature is divided by the standard deviation of its differences. One "
        "set on which they differ refutes it.",
        f"the same {share(int(alike.sum()), len(sets))}",
    )


@claim("S32", f"{THEORY}/separable_programs", basis=EXACT)
def lemma_1(programs, *, violation=1e-6):
    worst = programs["violation"].max()
    verdict = HOLDS if worst < violation else FAILS
    return Finding(
        verdict,
        f"largest violation {worst:.1e} on {len(programs)} sets",
        "proved",
        "The scaled solution of the quadratic program is put into the constraints of the linear one.",
        f"feasible {share(int((programs['violation'] < violation).sum()), len(programs))}",
    )


@claim("S33", f"{THEORY}/comparison_dual", basis=EXACT)
def the_dual_is_that_of_a_binary_svm(cells, *, same=1e-4):
    tried = some(cells.dropna(subset="primal"), "a primal value")
    gaps = (tried["primal"] - tried["dual_bound"]).abs() / tried["primal"]
    verdict, gap = HOLDS if gaps.max() < same else FAILS, gaps.max()
    return Finding(
        verdict,
        f"primal found directly and dual value differ by at most {gap:.1e} on {len(tried)} sets",
        "derived",
        "The binary SVM over doubly differenced kernels against Newton's method on the primal, which knows no dual.",
        f"equal {share(int((gaps < same).sum()), len(gaps))}",
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
        "Share of rows with a dual variable above 0 at fixed parameters; as claimed if it falls with n and is below 1.",
        f"slope {over(falls).minus.text()}",
    )


@claim("S35", f"{THEORY}/comparison_dual", basis=EXACT)
def ends_of_the_roc(cells):
    """By definition."""
    exact = (cells["fpr_at_0"] == 1) & (cells["fnr_at_infinity"] == 1)
    verdict = HOLDS if exact.all() else FAILS
    return Finding(
        verdict,
        f"both rates 1 on {exact.sum()} of {len(cells)} test sets",
        "by definition",
        "False positives at the threshold 0 and false negatives at infinity; it would fail with a score of exactly 0.",
        f"both ends {share(int(exact.sum()), len(cells))}",
    )


@claim("S36", f"{THEORY}/comparison_dual", basis=EXACT)
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
        "Rows of each problem, a row of cost 2 counted twice: a count of our own problems.",
        f"as printed {share(int(right.sum()), len(cells))}",
    )
