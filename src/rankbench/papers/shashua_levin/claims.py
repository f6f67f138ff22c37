"""The claims L01 to L16 of Shashua and Levin."""

from dataclasses import replace

from rankbench.claims.evidence import (
    Interval,
    at_largest,
    beyond,
    comparisons,
    equivalence,
    finished,
    having,
    interval,
    learned,
    nothing_learned,
    paired,
    share,
    slope,
    some,
    within,
)
from rankbench.claims.numbers import about
from rankbench.claims.rows import Measured, Row, add, always, each, mostly
from rankbench.claims.verdict import EXACT, FAILS, HOLDS, INCONCLUSIVE, MIXED, NO_DIRECTION, SUBSTITUTE, Finding, claim

USERS, VEHICLE, UCO, THEORY = "shashua_levin_fig2", "shashua_levin_vehicle", "ordinal_uco", "shashua_levin_theory"
POLICIES = ("fixed_margin", "sum_of_margins")
FILMS = (
    "On a substitute: six users of MovieLens-100K instead of EachMovie, with five rating levels instead of six and a "
    "denser table."
)
PICTURES = (
    "On a substitute: silhouettes of Statlog, with an order of size that we declare, instead of the paper's pictures."
)


@claim("L04", f"{THEORY}/sum_of_margins_sweep", basis=EXACT)
def range_of_the_constant(sweep):
    inside = some(sweep[sweep["place"].between(0, 1)], "a C inside the range")
    solved = inside.groupby("shares")["status"].apply(lambda status: (status != "outside").mean())
    empty = bool((some(sweep[sweep["place"] < 0], "a C below it")["status"] == "outside").all())
    end = sweep[(sweep["place"] == 1) & (sweep["status"] == "ok")]["errors"]
    most = float(some(end, "an optimum at the upper end").max())
    good = empty and most <= 1
    verdict = HOLDS if good and solved.min() == 1 else FAILS if not good else MIXED
    parts = ", ".join(f"{name} ranks {100 * share:.0f} percent" for name, share in solved.items())
    return Finding(
        verdict,
        f"share of the C inside the printed range that have an optimum: {parts}; below the range "
        f"{'none has one' if empty else 'some have one'}; at its upper end there are at most {most:.0f} margin errors",
        "2 (k - 1) / N <= C <= 2 (k - 1)",
        "An optimum also needs C >= 1 / l_1 and C >= 1 / l_k, which the paper does not say. Below that, the first or "
        "the last threshold goes to infinity, which happens where the first rank is rare.",
        f"optimum {share(int((inside['status'] != 'outside').sum()), len(inside))}",
    )


def _level(method, name):
    """Return the function that judges whether the mean error over users and sizes is the printed one.

    Other data have another level of errors, so the text also has the error relative to that of the constant answer.
    """

    def judge(records, published, *, tenth=0.1):
        printed = _printed(published, "eachmovie", name)
        ok = finished(records, "mean_absolute_error")
        means = ok.groupby(["dataset", "method"])["mean_absolute_error"].mean().unstack()
        means = having(means, [method, "constant"])
        error = interval(means[method])
        ratio = interval(means[method] / means["constant"])
        number, difference = about(error, printed, tenth=tenth, unit=" ranks")
        why = (
            "The mean over users of the mean over sizes and runs; the interval is over users. About means that the "
            f"whole interval lies within the share {tenth:g} of the printed number. {FILMS}"
        )
        if number == INCONCLUSIVE:
            why += f" About {error.plus(-printed).runs_to_settle()} users would separate it from the printed number."
        if name == "prank":
            why += " The text of the paper calls 1.25 a best average error, its caption an average error."
        ours = f"{error.text()} ranks, {ratio.text()} times the error of the constant answer"
        names = frozenset({f"{method} and its printed error"})
        return Finding(NO_DIRECTION, ours, f"about {printed:g} ranks", why, "", number, difference, names)

    return judge


def _printed(published, experiment, method, metric="mean_abs_rank_error"):
    rows = published.set_index(["experiment", "method", "metric"])["value"]
    return float(rows[experiment, method, metric])


