"""The claims R13, R14, R16 to R19 and R21 to R23 of Yu et al.: statements without a table of the paper, tested by the
studies of the experiment ``ranksvr_theory``."""

import numpy as np

from rankbench.claims.evidence import having, interval, multiple, ordering, over, proportion, share, slope, some
from rankbench.claims.rows import Measured, Row, add, always, mostly, near
from rankbench.claims.verdict import EXACT, FAILS, HOLDS, INCONCLUSIVE, MIXED, NO_DIRECTION, SUBSTITUTE, Finding, claim


@claim("R14", "ranksvr_theory/close_draws", basis=EXACT)
def fifty_nine_draws(draws, *, off=0.02):
    (row,) = draws.itertuples()
    low, high = proportion(int(round(row.share * row.trials)), int(row.trials))
    far = row.draws != 59 or low > row.q + off or high < row.q - off
    close = max(abs(end - row.q) for end in (low, high)) <= off
    return Finding(
        NO_DIRECTION,
        f"log(1 - q) / log(1 - p) = {row.exact:.2f}; {100 * row.share:.1f} percent of {row.trials} trials",
        "58.4, so 59; 95 percent",
        f"The formula, and how often the closest of {row.draws} random pairs is among the closest 5 percent of all: "
        f"the interval of the share must lie within {off:g} of {row.q:g}.",
        number=FAILS if far else HOLDS if close else INCONCLUSIVE,
        difference=f"in {share(int(round(row.share * row.trials)), int(row.trials))}",
    )


def _scenes(worse, better):
    """Return the measure of the error in scene `worse` minus that in `better`, paired over draws, a cell per margin."""

    def measure(errors):
        wide = having(errors.pivot(index=["margin", "draw"], columns="scene", values="ranksvr_error"), (worse, better))
        differences = (wide[worse] - wide[better]).groupby("margin")
        cells = {f"margin {margin:g}": interval(values) for margin, values in differences}
        texts = ", ".join(f"{name}: {cell.text()}" for name, cell in cells.items())
        return Measured(cells, f"reduction of the error, in sds of the target: {texts} ({{counts}})")

    return measure


def _expansion(problems):
    """A prediction in which one of the two parts has no share is no sum of two parts: the case counts as wrong."""
    off = problems["largest_difference"].where(problems[["svr_share", "rank_share"]].min(axis=1) > 0, np.inf)
    said = f"largest difference {problems['largest_difference'].max():.1g}, equal {{counts}}"
    return Measured(off, f"{said} of {problems['kernel'].nunique()} kernels")


@claim("R13", "ranksvr_fig4/cost_sweep", basis=SUBSTITUTE)
def costs_do_not_matter_without_noise(sweep, *, insensitive=0.1, sensitive=0.25):
    """The worst and the best costs are chosen on the draws with an even seed and compared on the others."""
    near = some(sweep[sweep["C"].between(0.1, 10) & sweep["C_rank"].between(0.1, 10)], "costs from 0.1 to 10")
    cells = {}
    for name, part in near.groupby("dataset", sort=False):
        errors = np.log(part.pivot(index="seed", columns=["C", "C_rank"], values="error").dropna())
        odd = errors.index % 2 == 1
        means = some(errors[~odd], f"an even seed of {name}").mean()
        cells[name] = interval(errors.loc[odd, means.idxmax()] - errors.loc[odd, means.idxmin()])
    insensible = [cell.high <= np.log1p(insensitive) for cell in cells.values()]
    sensible = [cell.low > np.log1p(sensitive) for cell in cells.values()]
    undecided = not any(insensible) and not any(sensible)
    return Finding(
        HOLDS if all(insensible) else FAILS if all(sensible) else INCONCLUSIVE if undecided else MIXED,
        "worst over best error: " + ", ".join(f"{name}: {multiple(cell, 2)}" for name, cell in cells.items()),
        "not sensitive",
        "Both costs go from 0.1 to 10, around the printed 1, with 30 pairs and no noise. The worst and the best are "
        "chosen on the draws with an even seed and compared on the others. Not sensitive means that the interval of "
        f"their ratio ends below {1 + insensitive:g} on every function; the claim fails if it begins above "
        f"{1 + sensitive:g} on every function.",
        f"{multiple(over(cells), 2)}, over {len(cells)} functions",
    )


