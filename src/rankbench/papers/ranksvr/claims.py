"""The claims of Yu et al. about Tables 2 and 3 and Figures 4 and 5; `claims_theory` has the others."""

import numpy as np

from rankbench.claims.evidence import (
    BLIND,
    both,
    compared,
    finished,
    having,
    interval,
    multiple,
    ordering,
    over,
    paired,
    slope,
    within,
)
from rankbench.claims.numbers import agreement
from rankbench.claims.rows import Measured, Row, add, in_all_parts, mostly, near, sometimes
from rankbench.claims.verdict import (
    FAILS,
    HOLDS,
    INCONCLUSIVE,
    MIXED,
    NO_DIRECTION,
    SUBSTITUTE,
    Finding,
    Lacking,
    claim,
)
from rankbench.intervals import quantile
from rankbench.papers.ranksvr.printed import PRINTED_AS

ERROR = "absolute_error"
SAMPLERS = {"random": "Random", "close_pair": "ClosePair", "p_close_pair": "PClosePair", "sample_mst": "SampleMST"}
AS_PRINTED = {("close_pair_as_printed" if key == "close_pair" else key): name for key, name in SAMPLERS.items()}
OTHERS, PROPOSED = ("random", "close_pair", "p_close_pair"), ("close_pair", "p_close_pair", "sample_mst")
HONEST = ("standardised_validation", "raw_validation", "margin01_validation")
BOTH = ("dataset", "condition")
MARGIN_01, MARGIN_1 = (tuple(f"{margin}_k{k}" for k in ("03", "10", "30", "90")) for margin in ("margin01", "margin1"))
NONE_WRONG = tuple(f"k{k}_wrong00" for k in ("0005", "0050", "0500", "5000"))


def honest(records):
    """Return the runs whose parameters were not chosen on their test part."""
    return records[records["condition"].isin(HONEST)]


def lower(records, better, others, by=BOTH):
    """Return the intervals of the error of each of `others` minus the error of `better`, which should be above 0."""
    cells = {}
    for other in others:
        gaps = paired(records, ERROR, other, better, by=by)
        cells |= {
            f"{SAMPLERS.get(better, better)} against {SAMPLERS.get(other, other)} {at}": c for at, c in gaps.items()
        }
    return cells


def tally(cells):
    """Return ``3 for, 1 against of 8``: how many cells lie above 0, as the claim says, and below 0."""
    signs = [cell.sign for cell in cells.values()]
    return f"{signs.count(1)} for, {signs.count(-1)} against of {len(signs)}"


def ratios_to_svr(ratios, published):
    """Return our ratios with our standard errors and the printed ratios: a row per data set, condition and sampler."""
    printed = published.pivot(index="dataset", columns="method", values="mae")
    printed = printed.div(printed["SVR"], axis=0).stack()
    standard_error = (ratios["high"] - ratios["low"]) / (2 * quantile(ratios["n_pairs"] - 1))
    cells = ratios.assign(standard_error=standard_error)
    keys = zip(cells["dataset"].map(PRINTED_AS), cells["method"].map(SAMPLERS))
    return cells.assign(printed=[printed.get(key, np.nan) for key in keys])


@claim("R01", "ranksvr_table2/ratios", "published/ranksvr_table2")
def cells_of_table_2(ratios, published, *, errors=2.0, off=0.1, chance=0.05):
    """Judge the reading of the protocol with the most cells that agree, and say how many readings were tried."""
    cells, judged = ratios_to_svr(ratios, published), {}
    limits = {"errors": errors, "off": off, "chance": chance}
    for condition, part in cells.groupby("condition", sort=False):
        judged[condition] = agreement(part["ratio"] - part["printed"], np.sqrt(2) * part["standard_error"], **limits)
    best = max(judged, key=lambda name: int(judged[name][1].split()[0]))
    number, counts, agree = judged[best]
    shares = ", ".join(f"{name.replace('_', ' ')} {text.split(' cells')[0]}" for name, (_, text, _) in judged.items())
    return Finding(
        NO_DIRECTION,
        f"ratios to SVR under the nearest of {len(judged)} readings ({best.replace('_', ' ')}): {counts}; "
        f"all: {shares}",
        "28 ratios to SVR, from 0.039 to 0.993, without standard errors",
        "Only ratios can be compared, because the unit of the targets is not known; Bodyfat is compared with density "
        "and with fat as the target. The printed ratios have no errors and are given ours. The number fails if all "
        "cells together reject them (chi-squared test). The printed ratios of Bodyfat and Forest fires (0.04 to 0.06) "
        "show that something else was done there.",
        number=number,
        difference=agree,
    )