LEVELS = {"L05": ("fixed_margin", "fixed_margin_svm"), "L06": ("prank", "prank"), "L15": ("prank", "prank")}
for claim_id, (method, name) in LEVELS.items():
    # PRank makes one pass over the data, as in the paper. L15 compares with PRank's own paper, which has the same data
    # and about the same error.
    claim(claim_id, f"{USERS}/records", "published/shashua_levin", basis=SUBSTITUTE)(_level(method, name))


def _against(records, metric, opponents, by=("dataset", "condition"), where=""):
    """Return the cells of opponent minus policy, in hundredths."""
    cells = {}
    for policy, opponent in [(policy, opponent) for policy in POLICIES for opponent in opponents]:
        differences = paired(records, metric, opponent, policy, scale=100, by=by)
        cells |= {f"{where}{opponent} over {policy} {name}".strip(): cell for name, cell in differences.items()}
    return cells


@claim("L11", f"{THEORY}/pair_growth", basis=SUBSTITUTE)
def pairs_could_not_be_run(growth, *, margin=0.1, minutes=60.0):
    """Judge two halves: all pairs square the size of the training set, and therefore the method could not be run."""
    pairs, grows = (slope(growth["n"], growth[column]) for column in ("pairs", "pairwise_seconds"))
    last = growth[growth["n"] == growth["n"].max()]
    seconds = at_largest(growth["n"], growth["pairwise_seconds"])
    squared = equivalence({"": pairs.plus(-2)}, margin)[0]
    too_long = beyond(seconds.low, seconds.high, 60 * minutes)
    return Finding(
        squared if squared == too_long else MIXED,
        f"the pairs grow as n^{pairs.text()}, their seconds as n^{grows.text()}; at n = {last['n'].iloc[0]} "
        f"{last['pairs'].mean():.0f} pairs take {seconds.text(1)} s, and the fixed margin "
        f"{last['fixed_margin_seconds'].mean():.2f} s; the largest gap is {last['gap'].max():.1g}",
        "could not be run",
        f"Two halves. Squared: the interval of the slope of the number of pairs lies within {margin:g} of 2. Could not "
        f"be run: the interval of the seconds at the largest size lies above {minutes:g} minutes, and this half fails "
        "if it lies below. If the halves disagree, the verdict is mixed. Coordinate descent with a linear kernel runs "
        f"today what could not be run then. {FILMS}",
        f"pairs grow as n^{pairs.text()}; {seconds.text(1)} s",
    )


@claim("L12", basis=EXACT)
def share_of_ratings_that_are_there(*, tenth=0.1):
    ratings, users, films = 2_811_983, 72_916, 1_628
    percent = 100 * (ratings / (users * films))
    number, difference = about(Interval(percent, percent, percent, 1), 5.0, tenth=tenth, unit=" percent")
    why = "The printed counts are divided by each other. About means within the share {tenth:g} of the printed number."
    ours = f"{percent:.1f} percent"
    return Finding(NO_DIRECTION, ours, "about 5 percent", why.format(tenth=tenth), "", number, difference)


@claim("L13", f"{THEORY}/threshold_recovery", basis=EXACT)
def thresholds_follow_from_support_vectors(recovery, *, missed=0.05, others=0.5, equal=1e-4):
    read_off = (recovery["free"] > 0) & (recovery["difference"] < equal)
    shares = having(read_off.groupby(recovery["policy"]).mean().to_frame().T, POLICIES).iloc[0]
    own, other = shares["sum_of_margins"], shares["fixed_margin"]
    verdict = HOLDS if own >= 1 - missed and other < others else FAILS if own < others else MIXED
    mine = read_off[recovery["policy"] == "sum_of_margins"]
    return Finding(
        verdict,
        f"{100 * own:.0f} percent of the thresholds of the sum of margins and {100 * other:.0f} percent of those of "
        "the fixed margin follow from support vectors inside their box",
        "all for the sum of margins, one of k - 1 for the fixed margin",
        "With slack, a threshold of the fixed margin usually has support vectors of its own on the margin. Then the "
        "linear program is needed only for thresholds without such support vectors.",
        f"recovered {share(int(mine.sum()), len(mine))}",
    )


