"""The claims of Yu et al. about Tables 2 and 3 and Figures 4 and 5; `ranksvr_theory` has the others."""

import numpy as np
from scipy import stats

from ..intervals import CONFIDENCE, quantile
from ..printed.ranksvr import PRINTED_AS
from . import ranksvr_theory  # noqa: F401 (registers its claims)
from .evidence import BLIND, agreement, finished, having, interval, over, paired, share, slope, some, within
from .rows import Measured, Row, add, in_all_parts, mostly, near
from .verdict import FAILS, HOLDS, INCONCLUSIVE, MIXED, SUBSTITUTE, Finding, Lacking, claim

ERROR = "absolute_error"
AS_PRINTED = {"random": "Random", "close_pair_as_printed": "ClosePair", "p_close_pair": "PClosePair"}
AS_PRINTED["sample_mst"] = "SampleMST"
SAMPLERS = {"random": "Random", "close_pair": "ClosePair", "p_close_pair": "PClosePair", "sample_mst": "SampleMST"}
OTHERS = ("random", "close_pair", "p_close_pair")
PROPOSED = ("close_pair", "p_close_pair", "sample_mst")
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
        found = paired(records, ERROR, other, better, by=by)
        cells |= {
            f"{SAMPLERS.get(better, better)} against {SAMPLERS.get(other, other)} {at}": c for at, c in found.items()
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
def cells_of_table_2(ratios, published, *, errors=2.0, off=0.1, wrong=0.5):
    """Judge the reading of the protocol with the most cells that agree, and say how many readings were tried."""
    cells, found = ratios_to_svr(ratios, published), {}
    for condition, part in cells.groupby("condition", sort=False):
        difference = part["ratio"] - part["printed"]
        found[condition] = agreement(difference, part["standard_error"], errors=errors, off=off, wrong=wrong)
    best = max(found, key=lambda name: int(found[name][1].split()[0]))
    verdict, counts, effect = found[best]
    shares = ", ".join(f"{name.replace('_', ' ')} {text.split(' cells')[0]}" for name, (_, text, _) in found.items())
    return Finding(
        verdict,
        f"ratios to SVR under the nearest of {len(found)} readings ({best.replace('_', ' ')}): {counts}; all: {shares}",
        "28 ratios to SVR, from 0.039 to 0.993, without standard errors",
        "Only ratios can be compared, because the unit of the targets is not known; Bodyfat is compared with density "
        "and with fat as the target. The printed ratios of Bodyfat and Forest fires (0.04 to 0.06) show that something "
        "else was done there.",
        effect,
    )


def _below(sampler_sets, read=honest):
    """Return the measure of samplers against others: one cell per pair of methods, data set and condition."""

    def measure(records):
        found = {sampler: lower(read(records), sampler, others) for sampler, others in sampler_sets.items()}
        cells = {at: cell for part in found.values() for at, cell in part.items()}
        return Measured(cells, "; ".join(f"{SAMPLERS[name]}: {tally(part)}" for name, part in found.items()))

    return measure


def _below_svr(records):
    found = _below({sampler: ["svr"] for sampler in SAMPLERS})(records)
    chosen = records[~records["condition"].isin(HONEST)]
    on_test = {key: cell for sampler in SAMPLERS for key, cell in lower(chosen, sampler, ["svr"]).items()}
    said = f"parameters chosen on the three points: {tally(found.cells)}; chosen on the test part: {tally(on_test)}"
    return Measured(found.cells, said)


def _below_random(*samplers):
    """Return the measure of samplers against Random in Table 2; the text also has the counts of the figures."""

    def measure(table2, fig5, fig4):
        pairs = {sampler: ["random"] for sampler in samplers}
        found = _below(pairs)(table2)
        narrow, wide = (fig4[fig4["condition"].isin(margin)] for margin in (MARGIN_01, MARGIN_1))
        parts = {"Figure 5": fig5, "simulated functions, margin 0.1": narrow, "margin 1": wide}
        beside = [f"{name}: {tally(_below(pairs, lambda all: all)(part).cells)}" for name, part in parts.items()]
        return Measured(found.cells, f"Table 2: {tally(found.cells)} ({found.said}); {'; '.join(beside)}")

    return measure


def _mst_in_table_2(records):
    cells = lower(honest(records), "sample_mst", ["svr", *OTHERS])
    runs = finished(honest(records), ERROR)
    runs = runs[runs["method"].isin(["svr", *SAMPLERS])]  # without the constant and the random answer
    ranks = runs.groupby(["dataset", "condition", "method"])[ERROR].mean().unstack("method").rank(axis=1).mean()
    names = ", ".join(f"{SAMPLERS.get(name, 'SVR')} {rank:.2f}" for name, rank in ranks.sort_values().items())
    return Measured(cells, f"average ranks: {names}; cells: {tally(cells)}")


def _mst_along_curves(records):
    parts = {other: lower(records, "sample_mst", [other]) for other in ("svr", *OTHERS)}
    shares = [f"{SAMPLERS.get(other, 'SVR')}: {tally(part)}" for other, part in parts.items()]
    cells = {at: cell for part in parts.values() for at, cell in part.items()}
    return Measured(cells, f"SampleMST against {'; '.join(shares)}")


@claim("R05", "ranksvr_table2/records")
def close_pair_does_as_well_on_some_sets(records, *, as_well=0.02):
    """On some sets: on at least one. Its honest conditions are pooled, so that one cell of many is not enough."""
    runs = finished(honest(records), ERROR)
    mst = runs[runs["method"] == "sample_mst"]
    scale = mst.groupby(list(BOTH))[ERROR].transform("mean")
    runs = runs.merge(mst.assign(scale=scale)[[*BOTH, "seed", "scale"]], on=[*BOTH, "seed"])
    cells = paired(runs.assign(relative=runs[ERROR] / runs["scale"]), "relative", "close_pair", "sample_mst")
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
        within((~near).mean(), off, wrong),
        f"{near.sum()} of {len(near)} ratios to ClosePair within a factor of {factor:g} of the printed ones; ClosePair "
        f"takes {ours['ClosePair'].min():.2g} to {ours['ClosePair'].max():.2g} s",
        f"ClosePair {printed['ClosePair'].min():.4g} to {printed['ClosePair'].max():.4g} s",
        "The machines are different, so ratios between samplers are compared. ClosePair as printed computes all "
        "distances.",
        f"ratios {np.exp(logs.mean):.2f} [{np.exp(logs.low):.2f}, {np.exp(logs.high):.2f}] times the printed ones",
    )


