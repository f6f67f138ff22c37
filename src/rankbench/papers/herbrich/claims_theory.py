"""The claims H17 to H27 of Herbrich, Graepel and Obermayer: theorems, bounds and explanations are tested."""

import numpy as np

from rankbench.claims.evidence import at_largest, having, interval, share, slope, some
from rankbench.claims.rows import Measured, Row, add, always, each, far_slower, mostly, near
from rankbench.claims.verdict import EXACT, FAILS, HOLDS, INCONCLUSIVE, MIXED, SUBSTITUTE, Finding, claim

THEORY = "herbrich_theory"


@claim("H17", f"{THEORY}/rank_noise")
def noise_moves_examples_near_the_boundaries(rank_noise, *, errors=2.0):
    texts, near = [], []
    for name, part in rank_noise.groupby("dataset", sort=False):
        moved = some(part[part["changed"]], f"changed examples of {name}").iloc[0]
        others = some(part[~part["changed"]], f"unchanged examples of {name}").iloc[0]
        error = np.sqrt(moved["distance_sd"] ** 2 / moved["n"] + others["distance_sd"] ** 2 / others["n"])
        near.append(moved["distance"] + errors * error < others["distance"] and moved["n"] > 0)
        texts.append(
            f"{name} {100 * moved['share']:.1f} percent changed, {moved['distance']:.2f} from a threshold, the others "
            f"{others['distance']:.2f}"
        )
    verdict = HOLDS if all(near) else FAILS if not any(near) else MIXED
    effect = f"nearer in {share(sum(near), len(near))} readings"
    why = (
        "Mean distance from the utility without noise to the nearest threshold: examples whose rank the noise changes "
        f"against the others. Nearer means by more than {errors:g} standard errors."
    )
    return Finding(verdict, "; ".join(texts), "", why, effect)


def _two_sides(pair_loss):
    factor = 2 * pair_loss["pairs"] / pair_loss["m"] ** 2
    differences = (pair_loss["risk"] - factor * pair_loss["pair_error"]).abs()
    printed = pair_loss["pairs"] / pair_loss["m"] ** 2 * pair_loss["pairs"] * pair_loss["pair_error"]
    return Measured(
        differences,
        f"with the factor 2 m'/m^2 before the mean loss the two sides differ by at most {differences.max():.1g}, equal "
        "{counts}; with the printed factor m'/m^2 before the sum the right side is "
        f"{(printed / pair_loss['risk']).median():.0f} times the left side",
    )


def _chain(pair_loss):
    correlation = interval(pair_loss.groupby("seed")["correlation"].mean())
    said = (
        f"correlation {correlation.text(3)} between the losses of two pairs that share an example, averaged over the "
    )
    return Measured({"": correlation}, f"{said}methods, on {correlation.n} samples")


@claim("H20", f"{THEORY}/margin_bounds", basis=EXACT)
def margin_bound_holds(bounds, *, chance=0.05):
    """A theorem: risks above the bound refute it. Without a bound below 1 and a risk above 0 it is not tested."""
    within = bounds["risk"] <= bounds["bound"]
    telling = bounds[(bounds["bound"] < 1) & (bounds["risk"] > 0)]
    below_1 = bounds[bounds["bound"] < 1]
    return Finding(
        FAILS if not within.all() and (~within).mean() > chance else HOLDS if len(telling) else INCONCLUSIVE,
        f"the risk is at most the bound in {within.sum()} of {len(bounds)} samples without a training inversion; the "
        f"bound is below 1 in {len(below_1)} of them, and in {len(telling)} of these the risk is above 0",
        "",
        f"With 1 - delta = {1 - chance:g}, so a share of {chance:g} of the risks may lie above the bound. At the "
        "training sizes of the experiments the bound is above 1 or infinite. It is below 1 only on two groups of "
        "20,000 examples that lie far apart, and there the risk is 0. The samples are consistent with the theorem, but "
        "they test it only if some sample has a bound below 1 and a risk above 0. More runs would not change that.",
        f"kept {share(int(within.sum()), len(bounds))}",
    )


@claim("H21", f"{THEORY}/margin_bounds", basis=EXACT)
def bound_does_not_depend_on_the_dimension(bounds, *, rounding=1e-6):
    """True by definition: the formula has no dimension in it. It fails only if a rotation changes margin or radius."""
    turned = some(bounds[bounds["case"].isin(["line", "rotated"])], "a line")
    spreads = turned.groupby("seed")["bound"].agg(np.ptp)
    dimensions = sorted(turned["dimension"].unique())
    return Finding(
        INCONCLUSIVE if len(dimensions) < 2 else HOLDS if spreads.max() < rounding else FAILS,
        f"bounds of the same examples in {', '.join(map(str, dimensions))} dimensions differ by at most "
        f"{spreads.max():.1g}",
        "",
        "True by definition: the formula contains only margin, radius and size. The same line is rotated at random in "
        "more dimensions. Margin and radius, computed from the vectors, stay the same, and so does the bound.",
        f"unchanged {share(int((spreads < rounding).sum()), len(spreads))}",
        aside="true by definition",
    )


def _boosted(cited):
    parts = cited.groupby("dataset", sort=False)
    cells = {name: interval(part["tree"] - part["boosted_tree"], 100) for name, part in parts}
    texts = ", ".join(f"{name} {cell.text(1)}" for name, cell in cells.items())
    return Measured(cells, f"errors of one tree minus those of boosted trees, in points: {texts}; {{counts}}")