def _quadratic(times):
    """The claim is about a growing size of the data, so points and pairs grow together."""
    parts = times.groupby("margin")
    slopes = {f"margin {margin:g}": slope(part["n_pairs"], part["seconds"]) for margin, part in parts}
    said = ", ".join(f"{name}: {fitted.text()}" for name, fitted in slopes.items())
    return Measured({name: fitted.plus(-2) for name, fitted in slopes.items()}, f"slopes {said}; minus 2: {{counts}}")


@claim("R22", "ranksvr_theory/norm_seconds")
def one_norm_takes_longer(times, *, longer=2.72, most=0.5, level=0.05):
    """Much longer: more than `longer` times the seconds."""
    seconds = times.pivot(index=["n", "seed"], columns="form", values="seconds")
    wide = np.log(having(seconds, ("1-norm", "2-norm")))
    least = np.log(longer)
    cells = {f"n {n}": interval(part - least) for n, part in (wide["1-norm"] - wide["2-norm"]).groupby("n")}
    verdict, counts = ordering(cells, most=most, level=level)
    factors = ", ".join(f"{name}: {np.exp(cell.mean + least):.1f}" for name, cell in cells.items())
    effect = over(cells)
    return Finding(
        verdict,
        f"seconds with the 1-norm over seconds with the 2-norm: {factors} ({counts})",
        "typically much longer",
        "HiGHS solves the linear program, and our solver the quadratic program up to a gap of 0.001, with the same "
        f"rows and kernel. Much longer means more than {longer:.2g} times.",
        f"{np.exp(effect.mean + least):.1f} [{np.exp(effect.low + least):.1f}, "
        f"{np.exp(effect.high + least):.1f}] times",
    )


@claim("R23", "ranksvr_theory/slope_range", basis=EXACT)
def close_pair_narrows_the_slopes(ranges):
    widths = ranges.sort_values(["margin", "distance"]).groupby("margin")["width"]
    steps = some(widths.diff().dropna(), "a second distance")
    first = ranges.sort_values("distance").groupby("margin")["width"].agg(["first", "last"])
    widths = ", ".join(
        f"margin {margin:g}: {row['first']:.2f} to {row['last']:.2f}" for margin, row in first.iterrows()
    )
    return Finding(
        HOLDS if (steps > 0).all() else FAILS if (steps < 0).all() else MIXED,
        f"width of the range from the shortest to the longest distance, {widths}",
        "narrower for small distances",
        "The range of the slopes (up to 10) that one exact point and one ordered pair allow, by linear programming. "
        "This is a fact of geometry.",
        f"wider in {share(int((steps > 0).sum()), len(steps))} steps",
    )


SCENES = ("ranksvr_theory/one_dimension_errors",)
DRAWN = {"decimals": 2, "unit": " sd", "basis": SUBSTITUTE}
MOST = mostly, {"most": 0.5, "level": 0.05}
RANDOM_PAIRS = "Three points, and 3 or 10 random pairs, of a random function of one input; many draws."
SHORT_PAIRS = "Three points, and 3 long or 3 short pairs, of a random function of one input; many draws."
SPREAD_PAIRS = "Three points and 5 short pairs, which are spread over the inputs or lie in a fifth of them; many draws."
add(
    Row(
        "R19",
        ("ranksvr_theory/training_seconds",),
        _quadratic,
        near,
        {"margin": 0.2, "wrong": 1.0},
        "Slope of log seconds against the log number of pairs, with as many points as pairs, up to a relative gap of "
        "0.001; the kernel matrix of the points is given. The solver is our SMO; the paper does not name its solver. "
        "Quadratic means that the whole interval lies within {margin:g} of 2; the claim fails if none of an interval "
        "does, under both margins.",
        "quadratic",
        "slope minus 2",
        2,
    ),
    Row("R16", SCENES, _scenes("fig1_few", "fig1_many"), *MOST, RANDOM_PAIRS, "Figure 1, one drawing", **DRAWN),
    Row("R17", SCENES, _scenes("fig2_long", "fig2_short"), *MOST, SHORT_PAIRS, "Figure 2, one drawing", **DRAWN),
    Row(
        "R18",
        SCENES,
        _scenes("fig3_dense", "fig3_spread"),
        *MOST,
        SPREAD_PAIRS,
        "Figure 3, one drawing",
        **DRAWN,
    ),
    Row(
        "R21",
        ("ranksvr_theory/expansion",),
        _expansion,
        always,
        {"same": 1e-6},
        "The SVR part, the ranking part and the bias from the dual, against the primal of Definition 3 solved by a "
        "general QP solver.",
        "equality (equation 17)",
        "equal",
        basis=EXACT,
    ),
)