def _times_faster(seconds):
    """Return the seconds of ClosePair, as printed and by our search, over those of SampleMST, per data set and draw."""
    wide = seconds.pivot(index=["dataset", "seed"], columns="sampler", values="seconds")
    wide = having(wide, ("close_pair_as_printed", "close_pair", "sample_mst"))
    return wide["close_pair_as_printed"] / wide["sample_mst"], wide["close_pair"] / wide["sample_mst"]


def _times(ratios):
    """Return the interval of the mean logarithm of the ratios, one observation per data set."""
    return interval(np.log(ratios.groupby(level="dataset").mean()))


@claim("R07", "ranksvr_theory/sampling_as_printed")
def sample_mst_is_much_faster_than_close_pair(seconds, *, times=10.0):
    printed, boxes = _times_faster(seconds)
    each, mean = printed.groupby(level="dataset").mean(), _times(printed)
    return Finding(
        HOLDS if each.min() >= times else FAILS if each.max() <= 1 else MIXED,
        f"{each.min():.2g} to {each.max():.2g} times as fast as ClosePair as printed, on {len(each)} sets; "
        f"{boxes.min():.2g} to {boxes.max():.2g} times as fast as our exact search for the same pairs",
        "11 to 54 times",
        f"Much faster means at least {times:g} times as fast on every set. As printed, ClosePair computes all "
        "distances; our search finds the same pairs and excludes most others by bounding boxes.",
        f"{np.exp(mean.mean):.2g} [{np.exp(mean.low):.2g}, {np.exp(mean.high):.2g}] times",
    )


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
def sample_mst_is_as_accurate_as_close_pair_and_faster(records, seconds, *, times=10.0, level=0.05):
    cells = {at: cell.at(level) for at, cell in lower(honest(records), "sample_mst", ["close_pair"]).items()}
    ratio = _times_faster(seconds)[0].groupby(level="dataset").mean()
    against = sum(cell.sign < 0 for cell in cells.values())
    accurate, fast = against <= level / 2 * len(cells), bool(ratio.min() >= times)
    return Finding(
        HOLDS if accurate and fast else MIXED if accurate or fast else FAILS,
        f"accuracy: {tally(cells)}; {ratio.min():.2g} to {ratio.max():.2g} times as fast as ClosePair as printed",
        "lower on 6 of 7; 11 to 54 times as fast",
        "At least as accurate means that no more cells are significantly worse than chance allows, under the honest "
        f"conditions of Table 2. Much faster means at least {times:g} times as fast on every set, as in R07.",
        f"error {over(cells).text(3)} less, {ratio.median():.2g} times as fast in the median",
    )


def _made_functions(records):
    parts = {}
    for conditions, name in ((MARGIN_01, "margin 0.1"), (MARGIN_1, "margin 1")):
        part = records[records["condition"].isin(conditions)]
        samplers = ("close_pair", "sample_mst")
        parts[name] = {at: cell for s in samplers for at, cell in lower(part, s, ["svr", "random"]).items()}
    said = "; ".join(f"{name}: {tally(part)}" for name, part in parts.items())
    return Measured(parts, f"against SVR and Random: {said}; {{counts}}")


