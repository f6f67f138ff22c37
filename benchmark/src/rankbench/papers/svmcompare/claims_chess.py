"""The claims S19 to S28 of Venuto et al. about chess: each is about several periods, but we have only one of them."""

import json

import numpy as np

from rankbench.claims.evidence import Interval, having, interval, share, some
from rankbench.claims.rules import each, table
from rankbench.claims.verdict import NOT_CHECKABLE, SUBSTITUTE, Claim, Measured, add

SUMMARY, AUC = ("svmcompare_fig6/summary",), "comparison_auc"


def _areas(summary, models):
    """Return the areas: one column per model, one row per period that has all of the models."""
    areas = summary[summary["metric"] == AUC].pivot(index="dataset", columns="method", values="mean")
    return having(areas, dict.fromkeys(models))


def _wins(*pairs):
    """Return the measure of whether the first model of each pair has the larger area, over the periods."""

    def measure(summary):
        areas = _areas(summary, [model for pair in pairs for model in pair])
        gaps = {f"{better} over {worse}": areas[better] - areas[worse] for better, worse in pairs}
        cells = {
            name: interval(gap) if len(gap) > 1 else Interval(gap.iloc[0], -np.inf, np.inf, 1)
            for name, gap in gaps.items()
        }
        said = ", ".join(f"{name} {gap.mean():+.3f}" for name, gap in gaps.items())
        names = frozenset(" and ".join(sorted(pair)) for pair in pairs)
        return Measured(cells, f"{said} in {len(areas)} period; {{counts}}", compared=names)

    return measure


def _between(summary):
    areas, cells = _areas(summary, ("elo", "glicko", "linear_2", "poly_2")), {}
    low, high = (areas[["elo", "glicko"]].agg(end, axis=1) for end in ("min", "max"))
    for model in ("linear_2", "poly_2"):
        cells[model] = share(int(((areas[model] >= low) & (areas[model] <= high)).sum()), len(areas)).plus(-0.5)
    return Measured(cells)


def _degrees(records):
    chosen = records[records["method"].isin(["poly_all", "poly_2"]) & (records["status"] == "ok")]
    ones = [json.loads(params)["degree"] == 1 for params in some(chosen, "a polynomial model")["params"]]
    return Measured(
        {"degree 1": share(sum(ones), len(ones)).plus(-0.5)},
        f"degree 1 in {sum(ones)} of {len(ones)} selections; {{counts}}",
    )


def _baseline(baseline):
    """The baseline is half the share of the more frequent winner, so it always lies between 0.25 and 0.5."""
    games = (baseline["n_test"] * (1 - baseline["equality_test"])).round().astype(int)
    shares = {name: share(round(2 * auc * n), n) for name, auc, n in zip(baseline["dataset"], baseline["auc"], games)}
    cells = {
        name: Interval(0.4 - one.mean / 2, 0.4 - one.high / 2, 0.4 - one.low / 2, one.n) for name, one in shares.items()
    }
    return Measured(cells, f"{baseline['auc'].min():.3f} to {baseline['auc'].max():.3f} in {len(baseline)} period(s)")


LINEAR, POLYNOMIAL = ([(f"{kernel}_all", rating) for rating in ("elo", "glicko")] for kernel in ("linear", "poly"))
ADDED = [("linear_all", "linear_2"), ("poly_all", "poly_2")]
GAUSSIAN = [(f"{kernel}_{part}", f"rbf_{part}") for kernel in ("linear", "poly") for part in ("all", "2")]
BEST = [("linear_all", "poly_all"), ("linear_all", "rbf_all")]
MEDIANS = "medians 0.378 and 0.373 against 0.356 and 0.359; 6 of 8 years each"
WINS = {
    "S20": ("medians 0.378 and 0.373 against 0.365 and 0.347; 6 or 7 of 8 years", LINEAR + POLYNOMIAL),
    "S21": (MEDIANS, ADDED),
    "S23": ("8 of 8 years with all features, 7 and 8 of 8 with two ratings", GAUSSIAN),
    "S24": ("best by median; by mean the polynomial is, 0.3778 against 0.3768", BEST),
    "S27": ("linear beats each rating in 6 of 8 years", LINEAR),  # the conclusion names no kernel: its best one
    "S28": (MEDIANS, ADDED),
}
PERIOD = "Areas of one period of other games, while the paper has eight years."
MORE = {"limits": {"least": 0.01}, "decimals": 3, "basis": SUBSTITUTE}
HALF = "The share of the periods or selections, minus one half."
for claim_id, (printed, pairs) in WINS.items():
    add(Claim(claim_id, SUMMARY, _wins(*pairs), each, PERIOD, printed, **MORE))
add(
    Claim(
        "S19",
        (),
        lambda: Measured(settled=NOT_CHECKABLE),
        None,
        "This needs the primary training files of Chessmetrics; we have January to March 2010.",
        "72 cells",
        number=table,
    ),
    Claim(
        "S22",
        SUMMARY,
        _between,
        each,
        HALF,
        "medians 0.356 and 0.359 between 0.347 and 0.365; 4 of 8 years each",
        **MORE,
    ),
    Claim(
        "S25",
        ("svmcompare_fig6/records",),
        _degrees,
        each,
        HALF,
        "the final fits used degree 1, whatever was selected",
        **MORE,
    ),
    Claim(
        "S26",
        ("svmcompare_fig6/comparison_baseline",),
        _baseline,
        each,
        "Far: more than 0.1 below 0.5, by the decisive test games of one period.",
        "0.290 to 0.307",
        word="0.4 minus the baseline",
        **MORE,
    ),
)
