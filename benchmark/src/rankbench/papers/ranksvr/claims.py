"""The claims of Yu et al. about Tables 2 and 3 and Figures 4 and 5; `claims_theory` has the others."""

import numpy as np

from rankbench.claims.evidence import BLIND, finished, having, interval, learned, paired, slope_of_runs
from rankbench.claims.rules import alike, always, mostly, on_seconds, sometimes, table, together
from rankbench.claims.verdict import SECONDS, SUBSTITUTE, Claim, Lacking, Measured, add
from rankbench.papers.ranksvr.printed import PRINTED_AS
from rankbench.statistics.intervals import quantile

ERROR, BOTH = "absolute_error", ("dataset", "condition")
SAMPLERS = {"random": "Random", "close_pair": "ClosePair", "p_close_pair": "PClosePair", "sample_mst": "SampleMST"}
NAMES = {"svr": "SVR", **SAMPLERS}
AS_PRINTED = {("close_pair_as_printed" if key == "close_pair" else key): name for key, name in SAMPLERS.items()}
OTHERS, PROPOSED = ("random", "close_pair", "p_close_pair"), ("close_pair", "p_close_pair", "sample_mst")
MARGINS = {"margin 0.1": "margin01_", "margin 1": "margin1_"}
AS_WELL, MUCH = 0.02, 10.0


def ratios_to_svr(ratios, published):
    """Return our ratios with our standard errors and the printed ratios: a row per data set, condition and sampler."""
    printed = published.pivot(index="dataset", columns="method", values="mae")
    printed = printed.div(printed["SVR"], axis=0).stack()
    standard_error = (ratios["high"] - ratios["low"]) / (2 * quantile(ratios["n_pairs"] - 1))
    keys = zip(ratios["dataset"].map(PRINTED_AS), ratios["method"].map(SAMPLERS))
    return ratios.assign(standard_error=standard_error, printed=[printed.get(key, np.nan) for key in keys])


def _table_2(ratios, published):
    """By the reading of the protocol with the most cells that agree."""
    cells, judged = ratios_to_svr(ratios, published), {}
    for name, part in cells.groupby("condition", sort=False):
        judged[name] = Measured(figure=(part["ratio"] - part["printed"], np.sqrt(2) * part["standard_error"], np.inf))
    agree = {name: table(found)[2] for name, found in judged.items()}
    best = max(agree, key=lambda name: int(agree[name].split()[1]))
    said = ", ".join(f"{name.replace('_', ' ')} {text.removeprefix('agree ')}" for name, text in agree.items())
    return Measured(said=f"nearest of {len(judged)} readings: {{counts}}; all: {said}", figure=judged[best].figure)


def _cells(records, pairs, relative="svr", by=BOTH):
    """Return the intervals of the error of the second minus the first method of each pair, relative to the mean error
    of a method, in those cells where some method learns; and how many cells there are where none does."""
    runs, without = learned(records, ERROR, BOTH)
    if runs.empty:
        raise Lacking("nothing is learned in any cell")
    runs = finished(runs, ERROR)
    scale = runs[runs["method"] == relative].groupby(list(BOTH))[ERROR].mean().rename("scale")
    runs = runs.merge(scale, on=list(BOTH)).assign(**{ERROR: lambda frame: frame[ERROR] / frame["scale"]})
    cells = {}
    for better, other in pairs:
        gaps = paired(runs, ERROR, other, better, by=by)
        cells |= {f"{NAMES[better]} against {NAMES[other]} {at}": cell for at, cell in gaps.items()}
    return cells, f"nothing learned in {len(without)} of {records[list(BOTH)].drop_duplicates().shape[0]} cells"


def _compared(*pairs):
    """Return the measure of pairs of methods in some runs."""

    def measure(records):
        cells, without = _cells(records, pairs)
        return Measured(cells, f"{{counts}}; {without}")

    return measure


def _by_protocol(measure):
    """Return the measure by the paper's procedure, which reports the best accuracy on the test part (100 draws), and
    beside it what parameters give that are chosen on the three points; figures stand beside them too."""

    def of_all(best, table2, *figures):
        parts = {"chosen on the three points": table2[table2["condition"].str.endswith("validation")]}
        if figures:
            parts["Figure 5"] = figures[0]
            parts |= {f"simulated functions, {name}": _at_margin(figures[1], start) for name, start in MARGINS.items()}
        found = measure(best)
        beside = {name: measure(part) for name, part in parts.items()}
        return Measured(**{**vars(found), "said": f"best on the test part: {found.said}", "beside": beside})

    return of_all


def _at_margin(records, start):
    return records[records["condition"].str.startswith(start)]


def _as_well(records):
    cells, without = _cells(records, [("sample_mst", "close_pair")], "sample_mst", ("dataset",))
    return Measured({name: cell.minus.plus(AS_WELL) for name, cell in cells.items()}, f"{{counts}}; {without}")


