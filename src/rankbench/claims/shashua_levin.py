"""Claims L01 to L16 of Shashua and Levin."""

from dataclasses import replace

import pandas as pd

from .evidence import finished, having, interval, ordering, paired, slope, some
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, NOT_CHECKABLE, Finding, claim

USERS, VEHICLE, UCO, THEORY = "shashua_levin_fig2", "shashua_levin_vehicle", "ordinal_uco", "shashua_levin_theory"
POLICIES = ("fixed_margin", "sum_of_margins")
FILMS = "On six users of MovieLens-100K, a substitute of EachMovie: five levels instead of six, denser."
PICTURES = "On Statlog silhouettes with a declared order of size, a substitute of the paper's pictures."
ABOUT = 0.1  # ranks: what "about" may be off


def _equal(equalities, policy, what):
    """Judge that decision functions agree within a thousandth of their range."""
    cells = some(equalities[equalities["policy"] == policy], policy)
    off = float((cells["difference"] / cells["range"]).max())
    why = "Decision functions on the training examples of made data, linear and Gaussian kernel, several settings."
    return Finding(
        HOLDS if off < 1e-3 else FAILS, f"{off:.1g} of the range apart at most, {len(cells)} cases", what, why
    )


@claim("L01", f"{THEORY}/two_rank_equalities")
def fixed_margin_is_the_svm(equalities):
    return _equal(equalities, "fixed_margin", "equal")


@claim("L02", f"{THEORY}/two_rank_equalities")
def sum_of_margins_is_nu_svm(equalities):
    return _equal(equalities, "sum_of_margins", "equal")


@claim("L03", f"{THEORY}/problem_sizes")
def twice_the_examples_less_two_ranks(sizes):
    same = (sizes["fixed_margin"] == sizes["formula"]) & (sizes["sum_of_margins"] == sizes["formula"])
    verdict = HOLDS if same.all() else FAILS if not same.any() else MIXED
    why = "Dual variables of both policies against 2 l - l_1 - l_k, ranks of random sizes."
    return Finding(verdict, f"equal in {same.sum()} of {len(same)} cases", "2 l - l_1 - l_k", why)


@claim("L04", f"{THEORY}/sum_of_margins_sweep")
def range_of_the_constant(sweep):
    inside = some(sweep[sweep["place"].between(0, 1)], "a C inside the range")
    solved = inside.groupby("shares")["status"].apply(lambda status: (status != "outside").mean())
    beyond = bool((some(sweep[sweep["place"] < 0], "a C below it")["status"] == "outside").all())
    end = sweep[(sweep["place"] == 1) & (sweep["status"] == "ok")]["errors"]
    most = float(some(end, "an optimum at the upper end").max())
    good = beyond and most <= 1
    verdict = HOLDS if good and solved.min() == 1 else FAILS if not good else MIXED
    parts = ", ".join(f"{name} ranks {100 * share:.0f} percent" for name, share in solved.items())
    return Finding(
        verdict,
        f"C inside the printed range with an optimum: {parts}; none below it; at its upper end at most "
        f"{most:.0f} margin errors",
        "2 (k - 1) / N <= C <= 2 (k - 1)",
        "An optimum also needs C >= 1 / l_1 and C >= 1 / l_k, which the paper does not say: below, the first or the "
        "last threshold runs away. Seen where the first rank is rare.",
    )


def _level(records, method, printed):
    """Judge that the mean over users and sizes is the printed one, up to what "about" may be off."""
    ok = finished(records[records["method"] == method], "mean_absolute_error")
    error = interval(ok.groupby("dataset")["mean_absolute_error"].mean())
    inside = error.low - ABOUT <= printed <= error.high + ABOUT
    verdict = HOLDS if abs(error.mean - printed) <= ABOUT else INCONCLUSIVE if inside else FAILS
    why = f"Mean over users of the mean over sizes and runs, interval over users. About: 0.1 off at most. {FILMS}"
    if verdict == INCONCLUSIVE:
        off = replace(error, mean=error.mean - printed)
        why += f" About {off.runs_to_settle()} users would settle it."
    return Finding(verdict, f"{error.text()} ranks", f"about {printed:g} ranks", why)