@claim("L16", f"{THEORY}/problem_sizes", basis=EXACT)
def smaller_than_pairs_and_classes(sizes, *, missed=0.1, wrong=0.5):
    less_pairs, less_classes = (sizes["fixed_margin"] < sizes[other] for other in ("pairs", "multiclass"))
    both = less_pairs & less_classes
    verdict = within(1 - both.mean(), missed, wrong)
    return Finding(
        verdict,
        f"fewer variables than pairs in {less_pairs.sum()} and fewer than k l in {less_classes.sum()} of {len(sizes)} "
        "cases",
        "2 l against l^2 and k l",
        "Counted in problems of 50 to 1000 examples whose ranks have random sizes.",
        f"smaller {share(int(both.sum()), len(both))}",
    )


def _two_ranks(policy):
    """Return the measure of the differences between decision functions of a policy, relative to their range."""

    def measure(equalities):
        cells = some(equalities[equalities["policy"] == policy], policy)
        off = cells["difference"] / cells["range"]
        return Measured(off, f"they differ by at most {off.max():.1g} of the range, equal {{counts}}")

    return measure


def _sizes(sizes):
    off = (sizes["fixed_margin"] != sizes["formula"]) | (sizes["sum_of_margins"] != sizes["formula"])
    return Measured(off, "equal {counts}")


def _over_prank(records):
    runs = finished(records, "mean_absolute_error")
    users = runs.pivot_table("mean_absolute_error", ["condition", "dataset"], "method")
    users = having(users, ("prank", "fixed_margin", "prank_more"))
    cells = {}
    for size, part in users.groupby(level="condition"):
        names = comparisons("mean_absolute_error", "prank", "fixed_margin", part.reset_index())
        cells[size] = replace(interval(part["prank"] - part["fixed_margin"]), compared=names)
    sizes = ", ".join(f"{size}: {cell.mean:.2f}" for size, cell in cells.items())
    gap = interval((users["prank_more"] - users["fixed_margin"]).groupby(level="dataset").mean())
    return Measured(cells, f"{sizes} ranks; {{counts}}; with up to ten passes of PRank {gap.text()} ranks")


def _vehicles(records, published):
    names = ("large_margin_ranking", "pairwise_multiclass_svm")
    printed = [_printed(published, "vehicle_type", name, "test_error_pct") for name in names]
    if not learned(records, "zero_one"):
        return nothing_learned(records, "zero_one", f"{printed[0]:g} against {printed[1]:g} percent")
    cells = _against(records, "zero_one", ["multiclass_svm"], by=("dataset",))
    means = 100 * finished(records, "zero_one").groupby("method")["zero_one"].mean()
    said = ", ".join(f"{name} {means[name]:.1f}" for name in (*POLICIES, "multiclass_svm"))
    in_print = f"{printed[0]:g} against {printed[1]:g} percent"
    return Measured(cells, f"{said} percent; {{counts}}", printed=in_print, stated=printed[1] - printed[0])


def _vehicle_ranks(records, published):
    """The printed 1.408 is worse than a constant answer."""
    printed = [_printed(published, "vehicle_type", name) for name in ("large_margin_ranking", "prank")]
    cells = _against(records, "mean_absolute_error", ["kernel_prank"], by=("dataset",))
    means = finished(records, "mean_absolute_error").groupby("method")["mean_absolute_error"].mean()
    names = [*POLICIES, "kernel_prank", "kernel_prank_more", "prank", "prank_more", "constant"]
    said = ", ".join(f"{name} {means[name]:.3f}" for name in names if name in means)
    in_print = f"{printed[0]:g} against {printed[1]:g} ranks (the constant middle rank is wrong by at most 1)"
    return Measured(cells, f"{said} ranks; {{counts}}", printed=in_print, stated=100 * (printed[1] - printed[0]))