def _table_3(seconds, published):
    """Ratios to ClosePair, because the machines are different."""
    ours = seconds.pivot_table("seconds", "dataset", "sampler", aggfunc="mean").rename(index=PRINTED_AS)
    ours = having(ours.rename(columns=AS_PRINTED), SAMPLERS.values())
    printed = published.pivot(index="dataset", columns="method", values="seconds").loc[ours.index]
    ours, printed = (
        one.drop(columns="ClosePair").div(one["ClosePair"], axis=0) for one in (ours, printed[list(SAMPLERS.values())])
    )
    logs = np.log((ours / printed).stack())
    return Measured(
        np.abs(logs),
        f"our ratios to ClosePair are {np.exp(logs.min()):.2g} to {np.exp(logs.max()):.2g} times the printed ones",
    )


def _much_faster(seconds):
    """The logarithm of ClosePair's seconds, as printed, over those of SampleMST, and the same minus that of `MUCH`."""
    wide = seconds.pivot(index=["dataset", "seed"], columns="sampler", values="seconds")
    wide = np.log(having(wide, ("close_pair_as_printed", "close_pair", "sample_mst")))
    cells = {
        name: interval(part, lever=1.0)
        for name, part in (wide["close_pair_as_printed"] - wide["sample_mst"]).groupby(level="dataset")
    }
    low, high = (np.exp(end(cell.mean for cell in cells.values())) for end in (min, max))
    boxes = np.exp((wide["close_pair"] - wide["sample_mst"]).groupby(level="dataset").mean())
    said = (
        f"{low:.1f} to {high:.1f} times as fast as ClosePair as printed, {boxes.min():.1f} "
        f"to {boxes.max():.1f} times as our exact search for the same pairs"
    )
    both = {f"faster on {name}": cell for name, cell in cells.items()}
    both |= {f"{MUCH:g} times as fast on {name}": cell.plus(-np.log(MUCH)) for name, cell in cells.items()}
    return Measured(both, f"{said}; {{counts}}", compared=SHARED)


def _as_accurate_and_faster(best, records, seconds):
    """The accuracy by both protocols; the seconds are the same."""
    found = _much_faster(seconds)
    faster = {name: cell for name, cell in found.cells.items() if name.startswith(f"{MUCH:g} ")}

    def measure(runs):
        cells, without = _cells(runs, [("sample_mst", "close_pair")], "sample_mst", ("dataset",))
        accurate = {name: cell.plus(AS_WELL) for name, cell in cells.items()}
        return Measured(accurate | faster, f"{{counts}}; {without}", compared=SHARED)

    return _by_protocol(measure)(best, records)


def _growth(growth):
    as_printed, boxes = (
        slope_of_runs(growth[growth["sampler"] == name], "n", "seconds", "seed")
        for name in ("close_pair_as_printed", "close_pair")
    )
    return Measured(
        {"ClosePair": as_printed.plus(-2)}, f"slope {as_printed.text()}; {boxes.mean:.2f} by an exact search with boxes"
    )


def _size_of_the_pool(seconds):
    return Measured({"": slope_of_runs(seconds[seconds["sampler"] == "p_close_pair"], "n_pool", "seconds", "seed")})


def _made_functions(records):
    pairs = [(sampler, other) for sampler in ("close_pair", "sample_mst") for other in ("svr", "random")]
    return Measured(readings={name: _compared(*pairs)(_at_margin(records, start)) for name, start in MARGINS.items()})


def _more_pairs(fig5, fig4, ablation):
    parts = {"figure 5": fig5, "none wrong": ablation[ablation["condition"].str.endswith("wrong00")]}
    parts |= {f"figure 4, {name}": _at_margin(fig4, start) for name, start in MARGINS.items()}
    cells = {
        (name, at): cell for name, part in parts.items() for at, cell in enumerate(_rises(part[part["n_pairs"] > 0]))
    }
    if not cells:
        raise Lacking("no curve has four draws with two numbers of pairs")
    return Measured(cells, "the error with the most pairs is above that with the best smaller number {counts}")


def _rises(records):
    """Yield the interval of the error with the most pairs minus that with the best other number, for each curve.

    The best number is chosen on even seeds and judged on odd seeds; a curve with fewer than two of either is left out.
    """
    runs = finished(records[~records["method"].isin(BLIND)], ERROR)
    for _, curve in runs.groupby(["dataset", "method"]):
        wide = curve.pivot(index="seed", columns="n_pairs", values=ERROR).dropna()
        odd, most = wide.index % 2 == 1, wide.columns.max()
        if wide.shape[1] > 1 and odd.sum() > 1 and (~odd).sum() > 1:
            best = wide[~odd].drop(columns=most).mean().idxmin()
            yield interval(wide.loc[odd, most] - wide.loc[odd, best])


