"""The claims H17 to H27 of Herbrich, Graepel and Obermayer: theorems, bounds and explanations are tested."""

import numpy as np

from rankbench.claims.evidence import Interval, at_largest, having, interval, slope, some
from rankbench.claims.rules import about, alike, always, each, mostly, on_seconds
from rankbench.claims.verdict import BY_CONSTRUCTION, EXACT, INCONCLUSIVE, SUBSTITUTE, Claim, Measured, add
from rankbench.statistics.intervals import quantile

THEORY, TIMES = "herbrich_theory", 10.0


def _near_boundaries(rank_noise):
    readings = {}
    for name, part in rank_noise.groupby("dataset", sort=False):
        moved, others = (some(part[part["changed"] == is_so], f"examples of {name}").iloc[0] for is_so in (True, False))
        error = np.sqrt(moved["distance_sd"] ** 2 / moved["n"] + others["distance_sd"] ** 2 / others["n"])
        nearer, half = others["distance"] - moved["distance"], quantile(moved["n"] - 1) * error
        cell = Interval(nearer, nearer - half, nearer + half, int(moved["n"]))
        said = (
            f"{100 * moved['share']:.1f} percent changed, {moved['distance']:.2f} from a threshold, "
            f"the others {others['distance']:.2f}"
        )
        readings[name] = Measured({"": cell}, said)
    return Measured(readings=readings)


def _two_sides(pair_loss):
    factor = 2 * pair_loss["pairs"] / pair_loss["m"] ** 2
    differences = (pair_loss["risk"] - factor * pair_loss["pair_error"]).abs()
    ratios = pair_loss["pairs"] ** 2 / pair_loss["m"] ** 2 * pair_loss["pair_error"] / pair_loss["risk"]
    said = (
        f"with the factor 2 m'/m^2 before the mean loss they differ by at most {differences.max():.1g}, "
        f"equal {{counts}}"
    )
    return Measured(
        differences, said, figure=(interval(ratios.replace(np.inf, np.nan)), 1.0, 0, " times the left side")
    )


def _chain(pair_loss):
    correlation = interval(pair_loss.groupby("seed")["correlation"].mean())
    return Measured({"": correlation}, f"correlation {correlation.text(3)} between two pairs that share an example")


def _bounds(bounds):
    """A theorem: risks above the bound refute it. Without a bound below 1 and a risk above 0 it is not tested."""
    kept, below_1 = bounds["risk"] <= bounds["bound"], bounds[bounds["bound"] < 1]
    telling = below_1[below_1["risk"] > 0]
    said = (
        f"kept in {kept.sum()} of {len(bounds)} samples; the bound is below 1 in {len(below_1)}, "
        f"the risk above 0 in {len(telling)} of these"
    )
    return Measured(~kept, said, settled=INCONCLUSIVE if kept.all() and telling.empty else "")


def _rotations(bounds):
    turned = some(bounds[bounds["case"].isin(["line", "rotated"])], "a line")
    spreads = turned.groupby("seed")["bound"].agg(np.ptp)
    return Measured(
        spreads, f"bounds in {turned['dimension'].nunique()} dimensions differ by at most {spreads.max():.1g}"
    )


def _boosted(cited):
    parts = cited.groupby("dataset", sort=False)
    return Measured({name: interval(part["tree"] - part["boosted_tree"], 100) for name, part in parts})


def _digits(cited):
    digits = some(cited[cited["dataset"] == "digits"], "digits")
    others = ("tree", "nearest", "boosted_tree")
    return Measured({other: interval(digits[other] - digits["svm"], 100) for other in others})


def _leave_one_out(frame):
    return Measured(
        frame["error"] - frame["share"],
        f"{{counts}}; mean error {frame['error'].mean():.3f}, mean share {frame['share'].mean():.3f}",
    )


def _updates(updates):
    used = (updates["updates"] / updates["bound"]).where(updates["converged"], np.inf)
    return Measured(used - 1, f"{{counts}}; at most {100 * used.max():.1f} percent of the bound is used")


