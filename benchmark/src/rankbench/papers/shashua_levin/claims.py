"""The claims L01 to L16 of Shashua and Levin."""

from dataclasses import replace

import numpy as np

from rankbench.claims.evidence import Interval, comparisons, finished, having, interval, learned, paired, slope, some
from rankbench.claims.rules import about, always, each, mostly, on_seconds, together
from rankbench.claims.verdict import EXACT, NOT_CHECKABLE, SUBSTITUTE, Claim, Measured, add

USERS, VEHICLE, UCO, THEORY = "shashua_levin_fig2", "shashua_levin_vehicle", "ordinal_uco", "shashua_levin_theory"
POLICIES, ERROR, HOUR = ("fixed_margin", "sum_of_margins"), "mean_absolute_error", 3600.0


def _range_of_c(sweep):
    """Every C of the printed range has an optimum, no C below it has one, and its upper end allows one margin error."""
    inside = sweep["place"].between(0, 1) & (sweep["status"] == "outside")
    below = (sweep["place"] < 0) & (sweep["status"] != "outside")
    end = (sweep["place"] == 1) & (sweep["status"] == "ok") & (sweep["errors"] > 1)
    chosen = some(sweep["place"] <= 1, "a C inside the range")
    said = (
        f"{inside.sum()} C inside the range have no optimum, {below.sum()} below it have one, "
        f"{end.sum()} at its end allow more errors; as printed {{counts}}"
    )
    return Measured((inside | below | end)[chosen], said)


def _printed(published, experiment, method, metric="mean_abs_rank_error"):
    return float(published.set_index(["experiment", "method", "metric"])["value"][experiment, method, metric])


def _level(method, name):
    """Return the measure of the mean error over users and sizes; the interval is over users."""

    def measure(records, published):
        means = finished(records, ERROR).groupby(["dataset", "method"])[ERROR].mean().unstack()
        means = having(means, [method, "constant"])
        error, ratio = interval(means[method]), interval(means[method] / means["constant"])
        said = f"{error.text()} ranks, {ratio.text()} times the error of the constant answer"
        figure = error, _printed(published, "eachmovie", name), 2, " ranks"
        return Measured(said=said, figure=figure, compared=frozenset({f"{method} and its printed error"}))

    return measure


def _against(records, metric, opponents, by=("dataset", "condition"), where=""):
    """Return the cells of opponent minus policy, in hundredths."""
    cells = {}
    for policy, opponent in [(policy, opponent) for policy in POLICIES for opponent in opponents]:
        differences = paired(records, metric, opponent, policy, scale=100, by=by)
        cells |= {f"{where}{opponent} over {policy} {name}".strip(): cell for name, cell in differences.items()}
    return cells


def _pairs(growth):
    """Two halves: all pairs square the training set, and therefore the method could not be run within an hour."""
    pairs = slope(growth["n"], growth["pairs"])
    last = growth[growth["n"] == growth["n"].max()]
    seconds = interval(np.log(last["pairwise_seconds"].to_numpy()), lever=1.0)
    squared = max((pairs.plus(-2), pairs.plus(-2).minus), key=lambda one: one.mean).minus.plus(0.1)
    said = f"pairs grow as n^{pairs.text()}; at n = {last['n'].iloc[0]} they take {np.exp(seconds.mean):.2f} s"
    return Measured({"squared": squared, "an hour": seconds.plus(-np.log(HOUR))}, f"{said}; {{counts}}")


def _filled():
    ratings, users, films = 2_811_983, 72_916, 1_628
    percent = 100 * (ratings / (users * films))
    return Measured(said=f"{percent:.1f} percent", figure=(Interval(percent, percent, percent, 1), 5.0, 2, " percent"))


def _read_off(recovery):
    """The sum of margins gives all thresholds; the fixed margin gives only some: a threshold that it gives is off."""
    read_off = (recovery["free"] > 0) & (recovery["difference"] < 1e-4)
    shares = having(read_off.groupby(recovery["policy"]).mean().to_frame().T, POLICIES).iloc[0]
    of = {name: recovery["policy"] == name for name in POLICIES}
    own = Measured(~read_off[of["sum_of_margins"]], f"{100 * shares['sum_of_margins']:.0f} percent follow")
    other = Measured(read_off[of["fixed_margin"]], f"{100 * shares['fixed_margin']:.0f} percent follow")
    return Measured(readings={"sum of margins": own, "fixed margin": other})