SHARED = frozenset({"seconds of ClosePair as printed and SampleMST"})
TABLE2 = "ranksvr_table2_fresh/records", "ranksvr_table2/records"
FIGURES = "ranksvr_fig5/records", "ranksvr_fig4/records"
SAMPLING = ("ranksvr_theory/sampling_as_printed",)
OF_SVR, OF_MST = (
    {"decimals": 3, "unit": " of the mean error of SVR"},
    {"decimals": 3, "unit": " of the error of SampleMST"},
)
LEAST = {"least": 0.05}
BEST = (
    "The paper reported the best accuracy: parameters with the least test error count, as "
    "the paper's procedure; 100 draws."
)
WINS = "SampleMST 7 of 7, ClosePair 2 of 7, PClosePair 1 of 7 means below Random"
add(
    Claim(
        "R01",
        ("ranksvr_table2/ratios", "published/ranksvr_table2"),
        _table_2,
        None,
        "Only ratios can be compared: the unit of the targets is not known. The printed ratios are given our errors.",
        "28 ratios to SVR, from 0.039 to 0.993",
        number=table,
    ),
    Claim(
        "R02",
        TABLE2,
        _by_protocol(_compared(*((name, "svr") for name in SAMPLERS))),
        mostly,
        BEST,
        "28 of 28 means below SVR",
        LEAST,
        **OF_SVR,
    ),
    Claim(
        "R03",
        TABLE2 + FIGURES,
        _by_protocol(_compared(*((name, "random") for name in PROPOSED))),
        mostly,
        BEST,
        WINS,
        LEAST,
        **OF_SVR,
    ),
    Claim(
        "R04",
        TABLE2,
        _by_protocol(_compared(*(("sample_mst", name) for name in ("svr", *OTHERS)))),
        mostly,
        BEST,
        "lowest mean on 5 of 7",
        LEAST,
        **OF_SVR,
    ),
    Claim(
        "R05",
        TABLE2,
        _by_protocol(_as_well),
        sometimes,
        f"As well: at most {AS_WELL:g} above SampleMST, relative to it, on at least one set. {BEST}",
        "lower on Bodyfat only",
        word="as well",
        **OF_MST,
    ),
    Claim(
        "R06",
        (*SAMPLING, "published/ranksvr_table3"),
        _table_3,
        None,
        "Ratios to ClosePair as printed, within a factor of 2 of the printed ratios.",
        "ClosePair 3.16 to 2744 s",
        {"same": np.log(2.0), "off": 0.1, "wrong": 0.5},
        always,
        aside=SECONDS,
    ),
    Claim(
        "R07",
        SAMPLING,
        _much_faster,
        on_seconds(together),
        f"Faster on every set, and {MUCH:g} times as fast; over draws that alternate.",
        "11 to 54 times",
        {"least": 0.4},
    ),
    Claim(
        "R08",
        ("ranksvr_theory/sampler_growth",),
        _growth,
        on_seconds(alike),
        "Slope of log seconds against log n, over runs that alternate, within {margin:g} of 2.",
        "slope 1.96",
        {"margin": 0.2},
        word="slope minus 2:",
        decimals=2,
    ),
    Claim(
        "R09",
        SAMPLING,
        _size_of_the_pool,
        on_seconds(alike),
        "Slope of log seconds against log n over seven sets, a slope for each draw, within {margin:g} of 0.",
        "slope 0.85 in the printed seconds",
        {"margin": 0.5},
        word="slope",
        decimals=2,
    ),
    Claim(
        "R10",
        TABLE2 + FIGURES,
        _by_protocol(_compared(("p_close_pair", "random"))),
        mostly,
        BEST,
        "lower on 1 of 7, equal on 1",
        LEAST,
        **OF_SVR,
    ),
    Claim(
        "R11",
        TABLE2 + SAMPLING,
        _as_accurate_and_faster,
        on_seconds(together),
        f"At most {AS_WELL:g} above ClosePair on every set, and {MUCH:g} times as fast. {BEST}",
        "lower on 6 of 7; 11 to 54 times",
        LEAST,
    ),
    Claim(
        "R12",
        FIGURES[1:],
        _made_functions,
        mostly,
        "Nine simulated functions, four numbers of pairs, against SVR and Random. Each margin has its verdict.",
        "plot lost",
        LEAST,
        basis=SUBSTITUTE,
        **OF_SVR,
    ),
    Claim(
        "R20",
        (*FIGURES, "ranksvr_ablation/records"),
        _more_pairs,
        sometimes,
        "There are curves that rise: the best smaller number is chosen on even draws and compared on odd ones.",
        "not always",
        word="rising",
        basis=SUBSTITUTE,
    ),
    Claim(
        "R15",
        FIGURES[:1],
        _compared(*(("sample_mst", name) for name in ("svr", *OTHERS))),
        mostly,
        "Three sets, five numbers of pairs, 100 draws; parameters are chosen on the three points.",
        "plot lost",
        LEAST,
        **OF_SVR,
    ),
)
