"""The claims S15, S16 and S29 to S36 of Venuto et al.: counts, level curves, optimisation problems."""

import numpy as np
import pandas as pd

from rankbench.claims.evidence import having, interval, slope, some
from rankbench.claims.rules import always, each, mostly, sometimes
from rankbench.claims.verdict import BY_CONSTRUCTION, EXACT, NOT_CHECKABLE, Claim, Measured, add

THEORY, SUSHI = "svmcompare_theory", np.array([17832, 7168])


def _pairs_of_sushi(counts):
    sizes = some(counts[counts["dataset"] == "sushi"], "sushi")[["n_equality", "n_inequality"]].iloc[0].to_numpy()
    return Measured(np.abs(sizes - SUSHI), f"{sizes[0]} equality and {sizes[1]} inequality pairs")


def _recovery(frame, curves):
    """Every set of the paper's size counts; those of the set that the paper shows are the curves of the picture."""
    names = ("rank", "rank2", "compare")
    wide = having(frame.pivot(index="seed", columns="method", values="correlation"), names)
    drawn = having(curves.pivot(index=["x1", "x2"], columns="method", values="r"), ("truth", *names))
    shown = drawn.corr("spearman")["truth"]
    said = ", ".join(f"{name} {shown[name]:.3f} ({wide[name].mean():.3f})" for name in wide)
    cells = {name: interval(wide[name] - wide["rank"]) for name in ("rank2", "compare")}
    return Measured(cells, f"rank correlation on the printed set (mean of {len(wide)} sets): {said}; {{counts}}")


def _programs(scaled):
    """Return the measure of how far the linear program is ahead of the quadratic one."""

    def measure(programs):
        sets = some(programs[programs["scaled"] == scaled], "a set")
        gap = sets["lp"] - sets["qp"]
        equal = gap <= 1e-4
        said = f"the margins agree in {equal.sum()} of {len(sets)} random sets and differ by up to {gap.max():.2f}"
        return Measured(~equal if scaled else equal, said)

    return measure


def _sparse(cells):
    falls = {name: slope(part["n"], part["support_share"]).minus for name, part in cells.groupby("dataset", sort=False)}
    large = cells[cells["n"] == cells["n"].max()]["support_share"]
    return Measured(
        falls, f"at the largest n {large.min():.0%} to {large.max():.0%} of the rows are support vectors; {{counts}}"
    )


def _dual(cells):
    tried = some(cells.dropna(subset="primal"), "a primal value")
    gaps = (tried["primal"] - tried["dual_bound"]).abs() / tried["primal"]
    return Measured(gaps, f"they differ by at most {gaps.max():.1e}, relatively; equal {{counts}}")


def _rows(cells):
    n, equal = cells["n"], cells["n_equality"]
    expected = pd.DataFrame({"rows_rank": n - equal, "rows_rank2": 2 * n, "rows_compare": n + equal})
    return Measured((cells[list(expected)] != expected).any(axis=1))


PROGRAMS, DUAL = (f"{THEORY}/separable_programs",), (f"{THEORY}/comparison_dual",)
add(
    Claim(
        "S15",
        (f"{THEORY}/comparison_counts",),
        _pairs_of_sushi,
        None,
        "The ten ratings of each person, in their order, are cut into five pairs.",
        "17832 and 7168",
        number=always,
        basis=EXACT,
    ),
    Claim(
        "S16",
        ("svmcompare_fig3/recovery", "svmcompare_fig3/level_curves"),
        _recovery,
        each,
        "Learned and true functions on a grid: rank2 and compare are nearer to the truth than rank, over forty sets.",
        "one drawing",
        {"least": 0.02},
        word="rank correlation higher by",
        decimals=3,
    ),
    Claim(
        "S29",
        (),
        lambda: Measured(settled=NOT_CHECKABLE),
        None,
        "This needs the primary training files of Chessmetrics, which we do not have.",
        "1.8 million games of 54205 players",
        number=always,
    ),
    Claim(
        "S30",
        PROGRAMS,
        _programs(False),
        sometimes,
        "Margins of both programs on separable sets of different scales; one set on which they differ is enough.",
        "one example",
        word="different",
        basis=EXACT,
    ),
    Claim(
        "S31",
        PROGRAMS,
        _programs(True),
        sometimes,
        "An observation on an example: one scaled set on which they agree is enough. It is no theorem.",
        "observed on an example",
        word="the same",
        basis=EXACT,
    ),
    Claim(
        "S32",
        PROGRAMS,
        lambda frame: Measured(
            frame["violation"], f"largest violation {frame['violation'].max():.1e}; feasible {{counts}}"
        ),
        always,
        "The scaled solution of the quadratic program in the constraints of the linear one.",
        "proved",
        {"same": 1e-6},
        word="feasible",
        basis=EXACT,
    ),
    Claim(
        "S33",
        DUAL,
        _dual,
        always,
        "The binary SVM with doubly differenced kernels against Newton's method on the primal.",
        "derived",
        {"same": 1e-4},
        word="equal",
        basis=EXACT,
    ),
    Claim(
        "S34",
        DUAL,
        _sparse,
        mostly,
        "The share of rows with a dual variable above 0 falls with n, at one C and gamma.",
        "no numbers",
        {"least": 0.1},
        word="falls with the power",
        decimals=2,
    ),
    Claim(
        "S35",
        DUAL,
        lambda cells: Measured((cells["fpr_at_0"] != 1) | (cells["fnr_at_infinity"] != 1)),
        always,
        "It would fail only if a score were exactly 0.",
        "by definition",
        word="both ends",
        basis=EXACT,
        aside=BY_CONSTRUCTION,
    ),
    Claim(
        "S36",
        DUAL,
        _rows,
        always,
        "The rows of our own problems are counted; a row with cost 2 counts twice.",
        "I1 + I-1, 2n and n + I0",
        word="as printed",
        basis=EXACT,
    ),
)