@claim("R13", "ranksvr_fig4/cost_sweep", basis=SUBSTITUTE)
def costs_do_not_matter_without_noise(sweep, *, insensitive=0.1, sensitive=0.25):
    near = some(sweep[sweep["C"].between(0.1, 10) & sweep["C_rank"].between(0.1, 10)], "costs from 0.1 to 10")
    means = near.groupby(["dataset", "C", "C_rank"])["error"].mean().groupby("dataset", sort=False)
    factors = means.max() / means.min()
    verdict = HOLDS if factors.max() <= 1 + insensitive else FAILS if factors.min() > 1 + sensitive else MIXED
    return Finding(
        verdict,
        "worst over best error: " + ", ".join(f"{name}: {factor:.2f}" for name, factor in factors.items()),
        "not sensitive",
        "Both costs go from 0.1 to 10, around the printed 1, with 30 pairs and no noise. Not sensitive means that the "
        f"worst error is at most {1 + insensitive:g} times the best on every function; the claim fails if it is above "
        f"{1 + sensitive:g} times on every function.",
        f"factor {factors.min():.2f} to {factors.max():.2f} over {len(factors)} functions",
    )


@claim("R20", "ranksvr_fig5/records", "ranksvr_fig4/records", "ranksvr_ablation/records")
def more_pairs_are_not_always_better(fig5, fig4, ablation):
    """A curve rises by chance with probability 2.5 percent; chance allows the 97.5 percent quantile of their count."""
    parts = {
        "figure 5": fig5,
        "figure 4, margin 0.1": fig4[fig4["condition"].isin(MARGIN_01)],
        "figure 4, margin 1": fig4[fig4["condition"].isin(MARGIN_1)],
        "ablation, none wrong": ablation[ablation["condition"].isin(NONE_WRONG)],
    }
    risen = {name: _rises(records[records["n_pairs"] > 0]) for name, records in parts.items()}
    cells = [cell for found in risen.values() for cell in found]
    if not cells:
        raise Lacking("no curve has four draws with two numbers of pairs")
    signs = [cell.sign for cell in cells]
    by_chance = int(stats.binom.ppf(0.5 + CONFIDENCE / 2, len(cells), (1 - CONFIDENCE) / 2))
    risen_more, fallen_most = signs.count(1) > by_chance, signs.count(-1) > len(cells) / 2
    texts = ", ".join(f"{name} {sum(cell.sign > 0 for cell in found)} of {len(found)}" for name, found in risen.items())
    return Finding(
        HOLDS if risen_more else FAILS if fallen_most else INCONCLUSIVE,
        f"the error with the most pairs is above that with the best smaller number on these curves: {texts}; it is "
        f"below on {signs.count(-1)} of {len(cells)}",
        "not always",
        "The best smaller number is chosen on the draws with an even seed and compared on the others, in pairs. The "
        f"claim holds if more curves rise than the {by_chance} that chance would allow without any difference. If not, "
        "it fails if most curves fall.",
        f"rising {share(signs.count(1), len(signs))}",
    )


def _rises(records):
    """Return the intervals of the error with the most pairs minus that with the best other number, one per curve.

    The best number is chosen on even seeds and judged on odd seeds; a curve with fewer than two of either is left out.
    """
    found, records = [], records[~records["method"].isin(BLIND)]
    for _, curve in finished(records, ERROR).groupby(["dataset", "method"]):
        wide = curve.pivot(index="seed", columns="n_pairs", values=ERROR).dropna()
        odd = wide.index % 2 == 1
        if wide.shape[1] < 2 or odd.sum() < 2 or (~odd).sum() < 2:
            continue
        most = wide.columns.max()
        best = wide[~odd].drop(columns=most).mean().idxmin()
        found.append(interval(wide.loc[odd, most] - wide.loc[odd, best]))
    return found


TABLE2, MADE = ("ranksvr_table2/records",), ("ranksvr_fig5/records", "ranksvr_fig4/records")
MOSTLY = {"most": 0.5, "level": 0.05}
OF_TARGET = {"decimals": 3, "unit": " in the target's unit"}
DECIDES = "Judged on the data of Table 2 with honestly chosen parameters; the counts of the figures are for comparison."
CLOSE = " Close pairs help more where the required margin is small and the targets have no noise."
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
        **OF_TARGET,
    ),
    Row("R03", TABLE2 + MADE, _below_random(*PROPOSED), mostly, MOSTLY, DECIDES + CLOSE, PRINTED_WINS, **OF_TARGET),
    Row("R04", TABLE2, _mst_in_table_2, mostly, MOSTLY, MST, "lowest mean on 5 of 7", **OF_TARGET),
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
        **OF_TARGET,
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
    Row("R15", MADE[:1], _mst_along_curves, mostly, MOSTLY, CURVES, "plot lost", **OF_TARGET),
)