def _over_all(users, vehicle, uco):
    cells = {}
    for where, records, opponents in (
        ("users ", users, ["prank", "multiclass_svm"]),
        ("vehicle ", vehicle, ["kernel_prank", "multiclass_svm"]),
        ("uco ", uco, ["kernel_prank", "multiclass_svm", "rank_boundaries", "svor_implicit"]),
    ):
        cells |= _against(records, "mean_absolute_error", opponents, by=("dataset",), where=where)
    shares = []
    for policy in POLICIES:
        signs = [cell.sign for name, cell in cells.items() if f" over {policy} " in name]
        shares.append(f"{policy} better in {signs.count(1)}, worse in {signs.count(-1)} of {len(signs)}")
    return Measured(cells, f"{'; '.join(shares)}; {{counts}}")


def _norms(relaxed):
    solved = some(relaxed[relaxed["value"] > 1e-3], "an optimum above 0")
    away = (solved["norm"] - 1).abs()
    said = f"where the sum of margins is above 0, the norm differs from 1 by at most {away.max():.1g}, {{counts}}"
    return Measured(away, f"{said}; it is 0 in {len(relaxed) - len(solved)} more")


EQUALITIES = (f"{THEORY}/two_rank_equalities",)
DECISIONS = (
    "Decision functions on the training examples of simulated data, with a linear and a Gaussian kernel and several "
    "settings."
)
EQUAL = {"printed": "equal", "word": "equal", "basis": EXACT}
HUNDREDTHS = {"unit": " hundredths of a rank", "basis": SUBSTITUTE}

add(
    Row("L01", EQUALITIES, _two_ranks("fixed_margin"), always, {"same": 1e-3}, DECISIONS, **EQUAL),
    Row("L02", EQUALITIES, _two_ranks("sum_of_margins"), always, {"same": 1e-3}, DECISIONS, **EQUAL),
    Row(
        "L03",
        (f"{THEORY}/problem_sizes",),
        _sizes,
        always,
        {},
        "The dual variables of both policies are counted in our own problems, with ranks of random sizes, and compared "
        "with the formula.",
        "2 l - l_1 - l_k",
        "equal",
        basis=EXACT,
    ),
    Row(
        "L07",
        (f"{USERS}/records",),
        _over_prank,
        each,
        {"level": 0.05},
        f"PRank with one pass minus fixed margin; one interval over the users for each size. {FILMS}",
        "0.55 ranks",
        decimals=2,
        unit=" ranks",
        basis=SUBSTITUTE,
    ),
    Row(
        "L08",
        (f"{VEHICLE}/records", "published/shashua_levin"),
        _vehicles,
        each,
        {"level": 0.05, "tenth": 0.1},
        f"Multi-class SVM minus each policy, paired over runs. {PICTURES}",
        unit=" points",
        basis=SUBSTITUTE,
    ),
    Row(
        "L09",
        (f"{VEHICLE}/records", "published/shashua_levin"),
        _vehicle_ranks,
        each,
        {"level": 0.05, "tenth": 0.1},
        f"Kernel PRank with one pass minus each policy; both have the second-order kernel. {PICTURES}",
        **HUNDREDTHS,
    ),
    Row(
        "L10",
        (f"{USERS}/records", f"{VEHICLE}/records", f"{UCO}/records"),
        _over_all,
        mostly,
        {"most": 0.5, "level": 0.05},
        "Mean absolute rank error, opponent minus policy; a cell is one data set, one opponent and one policy. Some "
        "data sets are substitutes.",
        **HUNDREDTHS,
    ),
    Row(
        "L14",
        (f"{THEORY}/relaxed_norm",),
        _norms,
        always,
        {"same": 1e-4},
        "The norm of an independent solution of the relaxed problem (norm at most 1), by an interior point method for "
        "cone programs. Our solver divides by the norm, so its solutions would be no evidence. If the optimal sum of "
        "margins is above 0, scaling up a shorter f would increase it; if it is 0, f = 0 is optimal too.",
        "1",
        "norm 1",
        basis=EXACT,
    ),
)
