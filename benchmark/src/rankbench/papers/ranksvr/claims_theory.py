"""The claims R13, R14, R16 to R19 and R21 to R23 of Yu et al.: statements without a table of the paper, tested by the
studies of the experiment ``ranksvr_theory``."""

import numpy as np

from rankbench.claims.evidence import Interval, having, interval, share, slope_of_runs, some
from rankbench.claims.rules import about, alike, always, each, mostly, on_seconds
from rankbench.claims.verdict import EXACT, SUBSTITUTE, Claim, Measured, add


def _draws(draws):
    (row,) = draws.itertuples()
    found = share(int(round(row.share * row.trials)), int(row.trials)) if row.draws == 59 else Interval(0, 0, 0, 1)
    said = (
        f"log(1 - q) / log(1 - p) = {row.exact:.2f}, so {row.draws}; {100 * row.share:.1f} "
        f"percent of {row.trials} trials"
    )
    return Measured(said=said, figure=(found, row.q, 3, ""))


def _scenes(worse, better):
    """Return the measure of the error in scene `worse` minus that in `better`, paired over draws; the paper's margin is
    lost, so each margin is a reading."""

    def measure(errors):
        wide = having(errors.pivot(index=["margin", "draw"], columns="scene", values="ranksvr_error"), (worse, better))
        parts = (wide[worse] - wide[better]).groupby("margin")
        cells = {f"margin {margin:g}": interval(values.droplevel(0)) for margin, values in parts}
        return Measured(readings={name: Measured({"": cell}) for name, cell in cells.items()})

    return measure


def _expansion(problems):
    """A prediction in which one of the two parts has no share is no sum of two parts: the case counts as wrong."""
    off = problems["largest_difference"].where(problems[["svr_share", "rank_share"]].min(axis=1) > 0, np.inf)
    return Measured(off, f"largest difference {problems['largest_difference'].max():.1g}, equal {{counts}}")


def _costs(sweep):
    """The worst and the best costs are chosen on the draws with an even seed and compared on the others."""
    near, cells = (
        some(sweep[sweep["C"].between(0.1, 10) & sweep["C_rank"].between(0.1, 10)], "costs from 0.1 to 10"),
        {},
    )
    for name, part in near.groupby("dataset", sort=False):
        errors = np.log(part.pivot(index="seed", columns=["C", "C_rank"], values="error").dropna())
        odd = errors.index % 2 == 1
        means = some(errors[~odd], f"an even seed of {name}").mean()
        cells[name] = interval(errors.loc[odd, means.idxmax()] - errors.loc[odd, means.idxmin()])
    said = ", ".join(f"{name} {np.exp(cell.mean):.2f}" for name, cell in cells.items())
    return Measured(cells, f"worst over best error: {said}; {{counts}}")


def _quadratic(times):
    """Points and pairs grow together, as the sentence says; beside it more and more pairs of the same points."""
    grows, readings, beside = times["points"] == times["n_pairs"], {}, {}
    fixed = times.loc[~grows, "points"].max()
    for margin in times["margin"].unique():
        for target, where, name in (
            (readings, grows, ""),
            (beside, times["points"] == fixed, f"{fixed:g} points and more pairs, "),
        ):
            found = slope_of_runs(times[where & (times["margin"] == margin)], "n_pairs", "seconds", "seed")
            target[f"{name}margin {margin:g}"] = Measured({"": found.plus(-2)}, f"slope {found.text()}")
    return Measured(readings=readings, beside=beside)


def _norms(times):
    seconds = times.pivot(index=["n", "seed"], columns="form", values="seconds")
    wide = np.log(having(seconds, ("1-norm", "2-norm")))
    cells = {
        f"n {n}": interval(part.droplevel(0), lever=1.0) for n, part in (wide["1-norm"] - wide["2-norm"]).groupby("n")
    }
    said = ", ".join(f"{name} {np.exp(cell.mean):.0f}" for name, cell in cells.items())
    return Measured({name: cell.plus(-1) for name, cell in cells.items()}, f"times the seconds: {said}; {{counts}}")


def _slopes(ranges):
    widths = ranges.sort_values(["margin", "distance"]).groupby("margin")["width"]
    steps = some(widths.diff().dropna(), "a second distance")
    return Measured(~(steps > 0), "wider for a larger distance {counts}")


SCENES, CLOCK = ("ranksvr_theory/one_dimension_errors",), {"decimals": 2}
DRAWN = {"limits": {"least": 0.02}, "decimals": 2, "unit": " sd", "basis": SUBSTITUTE}
DRAWS = "random functions of one input, three points, 1,000 draws at each of five margins."
add(
    Claim(
        "R13",
        ("ranksvr_fig4/cost_sweep",),
        _costs,
        alike,
        "Costs from 0.1 to 10, 30 pairs, no noise: the worst error is at most 1.1 times the best.",
        "not sensitive",
        {"margin": np.log(1.1), "wrong": 1.0},
        word="log of the ratio",
        decimals=2,
        basis=SUBSTITUTE,
    ),
    Claim(
        "R14",
        ("ranksvr_theory/close_draws",),
        _draws,
        None,
        "How often the closest of 59 random pairs is among the closest 5 percent of all.",
        "58.4, so 59; 95 percent",
        {"tenth": 0.02},
        about,
        basis=EXACT,
    ),
    Claim(
        "R16",
        SCENES,
        _scenes("fig1_few", "fig1_many"),
        each,
        f"3 or 10 random pairs of {DRAWS}",
        "one drawing",
        **DRAWN,
    ),
    Claim(
        "R17",
        SCENES,
        _scenes("fig2_long", "fig2_short"),
        each,
        f"3 long or 3 short pairs of {DRAWS}",
        "one drawing",
        **DRAWN,
    ),
    Claim(
        "R18",
        SCENES,
        _scenes("fig3_dense", "fig3_spread"),
        each,
        f"5 short pairs that lie in a fifth of the inputs or are spread, of {DRAWS}",
        "one drawing",
        **DRAWN,
    ),
    Claim(
        "R19",
        ("ranksvr_theory/training_seconds",),
        _quadratic,
        on_seconds(alike),
        "Slope of log seconds against log size, points and pairs together, over runs that "
        "alternate, within {margin:g} of 2.",
        "quadratically",
        {"margin": 0.2},
        word="slope minus 2,",
        **CLOCK,
    ),
    Claim(
        "R21",
        ("ranksvr_theory/expansion",),
        _expansion,
        always,
        "Both parts and the bias from the dual against the primal of Definition 3 by a general QP solver.",
        "equality (17)",
        {"same": 1e-6},
        word="equal",
        basis=EXACT,
    ),
    Claim(
        "R22",
        ("ranksvr_theory/norm_seconds",),
        _norms,
        on_seconds(mostly),
        "HiGHS against our solver of the 2-norm form, more than e times the seconds, over runs that alternate.",
        "typically much longer",
        {"least": 0.4},
        word="log of the multiple, minus 1:",
        **CLOCK,
    ),
    Claim(
        "R23",
        ("ranksvr_theory/slope_range",),
        _slopes,
        always,
        "By linear programming, the range of slopes (up to 10) that one point and one pair allow.",
        "narrower for small distances",
        word="wider",
        basis=EXACT,
    ),
)