def relative_to(method, records):
    """Return finished runs with errors divided by the mean error of a method on the same data set and condition."""
    runs = finished(records, ERROR)
    scale = runs[runs["method"] == method].groupby(list(BOTH))[ERROR].mean().rename("scale")
    runs = runs.merge(scale, on=list(BOTH))
    return runs.assign(**{ERROR: runs[ERROR] / runs["scale"]})


def close_pair_over_mst(records):
    """Return how much the error of ClosePair is above that of SampleMST, relative to it: one interval per data set."""
    return paired(relative_to("sample_mst", honest(records)), ERROR, "close_pair", "sample_mst")


def _below(sampler_sets, read=lambda records: relative_to("svr", honest(records))):
    """Return the measure of samplers against others: one cell per pair of methods, data set and condition."""

    def measure(records):
        by_sampler = {sampler: lower(read(records), sampler, others) for sampler, others in sampler_sets.items()}
        cells = {at: cell for part in by_sampler.values() for at, cell in part.items()}
        return Measured(cells, "; ".join(f"{SAMPLERS[name]}: {tally(part)}" for name, part in by_sampler.items()))

    return measure


def _below_svr(records):
    measured = _below({sampler: ["svr"] for sampler in SAMPLERS})(records)
    chosen = records[~records["condition"].isin(HONEST)]
    on_test = {key: cell for sampler in SAMPLERS for key, cell in lower(chosen, sampler, ["svr"]).items()}
    said = f"parameters chosen on the three points: {tally(measured.cells)}; chosen on the test part: {tally(on_test)}"
    return Measured(measured.cells, said)


def _below_random(*samplers):
    """Return the measure of samplers against Random in Table 2; the text also has the counts of the figures."""

    def measure(table2, fig5, fig4):
        pairs = {sampler: ["random"] for sampler in samplers}
        measured = _below(pairs)(table2)
        narrow, wide = (fig4[fig4["condition"].isin(margin)] for margin in (MARGIN_01, MARGIN_1))
        parts = {"Figure 5": fig5, "simulated functions, margin 0.1": narrow, "margin 1": wide}
        beside = [f"{name}: {tally(_below(pairs, lambda all: all)(part).cells)}" for name, part in parts.items()]
        return Measured(measured.cells, f"Table 2: {tally(measured.cells)} ({measured.said}); {'; '.join(beside)}")

    return measure


def _mst_in_table_2(records):
    cells = lower(relative_to("svr", honest(records)), "sample_mst", ["svr", *OTHERS])
    runs = finished(honest(records), ERROR)
    runs = runs[runs["method"].isin(["svr", *SAMPLERS])]  # without the constant and the random answer
    ranks = runs.groupby(["dataset", "condition", "method"])[ERROR].mean().unstack("method").rank(axis=1).mean()
    names = ", ".join(f"{SAMPLERS.get(name, 'SVR')} {rank:.2f}" for name, rank in ranks.sort_values().items())
    return Measured(cells, f"average ranks: {names}; cells: {tally(cells)}")


def _mst_along_curves(records):
    runs = relative_to("svr", records)
    parts = {other: lower(runs, "sample_mst", [other]) for other in ("svr", *OTHERS)}
    shares = [f"{SAMPLERS.get(other, 'SVR')}: {tally(part)}" for other, part in parts.items()]
    cells = {at: cell for part in parts.values() for at, cell in part.items()}
    return Measured(cells, f"SampleMST against {'; '.join(shares)}")