def _smaller(sizes):
    return Measured(
        (sizes["fixed_margin"] >= sizes["pairs"]) | (sizes["fixed_margin"] >= sizes["multiclass"]),
        "fewer variables than both {counts}",
    )


def _two_ranks(policy):
    """Return the measure of the differences between decision functions of a policy, relative to their range."""

    def measure(equalities):
        cells = some(equalities[equalities["policy"] == policy], policy)
        off = cells["difference"] / cells["range"]
        return Measured(off, f"they differ by at most {off.max():.1g} of the range, equal {{counts}}")

    return measure


def _sizes(sizes):
    return Measured((sizes["fixed_margin"] != sizes["formula"]) | (sizes["sum_of_margins"] != sizes["formula"]))


def _over_prank(records):
    users = finished(records, ERROR).pivot_table(ERROR, ["condition", "dataset"], "method")
    users, cells = having(users, ("prank", "fixed_margin", "prank_more")), {}
    for at, part in users.groupby(level="condition"):
        names = comparisons(ERROR, "prank", "fixed_margin", part.reset_index())
        cells[at] = replace(interval((part["prank"] - part["fixed_margin"]).droplevel(0)), compared=names)
    more = interval((users["prank_more"] - users["fixed_margin"]).groupby(level="dataset").mean())
    return Measured(cells, f"{{counts}}; with up to ten passes of PRank {more.text()} ranks")


def _vehicles(metric, opponent, names, unit, scale=1.0):
    """Return the measure of an opponent minus each policy, with the two printed numbers."""

    def measure(records, published):
        key = "test_error_pct" if metric == "zero_one" else "mean_abs_rank_error"
        printed = [_printed(published, "vehicle_type", name, key) for name in names]
        if learned(records, metric)[0].empty:
            return Measured(said="nothing learned", settled=NOT_CHECKABLE)
        cells = _against(records, metric, [opponent], by=("dataset",))
        means = finished(records, metric).groupby("method")[metric].mean()
        said = ", ".join(f"{name} {100 * means[name]:.1f}" for name in (*POLICIES, opponent))
        mean = min(cells.values(), key=lambda cell: cell.mean)
        theirs = f"{printed[0]:g} against {printed[1]:g}"
        return Measured(cells, f"{said}; {{counts}}", theirs, figure=(mean, scale * (printed[1] - printed[0]), 1, unit))

    return measure


def _over_all(users, vehicle, uco):
    films, cars = ["prank", "multiclass_svm"], ["kernel_prank", "multiclass_svm"]
    return Measured(
        _against(users, ERROR, films, ("dataset",), "users ")
        | _against(vehicle, ERROR, cars, ("dataset",), "vehicle ")
        | _against(uco, ERROR, [*cars, "rank_boundaries", "svor_implicit"], ("dataset",), "uco ")
    )


def _norms(relaxed):
    solved = some(relaxed[relaxed["value"] > 1e-3], "an optimum above 0")
    return Measured(
        (solved["norm"] - 1).abs(),
        f"norm 1 {{counts}}; it is 0 in {len(relaxed) - len(solved)} more, whose optimum is 0",
    )


EQUALITIES, COUNTED, PRINTED = (
    (f"{THEORY}/two_rank_equalities",),
    (f"{THEORY}/problem_sizes",),
    "published/shashua_levin",
)
DECISIONS = "Decision functions on training examples of simulated data, two kernels, several settings."
EQUAL = {"printed": "equal", "limits": {"same": 1e-3}, "word": "equal", "basis": EXACT}
FILMS = " On six users of MovieLens instead of EachMovie."
SHAPES = " On Statlog's silhouettes instead of pictures, paired over runs."
RANKS = {"unit": " hundredths of a rank", "basis": SUBSTITUTE}
LEVEL = f"Mean over users, sizes and runs of 20.{FILMS}"
LEVELS = {
    "L05": ("fixed_margin", "fixed_margin_svm", "0.7"),
    "L06": ("prank", "prank", "1.25"),
    "L15": ("prank", "prank", "1.25"),
}
for claim_id, (
    method,
    name,
    said,
) in LEVELS.items():  # L15 compares with PRank's own paper, which has about L06's error
    add(
        Claim(
            claim_id,
            (f"{USERS}/records", PRINTED),
            _level(method, name),
            None,
            LEVEL,
            f"about {said} ranks",
            number=about,
            basis=SUBSTITUTE,
        )
    )