def _printed(published, experiment, method, metric="mean_abs_rank_error"):
    rows = published.set_index(["experiment", "method", "metric"])["value"]
    return float(rows[experiment, method, metric])


@claim("L05", f"{USERS}/records", "published/shashua_levin")
def error_of_the_fixed_margin(records, published):
    return _level(records, "fixed_margin", _printed(published, "eachmovie", "fixed_margin_svm"))


@claim("L06", f"{USERS}/records", "published/shashua_levin")
def error_of_prank(records, published):
    return _level(records, "prank", _printed(published, "eachmovie", "prank"))


def _against(records, metric, opponents, by=("dataset", "condition"), where=""):
    """Return cells of opponent minus policy, in hundredths."""
    cells = {}
    for policy, opponent in [(policy, opponent) for policy in POLICIES for opponent in opponents]:
        found = paired(records, metric, opponent, policy, scale=100, by=by)
        cells |= {f"{where}{opponent} over {policy} {name}".strip(): cell for name, cell in found.items()}
    return cells


@claim("L07", f"{USERS}/records")
def better_than_prank_at_each_size(records):
    runs = finished(records, "mean_absolute_error")
    users = runs.pivot_table("mean_absolute_error", ["condition", "dataset"], "method")
    users = having(users, ("prank", "fixed_margin"))
    differences = users["prank"] - users["fixed_margin"]
    cells = {size: interval(part) for size, part in differences.groupby(level="condition")}
    verdict, counts = ordering(cells, every=True)
    sizes = ", ".join(f"{size} {cell.mean:.2f}" for size, cell in cells.items())
    why = f"PRank minus fixed margin, interval over the users at each size. {FILMS}"
    return Finding(verdict, f"{sizes} ranks; {counts}", "0.55 ranks", why)


@claim("L08", f"{VEHICLE}/records", "published/shashua_levin")
def fewer_errors_than_multiclass_on_vehicles(records, published):
    cells = _against(records, "zero_one", ["multiclass_svm"], by=("dataset",))
    verdict, counts = ordering(cells, every=True)
    means = 100 * finished(records, "zero_one").groupby("method")["zero_one"].mean()
    names = [*POLICIES, "multiclass_svm"]
    printed = [
        _printed(published, "vehicle_type", name, "test_error_pct")
        for name in ("large_margin_ranking", "pairwise_multiclass_svm")
    ]
    return Finding(
        verdict,
        f"{', '.join(f'{name} {means[name]:.1f}' for name in names)} percent; {counts}",
        f"{printed[0]:g} against {printed[1]:g} percent",
        f"Multi-class minus each policy, paired over runs. {PICTURES}",
    )


@claim("L09", f"{VEHICLE}/records", "published/shashua_levin")
def smaller_rank_error_than_prank_on_vehicles(records, published):
    cells = _against(records, "mean_absolute_error", ["kernel_prank"], by=("dataset",))
    verdict, counts = ordering(cells, every=True)
    means = finished(records, "mean_absolute_error").groupby("method")["mean_absolute_error"].mean()
    printed = [_printed(published, "vehicle_type", name) for name in ("large_margin_ranking", "prank")]
    if verdict == HOLDS and abs(means["kernel_prank"] - printed[1]) > ABOUT:
        verdict = MIXED
    names = [*POLICIES, "kernel_prank", "prank", "median_rank"]
    return Finding(
        verdict,
        f"{', '.join(f'{name} {means[name]:.3f}' for name in names if name in means)} ranks; {counts}",
        f"{printed[0]:g} against {printed[1]:g} ranks (the constant middle rank is at most 1 off)",
        f"Second-order kernel for both; the order and the size of the printed numbers. {PICTURES}",
    )