@claim("R05", "ranksvr_table2/records")
def close_pair_does_as_well_on_some_sets(records, *, as_well=0.02):
    """The words "on some sets" are read as: on at least one."""
    cells = close_pair_over_mst(records)
    good = [at for at, cell in cells.items() if cell.high <= as_well]
    worse = [at for at, cell in cells.items() if cell.low > 0]
    return Finding(
        HOLDS if good else FAILS if len(worse) == len(cells) else INCONCLUSIVE,
        f"as well on {len(good)} of {len(cells)} sets{': ' * bool(good)}{', '.join(good[:4])}; worse on {len(worse)}",
        "lower on Bodyfat only",
        "As well means that the interval of ClosePair minus SampleMST, relative to the error of SampleMST and pooled "
        f"over the honest conditions of a set, ends below {as_well:g}. The claim fails if ClosePair is worse on every "
        "set.",
        f"relative error {over(cells).text(3)} more",
        compared=compared(cells),
    )


@claim("R06", "ranksvr_theory/sampling_as_printed", "published/ranksvr_table3")
def cells_of_table_3(seconds, published, *, factor=2.0, off=0.1, wrong=0.5):
    ours = seconds.pivot_table("seconds", "dataset", "sampler", aggfunc="mean").rename(index=PRINTED_AS)
    ours = having(ours.rename(columns=AS_PRINTED), SAMPLERS.values())
    printed = published.pivot(index="dataset", columns="method", values="seconds").loc[ours.index]
    others = ["Random", "PClosePair", "SampleMST"]
    factors = (ours[others].div(ours["ClosePair"], axis=0) / printed[others].div(printed["ClosePair"], axis=0)).stack()
    near = np.abs(np.log(factors)) <= abs(np.log(factor))
    logs = interval(np.log(factors))
    return Finding(
        NO_DIRECTION,
        f"{near.sum()} of {len(near)} ratios to ClosePair within a factor of {factor:g} of the printed ones; ClosePair "
        f"takes {ours['ClosePair'].min():.2g} to {ours['ClosePair'].max():.2g} s",
        f"ClosePair {printed['ClosePair'].min():.4g} to {printed['ClosePair'].max():.4g} s",
        "The machines are different, so ratios between samplers are compared. ClosePair as printed computes all "
        "distances.",
        number=within((~near).mean(), off, wrong),
        difference=f"ratios {multiple(logs, 2)} the printed ones",
    )


def _mst_is_faster(seconds, times):
    """Judge whether SampleMST is much faster than ClosePair as printed on every set, by intervals over the draws.

    Returns
    -------
    verdict : str
        Mixed if SampleMST is faster, but not `times` as fast.
    ours, effect : str
    """
    wide = seconds.pivot(index=["dataset", "seed"], columns="sampler", values="seconds")
    wide = np.log(having(wide, ("close_pair_as_printed", "close_pair", "sample_mst")))
    ratios, boxes = wide["close_pair_as_printed"] - wide["sample_mst"], wide["close_pair"] - wide["sample_mst"]
    cells = {name: interval(part) for name, part in ratios.groupby(level="dataset")}
    much = {name: cell.plus(-np.log(times)) for name, cell in cells.items()}
    faster = ordering(cells, every=True)[0]
    verdict = HOLDS if ordering(much, every=True)[0] == HOLDS else MIXED if faster == HOLDS else faster
    low, high = (np.exp(end(cell.mean for cell in cells.values())) for end in (min, max))
    ours = (
        f"{low:.2g} to {high:.2g} times as fast as ClosePair as printed, on {len(cells)} sets; "
        f"{np.exp(boxes.min()):.2g} to {np.exp(boxes.max()):.2g} times as fast as our exact search for the same pairs"
    )
    return verdict, ours, multiple(over(cells))


MUCH_FASTER = (
    "Much faster: the interval of the factor lies above {:g} on every set; faster, but not so much, is mixed. As "
    "printed, ClosePair computes all distances; our search excludes most others by bounding boxes."
)
SECONDS = frozenset({"seconds of ClosePair as printed and SampleMST"})