def _general_programs(qp_growth):
    """The multiple of SMO's seconds at the largest size, by the fitted line of each run; its interval is over runs."""
    wide = having(
        qp_growth.pivot(index=["run", "n"], columns="solver", values="seconds"), ("cvxopt", "smo")
    ).reset_index()
    logs = {run: at_largest(part["n"], part["cvxopt"] / part["smo"]).mean for run, part in wide.groupby("run")}
    found, grows = interval(logs, lever=1.0), slope(wide["n"], wide["cvxopt"])
    low, mean, high = np.exp([found.low, found.mean, found.high])
    said = (
        f"{mean:.0f} [{low:.0f}, {high:.0f}] times the seconds of SMO at n = {wide['n'].max()}; "
        f"cvxopt grows as n^{grows.text(1)}"
    )
    return Measured({"": found.plus(-np.log(TIMES))}, said)


FACES = (2, 4, 9), (1, 6, 8), (3, 5, 7)  # each with the same probability: the faces of Efron's kind of dice


def _dice():
    following = [*FACES[1:], FACES[0]]
    p = [np.mean(np.greater.outer(one, other)) for one, other in zip(FACES, following, strict=True)]
    return Measured(
        np.array(p) <= 0.5, f"3 objects form a cycle, each is above the next one with probability {min(p):.3f}"
    )


PAIR_LOSS, CITED, BOUNDS = (f"{THEORY}/pair_loss",), (f"{THEORY}/cited_methods",), (f"{THEORY}/margin_bounds",)
OTHERS = {"unit": " points", "basis": SUBSTITUTE}
add(
    Claim(
        "H17",
        (f"{THEORY}/rank_noise",),
        _near_boundaries,
        each,
        "Distance to the nearest threshold: examples whose rank the noise changes are nearer than the others.",
        "plot lost",
        {"least": 0.05},
        decimals=2,
    ),
    Claim(
        "H18",
        PAIR_LOSS,
        _two_sides,
        always,
        "The two losses agree up to a constant; the printed constant does not divide the "
        "sum by m' and counts each 2-set once.",
        "R_emp = m'/m^2 sum of the loss",
        {"same": 1e-12},
        about,
        "equal",
        basis=EXACT,
    ),
    Claim(
        "H19",
        PAIR_LOSS,
        _chain,
        alike,
        "Of m - 1 pairs of m examples some share an example; their losses must be uncorrelated within {margin:g}.",
        "independent (2.18)",
        {"margin": 0.01},
        word="correlation",
        decimals=3,
        basis=EXACT,
    ),
    Claim(
        "H20",
        BOUNDS,
        _bounds,
        always,
        "A share of {off:g} of the risks may lie above the bound; only a bound below 1 with a risk above 0 tests it.",
        "",
        {"off": 0.05, "wrong": 0.05},
        basis=EXACT,
    ),
    Claim(
        "H21",
        BOUNDS,
        _rotations,
        always,
        "The formula contains margin, radius and size only; a rotation changes none of them.",
        "",
        {"same": 1e-6},
        word="unchanged",
        basis=EXACT,
        aside=BY_CONSTRUCTION,
    ),
    Claim(
        "H22",
        CITED,
        _boosted,
        mostly,
        "AdaBoost of trees against one tree on data sets of scikit-learn.",
        "cited",
        {"least": 1.0},
        aside="only its half about trees is tested",
        **OTHERS,
    ),
    Claim(
        "H23",
        CITED,
        _digits,
        each,
        "An SVM against a tree, boosted trees and the nearest neighbour on the 8 x 8 digits of scikit-learn.",
        "cited",
        {"least": 1.0},
        **OTHERS,
    ),
    Claim(
        "H24",
        (f"{THEORY}/leave_one_out",),
        _leave_one_out,
        always,
        "SVMs on two ranks of the artificial data with several C.",
        "",
        {"same": 1e-12},
        word="bounded",
        basis=EXACT,
    ),
    Claim(
        "H25",
        (f"{THEORY}/qp_growth",),
        _general_programs,
        on_seconds(each),
        f"cvxopt takes more than {TIMES:g} times the seconds of SMO at the largest size, over runs that alternate.",
        "prohibitively expensive",
        {"least": 0.4},
        word="log of the multiple, minus log 10:",
        decimals=2,
    ),
    Claim(
        "H26",
        (),
        _dice,
        always,
        "One example is enough for 'can': the most probable orders of the pairs form a cycle.",
        "cited",
        basis=EXACT,
    ),
    Claim(
        "H27",
        (f"{THEORY}/perceptron_updates",),
        _updates,
        always,
        "Theorem 1.1 on pairs of lattice points, until an epoch makes no update.",
        "",
        word="within",
        basis=EXACT,
    ),
)