@claim("L10", f"{USERS}/records", f"{VEHICLE}/records", f"{UCO}/records")
def both_policies_beat_the_others(users, vehicle, uco):
    metric, cells = "mean_absolute_error", {}
    for where, records, opponents in (
        ("users ", users, ["prank", "multiclass_svm"]),
        ("vehicle ", vehicle, ["kernel_prank", "multiclass_svm"]),
        ("uco ", uco, ["kernel_prank", "multiclass_svm", "rank_boundaries", "svor_implicit"]),
    ):
        cells |= _against(records, metric, opponents, by=("dataset",), where=where)
    verdict, counts = ordering(cells)
    shares = []
    for policy in POLICIES:
        own = [cell for name, cell in cells.items() if f" over {policy} " in name]
        shares.append(
            f"{policy} {sum(c.sign > 0 for c in own)} better, {sum(c.sign < 0 for c in own)} worse of {len(own)}"
        )
    why = "Mean absolute rank error, opponent minus policy, a cell a data set and opponent; substitutes among them."
    return Finding(verdict, f"{'; '.join(shares)}; {counts}", "", why)


@claim("L11", f"{THEORY}/pair_growth")
def pairwise_ranking_is_intractable(growth):
    grows = slope(growth["n"], growth["pairs"])
    last = growth[growth["n"] == growth["n"].max()]
    seconds = last[["pairwise_seconds", "fixed_margin_seconds"]].mean()
    tractable = seconds["pairwise_seconds"] < 60 and last["gap"].max() <= 2e-3
    return Finding(
        FAILS if tractable else HOLDS,
        f"pairs grow as n^{grows.mean:.1f}; at n = {last['n'].iloc[0]} {last['pairs'].mean():.0f} pairs take "
        f"{seconds['pairwise_seconds']:.1f} s, the fixed margin {seconds['fixed_margin_seconds']:.2f} s",
        "could not be run",
        "The pairs do square the size, but coordinate descent with a linear kernel solves them in seconds: what the "
        f"paper could not run can be run today. It would hold above a minute. {FILMS}",
    )


@claim("L12", f"{THEORY}/filled_share")
def share_of_ratings_that_are_there(filled):
    share = 100 * float(filled["share"].iloc[0])
    verdict = HOLDS if abs(share - 5) < 0.5 else FAILS
    return Finding(verdict, f"{share:.1f} percent", "about 5 percent", "The printed counts divided by each other.")


@claim("L13", f"{THEORY}/threshold_recovery")
def thresholds_follow_from_support_vectors(recovery):
    read_off = (recovery["free"] > 0) & (recovery["difference"] < 1e-4)
    shares = having(read_off.groupby(recovery["policy"]).mean().to_frame().T, POLICIES).iloc[0]
    own, other = shares["sum_of_margins"], shares["fixed_margin"]
    verdict = HOLDS if own > 0.95 and other < 0.5 else FAILS if own < 0.5 else MIXED
    return Finding(
        verdict,
        f"read off support vectors inside their box: {100 * own:.0f} percent of the thresholds of the sum of margins, "
        f"{100 * other:.0f} percent of those of the fixed margin",
        "all of the one, one of the k - 1 of the other",
        "With slack every threshold of the fixed margin has support vectors of its own on the margin, so the linear "
        "program is needed only where it has none.",
    )


@claim("L14", f"{THEORY}/sum_of_margins_sweep")
def norm_one_is_reached(sweep):
    norms = some(sweep["norm"].dropna(), "a norm")
    off = float((norms - 1).abs().max())
    none = int((sweep["status"] == "none").sum())
    return Finding(
        HOLDS if off < 1e-6 else FAILS,
        f"norm 1 within {off:.1g} in {len(norms)} fits; {none} more had no sum of margins above 0",
        "1",
        "Where a sum of margins above 0 exists, a shorter f could be stretched; where none does, f = 0 is as good.",
    )


@claim("L15")
def prank_agrees_with_its_own_paper():
    return Finding(NOT_CHECKABLE, why="EachMovie was withdrawn in 2004: it would need its ratings.")


@claim("L16", f"{THEORY}/problem_sizes")
def smaller_than_pairs_and_classes(sizes: pd.DataFrame):
    less_pairs, less_classes = (sizes["fixed_margin"] < sizes[other] for other in ("pairs", "multiclass"))
    both = less_pairs & less_classes
    verdict = HOLDS if both.mean() >= 0.9 else FAILS if both.mean() < 0.5 else MIXED
    return Finding(
        verdict,
        f"fewer variables than pairs in {less_pairs.sum()}, than k l in {less_classes.sum()} of {len(sizes)} cases",
        "2 l against l^2 and k l",
        "Ranks of random sizes from 50 to 1000 examples.",
    )