@claim("R07", "ranksvr_theory/sampling_as_printed")
def sample_mst_is_much_faster_than_close_pair(seconds, *, times=10.0):
    verdict, ours, effect = _mst_is_faster(seconds, times)
    return Finding(verdict, ours, "11 to 54 times", MUCH_FASTER.format(times), effect, compared=SECONDS)


def _growth(growth):
    """Algorithm 1 computes all distances; the text also has the slope of the exact search with bounding boxes."""
    parts = {name: growth[growth["sampler"] == name] for name in ("close_pair_as_printed", "close_pair")}
    printed, boxes = (slope(part["n"], part["seconds"]) for part in parts.values())
    said = f"slope {printed.text()} as printed; {boxes.text()} by an exact search with boxes for the same pairs"
    return Measured({"ClosePair": printed.plus(-2)}, f"{said}; slope minus 2: {{counts}}")


def _size_of_the_pool(seconds):
    part = seconds[seconds["sampler"] == "p_close_pair"]
    means = part.groupby("dataset")[["n_pool", "seconds"]].mean()
    fitted = slope(means["n_pool"], means["seconds"])
    return Measured({"PClosePair": fitted}, f"slope {fitted.text()}; {{counts}}")


@claim("R11", "ranksvr_table2/records", "ranksvr_theory/sampling_as_printed")
def sample_mst_is_as_accurate_as_close_pair_and_faster(records, seconds, *, times=10.0, as_well=0.02):
    cells = {name: cell.minus for name, cell in close_pair_over_mst(records).items()}
    ends = [(cell.low > as_well, cell.high <= as_well) for cell in cells.values()]
    worse, well = sum(worse for worse, _ in ends), sum(well for _, well in ends)
    fast, ours, effect = _mst_is_faster(seconds, times)
    return Finding(
        both(HOLDS if well == len(cells) else FAILS if worse else INCONCLUSIVE, fast),
        f"as accurate on {well} of {len(cells)} sets, less accurate on {worse}; {ours}",
        "lower on 6 of 7; 11 to 54 times as fast",
        "At least as accurate means that the interval of SampleMST minus ClosePair, relative to the error of SampleMST "
        f"and pooled over the honest conditions of a set, ends below {as_well:g} on every set, as in R05. "
        f"{MUCH_FASTER.format(times)}",
        f"relative error {over(cells).text(3)} more, {effect} as fast",
        compared=compared(close_pair_over_mst(records)) | SECONDS,
    )


def _made_functions(records):
    parts = {}
    for conditions, name in ((MARGIN_01, "margin 0.1"), (MARGIN_1, "margin 1")):
        part = records[records["condition"].isin(conditions)]
        samplers = ("close_pair", "sample_mst")
        parts[name] = {at: cell for s in samplers for at, cell in lower(part, s, ["svr", "random"]).items()}
    said = "; ".join(f"{name}: {tally(part)}" for name, part in parts.items())
    return Measured(parts, f"against SVR and Random: {said}; {{counts}}")


def _more_pairs(fig5, fig4, ablation):
    parts = {
        "figure 5": fig5,
        "figure 4, margin 0.1": fig4[fig4["condition"].isin(MARGIN_01)],
        "figure 4, margin 1": fig4[fig4["condition"].isin(MARGIN_1)],
        "ablation, none wrong": ablation[ablation["condition"].isin(NONE_WRONG)],
    }
    risen = {name: dict(enumerate(_rises(records[records["n_pairs"] > 0]))) for name, records in parts.items()}
    cells = {(name, at): cell for name, rises in risen.items() for at, cell in rises.items()}
    if not cells:
        raise Lacking("no curve has four draws with two numbers of pairs")
    said = "the error with the most pairs is above that with the best smaller number {counts}; curve by curve: "
    return Measured(cells, said + "; ".join(f"{name} {tally(rises)}" for name, rises in risen.items()))