def _digits(cited):
    digits = some(cited[cited["dataset"] == "digits"], "digits")
    cells = {other: interval(digits[other] - digits["svm"], 100) for other in ("tree", "nearest", "boosted_tree")}
    texts = ", ".join(f"{name} {cell.text(1)}" for name, cell in cells.items())
    said = f"{100 * digits['svm'].mean():.1f} percent errors; errors of the others minus these, in points: {texts}"
    return Measured(cells, f"{said}; {{counts}}")


def _leave_one_out(leave_one_out):
    means = leave_one_out[["error", "share"]].mean()
    said = f"mean leave-one-out error {means['error']:.3f}, mean share of support vectors {means['share']:.3f}"
    return Measured(leave_one_out["error"] - leave_one_out["share"], f"{{counts}}; {said}")


def _updates(updates):
    used = (updates["updates"] / updates["bound"]).where(updates["converged"], np.inf)
    return Measured(used - 1, f"{{counts}}; at most {100 * used.max():.1f} percent of the bound is used")


def _general_programs(qp_growth):
    wide = having(qp_growth.pivot(index="n", columns="solver", values="seconds"), ("cvxopt", "smo"))
    grows = slope(wide.index, wide["cvxopt"])
    slower = at_largest(wide.index, wide["cvxopt"] / wide["smo"])
    n = wide.index.max()
    at_5000 = wide.loc[n, "cvxopt"] * (5000 / n) ** grows.mean
    said = f"cvxopt grows as n^{grows.text(1)}; at n = {n} it takes {wide.loc[n, 'cvxopt']:.2g} s and SMO "
    said += f"{wide.loc[n, 'smo']:.2g} s (by the fitted lines {{counts}}); about {at_5000:.0f} s at 5000 variables"
    return Measured({"cvxopt": grows}, said, slower)


# Three objects whose ranks are random and independent, as y given x is, with three equally probable values each: the
# faces of Efron's kind of dice.
FACES = (2, 4, 9), (1, 6, 8), (3, 5, 7)


@claim("H26", basis=EXACT)
def pairwise_optimum_need_not_be_transitive():
    following = [*FACES[1:], FACES[0]]
    probabilities = [np.mean(np.greater.outer(one, other)) for one, other in zip(FACES, following, strict=True)]
    return Finding(
        HOLDS if min(probabilities) > 0.5 else FAILS,
        f"{len(FACES)} objects form a cycle, each is above the next one with "
        f"probability {', '.join(f'{p:.3f}' for p in probabilities)}",
        "",
        "One example is enough for 'need not': the most probable orders of the pairs form a cycle.",
        f"probability {min(probabilities):.3f}, counted over all outcomes",
    )


add(
    Row(
        "H18",
        (f"{THEORY}/pair_loss",),
        _two_sides,
        always,
        {"same": 1e-12},
        "For every predicted ranking, with ties too, the two losses agree up to a constant that depends on neither of "
        "them. The printed constant counts each 2-set once and does not divide the sum by m'.",
        "R_emp = m'/m^2 sum of the loss",
        "equal",
        basis=EXACT,
    ),
    Row(
        "H19",
        (f"{THEORY}/pair_loss",),
        _chain,
        near,
        {"margin": 0.01},
        "If m - 1 pairs are made of m examples, some pairs share an example, as in a chain. The losses of two such "
        "pairs have the covariance Var c_g(x, y) of (2.12), which is 0 only if every example is equally hard. At most "
        "m / 2 pairs are disjoint and so independent.",
        "independent (2.18)",
        "correlation",
        3,
        basis=EXACT,
    ),
    Row(
        "H22",
        (f"{THEORY}/cited_methods",),
        _boosted,
        mostly,
        {"most": 0.5, "level": 0.05},
        "The paper cites others. On a substitute: AdaBoost of trees against one tree on data sets of scikit-learn, "
        "paired over hold-outs. Neural networks are left out.",
        unit=" points",
        basis=SUBSTITUTE,
        aside="only its half about trees is tested",
    ),
    Row(
        "H23",
        (f"{THEORY}/cited_methods",),
        _digits,
        each,
        {"level": 0.05},
        "The paper cites others. On a substitute: the 1,797 digits of 8 x 8 pixels that come with scikit-learn; a "
        "support vector machine against a tree, boosted trees and the nearest neighbour, paired over hold-outs. The "
        "claim holds if it has clearly fewer errors than each of them.",
        unit=" points",
        basis=SUBSTITUTE,
    ),
    Row(
        "H24",
        (f"{THEORY}/leave_one_out",),
        _leave_one_out,
        always,
        {"same": 1e-12},
        "Support vector machines on two ranks of the artificial data with several C. If an example that is no support "
        "vector is left out, nothing changes. This is a theorem: one case with a larger error refutes it.",
        word="bounded",
        basis=EXACT,
    ),
    Row(
        "H25",
        (f"{THEORY}/qp_growth",),
        _general_programs,
        far_slower,
        {"times": 10.0, "steep": 2.0, "little": 2.0},
        "Too slow means more than {times:g} times the seconds of a special solver at the largest size tried, and a "
        "slope above {steep:g}, by the whole intervals; the claim fails if an interval lies below {little:g} times or "
        "below the slope {steep:g}. This compares with special solvers; that a general solver could not be run with "
        "several thousand variables is not asked.",
    ),
    Row(
        "H27",
        (f"{THEORY}/perceptron_updates",),
        _updates,
        always,
        {},
        "Theorem 1.1 on pairs of lattice points that a linear function orders; run until an epoch makes no update.",
        word="within",
        basis=EXACT,
    ),
)