add(
    Claim("L01", EQUALITIES, _two_ranks("fixed_margin"), always, DECISIONS, **EQUAL),
    Claim("L02", EQUALITIES, _two_ranks("sum_of_margins"), always, DECISIONS, **EQUAL),
    Claim(
        "L03",
        COUNTED,
        _sizes,
        always,
        "The dual variables of both policies in our own problems against the formula.",
        "2 l - l_1 - l_k",
        word="equal",
        basis=EXACT,
    ),
    Claim(
        "L04",
        (f"{THEORY}/sum_of_margins_sweep",),
        _range_of_c,
        always,
        "An optimum also needs C >= 1 / l_1 and C >= 1 / l_k, where the first or last rank is rare.",
        "2 (k - 1) / N <= C <= 2 (k - 1)",
        {"wrong": 0.5},
        word="as printed",
        basis=EXACT,
    ),
    Claim(
        "L07",
        (f"{USERS}/records",),
        _over_prank,
        each,
        f"PRank with one pass minus fixed margin, at each size, over users.{FILMS}",
        "0.55 ranks",
        {"least": 0.1},
        decimals=2,
        unit=" ranks",
        basis=SUBSTITUTE,
    ),
    Claim(
        "L08",
        (f"{VEHICLE}/records", PRINTED),
        _vehicles("zero_one", "multiclass_svm", ("large_margin_ranking", "pairwise_multiclass_svm"), " points"),
        each,
        f"Multi-class SVM minus each policy.{SHAPES}",
        "",
        {"least": 1.0},
        about,
        unit=" points",
        basis=SUBSTITUTE,
    ),
    Claim(
        "L09",
        (f"{VEHICLE}/records", PRINTED),
        _vehicles(ERROR, "kernel_prank", ("large_margin_ranking", "prank"), " hundredths", 100.0),
        each,
        f"Kernel PRank minus each policy, in hundredths; the constant middle rank is wrong by at most 1.{SHAPES}",
        "",
        {"least": 5.0},
        about,
        **RANKS,
    ),
    Claim(
        "L10",
        (f"{USERS}/records", f"{VEHICLE}/records", f"{UCO}/records"),
        _over_all,
        mostly,
        "Rank error, opponent minus policy; one cell for each data set, opponent and policy.",
        "both outperform",
        {"least": 5.0},
        **RANKS,
    ),
    Claim(
        "L11",
        (f"{THEORY}/pair_growth",),
        _pairs,
        on_seconds(together),
        f"The pairs grow as n^2 within 0.1, and take more than an hour.{FILMS}",
        "could not be run",
        {"least": 0.1},
        decimals=2,
        basis=SUBSTITUTE,
    ),
    Claim(
        "L12",
        (),
        _filled,
        None,
        "The printed counts are divided by each other.",
        "about 5 percent",
        number=about,
        basis=EXACT,
    ),
    Claim(
        "L13",
        (f"{THEORY}/threshold_recovery",),
        _read_off,
        always,
        "Thresholds that follow from support vectors inside their box: all of the sum "
        "of margins, few of the fixed margin.",
        "all, and one of k - 1",
        {"off": 0.05, "wrong": 0.5},
        word="as printed",
        basis=EXACT,
    ),
    Claim(
        "L14",
        (f"{THEORY}/relaxed_norm",),
        _norms,
        always,
        "An interior point method for cone programs with norm at most 1; our solver divides by the norm.",
        "1",
        {"same": 1e-4},
        word="norm 1",
        basis=EXACT,
    ),
    Claim(
        "L16",
        COUNTED,
        _smaller,
        always,
        "Counted in problems of 50 to 1000 examples whose ranks have random sizes.",
        "2 l against l^2 and k l",
        {"off": 0.1, "wrong": 0.5},
        word="smaller",
        basis=EXACT,
    ),
)