def _rises(records):
    """Return the intervals of the error with the most pairs minus that with the best other number, one per curve.

    The best number is chosen on even seeds and judged on odd seeds; a curve with fewer than two of either is left out.
    """
    rises, records = [], records[~records["method"].isin(BLIND)]
    for _, curve in finished(records, ERROR).groupby(["dataset", "method"]):
        wide = curve.pivot(index="seed", columns="n_pairs", values=ERROR).dropna()
        odd = wide.index % 2 == 1
        if wide.shape[1] < 2 or odd.sum() < 2 or (~odd).sum() < 2:
            continue
        most = wide.columns.max()
        best = wide[~odd].drop(columns=most).mean().idxmin()
        rises.append(interval(wide.loc[odd, most] - wide.loc[odd, best]))
    return rises


TABLE2, MADE = ("ranksvr_table2/records",), ("ranksvr_fig5/records", "ranksvr_fig4/records")
MOSTLY = {"most": 0.5, "level": 0.05}
OF_SVR = {"decimals": 3, "unit": " of the mean error of SVR"}
DECIDES = "Judged on the data of Table 2 with honestly chosen parameters; the counts of the figures are for comparison."
CLOSE = " In the simulations, whose targets have no noise, close pairs helped with a margin of 0.1 and not with 1."
PRINTED_WINS = "SampleMST 7 of 7, ClosePair 2 of 7, PClosePair 1 of 7 means below Random"
CURVES = "Three data sets and five numbers of pairs; parameters are chosen on the three points."
MST = "SampleMST against each other method, on each data set under each honest condition, paired over 30 draws."
add(
    Row(
        "R02",
        TABLE2,
        _below_svr,
        mostly,
        MOSTLY,
        "Five ranking pairs; differences are paired over 30 draws. Choosing parameters on the test part favours the "
        "method that has more of them, so the verdict is about the honest choice.",
        "28 of 28 means below SVR",
        **OF_SVR,
    ),
    Row("R03", TABLE2 + MADE, _below_random(*PROPOSED), mostly, MOSTLY, DECIDES + CLOSE, PRINTED_WINS, **OF_SVR),
    Row("R04", TABLE2, _mst_in_table_2, mostly, MOSTLY, MST, "lowest mean on 5 of 7", **OF_SVR),
    Row(
        "R08",
        ("ranksvr_theory/sampler_growth",),
        _growth,
        near,
        {"margin": 0.2},
        "Slope of log seconds against log n. Quadratic means that its interval lies within {margin:g} of 2; the claim "
        "fails if the whole interval is farther from 2. The growth comes from Algorithm 1, which computes all "
        "distances; the problem does not require it.",
        "slope 1.96",
        "slope minus 2",
        2,
    ),
    Row(
        "R09",
        ("ranksvr_theory/sampling_as_printed",),
        _size_of_the_pool,
        near,
        {"margin": 0.5},
        "Slope of log seconds against log n over seven data sets. Independent of the size means that its interval lies "
        "within {margin:g} of 0; the claim fails if the whole interval is farther away.",
        "slope 0.85 in the printed seconds",
        "slope",
        2,
    ),
    Row(
        "R10",
        TABLE2 + MADE,
        _below_random("p_close_pair"),
        mostly,
        MOSTLY,
        DECIDES,
        "lower on 1 of 7, equal on 1",
        **OF_SVR,
    ),
    Row(
        "R12",
        MADE[1:],
        _made_functions,
        in_all_parts,
        MOSTLY,
        "Nine functions, simulated here because the paper's are lost, and four numbers of pairs. The result depends on "
        "the margin, which the paper does not state: both margins must give the same verdict.",
        "plot lost",
        decimals=3,
        unit=" sd of the target",
        basis=SUBSTITUTE,
    ),
    Row(
        "R20",
        ("ranksvr_fig5/records", "ranksvr_fig4/records", "ranksvr_ablation/records"),
        _more_pairs,
        sometimes,
        {"level": 0.05},
        "The best smaller number is chosen on the draws with an even seed and compared on the others, in pairs. The "
        "statement says that there are such curves: one that rises clearly, at {level:g} divided by the number of "
        "curves, is enough. Where they are depends on the margin, which the paper does not state.",
        "not always",
        word="rising",
        basis=SUBSTITUTE,
    ),
    Row("R15", MADE[:1], _mst_along_curves, mostly, MOSTLY, CURVES, "plot lost", **OF_SVR),
)
